"""Read the JSON that models write, which is not always JSON.

``json.loads()`` reads what is JSON. What it refuses is read once more, by a parser that also takes
what models write instead: words or a code fence around an object or array, comments, trailing
commas, single quotes, names without quotes, line breaks in strings, and Python's ``True``,
``False`` and ``None``. Each of these has only one meaning. Text that was cut off has not, because
the rest of it is missing: it is never completed. The parser looks at each character once, but for
the words in front.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from milo_schema.json_schema.paths import quote
from milo_schema.json_schema.values import parse_json

__all__ = ["InvalidJSONError", "parse"]

_MAX_DEPTH = 200
"""The deepest nesting that is read."""


class InvalidJSONError(ValueError):
    """Raised for text that is not JSON.

    Attributes:
        reason: What is wrong, and the line and column: ``the text ends (line 1, column 3)``.
    """

    def __init__(self, reason: str, text: str, position: int) -> None:
        line = text.count("\n", 0, position) + 1
        column = position - text.rfind("\n", 0, position)
        self.reason: str = f"{reason} (line {line}, column {column})"
        super().__init__(f"not valid JSON: {self.reason}")


def parse(text: str) -> Any:
    """The JSON value in a string.

    Raises:
        InvalidJSONError: There is none, or it was cut off.

    Example:
        >>> from milo_schema.json_schema.lenient import parse
        >>> parse("Here you are: {path: 'a.txt', // the file" + chr(10) + "all: True,}")
        {'path': 'a.txt', 'all': True}
    """
    try:
        return parse_json(text)
    except (ValueError, RecursionError):  # also an integer with too many digits
        return _Parser(text).document()


_BRACKET = re.compile(r"[{\[]")
_SPACE = re.compile(r"(?:\s+|(?://|#)[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_PLAIN = {'"': re.compile(r'[^"\\]*'), "'": re.compile(r"[^'\\]*")}
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[\"'\\/bfnrt])")
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])")
_NAME = re.compile(r"(?!\d)[\w$][\w$-]*")

_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class _Parser:
    """A parser of one text, and the position that it has reached."""

    def __init__(self, text: str) -> None:
        self.text: str = text
        self.at: int = 0

    def document(self) -> Any:
        """The only object or array of the text; words around it have no brackets."""
        start = _BRACKET.search(self.text)
        if start is None:
            self.at = len(self.text) - len(self.text.lstrip())
            self.refuse("expected an object or an array")
        self.at = start.start()
        value = self.value(0)
        if more := _BRACKET.search(self.text, self.at):
            self.at = more.start()
            self.refuse("a second object or array begins here")
        return value

    def refuse(self, reason: str) -> NoReturn:
        raise InvalidJSONError(reason, self.text, self.at)

    def peek(self) -> str:
        """The next character that is neither a blank nor in a comment."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Any:
        character = self.peek()
        if character in ("{", "[") and depth >= _MAX_DEPTH:
            self.refuse(f"nested deeper than {_MAX_DEPTH} levels")
        if character == "{":
            return self.object(depth + 1)
        if character == "[":
            return self.array(depth + 1)
        if character in _PLAIN:
            return self.string(character)
        return self.number() if character.isdigit() or character == "-" else self.word()

    def object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self.at += 1
        while self.peek() != "}":
            name = self.name()
            if self.peek() != ":":
                self.unexpected("a colon", "an object")
            self.at += 1
            found[name] = self.value(depth)
            self.separator("}", "an object")
        self.at += 1
        return found

    def array(self, depth: int) -> list[Any]:
        found: list[Any] = []
        self.at += 1
        while self.peek() != "]":
            found.append(self.value(depth))
            self.separator("]", "an array")
        self.at += 1
        return found

    def separator(self, end: str, inside: str) -> None:
        """Go past a comma, or stop before the end."""
        character = self.peek()
        if character == ",":
            self.at += 1
        elif character != end:
            self.unexpected(f"a comma or {quote(end)}", inside)

    def unexpected(self, expected: str, inside: str) -> NoReturn:
        if self.at >= len(self.text):
            self.refuse(f"the text ends inside {inside}")
        self.refuse(f"expected {expected}, got {quote(self.text[self.at])}")

    def name(self) -> str:
        character = self.peek()
        if character in _PLAIN:
            return self.string(character)
        found = _NAME.match(self.text, self.at)
        if found is None:
            self.unexpected("the name of a property", "an object")
        self.at = found.end()
        return found.group()

    def string(self, mark: str) -> str:
        parts: list[str] = []
        self.at += 1
        while True:
            plain = _PLAIN[mark].match(self.text, self.at)
            parts.append(plain.group() if plain else "")
            self.at += len(parts[-1])
            if self.text[self.at : self.at + 1] == mark:
                self.at += 1
                return _joined("".join(parts))
            if self.at >= len(self.text):
                self.refuse("the text ends inside a string")
            parts.append(self.escape())

    def escape(self) -> str:
        found = _ESCAPE.match(self.text, self.at)
        if found is None:
            rest = self.text[self.at : self.at + 2]
            self.refuse(f"expected an escape, got {quote(rest)}")
        self.at = found.end()
        code = found.group()[1:]
        return chr(int(code[1:], 16)) if len(code) > 1 else _CONTROLS.get(code, code)

    def number(self) -> int | float:
        found = _NUMBER.match(self.text, self.at)
        try:
            value: int | float = parse_json(found.group() if found else "")
        except ValueError:  # also an integer with too many digits
            self.refuse("expected a number")
        self.at = found.end() if found else self.at
        return value

    def word(self) -> bool | None:
        found = _NAME.match(self.text, self.at)
        if found is None or found.group() not in _WORDS:
            self.unexpected("a value", "an object or array")
        self.at = found.end()
        return _WORDS[found.group()]


def _joined(text: str) -> str:
    """Text in which the two halves of each surrogate pair are one character."""
    return _SURROGATES.sub(
        lambda pair: pair.group().encode("utf-16", "surrogatepass").decode("utf-16"), text
    )
