"""Convert regular expressions between Python, ECMA-262, the dialect of ``pattern``, and others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

Groups = frozenset[str | None]


class PythonOnlyError(ValueError):
    """Raised for a pattern that only Python can read.

    Attributes:
        pattern: The compiled pattern.
    """

    def __init__(self, reason: str, pattern: Any) -> None:
        super().__init__(reason)
        self.pattern: Any = pattern


def to_ecma(pattern: Any) -> str:
    """Convert a Python pattern, which may be compiled, to ECMA-262.

    Raises:
        PythonOnlyError: It has flags, or syntax that ECMA-262 does not have.
        ValueError: It is not a pattern.
    """
    import re

    text = pattern.pattern if type(pattern) is re.Pattern else pattern
    if type(text) is not str:
        raise ValueError("expected a string")
    try:
        compiled = re.compile(pattern)
    except Exception as problem:  # re.error, RecursionError, a FutureWarning made an error, ...
        raise ValueError(f"not a valid regular expression: {problem}") from problem
    has_flags = compiled is pattern and compiled.flags != re.UNICODE
    try:
        return _to_ecma(text, compiled.groupindex, has_flags)
    except ValueError as problem:
        raise PythonOnlyError(str(problem), compiled) from None


def _to_ecma(pattern: str, groups: Mapping[str, int], has_flags: bool) -> str:
    if has_flags:
        raise ValueError("JSON Schema patterns do not support the flags of a compiled pattern")
    written = _translate(pattern, groups)
    if found := uncertain_reference(written):
        reason = f"{found!r} where its group may not have matched"
        raise ValueError(f"JSON Schema patterns do not support {reason}")
    return _grouped(written)


def _translate(text: str, groups: Mapping[str, int]) -> str:
    """Convert the syntax that differs between the two dialects.

    Groups keep their numbers but lose their names, because no syntax for names is common to both.
    """
    written: list[str] = []
    position = 0
    for start, piece, in_class in _pieces(text):
        written.append(text[position:start])
        position = start + len(piece)
        if piece[0] == "\\":
            written.append(_escape(piece, in_class=in_class))
        else:
            written.append(piece if in_class else _to_ecma_piece(piece, groups))
    return "".join(written) + text[position:]


def _pieces(text: str) -> Iterator[tuple[int, str, bool]]:
    """The pieces of a pattern that may differ, each with its position and if it is in a class."""
    import re

    outside, inside = re.compile(_OUTSIDE), re.compile(_INSIDE)
    position, in_class = 0, False
    while found := (inside if in_class else outside).search(text, position):
        piece, position = found[0], found.end()
        yield found.start(), piece, in_class
        if piece[0] != "\\":
            in_class = not in_class and piece[0] == "["


def python_only(pattern: str) -> str:
    """The first piece of a pattern that only Python reads; empty if there is none."""
    for start, piece, in_class in _pieces(pattern):
        flags = pattern[start:].partition(")")[0].removeprefix("(?")
        if in_class:
            continue
        if flags.isalpha():  # (?i), but not (?i:a), which is new there
            return f"(?{flags})"
        is_possessive = len(piece) > 1 and piece[0] in "*+?{" and piece[-1] == "+"
        if piece.startswith(_NOT_IN_ECMA) or is_possessive:
            return piece
    return ""


_NOT_IN_ECMA = ("\\A", "\\Z", "(?P", "(?#", "(?(", "(?>", "{,")


def _grouped(text: str) -> str:
    """A pattern with a group around each quantified lookaround: ``(?:(?=a))*``.

    Python accepts ``(?=a)*``, which ECMA-262 forbids with its flag u.
    """
    import re

    added: list[tuple[int, str]] = []
    opened: list[int | None] = []
    for found in re.finditer(_GROUPS, text, re.DOTALL):
        piece = found[0]
        if piece[0] == "(":
            opened.append(found.start() if len(piece) > 1 else None)
        elif piece[0] == ")":
            start = opened.pop()
            if len(piece) > 1 and start is not None:
                added += [(start, "(?:"), (found.start() + 1, ")")]
    for position, more in sorted(added, reverse=True):
        text = text[:position] + more + text[position:]
    return text


_GROUPS = r"\\.|\[(?:\\.|[^\\\]])*\]|\((?:\?<?[=!])?|\)[*+?{]?"
"""Escapes, classes, and where groups begin and end."""

_ESCAPES = r"N\{[^}]*\}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}"
_INSIDE = rf"(?s)\\(?:{_ESCAPES}|[0-7]{{1,3}}|.)|\]"
_OUTSIDE = (
    rf"(?s)\\(?:{_ESCAPES}|0[0-7]{{0,2}}|[1-3][0-7]{{2}}|[1-9][0-9]?|.)"
    r"|\[\^?\]?"  # the beginning of a class; a bracket that comes first does not close it
    r"|\(\?(?:P=\w+\)|P<\w+>|<?[=!]|[:#(>aiLmsux-])"
    r"|(?:[*+?]|\{(?:[0-9]+(?:,[0-9]*)?|,[0-9]*)\})[+?]?"
    r"|[{}\]]"
)
"""The pieces of a Python pattern that may have to change, outside of a class and inside."""


def _to_ecma_piece(piece: str, groups: Mapping[str, int]) -> str:
    """Convert a piece that is neither an escape nor in a class."""
    if piece.startswith(_UNSAYABLE) or (len(piece) > 1 and piece[-1] == "+"):  # a*+: possessive
        raise ValueError(f"JSON Schema patterns do not support {piece!r}")
    if piece.startswith("(?P="):
        return rf"(?:\{groups[piece[4:-1]]})"
    if piece.startswith("(?P<"):
        return "("
    if piece[0] == "[":
        return piece.replace("]", "\\]")
    return _LITERAL.get(piece) or piece.replace("{,", "{0,")


def _escape(piece: str, *, in_class: bool) -> str:
    """Convert an escape: a backslash and the characters after it."""
    kind, rest = piece[1], piece[2:]
    if kind == "N":
        import unicodedata

        return _character(unicodedata.lookup(rest[1:-1]))
    if kind == "U":
        return _character(chr(int(rest, 16)))
    if kind == "0" or (kind.isdigit() and (in_class or len(rest) > 1)):
        return _character(chr(int(piece[1:], 8)))
    if kind.isalnum() and kind.isascii():
        return _SPELLINGS.get(piece, piece)
    is_needed = kind in _SYNTAX or (kind == "-" and in_class)
    return piece if is_needed else kind  # ECMA-262 allows no other escapes with its flag u


def _character(char: str) -> str:
    return char if char > "\xff" else f"\\x{ord(char):02x}"


_SPELLINGS = {"\\A": "^", "\\Z": "$", "\\z": "$", "\\a": "\\x07"}
_LITERAL = {"{": "\\{", "}": "\\}", "]": "\\]"}
_SYNTAX = "^$\\.*+?()[]{}|/"
"""SyntaxCharacter, and the slash: ECMA-262, 22.2.1 (IdentityEscape)."""
_UNSAYABLE = ("(?#", "(?(", "(?>", *(f"(?{flag}" for flag in "aiLmsux-"))


# -- references to groups ----------------------------------------------------------------------


def uncertain_reference(pattern: str) -> str:
    """The first reference in an ECMA-262 pattern to a group that may not have matched.

    Where its group has not matched, ECMA-262 matches the empty string, and Python nothing. And
    only Python remembers what a group matched in an earlier repetition. So the two agree only
    where a group has matched whenever its reference is read.
    """
    import re

    matched: Groups = frozenset()
    opened: list[tuple[re.Match[str] | None, Groups, list[Groups]]] = [(None, matched, [])]
    count = 0
    for found in re.finditer(_REFERENCES, pattern, re.DOTALL):
        piece, (opening, start, branches) = found[0], opened[-1]
        if found["optional"]:
            continue
        if piece[0] == "(":
            count += piece == "(" or found["name"] is not None
            opened.append((found, matched, [frozenset((str(count), found["name"]))]))
        elif piece == "|":
            branches.append(matched)
            matched = start
        elif opening is not None and piece[0] == ")":
            del opened[-1]
            own, *others = branches
            matched = matched.intersection(*others)
            if opening["name"] or opening[0] == "(":
                matched |= own
            if found["is_optional"] or opening[0].endswith("!"):
                matched = start
        elif (to := found["number"] or found["to"]) and to not in matched:
            return piece
    return ""


_REFERENCES = (
    r"(?P<optional>(?:\\[1-9][0-9]*|\(\?:\\[1-9][0-9]*\))(?:[*?]|\{0))"
    r"|\\(?P<number>[1-9][0-9]*)|\\k<(?P<to>\w+)>|\\.|\[(?:\\.|[^\\\]])*\]"
    r"|\((?:\?(?:[:=!]|<[=!]|<(?P<name>\w+)>))?|\)(?P<is_optional>[*?]|\{0)?|\|"
)
"""The beginnings, ends and branches of groups, and references to groups."""


# -- from ECMA-262 to Python -------------------------------------------------------------------


def to_python(pattern: str) -> str:
    r"""Convert a pattern of ECMA-262 to Python, to be compiled with the flag ASCII.

    ``\d``, ``\w`` and ``\b`` are ASCII only; ``\s`` is not. ``$`` is the very end of the text.
    """
    import re

    def convert(found: re.Match[str]) -> str:
        piece, opened = found[0], found["opened"]
        if piece in _OF_PYTHON:
            return _OF_PYTHON[piece]
        if opened is None:
            return _unescaped(piece, in_class=False)
        return _class(opened) + piece[len(opened) :]

    return re.sub(_OF_ECMA, convert, pattern)


def _class(text: str) -> str:
    """Convert a class of characters, such as ``[a-z]``, without its end.

    Characters that may get a meaning in a class of Python, which warns of them, are escaped.
    """
    import re

    start = 2 if text.startswith("[^") else 1
    pieces = re.findall(rf"(?s){_ESCAPE}|.", text[start:])
    ranges, at = set(), 1
    while at < len(pieces):  # a hyphen between two pieces makes a range
        if pieces[at] == "-":
            ranges.add(at)
            at += 2
        at += 1
    converted = (piece if at in ranges else _in_class(piece) for at, piece in enumerate(pieces))
    return text[:start] + "".join(converted)


def _in_class(piece: str) -> str:
    """Convert an escape or a character of a class."""
    if piece[0] == "\\":
        return _unescaped(piece, in_class=True)
    return f"\\{piece}" if piece in "-[&|~" else piece


def _unescaped(piece: str, *, in_class: bool) -> str:
    """Convert an escape of ECMA-262 to Python."""
    kind, rest = piece[1], piece[2:]
    if kind == "c" and rest:
        return f"\\x{ord(rest) % 32:02x}"
    if kind == "u" and rest.startswith("{"):
        return f"\\U{int(rest[1:-1], 16):08x}"
    if kind == "k" and rest:
        return f"(?P={rest[1:-1]})"
    if inside := _SPACES if kind == "s" else _in_category(kind, rest):
        return inside if in_class else f"[{inside}]"
    if kind in _OUTSIDE_OF_CLASSES and not in_class:
        return _OUTSIDE_OF_CLASSES[kind]
    return piece


_ESCAPE = r"\\(?:c[A-Za-z]|u\{[0-9a-fA-F]+\}|k<\w+>|[pP]\{\w+\}|.)"
_OF_ECMA = rf"{_ESCAPE}|\(\?<(?![=!])|(?P<opened>\[(?:\\.|[^\\\]])*)\]?|[.$]"
"""Escapes, classes, and other syntax that differs between the dialects."""
_OF_PYTHON = {
    "(?<": "(?P<",
    ".": r"[^\n\r\u2028\u2029]",
    "$": r"\Z",
    "[]": "(?!)",
    "[^]": r"[\s\S]",
}
_SPACES = r"\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""WhiteSpace and LineTerminator: ECMA-262, sections 12.2 and 12.3."""
_OUTSIDE_OF_CLASSES = {
    "S": f"[^{_SPACES}]",
    "B": r"(?!\b)",  # also in the empty text, where Python before 3.14 does not find \B
}


# -- categories of characters ------------------------------------------------------------------

_NAMES = """
    L Letter, LC Cased_Letter, Lu Uppercase_Letter, Ll Lowercase_Letter, Lt Titlecase_Letter,
    Lm Modifier_Letter, Lo Other_Letter, M Mark Combining_Mark, Mn Nonspacing_Mark,
    Mc Spacing_Mark, Me Enclosing_Mark, N Number, Nd Decimal_Number digit, Nl Letter_Number,
    No Other_Number, P Punctuation punct, Pc Connector_Punctuation, Pd Dash_Punctuation,
    Ps Open_Punctuation, Pe Close_Punctuation, Pi Initial_Punctuation, Pf Final_Punctuation,
    Po Other_Punctuation, S Symbol, Sm Math_Symbol, Sc Currency_Symbol, Sk Modifier_Symbol,
    So Other_Symbol, Z Separator, Zs Space_Separator, Zl Line_Separator, Zp Paragraph_Separator,
    C Other, Cc Control cntrl, Cf Format, Cs Surrogate, Co Private_Use
"""
_CATEGORIES = {name: names.split()[0] for names in _NAMES.split(",") for name in names.split()}
"""The general categories of Unicode by their names: ECMA-262, table 69."""


def _in_category(kind: str, rest: str) -> str:
    r"""The inside of a class for ``\p{...}`` or ``\P{...}``; empty for any other escape."""
    category = _CATEGORIES.get(rest[1:-1]) if kind in "pP" else None
    return "" if category is None else _characters_of(category, others=kind == "P")


@cache
def _characters_of(category: str, *, others: bool) -> str:
    """The inside of a class with the characters of a category, or with all others.

    Those that are not assigned are in both, because a later version of Unicode may assign them.
    """
    starts = ("Lu", "Ll", "Lt") if category == "LC" else (category,)
    found: list[list[int]] = []
    for first, last, own in _runs():
        if own != "Cn" and own.startswith(starts) is others:
            continue
        if found and found[-1][1] == first - 1:
            found[-1][1] = last
        else:
            found.append([first, last])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in found)


@cache
def _runs() -> list[tuple[int, int, str]]:
    """The first and the last of all characters in a row that have the same category."""
    from itertools import groupby
    from unicodedata import category

    runs: list[tuple[int, int, str]] = []
    first = 0
    for own, group in groupby(map(category, map(chr, range(0x110000)))):
        last = first + sum(1 for _ in group) - 1
        runs.append((first, last, own))
        first = last + 1
    return runs


# -- the common subset -------------------------------------------------------------------------

_COMMON = (
    r"\\[dw]|\\[^A-Za-z0-9]"  # \d and \w, which are rewritten, and escaped punctuation
    r"|\[\^?(?:\\[dw]|\\[^A-Za-z0-9]|[^\\\[\]])+\]"  # a class
    r"|\((?:\?:|(?!\?))|\)|\|"  # groups, without names, lookaround and flags
    r"|(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})(?![?+])"  # quantifiers, neither lazy nor possessive
    r"|[^\\\[\](){}|^$*+?]"
)


def common_pattern(pattern: str) -> str | None:
    r"""A pattern in the syntax that ECMA-262, Python, Rust and RE2 share, or ``None``.

    It is anchored, because outlines and llama.cpp match the whole string, while JSON Schema
    searches. ``\d`` and ``\w`` are ASCII in ECMA-262, but not everywhere.
    """
    import re

    pieces = re.findall(_COMMON, pattern[1:-1])
    if f"^{''.join(pieces)}$" != pattern:
        return None
    depth = 0
    for index, piece in enumerate(pieces):
        depth += (piece[0] == "(") - (piece == ")")
        if piece == "|" and not depth:
            return None
        if piece[0] == "[":
            pieces[index] = piece.replace("\\d", "0-9").replace("\\w", "A-Za-z0-9_")
        elif piece in ("\\d", "\\w"):
            pieces[index] = "[0-9]" if piece == "\\d" else "[A-Za-z0-9_]"
    return f"^{''.join(pieces)}$"
