"""Split an annotation into head, arguments and metadata; compare annotations.

An annotation is recognized by identity and by exact class. ``typing_extensions`` is not imported: a
caller who passes one of its forms has loaded it.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Hashable
from types import FunctionType, GenericAlias, UnionType
from typing import Any, ClassVar

from milo_schema.annotations import Arguments
from milo_schema.annotations.classes import (
    MISSING,
    Unresolved,
    inherits,
    is_any,
    is_class,
    mro,
)
from milo_schema.annotations.scopes import Scope

UNION = UnionType
"""The head of every union, however it is written: ``X | Y``, ``Union[X, Y]``, ``Optional[X]``."""


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

    @property
    def key(self) -> Hashable:
        """The key that it shares with another if both are the same type."""
        return self.label, id(self.scope)


class ForeignName:
    """A named type made of a definition in another library's schema.

    Two of them are the same type if they have the same name and the same content.
    """

    __slots__ = ("content", "label")

    def __init__(self, label: str, content: str) -> None:
        self.label: str = label
        self.content: str = content

    @property
    def key(self) -> Hashable:
        """The key that it shares with another if both are the same type."""
        return self.label, self.content


_ALIAS: Any = type(typing.Sequence[int])
_ANNOTATED_ALIAS: Any = type(typing.Annotated[int, 0])
_BARE_ALIAS: Any = type(typing.Sequence)
_ANNOTATED: Any = typing.Annotated


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
    if kind is not GenericAlias:
        return (tp, ()) if issubclass(kind, type) else _split_form(tp, kind)
    origin, args = tp.__origin__, tp.__args__
    if tp.__unpacked__:  # *tuple[int, ...], PEP 646
        return typing.Unpack, (GenericAlias(origin, args),)
    return (origin, args[:1]) if origin is _ANNOTATED else (origin, args)  # of with_metadata()


def _split_form(tp: Any, kind: type) -> tuple[Any, Arguments]:
    """``split()`` for a form of ``typing``: neither a class nor a built-in generic."""
    if kind is _ANNOTATED_ALIAS:
        return _ANNOTATED, (tp.__origin__,)
    if issubclass(kind, (_ALIAS, GenericAlias)):
        origin = tp.__origin__
        return (UNION if origin is typing.Union else origin), tp.__args__
    if issubclass(kind, _BARE_ALIAS):
        return tp.__origin__, ()
    return (UNION if tp is typing.Union else tp), ()


def metadata_of(tp: Any) -> Arguments:
    """The metadata of ``Annotated[T, ...]``; empty for anything else."""
    if type(tp) is GenericAlias:
        return tp.__args__[1:] if tp.__origin__ is _ANNOTATED else ()
    found: Arguments = tp.__metadata__ if type(tp) is _ANNOTATED_ALIAS else ()
    return found


def with_metadata(tp: Any, metadata: Arguments) -> Any:
    """``Annotated[tp, *metadata]``, without the checks and the cache of ``typing``."""
    return GenericAlias(_ANNOTATED, (tp, *metadata))


def is_form(tp: object, name: str) -> bool:
    """Whether *tp* is the object that ``typing`` or ``typing_extensions`` calls *name*."""
    if tp is None:
        return False
    if tp is getattr(typing, name, None):
        return True
    extensions = sys.modules.get("typing_extensions")
    return extensions is not None and tp is getattr(extensions, name, None)


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
    if type(tp) is not GenericAlias or tp.__unpacked__:
        return False
    return type(tp.__origin__) is type and tp.__origin__ is not _ANNOTATED  # a class up to 3.12


def is_bare(tp: Any) -> bool:
    """Whether *tp* was written without brackets: ``tuple``, not ``tuple[()]``."""
    return is_class(tp) or issubclass(type(tp), _BARE_ALIAS)


def is_typed_dict(cls: type) -> bool:
    """Whether *cls* is a TypedDict, of ``typing`` or of ``typing_extensions``."""
    # As is_typeddict() does, but without attributes that any class could claim to have.
    kind = type(cls)
    return kind is not type and any(is_form(base, "_TypedDictMeta") for base in mro(kind))


# -- identity of types -------------------------------------------------------------------------


def key_of(annotation: Any) -> Hashable:
    """A key that two annotations share if they are the same type: one class, the same arguments.

    The key is valid as long as the annotations are alive. It uses the identity of classes, because
    their equality and hash are user code and may be wrong; and the structure of annotations,
    because each ``Page[int]`` that is written is a new object.
    """
    kind = type(annotation)
    if issubclass(kind, type):
        return id(annotation)
    head, args = split(annotation)
    if head is not annotation:
        return (id(head), *map(key_of, args), *map(key_of, metadata_of(annotation)))
    if is_any(kind, (QuotedName, ForeignName)):
        key: Hashable = annotation.key
        return key
    if kind is Unresolved:  # each evaluation makes a new one
        return annotation.text, annotation.reason
    if issubclass(kind, Marker):
        return kind, key_of(annotation.value)
    return (kind, annotation) if is_any(kind, _LITERAL) else id(annotation)


_LITERAL = (str, int, bool, bytes)
