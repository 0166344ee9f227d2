"""The formats of strings that this library reads: each with the function that parses its text.

A parser takes the class of the value to make, because a subclass and ``re.Pattern[bytes]`` are made
from the same texts; it raises an exception of its own if the text is not valid. Each string is read
exactly as its RFC requires, where ``fromisoformat()`` and ``UUID()`` read more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Parse = Callable[[Any, str], Any]

_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?"
_OFFSET = r"([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?)?"
_UUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_SECONDS = r"[0-9]+(\.[0-9]+)?S"
_CLOCK = f"T([0-9]+H([0-9]+M({_SECONDS})?)?|[0-9]+M({_SECONDS})?|{_SECONDS})"
_DURATION = f"-?P([0-9]+W|[0-9]+D({_CLOCK})?|{_CLOCK})"
_UNITS = {"W": 7 * 86_400, "D": 86_400, "H": 3_600, "M": 60, "S": 1}

MAX_PATTERN = 300
"""The most characters of a regular expression: to compile one takes up to 1 ms for each."""


def matched(pattern: str, text: str) -> str:
    """The text, if the whole of it matches; else raise ``ValueError``."""
    import re

    if re.fullmatch(pattern, text) is None:
        raise ValueError
    return text


def parse_match(pattern: str) -> Parse:
    """A parser of the texts that match a pattern."""
    return lambda cls, text: cls(matched(pattern, text))


def parse_any(cls: Any, text: str) -> Any:
    """Let the class decide."""
    return cls(text)


def _parse_iso(pattern: str) -> Parse:
    """A parser of RFC 3339; the offset may be missing, because Python has such values."""
    return lambda cls, text: cls.fromisoformat(matched(pattern, text).upper())


def _parse_date(cls: Any, text: str) -> Any:
    if text[4::3] != "--":  # fromisoformat() also reads weeks, and dates without hyphens
        raise ValueError
    return cls.fromisoformat(text)


def _parse_duration(cls: Any, text: str) -> Any:
    """A duration of RFC 3339, without years and months; a sign and fractions are allowed."""
    import re

    matched(_DURATION, text)
    seconds = micro = 0
    for count, fraction, unit in re.findall(r"([0-9]+)(?:\.([0-9]+))?([A-Z])", text):
        seconds += int(count) * _UNITS[unit]
        micro += int(fraction[:6].ljust(6, "0"))
    found = cls(0, seconds, micro)
    return -found if text.startswith("-") else found


def _parse_ipv6(cls: Any, text: str) -> Any:
    if "%" in text:
        raise ValueError("an address cannot have a zone")
    return cls(text)


def _parse_regex(cls: Any, text: str) -> Any:
    import re
    import warnings

    if len(text) > MAX_PATTERN:
        raise ValueError(f"longer than {MAX_PATTERN} characters")
    with warnings.catch_warnings(action="ignore"):  # about the caller's text, not about ours
        return re.compile(text.encode("latin-1") if cls is bytes else text)


PARSERS: dict[str, tuple[str, Parse]] = {
    "date-time": ("datetime.datetime", _parse_iso(f"{_DATE}[Tt]{_TIME}{_OFFSET}")),
    "date": ("datetime.date", _parse_date),
    "time": ("datetime.time", _parse_iso(_TIME + _OFFSET)),
    "duration": ("datetime.timedelta", _parse_duration),
    "uuid": ("uuid.UUID", parse_match(_UUID)),
    "ipv4": ("ipaddress.IPv4Address", parse_any),
    "ipv6": ("ipaddress.IPv6Address", _parse_ipv6),
    "regex": ("re.Pattern", _parse_regex),
    "email": ("builtins.str", parse_match("(?s:.+)@[^@]+")),
}
"""The formats that are checked: each with the class of its values, and the parser of a string."""


def has_format(text: str, name: str) -> bool:
    """Whether a string has a format; one that is not in the table accepts any string."""
    if name not in PARSERS:
        return True
    dotted, parse = PARSERS[name]
    module, _, cls = dotted.rpartition(".")
    try:
        parse(getattr(__import__(module), cls), text)
    except Exception:  # each parser has its own errors
        return False
    return True
