"""Parse docstrings of any style: summary, description and texts of parameters.

It takes one pass over the lines and does not guess the style of the whole: each line at the margin
may open a Google, NumPy or Markdown section, or a reST or Epydoc field, and its body is parsed in
that style. All other lines are the description. The first text for a name is kept.

``lines`` removes the indentation, finds code, and reads items; ``sections`` finds the lines that
open a section and the end of its body, and reads what is in it.
"""

from typing import Any

from milo_schema.annotations.frozen import Frozen, field
from milo_schema.docstrings.lines import Page, tidy
from milo_schema.docstrings.sections import (
    ATTRIBUTES,
    ENDS,
    EXAMPLES,
    LISTS,
    PARAMS,
    RAISES,
    RETURNS,
    YIELDS,
    add_items,
    add_text,
    says_nothing,
    sections_of,
)


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
    return Docstring(**_parse(str.__str__(text), style))


def _parse(text: str, style: str) -> dict[str, Any]:
    """The fields of a ``Docstring``."""
    page = Page(text, style)
    found: dict[str, Any] = {
        "summary": "", "description": "", PARAMS: {}, RETURNS: "", YIELDS: "", RAISES: {},
        ATTRIBUTES: {}, EXAMPLES: "",
    }  # fmt: skip
    styles: dict[str, None] = {}
    prose: list[str] = []
    done = 0
    for section in sections_of(page):
        prose += [*page.lines[done : section.at], ""]  # not empty after this
        done = section.end
        if section.kind not in LISTS:
            add_text(found, page, section)
        elif not add_items(found[section.kind], page, section) and not section.is_field:
            if not says_nothing(page, section):
                done = section.at  # a section for a list without items is prose
            continue
        styles[section.style] = None
    description = tidy("\n".join(prose + page.lines[done:])) if prose else page.whole
    found["summary"] = " ".join(description.partition("\n\n")[0].split())
    found["description"] = description
    found["styles"] = tuple(styles)
    return found


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
        """The texts of parameters and attributes, as ``names_in()`` finds them."""
        doc = self.parse(text)
        return doc.attributes | doc.params

    def result(self, text: str) -> str:
        """The text about yielded or returned values, as ``result_in()`` finds it."""
        doc = self.parse(text)
        return doc.yields or doc.returns


def names_in(text: str, style: str = "any") -> dict[str, str]:
    """The texts of parameters and attributes: all that the schemas of parameters need."""
    page = Page(text, style)
    lists: dict[str, dict[str, str]] = {ATTRIBUTES: {}, PARAMS: {}}
    for section in sections_of(page):
        if section.kind in lists:
            add_items(lists[section.kind], page, section)
    return lists[ATTRIBUTES] | lists[PARAMS]


def description_in(text: str) -> tuple[str, dict[str, str]]:
    """The description, and the texts of parameters and attributes: all that a class needs."""
    found = _parse(text, "any")
    return found["description"], found[PARAMS] | found[ATTRIBUTES]


def result_in(text: str, style: str = "any") -> str:
    """The text about yielded or returned values: all that an output schema needs."""
    lowered = text.lower()
    if "return" not in lowered and "yield" not in lowered:
        return ""
    page = Page(text, style)
    texts = {YIELDS: "", RETURNS: ""}
    for section in sections_of(page):
        add_text(texts, page, section)
    return texts[YIELDS] or texts[RETURNS]
