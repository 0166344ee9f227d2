"""A docstring's summary, description and parameter texts, whatever style it is written in.

One pass over the lines, and no guess at the style of the whole: each line at the margin may open a
Google, NumPy or Markdown section, or a reST or Epydoc field, and its body is read the way of what
opened it. What opens nothing is the description. The first text found for a name is kept.
"""

from __future__ import annotations

from milo_schema.frozen import Frozen, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PARAMS = "params"
ATTRIBUTES = "attributes"
RAISES = "raises"
RETURNS = "returns"
YIELDS = "yields"
EXAMPLES = "examples"
NOTHING = ""  # recognised, and of no use to a schema: types, cross-references
PROSE = "prose"  # ends what went before, and stays in the description
LISTS = (PARAMS, ATTRIBUTES, RAISES)  # sections of names and texts; the others are text

# Google style guide 3.8.3, napoleon and numpydoc agree on most of these; the rest is what people
# write. A heading that is not here ("Note", "Warning", "Options") is prose, and so is its body.
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
    "options": PARAMS,  # SciPy, for the parameters of one method among several
    "see also": NOTHING, "references": NOTHING, "methods": NOTHING,
}  # fmt: skip

# Sphinx, "Info field lists" of the Python domain; Epydoc, "Epydoc Fields". Most are in both.
FIELDS = {
    "param": PARAMS, "parameter": PARAMS, "arg": PARAMS, "argument": PARAMS,
    "key": PARAMS, "keyword": PARAMS, "kwarg": PARAMS, "kwparam": PARAMS,
    "ivar": ATTRIBUTES, "cvar": ATTRIBUTES, "var": ATTRIBUTES,
    "raises": RAISES, "raise": RAISES, "exception": RAISES, "except": RAISES,
    "returns": RETURNS, "return": RETURNS, "yields": YIELDS, "yield": YIELDS,
    "type": NOTHING, "kwtype": NOTHING, "rtype": NOTHING, "ytype": NOTHING, "vartype": NOTHING,
    "meta": NOTHING,
}  # fmt: skip

NEVER = 1 << 60  # the depth of blank lines, and what is added to that of code: too deep to matter
BULLETS = ("- ", "* ", "+ ", "• ")
TYPE_ENDS = ("): ", "]: ", "}: ", "`: ", "*: ")
CODE = (">>>", "```", "~~~")
DASHES = (" -- ", " - ", " \u2013 ", " \u2014 ")
MOST_LINES = 4  # that the type of one parameter is written on


def _own(texts: dict[str, str] | None) -> dict[str, str]:
    """A dict that a docstring shares with no other one."""
    return texts or {}


class Docstring(Frozen):
    """What a docstring says, in parts; frozen, equal by value, and picklable.

    Args:
        summary: The first paragraph, on one line.
        description: What an LLM should be told about the whole: everything outside the sections
            that the other fields deliver. Notes and warnings stay; "See Also", "References" and
            "Methods" go, because they send the reader to something that is not there.
        params: Parameter name to text, in the order of the docstring, without empty texts.
        returns: What is returned, without its type.
        yields: What is yielded, without its type.
        raises: Exception type to text; the text is empty when only the type is named.
        attributes: Attribute name to text, as for `params`.
        examples: The example sections, as text.
        styles: The styles seen: any of "google", "numpy", "sphinx", "epydoc", "markdown".

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
    r"""Read a docstring of any style, or of several at once.

    Nothing it is given raises: what is not a `str` (a missing docstring, a property used as
    `__doc__`) counts as empty.

    Args:
        text: The docstring as written, indented or not.

    Returns:
        A fresh `Docstring`; its dicts are the caller's own.

    Example:
        >>> doc = parse_docstring("Add.\n\nArgs:\n    x (int): A number.\n    *more: Others.")
        >>> doc.summary, doc.params
        ('Add.', {'x': 'A number.', 'more': 'Others.'})
    """
    # A subclass of str may be anybody's; what it holds is text all the same.
    return found_in(str.__str__(text)).docstring() if isinstance(text, str) else Docstring()


def names_in(text: str) -> dict[str, str]:
    """Return the texts of the parameters and attributes: all that a record asks for."""
    lists = found_in(text).lists
    return {**lists[ATTRIBUTES], **lists[PARAMS]}


def found_in(text: str) -> Found:
    """Read the lines from the first to the last."""
    page = Page(text)
    found = Found()
    lines, depths, prose = page.lines, page.depths, found.prose
    at = 0
    while at < len(lines):
        opening = opening_at(page, at) if depths[at] == 0 else None
        if opening is None or opening.kind == PROSE:
            prose.append(lines[at])
            at += 1
        else:
            at = found.read(page, opening)
    return found


# Lines


class Page:
    """The lines of a docstring, dedented, and the depth of each."""

    __slots__ = ("depths", "lines", "ruled")

    def __init__(self, text: str) -> None:
        # splitlines knows every line end (\r\n, \r, form feed, ...); expandtabs is what Python
        # itself does to the indentation of a docstring.
        text = "\n".join(text.expandtabs().rstrip().splitlines())
        if " \n" in text:
            text = "\n".join([line.rstrip(" ") for line in text.split("\n")])
        lines = tidy(text).split("\n")
        first = 0
        if text[:1] != "\n":  # PEP 257: the indentation of the first line is insignificant
            lines[0] = lines[0].lstrip(" ")
            first = 1
        depths = [len(line) - len(line.lstrip(" ")) if line else NEVER for line in lines]
        margin = min(depths[first:], default=NEVER)
        if margin not in (0, NEVER):
            lines[first:] = [line[margin:] for line in lines[first:]]
            depths[first:] = [d - margin if d < NEVER else d for d in depths[first:]]
        self.lines: list[str] = lines
        self.depths: list[int] = depths
        self.ruled: bool = "--" in text or "==" in text
        if "```" in text or "~~~" in text or ">>>" in text:
            self.hide_code()

    def hide_code(self) -> None:
        """Make code below a fence or a `>>>` too deep to open or to end anything."""
        end = 0
        for at, line in enumerate(self.lines):
            mark = line.lstrip(" ")[:3]
            if at >= end and mark in CODE and "```" not in line.lstrip(" `"):
                end = self.doctest_end(at) if mark == ">>>" else self.fence_end(at, mark)
                self.depths[at + 1 : end] = [depth | NEVER for depth in self.depths[at + 1 : end]]

    def doctest_end(self, at: int) -> int:
        """Return where a doctest ends with its output: at a blank or a shallower line."""
        depth = self.depths[at]
        while at < len(self.lines) and depth <= self.depths[at] < NEVER:
            at += 1
        return at

    def fence_end(self, at: int, mark: str) -> int:
        """Return the line after the closing fence; a fence that nothing closes is no fence."""
        depth = self.depths[at]
        for end in range(at + 1, len(self.lines)):
            if self.depths[end] < depth:
                break
            if self.depths[end] == depth and self.lines[end].lstrip().startswith(mark):
                return end + 1
        return at

    def text_at(self, at: int) -> int:
        """Return the first line from here that is not blank, or the end."""
        return at + 1 if at < len(self.lines) and not self.lines[at] else at

    def begins(self, at: int) -> bool:
        """Say whether a paragraph begins here."""
        return at == 0 or not self.lines[at - 1]

    def text(self, first: str, start: int, end: int) -> str:
        """Join what stands beside a name or heading with the lines below, dedented."""
        if start >= end:
            return first.strip()
        below = self.lines[start:end]
        indents = [len(line) - len(line.lstrip(" ")) for line in below if line]
        if not indents:
            return first.strip()
        margin = min(indents)
        return tidy("\n".join([first.strip(), *[line[margin:] for line in below]]))


def tidy(text: str) -> str:
    """Drop blank lines at the ends, and where there are two in a row."""
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip("\n")


# Openings: what a line at the margin begins


class Opening:
    """What a line begins: its kind and style, and what it says itself."""

    __slots__ = ("at", "kind", "name", "style", "text")

    def __init__(self, at: int, kind: str, style: str, name: str = "", text: str = "") -> None:
        self.at: int = at
        self.kind: str = kind
        self.style: str = style
        self.name: str = name
        self.text: str = text


def opening_at(page: Page, at: int) -> Opening | None:
    """Return what the line, which stands at the margin, opens."""
    line = page.lines[at]
    opening = field_at(line, at) if line[0] in ":@" else None
    if opening is None and page.ruled and at + 1 < len(page.lines) and page.depths[at + 1] < NEVER:
        opening = title_at(line, at, page.lines[at + 1])
    if opening is None and (":" in line or line[0] in "#*_"):
        opening = heading_at(page, at)
    return opening


def field_at(line: str, at: int) -> Opening | None:
    """Read `:tag argument: text` or `@tag argument: text`; a known tag opens even if malformed."""
    style = "sphinx" if line[0] == ":" else "epydoc"
    head, colon, text = f"{line} "[1:].partition(": ")
    if not colon:
        head, colon, text = line[1:].partition(":")
    tag, _, argument = head.partition(" ")
    argument = argument.strip()
    kind = FIELDS.get(tag.lower())
    if kind is None:  # ":class:`X`" is a role, and "@property" a decorator
        return Opening(at, PROSE, style) if colon and tag.isidentifier() else None
    if style == "epydoc" and (not colon or (" " in argument and kind in LISTS)):
        return javadoc(line, at, kind)
    if kind != RAISES:
        argument = argument[argument.rfind(" ") + 1 :]  # the type comes before the name
    return Opening(at, kind if colon else NOTHING, style, argument, text)


def javadoc(line: str, at: int, kind: str) -> Opening:
    """Read `@param name text` and `@return text`: Javadoc, which has no colon."""
    text = line.partition(" ")[2].strip()
    name = ""
    if kind in LISTS:
        name, _, text = text.partition(" ")
    return Opening(at, kind, "epydoc", name, text)


def title_at(line: str, at: int, below: str) -> Opening | None:
    """Read a NumPy title: underlined by two or more dashes or equal signs, however many."""
    rule = below.lstrip()
    if rule[:2] not in ("--", "==") or rule.strip(rule[0]):
        return None
    return Opening(at, HEADINGS.get(line.strip(" :").lower(), PROSE), "numpy")


def heading_at(page: Page, at: int) -> Opening | None:
    """Read a Google heading (known word, colon) or a Markdown one (known word, `#` or `**`)."""
    line = page.lines[at]
    style = "markdown" if line[0] in "#*_" else "google"
    if line[0] in "*_" and line.rstrip(":")[-1:] != line[0]:
        return None  # "*args", "__name__ is"
    title, _, text = line.partition(":")
    word = title.strip(" #*_`") or text.strip(":")
    kind = HEADINGS.get(word.lower())
    if kind is None:
        return Opening(at, PROSE, style) if line[0] == "#" else None
    text = text.strip(" *_:") if title else ""
    if text:  # "Returns: the sum", but not "Args: see below", which is a sentence
        inline = kind in (RETURNS, YIELDS) and word[0].isupper()
        return Opening(at, kind, style, text=text) if inline else None
    if style == "google" and word[0].islower() and not page.begins(at):
        return None  # "...the two\narguments:" is the end of a sentence
    return Opening(at, kind, style) if has_body(page, at, kind) else None


def has_body(page: Page, at: int, kind: str) -> bool:
    """Say whether a heading is followed by deeper lines or, at its own depth, by an item."""
    first = page.text_at(at + 1)
    if kind not in LISTS or first == len(page.lines) or page.depths[first] > 0:
        return True
    return item_of(unbulleted(page.lines[first])) is not None


# Ends: where the body of an opening stops


def field_end(page: Page, opening: Opening) -> int:
    """reST: at the next opening or paragraph at the margin. Epydoc: at the next opening."""
    for at in range(opening.at + 1, len(page.lines)):
        if page.depths[at] == 0 and (
            (opening.style == "sphinx" and page.begins(at)) or opening_at(page, at)
        ):
            return at
    return len(page.lines)


def title_end(page: Page, opening: Opening) -> int:
    """NumPy: at the next opening; free text only at the next underlined title."""
    for at in range(opening.at + 2, len(page.lines)):
        if page.depths[at] == 0:
            found = opening_at(page, at)
            if found and (
                found.style == "numpy"
                or (opening.kind in LISTS and not page.lines[at][0].islower())
            ):
                return at
    return len(page.lines)


def heading_end(page: Page, opening: Opening) -> int:
    """Google: before the first line shallower than the body; Markdown may be at the margin."""
    first = page.text_at(opening.at + 1)
    depth = page.depths[first] % NEVER if first < len(page.lines) else 0
    if opening.text or depth == 0:
        return flat_end(page, opening, opening.at + 1 if opening.text else first)
    for at in range(first + 1, len(page.lines)):
        if page.depths[at] < depth and not belongs(page, at, opening):
            return at
    return len(page.lines)


def belongs(page: Page, at: int, opening: Opening) -> bool:
    """Say whether a line shallower than the body is part of it: an item, or code of an example."""
    line = page.lines[at].lstrip()
    if opening.kind not in LISTS or page.depths[at] == 0:
        return is_example(line, opening)
    found = item_of(line)
    return found is not None and (found[0][0].lower() not in HEADINGS or found[1].strip() != "")


def flat_end(page: Page, opening: Opening, first: int) -> int:
    """A body at the margin: to the next opening, or to a paragraph that is no part of it."""
    for at in range(first, len(page.lines)):
        if page.depths[at] == 0:
            if opening_at(page, at):
                return at
            if at > first and page.begins(at) and not continues(page.lines[at], opening):
                return at
    return len(page.lines)


def continues(line: str, opening: Opening) -> bool:
    """Say whether another paragraph at the margin belongs to the section."""
    if opening.kind in LISTS:
        return item_of(unbulleted(line)) is not None
    return opening.style == "markdown" or is_example(line, opening)


def is_example(line: str, opening: Opening) -> bool:
    """Say whether it is code among the examples, which go on with it at any depth."""
    return opening.kind == EXAMPLES and line.startswith(CODE)


ENDS = {
    "sphinx": field_end, "epydoc": field_end, "numpy": title_end,
    "google": heading_end, "markdown": heading_end,
}  # fmt: skip


# Bodies: what is found between the opening and the end


class Item:
    """A name in a list, or several with one text: what stands beside them, and the lines below."""

    __slots__ = ("names", "start", "stop", "text")

    def __init__(self, names: list[str], text: str, start: int, stop: int = 0) -> None:
        self.names: list[str] = names
        self.text: str = text
        self.start: int = start
        self.stop: int = stop


class Found:
    """The parts of a docstring while they are being found."""

    __slots__ = ("lists", "prose", "styles", "texts")

    def __init__(self) -> None:
        self.prose: list[str] = []
        self.lists: dict[str, Any] = {PARAMS: {}, ATTRIBUTES: {}, RAISES: {}}
        self.texts: dict[str, Any] = {}
        self.styles: dict[str, None] = {}

    def read(self, page: Page, opening: Opening) -> int:
        """Read what was opened, and return where it ends; a list without an item is prose."""
        end = ENDS[opening.style](page, opening)
        self.prose.append("")
        if opening.style in ("sphinx", "epydoc"):
            text = page.text(opening.text, opening.at + 1, end)
            self.add(opening.kind, names_of(opening.name), text)
        elif opening.kind not in LISTS:
            self.add(opening.kind, [], free_text(page, opening, end))
        elif not self.read_list(page, opening, end):
            self.prose.extend(page.lines[opening.at : end])
            return end
        self.styles[opening.style] = None
        return end

    def read_list(self, page: Page, opening: Opening, end: int) -> bool:
        """Read a section of names and texts, and say whether it has any."""
        items = (numpy_items if opening.style == "numpy" else google_items)(page, opening, end)
        for item in items:
            self.add(opening.kind, item.names, page.text(item.text, item.start, item.stop))
        return any(item.names for item in items)

    def add(self, kind: str, names: list[str], text: str) -> None:
        """Keep a text, unless there is one already: the first one found is the one meant."""
        if kind == EXAMPLES:
            self.texts[kind] = f"{self.texts.get(kind, '')}\n\n{text}".strip("\n")
        elif kind == RAISES:  # one type may be raised for several reasons
            for name in names:
                self.lists[kind][name] = f"{self.lists[kind].get(name, '')}\n{text}".strip("\n")
        elif text and kind in self.lists:
            for name in names:
                self.lists[kind].setdefault(name, text)
        elif text and kind != NOTHING:
            self.texts.setdefault(kind, text)

    def docstring(self) -> Docstring:
        """Return what was found."""
        description = tidy("\n".join(self.prose))
        return Docstring(
            summary=" ".join(description.partition("\n\n")[0].split()),
            description=description,
            **self.lists,
            **self.texts,
            styles=tuple(self.styles),
        )


def free_text(page: Page, opening: Opening, end: int) -> str:
    """Return the text of a section that is no list; what is returned goes without its type."""
    start = page.text_at(opening.at + (2 if opening.style == "numpy" else 1))
    if opening.kind not in (RETURNS, YIELDS) or start >= end:
        return page.text(opening.text, start, end)
    if opening.style == "numpy":
        # numpydoc: one value is its type (or name and type) and, deeper, the text
        alone = page.depths[start:end].count(page.depths[start]) == 1
        return page.text("", start + (alone and any(page.lines[start + 1 : end])), end)
    first = page.lines[start].strip()
    text = without_type(first)
    typed = not opening.text and text != first
    return page.text(text, start + 1, end) if typed else page.text(opening.text, start, end)


def numpy_items(page: Page, opening: Opening, end: int) -> list[Item]:
    """Read the items of a NumPy section: every line as deep as the first one begins one."""
    start = page.text_at(opening.at + 2)
    items: list[Item] = []
    for at in range(start, end):
        if page.depths[at] == page.depths[start] or page.lines[at][:1] not in ("", " "):
            line = page.lines[at].strip()
            code = page.depths[at] >= NEVER or line.startswith(CODE)
            items.append(Item(*([], "") if code else numpy_item(line), at + 1))
        items[-1].stop = at + 1
    return items


def numpy_item(line: str) -> tuple[list[str], str]:
    """Read `x : type`, or Google's `x (type): text`, which stands below NumPy's titles too."""
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


def google_items(page: Page, opening: Opening, end: int) -> list[Item]:
    """Read the items of a Google section: as deep as the first one, and bullets if that is one.

    What is no item continues the one before.
    """
    lines, depths = page.lines, page.depths
    at = start = page.text_at(opening.at + 1)
    items: list[Item] = [Item([], "", start)]
    bulleted = start < end and lines[start].lstrip().startswith(BULLETS)
    while at < end:
        item = None
        if depths[at] <= depths[start]:
            name, colon, text = lines[at].lstrip().partition(": ")
            if colon and name.isidentifier() and not bulleted:  # most are as plain as that
                item = Item([name], text, at + 1)
            elif name.startswith(BULLETS) == bulleted:
                item = item_at(page, at, end)
        if item is None:
            at += 1
        else:
            items[-1].stop = at
            items.append(item)
            at = item.start
    items[-1].stop = end
    return items


def item_at(page: Page, at: int, end: int) -> Item | None:
    """Read the item that begins here, whose type may go on for a few lines."""
    alone = unbulleted(page.lines[at])
    if alone.startswith(("{", "$")) and alone.strip("{$}").isidentifier():
        return Item([], "", at + 1)  # a template's placeholder for more items
    below = at + 1
    line = alone
    while below < min(end, at + MOST_LINES) and open_type(line):
        line = f"{line} {page.lines[below].strip()}"
        below += 1
    found = item_of(line) if below > at + 1 and not open_type(line) else None
    if found:
        return Item(*found, below)
    found = item_of(alone)
    if found is None and at + 1 < end and page.depths[at] < page.depths[at + 1] < NEVER:
        names = names_before_type(alone)  # "name" or "name (type)", and the text below
        found = (names, "") if names else None
    return Item(*found, at + 1) if found else None


def open_type(line: str) -> bool:
    """Say whether the line ends within the brackets of a type."""
    if "(" not in line and "[" not in line and "{" not in line:
        return False
    at, level = colon_at(line)
    return at < 0 and level > 0


# Items


def unbulleted(line: str) -> str:
    """Return a list item without its bullet, its name ending before the colon: `**x:**`."""
    line = line.strip()
    if line.startswith(BULLETS):
        line = line[2:].lstrip()
    return line.replace(":**", "**:", 1) if line.startswith("**") else line


def item_of(line: str) -> tuple[list[str], str] | None:
    """Read `name: text`, `x, y: text`, `name (type): text`, `name Type[...]: text`, `x -- text`."""
    head, colon, text = line.partition(":")
    if head.isidentifier() and text[:1] in ("", " "):
        return ([head], text) if colon else None
    name = head.rstrip()
    if name.isidentifier() and text[:1].isupper() and " " in text and ":`" not in text:
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
    """Read `name -- text`, `name {type} -- text`, or `*name text`."""
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
    """Return the place of the first colon outside brackets, or -1, and how many are left open."""
    line = f"{line} "
    level = start = 0
    while (at := line.find(": ", start)) >= 0:
        level = max(level + opened(line[start:at]), 0)
        if level == 0:
            return at, 0
        start = at + 1
    return -1, level + opened(line[start:])


def opened(text: str) -> int:
    """Return how many more brackets are opened than closed."""
    count = text.count
    return count("(") + count("[") + count("{") - count(")") - count("]") - count("}")


def names_before_type(head: str) -> list[str]:
    """Return the names in `x`, `x, y (type)`, `x Type[...]`; none if it is something else."""
    part = head.partition("(")[0].partition("[")[0].partition("{")[0]
    bracket = head[len(part) : len(part) + 1]
    if bracket and not part.endswith(" "):  # `x Type[...]` or `x(type)`, but not `Type[...]`
        part, blank, _ = part.partition(" ")
        if not blank and bracket != "(":
            return []
    return names_of(part)


def names_of(text: str) -> list[str]:
    """Return the names in `x`, `x, y`, `*args, **kwargs`; none if anything else is in it."""
    if text.strip().isidentifier():
        return [text.strip()]
    names = [name.replace("\\", "").strip(" *`'\"") for name in text.split(",")]
    return names if all(map(is_name, names)) else []


def is_name(text: str) -> bool:
    """Say whether it is an identifier, a dotted one, or an option's name such as `dry-run`."""
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
