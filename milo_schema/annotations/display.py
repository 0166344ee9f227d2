"""Display annotations and values in messages, as a person would write them, and in names.

Nothing here runs user code: the ``repr()`` of a stranger's object is not called.
"""

from __future__ import annotations

import builtins
from _collections_abc import Callable, Iterable
from itertools import islice
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from milo_schema.annotations import Arguments
from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    Unresolved,
    class_name,
    is_any,
    is_class,
    loaded,
    local_name,
    qualified_name,
    shorten,
    static,
)
from milo_schema.annotations.evaluation import is_reference, text_of
from milo_schema.annotations.forms import (
    UNION,
    ForeignName,
    Marker,
    QuotedName,
    metadata_of,
    split,
)


def display(tp: Any, depth: int = 4) -> str:
    """*tp* as a person would write it; short, and without running user code."""
    head, args = split(tp)
    if head is not tp:
        return shorten(_display_alias(head, (*args, *metadata_of(tp)), depth))
    if is_class(tp):
        return (
            "None"
            if tp is type(None)
            else shorten(_unambiguous(tp, local_name(qualified_name(tp))))
        )
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
