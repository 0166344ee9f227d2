"""Repair JSON that a schema refuses, where there is only one thing that it can mean.

Models send numbers as text, JSON inside of strings, ``"True"`` for a boolean, null for what they
leave out. The schema decides: a value that it accepts is never changed, and a repaired value
stands only if the schema accepts it. Nothing is guessed: a single value is not put into an array,
and truncated text is not completed.

A value and a subschema are repaired only once, and the validator decides about them only once, so
the work grows with the size of the value, however often the schema repeats itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn

from milo_schema.annotations import Json
from milo_schema.json_schema import DECIMAL, STRICT
from milo_schema.json_schema.matching import TooManyStepsError, matches
from milo_schema.json_schema.subschemas import quote, step_to, target_of
from milo_schema.json_schema.validation import Decisions, has_type
from milo_schema.json_schema.values import MAX_JSON_DEPTH, parse_json, serialized

# -- the JSON that models write ------------------------------------------------------------------
#
# Read the JSON that models write, which is not always JSON.
#
# ``json.loads()`` reads what is JSON. What it refuses is spelled as JSON, and read once more: words
# or a code fence around an object or array, comments, trailing commas, single quotes, names without
# quotes, line breaks in strings, and Python's ``True``, ``False`` and ``None``. Each has only one
# meaning. Truncated text has none, because the rest of it is missing: it is never completed.
#
# One regular expression passes over all that is JSON already, which takes three times as long as
# ``json.loads()``. A parser in Python would take a hundred times as long: it reads only what is
# refused again, to say where and why. Each looks at each character once, except for leading prose.


class InvalidJSONError(ValueError):
    """Raised for text that is not JSON.

    Attributes:
        message: What is wrong, and the line and column: ``the text ends (line 1, column 3)``.
        is_begun: Whether any JSON was read before; ``[A-Z]*`` only begins like an array.
    """

    def __init__(self, reason: str, text: str, position: int) -> None:
        line = text.count("\n", 0, position) + 1
        column = position - text.rfind("\n", 0, position)
        self.message: str = f"{reason} (line {line}, column {column})"
        self.is_begun: bool = position >= len(text) or text[:position].strip() != "["
        super().__init__(f"not valid JSON: {self.message}")


def parse(text: str) -> Any:
    """The JSON value in a string.

    Raises:
        InvalidJSONError: There is none, or it is truncated.

    Example:
        >>> from milo_schema.json_schema.repair import parse
        >>> parse("Here you are: {path: 'a.txt', // the file" + chr(10) + "all: True,}")
        {'path': 'a.txt', 'all': True}
    """
    return _read(text, is_whole=False)


def _read(text: str, *, is_whole: bool) -> Any:
    """The JSON in a string, or the only object or array in it; that may have to be all of it."""
    with suppress(ValueError, RecursionError):  # also an integer with too many digits
        return _exactly(text)
    parser = _Parser(text)
    if is_whole and not (text[:1] in _OPENING and text[-1:] in _CLOSING):
        return parser.whole()
    with suppress(ValueError, RecursionError):
        return _exactly(_respelled(text), strict=False)
    return parser.whole() if is_whole else parser.document()


def _exactly(text: str, *, strict: bool = True) -> Any:
    """The JSON in a string; a number that a float only comes near to is an integer, or refused.

    Args:
        text: The string.
        strict: Whether to refuse line breaks in strings.

    Raises:
        ValueError: It is not JSON, or has a number that would seem to be a whole one.
    """
    return parse_json(text, parse_float=_to_number, strict=strict)


def _to_number(text: str) -> int | float:
    number = float(text)
    if not number.is_integer():
        return number  # also infinity, which is refused as a number
    from decimal import Decimal  # most arguments need no repair

    if (exact := Decimal(text)) == number:
        return number
    if exact != exact.to_integral_value():
        raise ValueError("a float would round it to a whole number")
    return int(exact)


_FENCE = re.compile(r"```([a-zA-Z0-9]*\s)?(.*?)(```)?", re.DOTALL)


def parse_part(text: str) -> Any:
    """The JSON value that is all of a string, but for a code fence around it.

    Words around a value may say that it means something else: ``none found: []``.

    Raises:
        InvalidJSONError: There is none, or it is truncated.
    """
    text = text.strip()
    if fenced := _FENCE.fullmatch(text):
        text = fenced.group(2).strip()
    return _read(text, is_whole=True)


_OPENING, _CLOSING = ("{", "["), ("}", "]")
_BRACKET = re.compile(r"[{\[]")
_GAP = r"(?:\s++|(?://|[#])[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)"
_SPACE = re.compile(f"{_GAP}*+")
_MORE = re.compile(rf"(?:{_GAP}|[\]}}])*+,")
"""After a value: not prose, but more of an object that a bracket closed too early."""
_PLAIN = {'"': re.compile(r'[^"\\]*'), "'": re.compile(r"[^'\\]*")}
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[\"'\\/bfnrt])")
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])")
_NAME = re.compile(r"(?!\d)[\w$][\w$-]*")
_PART = re.compile(
    rf"""
    (?P<json>(?:
        "(?:[^"\\]++|\\["\\/bfnrtu])*+"
      | [ \t\r\n\]}}:]++
      | [\[{{](?!{_GAP}*+,)
      | ,(?!{_GAP}*+[,\]}}])
      | -?[0-9][\w.+-]*+
      | (?:true|false|null)(?![\w$-]|{_GAP}*+:)
    )++)
  | (?P<gap>{_GAP}++)
  | (?P<comma>,{_GAP}*+(?=[\]}}]))
  | (?P<string>"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+')
  | (?P<name>{_NAME.pattern})(?={_GAP}*+:)
  | (?P<word>True|False|None)(?![\w$-])
    """,
    re.VERBOSE | re.DOTALL,
)
"""A part of an object or array: as much as possible that is JSON, or one thing that is not."""

_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def _respelled(text: str) -> str:
    """The only object or array in a string, spelled as JSON; whether it is valid is another matter.

    Raises:
        ValueError: A part of it is spelled in another way than those that are known.
    """
    first, end = _BRACKET.search(text), 1 + max(map(text.rfind, _CLOSING))
    if first is None or _BRACKET.search(text, end) or _MORE.match(text, end):
        raise ValueError("there is more or less than one object or array")
    at = first.start()
    parts: list[str] = []
    while at < end:
        part = _PART.match(text, at, end)
        if part is None:
            raise ValueError("unknown spelling")
        at = part.end()
        parts.append(_as_json(part.lastgroup, part.group()))
    if parts[-1][-1:] not in _CLOSING:
        raise ValueError("it ends before a comment that has brackets")
    return "".join(parts)


def _as_json(kind: str | None, written: str) -> str:
    """A part of an object or array, spelled as JSON."""
    if kind == "string":
        return serialized(_Parser(written).string(written[0]))
    if kind == "name":
        return f'"{written}"'
    if kind == "word":
        return serialized(_WORDS[written])
    return {"gap": " ", "comma": ""}.get(str(kind), written)


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
        if more := _MORE.match(self.text, self.at):
            self.at = more.end() - 1
            self.refuse("the text goes on after the value")
        return value

    def whole(self) -> Any:
        """The object or array that is the whole text."""
        if self.text[:1] not in _OPENING:
            self.refuse("expected an object or an array")
        value = self.value(0)
        is_all = self.at == len(self.text)
        return value if is_all else self.refuse("the text goes on after the value")

    def refuse(self, reason: str) -> NoReturn:
        raise InvalidJSONError(reason, self.text, self.at)

    def peek(self) -> str:
        """The next character that is neither a blank nor in a comment."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Any:
        character = self.peek()
        if character in ("{", "[") and depth >= MAX_JSON_DEPTH:
            self.refuse(f"nested deeper than {MAX_JSON_DEPTH} levels")
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
        with suppress(ValueError):  # an integer with too many digits
            if found := _NUMBER.match(self.text, self.at):
                value: int | float = _exactly(found.group())
                self.at = found.end()
                return value
        return self.refuse("expected a number")

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


# -- repair ----------------------------------------------------------------------------------------


class Repair(NamedTuple):
    """One value that was read as another one.

    Attributes:
        path: Where it is, such as ``.filters[0]``.
        sent: The JSON that was sent.
        read: The JSON that was read instead; what counts as left out is read as ``None``.
    """

    path: str
    sent: Any
    read: Any


def repaired(
    json: Any, schema: Json, *, only_nulls: bool = False
) -> tuple[Any, tuple[Repair, ...]]:
    """Repair JSON as far as possible.

    Args:
        json: A JSON value; it is not changed.
        schema: The schema of the value.
        only_nulls: Whether nothing is repaired but null for what is left out.

    Returns:
        The repaired value, or the value itself, and each repair.

    Example:
        >>> from milo_schema.json_schema.repair import repaired
        >>> schema = {"properties": {"days": {"type": "array", "items": {"type": "integer"}}}}
        >>> repaired({"days": "[1, '2']"}, schema)
        ({'days': [1, 2]}, (Repair(path='.days', sent="[1, '2']", read=[1, 2]),))
    """
    try:
        decisions = Decisions(json, schema)
        found = _Repairing(schema, decisions, only_nulls=only_nulls).fix(json, schema)
    except (RecursionError, TooManyStepsError):
        return json, ()
    return found.json, tuple(found.repairs)


class _Fixed(NamedTuple):
    """A value after its repair, and the repairs with paths that begin at the value."""

    json: Any
    repairs: list[Repair]

    def under(self, step: str) -> list[Repair]:
        return [each._replace(path=step + each.path) for each in self.repairs]


class _Repairing:
    """The repair of one value.

    Attributes:
        root: The schema that contains the targets of references.
        accepts: Whether a value is valid under a subschema.
        step: Takes steps of the decisions.
        known: The value and its repair, by the ids of the value and the subschema.
        read: The JSON in each text that was parsed.
        only_nulls: Whether nothing is repaired but null for what is left out.
    """

    def __init__(self, root: Json, decisions: Decisions, *, only_nulls: bool) -> None:
        self.root: Json = root
        self.accepts = decisions.accepts
        self.step = decisions.step
        self.known: dict[tuple[int, int], _Fixed] = {}
        self.read: dict[str, Any] = {}
        self.only_nulls: bool = only_nulls

    def fix(self, json: Any, schema: Any) -> _Fixed:
        """A value that the schema accepts, if it can be repaired; otherwise as far as possible."""
        key = id(json), id(schema)
        if key not in self.known:
            self.known[key] = _Fixed(json, [])  # if it is met again while it is repaired
            if type(schema) is dict and STRICT not in schema and not self.accepts(json, schema):
                self.known[key] = self.fix_refused(json, schema)
        return self.known[key]

    def fix_refused(self, json: Any, schema: Json) -> _Fixed:
        found = _Fixed(json, [])
        for step in (self.by_references, self.by_branches, self.by_parts):
            changed = step(found.json, schema)
            found = _Fixed(changed.json, [*found.repairs, *changed.repairs])
            if self.accepts(found.json, schema):
                return found
        if self.only_nulls or "anyOf" in schema or "oneOf" in schema:  # each alternative has tried
            return found
        for candidate in self.readings(json, schema):
            read = self.fix(candidate, schema)
            if self.accepts(read.json, schema):
                return _Fixed(read.json, [Repair("", json, read.json)])
        return self.with_type(json, schema) or found

    def with_type(self, json: Any, schema: Json) -> _Fixed | None:
        """The JSON in a string, if it has the right type; then its other faults can be reported."""
        read = self.parsed(json) if type(json) is str else json
        if read is json or not has_type(read, schema) or has_type(json, schema):
            return None
        return _Fixed(self.fix(read, schema).json, [Repair("", json, read)])

    # -- schemas that are made of others -------------------------------------------------------

    def by_references(self, json: Any, schema: Json) -> _Fixed:
        """Repaired by the schemas that all apply: the target of a reference, and ``allOf``."""
        found = _Fixed(json, [])
        target = target_of(schema, self.root) if "$ref" in schema else None
        for each in [target, *schema.get("allOf", ())]:
            changed = self.fix(found.json, each)
            found = _Fixed(changed.json, [*found.repairs, *changed.repairs])
        return found

    def by_branches(self, json: Any, schema: Json) -> _Fixed:
        """Repaired by the alternative that takes the fewest repairs; it must be valid then."""
        branches = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
        if type(json) is int:
            able = [each for each in branches if has_type(json, target_of(each, self.root))]
            branches = able or branches
        found = [self.fix(json, branch) for branch in branches]
        valid = [each for each in found if each.repairs and self.accepts(each.json, schema)]
        return min(valid, key=lambda each: len(each.repairs), default=_Fixed(json, []))

    # -- properties and items ------------------------------------------------------------------

    def by_parts(self, json: Any, schema: Json) -> _Fixed:
        """With repaired properties or items."""
        if type(json) is dict:
            return self.by_properties(json, schema)
        if type(json) is list:
            return self.by_items(json, schema)
        return _Fixed(json, [])

    def by_properties(self, json: Json, schema: Json) -> _Fixed:
        found, repairs = dict(json), []
        required = schema.get("required", ())
        declared = schema.get("properties", {})
        for name, value in json.items():
            if type(name) is not str:
                continue  # this is not JSON, which is reported when the arguments are read
            for each in _schemas_of_property(name, schema, self.step):
                changed = self.fix(found[name], each)
                found[name] = changed.json
                repairs += changed.under(step_to(name))
                if (
                    name in declared
                    and name not in required
                    and self.is_left_out(found[name], each)
                ):
                    repairs.append(Repair(step_to(name), value, None))
                    del found[name]
                    break
        return _Fixed(found, repairs) if repairs else _Fixed(json, [])

    def is_left_out(self, json: Any, schema: Any) -> bool:
        """Whether a value is a null that counts as left out."""
        if type(json) is str and json.strip() in ("null", "None") and not self.only_nulls:
            return not self.accepts(json, schema)
        return json is None and not self.accepts(json, schema)

    def by_items(self, json: list[Any], schema: Json) -> _Fixed:
        first = schema.get("prefixItems", [])
        schemas = [*first[: len(json)], *[schema.get("items")] * (len(json) - len(first))]
        fixed = [self.fix(item, each) for item, each in zip(json, schemas, strict=True)]
        repairs = [each for at, item in enumerate(fixed) for each in item.under(f"[{at}]")]
        return _Fixed([each.json for each in fixed], repairs) if repairs else _Fixed(json, [])

    # -- what a value may mean -----------------------------------------------------------------

    def readings(self, json: Any, schema: Json) -> Iterator[Any]:
        """The values that a refused value may mean."""
        if type(json) in (int, float):
            if schema.get("pattern") == DECIMAL and -_HUGE < json < _HUGE:
                yield repr(json).upper()  # 1E+22, as decimals are written
            if type(json) is int and json in _BOOLEANS and has_type(True, schema):
                yield _BOOLEANS[json]
        elif type(json) is str:
            stripped = json.strip()
            if stripped.lower() in _CONSTANTS:
                yield _CONSTANTS[stripped.lower()]
            yield from _same_choice(stripped, schema)
            if stripped != json:
                yield stripped
            read = self.parsed(json)
            if type(read) is not str or len(read) < len(json):
                yield read

    def parsed(self, text: str) -> Any:
        """The JSON in a string; the string itself if there is none."""
        if text not in self.read:
            try:
                self.read[text] = parse_part(text)
            except InvalidJSONError:
                self.read[text] = text
        return self.read[text]


def without_nulls(json: Any, schema: Json) -> Any:
    """JSON without the nulls that strict modes make models send for what they leave out.

    Example:
        >>> from milo_schema.json_schema.repair import without_nulls
        >>> schema = {"properties": {"a": {"type": "string"}, "b": {"type": "null"}}}
        >>> without_nulls({"a": None, "b": None}, schema)
        {'b': None}
    """
    return repaired(json, schema, only_nulls=True)[0]


_HUGE = 1e300
"""Numbers from here on may have no text: Python refuses to write integers of 4,300 digits."""

_BOOLEANS = {0: False, 1: True}
"""How other languages spell ``false`` and ``true``, where no alternative takes numbers."""

_CONSTANTS = {"true": True, "yes": True, "false": False, "no": False, "none": None}
"""How models spell ``true``, ``false`` and ``null``."""


def _same_choice(text: str, schema: Json) -> Iterator[str]:
    """The only choice that differs from a string in case."""
    choices = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ())]
    folded = text.casefold()
    same = [each for each in choices if type(each) is str and each.casefold() == folded]
    if len(same) == 1:
        yield same[0]


def _schemas_of_property(name: str, schema: Json, step: Callable[[int], None]) -> Iterator[Any]:
    """The subschemas for the value of a property."""
    declared = schema.get("properties", {})
    patterns = [each for each in schema.get("patternProperties", ()) if matches(each, name, step)]
    if name in declared:
        yield declared[name]
    yield from (schema["patternProperties"][each] for each in patterns)
    if name not in declared and not patterns:
        yield schema.get("additionalProperties")
