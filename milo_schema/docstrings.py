"""Parse docstrings of any style: summary, description and texts of parameters.

It takes one pass over the lines and does not guess the style of the whole: each line at the margin
may open a Google, NumPy or Markdown section, or a reST or Epydoc field, and its body is parsed in
that style. All other lines are the description. The first text for a name is kept.
"""

from __future__ import annotations

from itertools import compress, repeat

from milo_schema.annotations import Collection, Iterable, Iterator
from milo_schema.frozen import Frozen, field
from milo_schema.plain_docstrings import (
    IS_AT_MARGIN,
    OPENERS,
    dedented,
    depth_of,
    margin_of,
    tidy,
    without_indentation,
)

Opening = tuple[str, str, str, str]  # kind, style, the name on its line, the text on its line
Section = tuple[Opening, int, int, int]  # the opening, the start and end of its body
Item = tuple[list[str], str, int]  # its names, the text beside them, the line of the text below
Lists = dict[str, dict[str, str]]  # the texts of names, by the kind of their section

PARAMS = "params"
ATTRIBUTES = "attributes"
RAISES = "raises"
RETURNS = "returns"
YIELDS = "yields"
EXAMPLES = "examples"
NOTHING = ""  # recognized, but not useful for a schema: types, cross-references
PROSE = "prose"  # ends a section, and stays in the description
LISTS = (PARAMS, ATTRIBUTES, RAISES)  # sections with names and texts; the others have only text

# Google's style guide (3.8.3), napoleon and numpydoc agree on most of these; the others are common
# in practice. Any other heading ("Note", "Warning", "Options") is prose, and so is its body.
HEADINGS = {
    "args": PARAMS, "arg": PARAMS, "arguments": PARAMS, "argument": PARAMS,
    "params": PARAMS, "param": PARAMS, "parameters": PARAMS, "parameter": PARAMS,
    "keyword args": PARAMS, "keyword arguments": PARAMS, "keyword parameters": PARAMS,
    "other args": PARAMS, "other arguments": PARAMS, "other parameters": PARAMS, "kwargs": PARAMS,
    "attributes": ATTRIBUTES, "attribute": ATTRIBUTES,
    "class attributes": ATTRIBUTES, "instance attributes": ATTRIBUTES,
    "raises": RAISES, "raise": RAISES, "exceptions": RAISES, "except": RAISES,
    "returns": RETURNS, "return": RETURNS, "yields": YIELDS, "yield": YIELDS,
    "examples": EXAMPLES, "example": EXAMPLES, "usage": EXAMPLES, "doctest": EXAMPLES,
    "options": PARAMS,  # used in SciPy for the parameters of one method of several
    "see also": NOTHING, "references": NOTHING, "methods": NOTHING,
    "todo": NOTHING, "todos": NOTHING,
}  # fmt: skip

# From "Info field lists" of Sphinx's Python domain and "Epydoc Fields"; most are in both.
FIELDS = {
    "param": PARAMS, "parameter": PARAMS, "arg": PARAMS, "argument": PARAMS,
    "key": PARAMS, "keyword": PARAMS, "kwarg": PARAMS, "kwparam": PARAMS,
    "ivar": ATTRIBUTES, "cvar": ATTRIBUTES, "var": ATTRIBUTES,
    "raises": RAISES, "raise": RAISES, "exception": RAISES, "except": RAISES,
    "returns": RETURNS, "return": RETURNS, "yields": YIELDS, "yield": YIELDS,
    "type": NOTHING, "kwtype": NOTHING, "rtype": NOTHING, "ytype": NOTHING, "vartype": NOTHING,
    "example": EXAMPLES, "examples": EXAMPLES, "todo": NOTHING, "meta": NOTHING,
}  # fmt: skip

BULLETS = ("- ", "* ", "+ ", "• ")
TYPE_ENDS = ("): ", "]: ", "}: ", "`: ", "*: ")
CODE = (">>>", "```", "~~~")
DASHES = (" -- ", " - ", " \u2013 ", " \u2014 ")
MOST_LINES = 4  # of the type of one parameter


def _own(_name: str, texts: dict[str, str] | None) -> dict[str, str]:
    """A copy, so that each docstring has its own dict."""
    return texts or {}


class Docstring(Frozen):
    """A parsed docstring: frozen, equal by value, and picklable.

    Args:
        summary: The first paragraph, on one line.
        description: The description of the whole for an LLM: everything outside of the sections
            that the other fields have. Notes and warnings stay; "See Also", "References" and
            "Methods" are dropped, because they refer to something that an LLM cannot see, and
            so is "Todo", which is for authors.
        params: The text of each parameter, in the order of the docstring, without empty texts.
        returns: The description of the return value, without its type.
        yields: The description of the yielded values, without their type.
        raises: The text for each exception type; empty if only the type is named.
        attributes: The text of each attribute, as for `params`.
        examples: The text of the example sections.
        styles: The styles found: any of "google", "numpy", "sphinx", "epydoc", "markdown".

    Example:
        >>> Docstring(summary="Add.", params={"x": "A number."}).params["x"]
        'A number.'
    """

    summary: str = ""
    description: str = ""
    params: dict[str, str] = field(default={}, converter=_own)
    returns: str = ""
    yields: str = ""
    raises: dict[str, str] = field(default={}, converter=_own)
    attributes: dict[str, str] = field(default={}, converter=_own)
    examples: str = ""
    styles: tuple[str, ...] = ()


def parse_docstring(text: str | None) -> Docstring:
    r"""Parse a docstring of any style, or of several at once.

    It never raises an exception: anything that is not a `str` (a missing docstring, a property
    used as `__doc__`) counts as empty.

    Args:
        text: The docstring as written, indented or not.

    Returns:
        A fresh `Docstring`; you may change its dicts.

    Example:
        >>> doc = parse_docstring("Add.\n\nArgs:\n    x (int): A number.\n    *more: Others.")
        >>> doc.summary, doc.params
        ('Add.', {'x': 'A number.', 'more': 'Others.'})
    """
    if not isinstance(text, str):
        return Docstring()
    # The methods of a subclass of str may be user code, so only its text is used.
    return docstring_of(Page(without_indentation(str.__str__(text))))


def names_in(text: str) -> dict[str, str]:
    """Return the texts of parameters and attributes: all that the schemas of parameters need."""
    page = page_of(text)
    attributes: dict[str, str] = {}
    params: dict[str, str] = {}
    for section in sections_of(page):
        kind = section[0][0]
        if kind == PARAMS:
            add_items(params, page, section)
        elif kind == ATTRIBUTES:
            add_items(attributes, page, section)
    return attributes | params


def result_in(text: str) -> str:
    """Return the text about yielded or returned values: all that an output schema needs."""
    lowered = text.lower()
    if "return" not in lowered and "yield" not in lowered:
        return ""
    page = page_of(text)
    texts: dict[str, str] = {}
    for section in sections_of(page):
        if section[0][0] in (RETURNS, YIELDS):
            add_text(texts, page, section)
    return texts.get(YIELDS) or texts.get(RETURNS, "")


def docstring_of(page: Page) -> Docstring:
    """Parse every section, and the text around them."""
    lists: Lists = {PARAMS: {}, ATTRIBUTES: {}, RAISES: {}}
    if not page.openings:
        return made(page.whole, lists, {}, ())
    texts: dict[str, str] = {}
    styles: dict[str, None] = {}
    prose: list[str] = []
    told = 0
    for section in sections_of(page):
        (kind, style, _, _), at, _, end = section
        prose += [*page.lines[told:at], ""]  # not empty after this
        told = end
        if kind not in LISTS:
            add_text(texts, page, section)
        elif not add_items(lists[kind], page, section) and style not in FIELD_STYLES:
            told = at  # a section for a list without items is prose
            continue
        styles[style] = None
    description = tidy("\n".join(prose + page.lines[told:])) if prose else page.whole
    return made(description, lists, texts, tuple(styles))


def made(
    description: str, lists: Lists, texts: dict[str, str], styles: tuple[str, ...]
) -> Docstring:
    """Make a `Docstring` of its parts: no field needs a default or a conversion."""
    summary = description.partition("\n\n")[0]
    if not summary.isprintable() or "  " in f" {summary}":  # most are one line
        summary = " ".join(summary.split())
    values = {
        "summary": summary,
        "description": description,
        "params": lists[PARAMS],
        "returns": "",
        "yields": "",
        "raises": lists[RAISES],
        "attributes": lists[ATTRIBUTES],
        "examples": "",
        "styles": styles,
        **texts,
    }
    found = Docstring.__new__(Docstring)
    object.__setattr__(found, "__dict__", values)
    return found


# Lines


class Page:
    """The lines of a docstring; lines at the margin may open a section or field.

    Attributes:
        whole: The text of all lines, dedented.
        lines: The lines, without repeated blank lines; empty if no line can open anything.
        code: The numbers of lines that are code, which neither open nor end anything.
        rules: The numbers of lines that underline a title.
        openings: The openings at the margin, by line number.
    """

    __slots__ = ("code", "lines", "openings", "rules", "whole")

    def __init__(self, text: str) -> None:
        self.whole: str = text
        self.lines: list[str] = []
        self.code: Collection[int] = ()
        self.rules: Collection[int] = ()
        self.openings: dict[int, Opening] = {}
        # Finding one character is ten times as fast as several; most docstrings lack most of these.
        has_rules = ("-" in text and "--" in text) or ("=" in text and "==" in text)
        if has_rules or ":" in text or any(map(text.__contains__, OPENERS)):
            lines = self.lines = text.split("\n")
            if (
                ("`" in text and "```" in text)
                or (">" in text and ">>>" in text)
                or ("~" in text and "~~~" in text)
            ):
                self.code = code_in(lines)
            if has_rules:
                self.rules = rules_in(lines).difference(self.code)
            self._find_openings()

    def _find_openings(self) -> None:
        for at, line in compress(enumerate(self.lines), map(IS_AT_MARGIN, self.lines)):
            may_open = ":" in line or line[0] in OPENERS or at + 1 in self.rules
            if may_open and at not in self.code and (opening := opening_at(self, at, line)):
                self.openings[at] = opening

    def text_at(self, at: int) -> int:
        """Return the number of the next line that is not blank, or the end."""
        return at + (self.lines[at : at + 1] == [""])

    def begins(self, at: int) -> bool:
        """Return whether a paragraph begins here."""
        return at == 0 or not self.lines[at - 1]

    def is_margin(self, at: int) -> bool:
        """Return whether the line is at the margin, and neither blank nor code."""
        return self.lines[at][:1] not in ("", " ") and at not in self.code

    def text(self, first: str, start: int, end: int) -> str:
        """Join the text beside a name or heading with the lines below it, dedented."""
        if start >= end:
            return first.strip()
        below = self.lines[start:end]
        text = "\n".join([first.strip(), *below])
        return text.replace("\n" + " " * margin_of(below), "\n").strip("\n")


def page_of(text: str) -> Page:
    """Return the lines of a docstring; those of the last one are kept."""
    whole, page = dedented(text), LAST_PAGE[0]
    if page.whole is not whole:
        page = LAST_PAGE[0] = Page(whole)
    return page


LAST_PAGE = [Page("")]  # a list, so that page_of() can replace the element


def rules_in(lines: list[str]) -> set[int]:
    """Return the numbers of the lines that consist of dashes or equal signs, at least two."""
    are_possible = map(str.endswith, lines, repeat(("--", "==")))
    return {
        at
        for at, line in compress(enumerate(lines), are_possible)
        if not line.lstrip().strip(line[-1])
    }


def code_in(lines: list[str]) -> set[int]:
    """Return the numbers of the lines below a fence or a `>>>`."""
    code: set[int] = set()
    end = 0
    for at, line in enumerate(lines):
        text = line.lstrip(" ")
        if text.startswith(CODE) and at >= end and "```" not in text.lstrip(" `"):
            end_of = doctest_end if text[0] == ">" else fence_end
            end = end_of(lines, at, line[: len(line) - len(text)], text[:3])
            code.update(range(at + 1, end))
    return code


def doctest_end(lines: list[str], at: int, indent: str, _mark: str) -> int:
    """Return the end of a doctest and its output: a blank or less indented line."""
    while at < len(lines) and lines[at] and lines[at].startswith(indent):
        at += 1
    return at


def fence_end(lines: list[str], at: int, indent: str, mark: str) -> int:
    """Return the line after the closing fence; a fence that nothing closes is not a fence."""
    mark = indent + mark
    for end in range(at + 1, len(lines)):
        if lines[end].startswith(mark):
            return end + 1
        if lines[end] and not lines[end].startswith(indent):
            break
    return at


# Openings: a line at the margin that begins a section or field


def sections_of(page: Page) -> Iterator[Section]:
    """Yield the sections, from the first line to the last."""
    done = 0
    for at, opening in page.openings.items():
        if at >= done and opening[0] != PROSE:
            start, done = BODIES[opening[1]](page, at, opening)
            yield opening, at, start, done


def opening_at(page: Page, at: int, line: str) -> Opening | None:
    """Return the opening in a line at the margin, if there is one."""
    if line[0] in ":@" and (opening := field_at(line)):
        return opening
    if at + 1 in page.rules:
        return HEADINGS.get(line.strip(" :").lower(), PROSE), "numpy", "", ""
    return heading_at(page, at, line)


def field_at(line: str) -> Opening | None:
    """Parse `:tag argument: text` or `@tag argument: text`; a known tag may be malformed."""
    style = "sphinx" if line[0] == ":" else "epydoc"
    head, colon, text = f"{line} "[1:].partition(": ")
    if not colon:
        head, colon, text = line[1:].partition(":")
    tag, _, argument = head.partition(" ")
    argument = argument.strip()
    kind = FIELDS.get(tag.lower())
    if kind is None:  # ":class:`X`" is a role, and "@property" a decorator
        return (PROSE, style, "", "") if colon and tag.isidentifier() else None
    if style == "epydoc" and (not colon or (" " in argument and kind in LISTS)):
        return javadoc(line, kind)
    if kind != RAISES:
        argument = argument[argument.rfind(" ") + 1 :]  # the type comes before the name
    return kind if colon else NOTHING, style, argument, text


def javadoc(line: str, kind: str) -> Opening:
    """Parse `@param name text` and `@return text` of Javadoc, which have no colon."""
    text = line.partition(" ")[2].strip()
    name = ""
    if kind in LISTS:
        name, _, text = text.partition(" ")
    return kind, "epydoc", name, text


def heading_at(page: Page, at: int, line: str) -> Opening | None:
    """Parse a Google heading (known word, colon) or a Markdown one (known word, `#` or `**`)."""
    title, _, text = line.partition(":")
    word = title.strip(" #*_`") or text.strip(":")
    kind = HEADINGS.get(word.lower())
    if kind is None:
        return (PROSE, "markdown", "", "") if line[0] == "#" else None
    style = "markdown" if line[0] in "#*_" else "google"
    if style == "markdown" and line[0] != "#" and line.rstrip(":")[-1] != line[0]:
        return None  # "*args", "__name__ is"
    if text and title and (text := text.strip(" *_:")):
        # "Returns: the sum", but not "Args: see below", which is a sentence
        inline = kind in (RETURNS, YIELDS) and word[0].isupper()
        return (kind, style, "", text) if inline else None
    if style == "google" and word[0].islower() and not page.begins(at):
        return None  # "...the two\narguments:" is the end of a sentence
    if kind in LISTS and not has_items(page, page.text_at(at + 1)):
        return None
    return kind, style, "", ""


def has_items(page: Page, start: int) -> bool:
    """Return whether there is a body: indented lines or, at the margin, an item."""
    line = page.lines[start] if start < len(page.lines) else " "
    return line[0] == " " or start in page.code or item_of(unbulleted(line)) is not None


# Bodies: where the body of an opening starts and ends


def field_body(page: Page, at: int, opening: Opening) -> tuple[int, int]:
    """Find the body. reST: to the next opening or paragraph. Epydoc: to the next opening."""
    is_sphinx = opening[1] == "sphinx"
    for end in range(at + 1, len(page.lines)):
        if end in page.openings or (is_sphinx and page.begins(end) and page.is_margin(end)):
            return at + 1, end
    return at + 1, len(page.lines)


def title_body(page: Page, at: int, opening: Opening) -> tuple[int, int]:
    """Find the body. NumPy: to the next opening; free text: to the next underlined title."""
    is_list = opening[0] in LISTS
    start = page.text_at(at + 2)
    for end in range(at + 2, len(page.lines)):
        if (found := page.openings.get(end)) and (
            found[1] == "numpy" or (is_list and not page.lines[end][0].islower())
        ):
            return start, end
    return start, len(page.lines)


def heading_body(page: Page, at: int, opening: Opening) -> tuple[int, int]:
    """Find the body. Google: to the first less indented line; Markdown may be at the margin."""
    lines = page.lines
    start = page.text_at(at + 1)
    depth = depth_of(lines[start]) if start < len(lines) else 0
    if opening[3] or depth == 0:
        return start, flat_end(page, opening, at + 1 if opening[3] else start)
    indent = " " * depth
    below = range(start + 1, len(lines))
    are_indented = map(str.startswith, map(lines.__getitem__, below), repeat(indent))
    for end, is_indented in zip(below, are_indented):  # noqa: B905 - as long
        if not is_indented and lines[end] and not belongs(page, end, opening):
            return start, end
    return start, len(lines)


def belongs(page: Page, at: int, opening: Opening) -> bool:
    """Return whether a less indented line is part of the body: an item, or code."""
    if at in page.code:
        return True
    line = page.lines[at].lstrip()
    if opening[0] not in LISTS or page.lines[at][0] != " ":
        return is_example(line, opening)
    found = item_of(line)
    return found is not None and (found[0][0].lower() not in HEADINGS or found[1].strip() != "")


def flat_end(page: Page, opening: Opening, first: int) -> int:
    """Find the end of a body at the margin: the next opening or unrelated paragraph."""
    for at in range(first, len(page.lines)):
        if at in page.openings:
            return at
        is_paragraph = at > first and page.begins(at) and page.is_margin(at)
        if is_paragraph and not continues(page.lines[at], opening):
            return at
    return len(page.lines)


def continues(line: str, opening: Opening) -> bool:
    """Return whether another paragraph at the margin belongs to the section."""
    kind, style, _, _ = opening
    if kind in LISTS:
        return item_of(unbulleted(line)) is not None
    return style == "markdown" or is_example(line, opening)


def is_example(line: str, opening: Opening) -> bool:
    """Return whether it is code in the examples, which include code of any indentation."""
    return opening[0] == EXAMPLES and line.startswith(CODE)


FIELD_STYLES = ("sphinx", "epydoc")
BODIES = {
    "sphinx": field_body, "epydoc": field_body, "numpy": title_body,
    "google": heading_body, "markdown": heading_body,
}  # fmt: skip


# Sections: the contents of a body


def add_text(texts: dict[str, str], page: Page, section: Section) -> None:
    """Add the text of a section, unless there is one; examples are joined."""
    (kind, style, _, text), at, _, end = section
    if kind == NOTHING:
        return
    text = page.text(text, at + 1, end) if style in FIELD_STYLES else free_text(page, section)
    if kind == EXAMPLES:
        texts[kind] = f"{texts.get(kind, '')}\n\n{text}".strip("\n")
    elif text:
        texts.setdefault(kind, text)


def free_text(page: Page, section: Section) -> str:
    """Return the text of a section that is not a list; a return value loses its type."""
    (kind, style, _, beside), _, start, end = section
    if kind not in (RETURNS, YIELDS) or start >= end:
        return page.text(beside, start, end)
    if style == "numpy":
        # numpydoc: a value is its type (or name and type), with its text indented below
        alone = len([*values_at(page, start, end)]) == 1
        return page.text("", start + (alone and any(page.lines[start + 1 : end])), end)
    first = page.lines[start].strip()
    text = without_type(first)
    typed = not beside and text != first
    return page.text(text, start + 1, end) if typed else page.text(beside, start, end)


def values_at(page: Page, start: int, end: int) -> Iterator[int]:
    """Yield the numbers of the lines that are indented like the first one."""
    depth = depth_of(page.lines[start])
    for at in range(start, end):
        line = page.lines[at]
        if line and depth_of(line) == depth and at not in page.code:
            yield at


def add_items(texts: dict[str, str], page: Page, section: Section) -> bool:
    """Add the items of a section, and return whether it has any; the first text is kept."""
    (kind, style, name, text), at, start, end = section
    items: Iterable[tuple[list[str], str]]
    if style in FIELD_STYLES:
        items = [(names_of(name), page.text(text, at + 1, end))]
    elif style == "numpy":
        items = numpy_items(page, start, end)
    else:
        items = google_items(page, start, end)
    has_names = False
    for names, text in items:
        for name in names:
            has_names = True
            if kind == RAISES:  # one type may be raised for several reasons
                texts[name] = f"{texts.get(name, '')}\n{text}".strip("\n")
            elif text:
                texts.setdefault(name, text)
    return has_names


def numpy_items(page: Page, start: int, end: int) -> Iterator[tuple[list[str], str]]:
    """Parse the items of a NumPy section: each begins at a line indented like the first."""
    names: list[str] = []
    text, below = "", start
    depth = depth_of(page.lines[start]) if start < end else 0
    for at in range(start, end):
        line = page.lines[at]
        if line[:1] not in ("", " ") or (depth and depth_of(line) == depth and at not in page.code):
            if names:
                yield names, page.text(text, below, at)
            line = line.strip()
            is_code = at in page.code or line.startswith(CODE)
            names, text = ([], "") if is_code else numpy_item(line)
            below = at + 1
    if names:
        yield names, page.text(text, below, end)


def numpy_item(line: str) -> tuple[list[str], str]:
    """Parse `x : type`, or Google's `x (type): text`, which also occurs below NumPy's titles."""
    head, colon, text = line.partition("): ")
    if colon and ":" not in head:
        return names_before_type(head), text
    return numpy_names(line), ""


def numpy_names(line: str) -> list[str]:
    """Return the names of `x, y : type`, `x: type`, `x` or `{a, b}_x : type`."""
    head = f"{line} ".partition(" : " if " : " in f"{line} " else ":")[0]
    if head[:1] == "{":
        inner, _, tail = head[1:].partition("}")
        head = ",".join(part.strip() + tail for part in inner.split(","))
    head = head.partition(", optional")[0].partition(", default")[0]
    return names_of(head.partition("(")[0])


def google_items(page: Page, start: int, end: int) -> Iterator[tuple[list[str], str]]:
    """Parse the items of a Google section: indented like the first, and bulleted if that is.

    Text that is not an item continues the item before it.
    """
    lines = page.lines
    names: list[str] = []
    text, below = "", start
    deeper = " " * (depth_of(lines[start]) + 1) if start < end else ""
    bulleted = start < end and lines[start].lstrip().startswith(BULLETS)
    code = page.code if start not in page.code else ()  # a fence may begin with "args:"
    for at in range(start, end):
        line = lines[at]
        if at < below or line.startswith(deeper) or not line or at in code:
            continue
        item = None
        name, colon, beside = line.lstrip().partition(": ")
        if colon and name.isidentifier() and not bulleted:  # most are like that
            item = [name], beside, at + 1
        elif name.startswith(BULLETS) == bulleted:
            item = item_at(page, at, end)
        if item is not None:
            if names:
                yield names, page.text(text, below, at)
            names, text, below = item
    if names:
        yield names, page.text(text, below, end)


def item_at(page: Page, at: int, end: int) -> Item | None:
    """Parse the item that begins here; its type may take a few lines."""
    lines = page.lines
    alone = unbulleted(lines[at])
    if alone.startswith(("{", "$")) and alone.strip("{$}").isidentifier():
        return [], "", at + 1  # a template's placeholder for more items
    below = at + 1
    line = alone
    while below < min(end, at + MOST_LINES) and open_type(line):
        line = f"{line} {lines[below].strip()}"
        below += 1
    found = item_of(line) if below > at + 1 and not open_type(line) else None
    if found:
        return *found, below
    found = item_of(alone)
    if found is None and below_is_text(page, at, end):
        names = names_before_type(alone)  # "name" or "name (type)", and the text below
        found = (names, "") if names else None
    return (*found, at + 1) if found else None


def below_is_text(page: Page, at: int, end: int) -> bool:
    """Return whether the next line is indented more, and neither blank nor code."""
    below = page.lines[at + 1] if at + 1 < end else ""
    return depth_of(below) > depth_of(page.lines[at]) and at + 1 not in page.code


def open_type(line: str) -> bool:
    """Return whether the line ends inside the brackets of a type."""
    if "(" not in line and "[" not in line and "{" not in line:
        return False
    at, level = colon_at(line)
    return at < 0 and level > 0


# Items


def unbulleted(line: str) -> str:
    """Return a list item without its bullet, and without markup around its name: `**x:**`."""
    line = line.strip()
    if line.startswith(BULLETS):
        line = line[2:].lstrip()
    return line.replace(":**", "**:", 1) if line.startswith("**") else line


def item_of(line: str) -> tuple[list[str], str] | None:
    """Parse `x: text`, `x, y: text`, `x (type): text`, `x Type[...]: text`, or `x -- text`."""
    head, colon, text = line.partition(":")
    if head.isidentifier() and text[:1] in ("", " "):
        return ([head], text) if colon else None
    name = head.rstrip()
    if name.isidentifier() and text[:1].isupper() and " " in text and ":`" not in text.split()[0]:
        return [name], text  # "x :The x" and "x:The x", but not "see :PEP:`8` for more"
    at, level = colon_at(line)
    if at < 0 and level > 0:
        at = min([end for mark in TYPE_ENDS if (end := f"{line} ".find(mark)) >= 0], default=-2) + 1
    if at >= 0 and " -- " not in line[:at]:
        names = names_before_type(line[:at])
        if names:
            return names, line[at + 1 :]
    return dashed(line)


def dashed(line: str) -> tuple[list[str], str] | None:
    """Parse `name -- text`, `name {type} -- text`, or `*name text`."""
    for dash in DASHES:
        head, found, text = line.partition(dash)
        names = names_before_type(head) if found else []
        if names:
            return names, text
    name, _, text = line.partition(" ")
    if name[:1] == "*" and name.lstrip("*").isidentifier() and text:
        return [name.lstrip("*")], text
    return None


def colon_at(line: str) -> tuple[int, int]:
    """Return the index of the first colon outside brackets, or -1, and the open brackets."""
    line = f"{line} "
    level = start = 0
    while (at := line.find(": ", start)) >= 0:
        level = max(level + opened(line[start:at]), 0)
        if level == 0:
            return at, 0
        start = at + 1
    return -1, level + opened(line[start:])


def opened(text: str) -> int:
    """Return the number of opening brackets minus that of closing ones."""
    count = text.count
    return count("(") + count("[") + count("{") - count(")") - count("]") - count("}")


def names_before_type(head: str) -> list[str]:
    """Return the names in `x`, `x, y (type)`, `x Type[...]`; empty for anything else."""
    part = head.partition("(")[0].partition("[")[0].partition("{")[0]
    bracket = head[len(part) : len(part) + 1]
    if bracket and not part.endswith(" "):  # `x Type[...]` or `x(type)`, but not `Type[...]`
        part, blank, _ = part.partition(" ")
        if not blank and bracket != "(":
            return []
    return names_of(part)


def names_of(text: str) -> list[str]:
    """Return the names in `x`, `x, y`, `*args, **kwargs`; empty for anything else."""
    if text.strip().isidentifier():
        return [text.strip()]
    names = [name.replace("\\", "").strip(" *`'\"") for name in text.split(",")]
    return names if all(map(is_name, names)) else []


def is_name(text: str) -> bool:
    """Return whether it is an identifier, a dotted name, or an option such as `dry-run`."""
    return text.isidentifier() or (
        text[:1].isidentifier() and text.replace(".", "_").replace("-", "_").isidentifier()
    )


def without_type(line: str) -> str:
    """Return the text of `type: text`; a type is a word, or words joined by "or", "of", "|"."""
    at, _ = colon_at(line)
    words = line[: max(at, 0)].replace(", ", ",").replace(" (", "(").split()
    if len(words) % 2 and all(word in ("or", "of", "|") for word in words[1::2]):
        return line[at + 1 :].lstrip()
    return line
