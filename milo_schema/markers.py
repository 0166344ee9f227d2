"""Markers: metadata that users write in ``Annotated[...]`` to change a schema.

They are plain values. The tables in ``nodes.metadata`` have a row for the effect of each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from milo_schema.annotations.classes import (
    COMMON,
    MISSING,
    USER_CODE_ERRORS,
    is_any,
    loaded,
    static,
)
from milo_schema.annotations.forms import Marker, display
from milo_schema.errors import SchemaError
from milo_schema.json_schema.patterns import PythonOnlyError, to_ecma
from milo_schema.json_schema.values import INFINITY, MAX_BITS, Budget, NotJSONError, to_json

if TYPE_CHECKING:  # modules that a program without such numbers does not load
    import re
    from datetime import date, time, timedelta
    from decimal import Decimal
    from fractions import Fraction

    Number = float | Decimal | Fraction
    Bound = Number | date | time | timedelta
    Regex = str | re.Pattern[str]
else:
    Number = Bound = Regex = Any

Keywords = Mapping[str, Any]
Value = TypeVar("Value")


class _Comparable(Marker):
    """A marker that is equal to another one if both kind and value are the same.

    ``typing`` caches ``Annotated[...]`` by equality, so ``MinLen(1)`` must not equal
    ``MaxLen(1)``, nor ``Ge(1)`` equal ``Ge(True)``.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return False
        mine, theirs = self.value, other.value
        kind = type(mine)
        if kind is not type(theirs):
            return False
        is_plain = kind is str or kind is int  # most values are like that
        return bool(mine == theirs if is_plain else _text_of(mine) == _text_of(theirs))

    def __hash__(self) -> int:
        value = self.value
        kind = type(value)
        return hash((type(self), value if kind is str or kind is int else _text_of(value)))


def _text_of(value: object) -> str:
    """A string that two values of one class share if they are equal."""
    try:
        if is_any(type(value), _CONTAINERS):
            _measure(value, Budget())  # the text of a value with shared parts may be endless
        return repr(value)
    except USER_CODE_ERRORS:  # the value is user code, or has an int of thousands of digits
        return str(id(value))


_CONTAINERS = (list, tuple, set, frozenset, dict)


def _measure(value: Any, budget: Budget) -> None:
    """Refuse a value that has too many parts, or is nested too deeply."""
    if budget.depth < 0:
        raise NotJSONError("a value nested too deeply, or inside itself")
    for part in budget.each(_parts_of(value)):
        _measure(part, budget.inside())


def _parts_of(value: Any) -> Any:
    kind = type(value)
    if issubclass(kind, Mapping):
        return (*value, *value.values())
    if issubclass(kind, Collection) and not issubclass(kind, (str, bytes, bytearray)):
        return value
    return [getattr(value, name) for name in static(kind, "__dataclass_fields__") or ()]


class _Valued(_Comparable, Generic[Value]):
    """A marker with a value of the type in brackets."""

    __slots__ = ()
    check: Callable[[Any], Any]
    example: ClassVar[str] = '"..."'

    def __init_subclass__(cls, *, check: Callable[[Any], Any] | None = None) -> None:
        super().__init_subclass__()
        if check is not None:  # a subclass of yours inherits it
            cls.check = staticmethod(check)

    if TYPE_CHECKING:

        def __init__(self, value: Value) -> None: ...

    else:

        def __init__(self, value: Value = MISSING) -> None:
            if value is MISSING:
                name = type(self).__name__
                reason = f"{name}() needs a value, such as {name}({self.example})"
                raise SchemaError(reason, code="unfit-marker")
            self.value = value
            try:
                self.check(value)
            except NotJSONError:
                pass  # checked when the schema is derived, where there is a path to report
            except ValueError as problem:
                raise SchemaError(f"{display(self)}: {problem}", code="unfit-marker") from None


class _Constraint(_Valued[Value]):
    """A marker that annotated-types has, too; to its readers, it is a group of such metadata.

    They ask a group for its members, and only then is that library imported.
    """

    __slots__ = ()
    name: ClassVar[str]
    example = "1"

    def __init_subclass__(cls, *, check: Callable[[Any], Any] | None = None) -> None:
        super().__init_subclass__(check=check)
        if check is not None:
            cls.name = cls.__name__

    @property
    def __is_annotated_types_grouped_metadata__(self) -> Literal[True]:
        return True

    def __iter__(self) -> Iterator[object]:
        try:
            import annotated_types
        except ImportError:  # the reader does without it, and ignores what it does not know
            return
        yield getattr(annotated_types, self.name)(self.check(self.value))


class _Text(_Valued[str]):
    """A marker with a string, which pydantic writes under a keyword, too."""

    __slots__ = ()
    keyword: ClassVar[str]

    def __get_pydantic_json_schema__(self, core: Any, make: Callable[[Any], Any]) -> Any:
        return {**make(core), self.keyword: self.value}


class Flag(_Comparable):
    """A marker without a value: the class itself means the same as an instance.

    ``Annotated[str, Deprecated]`` and ``Annotated[str, Deprecated()]`` are the same.
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(MISSING)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


# -- the values of markers ---------------------------------------------------------------------


def _length(value: Any) -> int:
    if type(value) is int and value >= 0 and value.bit_length() <= MAX_BITS:
        return value
    raise ValueError("expected a non-negative integer")


def _number(value: Any) -> int | float:
    """A number that JSON has and Python can write; not a bool."""
    kind = type(value)
    if kind is int and value.bit_length() <= MAX_BITS:
        return int(value)
    if kind is float and -INFINITY < value < INFINITY:
        return float(value)
    is_finite = kind is not loaded("decimal.Decimal") or value.is_finite()
    if is_finite and is_any(kind, (loaded("decimal.Decimal"), loaded("fractions.Fraction"))):
        return _number(int(value) if value == int(value) else float(value))
    raise ValueError("expected a finite number")


def _bound(value: Any) -> Any:
    """A number, or a date, a time or a duration, for which JSON Schema has no keyword."""
    if id(type(value)) in COMMON:  # as most, which are numbers
        return _number(value)
    is_date = any(issubclass(type(value), loaded(each) or Marker) for each in _DATES)
    return value if is_date else _number(value)


_DATES = ("datetime.date", "datetime.time", "datetime.timedelta")


def _divisor(value: Any) -> int | float:
    if (number := _number(value)) > 0:
        return number
    raise ValueError("expected a number greater than 0")


def _text(value: Any) -> str:
    if type(value) is str:
        return value
    raise ValueError("expected a string")


def _regex(value: Any) -> Any:
    """A pattern, compiled or not; its syntax is checked when the schema is derived."""
    if type(value) is str or type(value) is loaded("re.Pattern"):
        return value
    raise ValueError("expected a string")


def _keywords(value: Any) -> dict[str, Any]:
    keywords = to_json(value)
    if type(keywords) is not dict:
        raise ValueError("expected a dict of keywords")
    return keywords


# -- the markers -------------------------------------------------------------------------------


class MinLen(_Constraint[int], check=_length):
    """At least this many characters, items or properties.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import MinLen, type_to_schema
        >>> type_to_schema(Annotated[list[int], MinLen(1)])
        {'type': 'array', 'items': {'type': 'integer'}, 'minItems': 1}
    """

    __slots__ = ()


class MaxLen(_Constraint[int], check=_length):
    """At most this many characters, items or properties.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import MaxLen, type_to_schema
        >>> type_to_schema(Annotated[str, MaxLen(80)])
        {'type': 'string', 'maxLength': 80}
    """

    __slots__ = ()


class Gt(_Constraint[Bound], check=_bound):
    """Greater than this number; calls also compare dates, times and durations.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Gt, type_to_schema
        >>> type_to_schema(Annotated[int, Gt(0)])
        {'type': 'integer', 'exclusiveMinimum': 0}
    """

    __slots__ = ()


class Ge(_Constraint[Bound], check=_bound):
    """This number or greater; calls also compare dates, times and durations.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Ge, type_to_schema
        >>> type_to_schema(Annotated[int, Ge(1)])
        {'type': 'integer', 'minimum': 1}
    """

    __slots__ = ()


class Lt(_Constraint[Bound], check=_bound):
    """Less than this number; calls also compare dates, times and durations.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Lt, type_to_schema
        >>> type_to_schema(Annotated[float, Lt(1.5)])
        {'type': 'number', 'exclusiveMaximum': 1.5}
    """

    __slots__ = ()


class Le(_Constraint[Bound], check=_bound):
    """This number or less; calls also compare dates, times and durations.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Le, type_to_schema
        >>> type_to_schema(Annotated[int, Le(100)])
        {'type': 'integer', 'maximum': 100}
    """

    __slots__ = ()


class MultipleOf(_Constraint[Number], check=_divisor):
    """A whole multiple of this number.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import MultipleOf, type_to_schema
        >>> type_to_schema(Annotated[int, MultipleOf(5)])
        {'type': 'integer', 'multipleOf': 5}
    """

    __slots__ = ()


class Pattern(_Valued[Regex], check=_regex):
    """A regular expression that the string matches somewhere (anchor it with ``^`` and ``$``).

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Pattern, type_to_schema
        >>> type_to_schema(Annotated[str, Pattern("^[a-z]+$")])
        {'type': 'string', 'pattern': '^[a-z]+$'}
    """

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: Any, make: Callable[[Any], Any]) -> Any:
        import re

        search = re.compile(self.value).search

        def checked(value: Any) -> Any:
            if isinstance(value, str) and search(value) is None:
                raise ValueError(f"must match {display(self.value)}")
            return value

        core = loaded("pydantic_core.core_schema")
        return core.no_info_after_validator_function(checked, make(source))

    def __get_pydantic_json_schema__(self, core: Any, make: Callable[[Any], Any]) -> Any:
        try:
            return {**make(core), "pattern": to_ecma(self.value)}
        except PythonOnlyError:
            return make(core)


class Description(_Text, check=_text):
    """A description of the value. It takes precedence over the docstring.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Description, type_to_schema
        >>> type_to_schema(Annotated[int, Description("In seconds.")])
        {'type': 'integer', 'description': 'In seconds.'}
    """

    __slots__ = ()
    keyword = "description"


class Title(_Text, check=_text):
    """A short name for people.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Title, type_to_schema
        >>> type_to_schema(Annotated[str, Title("Host name")])
        {'type': 'string', 'title': 'Host name'}
    """

    __slots__ = ()
    keyword = "title"


class Format(_Text, check=_text):
    """A format that JSON Schema or OpenAPI defines, such as ``email`` or ``uri``.

    Use ``Schema({"format": ...})`` for any other.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Format, type_to_schema
        >>> type_to_schema(Annotated[str, Format("email")])
        {'type': 'string', 'format': 'email'}
    """

    __slots__ = ()
    keyword = "format"


class Deprecated(Flag):
    """The value should no longer be used.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Deprecated, type_to_schema
        >>> type_to_schema(Annotated[str, Deprecated])
        {'type': 'string', 'deprecated': True}
    """

    __slots__ = ()


class Examples(_Comparable):
    """Values that a caller could pass.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Examples, type_to_schema
        >>> type_to_schema(Annotated[str, Examples("eu-1", "us-2")])
        {'type': 'string', 'examples': ['eu-1', 'us-2']}
    """

    __slots__ = ()

    def __init__(self, *values: Any) -> None:
        super().__init__(values)

    def __repr__(self) -> str:
        return f"Examples({', '.join(map(repr, self.value))})"


class Schema(_Valued[Keywords], check=_keywords):
    """Keywords that are merged into the schema as they are.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Schema, type_to_schema
        >>> type_to_schema(Annotated[str, Schema({"x-user-providable": True})])
        {'type': 'string', 'x-user-providable': True}
    """

    __slots__ = ()
    example = "{...}"


class Default(_Comparable):
    """The actual default of a parameter whose default is a marker of your framework.

    A function of ``Profile.with_markers()`` returns it; anywhere else, write the default itself.

    Example:
        >>> from milo_schema import Default, function_to_schema, profiles
        >>> class Option:
        ...     def __init__(self, default: object) -> None:
        ...         self.default = default
        >>> mine = profiles.MCP.with_markers({Option: lambda it: [Default(it.default)]})
        >>> def wait(seconds: int = Option(5)): ...
        >>> function_to_schema(wait, profile=mine)["properties"]
        {'seconds': {'type': 'integer', 'default': 5}}
    """

    __slots__ = ()


class Foreign(Marker):
    """Metadata that only a foreign library understands, which then makes the schema."""

    __slots__ = ()


class Validated(Marker):
    """Metadata that a foreign library must check, because they say more than a schema can."""

    __slots__ = ()


class Predicate(Marker):
    """A function that is true for valid values."""

    __slots__ = ()


class Finite(Marker):
    """``AllowInfNan(False)`` of pydantic, for a ``Decimal``: JSON has no other infinite number."""

    __slots__ = ()


class Timezone(Marker):
    """The UTC offset of a date and time, as annotated-types writes it."""

    __slots__ = ()


class Strict(Marker):
    """The author wants no other spelling of a value, so that repair leaves it alone."""

    __slots__ = ()


class CommandLine(Marker):
    """How a command line of a foreign library presents a parameter: ``x-milo-cli``."""

    __slots__ = ()


class Injected(Flag):
    """The framework fills in the parameter, so the schema leaves it out.

    A field of a record with this marker is left out, too; it keeps its default.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Injected, function_to_schema
        >>> def search(query: str, session: Annotated[object, Injected]): ...
        >>> list(function_to_schema(search)["properties"])
        ['query']
    """

    __slots__ = ()
    hides = True
