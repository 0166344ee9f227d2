"""Placeholders for names that are missing at run time, and the reasons why they are.

Most of these names are imported under ``if TYPE_CHECKING:``. The fallback of the scope may have
the name, and a well-known name of the standard library is looked up there. Any other becomes an
``Unresolved`` inside the annotation, so the rest of the annotation is kept.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from typing import Any

from milo_schema.annotations.classes import (
    MISSING,
    NamesByModule,
    Unresolved,
    describe_error,
    inherits,
    is_class,
    missing_name,
    shorten,
)
from milo_schema.annotations.scopes import Scope

# -- placeholders ---------------------------------------------------------------------------------


def placeholder_for(name: str, text: str, scope: Scope, cause: BaseException) -> Any:
    """The placeholder for a missing *name* in the annotation *text*."""
    fallback: Any = scope.names[-1]
    found = fallback.get(name, MISSING)
    if found is not MISSING and type(found) is not Unresolved:  # the fallback can import it
        return found
    standard = _of_standard_library(name, text)
    if standard is not None:
        return standard
    if found is not MISSING:
        return found
    note = fallback.note if inherits(type(fallback), NamesByModule) else ""
    # typing caches the placeholder, so it must not hold a traceback and all that is in its frames.
    cause = cause.with_traceback(None)
    return Unresolved(name, why_missing(name, name, scope.globals) + note, cause)


def _of_standard_library(name: str, text: str) -> Any:
    """The meaning of a well-known name; ``None`` for any other."""
    if f"{name}." in text:
        return __import__(MODULES[name]) if name in MODULES else None
    if name in STANDARD:
        return getattr(__import__(STANDARD[name], fromlist=[name]), name, None)
    return None


def guarded_names(names: Iterable[str], scope: Scope) -> dict[str, Any]:
    """Placeholders for names that have a value with which Python cannot evaluate an annotation.

    A module becomes a ``GuardedModule``, and a string becomes a forward reference, which can be a
    member of a union: ``Json = "dict[str, Json] | str"`` in ``Json | None``.
    """
    fallback: Any = scope.names[-1]
    found: dict[str, Any] = {}
    for name in names:
        value = fallback[name] if name in fallback else scope.find(name)
        if type(value) is types.ModuleType:
            found[name] = GuardedModule(name, value)
        elif type(value) is str:
            from typing import ForwardRef

            found[name] = ForwardRef(value)
    return found


class GuardedModule:
    """A module in an annotation, with an ``Unresolved`` for each attribute that it lacks."""

    __slots__ = ("_module", "_name")

    def __init__(self, name: str, module: types.ModuleType) -> None:
        self._name = name
        self._module = module

    def __getattr__(self, name: str) -> Any:
        text = f"{self._name}.{name}"
        try:
            found = getattr(self._module, name)
        except AttributeError as problem:
            why = f"cannot evaluate {shorten(repr(text))}: {describe_error(problem)}"
            return Unresolved(text, why, problem.with_traceback(None))
        return GuardedModule(text, found) if type(found) is types.ModuleType else found


# -- reasons -----------------------------------------------------------------------------------


def why_not(text: str, problem: BaseException, names: Mapping[str, Any]) -> str:
    """The reason why the annotation *text* cannot be evaluated."""
    if missing := missing_name(problem):
        return why_missing(text, missing, names)
    reason = f"cannot evaluate {shorten(repr(text))}: {describe_error(problem)}"
    words = "".join(char if char.isidentifier() else " " for char in text).split()
    meant = [_FUNCTIONS[word] for word in words if word in _FUNCTIONS]
    is_meant = isinstance(problem, TypeError) and meant
    return f"{reason}; did you mean {meant[0]}?" if is_meant else reason


_FUNCTIONS = {"any": "typing.Any", "callable": "collections.abc.Callable"}
"""Functions that are sometimes written where a type is meant: ``any | None``."""


def why_missing(text: str, missing: str, names: Mapping[str, Any]) -> str:
    """The reason why the annotation *text* cannot be evaluated, when a name is missing."""
    module, name = names.get("__name__", "its module"), shorten(repr(missing))
    reason = f"no {name} in {module}"
    if text != missing:
        reason = f"cannot evaluate {shorten(repr(text))}: {reason}"
    if meant := _meant(missing, names):
        return f"{reason}; did you mean {meant}?"
    return f"{reason}; import it there at run time, or pass localns="


def _meant(missing: str, names: Mapping[str, Any]) -> str:
    """The type that a misspelled name, or the name of a JSON type, means; empty if unknown."""
    if missing in _OF_JSON:
        return _OF_JSON[missing]
    classes = [name for name, value in [*names.items()] if is_class(value) and type(name) is str]
    return next((each for each in (*_COMMON, *classes) if _is_slip(missing, each)), "")


def _is_slip(written: str, meant: str) -> bool:
    """Whether two names differ by one typo: a letter added, dropped, replaced or swapped."""
    if abs(len(written) - len(meant)) > 1 or min(len(written), len(meant)) < _SHORTEST:
        return False
    pairs = zip(written, meant, strict=False)
    at = next((i for i, (one, other) in enumerate(pairs) if one != other), len(meant))
    left, right = written[at:], meant[at:]
    swapped = left[:2] == right[1::-1] and left[2:] == right[2:]
    return left[1:] == right or left == right[1:] or left[1:] == right[1:] or swapped


_SHORTEST = 3
_OF_JSON = {"array": "list", "boolean": "bool", "integer": "int", "string": "str"}
_COMMON = (
    *("Annotated", "Any", "Callable", "Iterable", "Literal", "Mapping", "Optional", "Union"),
    *("bool", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple"),
)


# -- the standard library ----------------------------------------------------------------------

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
"""The module of each name that is looked up in the standard library.

Names that other libraries give to their own classes are not included: ``Collection``,
``Container``, ``Generator``, ``Pattern``, ``Set``, ``Text``.
"""

MODULES = {each.partition(".")[0]: each for each in _NAMES}
"""The module for the first name of a dotted one: ``datetime.date`` without ``datetime``."""
