"""Names that a module lacks at run time, and the stand-ins for them in an annotation.

Most are imported under ``if TYPE_CHECKING:``. A well-known name of the standard library
means what it means there. Any other becomes an ``Unresolved``, which keeps its place inside the
annotation, so only this place is lost.
"""

from __future__ import annotations

from milo_schema.annotations.classes import Unresolved, why_missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from milo_schema.annotations.evaluation import Scope


def stand_in(name: str, text: str, scope: Scope, cause: BaseException) -> Any:
    """The stand-in for a missing *name* in an annotation that is written as *text*."""
    found = None
    if f"{name}." in text:
        found = __import__(MODULES[name]) if name in MODULES else None
    elif name in STANDARD:
        found = getattr(__import__(STANDARD[name], fromlist=[name]), name, None)
    if found is not None:
        return found
    # The caches of typing keep it, so it must not keep a traceback and everything in its frames.
    return Unresolved(name, why_missing(name, name, scope.globals), cause.with_traceback(None))


_NAMES = {
    "typing": (
        "Annotated Any AnyStr BinaryIO ClassVar Dict Final FrozenSet IO List Literal LiteralString "
        "NamedTuple Never NoReturn NotRequired Optional ReadOnly Required Self TextIO Tuple Type "
        "TypedDict Union Unpack"
    ),
    "collections.abc": (
        "AsyncGenerator AsyncIterable AsyncIterator Awaitable Callable Coroutine Hashable "
        "ItemsView Iterable Iterator KeysView Mapping MutableMapping MutableSequence MutableSet "
        "Sequence ValuesView"
    ),
    "datetime": "date datetime time timedelta timezone tzinfo",
    "decimal": "Decimal",
    "enum": "Enum Flag IntEnum IntFlag StrEnum",
    "fractions": "Fraction",
    "ipaddress": ("IPv4Address IPv4Interface IPv4Network IPv6Address IPv6Interface IPv6Network"),
    "pathlib": "Path PosixPath PurePath PurePosixPath PureWindowsPath WindowsPath",
    "uuid": "UUID",
}

STANDARD = {name: module for module, names in _NAMES.items() for name in names.split()}
"""The module of each name that is taken from the standard library.

Names that other libraries give to their own classes are not included: ``Collection``,
``Container``, ``Generator``, ``Pattern``, ``Set``, ``Text``.
"""

MODULES = {each.partition(".")[0]: each for each in _NAMES}
"""The same for modules: ``datetime.date`` with a missing ``datetime``."""
