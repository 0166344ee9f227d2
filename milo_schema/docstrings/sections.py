"""The sections of a docstring: the line that opens each, the end of its body, and what it says."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from sys import maxsize
from typing import Any

from milo_schema.docstrings.lines import (
    CODE,
    Item,
    Page,
    depth_of,
    google_items,
    item_of,
    names_of,
    numpy_items,
    plain_items,
    tidy,
    unbulleted,
    without_type,
)

PARAMS = "params"
ATTRIBUTES = "attributes"
RAISES = "raises"
RETURNS = "returns"
YIELDS = "yields"
EXAMPLES = "examples"
NOTHING = ""  # recognized, but not useful for a schema: types, cross-references
PROSE = "prose"  # ends a section, and stays in the description
LISTS = (PARAMS, ATTRIBUTES, RAISES)  # sections with names and texts; the others have only text
RESULTS = (RETURNS, YIELDS)

# Google's style guide (3.8.3), napoleon and numpydoc agree on most of these; the others are common
# in practice. Any other heading ("Note", "Warning", "Options") is prose, and so is its body.
HEADINGS = {
    "args": PARAMS, "arg": PARAMS, "arguments": PARAMS, "argument": PARAMS,
    "params": PARAMS, "param": PARAMS, "parameters": PARAMS, "parameter": PARAMS,
    "keyword args": PARAMS, "keyword arguments": PARAMS, "keyword parameters": PARAMS,
    "positional args": PARAMS, "positional arguments": PARAMS, "positional parameters": PARAMS,
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

MARKS = "#*_"  # a Markdown heading begins with one of these
OPENINGS = MARKS + "@"  # what may open something without a colon


class Section:
    """A section or field that a line at the margin opens.

    Attributes:
        at: The number of that line.
        kind: What it holds, such as ``PARAMS``; its title may be any of several.
        style: The style of that line.
        name: The name on that line.
        text: The text on that line.
        start: The number of the first line of its body.
        indent: The indentation of that line, if a heading opens the section.
        limit: The number of the next line that opens something, which ends an indented body.
        end: The number of the line after its body.
    """

    name: str = ""
    text: str = ""
    indent: str = ""
    limit: int = maxsize
    end: int

    def __init__(self, at: int, kind: str, style: str) -> None:
        self.at: int = at
        self.start: int = at + 1
        self.kind: str = kind
        self.style: str = style

    @property
    def is_field(self) -> bool:
        """Whether it is a field of reST or Epydoc."""
        return self.style in ("sphinx", "epydoc")


def sections_of(page: Page) -> Iterator[Section]:
    """Yield the sections, from the first line to the last."""
    openings: dict[int, Section] = {}
    at, lines, last = -1, page.lines, None
    for line in filter("!".__le__, lines):  # neither blank nor indented: "!" is after the space
        at = lines.index(line, at + 1)
        if ":" in line or line[0] in OPENINGS or at in page.titles:
            section = field_at(at, line) if line[0] in ":@" else None
            section = section or heading_at(page, at, line)
            if section and at not in page.code and page.style in ("any", section.style):
                if last is not None:
                    last.limit = at
                last = openings[at] = section
    done = 0
    for section in openings.values():
        if section.at >= done and section.kind != PROSE:
            section.end = done = ENDS[section.style](page, section, openings)
            yield section


def field_at(at: int, line: str) -> Section | None:
    """Parse ``:tag argument: text`` or ``@tag argument: text``; a known tag may be malformed."""
    style = "sphinx" if line[0] == ":" else "epydoc"
    head, colon, text = f"{line} "[1:].partition(": ")
    if not colon:
        head, colon, text = line[1:].partition(":")
    tag, _, argument = head.partition(" ")
    argument = argument.strip()
    kind = FIELDS.get(tag.lower())
    if kind is None:  # ":class:`X`" is a role, and "@property" a decorator
        return Section(at, PROSE, style) if colon and tag.isidentifier() else None
    if style == "epydoc" and (not colon or " " in argument):
        return javadoc(at, line, kind)
    if kind != RAISES:
        argument = argument[argument.rfind(" ") + 1 :]  # the type comes before the name
    section = Section(at, kind if colon else NOTHING, style)
    section.name, section.text = argument, text
    return section


def javadoc(at: int, line: str, kind: str) -> Section:
    """Parse ``@param name text`` and ``@return text`` of Javadoc, which have no colon."""
    section = Section(at, kind, "epydoc")
    section.text = line.partition(" ")[2].strip()
    if kind in LISTS:
        section.name, _, section.text = section.text.partition(" ")
    return section


def title_at(page: Page, at: int, line: str) -> Section:
    """Parse a NumPy title, which is underlined."""
    section = Section(at, HEADINGS.get(line.strip(" :").lower(), PROSE), "numpy")
    section.start, _ = page.body(at + 2)
    return section


def heading_at(page: Page, at: int, line: str) -> Section | None:
    """Parse a Google heading (known word, colon) or a Markdown one (known word, # or **)."""
    if at in page.titles:
        return title_at(page, at, line)
    title, _, text = line.partition(":")
    word = title.strip(" #*_`")
    kind = HEADINGS.get(word.lower())
    if kind is None:
        return Section(at, PROSE, "markdown") if line[0] == "#" else None
    style = "google"
    if line[0] in MARKS:
        style = "markdown"
        if line[0] != "#" and line.rstrip(":")[-1] != line[0]:
            return None  # "*args", "__name__ is"
    elif word[0].islower() and not (page.begins(at) or page.lines[at - 1].endswith(".")):
        return None  # "...the two\narguments:" is the end of a sentence
    section = Section(at, kind, style)
    section.start, indent = page.body(at + 1)
    if text := text.strip(" *_:"):
        section.text = text  # "Returns: the sum", but not "Args: see below", which is a sentence
        return section if kind in RESULTS and word[0].isupper() else None
    section.indent = indent
    return section if indent or kind not in LISTS or has_items(page, section.start) else None


def has_items(page: Page, at: int) -> bool:
    """Whether a body at the margin begins here: an item, code, or nothing at all."""
    if at == len(page.lines) or at in page.code:
        return True
    return item_of(unbulleted(page.lines[at])) is not None


# -- bodies ------------------------------------------------------------------------------------


def title_end(page: Page, section: Section, openings: dict[int, Section]) -> int:
    """NumPy: the next opening; free text: the next underlined title."""
    is_list = section.kind in LISTS
    for end in range(section.at + 2, len(page.lines)):
        if (found := openings.get(end)) and (
            found.style == "numpy" or (is_list and not page.lines[end][0].islower())
        ):
            return end
    return len(page.lines)


def heading_end(page: Page, section: Section, openings: dict[int, Section]) -> int:
    """Google: the first less indented line; Markdown may be at the margin."""
    if not section.indent:
        return flat_end(page, section, openings)
    lines, start, indent = page.lines, section.start, section.indent
    body = lines[start : section.limit]
    if not max(body).startswith(indent):  # a line with less indentation would sort last
        for end, line in enumerate(body, start):
            if line and not line.startswith(indent) and not belongs(page, end, section):
                return end - (not lines[end - 1])  # without a blank line, the body may be plain
    if section.limit is maxsize:
        return len(lines)
    return section.limit - (not lines[section.limit - 1])


def flat_end(page: Page, section: Section, openings: dict[int, Section]) -> int:
    """A body at the margin, and reST: the next opening or unrelated paragraph."""
    first = section.at + 1 if section.text else section.start
    for at in range(first, len(page.lines)):
        if at in openings:
            return at
        line = page.lines[at]
        if line[:1] == " " or at == first or not page.begins(at) or at in page.code:
            continue
        if not continues(line, section):
            return at
    return len(page.lines)


ENDS = {
    "sphinx": flat_end, "epydoc": flat_end, "numpy": title_end,
    "google": heading_end, "markdown": heading_end,
}  # fmt: skip


def belongs(page: Page, at: int, section: Section) -> bool:
    """Whether a less indented line is part of the body: an item, or code."""
    if at in page.code:
        return True
    line = page.lines[at].lstrip()
    if section.kind not in LISTS or page.lines[at][0] != " ":
        return is_example(line, section)
    found = item_of(line)
    return found is not None and (found[0][0].lower() not in HEADINGS or found[1].strip() != "")


def continues(line: str, section: Section) -> bool:
    """Whether another paragraph at the margin belongs to the section."""
    if section.is_field:
        return section.style == "epydoc"
    if section.kind in LISTS:
        return item_of(unbulleted(line)) is not None
    return section.style == "markdown" or is_example(line, section)


def is_example(line: str, section: Section) -> bool:
    """Whether it is code in the examples, which include code of any indentation."""
    return section.kind == EXAMPLES and line.startswith(CODE)


# -- text --------------------------------------------------------------------------------------


def add_text(texts: dict[str, str], page: Page, section: Section) -> None:
    """Add the text of a section, unless there is one; examples are joined."""
    kind = section.kind
    if kind == EXAMPLES and kind in texts:
        texts[kind] = f"{texts[kind]}\n\n{free_text(page, section)}".strip("\n")
    elif kind in texts:
        texts[kind] = texts[kind] or free_text(page, section)


def free_text(page: Page, section: Section) -> str:
    """The text of a section that is not a list; a return value loses its type."""
    beside, start, end = section.text, section.start, section.end
    if section.is_field or section.kind not in RESULTS or start >= end:
        return page.text(beside, start, end)
    if section.style == "numpy":
        # numpydoc: a value is its type (or name and type), with its text indented below
        has_type = has_one_value(page, start, end) and any(page.lines[start + 1 : end])
        return page.text("", start + has_type, end)
    first = page.lines[start].strip()
    text = without_type(first)
    if beside or text == first:
        return page.text(beside, start, end)
    return page.text(text, start + 1, end)


def has_one_value(page: Page, start: int, end: int) -> bool:
    """Whether only one line is indented like the first."""
    depth = depth_of(page.lines[start])
    return sum(depth_of(line) == depth for line in filter(None, page.lines[start:end])) == 1


# -- items -------------------------------------------------------------------------------------


def add_items(texts: dict[str, str], page: Page, section: Section) -> bool:
    """Add the items of a section, and return whether it has any; the first text is kept."""
    if section.indent and not texts:
        texts.update(plain_items(page.lines[section.start : section.end], section.indent))
        if texts:
            return True
    has_names = False
    items = [*items_of(page, section), ([], "", section.end, section.end)]
    for (names, beside, _, below), (_, _, end, _) in pairwise(items):
        text = page.text(beside, below, end)
        for name in names:
            has_names = True
            if section.kind == RAISES:  # one type may be raised for several reasons
                texts[name] = f"{texts.get(name, '')}\n{text}".strip("\n")
            elif text:
                texts.setdefault(name, text)
    return has_names


def says_nothing(page: Page, section: Section) -> bool:
    """Whether the body only says that there are no items: ``None``."""
    return " ".join(page.lines[section.start : section.end]).strip(" .-").lower() == "none"


def items_of(page: Page, section: Section) -> Iterable[Item]:
    """The items of a section, without the lines below them."""
    start, end = section.start, section.end
    if section.is_field:
        return [(names_of(section.name), section.text, section.at, start)]
    if start >= end:
        return []
    return (numpy_items if section.style == "numpy" else google_items)(page, start, end)


# -- whole docstrings ----------------------------------------------------------------------------


def parse(text: str, style: str) -> dict[str, Any]:
    """The fields of a ``Docstring``."""
    page = Page(text, style)
    found: dict[str, Any] = {
        PARAMS: {}, RETURNS: "", YIELDS: "", RAISES: {}, ATTRIBUTES: {}, EXAMPLES: ""
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
    found = parse(text, "any")
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
