"""Tricky docstrings with their contents, according to the style guides.

Each case is a fact, a docstring and the whole expected result. The sources: Google Python Style
Guide 3.8; numpydoc's "Style guide"; Sphinx, "Info field lists"; Epydoc, "Epydoc Fields"; PEP 257.
"""

# ruff: noqa: E501 - a docstring is read best on one line

from __future__ import annotations

from typing import Any

from tests.inside import Docstring

CASES: dict[str, tuple[str, Docstring]] = {}


def case(
    fact: str,
    text: str,
    *styles: str,
    summary: str = "Do it.",
    description: str | None = None,
    params: dict[str, str] | None = None,
    returns: str = "",
    yields: str = "",
    raises: dict[str, str] | None = None,
    attributes: dict[str, str] | None = None,
    examples: str = "",
) -> None:
    """Add a case; the description is the summary by default."""
    assert fact not in CASES, fact
    described = summary if description is None else description
    CASES[fact] = (
        text,
        Docstring(
            summary=summary,
            description=described,
            params=params or {},
            returns=returns,
            yields=yields,
            raises=raises or {},
            attributes=attributes or {},
            examples=examples,
            styles=styles,
        ),
    )


def prose(fact: str, text: str) -> None:
    """Add a case in which nothing is found: the docstring is the description."""
    summary = " ".join(text.partition("\n\n")[0].split())
    case(fact, text, summary=summary, description=text)


def args(fact: str, items: str, params: dict[str, str]) -> None:
    """Add a case with these items in a section of Google's style, and nothing else."""
    case(fact, f"Do it.\n\nArgs:\n{items}", "google", params=params)


def numpy(fact: str, items: str, params: dict[str, str]) -> None:
    """Add a case with these items in a section of NumPy's style, and nothing else."""
    case(fact, N + items, "numpy", params=params)


def fields(fact: str, items: str, params: dict[str, str]) -> None:
    """Add a case with these fields of Sphinx, and nothing else."""
    case(fact, f"Do it.\n\n{items}", "sphinx", params=params)


N = "Do it.\n\nParameters\n----------\n"
X = {"x": "The x."}
XY = {"x": "The x.", "y": "The y."}

# fmt: off

# Prose: PEP 257

case("an empty docstring says nothing", "", summary="")
case("a docstring of blanks says nothing", "  \n\t\n \r\n\x0c ", summary="")
case("a one-line docstring is its summary", "Do it.")
case("blanks around one line go", "   Do it.  ")
case("the summary may begin on the second line", "\n    Do it.\n    ")
prose("a summary on two lines becomes one", "Do\nit.")
prose("the description is everything", "Do it.\n\nSlowly.")
prose("a description keeps its lists", "Do it.\n\n- a\n  - b")
case("doubled blank lines go", "Do it.\n\n\n\n    Now.\n\n\n", description="Do it.\n\nNow.")
prose("a sentence that contains Args: opens nothing", "Do it. Args: are passed on.\n\nx: y")
prose("a sentence that begins with Args: opens nothing", "Args: are passed on.\nReally: yes.")
prose("a wrapped line that ends in a lower-case heading opens nothing", "Adds the two\narguments:\n    x: a number.")
prose("an unknown heading is prose", "Do it.\n\nFruit:\n    apple: red")
case("a note stays in the description", "Do it.\n\nNote:\n    Slow: very.\n\nArgs:\n    x: The x.", "google",
     description="Do it.\n\nNote:\n    Slow: very.", params=X)
case("a role at the margin is prose", ":func:`f`: the function.\n\n:param x: The x.", "sphinx", summary=":func:`f`: the function.", params=X)
case("an unknown field stays in the description", "Do it.\n\n:author: me\n:param x: The x.", "sphinx", description="Do it.\n\n:author: me", params=X)
prose("a decorator at the margin is prose", "Do it.\n\n@property\ndef x: y")
prose("a fence at the margin hides what is in it", "Do it.\n\n```\nArgs:\n    x: no\n```")
prose("tildes fence as well", "Do it.\n\n~~~\n:param x: no\n~~~")
case("a fence that nothing closes hides nothing", "Do it.\n\n```\n\nArgs:\n    x: The x.", "google", description="Do it.\n\n```", params=X)
case("a fence is not closed by a shallower one", "Do it.\n\n    ```\nArgs:\n    x: The x.\n```", "google",
     description="Do it.\n\n    ```\n\n```", params=X)
case("a doctest hides its output", "Do it.\n\n>>> print(help)\nArgs:\n    x: no\n\nArgs:\n    x: The x.", "google",
     description="Do it.\n\n>>> print(help)\nArgs:\n    x: no", params=X)
prose("a doctest at the end is hidden", "Do it.\n\n>>> f()\n:param x: no")
prose("a literal block is prose", "Do it.\n\nLike this::\n\n    Args:\n        x: no")

# Google

case("args and returns", "Do it.\n\n    Args:\n        x: The x.\n        y: The y.\n\n    Returns:\n        The sum.\n", "google",
     params=XY, returns="The sum.")
for word in ("Args", "Arguments", "Parameters", "Params", "Keyword Args", "Keyword Arguments", "Other Parameters", "Arg", "Parameter", "ARGS", "args", "Kwargs"):
    case(f"{word} opens parameters", f"Do it.\n\n{word}:\n    x: The x.", "google", params=X)
case("a section needs no blank line before it", "Do it.\nArgs:\n    x: The x.\nReturns:\n    It.", "google", params=X, returns="It.")
case("a section may be the first line", "Args:\n        x: The x.\n        y: The y.\n    ", "google", summary="", params=XY)
case("a section as first line ends at the margin", "Args:\n        x: The x.\n\n    Returns:\n        It.", "google",
     summary="", params=X, returns="It.")
args("types and optional are stripped", "    x (int): The x.\n    y (str, optional): The y.", XY)
args("nested generics are stripped", "    x (Optional[Dict[str, List[int]]]): The x.\n    y (dict[str: int]): The y.", XY)
args("a type may hold colons, quotes and commas", "    x (Literal['a: b', \"c\"]): The x.\n    y (callable: a->b): The y.", XY)
args("a type may be a role", "    x (:obj:`int`, optional): The x.\n    y (:class:`Y`): The y.", XY)
args("a type may continue on the next line", "    x (Union[int,\n            str]): The x.\n    y: The y.", XY)
args("a type may lack a bracket", "    x (List[int): The x.\n    y: The y.", XY)
args("a type may have a bracket too many", "    x (List[int]]): The x.\n    y: The y.", XY)
args("a type may have more than brackets", "    x (`Tensor`) of shape [a, b]: The x.\n    y (`T`) of shape `(a, )`):\n        The y.", XY)
args("a type may follow the name bare", "    x Optional[int]: The x.\n    y Optional(int): The y.", XY)
args("a type may touch the name", "    x(int): The x.\n    y (int) : The y.", XY)
args("a name with a type may have its text below without a colon", "    x (int)\n        The x.\n    y\n        The y.", XY)
args("text may touch the colon after a type", "    x(int):One\n        line\n    y (dict[str, int]) :Two", {"x": "One\nline", "y": "Two"})
args("a call with a colon is no name", "    x: The x.\n    so do(it):now\n    y(a(b):c", {"x": "The x.\nso do(it):now\ny(a(b):c"})
args("a role after brackets begins no item", "    x: The x\n    or (if unset) :data:`X`", {"x": "The x\nor (if unset) :data:`X`"})
args("text may follow a type without a colon, with more below it", "    x (list[(int)]) One (1)\n        line", {"x": "One (1)\nline"})
args("two dashes may stand for the colon", "    x {str} -- The x.\n    y -- The y.", XY)
args("one dash may stand for the colon", "    x - The x.\n    y (int) — The y.", XY)
args("a colon after two dashes is text", "    x {str} -- The x: it.", {"x": "The x: it."})
args("a bracket that touches a word is no type of a name", "    x: The x.\n    C{y} - The y.\n    --or: z\n    dry-run: Not.",
     {"x": "The x.\nC{y} - The y.\n--or: z", "dry-run": "Not."})
args("stars go", "    *args: The rest.\n    **kwargs: More.", {"args": "The rest.", "kwargs": "More."})
args("escapes and backticks go", "    \\*args: The rest.\n    `x`: The x.\n    y\\_z: It.", {"args": "The rest.", "x": "The x.", "y_z": "It."})
args("stars do without a colon", "    x: The x.\n    **kwargs More of it.", {"x": "The x.", "kwargs": "More of it."})
args("strong text continues an item", "    x: The x.\n    **Not** y.", {"x": "The x.\n**Not** y."})
args("two names may share a text", "    x, y (int): Both.", {"x": "Both.", "y": "Both."})
args("wrapped text keeps its lines", "    x: The x,\n        wrapped\n        twice.", {"x": "The x,\nwrapped\ntwice."})
args("text may begin below", "    x (int):\n        The x.\n\n    y:\n      The y.", XY)
args("text may have paragraphs", "    x: The x.\n\n        More.\n\n    y: The y.", {"x": "The x.\n\nMore.", "y": "The y."})
args("text may have a list", "    x: One of:\n        - a: b\n          - c\n        - d\n    y: The y.",
     {"x": "One of:\n- a: b\n  - c\n- d", "y": "The y."})
args("a list as deep as the items continues one", "    x: One of:\n    - a: b\n    - c\n    y: The y.", {"x": "One of:\n- a: b\n- c", "y": "The y."})
args("a line as deep as the items continues one", "    x: The x is\n    what it is.\n    y: The y.", {"x": "The x is\nwhat it is.", "y": "The y."})
args("prose with a colon continues an item", "    x: The x.\n    It can be: y.", {"x": "The x.\nIt can be: y."})
args("text may have a fence", "    x: Like\n        ```\n        y: no\n          z\n        ```\n    y: The y.",
     {"x": "Like\n```\ny: no\n  z\n```", "y": "The y."})
args("a fence as deep as the items hides what is in it", "    x: Like\n    ```\n    y: no\n    ```\n    y: The y.",
     {"x": "Like\n```\ny: no\n```", "y": "The y."})
args("text may have a directive", "    x: The x.\n\n        .. note::\n            Args: no.\n    y: The y.",
     {"x": "The x.\n\n.. note::\n    Args: no.", "y": "The y."})
args("text may have a doctest", "    x: The x.\n        >>> x\n        y: no\n    y: The y.", {"x": "The x.\n>>> x\ny: no", "y": "The y."})
args("text may have a URL", "    x: See\n        https://a.b/c:d.\n    y: https://a.b", {"x": "See\nhttps://a.b/c:d.", "y": "https://a.b"})
args("a URL as deep as the items is no name", "    x: See\n    https://a.b", {"x": "See\nhttps://a.b"})
args("empty texts are dropped", "    x:\n    y: The y.", {"y": "The y."})
args("parameters may be called like sections", "    returns: A.\n    note: B.\n    type: C.\n    args: D.\n    raises (bool): E.",
     {"returns": "A.", "note": "B.", "type": "C.", "args": "D.", "raises": "E."})
case("names need not be Latin", "Tu es.\n\nArgs:\n    größe (int): Die Größe.\n    名前: 名.", "google",
     summary="Tu es.", params={"größe": "Die Größe.", "名前": "名."})
args("the first text of a name is kept", "    x: The x.\n\nArgs:\n    x: No.\n    y: The y.", XY)
case("sections come in any order", "Do it.\n\nReturns:\n    It.\n\nArgs:\n    x: The x.", "google", params=X, returns="It.")
case("prose goes on after a section", "Do it.\n\nArgs:\n    x: The x.\n\nNow.", "google", description="Do it.\n\nNow.", params=X)
prose("a section without an item is prose", "Do it.\n\nArgs:\n    See the other function.")
prose("a heading without a body is nothing", "Do it.\n\nArgs:")
case("items may stand at the margin", "Do it.\n\nArgs:\nx: The x.\ny (int): The y.\n\nNow.", "google", description="Do it.\n\nNow.", params=XY)
case("items at the margin may have blank lines between", "Do it.\n\nArgs:\nx: The x.\n\ny: The y.\nReturns:\nIt.\n\nNow.", "google",
     description="Do it.\n\nNow.", params=XY, returns="It.")
prose("a heading with prose at the margin opens nothing", "Do it.\n\nArgs:\nare passed on.")
args("bullets may hold the items", "    - x (int): The x.\n    - y: The y,\n      wrapped.\n    continued",
     {"x": "The x.", "y": "The y,\n  wrapped.\ncontinued"})
args("bullets may hold the items at the margin", "* x: The x.\n* y: The y.", XY)
case("what is returned goes without its type", "Do it.\n\nReturns:\n    dict[str, int]: The\n        counts.", "google", returns="The\ncounts.")
case("a type of several words goes too", "Do it.\n\nReturns:\n    list of str or None: It.", "google", returns="It.")
case("a type in brackets goes too", "Do it.\n\nReturns:\n    (int, str): It.", "google", returns="It.")
case("prose before a colon stays", "Do it.\n\nReturns:\n    A mapping of names: it.", "google", returns="A mapping of names: it.")
case("what is returned may stand beside the heading", "Do it.\n\nReturns: It,\n    wrapped.\n\nNow.", "google",
     description="Do it.\n\nNow.", returns="It,\nwrapped.")
case("what is yielded", "Do it.\n\nYields:\n    int: The next.", "google", yields="The next.")
case("what is yielded, in the imperative", "Do it.\n\nYield:\n    int: The next.", "google", yields="The next.")
case("what is raised", "Do it.\n\nRaises:\n    ValueError: If x.\n    a.b.Error: If y.\n    `KeyError`: If z.", "google",
     raises={"ValueError": "If x.", "a.b.Error": "If y.", "KeyError": "If z."})
case("an exception may be a role", "Do it.\n\nRaises:\n    :py:class:`a.Error`: If x.", "google", raises={"a.Error": "If x."})
case("one type may be raised twice", "Do it.\n\nRaises:\n    ValueError: If x.\n    ValueError: If y.\n    TypeError:", "google",
     raises={"ValueError": "If x.\nIf y.", "TypeError": ""})
case("attributes", "Do it.\n\nAttributes:\n    x (int): The x.\n    y: The y.", "google", attributes=XY)
case("examples are text", "Do it.\n\nExample:\n    >>> f(1)\n    2\n\n    More.\n\nExamples:\n    x: y", "google",
     examples=">>> f(1)\n2\n\nMore.\n\nx: y")
case("what is to do is for the authors", "Do it.\n\nTodo:\n    * Do more.\n\nNote:\n    Slowly.", "google",
     description="Do it.\n\nNote:\n    Slowly.")
case("NumPy's Todo goes, too", "Do it.\n\nTodo\n----\nDo more.\n\nNotes\n-----\nSlowly.", "numpy", description="Do it.\n\nNotes\n-----\nSlowly.")
prose("a sentence that begins with Todo: stays", "Do it.\n\nTodo: do more.")
case("Sphinx fields may hold examples, and what is to do", "Do it.\n\n:param x: The x.\n:example:\n    >>> f(1)\n    2\n:todo: More.\n:examples: f(3)", "sphinx",
     params=X, examples=">>> f(1)\n2\n\nf(3)")
case("Epydoc fields may, too", "Do it.\n\n@example: f(1)\n@todo: More.\n@param x: The x.", "epydoc", params=X, examples="f(1)")
case("Javadoc's have no colon", "Do it.\n\n@param x The x.\n@example f(1)", "epydoc", params=X, examples="f(1)")
args("a role may follow a name without a space", "    x:A :class:`Cache` of things.\n    y: The y.",
     {"x": "A :class:`Cache` of things.", "y": "The y."})
case("examples at the margin end at a paragraph", "Do it.\n\nExamples:\n>>> f()\n1\n\nNow.", "google",
     description="Do it.\n\nNow.", examples=">>> f()\n1")
case("cross-references go", "Do it.\n\nSee Also:\n    f: the other.\n\nNow.", "google", description="Do it.\n\nNow.")
case("tabs indent", "Do it.\n\n\tArgs:\n\t\tx: The x.\n\t\t\twrapped\n\t\ty: The y.\n\t", "google", params={"x": "The x.\nwrapped", "y": "The y."})
case("a form feed ends a line", "Do it.\n\x0cArgs:\n    x: The x.", "google", params=X)
case("old Macintosh line ends", "Do it.\r\rArgs:\r    x: The x.", "google", params=X)

# NumPy

case("NumPy parameters and what is returned", f"{N}x : int\n    The x.\ny : str, optional\n    The y.\n\nReturns\n-------\nint\n    The sum.", "numpy",
     params=XY, returns="The sum.")
numpy("NumPy types may be left out", "x\n    The x.\ny:\n    The y.", XY)
numpy("NumPy colons may lack the blank", "x: int\n    The x.\ny :\n    The y.", XY)
numpy("NumPy names may share a text", "x, y : float\n    Both.", {"x": "Both.", "y": "Both."})
numpy("NumPy stars go", "*args, **kwargs\n    The rest.\n\\*x : int\n    The x.", {"args": "The rest.", "kwargs": "The rest.", "x": "The x."})
numpy("NumPy choices are a type", "x : {'a', 'b: c'}, optional\n    The x.", X)
numpy("NumPy braces stand for several names", "{x, y}_1 : int\n    Both.", {"x_1": "Both.", "y_1": "Both."})
numpy("NumPy default sentences are text", "x : int, default: 3\n    The x. The default is 3.", {"x": "The x. The default is 3."})
numpy("NumPy names may be like sections", "returns : bool\n    A.\nargs:\n    B.\nnote\n    C.", {"returns": "A.", "args": "B.", "note": "C."})
numpy("a NumPy name may have its type in brackets", "x (int) : int\n    The x.", X)
case("NumPy underlines may be of any length", "Do it.\n\nParameters\n--\nx : int\n    The x.\n\nReturns\n=========\nIt.", "numpy",
     params=X, returns="It.")
case("a NumPy underline may be indented", "Do it.\n\nParameters\n  ---------\nx : int\n    The x.", "numpy", params=X)
case("a NumPy title may have a colon", "Do it.\n\nParameters:\n-----------\nx : int\n    The x.", "numpy", params=X)
numpy("NumPy items may be indented", "    x : int\n        The x.\n    y\n        The y.\n", XY)
numpy("NumPy text keeps its structure", "x : int\n    One of\n\n    * a : b\n      c\n\n    Returns:\n        no\ny\n    The y.",
     {"x": "One of\n\n* a : b\n  c\n\nReturns:\n    no", "y": "The y."})
numpy("a NumPy line that is no name ends the item", "x : int\n    The x.\nAnd so on, see below.\n    Not x.", X)
numpy("a NumPy item without text is dropped", "x : int\ny : int\n    The y.", {"y": "The y."})
numpy("a NumPy doctest is no item", "x : int\n    The x.\n\n>>> y\nz\n    no", X)
prose("NumPy sections without items are prose", "Do it.\n\nParameters\n----------")
numpy("NumPy other parameters", "x : int\n    The x.\n\nOther Parameters\n----------------\ny : int\n    The y.", XY)
numpy("SciPy options are parameters", "x : int\n    The x.\n\nOptions\n-------\ny : int\n    The y.", XY)
case("NumPy attributes, exceptions and yields", "Do it.\n\nAttributes\n----------\nx : int\n    The x.\n\nRaises\n------\nValueError\n    If x.\n\nYields\n------\nint\n    It.", "numpy",
     attributes=X, raises={"ValueError": "If x."}, yields="It.")
case("several NumPy values keep their names", "Do it.\n\nReturns\n-------\na : int\n    The a.\nb : int\n    The b.", "numpy",
     returns="a : int\n    The a.\nb : int\n    The b.")
case("NumPy values without text are what is said", "Do it.\n\nReturns\n-------\nThe sum of x\nand y.", "numpy", returns="The sum of x\nand y.")
case("NumPy notes stay, examples and references do not", "Do it.\n\nNotes\n-----\nSlow.\n\nExamples\n--------\n>>> f()\n\nReturns:\n    no\n\nReferences\n----------\n[1] No.\n", "numpy",
     description="Do it.\n\nNotes\n-----\nSlow.", examples=">>> f()\n\nReturns:\n    no")
case("NumPy see also goes", "Do it.\n\nSee Also\n--------\nf : The other.", "numpy")
prose("an underlined title is prose", "Do it.\n\nUse\n===\nx : int\n    no")
prose("a table is no title", "Do it.\n\nArgs\n== ==\nx  y\n== ==")

# Sphinx

case("fields", "Do it.\n\n:param x: The x.\n:param int y: The y.\n:type x: int\n:returns: The sum.\n:rtype: int\n:raises ValueError: If x.", "sphinx",
     params=XY, returns="The sum.", raises={"ValueError": "If x."})
for tag in ("param", "parameter", "arg", "argument", "key", "keyword", "Param"):
    case(f":{tag}: is a parameter", f"Do it.\n\n:{tag} x: The x.", "sphinx", params=X)
for tag in ("ivar", "cvar", "var"):
    case(f":{tag}: is an attribute", f"Do it.\n\n:{tag} int x: The x.", "sphinx", attributes=X)
fields("field types may have blanks and colons", ":param Dict[str, int] x: The x.\n:param str or None y: The y.", XY)
fields("field names lose stars and escapes", ":param *args: A.\n:param \\**kwargs: B.", {"args": "A.", "kwargs": "B."})
fields("field text goes on deeper", ":param x: The x,\n    wrapped.\n\n    More:\n\n    - a\n:param y: The y.",
     {"x": "The x,\nwrapped.\n\nMore:\n\n- a", "y": "The y."})
fields("field text goes on at the margin", ":param x: The x,\nwrapped.\n:param y: The y.", {"x": "The x,\nwrapped.", "y": "The y."})
case("a paragraph ends a field", "Do it.\n\n:param x: The x.\n\nNow.\n\n:param y: The y.", "sphinx", description="Do it.\n\nNow.", params=XY)
case("a directive ends a field", "Do it.\n\n:param x: The x.\n\n.. versionadded:: 1.2", "sphinx",
     description="Do it.\n\n.. versionadded:: 1.2", params=X)
fields("a directive in a field stays", ":param x: The x.\n\n    .. note:: :param y: no", {"x": "The x.\n\n.. note:: :param y: no"})
fields("a field may have a blank before its colon", ":param x : The x.", X)
fields("a field may lack the blank after its colon", ":param x:The x.", X)
fields("a field without an end opens and says nothing", ":param x: The x.\n:param y The y\n:param z: It.", {"x": "The x.", "z": "It."})
case("fields without a name say nothing", "Do it.\n\n:param: No.\n:param x:\n:returns:", "sphinx")
case("a field may be the only line", ":return: It.", "sphinx", summary="", returns="It.")
case("an exception field may name several", "Do it.\n\n:raises KeyError, a.B: If x.\n:raise C:", "sphinx",
     raises={"KeyError": "If x.", "a.B": "If x.", "C": ""})
case("a yield field", "Do it.\n\n:yields: It.\n:meta private:", "sphinx", yields="It.")

# Epydoc and Javadoc

case("Epydoc fields", "Do it.\n\n@param x: The x.\n@type x: int\n@param y: The y.\n@return: The sum.\n@rtype: int\n@raise ValueError: If x.", "epydoc",
     params=XY, returns="The sum.", raises={"ValueError": "If x."})
case("Epydoc text runs through blank lines", "Do it.\n\n@param x: The x.\n\n  More.\n\n@keyword y: The y.\n@author: me", "epydoc",
     description="Do it.\n\n@author: me", params={"x": "The x.\n\nMore.", "y": "The y."})
case("Epydoc attributes", "Do it.\n\n@ivar x: The x.\n@cvar y: The y.", "epydoc", attributes=XY)
case("Epydoc keeps inline markup", "Do it.\n\n@param x: The C{x}.", "epydoc", params={"x": "The C{x}."})
case("Javadoc has no colon", "Do it.\n\n@param x The x.\n@param y The y: it.\n@return The sum.\n@throws X", "epydoc",
     params={"x": "The x.", "y": "The y: it."}, returns="The sum.\n@throws X")

# Markdown

case("Markdown headings", "Do it.\n\n## Args\n\n- `x` (int): The x.\n- **y**: The y.\n\n## Returns\n\nThe sum.\n\nIt is.\n\n# More\nText.", "markdown",
     description="Do it.\n\n# More\nText.", params=XY, returns="The sum.\n\nIt is.")
case("Markdown strong headings", "Do it.\n\n**Args:**\n- **x:** The x.\n- *y*: The y.\n\n__Returns__:\n\nIt.", "markdown", params=XY, returns="It.")
case("Keras headings", "Do it.\n\n# Arguments\n    x: The x.\n    y: The y.\n\n# Raises\n    ValueError: If x.", "markdown",
     params=XY, raises={"ValueError": "If x."})
prose("stars are no heading", "Do it.\n\n**args and\n*args* too")
prose("double underscores are no heading", "Do it.\n\n__args__: no")

# Mixed

case("all styles at once", "Do it.\n\nArgs:\n    a: A.\n\n:param b: B.\n\n@param c: C.\n\nParameters\n----------\nd : int\n    D.\n\n# Args\n- e: E.", "google", "sphinx", "epydoc", "numpy", "markdown",
     params={"a": "A.", "b": "B.", "c": "C.", "d": "D.", "e": "E."})
case("Google after NumPy", f"{N}x : int\n    The x.\n\nReturns:\n    It.", "numpy", "google", params=X, returns="It.")
case("Google after fields", "Do it.\n:param x: The x.\nReturns:\n    It.", "sphinx", "google", params=X, returns="It.")
case("fields after Google", "Do it.\n\nArgs:\n    x: The x.\n:param x: No.\n:return: It.", "google", "sphinx", params=X, returns="It.")

# Found in real packages

case("a doctest at the margin ends a section", "Do it.\n\nArgs:\n    x: The x.\n\n>>> f(1)\n2", "google",
     description="Do it.\n\n>>> f(1)\n2", params=X)
case("a fence at the margin ends a section", "Do it.\n\nReturns:\n    The r.\n\n```python\nf(1)\n```", "google",
     description="Do it.\n\n```python\nf(1)\n```", returns="The r.")
case("a doctest at the margin ends a field", "Do it.\n\n:param x: The x.\n\n>>> f(1)\n2", "sphinx", description="Do it.\n\n>>> f(1)\n2", params=X)
case("examples go on with code at the margin", "Do it.\n\nExamples:\n\n>>> f(1)\n2\n\n>>> f(2)\n3\n\nMore.", "google",
     description="Do it.\n\nMore.", examples=">>> f(1)\n2\n\n>>> f(2)\n3")
case("examples go on with code that is shallower than their text", "Do it.\n\nExamples:\n    One:\n\n>>> f(1)\n2\n\nMore.", "google",
     description="Do it.\n\nMore.", examples="    One:\n\n>>> f(1)\n2")
numpy("a fence is no NumPy item", "x : int\n    The x.\n\n```python\ny: int\n```", X)
numpy("dashes that a doctest prints underline nothing", "x : int\n    The x.\n\n>>> print('-' * 5)\n-----\ny\n    The y.", X)
case("code between triple backticks on one line is no fence", "Do it.\n\n```x[0]```\n\nArgs:\n    x: The x.\n\n```python\nf(x)\n```", "google",
     description="Do it.\n\n```x[0]```\n\n```python\nf(x)\n```", params=X)
args("a blank may stand on the wrong side of the colon, or on none", "    x :The x.\n    y:The y.\n    z: See\n    also :RFC:`1` and\n    http://Foo bar.",
     {**XY, "z": "See\nalso :RFC:`1` and\nhttp://Foo bar."})
args("a placeholder for more items belongs to none", "    x: The x.\n    {{more}}\n    y: The y.\n    ${args}\n    z: 1 or\n    {2}",
     {**XY, "z": "1 or\n{2}"})
case("later items may be shallower than the first", "Do it.\n\nArgs:\n        x: The x.\n      y (int):\n          The y.\n      params: Ps.\n    More.", "google",
     description="Do it.\n\n    More.", params={**XY, "params": "Ps."})
case("a heading that is shallower than the items is no item", "Do it.\n\nArgs:\n    x: The x.\n  Returns:\n    The r.", "google",
     description="Do it.\n\n  Returns:\n    The r.", params=X)
case("Google items may stand below a NumPy title", "Do it.\n\nArguments:\n---------\n    x (int): The x\n        and more.\n    y (Dict[str, int]): The y.", "numpy",
     params={"x": "The x\nand more.", "y": "The y."})
numpy("a NumPy type may be missing before its default", "x, optional\n    The x.\ny, default 1\n    The y.", XY)

# Not in the public cases: the figures in the README were measured without these

PUBLIC = dict(CASES)
args("a fence that ends at a less indented line hides no parameter", "    x: One.\n        ```\n    y: Two.\n        ```\n",
     {"x": "One.\n```", "y": "Two.\n```"})
args("a line of a type on several lines is no item", "    a (dict[\n    b: int\n    ]): The a.\n    c: C.", {"a": "The a.", "c": "C."})
numpy("a NumPy type may end in brackets before a colon", "x : tuple of (int): text\n    The x.\ny (int): The y.", XY)
case("the reasons of an exception are joined word for word",
     "Do it.\n\nRaises\n------\nTypeError\n    X is odd.\nTypeError\n    Y is not X\n", "numpy",
     raises={"TypeError": "X is odd.\nY is not X"})
case("a lower-case heading may follow the summary", "Do it.\nargs:\n    x: The x.", "google", params=X)
case("a section that says None is empty", "Do it.\n\nArgs:\n    None\n\nMore.", description="Do it.\n\nMore.")
case("a section with the item None is empty", "Do it.\n\nArgs:\n    - None.", description="Do it.")
prose("a sentence that begins with None is prose", "Do it.\n\nArgs:\n    None is fine")
case("headings may name the kind of arguments",
     "Do it.\n\npositional args :\n    x: The x.\nkeyword arguments:\n    y: The y.", "google", params=XY)
args("a range names its ends", "    x_min..x_max: Both.", {"x_min": "Both.", "x_max": "Both."})
for field, words in {
    "params": "Argument, Param, Keyword Parameters, Positional Arguments, Positional Parameters, Other Args, Other Arguments, Options",
    "attributes": "Attribute, Class Attributes, Instance Attributes", "raises": "Raise, Exceptions, Except",
}.items():
    for word in words.split(", "):
        case(f"{word} opens {field}", f"Do it.\n\n{word}:\n    x: The x.", "google", **dict[str, Any]({field: X}))
for field, words in {"params": "kwarg kwparam", "attributes": "cvar var", "raises": "exception except"}.items():
    for word in words.split():
        case(f"{word} is a field of {field}", f"Do it.\n\n:{word} x: The x.", "sphinx", **dict[str, Any]({field: X}))
case("Return opens the result", "Do it.\n\nReturn:\n    It.", "google", returns="It.")
case("yield is a field", "Do it.\n\n:yield: It.", "sphinx", yields="It.")
for word in ("Usage", "Doctest"):
    case(f"{word} opens examples", f"Do it.\n\n{word}:\n    f()", "google", examples="f()")
for word in ("Methods", "Todos"):
    case(f"{word} is left out", f"Do it.\n\n{word}:\n    f()", "google")
for word in ("kwtype", "ytype", "vartype"):
    case(f"the field {word} is left out", f"Do it.\n\n:{word} x: int", "sphinx")
for bullet in "-*+•":
    args(f"items may begin with {bullet}", f"    {bullet} x: The x.\n    {bullet} y: The y.", XY)
args("a short dash may stand for the colon", "    x \u2013 The x.", X)
args("a type may continue on as many lines as are indented deeper", "    x (Union[\n     'a: b',\n     'c',\n     'd',\n     'e']): The x.\n    y (int,\n     optional): The y.", XY)
args("a type may continue on three lines beside the first", "    x (Union[\n    'a',\n    'b',\n    'c']): The x.\n    y: The y.", XY)
args("a type does not continue on four lines beside the first", "    x (Union[\n    'a',\n    'b',\n    'c',\n    'd']): The x.\n    y: The y.", {"y": "The y."})
args("a type that lacks a bracket may have text with one too many", "    x (List[int): The x,\n        as in b).", {"x": "The x,\nas in b)."})
args("a type may lack any bracket", "    x List[(int]: The x.\n    y {'a', (1}: The y.\n    z (List[`int`: The z.\n    a (List[int, *optional*: The a.",
     {**XY, "z": "The z.", "a": "The a."})
args("a type in any brackets may hold a colon", "    x dict[a: b]: The x.\n    y {a: b} or c: The y.", XY)
args("a colon in brackets ends no type", "    x: The x\n    y (d[s]: i) z", {"x": "The x\ny (d[s]: i) z"})
args("names that touch their type, or share it, may have their text below",
     "    x(int)\n        The x.\n    y, z (int)\n        Both.\n    X (int)One\n        line.", {"x": "The x.", "y": "Both.", "z": "Both.", "X": "One\nline."})
args("text may be indented by one blank", "    x: The x.\n     y: no", {"x": "The x.\ny: no"})
args("a line without a bullet is text of an item with one", "    - x: The x.\n    y: no", {"x": "The x.\ny: no"})
args("the first text of a name counts", "    x: The x.\n    x: Another.", X)
case("the first section with a name counts", "Do it.\n\nArgs:\n    x: The x.\n\nKeyword Args:\n    x: Another.", "google", params=X)
args("markup in the text stays", "    **x:** The **b:** x.", {"x": "The **b:** x."})
args("text that touches its colon may have more of them", "    x(int):One: two.\n    y (int) :the (y) : it", {"x": "One: two.", "y": "the (y) : it"})
args("a sentence before a colon is no name", "    x: The x\n    so do:It now.\n    a:B", {"x": "The x\nso do:It now.\na:B"})
args("a starred name needs no colon, but text", "    **X Others,\n    *args", {"X": "Others,\n*args"})
args("a fence is no name", "    x: The x.\n    ```y\n        a\n    ```", {"x": "The x.\n```y\n    a\n```"})
args("a fence with a blank line hides what is in it", "    x: The x.\n    ```\n    a\n\n    b: no\n    ```", {"x": "The x.\n```\na\n\nb: no\n```"})
args("a template may stand for more items", "    x: The x.\n    {X}\n    y: The y.", XY)
numpy("a fence with indented code is no NumPy item", "x : int\n    The x.\n```py\n    a\n```", X)
numpy("names in braces may be indented", "    {a, b}_x : int\n        Both.", {"a_x": "Both.", "b_x": "Both."})
case("a NumPy title may be underlined with equal signs", "Do it.\n\nParameters\n==========\nx : int\n    The x.", "numpy", params=X)
prose("a line that ends in dashes underlines nothing", "Do it.\n\nReturns\nthe sum --")
case("a NumPy section may be empty", "Do it.\n\nReturns\n-------\nParameters\n----------\nx\n    The x.", "numpy", params=X)
case("a NumPy value may have several lines of text", "Do it.\n\nReturns\n-------\nint\n    The sum,\n    or more.\n\n    Or less.", "numpy",
     returns="The sum,\nor more.\n\nOr less.")
case("a doctest in a fence ends with it", "Do it.\n\n```\n>>> f()\n```\nArgs:\n    x: The x.", "google", description="Do it.\n\n```\n>>> f()\n```", params=X)
prose("a fence may name a language, and follow another", "Do it.\n\n```py\na\n```\n```\nArgs:\n    x: no\n```")
case("a lower-case heading may be the first line", "args:\n    x: One", "google", summary="", params={"x": "One"})
prose("a lower-case heading with text is a sentence", "Do it.\n\nreturns: the sum")
case("a heading at the end ends what is before it", "Do it.\n\nReturns:\nIt.\nArgs:", "google", description="Do it.\n\nArgs:", returns="It.")
case("one star or underscore marks a heading", "Do it.\n\n*Args*\n\n- x: The x.\n\n_Attributes_:\n\n- y: The y.", "markdown",
     params=X, attributes={"y": "The y."})
case("a blank line may follow a heading", "Do it.\n\nReturns:\n\nThe sum.", "google", returns="The sum.")
case("a blank line ends the text beside a heading", "Do it.\n\nReturns: The sum.\n\nMore.", "google", description="Do it.\n\nMore.", returns="The sum.")
case("the text beside a heading may go on below", "Do it.\n\nReturns: The sum\n    int: more", "google", returns="The sum\nint: more")
for text in ("One\n  two", "Either or: it", "The big sum: it"):
    case(f"the text {text!r} has no type", f"Do it.\n\nReturns:\n    {text}".replace("\n  two", "\n      two"), "google", returns=text)
for tp in ("int or str", "int | str"):
    case(f"the type {tp} is stripped", f"Do it.\n\nReturns:\n    {tp}: It.", "google", returns="It.")
case("a less indented line ends a text", "Do it.\n\nReturns:\n        The sum.\n    x: no", "google", description="Do it.\n\n    x: no", returns="The sum.")
case("a line at the margin ends a section", "Do it.\n\nArgs:\n    x: The x.\ny: no", "google", description="Do it.\n\ny: no", params=X)
case("a field may go on at the margin", "Do it.\n\n:param x: One,\ntwo,\nthree:\n```\n\na\n\nb\n```\n:1: more", "sphinx",
     params={"x": "One,\ntwo,\nthree:\n```\n\na\n\nb\n```\n:1: more"})
case("a field of Epydoc goes on after a blank line", "Do it.\n\n@param x: One.\n\nTwo.", "epydoc", params={"x": "One.\n\nTwo."})
case("the first field with the result counts", "Do it.\n\n:return:\n    int: One.\n:returns: Two.", "sphinx", returns="int: One.")
case("a result of Javadoc may have a colon", "Do it.\n\n@return the sum: it", "epydoc", returns="the sum: it")
