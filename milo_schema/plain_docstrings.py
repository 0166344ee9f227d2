"""Read docstrings in the form that most tools have, in one go.

That is some prose, then a section such as ``Args:`` with ``name: text`` on each line, then perhaps
``Returns:`` and ``Raises:``. The result is the same as with ``docstrings``, which parses the
sections of every form; a tool in this form does not need to load it.
"""

from __future__ import annotations

from milo_schema.annotations import Iterator

PlainForm = tuple[str, dict[str, str], str]
"""The prose, the texts of the names, and the text below their section."""

NAMES = {"Args", "Arguments", "Parameters", "Attributes"}
RESULTS = {"Returns:", "Yields:"}
ENDS = {*RESULTS, "Raises:"}
"""The headings that may be at the margin below the names."""

OPENERS = "#*_@"  # a line that opens something without a colon begins with one of these
SPECIAL = (":", "--", "==", ">>>", *(f"\n{mark}" for mark in OPENERS))
"""Marks that plain prose does not have: they open a section, underline a title, or begin code."""

IS_AT_MARGIN = "!".__le__  # neither blank nor indented: "!" is the character after the blank


def form_of(text: str) -> PlainForm | None:
    """The parts of a docstring that has the plain form; ``None`` for any other.

    Those of the last docstring are kept, because the parameters, the result and the description
    of a function are read one after the other.
    """
    whole, last = dedented(text), _last_form[0]
    if last[0] is not whole:
        last = _last_form[0] = whole, plain_form(whole)
    return last[1]


def dedented(text: str) -> str:
    """A docstring without its indentation, and without repeated blank lines; the last is kept."""
    last = _last_text[0]
    if last[0] is not text:
        last = _last_text[0] = text, without_indentation(text)
    return last[1]


_last_text: list[tuple[str, str]] = [("", "")]
_last_form: list[tuple[str, PlainForm | None]] = [("", ("", {}, ""))]


def plain_form(text: str) -> PlainForm | None:
    """The parts of a dedented docstring; ``None`` if anything else may open a section.

    Only a line at the margin opens a section, and it has a colon or one of a few other marks. So
    prose without them is prose, and below the first section only the headings in ``ENDS`` may be
    at the margin: what they open has no names.
    """
    prose, colon, body = text.partition(":\n")
    names: dict[str, str] = {}
    rest = ""
    if colon:
        prose, _, heading = prose.rpartition("\n")
        if heading in NAMES:
            body, _, rest = body.partition("\n\n")
            if body[:1] != " " or not (names := plain_items(body)):
                return None
        else:
            rest = f"{heading}:\n{body}"
        if rest and (rest[0] == " " or not ENDS.issuperset(margin_lines(rest))):
            return None
    if any(map(f"\n{prose}".__contains__, SPECIAL)):
        return None
    return prose.rstrip("\n"), names, rest


def margin_lines(text: str) -> Iterator[str]:
    """The lines at the margin, without blank lines."""
    return filter(IS_AT_MARGIN, text.split("\n"))


def plain_items(body: str) -> dict[str, str]:
    """The texts of a section with a different ``name: text`` on each line, or below that line.

    It is empty if any line has another form.
    """
    items: dict[str, str] = {}
    below: dict[str, list[str]] = {}
    name, deeper = "", 0
    indent = " " * depth_of(body)
    for line in body[len(indent) :].split("\n" + indent):
        head, _, text = line.partition(": ")
        if head.isidentifier() and (text := text.strip()):
            items[head] = text
            name = head
        elif (depth := depth_of(line)) and depth == (deeper := deeper or depth):
            below.setdefault(name, []).append(line[depth:])
        else:
            return {}
    if len(items) + sum(map(len, below.values())) != body.count("\n") + 1:
        return {}
    for name, lines in below.items():
        items[name] = "\n".join([items[name], *lines])
    return items


def result_in(rest: str) -> str | None:
    """The text about the result, below the section of names; ``None`` if it is not plain."""
    if not rest:
        return ""
    heading, _, body = rest.partition("\n")
    body, _, rest = body.partition("\n\n")
    if heading not in RESULTS or rest[:1] == " " or not RESULTS.isdisjoint(margin_lines(rest)):
        return None
    indent = "\n" + " " * depth_of(body)
    is_plain = body[:1] == " " and body.count("\n") == body.count(indent)
    if not is_plain or any(map(body.__contains__, SPECIAL)):
        return None
    return body.lstrip(" ").replace(indent, "\n")


# -- lines -------------------------------------------------------------------------------------


def without_indentation(text: str) -> str:
    r"""A docstring without its indentation, and without blanks at the ends of lines.

    Python also expands the tabs in the indentation; splitlines handles every line end (\r\n, \r,
    form feed, ...). The indentation of the first line is insignificant (PEP 257).
    """
    if text.isprintable():  # one line
        return text.strip(" ")
    if "\t" in text:
        text = text.expandtabs()
    text = text.rstrip().lstrip(" ")
    lines = text.splitlines()
    if " \n" in text or "\r" in text or len(lines) != text.count("\n") + 1:
        lines = [*map(str.rstrip, lines, [" "] * len(lines))]
        text = "\n".join(lines)
    return tidy(without_margin(text, lines))


def without_margin(text: str, lines: list[str]) -> str:
    """The text without the indentation that all lines but the first one have in common.

    Usually, the second line has that indentation. If removing it does not shorten every line that
    is not blank, some line is indented less.
    """
    if len(lines) <= 1:
        return text
    line = lines[1] or lines[2]
    depth = depth_of(line)
    without = text.replace("\n" + " " * depth, "\n") if depth else text
    count = len(lines) - lines.count("") - (lines[0] != "")
    if line and len(text) - len(without) == depth * count:
        return without
    return text.replace("\n" + " " * margin_of(lines[1:]), "\n")


def tidy(text: str) -> str:
    """The text without blank lines at the ends, and without repeated blank lines."""
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip("\n")


def depth_of(line: str) -> int:
    """The indentation of a line."""
    return len(line) - len(line.lstrip(" "))


def margin_of(lines: list[str]) -> int:
    """The smallest indentation of a line that is not blank."""
    # The common prefix of all lines is that of the first and the last one in sorted order. A line
    # that is not indented comes after those that are.
    last = max(lines, default="")
    if last[:1] != " ":
        return 0
    depth = depth_of(last)
    return depth if len(lines) == 1 else min(depth, depth_of(min(filter(None, lines))))
