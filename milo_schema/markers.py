"""``Annotated`` metadata: our own markers, and how those of others are read.

Strategy: every piece of metadata is read as a list of our markers (``read``); what is not for us
gives none, as PEP 593 asks. A *constraint* knows one keyword for each JSON type, and is put
wherever that type is: into every arm of a union, or nowhere, which the caller then hears of.
"""

from __future__ import annotations

from typing import Any, ClassVar

from milo_schema.annotations.hints import MISSING, RAISED, inherits, is_any, is_class, loaded
from milo_schema.json_schema.keywords import tighten
from milo_schema.json_schema.patterns import DECIMAL
from milo_schema.json_schema.values import INFINITY, MAX_BITS, to_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from decimal import Decimal
    from fractions import Fraction

    Fragment = dict[str, Any]
    Kinds = Callable[[Fragment], list[str]]


class Marker:
    """One piece of ``Annotated`` metadata that speaks of the schema.

    Two markers are equal when both kind and value are: ``typing`` caches ``Annotated[...]`` by
    equality, so ``MinLen(1)`` must not equal ``MaxLen(1)``, nor ``Ge(1)`` equal ``Ge(True)``.
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value: Any = value

    def apply(self, fragment: Fragment, kinds: Kinds) -> bool:
        """Write into *fragment* what the marker says; whether there was anything to say.

        Raises:
            ValueError: The marker's value is none that it can have.
        """
        raise NotImplementedError

    def _key(self) -> tuple[object, ...]:
        try:
            if is_any(type(self.value), _CONTAINERS):
                to_json(self.value)  # what shares its parts may have no end of text
            text = repr(self.value)
        except RAISED:  # it is somebody's, or an int of thousands of digits
            text = str(id(self.value))
        return type(self), type(self.value), text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Marker) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"


_CONTAINERS = (list, tuple, set, frozenset, dict)


class Constraint(Marker):
    """A marker that refuses values. ``keywords`` has its keyword for each JSON type."""

    __slots__ = ()
    keywords: ClassVar[dict[str, str]]

    def apply(self, fragment: Fragment, kinds: Kinds) -> bool:
        """Put the constraint wherever *fragment* admits a type that it can apply to."""
        return constrain(fragment, self.keywords, self.checked(), kinds)

    def checked(self) -> Any:
        """The value as the keyword takes it."""
        raise NotImplementedError


class _Length(Constraint):
    """How many there are."""

    __slots__ = ()

    if TYPE_CHECKING:

        def __init__(self, value: int) -> None: ...

    def checked(self) -> int:
        """A length."""
        if type(self.value) is not int or self.value < 0 or finite(self.value) is None:
            raise ValueError("is no length; give a whole number from 0 on")
        return self.value


class _Bound(Constraint):
    """How large a number is."""

    __slots__ = ()

    if TYPE_CHECKING:

        def __init__(self, value: float | Decimal | Fraction) -> None: ...

    def checked(self) -> int | float:
        """A number that JSON has."""
        if (number := finite(self.value)) is None:
            raise ValueError("cannot be said in JSON Schema; give a finite number")
        return number


class MinLen(_Length):
    """At least this many characters, items or properties.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import MinLen, type_to_schema
        >>> type_to_schema(Annotated[list[int], MinLen(1)])
        {'type': 'array', 'items': {'type': 'integer'}, 'minItems': 1}
    """

    __slots__ = ()
    keywords: ClassVar[dict[str, str]] = {
        "string": "minLength",
        "array": "minItems",
        "object": "minProperties",
    }


class MaxLen(_Length):
    """At most this many characters, items or properties.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import MaxLen, type_to_schema
        >>> type_to_schema(Annotated[str, MaxLen(80)])
        {'type': 'string', 'maxLength': 80}
    """

    __slots__ = ()
    keywords: ClassVar[dict[str, str]] = {
        "string": "maxLength",
        "array": "maxItems",
        "object": "maxProperties",
    }


class Gt(_Bound):
    """Greater than this number.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Gt, type_to_schema
        >>> type_to_schema(Annotated[int, Gt(0)])
        {'type': 'integer', 'exclusiveMinimum': 0}
    """

    __slots__ = ()
    keywords: ClassVar[dict[str, str]] = dict.fromkeys(("integer", "number"), "exclusiveMinimum")


class Ge(_Bound):
    """This number or greater.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Ge, type_to_schema
        >>> type_to_schema(Annotated[int, Ge(1)])
        {'type': 'integer', 'minimum': 1}
    """

    __slots__ = ()
    keywords: ClassVar[dict[str, str]] = dict.fromkeys(("integer", "number"), "minimum")


class Lt(_Bound):
    """Less than this number.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Lt, type_to_schema
        >>> type_to_schema(Annotated[float, Lt(1.5)])
        {'type': 'number', 'exclusiveMaximum': 1.5}
    """

    __slots__ = ()
    keywords: ClassVar[dict[str, str]] = dict.fromkeys(("integer", "number"), "exclusiveMaximum")


class Le(_Bound):
    """This number or less.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Le, type_to_schema
        >>> type_to_schema(Annotated[int, Le(100)])
        {'type': 'integer', 'maximum': 100}
    """

    __slots__ = ()
    keywords: ClassVar[dict[str, str]] = dict.fromkeys(("integer", "number"), "maximum")


class MultipleOf(_Bound):
    """A whole multiple of this number.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import MultipleOf, type_to_schema
        >>> type_to_schema(Annotated[int, MultipleOf(5)])
        {'type': 'integer', 'multipleOf': 5}
    """

    __slots__ = ()
    keywords: ClassVar[dict[str, str]] = dict.fromkeys(("integer", "number"), "multipleOf")

    def checked(self) -> int | float:
        """A number that has multiples."""
        if (number := super().checked()) <= 0:
            raise ValueError("has no multiples; give a number greater than 0")
        return number


class Pattern(Constraint):
    """A regular expression that the string matches somewhere (anchor it with ``^`` and ``$``).

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Pattern, type_to_schema
        >>> type_to_schema(Annotated[str, Pattern("^[a-z]+$")])
        {'type': 'string', 'pattern': '^[a-z]+$'}
    """

    __slots__ = ()

    if TYPE_CHECKING:

        def __init__(self, value: str | re.Pattern[str]) -> None: ...

    keywords: ClassVar[dict[str, str]] = {"string": "pattern"}

    def checked(self) -> str:
        """The pattern as ECMA-262 spells it."""
        from milo_schema.json_schema.patterns import to_ecma

        return to_ecma(self.value)


class _Note(Marker):
    """A marker that refuses nothing: one keyword and its value."""

    __slots__ = ()
    keyword: str

    def apply(self, fragment: Fragment, _kinds: Kinds) -> bool:
        """Write the keyword."""
        fragment[self.keyword] = self.checked()
        return True

    def checked(self) -> Any:
        """The value as the keyword takes it."""
        if type(self.value) is not str:
            raise ValueError("is no text; give a string")
        return self.value


class Description(_Note):
    """What the value means, in words. It goes before any description in a docstring.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Description, type_to_schema
        >>> type_to_schema(Annotated[int, Description("In seconds.")])
        {'type': 'integer', 'description': 'In seconds.'}
    """

    __slots__ = ()
    keyword = "description"

    if TYPE_CHECKING:

        def __init__(self, value: str) -> None: ...


class Title(_Note):
    """A short name for people.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Title, type_to_schema
        >>> type_to_schema(Annotated[str, Title("Host name")])
        {'type': 'string', 'title': 'Host name'}
    """

    __slots__ = ()
    keyword = "title"

    if TYPE_CHECKING:

        def __init__(self, value: str) -> None: ...


class Format(_Note):
    """One of the formats that JSON Schema defines, such as ``email`` or ``uri``.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Format, type_to_schema
        >>> type_to_schema(Annotated[str, Format("email")])
        {'type': 'string', 'format': 'email'}
    """

    __slots__ = ()
    keyword = "format"

    if TYPE_CHECKING:

        def __init__(self, value: str) -> None: ...


class Deprecated(_Note):
    """The value should no longer be given.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Deprecated, type_to_schema
        >>> type_to_schema(Annotated[str, Deprecated])
        {'type': 'string', 'deprecated': True}
    """

    __slots__ = ()
    keyword = "deprecated"

    def __init__(self) -> None:
        super().__init__(True)  # noqa: FBT003

    def checked(self) -> bool:
        """Nothing to check."""
        return True


class Examples(_Note):
    """Values that a caller could give.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Examples, type_to_schema
        >>> type_to_schema(Annotated[str, Examples("eu-1", "us-2")])
        {'type': 'string', 'examples': ['eu-1', 'us-2']}
    """

    __slots__ = ()
    keyword = "examples"

    def __init__(self, *values: Any) -> None:
        super().__init__(values)

    def __repr__(self) -> str:
        return f"Examples({', '.join(map(repr, self.value))})"

    def checked(self) -> Any:
        """The values in JSON."""
        return to_json(self.value)


class Schema(Marker):
    """Keywords that are merged into the schema as they are.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Schema, type_to_schema
        >>> type_to_schema(Annotated[str, Schema({"x-user-providable": True})])
        {'type': 'string', 'x-user-providable': True}
    """

    __slots__ = ()

    if TYPE_CHECKING:

        def __init__(self, value: Mapping[str, Any]) -> None: ...

    def apply(self, fragment: Fragment, _kinds: Kinds) -> bool:
        """Write the keywords, over those that are there."""
        from milo_schema.json_schema import metaschema

        keywords = to_json(self.value)
        if type(keywords) is not dict:
            raise ValueError("is no mapping of keywords; give a dict")
        fragment.update(metaschema.checked(keywords, references=()))
        return True


class Instead(Schema):
    """Keywords in the place of those of the type."""

    __slots__ = ()


class Injected(Marker):
    """Filled in by the framework, so no part of the schema: ``Annotated[T, Injected]``.

    Example:
        >>> from typing import Annotated
        >>> from milo_schema import Injected, function_to_schema
        >>> def search(query: str, session: Annotated[object, Injected]): ...
        >>> list(function_to_schema(search)["properties"])
        ['query']
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(None)

    def apply(self, _fragment: Fragment, _kinds: Kinds) -> bool:
        """Nothing to write: whoever asks for a schema all the same gets that of the type."""
        return True


# -- reading metadata --------------------------------------------------------------------------


def read(metadata: Any) -> Iterator[Marker]:
    """The markers that a piece of ``Annotated`` metadata stands for: none if it is not for us."""
    kind = type(metadata)
    if kind is str:
        yield Description(metadata)
    elif issubclass(kind, Marker):
        yield metadata
    elif metadata is Deprecated or metadata is Injected:
        yield metadata()
    elif is_class(metadata) and inherits(metadata, Marker):  # not called: it has no value
        yield metadata(MISSING)
    else:
        for dotted, reader in READERS.items():
            if (cls := loaded(dotted)) is not None and is_class(cls) and inherits(kind, cls):
                yield from reader(metadata)
                return


_ATTRIBUTES = {
    "gt": Gt,
    "ge": Ge,
    "lt": Lt,
    "le": Le,
    "multiple_of": MultipleOf,
    "min_length": MinLen,
    "max_length": MaxLen,
    "pattern": Pattern,
    "title": Title,
    "description": Description,
    "documentation": Description,
}
"""What annotated-types, msgspec and pydantic call what our markers say."""


def _by_attributes(metadata: Any) -> Iterator[Marker]:
    for name, marker in _ATTRIBUTES.items():
        if (value := getattr(metadata, name, None)) is not None:
            yield marker(value)
    if examples := getattr(metadata, "examples", None):
        yield Examples(*examples)


def _grouped(metadata: Iterable[Any]) -> Iterator[Marker]:
    """``Interval``, ``Len`` and their like: metadata that stands for several pieces."""
    for piece in metadata:
        yield from read(piece)


def _meta(metadata: Any) -> Iterator[Marker]:
    yield from _by_attributes(metadata)
    if metadata.extra_json_schema:
        yield Schema(metadata.extra_json_schema)


def _field_info(info: Any) -> Iterator[Marker]:
    """``Field(...)`` of pydantic: what it says itself, and the metadata that it holds."""
    yield from _by_attributes(info)
    for piece in info.metadata:
        yield from read(piece)
    if info.deprecated:
        yield Deprecated()
    if isinstance(extra := info.json_schema_extra, dict):
        yield Schema(extra)


def _instead(metadata: Any) -> Iterator[Marker]:
    if metadata.json_schema is not None:
        yield Instead(metadata.json_schema)


def _deprecated(_metadata: Any) -> Iterator[Marker]:
    yield Deprecated()


READERS: dict[str, Callable[[Any], Iterator[Marker]]] = {
    "annotated_types.GroupedMetadata": _grouped,
    "annotated_types.BaseMetadata": _by_attributes,
    "annotated_types.DocInfo": _by_attributes,
    "msgspec.Meta": _meta,
    "pydantic.fields.FieldInfo": _field_info,
    "pydantic.json_schema.WithJsonSchema": _instead,
    "typing_extensions.Doc": _by_attributes,
    "typing_extensions.deprecated": _deprecated,
    "warnings.deprecated": _deprecated,
}
"""Metadata of other libraries, recognised by the class that their loaded module defines."""


# -- constraining a fragment -------------------------------------------------------------------


def finite(value: Any) -> int | float | None:
    """*value* as a JSON number that Python can write, or ``None``. A bool is no number."""
    decimal, fraction = loaded("decimal.Decimal"), loaded("fractions.Fraction")
    if type(value) is decimal and not value.is_finite():
        return None
    if is_any(type(value), (decimal, fraction)):
        value = int(value) if value == int(value) else float(value)
    if type(value) is int:
        return value if value.bit_length() <= MAX_BITS else None
    return value if type(value) is float and -INFINITY < value < INFINITY else None


def constrain(fragment: Fragment, keywords: dict[str, str], value: Any, kinds: Kinds) -> bool:
    """Put a constraint wherever *fragment* admits a type it can apply to; whether it did.

    Args:
        fragment: What is constrained, in place.
        keywords: The constraint's keyword for each JSON type.
        value: The keyword's value.
        kinds: Tells the JSON types of a fragment that is no union.
    """
    if "anyOf" in fragment:
        arms = fragment["anyOf"]
        if any(arm.get("type") == "number" for arm in arms):  # it speaks for a decimal beside it
            arms = [arm for arm in arms if not _is_decimal(arm)]
        return any([constrain(arm, keywords, value, kinds) for arm in arms])  # noqa: C419 - all
    if _is_decimal(fragment):
        if "number" not in keywords:
            return False
        number = {"type": "number", keywords["number"]: value}  # a bound says nothing of text
        fragment["anyOf"] = [number, {key: fragment.pop(key) for key in ("type", "pattern")}]
        return True
    if fragment.get("format") in _OF_VALUES:
        return False
    if "contentEncoding" in fragment and "pattern" in keywords.values():
        return False  # a pattern is of bytes, not of the text that spells them
    found = {keywords[kind]: None for kind in kinds(fragment) if kind in keywords}
    for keyword in found:
        tighten(fragment, keyword, _encoded(fragment, keyword, value))
    return bool(found)


def _is_decimal(fragment: Fragment) -> bool:
    return fragment.get("pattern") == DECIMAL


_OF_VALUES = frozenset({"date-time", "date", "time", "duration", "uuid", "ipv4", "ipv6", "regex"})
"""Formats of values that are text to JSON only: a date has no length."""


def _encoded(fragment: dict[str, Any], keyword: str, value: Any) -> Any:
    """Bytes are counted in base64, where three of them are four characters (RFC 4648)."""
    is_bytes = fragment.get("contentEncoding") == "base64"
    return 4 * -(-value // 3) if is_bytes and keyword.endswith("Length") else value
