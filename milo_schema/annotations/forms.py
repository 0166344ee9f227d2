"""Split an annotation into head, arguments and metadata; compare annotations.

An annotation is recognized by identity and by exact class. ``typing_extensions`` is not imported: a
caller who passes one of its forms has loaded it.
"""

from __future__ import annotations

import builtins
import sys
import typing
from _collections_abc import Callable, Iterable
from collections.abc import Hashable
from enum import EnumType
from itertools import islice
from types import BuiltinFunctionType, FunctionType, GenericAlias, ModuleType, UnionType
from typing import Any, ClassVar

from milo_schema.annotations import Arguments
from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    Unresolved,
    class_name,
    inherits,
    is_any,
    is_class,
    loaded,
    local_name,
    qualified_name,
    shorten,
    static,
)
from milo_schema.annotations.evaluation import is_reference, text_of
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
    if kind is type or kind is EnumType:  # as nearly all are
        return False
    return inherits(kind, _TYPED_DICT) or inherits(kind, loaded("typing_extensions._TypedDictMeta"))


_TYPED_DICT: Any = loaded("typing._TypedDictMeta")


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


# -- display ---------------------------------------------------------------------------------------
#
# Display annotations and values in messages, as a person would write them, and in names.
#
# Nothing here runs user code: the ``repr()`` of a stranger's object is not called.


def display(tp: Any, depth: int = 4) -> str:
    """*tp* as a person would write it; short, and without running user code."""
    head, args = split(tp)
    if head is not tp:
        return shorten(_display_alias(head, (*args, *metadata_of(tp)), depth))
    if tp is type(None):
        return "None"
    if is_class(tp):
        return shorten(_unambiguous(tp, local_name(qualified_name(tp))))
    if is_any(type(tp), _PLAIN):
        return "..." if tp is ... else shorten(_shown(tp))
    if is_reference(tp):
        return shorten(repr(text_of(tp)))
    return _display_own(tp) or shorten(_display_object(tp, depth))


def _display_own(tp: Any) -> str:
    """An object of our own classes; empty for any other."""
    if is_any(type(tp), (QuotedName, ForeignName)):
        return str(tp.label)
    if type(tp) is Unresolved:
        return tp.text
    is_marker = issubclass(type(tp), Marker)
    return f"{type(tp).__name__}({_display_value(tp.value)})" if is_marker else ""


def _unambiguous(cls: type, name: str) -> str:
    """The name of a class, with its module if one of Python's own has the same name."""
    if vars(builtins).get(name, cls) is cls:
        return name
    module = _module_of(cls)
    return f"{module}.{name}" if type(module) is str else name


_module_of: Callable[[type], Any] = type.__dict__["__module__"].__get__
"""The module of a class; that of a class written in C is not in its body."""


def _display_value(value: Any) -> str:
    """The value of a marker, or its values, as written between its parentheses."""
    if value is MISSING:
        return ""
    if type(value) is tuple:
        return shorten(", ".join(map(display, value[:_READ])))
    return display(value)


def _display_object(tp: Any, depth: int) -> str:
    """An object that is neither a type nor a value whose ``repr()`` is safe to call."""
    if type(tp).__module__ in ("typing", "typing_extensions"):
        return _shown(tp).rpartition(".")[2].lstrip("~+-")  # variance of a TypeVar
    if is_any(type(tp), _CALLABLES):
        return local_name(tp.__qualname__)
    if is_any(type(tp), _CONTAINERS):
        return _display_items(tp, depth)
    if type(tp) is loaded("re.Pattern"):
        return _shown(tp)
    name = tp.__dict__.get("__name__") if type(tp) is ModuleType else None
    return name if type(name) is str else f"<{_unambiguous(type(tp), class_name(type(tp)))} object>"


_CALLABLES = (FunctionType, BuiltinFunctionType)
_CONTAINERS = (list, tuple, dict, set, frozenset)


def _display_items(value: Any, depth: int) -> str:
    """A list, tuple, set or dictionary: its first few items."""
    kind = type(value)
    if not value and kind is not list and kind is not tuple and kind is not dict:
        return f"{kind.__name__}()"
    texts = _display_first(value, depth)
    if kind is dict:
        items = _display_first(value.values(), depth)
        texts = [f"{name}: {item}" for name, item in zip(texts, items, strict=True)]
    inside = ", ".join([*texts, "..."] if len(value) > _READ else texts)
    if kind is tuple:
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if kind is list:
        return f"[{inside}]"
    return f"frozenset({{{inside}}})" if kind is frozenset else f"{{{inside}}}"


def _display_first(items: Iterable[Any], depth: int) -> list[str]:
    return [display(each, depth - 1) if depth else "..." for each in islice(items, _READ)]


_READ = 7


def _display_alias(head: Any, args: Arguments, depth: int) -> str:
    name = "Union" if head is UNION else display(head)
    if not args:
        return name
    if depth == 0:
        return f"{name}[...]"
    shown = [display(arg, depth - 1) for arg in (*args[:7], *args[7:][-1:])]
    if head is UNION:
        return " | ".join(shown)
    if head is Callable and args[0] is not ...:
        *taken, given = shown
        shown = [f"[{', '.join(taken)}]", given]
    return f"{name}[{', '.join(shown)}]"


_PLAIN = (str, int, float, bool, type(None), type(...), bytes)


def _shown(value: object) -> str:
    try:
        return repr(value)
    except USER_CODE_ERRORS:  # an int of thousands of digits, a NewType with an odd module
        return f"<{class_name(type(value))} object>"


# -- names of definitions ----------------------------------------------------------------------

MAX_NAME = 80
"""The most characters in the short name of a class."""


def definition_name(tp: Any) -> str:
    """The name of a type as a definition, if no other type has the same name."""
    if type(tp) is type and tp is not type(None):
        return _clean(shorten(qualified_name(tp).rpartition(".")[2], MAX_NAME))
    head, args = split(tp)
    name = "Union" if head is UNION else display(head).rpartition(".")[2]
    return _clean("_".join([name, *map(definition_name, (*args, *metadata_of(tp)))]))


def qualified_definition_name(tp: Any) -> str:
    """The name of a type as a definition, qualified by its module."""
    named, args = split(tp)
    if is_any(type(named), (QuotedName, ForeignName)):
        return _clean(named.label)
    module = static(named, "__module__") if is_class(named) else named.__module__
    module = module if type(module) is str else ""
    return _clean("_".join([f"{module}.{display(named)}", *map(definition_name, args)]))


def _clean(name: str) -> str:
    """A name with only characters that are safe in every ``$ref``: ``[A-Za-z0-9._-]``."""
    if name.isidentifier() and name.isascii():
        return name
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    leading = name[: len(name) - len(name.lstrip("_"))]
    return leading + "_".join(filter(None, kept.split("_"))) or "Type"
