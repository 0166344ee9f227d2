"""Two versions of a tool, and whether callers of the old one break."""

from milo_schema.compare import compare


def old(city: str, days: int = 1) -> str:
    """Forecast."""
    return city * days


def new(city: str, days: int, unit: str = "C") -> str:
    """Forecast."""
    return city * days + unit


new.__name__ = "old"
changes = compare(old, new)
assert [each.path for each in changes if each.breaks] == ["old.days"]
assert [each.breaks for each in changes].count(True) == 1
