"""Python's regular expressions as those of ECMA-262, which is what ``pattern`` takes."""

from __future__ import annotations

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
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as problem:
        raise ValueError(f"is no regular expression: {problem}") from problem
    return _translate(pattern)


def _translate(text: str) -> str:
    """Respell, outside of character classes, what the two dialects write in their own ways."""
    written: list[str] = []
    position, in_class = 0, False
    while position < len(text):
        piece = text[position] if in_class else _next_piece(text, position)
        if text[position] == "\\" and len(piece) == 1:
            piece = text[position : position + 2]
        position += len(piece)
        written.append(piece if in_class else _respelled(piece))
        if piece in ("[", "]"):
            in_class = piece == "["
    return "".join(written)


def _next_piece(text: str, position: int) -> str:
    if text.startswith("(?P=", position):  # a back reference has an end of its own
        return text[position : text.index(")", position) + 1]
    for piece in (*_SPELLINGS, *_UNSAYABLE):
        if text.startswith(piece, position):
            return piece
    return text[position]


def _respelled(piece: str) -> str:
    if piece in _UNSAYABLE:
        raise ValueError(f"has {piece!r}, which the patterns of JSON Schema lack")
    if piece.startswith("(?P="):
        return rf"\k<{piece[4:-1]}>"
    return _SPELLINGS.get(piece, piece)


_SPELLINGS = {"(?P<": "(?<", "\\A": "^", "\\Z": "$"}
_UNSAYABLE = ("(?#", "(?(", "(?>", *(f"(?{flag}" for flag in "aiLmsux-"))
