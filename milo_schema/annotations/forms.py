"""Split an annotation into head, arguments and metadata; compare annotations.

An annotation is recognized by identity and by exact class. Nothing here imports ``typing``: it
takes longer to load than most schemas take to derive. A caller who passes one of its forms has
loaded it, so its classes are looked up when it is loaded.
"""

from __future__ import annotations

import sys

from milo_schema.annotations import (
    Any,
    Arguments,
    ClassVar,
    FunctionType,
    GenericAlias,
    Hashable,
    UnionType,
)
from milo_schema.annotations.classes import (
    MISSING,
    Unresolved,
    class_name,
    inherits,
    is_any,
    is_class,
    loaded,
)
from milo_schema.annotations.evaluation import Scope

UNION = UnionType
"""The head of every union, however it is written: ``X | Y``, ``Union[X, Y]``, ``Optional[X]``."""

_GENERIC_ALIAS = GenericAlias


class Marker:
    """A piece of ``Annotated`` metadata that describes a schema: a kind and a value.

    It is the base class of all markers in ``milo_schema.markers``; it is here so that recognizing
    one does not load that module.

    Attributes:
        value: What the marker says.
        hides: Whether the marker leaves out the parameter or field: only ``Injected`` does.
    """

    __slots__ = ("value",)
    hides: ClassVar[bool] = False

    def __init__(self, value: Any) -> None:
        self.value: Any = value

    @classmethod
    def unchecked(cls, value: Any) -> Marker:
        """A marker with a value from elsewhere, which is checked when the schema is derived."""
        marker = cls.__new__(cls)
        marker.value = value
        return marker

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"


def is_marker(value: Any) -> bool:
    """Whether a value is a marker, or the class of one that was not called."""
    return inherits(value if is_class(value) else type(value), Marker)


def is_injected(metadata: Any) -> bool:
    """Whether a piece of metadata is ``Injected``, called or not."""
    kind: Any = metadata if is_class(metadata) else type(metadata)
    return inherits(kind, Marker) and kind.hides is True


class QuotedName:
    """A named type made of an annotation in quotes: ``Json = dict[str, "Json"] | str``.

    Two of them are the same type if they have the same text and scope.
    """

    __slots__ = ("label", "scope")

    def __init__(self, label: str, scope: Scope) -> None:
        self.label: str = label
        self.scope: Scope = scope


class ForeignName:
    """A named type made of a definition in another library's schema.

    Two of them are the same type if they have the same name and the same content.
    """

    __slots__ = ("content", "label")

    def __init__(self, label: str, content: str) -> None:
        self.label: str = label
        self.content: str = content


class _Typing:
    """The classes and forms of ``typing`` that annotations are instances of, or have as origin."""

    __slots__ = ("alias", "annotated", "annotated_alias", "bare_alias", "union")

    def __init__(self, typing: Any) -> None:
        self.alias: Any = type(typing.List[int])
        self.annotated: Any = typing.Annotated
        self.annotated_alias: Any = type(typing.Annotated[int, 0])
        self.bare_alias: Any = type(typing.List)
        self.union: Any = typing.Union


_typing: _Typing | None = None


def _loaded_typing() -> _Typing | None:
    """``typing``, if it is loaded; looked up only once, because its classes do not change."""
    global _typing  # noqa: PLW0603 - written once, and always with the same value
    if _typing is None and hasattr(module := sys.modules.get("typing"), "Annotated"):
        _typing = _Typing(module)
    return _typing


def split(tp: Any) -> tuple[Any, Arguments]:
    """The head and the arguments of an annotation, without its metadata.

    ``(list, (int,))`` for ``list[int]``, ``(int, ())`` for ``int``, ``(UNION, (int, str))`` for
    ``int | str``, ``(Annotated, (int,))`` for ``Annotated[int, Ge(1)]``.
    """
    kind = type(tp)
    if kind is type:
        return tp, ()
    if kind is UNION:
        return UNION, tp.__args__
    if kind is not _GENERIC_ALIAS:
        return (tp, ()) if issubclass(kind, type) else _split_typing(tp, kind)
    origin, args = tp.__origin__, tp.__args__
    if tp.__unpacked__:  # *tuple[int, ...], PEP 646
        import typing

        return typing.Unpack, (_GENERIC_ALIAS(origin, args),)
    known = _typing or _loaded_typing()
    if known is not None and origin is known.annotated:  # made by with_metadata(), or from a string
        return origin, args[:1]
    return origin, args


_NATIVE = ("TypeAliasType", "TypeVar", "TypeVarTuple", "ParamSpec")
"""The objects of ``typing`` that the syntax of PEP 695 makes without importing ``typing``."""


def _split_typing(tp: Any, kind: type) -> tuple[Any, Arguments]:
    """``split()`` for a form of ``typing``: neither a class nor a built-in generic."""
    typing = _typing or _loaded_typing()
    if typing is None:
        if class_name(kind) in _NATIVE:
            import typing as _loaded  # noqa: F401 - where is_form() looks for its class
        return tp, ()
    if kind is typing.annotated_alias:
        return typing.annotated, (tp.__origin__,)
    if issubclass(kind, typing.alias):
        origin = tp.__origin__
        return (UNION if origin is typing.union else origin), tp.__args__
    if issubclass(kind, typing.bare_alias):
        return tp.__origin__, ()
    if issubclass(kind, _GENERIC_ALIAS):  # a subclass of GenericAlias
        return tp.__origin__, tp.__args__
    return (UNION if tp is typing.union else tp), ()


def metadata_of(tp: Any) -> Arguments:
    """The metadata of ``Annotated[T, ...]``; empty for anything else."""
    typing = _typing or _loaded_typing()
    if type(tp) is _GENERIC_ALIAS:
        is_annotated = typing is not None and tp.__origin__ is typing.annotated
        return tp.__args__[1:] if is_annotated else ()
    found: Arguments = tp.__metadata__ if typing and type(tp) is typing.annotated_alias else ()
    return found


def with_metadata(tp: Any, metadata: Arguments) -> Any:
    """``Annotated[tp, *metadata]``, without the checks and the cache of ``typing``."""
    import typing

    _loaded_typing()  # so that split() and metadata_of() recognize the result
    return GenericAlias(typing.Annotated, (tp, *metadata))  # type: ignore[arg-type]


def is_form(tp: object, name: str) -> bool:
    """Whether *tp* is the object that ``typing`` or ``typing_extensions`` calls *name*."""
    if tp is None:
        return False
    for module in ("typing", "typing_extensions"):
        found = sys.modules.get(module)
        if found is not None and tp is getattr(found, name, None):  # not in __dict__: PEP 810
            return True
    return False


def is_type_variable(tp: object) -> bool:
    """Whether *tp* is a ``TypeVar``."""
    return is_form(type(tp), "TypeVar")


def is_alias(tp: object) -> bool:
    """Whether *tp* is a name for another annotation: ``type X = ...`` (PEP 695) or a string."""
    head, _ = split(tp)
    return type(head) is QuotedName or is_form(type(head), "TypeAliasType")


def unpacked(tp: Any) -> Any:
    """The argument of ``*Ts`` or ``Unpack[...]`` (PEP 646, PEP 692); else ``MISSING``."""
    if type(tp) is type:
        return MISSING
    head, args = split(tp)
    return args[0] if args and is_form(head, "Unpack") else MISSING


def alias_of(origin: Any, args: Arguments) -> Any:
    """``origin[args]`` for any origin, without the checks and the cache of ``typing``."""
    return GenericAlias(origin, args)


def is_generic(tp: Any) -> bool:
    """Whether *tp* is written with brackets, or could be: ``list[int]``, ``typing.List``."""
    # NamedTuple and TypedDict, which can be base classes, are functions.
    return type(tp) is not FunctionType and split(tp)[0] is not tp


def is_generic_class(tp: Any) -> bool:
    """Whether *tp* is a plain class with arguments, such as ``list[int]``."""
    if type(tp) is not _GENERIC_ALIAS or tp.__unpacked__ or type(tp.__origin__) is not type:
        return False
    typing = _typing or _loaded_typing()
    return typing is None or tp.__origin__ is not typing.annotated  # a class up to 3.12


def is_bare(tp: Any) -> bool:
    """Whether *tp* was written without brackets: ``tuple``, not ``tuple[()]``."""
    if is_class(tp):
        return True
    typing = _loaded_typing()
    return typing is not None and issubclass(type(tp), typing.bare_alias)


def is_typed_dict(cls: type) -> bool:
    """Whether *cls* is a TypedDict, of ``typing`` or of ``typing_extensions``."""
    kind = type(cls)
    if kind is type:
        return False
    # As is_typeddict() does, but without attributes that any class could claim to have.
    for dotted in _TYPED_DICTS:
        meta = loaded(dotted)
        if kind is meta or (meta is not None and inherits(kind, meta)):
            return True
    return False


_TYPED_DICTS = ("typing._TypedDictMeta", "typing_extensions._TypedDictMeta")


# -- identity of types -------------------------------------------------------------------------


def key_of(annotation: Any) -> Hashable:  # noqa: PLR0911 - a line for each kind
    """A key that two annotations share if they are the same type: one class, the same arguments.

    The key is valid as long as the annotations are alive. It uses the identity of classes, because
    their equality and hash are user code and may be wrong; and the structure of annotations,
    because each ``Page[int]`` that is written is a new object.
    """
    kind = type(annotation)
    if kind is type:
        return id(annotation)
    head, args = split(annotation)
    if head is not annotation:
        return (id(head), *map(key_of, args), *map(key_of, metadata_of(annotation)))
    if kind is QuotedName:
        return annotation.label, id(annotation.scope)
    if kind is ForeignName:
        return annotation.label, annotation.content
    if kind is Unresolved:  # each evaluation makes a new one
        return annotation.text, annotation.reason
    if is_any(kind, _LITERAL):  # in a Literal
        return kind, annotation
    if issubclass(kind, Marker):
        return kind, key_of(annotation.value)
    return id(annotation)


_LITERAL = (str, int, bool, bytes)
