"""Loaders of values that are strings in JSON; each is read exactly as its format requires."""

from __future__ import annotations

from milo_schema.annotations import Any, Callable
from milo_schema.annotations.classes import class_name, loaded, mro, repr_of_error
from milo_schema.decoding.loader import (
    EXACT,
    LAST,
    WRITTEN,
    Loader,
    Refused,
    Run,
    construct,
    described,
    printable,
    refused,
    wrong,
)
from milo_schema.json_schema import DECIMAL

Parse = Callable[[Any, str], Any]

TEXT = frozenset({str})


def text_loader(cls: Any) -> Loader | None:
    """The loader of a class with values that are strings in JSON; ``None`` for other classes."""
    for base in mro(cls)[:-1]:
        for dotted, label, turn, parse in _ROWS.get(class_name(base), ()):
            if loaded(dotted) is base:
                return _loader(cls, label, turn, parse)
    return None


def _loader(cls: Any, label: str, turn: int, parse: Parse) -> Loader:
    loader = Loader(TEXT, label, turn=turn)

    def load(json: Any, run: Run) -> Any:
        if type(json) is not str:
            return wrong(loader, json, run)
        try:
            return parse(cls, json)
        except Exception as problem:  # noqa: BLE001 - a class of the user's may be derived from it
            why = printable(repr_of_error(problem, str))
            said = f"expected {label}, got {described(json)}"
            return refused(f"{said}: {why}" if why else said)

    loader.load = load
    if parse is _decimal:
        loader.numbered = _numbered(cls, loader)
    return loader


def _numbered(cls: Any, text: Loader) -> Loader:
    """A decimal that may also be a number: it has a bound, and bounds do not apply to strings."""
    loader = Loader(frozenset({str, int, float}), text.label, turn=text.turn)

    def load(json: Any, run: Run) -> Any:
        if type(json) is int or type(json) is float:
            return construct(cls, repr(json) if type(json) is float else json)
        return text.load(json, run) if type(json) is str else wrong(loader, json, run)

    loader.load = load
    return loader


# -- formats -----------------------------------------------------------------------------------

_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?"
_OFFSET = r"([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?)?"
_UUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_SECONDS = r"[0-9]+(\.[0-9]+)?S"
_CLOCK = f"T([0-9]+H([0-9]+M({_SECONDS})?)?|[0-9]+M({_SECONDS})?|{_SECONDS})"
_DURATION = f"-?P([0-9]+W|[0-9]+D({_CLOCK})?|{_CLOCK})"
_UNITS = {"W": 7 * 86_400, "D": 86_400, "H": 3_600, "M": 60, "S": 1}


def _matched(pattern: str, text: str) -> Any:
    """Match a whole string; raise ``ValueError`` if it does not match."""
    import re

    if (found := re.fullmatch(pattern, text)) is None:
        raise ValueError
    return found


def _date(cls: Any, text: str) -> Any:
    if len(text) != 10 or text[4] != "-" or text[7] != "-":  # noqa: PLR2004 - YYYY-MM-DD
        raise ValueError
    return cls.fromisoformat(text)


def _datetime(cls: Any, text: str) -> Any:
    """A datetime of RFC 3339; the offset may be missing, because Python has such datetimes."""
    return cls.fromisoformat(_matched(f"{_DATE}[Tt]{_TIME}{_OFFSET}", text)[0].upper())


def _time(cls: Any, text: str) -> Any:
    return cls.fromisoformat(_matched(_TIME + _OFFSET, text)[0].upper())


def _timedelta(cls: Any, text: str) -> Any:
    """A duration of RFC 3339, without years and months; a sign and fractions are allowed."""
    import re

    _matched(_DURATION, text)
    seconds = micro = 0
    for count, fraction, unit in re.findall(r"([0-9]+)(?:\.([0-9]+))?([A-Z])", text):
        seconds += int(count) * _UNITS[unit]
        micro += int(fraction[:6].ljust(6, "0"))
    found = cls(0, seconds, micro)
    return -found if text.startswith("-") else found


def _uuid(cls: Any, text: str) -> Any:
    return cls(_matched(_UUID, text)[0])


def _decimal(cls: Any, text: str) -> Any:
    return cls(_matched(DECIMAL, text)[0])


def _bytes(cls: Any, text: str) -> Any:
    """Base64 with padding and without other characters (RFC 4648, 3.3)."""
    from binascii import a2b_base64

    return cls(a2b_base64(text, strict_mode=True))


def _buffer(_cls: Any, text: str) -> Any:
    return _bytes(bytes, text)


def _ipv6(cls: Any, text: str) -> Any:
    if "%" in text:
        raise ValueError("an address cannot have a zone")
    return cls(text)


def _pattern(_cls: Any, text: str) -> Any:
    import re

    return re.compile(text)


def _path_like(_cls: Any, text: str) -> Any:
    from pathlib import Path

    return Path(text)


def _called(cls: Any, text: str) -> Any:
    return cls(text)


_ADDRESS = "an IPv{0} address such as {1}"
_BASE64 = "bytes in base64, with padding"

TEXTS: dict[str, tuple[str, int, Parse]] = {
    "builtins.bytes": (_BASE64, LAST, _bytes),
    "builtins.bytearray": (_BASE64, LAST, _bytes),
    "builtins.memoryview": (_BASE64, LAST, lambda cls, text: cls(_bytes(bytes, text))),
    "collections.abc.Buffer": (_BASE64, LAST, _buffer),
    "typing_extensions.Buffer": (_BASE64, LAST, _buffer),
    "collections.abc.ByteString": (_BASE64, LAST, _buffer),
    "collections.UserString": ("a string", WRITTEN, _called),
    "datetime.datetime": ("a date and time such as 2026-01-31T12:00:00Z", EXACT, _datetime),
    "datetime.date": ("a date such as 2026-01-31", EXACT, _date),
    "datetime.time": ("a time such as 12:00:00Z", EXACT, _time),
    "datetime.timedelta": ("a duration such as P1DT2H30M, without years", EXACT, _timedelta),
    "decimal.Decimal": ("a decimal number in a string", WRITTEN, _decimal),
    "uuid.UUID": ("a UUID such as 12345678-1234-5678-1234-567812345678", EXACT, _uuid),
    "ipaddress.IPv4Address": (_ADDRESS.format(4, "127.0.0.1"), EXACT, _called),
    "ipaddress.IPv6Address": (_ADDRESS.format(6, "::1"), EXACT, _ipv6),
    "ipaddress.IPv4Interface": ("an IPv4 interface such as 10.0.0.1/8", WRITTEN, _called),
    "ipaddress.IPv6Interface": ("an IPv6 interface such as ::1/128", WRITTEN, _called),
    "ipaddress.IPv4Network": ("an IPv4 network such as 10.0.0.0/8", WRITTEN, _called),
    "ipaddress.IPv6Network": ("an IPv6 network such as fe80::/10", WRITTEN, _called),
    "pathlib.PurePath": ("a path", WRITTEN, _called),
    "pathlib.Path": ("a path", WRITTEN, _called),
    "os.PathLike": ("a path", WRITTEN, _path_like),
    "re.Pattern": ("a regular expression", WRITTEN, _pattern),
    "zoneinfo.ZoneInfo": ("a time zone such as Europe/Berlin", WRITTEN, _called),
}
"""By dotted name, like ``rules.NAMED``: the label, the turn in a union, and the reader."""

_ROWS: dict[str, list[tuple[str, str, int, Parse]]] = {}
for _dotted, _row in TEXTS.items():
    _ROWS.setdefault(_dotted.rpartition(".")[2], []).append((_dotted, *_row))


# -- formats of strings ------------------------------------------------------------------------


def has_format(text: str, name: str) -> bool:
    """Whether a string has a format; an unknown format accepts any string."""
    if name not in _CHECKS:
        return True
    return type(construct(_CHECKS[name], text)) is not Refused


def _moment(name: str, parse: Parse) -> Callable[[str], Any]:
    def check(text: str) -> Any:
        import datetime as dt

        return parse(getattr(dt, name), text)

    return check


def _address(name: str, parse: Parse) -> Callable[[str], Any]:
    def check(text: str) -> Any:
        import ipaddress

        return parse(getattr(ipaddress, name), text)

    return check


def _email(text: str) -> None:
    name, _, domain = text.rpartition("@")
    if not name or not domain:
        raise ValueError("an email address needs a name and a domain")


_CHECKS: dict[str, Callable[[str], Any]] = {
    "date-time": _moment("datetime", _datetime),
    "date": _moment("date", _date),
    "time": _moment("time", _time),
    "duration": _moment("timedelta", _timedelta),
    "uuid": lambda text: _matched(_UUID, text),
    "ipv4": _address("IPv4Address", _called),
    "ipv6": _address("IPv6Address", _ipv6),
    "regex": lambda text: _pattern(None, text),
    "email": _email,
}
"""The formats that are checked in strings, each with a function that raises if one is invalid."""
