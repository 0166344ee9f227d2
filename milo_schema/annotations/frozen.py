"""Frozen values: the fields are declared as annotations in the body of a class.

They are like frozen dataclasses, and the functions of ``dataclasses`` take them, but they do not
import it: that takes longer than everything that a plain function needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, dataclass_transform

from milo_schema.annotations.classes import NOTHING, nearest

if TYPE_CHECKING:
    from dataclasses import Field


Converter = Callable[[str, Any], Any]
"""Converts, or refuses, the value of a field; it gets the name of the field, too."""
REQUIRED: Any = object()
"""The default of a field without a default."""


class ReadOnly(dict[Any, Any]):
    """A dict that refuses changes; unlike a mapping proxy, it can be copied and pickled."""

    def _refuse(self, *_values: object, **_items: object) -> NoReturn:
        raise TypeError("a read-only dict does not support item assignment")

    if not TYPE_CHECKING:  # for which it has the types of a dict
        __setitem__ = __delitem__ = __ior__ = _refuse
        clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return ReadOnly, (dict(self),)


def read_only(name: str, value: Any, what: str = "a dict") -> Mapping[Any, Any]:
    """A read-only copy of a mapping."""
    try:
        if hasattr(value, "keys"):
            return ReadOnly(value)
    except (TypeError, ValueError):
        pass
    raise ValueError(f"{name}={value!r} is not {what}")


# -- fields ------------------------------------------------------------------------------------


def field(
    *,
    default: Any = REQUIRED,
    converter: Converter | None = None,
    reader: Callable[[Any], Any] | None = None,
    doc: str | None = None,
) -> Any:
    """Declare facts about a field that its annotation cannot express.

    Args:
        default: The value if none is passed.
        converter: Converts, or refuses, the value that is passed; it gets the name of the field
            and the value. It has to accept its own result, which ``replace()`` passes.
        reader: Converts the value to that of the attribute, each time it is read.
        doc: Describes the attribute, if there is a reader.
    """
    return _Field(default, converter, reader, doc)


class _Field:
    """The declaration of a field; the attribute itself, if the field has a reader."""

    name: str
    annotation: str

    def __init__(
        self, default: Any, converter: Any = None, reader: Any = None, doc: str | None = None
    ) -> None:
        self.default: Any = default
        self.converter: Converter | None = converter
        self.reader: Any = reader
        self.__doc__ = doc

    def __get__(self, instance: object, owner: type) -> Any:
        return self if instance is None else self.reader(vars(instance)[self.name])

    def __set__(self, instance: object, value: object) -> None:  # so that ``__get__`` comes first
        raise AttributeError(f"{self.name} is frozen")


class _Signature:
    """The signature of a class, for ``inspect.signature()`` and ``help()``."""

    def __get__(self, instance: object, cls: type[Frozen]) -> Any:
        if instance is not None:
            raise AttributeError("only the class has a signature")
        from inspect import Parameter, Signature

        kind = Parameter.KEYWORD_ONLY if cls._kw_only else Parameter.POSITIONAL_OR_KEYWORD
        parameters = [
            Parameter(
                name,
                kind,
                default=Parameter.empty if each.default is REQUIRED else each.default,
                annotation=each.annotation,
            )
            for name, each in cls._fields.items()
        ]
        return Signature(parameters)


class _OfDataclass:
    """An attribute that dataclasses have, made for callers that have loaded ``dataclasses``."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name: str = name

    def __get__(self, instance: object, cls: type[Frozen]) -> Any:
        if "_twin" not in vars(cls):
            cls._twin = _dataclass_of(cls)
        return getattr(cls._twin, self.name)


def _dataclass_of(cls: type[Frozen]) -> type:
    """A dataclass with the same fields; what ``dataclasses.replace()`` passes on is an InitVar."""
    from dataclasses import InitVar, field, make_dataclass

    fields = [
        (name, each.annotation, field(**_default_of(each), kw_only=cls._kw_only))
        for name, each in cls._fields.items()
    ]
    passed_on = [(name, InitVar[Any], field(default=None)) for name in cls._passes_on]
    return make_dataclass(cls.__name__, [*fields, *passed_on], init=False, frozen=True)


def _default_of(declared: _Field) -> dict[str, Any]:
    """The default of a field, as ``dataclasses`` takes it: one that may change is made anew."""
    default = declared.default
    if type(default).__hash__ is None:
        return {"default_factory": default.copy}
    return {} if default is REQUIRED else {"default": default}


# -- values ------------------------------------------------------------------------------------


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen:
    """The base class of frozen values, which are made from their fields.

    Two values of one class are equal if their fields are. They can be copied and pickled.
    A subclass that *passes on* some attributes gets them as arguments of its constructor when
    one of its values is replaced; they are not fields.
    """

    _fields: ClassVar[dict[str, _Field]] = {}
    _converters: ClassVar[dict[str, Converter]] = {}
    _defaults: ClassVar[dict[str, Any]] = {}
    """The default of each field after its conversion, which is not repeated for each instance."""
    _copied: ClassVar[Sequence[str]] = ()
    """The fields whose default may be changed, so that each instance has one of its own."""
    _required: ClassVar[tuple[str, ...]] = ()
    _kw_only: ClassVar[bool] = False
    _passes_on: ClassVar[tuple[str, ...]] = ()
    _twin: ClassVar[type]
    """The dataclass that answers for this class, once ``dataclasses`` has asked."""

    if TYPE_CHECKING:  # annotations are resolved without loading what this one names
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    else:
        __dataclass_fields__ = _OfDataclass()
    __dataclass_params__: ClassVar[_OfDataclass] = _OfDataclass()  # pprint reads it
    __signature__: ClassVar[_Signature] = _Signature()
    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # a field may hold dicts

    def __init_subclass__(
        cls,
        *,
        kw_only: bool = False,
        by_annotation: Mapping[str, Converter] = NOTHING,
        passes_on: tuple[str, ...] = (),
    ) -> None:
        slots = vars(cls).get("__slots__", ())
        fields = {**cls._fields}
        for name, annotation in cls.__annotations__.items():
            if name not in slots:
                fields[name] = _declared(cls, name, annotation, by_annotation)
        converters = {name: each.converter for name, each in fields.items() if each.converter}
        defaults = {name: each.default for name, each in fields.items()}
        for name, convert in converters.items():
            if defaults[name] is not REQUIRED:
                defaults[name] = convert(name, defaults[name])
        cls._fields, cls._converters, cls._defaults = fields, converters, defaults
        cls._copied = [name for name in converters if type(defaults[name]) in (dict, list)]
        cls._required = tuple(name for name, default in defaults.items() if default is REQUIRED)
        cls._kw_only = kw_only or cls._kw_only
        cls._passes_on = passes_on or cls._passes_on

    def __init__(self, *values: Any, **fields: Any) -> None:
        if values:
            fields.update(self._by_position(values, fields))
        every = {**self._defaults, **fields}
        if len(every) != len(self._fields):
            name = next(name for name in fields if name not in self._fields)
            raise TypeError(self._unknown(name))
        for name in self._required:
            if every[name] is REQUIRED:
                raise TypeError(f"{type(self).__name__} needs the field {name!r}")
        defaults = self._defaults
        for name, convert in self._converters.items():
            if (value := every[name]) is not defaults[name] or name in self._copied:
                every[name] = convert(name, value)
        vars(self).update(every)

    @classmethod
    def _by_position(cls, values: tuple[Any, ...], fields: dict[str, Any]) -> dict[str, Any]:
        """The fields by name, including values that were passed by position."""
        names = () if cls._kw_only else tuple(cls._fields)
        if len(values) > len(names):
            counts = f"{len(names)} fields by position, not {len(values)}"
            raise TypeError(f"{cls.__name__} takes at most {counts}")
        named = dict(zip(names, values, strict=False))
        if twice := named.keys() & fields.keys():
            raise TypeError(f"{cls.__name__} got the field {min(twice)!r} twice")
        return named

    @classmethod
    def _unknown(cls, name: str) -> str:
        return f"{cls.__name__} has no field {name!r}{nearest(name, cls._fields)}"

    def replace(self, **changes: Any) -> Self:
        """A copy with other values for some fields."""
        passed_on = {name: getattr(self, name) for name in self._passes_on}
        return type(self)(**{**vars(self), **passed_on, **changes})

    __replace__ = replace  # of copy.replace()

    def __reduce__(self) -> tuple[Any, ...]:
        """The class and fields, for copying and pickling."""
        return _make, (type(self), {**vars(self)})

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self._fields:
            raise AttributeError(self._unknown(name))
        raise AttributeError(f"a {type(self).__name__} is frozen; use .replace({name}={value!r})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is frozen; it keeps its {name}")

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> dict[str, Any]:
        """Lets a pydantic model have a field of this class, as the tools of frameworks are.

        A dump keeps the value; without a serialization, pydantic would make a dict of what answers
        as a dataclass. JSON has none of these values: their classes have no format.
        """
        unchanged = {"type": "format", "formatting_string": "JSON", "when_used": "json"}
        return {"type": "is-instance", "cls": cls, "serialization": unchanged}

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: Any, handler: Any) -> Any:
        return handler({"type": "is-instance", "cls": cls})

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(other) is type(self) else NotImplemented

    def __rich_repr__(self) -> Iterator[tuple[str, Any, Any]]:
        """The parts for rich: each field with another value than its default."""
        for name, each in self._fields.items():
            yield name, getattr(self, name), each.default

    def __repr__(self) -> str:
        shown = [
            f"{name}={value!r}"
            for name, value in vars(self).items()
            if value != self._fields[name].default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


def _declared(
    cls: type, name: str, annotation: Any, by_annotation: Mapping[str, Converter]
) -> _Field:
    """The declaration of a field, which is taken out of the class, unless it has a reader."""
    default = vars(cls).get(name, REQUIRED)
    declared = default if type(default) is _Field else _Field(default)
    declared.name, declared.annotation = name, annotation
    declared.converter = declared.converter or by_annotation.get(annotation)
    if default is not REQUIRED and declared.reader is None:
        delattr(cls, name)  # a class attribute would slow down reading those of instances
    return declared


def _make(cls: type[Frozen], fields: dict[str, Any]) -> Frozen:
    """Make an instance with its constructor, for copying and unpickling."""
    return cls(**fields)
