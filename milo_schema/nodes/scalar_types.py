"""The scalar types that are strings in JSON: one row says everything about a type.

A row has the class, the keywords of its schema, the noun for messages, the function that parses
its JSON and the one that writes it. Annotations, arguments, results and defaults all read this
table, so a new scalar type is a new row. Each string is read exactly as its format requires.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from milo_schema.annotations.classes import class_name, loaded, mro
from milo_schema.annotations.frozen import Frozen
from milo_schema.json_schema import DECIMAL
from milo_schema.json_schema.formats import PARSERS, Parse, matched, parse_any, parse_match
from milo_schema.json_schema.patterns import to_ecma

Keywords = dict[str, Any]

CHOICE, EXACT, WRITTEN, LAST, UNKNOWN = range(5)
"""The priorities of the members of a union that accept the same text; the first one reads it."""


class ScalarType(Frozen):
    """A row of the table.

    Attributes:
        name: The dotted name of the class, which is found if its module is loaded.
        keywords: The keywords of its schema.
        label: What JSON is expected, as a noun.
        parse: Makes a value from its string: ``parse(cls, text)``; it raises if that is not valid.
        write: Returns the string for a value.
        priority: Which member of a union reads a string that several accept.
        fits_format: Whether the string for a value is valid for the format of the schema; ``None``
            if that of each value is.
    """

    name: str
    keywords: Keywords
    label: str
    parse: Parse
    write: Callable[[Any], str] = str
    priority: int = WRITTEN
    fits_format: Callable[[Any], bool] | None = None

    @property
    def is_bytes(self) -> bool:
        """Whether the values are bytes, whose length differs from the length of the string."""
        return "contentEncoding" in self.keywords

    @property
    def is_number(self) -> bool:
        """Whether the string is a number, which has bounds but no length."""
        return self.keywords.get("pattern") == DECIMAL

    @property
    def is_text(self) -> bool:
        """Whether the string is the value itself, and not only its form in JSON: a date is not."""
        return "format" not in self.keywords


def row_of(cls: type) -> ScalarType | None:
    """The row of a class, or of its nearest base class that has one."""
    return next(filter(None, map(own_row_of, mro(cls)[:-1])), None)


def own_row_of(cls: type) -> ScalarType | None:
    """The row of a class itself."""
    for row in BY_NAME.get(class_name(cls), ()):
        if loaded(row.name) is cls:
            return row
    return None


# -- parsing -----------------------------------------------------------------------------------

_FRACTION = "^-?[0-9]+(/[1-9][0-9]*)?$"
_ZONE = "[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*"


def _parse_bytes(cls: Any, text: str) -> Any:
    """Base64 with padding and without other characters (RFC 4648, 3.3)."""
    from binascii import a2b_base64

    found = a2b_base64(text, strict_mode=True)
    if len(text) != -(-len(found) // 3) * 4:  # Python before 3.14 ignores what comes after it
        raise ValueError("Excess padding not allowed")
    return cls(found)


def _parse_buffer(_cls: Any, text: str) -> Any:
    return _parse_bytes(bytes, text)


def _parse_zone(cls: Any, text: str) -> Any:
    matched(_ZONE, text)
    try:
        return cls(text)
    except Exception:  # its message names the folders of the server
        raise ValueError from None


def _parse_path_like(_cls: Any, text: str) -> Any:
    from pathlib import Path

    return Path(text)


# -- writing -----------------------------------------------------------------------------------


def write_bytes(value: Any) -> str:
    """Bytes in base64."""
    import base64

    return base64.b64encode(value).decode()


def _write_duration(value: Any) -> str:
    """A duration of ISO 8601, as in RFC 3339, appendix A: ``P1DT2.5S``."""
    sign, value = ("-", -value) if value.days < 0 else ("", value)
    seconds = f"{value.seconds}.{value.microseconds:06}".rstrip("0").rstrip(".")
    return f"{sign}P{value.days}DT{seconds}S"


def _write_pattern(value: Any) -> str:
    text: str | bytes = value.pattern
    return text if isinstance(text, str) else text.decode("latin-1")


def _write_path(value: Any) -> str:
    from os import fsdecode

    return fsdecode(value)


# -- what fits a format ------------------------------------------------------------------------


def _has_offset(value: Any) -> bool:
    """Whether a time has an offset of whole minutes, which RFC 3339 requires."""
    offset = value.utcoffset()
    return offset is not None and not (offset.seconds % 60 or offset.microseconds)


def _is_ecma(value: Any) -> bool:
    """Whether a pattern means the same in ECMA-262, whose patterns the format is about."""
    text = _write_pattern(value)
    try:
        return to_ecma(text) == text
    except ValueError:
        return False


# -- the table ---------------------------------------------------------------------------------


def _plain(name: str, label: str, parse: Parse = parse_any, *more: Any) -> ScalarType:
    return ScalarType(name, {"type": "string"}, label, parse, *more)


def _bytes(name: str, parse: Parse) -> ScalarType:
    keywords = {"type": "string", "contentEncoding": "base64"}
    return ScalarType(name, keywords, "bytes in base64, with padding", parse, write_bytes, LAST)


def _matching(name: str, pattern: str, label: str) -> ScalarType:
    return ScalarType(name, {"type": "string", "pattern": pattern}, label, parse_match(pattern))


def _format(text_format: str, label: str, priority: int = EXACT, **more: Any) -> ScalarType:
    """The row of the class that a format is parsed into."""
    name, parse = PARSERS[text_format]
    keywords = {"type": "string", "format": text_format}
    return ScalarType(name, keywords, label, parse, priority=priority, **more)


_ISO: Keywords = {"write": lambda value: value.isoformat()}
_WITH_OFFSET: Keywords = {**_ISO, "fits_format": _has_offset}

SCALAR_TYPES: tuple[ScalarType, ...] = (
    _bytes("builtins.bytes", _parse_bytes),
    _bytes("builtins.bytearray", _parse_bytes),
    _bytes("builtins.memoryview", _parse_bytes),
    _bytes("collections.abc.Buffer", _parse_buffer),
    _bytes("typing_extensions.Buffer", _parse_buffer),
    _bytes("collections.abc.ByteString", _parse_buffer),
    _plain("collections.UserString", "a string"),
    _format("date-time", "a date and time such as 2026-01-31T12:00:00Z", **_WITH_OFFSET),
    _format("date", "a date such as 2026-01-31", **_ISO),
    _format("time", "a time such as 12:00:00Z", **_WITH_OFFSET),
    _format(
        "duration",
        "a duration such as P1DT2H30M, without years",
        write=_write_duration,
        fits_format=lambda value: value.days >= 0 and not value.microseconds,
    ),
    _matching("decimal.Decimal", DECIMAL, "a decimal number in a string"),
    _matching("fractions.Fraction", _FRACTION, "a fraction such as 1/3"),
    _format("uuid", "a UUID such as 12345678-1234-5678-1234-567812345678"),
    _format("ipv4", "an IPv4 address such as 127.0.0.1"),
    _format(
        "ipv6", "an IPv6 address such as ::1", fits_format=lambda value: value.scope_id is None
    ),
    # Not the formats ipv4 and ipv6, which have no /24.
    _plain("ipaddress.IPv4Interface", "an IPv4 interface such as 10.0.0.1/8"),
    _plain("ipaddress.IPv6Interface", "an IPv6 interface such as ::1/128"),
    _plain("ipaddress.IPv4Network", "an IPv4 network such as 10.0.0.0/8"),
    _plain("ipaddress.IPv6Network", "an IPv6 network such as fe80::/10"),
    _plain("pathlib.PurePath", "a path"),
    # Path has the row of its base, but is listed so that no family of classes claims it.
    _plain("pathlib.Path", "a path"),
    _plain("os.PathLike", "a path", _parse_path_like, _write_path),
    _format("regex", "a regular expression", WRITTEN, write=_write_pattern, fits_format=_is_ecma),
    _plain("zoneinfo.ZoneInfo", "a time zone such as Europe/Berlin", _parse_zone),
)
"""Every scalar type that is a string in JSON but ``str``; a subclass has the row of its base."""

BY_NAME: dict[str, list[ScalarType]] = {}
for _row in SCALAR_TYPES:
    BY_NAME.setdefault(_row.name.rpartition(".")[2], []).append(_row)

DOUBTFUL_FORMATS = frozenset(
    row.keywords["format"] for row in SCALAR_TYPES if row.fits_format is not None
)
"""The formats that not every value of a type has: that of a date and time requires an offset."""
