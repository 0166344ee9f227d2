"""The reasons why an annotation has no schema, and what was probably meant."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

from milo_schema.annotations.classes import class_name, is_class, own
from milo_schema.annotations.display import display
from milo_schema.annotations.forms import is_form, is_marker, split
from milo_schema.nodes.base import Place, is_parameter

# -- a type ------------------------------------------------------------------------------------


def why_unsupported(tp: Any, place: Place, *, output: bool) -> str:
    """Why an annotation has no schema, and what to do about it."""
    return not_a_type(tp) or f"no JSON Schema for {_with_remedy(tp, place, output=output)}"


def _with_remedy(tp: Any, place: Place, *, output: bool) -> str:
    """A type and what to do about it; the most common solution comes first."""
    shown, (head, _) = display(tp), split(tp)
    module = own(head, "__module__") if is_class(head) else None
    if type(module) is not str or module == "collections.abc":  # complex, Callable
        return f"{shown}; use another type, {_DESCRIBED}, or {_BY_PROFILE}"
    described = f"use another type, {_DESCRIBED}, or {_BY_PROFILE}"
    if not _is_of_python(head):
        annotated = _DESCRIBED.replace("...", shown, 1)
        described = f"describe it with {annotated}, {shown}.__milo_schema__, or {_BY_PROFILE}"
    if output or not is_parameter(place):
        return f"{shown}; {described}"
    injected = f"if callers do not pass it, write Annotated[{shown}, Injected]"
    return f"{shown}; {injected}; otherwise {described}"


_DESCRIBED = "Annotated[..., Schema({...})]"
_BY_PROFILE = "profile.with_types({...})"


# -- an object that is not a type --------------------------------------------------------------


def not_a_type(tp: Any) -> str:
    """The reason why an object is not an annotation, and what to write; empty if it is one."""
    if is_marker(tp):
        return f"{display(tp)} is a marker, not a type; write Annotated[..., {display(tp)}]"
    if is_class(tp) or is_form(tp, "NamedTuple") or is_form(tp, "TypedDict"):
        return ""
    if (found := _MISTAKES.get(id(type(tp)))) is not None:
        kind, meant = found
        return f"{display(tp)} is a {kind}, not a type; {meant(tp)}"
    is_own = display(tp) == f"<{class_name(type(tp))} object>" and not _is_of_python(type(tp))
    return f"{display(tp)} is an instance, not a type; write {display(type(tp))}" if is_own else ""


def _is_of_python(cls: Any) -> bool:
    """Whether a class belongs to Python itself or to ``typing_extensions``."""
    module = own(cls, "__module__")
    top = module.partition(".")[0] if type(module) is str else "builtins"
    return top in sys.stdlib_module_names or top == "typing_extensions"


def _function(tp: Any) -> str:
    meant = {id(any): "typing.Any", id(callable): "collections.abc.Callable"}.get(id(tp))
    return f"did you mean {meant}?" if meant else "name a class"


def _module(tp: Any) -> str:
    name = tp.__name__.rpartition(".")[2]
    names = [each for each in (name, name.title()) if is_class(getattr(tp, each, None))]
    return f"did you mean {name}.{names[0]}?" if names else "name a class in it"


def _list(tp: Any) -> str:
    return _choices(tp) or f"write list{_brackets(tp)}"


def _tuple(tp: Any) -> str:
    if len(tp) == 1:
        return f"drop the comma, or write tuple{_brackets(tp)}"
    return f"write {_union(tp)} or tuple[{', '.join(map(display, tp))}]" if tp else "write tuple"


def _set(tp: Any) -> str:
    return _choices(tp) or f"write {class_name(type(tp))}{_brackets(tp)}"


def _dict(tp: Any) -> str:
    if tp and all(type(key) is str for key in tp):
        return "write a TypedDict or a dataclass"
    if len(tp) == 1:
        return f"write dict[{', '.join(map(display, (*tp, *tp.values())))}]"
    return "write dict"


def _value(tp: Any) -> str:
    return f"write {class_name(type(tp))} or Literal[{display(tp)}]"


def _float(_tp: Any) -> str:
    return "write float"


def _choices(tp: Any) -> str:
    """The ``Literal`` for several strings; empty for anything else."""
    if len(tp) > 1 and all(type(each) is str for each in tp):
        return f"write Literal[{', '.join(map(display, tp))}]"
    return ""


def _brackets(tp: Any) -> str:
    return f"[{_union(tp)}]" if tp else ""


def _union(tp: Any) -> str:
    return " | ".join(map(display, tp))


_MISTAKES: dict[int, tuple[str, Callable[[Any], str]]] = {
    id(types.FunctionType): ("function", _function),
    id(types.BuiltinFunctionType): ("built-in function", _function),
    id(types.ModuleType): ("module", _module),
    id(list): ("list", _list),
    id(tuple): ("tuple", _tuple),
    id(set): ("set", _set),
    id(frozenset): ("frozenset", _set),
    id(dict): ("dictionary", _dict),
    id(bool): ("value", _value),
    id(int): ("value", _value),
    id(bytes): ("value", _value),
    id(float): ("value", _float),
}
"""Objects that are often written where a type is meant, by class: a noun, and what to write."""
