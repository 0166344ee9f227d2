"""The lines of a docstring, and the items that begin on them: names, each with its text."""

from collections.abc import Collection, Iterator

CODE = (">>>", "```", "~~~")

Named = tuple[list[str], str]  # the names of an item, and its text
Item = tuple[list[str], str, int, int]  # its text is that beside the names; its line, the next line

BULLETS = ("- ", "* ", "+ ", "• ")
MOST_LINES = 4  # of the type of one parameter, unless the others are deeper than the first
TYPE_ENDS = ("): ", "]: ", "}: ", "`: ", "*: ")
DASHES = (" -- ", " - ", " \u2013 ", " \u2014 ")


class Page:
    """The lines of a docstring.

    Attributes:
        whole: The text, dedented and without repeated blank lines.
        lines: The lines of that text.
        code: The numbers of lines that are code, which neither open nor end anything.
        titles: The numbers of lines that are underlined.
        style: The only style of its sections, or "any".
    """

    __slots__ = ("code", "lines", "style", "titles", "whole")

    def __init__(self, text: str, style: str) -> None:
        self.style: str = style
        text = without_indentation(text)
        lines = text.split("\n")
        self.whole: str = text
        self.lines: list[str] = lines
        self.code: Collection[int] = ()
        self.titles: Collection[int] = ()
        # Python finds one character ten times as fast as several, and most docstrings lack these.
        if ("`" in text or ">" in text or "~" in text) and any(map(text.count, CODE)):
            self.code = code_in(lines)
        if ("-" in text or "=" in text) and ("--" in text or "==" in text):
            self.titles = {at - 1 for at in rules_in(lines).difference(self.code)}

    def body(self, at: int) -> tuple[int, str]:
        """The number of the next line that is not blank, or the end; and its indentation."""
        lines = self.lines
        start = at + 1 if at < len(lines) and not lines[at] else at
        line = lines[start] if start < len(lines) else ""
        return start, line[: -len(line.lstrip(" "))]

    def begins(self, at: int) -> bool:
        """Whether a paragraph begins here."""
        return at == 0 or not self.lines[at - 1]

    def text(self, first: str, start: int, end: int) -> str:
        """The text beside a name or heading with the lines below it, dedented."""
        if start >= end:
            return first.strip()
        below = self.lines[start:end]
        text = "\n".join([first.strip(), *below])
        return text.replace("\n" + " " * margin_of(below), "\n").strip("\n")


# -- code --------------------------------------------------------------------------------------


def rules_in(lines: list[str]) -> set[int]:
    """The numbers of the lines that consist of dashes or equal signs, at least two."""
    return {
        at
        for at, line in enumerate(lines)
        if line.endswith(("--", "==")) and not line.lstrip().strip(line[-1])
    }


def code_in(lines: list[str]) -> set[int]:
    """The numbers of the lines below a fence or a ``>>>``."""
    code: set[int] = set()
    end = 0
    for at, line in enumerate(lines):
        text = line.lstrip(" ")
        if at >= end and text.startswith(CODE) and "```" not in text.lstrip(" `"):
            end_of = doctest_end if text[0] == ">" else fence_end
            end = end_of(lines, at, line[: -len(text)], text[:3])
            code.update(range(at + 1, end))
    return code


def doctest_end(lines: list[str], at: int, indent: str, _mark: str) -> int:
    """The end of a doctest and its output: a blank or less indented line."""
    while at < len(lines) and lines[at] and lines[at].startswith(indent):
        at += 1
    return at


def fence_end(lines: list[str], at: int, indent: str, mark: str) -> int:
    """The line after the closing fence; a fence that nothing closes is not a fence."""
    for end in range(at + 1, len(lines)):
        if lines[end].startswith(indent + mark):
            return end + 1
        if lines[end] and not lines[end].startswith(indent):
            break
    return at


# -- indentation -------------------------------------------------------------------------------


def without_indentation(text: str) -> str:
    r"""A docstring without its indentation, and without blanks at the ends of lines.

    Python also expands the tabs in the indentation; splitlines handles every line end (\r\n, \r,
    form feed, ...). The indentation of the first line is insignificant (PEP 257).
    """
    if text.isprintable():  # one line
        return text.strip(" ")
    if "\t" in text:
        text = text.expandtabs()
    lines = text.rstrip().lstrip(" ").splitlines()
    text = "\n".join(lines)
    if " \n" in text:
        lines = [line.rstrip(" ") for line in lines]
        text = "\n".join(lines)
    if margin := margin_of(lines[1:]):  # from Python 3.13 on, the compiler removes it
        text = text.replace("\n" + " " * margin, "\n")
    return tidy(text)


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
    return min(depth_of(last), depth_of(min(filter(None, lines))))


# -- items -----------------------------------------------------------------------------------------


def plain_items(lines: list[str], indent: str) -> dict[str, str]:
    """Parse a Google section whose lines are all different items ``name: text``; empty if not.

    Most sections of tools have this form. Five items take 1.3 us; in the general way, 6 us.
    """
    items: dict[str, str] = {}
    for line in lines:
        name, _, text = line.removeprefix(indent).partition(": ")
        items[name] = text.strip()
    are_all = len(items) == len(lines) and all(items.values())
    return items if are_all and all(map(str.isidentifier, items)) else {}


def numpy_items(page: Page, start: int, end: int) -> Iterator[Item]:
    """Parse the items of a NumPy section: each begins at a line indented like the first."""
    depth = depth_of(page.lines[start])
    for at in range(start, end):
        line = page.lines[at]
        if line[:1] not in ("", " ") or (depth and depth_of(line) == depth):
            line = line.strip()
            is_code = at in page.code or line.startswith(CODE)
            names, text = ([], "") if is_code else numpy_item(line)
            yield names, text, at, at + 1


def google_items(page: Page, start: int, end: int) -> Iterator[Item]:
    """Parse the items of a Google section: indented like the first, and bulleted if that is.

    Text that is not an item continues the item before it.
    """
    lines = page.lines
    below = start
    deeper = " " * (depth_of(lines[start]) + 1)
    bulleted = lines[start].lstrip().startswith(BULLETS)
    code = page.code if start not in page.code else ()  # a fence may begin with "args:"
    for at in range(start, end):
        line = lines[at]
        if line.startswith(deeper) or at < below or at in code:
            continue
        name, _, text = line.lstrip().partition(": ")
        if text and not bulleted and name.isidentifier():  # as most
            yield [name], text, at, at + 1
        elif line.lstrip().startswith(BULLETS) == bulleted and (item := item_at(page, at, end)):
            yield item
            below = item[3]


def item_at(page: Page, at: int, end: int) -> Item | None:
    """Parse the item that begins here; its type may take several lines."""
    alone = unbulleted(page.lines[at])
    if found := plain_item(alone):
        return *found, at, at + 1
    if alone.startswith(("{", "$")) and alone.strip("{$}").isidentifier():
        return [], "", at, at + 1  # a template's placeholder for more items
    for below in (type_end(page.lines, at, end), at + 1):
        line = " ".join([alone, *map(str.strip, page.lines[at + 1 : below])])
        if found := item_of(line):
            return *found, at, below
    below_alone = page.lines[at + 1] if at + 1 < end and at + 1 not in page.code else ""
    if depth_of(below_alone) > depth_of(page.lines[at]) and (names := names_before_type(alone)):
        return names, after_type(alone), at, at + 1  # "name" or "name (type)", and the text below
    return None


def type_end(lines: list[str], at: int, end: int) -> int:
    """The number of the line after the one that closes the brackets of this line."""
    deeper = " " * (depth_of(lines[at]) + 1)
    level = 0
    for below in range(at, end):
        if below >= at + MOST_LINES and not lines[below].startswith(deeper):
            break
        level = colon_at(lines[below], level)[1]  # it is 0 where a colon was found
        if level <= 0:
            return below + 1
    return at + 1


def numpy_item(line: str) -> Named:
    """Parse ``x : type``, or Google's ``x (type): text``, which also occurs in NumPy sections."""
    head, colon, text = line.partition("): ")
    if colon and ":" not in head:
        return names_before_type(head), text
    return numpy_names(line), ""


def numpy_names(line: str) -> list[str]:
    """The names of ``x, y : type``, ``x: type``, ``x`` or ``{a, b}_x : type``."""
    head = f"{line} ".partition(" : " if " : " in f"{line} " else ":")[0]
    if head[:1] == "{":
        inner, _, tail = head[1:].partition("}")
        head = ",".join(part.strip() + tail for part in inner.split(","))
    head = head.partition(", optional")[0].partition(", default")[0]
    return names_of(head.partition("(")[0])


def unbulleted(line: str) -> str:
    """A list item without its bullet, and without markup around its name: ``**x:**``."""
    line = line.strip()
    if line.startswith(BULLETS):
        line = line[2:].lstrip()
    return line.replace(":**", "**:", 1) if line.startswith("**") else line


def item_of(line: str) -> Named | None:
    """Parse ``x: text``, ``x (type): text``, ``x Type[...]: text``, or ``x -- text``."""
    if found := plain_item(line):
        return found
    name, _, text = line.partition(":")
    name = name.rstrip()
    if name.isidentifier() and text[:1].isupper() and " " in text and ":`" not in text.split()[0]:
        return [name], text  # "x :The x" and "x:The x", but not "see :PEP:`8` for more"
    head, colon, text = line.replace(") :", "):", 1).partition("):")
    is_text = colon and opened(head) == 1 and ":`" not in text.partition(" ")[0]
    if is_text and (names := names_of(head.partition("(")[0])):
        return names, text  # "x (int):the x" and "x (int) :the x", but not "see (b) :PEP:`8`"
    at, level = colon_at(line)
    if level > 0:
        at = min([end for mark in TYPE_ENDS if (end := f"{line} ".find(mark)) >= 0], default=-2) + 1
    if at >= 0 and " -- " not in line[:at] and (names := names_before_type(line[:at])):
        return names, line[at + 1 :]
    return dashed(line)


def plain_item(line: str) -> Named | None:
    """Parse ``x: text`` or ``x (type): text`` if its first colon is the right one."""
    head, colon, text = f"{line} ".partition(": ")
    if colon and ":" not in head and " -- " not in head and opened(head) <= 0:
        return (names, text) if (names := names_before_type(head)) else None
    return None


def dashed(line: str) -> Named | None:
    """Parse ``name -- text``, ``name {type} -- text``, or ``*name text``."""
    for dash in DASHES:
        head, found, text = line.partition(dash)
        names = names_before_type(head) if found else []
        if names:
            return names, text
    name, _, text = line.partition(" ")
    if name[:1] == "*" and name.lstrip("*").isidentifier() and text:
        return [name.lstrip("*")], text
    return None


def colon_at(line: str, level: int = 0) -> tuple[int, int]:
    """The index of the first colon outside brackets, or -1, and the number of open brackets."""
    *parts, rest = f"{line} ".split(": ")
    at = 0
    for part in parts:
        level = max(level + opened(part), 0)
        at += len(part)
        if level == 0:
            return at, 0
        at += 2
    return -1, level + opened(rest)


def opened(text: str) -> int:
    """The number of opening brackets minus the number of closing ones."""
    count = text.count
    return count("(") + count("[") + count("{") - count(")") - count("]") - count("}")


def names_before_type(head: str) -> list[str]:
    """The names in ``x``, ``x, y (type)``, ``x Type[...]``; empty for anything else."""
    part = head.partition("(")[0].partition("[")[0].partition("{")[0]
    bracket = head[len(part) : len(part) + 1]
    if bracket and not part.endswith(" "):  # `x Type[...]` or `x(type)`, but not `Type[...]`
        part, blank, _ = part.partition(" ")
        if not blank and bracket != "(":
            return []
    return names_of(part)


def after_type(line: str) -> str:
    """The text behind ``x (type)``."""
    level = 0
    for at, char in enumerate(line):
        level += opened(char)
        if level == 0 and char in ")]}":
            return line[at + 1 :]
    return ""


def names_of(text: str) -> list[str]:
    """The names in ``x``, ``x, y``, ``*args``, ``:class:`x```; empty for anything else."""
    if (name := text.strip()).isidentifier():
        return [name]
    parts = text.replace("..", ",") if ".." in text else text  # x_min..x_max
    plain = [name.replace("\\", "").rpartition(":`")[2] for name in parts.split(",")]
    names = [name.strip(" *`'\"") for name in plain]
    return names if all(map(is_name, names)) else []


def is_name(text: str) -> bool:
    """Whether it is an identifier, a dotted name, or an option such as ``dry-run``."""
    return text[:1].isidentifier() and text.replace(".", "_").replace("-", "_").isidentifier()


def without_type(line: str) -> str:
    """The text of ``type: text``; a type is a word, or words joined by "or", "of", "|"."""
    at, _ = colon_at(line)
    words = line[: max(at, 0)].replace(", ", ",").replace(" (", "(").split()
    if len(words) % 2 and all(word in ("or", "of", "|") for word in words[1::2]):
        return line[at + 1 :].lstrip()
    return line
