"""Parse docstrings of any style: summary, description and texts of parameters.

It takes one pass over the lines and does not guess the style of the whole: each line at the margin
may open a Google, NumPy or Markdown section, or a reST or Epydoc field, and its body is parsed in
that style. All other lines are the description. The first text for a name is kept.

``lines`` removes the indentation, finds code, and reads items; ``sections`` finds the lines that
open a section and the end of its body, and reads what is in it.
"""

from milo_schema.annotations.frozen import Frozen, field
from milo_schema.docstrings.sections import ENDS, parse


def _own(_name: str, texts: dict[str, str] | None) -> dict[str, str]:
    """A copy, so that each docstring has its own dict."""
    return texts or {}


class Docstring(Frozen):
    """A parsed docstring: frozen, equal by value, and picklable.

    Args:
        summary: The first paragraph, on one line.
        description: The complete description, for an LLM: everything outside of the sections that
            have a field of their own. Notes and warnings stay; "See Also", "References" and
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


def parse_docstring(text: str | None, *, style: str = "any") -> Docstring:
    r"""Parse a docstring of any style, or of several at once.

    No text raises an error: anything that is not a `str` (a missing docstring, a property used as
    `__doc__`) counts as empty.

    Args:
        text: The docstring as written, indented or not.
        style: The only style of its sections: "google", "numpy", "sphinx", "epydoc" or
            "markdown". What looks like a section of another style is part of the description.

    Returns:
        A fresh `Docstring`; you may change its dicts.

    Raises:
        ValueError: There is no such style.

    Example:
        >>> doc = parse_docstring("Add.\n\nArgs:\n    x (int): A number.\n    *more: Others.")
        >>> doc.summary, doc.params
        ('Add.', {'x': 'A number.', 'more': 'Others.'})
    """
    if not isinstance(text, str):
        return Docstring()
    if style not in STYLES:
        raise ValueError(f"style must be one of {', '.join(STYLES)}, not {style!r}")
    # The methods of a subclass of str may be user code, so only its text is used.
    return Docstring(**parse(str.__str__(text), style))


STYLES = ("any", *ENDS)
"""The names of styles."""


class Docstrings:
    """The docstrings of a tool, each parsed once: for its description, parameters and result."""

    def __init__(self, style: str) -> None:
        self._style: str = style
        self._known: dict[str, Docstring] = {}

    def parse(self, text: str) -> Docstring:
        """All that is in a docstring."""
        if (found := self._known.get(text)) is None:
            found = self._known[text] = parse_docstring(text, style=self._style)
        return found

    def names(self, text: str) -> dict[str, str]:
        """The texts of parameters and attributes, as ``sections.names_in()`` finds them."""
        doc = self.parse(text)
        return doc.attributes | doc.params

    def result(self, text: str) -> str:
        """The text about yielded or returned values, as ``sections.result_in()`` finds it."""
        doc = self.parse(text)
        return doc.yields or doc.returns
