"""Python's regular expressions as those of ECMA-262, which is what ``pattern`` takes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

DECIMAL = r"^-?([0-9]+(\.[0-9]+)?(E[+-][0-9]+)?|Infinity|s?NaN[0-9]*)$"
"""What ``str(Decimal)`` writes."""


def to_ecma(pattern: Any) -> str:
    """A Python pattern, or compiled pattern, as ECMA-262 spells it.

    Raises:
        ValueError: It is no pattern, or has what ECMA-262 cannot say.
    """
    import re

    if type(pattern) is re.Pattern:
        if pattern.flags & ~re.UNICODE:
            raise ValueError(
                "has the flags of a compiled pattern, which the patterns of JSON Schema lack"
            )
        pattern = pattern.pattern
    if type(pattern) is not str:
        raise ValueError("is no regular expression; give a string")
    try:
        groups = re.compile(pattern).groupindex
    except Exception as problem:  # re.error, RecursionError, a FutureWarning made an error, ...
        raise ValueError(f"is no regular expression: {problem}") from problem
    return _translate(pattern, groups)


def _translate(text: str, groups: Mapping[str, int]) -> str:
    """Respell, outside of character classes, what the two dialects write in their own ways.

    Groups lose their names, which no spelling has in both dialects, and are told by number.
    """
    written: list[str] = []
    position, in_class = 0, False
    while position < len(text):
        piece = text[position] if in_class else _next_piece(text, position)
        if text[position] == "\\" and len(piece) == 1:
            piece = text[position : position + 2]
        position += len(piece)
        written.append(piece if in_class else _respelled(piece, groups))
        if piece in ("[", "]"):
            in_class = piece == "["
    return "".join(written)


def _next_piece(text: str, position: int) -> str:
    for opening, end in (("(?P=", ")"), ("(?P<", ">")):
        if text.startswith(opening, position):
            return text[position : text.index(end, position) + 1]
    for piece in (*_SPELLINGS, *_UNSAYABLE):
        if text.startswith(piece, position):
            return piece
    return text[position]


def _respelled(piece: str, groups: Mapping[str, int]) -> str:
    if piece in _UNSAYABLE:
        raise ValueError(f"has {piece!r}, which the patterns of JSON Schema lack")
    if piece.startswith("(?P="):
        return rf"(?:\{groups[piece[4:-1]]})"
    if piece.startswith("(?P<"):
        return "("
    return _SPELLINGS.get(piece, piece)


_SPELLINGS = {"\\A": "^", "\\Z": "$"}
_UNSAYABLE = ("(?#", "(?(", "(?>", *(f"(?{flag}" for flag in "aiLmsux-"))
