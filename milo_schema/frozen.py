"""Frozen values: the fields are declared as annotations in the body of a class.

They are like frozen dataclasses, but without importing ``dataclasses``, which takes longer than
everything that a plain function needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Self, dataclass_transform

from milo_schema.annotations.classes import Classes, is_class
from milo_schema.errors import nearest

REQUIRED: Any = object()
"""The default of a field without a default."""


# -- converters: ``(name of the field, value, *options) -> value`` -------------------------------


def read_only(name: str, value: Any, what: str = "a dict") -> Mapping[Any, Any]:
    """A read-only copy of a mapping."""
    try:
        if hasattr(value, "keys"):
            return MappingProxyType(dict(value))
    except (TypeError, ValueError):
        pass
    raise ValueError(f"{name}={value!r} is not {what}")


def keywords(name: str, value: Any, *others: str) -> Any:
    """A read-only copy of keywords of JSON Schema, or one of *others*: None, a function."""
    if (value is None and "None" in others) or (callable(value) and "a function" in others):
        return value
    return read_only(name, value, " or ".join(("a dict of keywords", *others)))


def by_type(name: str, value: Any, what: str, *takes: type) -> Mapping[Any, Any]:
    """A mapping from types to functions, or to instances of *takes*.

    Instead of a type, it may have the dotted name of a class that is not loaded yet.
    """
    mapping = read_only(name, value)
    for tp, each in mapping.items():
        if type(tp) is str and "." not in tp:
            way_out = "pass the class itself, or its dotted name, such as 'shop.Money'"
            raise ValueError(f"{name} has {tp!r}, which names no module; {way_out}")
        is_valid = callable(each) or isinstance(each, takes)
        if not is_valid:
            raise ValueError(f"{name}[{tp!r}] must be {what}, not {each!r}")
    return mapping


def codecs(name: str, value: Any) -> Mapping[Any, Any]:
    """A mapping from types to functions."""
    for each in (mapping := read_only(name, value)):
        if type(each) is str:
            raise ValueError(f"{name} has {each!r}, which is a name; pass the type itself")
    return by_type(name, mapping, "a function")


def one_of(name: str, value: Any, *options: Any) -> Any:
    """A value that is one of the options."""
    if any(value is each or (type(value) is str and value == each) for each in options):
        return value
    listed = ", ".join(map(repr, options))
    near = nearest(str(value), map(str, options))
    raise ValueError(f"{name}={value!r} is not one of {listed}{near}")


def some_of(name: str, value: Any, *options: Any) -> tuple[Any, ...]:
    """One or several of the options."""
    return tuple(one_of(name, each, *options) for each in _members(value))


def flag_or_fields(name: str, value: Any, *kept: str) -> bool | Mapping[str, Any]:
    """A bool, or a mapping of other fields to values.

    The mapping cannot have the field itself or the *kept* ones.
    """
    if isinstance(value, bool):
        return value
    fields = read_only(name, value, "True, False or a dict of fields")
    for each in (*kept, name):
        if each in fields:
            raise ValueError(f"{name} cannot change the field {each!r}")
    return fields or True


def to_names(name: str, value: Collection[str] | str) -> frozenset[str]:
    """One or several names."""
    return frozenset(_several(name, value, lambda each: isinstance(each, str), "a name"))


def to_classes(name: str, value: Collection[str | type] | str | type) -> Classes:
    """One or several classes or names of classes."""
    if type(value) is Classes:  # replace() passes them
        return value
    return Classes(_several(name, value, _is_class_or_name, "a class or the name of one"))


def functions(name: str, value: Any) -> tuple[Callable[..., Any], ...]:
    """One or several functions."""
    return _several(name, value, callable, "a function")


def _is_class_or_name(value: Any) -> bool:
    return isinstance(value, str) or is_class(value)


def _several(name: str, value: Any, is_member: Callable[[Any], bool], what: str) -> tuple[Any, ...]:
    """The members of a collection, if each of them is valid; or a member instead of one."""
    members = (value,) if is_member(value) else _members(value)
    for each in members:
        if not is_member(each):
            raise ValueError(f"{name} has {each!r}, which is not {what}")
    return members


def _members(value: Any) -> tuple[Any, ...]:
    """The members of a collection; any other value, such as a string, is its own only member."""
    if isinstance(value, str):
        return (value,)
    try:
        members = iter(value)
    except TypeError:
        return (value,)
    return tuple(members)


def instance_of(name: str, value: Any, kinds: tuple[type, ...], what: str) -> Any:
    """A value of one of these classes."""
    if type(value) in kinds:
        return value
    raise ValueError(f"{name}={value!r} is not {what}")


_PLAIN: dict[str, tuple[tuple[type, ...], str]] = {
    "bool": ((bool,), "True or False"),
    "int": ((int,), "a whole number"),
    "str": ((str,), "a string"),
    "str | None": ((str, type(None)), "a string or None"),
}
"""The annotations of fields that need no converter: the classes, and their name in messages."""


def field(
    *,
    default: Any = REQUIRED,
    converter: Callable[..., Any] | None = None,
    options: tuple[Any, ...] = (),
    reader: Callable[[Any], Any] | None = None,
    doc: str | None = None,
) -> Any:
    """Declare facts about a field that its annotation cannot express.

    Args:
        default: The value if none is passed.
        converter: Converts, or refuses, the value that is passed; it gets the name of the field
            and the value. It has to accept its own result, which ``replace()`` passes.
        options: More arguments of the converter.
        reader: Converts the value to that of the attribute, each time it is read.
        doc: Describes the attribute, if there is a reader.
    """
    return _Field(default, converter, options, reader, doc)


class _Field:
    """The declaration of a field; the attribute itself, if the field has a reader."""

    name: str

    def __init__(
        self, default: Any, converter: Any, options: tuple[Any, ...], reader: Any, doc: str | None
    ) -> None:
        self.default = default
        self.converter = converter
        self.options = options
        self.reader = reader
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else self.reader(vars(instance)[self.name])

    def __set__(self, instance: Any, value: Any) -> None:  # so that ``__get__`` takes precedence
        raise AttributeError(f"{self.name} is frozen")


class _SignatureOfFields:
    """The signature of a class, made on demand, for ``inspect.signature()`` and ``help()``."""

    def __get__(self, instance: Any, owner: type[Frozen]) -> Any:
        if instance is not None:
            raise AttributeError("only the class has a signature")
        return owner._signature()  # noqa: SLF001 - a part of that class


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen:
    """The base class of frozen values, which are made from their fields.

    Two values of one class are equal if their fields are. They can be copied and pickled.
    """

    _fields: ClassVar[dict[str, Any]] = {}
    """The fields and their defaults."""
    _annotations: ClassVar[dict[str, Any]] = {}
    _converters: ClassVar[dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]] = {}
    """The converters of fields, and the options to call them with."""
    _defaults: ClassVar[dict[str, Any]] = {}
    """The defaults after their conversion, which is not repeated for each instance."""
    _required: ClassVar[tuple[str, ...]] = ()
    _kw_only: ClassVar[bool] = False

    __signature__: ClassVar[_SignatureOfFields] = _SignatureOfFields()
    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # a field may hold dicts

    def __init_subclass__(cls, *, kw_only: bool = False, checked: bool = False) -> None:
        fields, converters = {**cls._fields}, {**cls._converters}
        slots = vars(cls).get("__slots__", ())
        annotations = {
            name: each for name, each in cls.__annotations__.items() if name not in slots
        }
        for name, annotation in annotations.items():
            declared = vars(cls).get(name, REQUIRED)
            is_field = type(declared) is _Field
            fields[name] = declared.default if is_field else declared
            if is_field and declared.converter is not None:
                converters[name] = declared.converter, declared.options
            elif checked and annotation in _PLAIN:
                converters[name] = instance_of, _PLAIN[annotation]
            if declared is not REQUIRED and not (is_field and declared.reader is not None):
                delattr(cls, name)  # a class attribute would slow down reading those of instances
        cls._fields, cls._converters, cls._defaults = fields, converters, {**fields}
        for name, (convert, options) in converters.items():
            if fields[name] is not REQUIRED:
                cls._defaults[name] = convert(name, fields[name], *options)
        cls._annotations = {**cls._annotations, **annotations}
        cls._required = tuple(name for name, default in fields.items() if default is REQUIRED)
        cls._kw_only = kw_only or cls._kw_only

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
        for name, (convert, options) in self._converters.items():
            value = every[name]
            if value is not self._defaults[name] or type(value) in (dict, list):  # not shared
                every[name] = convert(name, value, *options)
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

    @classmethod
    def _signature(cls) -> Any:
        from inspect import Parameter, Signature

        kind = Parameter.KEYWORD_ONLY if cls._kw_only else Parameter.POSITIONAL_OR_KEYWORD
        parameters = [
            Parameter(
                name,
                kind,
                default=Parameter.empty if default is REQUIRED else default,
                annotation=cls._annotations[name],
            )
            for name, default in cls._fields.items()
        ]
        return Signature(parameters)

    def replace(self, **changes: Any) -> Self:
        """A copy with other values for some fields."""
        return type(self)(**{**vars(self), **changes})

    __replace__ = replace  # of copy.replace()

    def __reduce__(self) -> tuple[Any, ...]:
        """The class and fields; neither pickle nor deepcopy accepts a read-only mapping."""
        fields = {
            name: dict(value) if type(value) is MappingProxyType else value
            for name, value in vars(self).items()
        }
        return _make, (type(self), fields)

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self._fields:
            raise AttributeError(self._unknown(name))
        raise AttributeError(f"a {type(self).__name__} is frozen; use .replace({name}={value!r})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is frozen; it keeps its {name}")

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> dict[str, Any]:
        """Lets a pydantic model have a field of this class, as the tools of frameworks are."""
        return {"type": "is-instance", "cls": cls}

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(other) is type(self) else NotImplemented

    def differences(self, other: Self) -> list[str]:
        """The fields, except the name, that differ from those of another value, as short texts."""
        from reprlib import Repr

        class Short(Repr):
            def repr_function(self, value: Any, _level: int) -> str:
                return str(value.__name__)

        return [
            f"{name}={Short().repr(_plain(value))}"
            for name, value in vars(self).items()
            if value != vars(other)[name] and name != "name"
        ]

    def __rich_repr__(self) -> Iterator[tuple[str, Any, Any]]:
        """The parts for rich: each field with another value than its default."""
        for name, default in self._fields.items():
            yield name, getattr(self, name), default

    def __repr__(self) -> str:
        shown = [
            f"{name}={value!r}" for name, value in vars(self).items() if value != self._fields[name]
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


def _plain(value: Any) -> Any:
    """A value as a collection of the class that it was made from."""
    if type(value) is MappingProxyType:
        return dict(value)
    return set(value) if isinstance(value, frozenset) else value


def _make(cls: type[Frozen], fields: dict[str, Any]) -> Frozen:
    """Make an instance with its constructor, for copying and unpickling."""
    return cls(**fields)
