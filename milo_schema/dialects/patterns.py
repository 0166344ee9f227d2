"""Regular expressions that mean the same to every consumer."""

from __future__ import annotations

_PIECE = (
    r"\\[dw]|\\[^A-Za-z0-9]"  # \d and \w, which are rewritten, and escaped punctuation
    r"|\[\^?(?:\\[dw]|\\[^A-Za-z0-9]|[^\\\[\]])+\]"  # a class
    r"|\((?:\?:|(?!\?))|\)|\|"  # groups, without names, lookaround and flags
    r"|(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})(?![?+])"  # quantifiers, neither lazy nor possessive
    r"|[^\\\[\](){}|^$*+?]"
)
_CLASSES = {"\\d": "0-9", "\\w": "A-Za-z0-9_"}


def common_pattern(pattern: str) -> str | None:
    r"""A pattern in the syntax that ECMA-262, Python, Rust and RE2 share, or ``None``.

    It is anchored, because outlines and llama.cpp match the whole string, while JSON Schema
    searches. ``\d`` and ``\w`` are ASCII in ECMA-262, but not everywhere.
    """
    import re

    inner = pattern[1:-1]
    pieces = re.findall(_PIECE, inner)
    if f"^{''.join(pieces)}$" != pattern or _has_outer_choice(pieces):
        return None
    return f"^{''.join(map(_respelled, pieces))}$"


def _has_outer_choice(pieces: list[str]) -> bool:
    depth = 0
    for piece in pieces:
        depth += (piece[0] == "(") - (piece == ")")
        if piece == "|" and not depth:
            return True
    return False


def _respelled(piece: str) -> str:
    if piece in _CLASSES:
        return f"[{_CLASSES[piece]}]"
    if piece[0] == "[":
        for name, characters in _CLASSES.items():
            piece = piece.replace(name, characters)
    return piece
