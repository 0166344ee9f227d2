"""Parameters that are no property of their own: variadic, or filled in by the framework."""

from __future__ import annotations

from typing import Annotated, Any, Union

from milo_schema import records
from milo_schema.aliases import alias_of, display, is_form, split, unpacked
from milo_schema.fields import KEYWORD_ONLY, VAR_KEYWORD
from milo_schema.generics import alias_value, close, is_alias
from milo_schema.hints import (
    MISSING,
    UnresolvedError,
    class_name,
    is_any,
    is_class,
    is_reference,
    mro,
    text_of,
)
from milo_schema.markers import Injected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from milo_schema.fields import Field, Record
    from milo_schema.hints import Scope
    from milo_schema.walk import Walk


# -- variadic parameters -----------------------------------------------------------------------


def variadic(field: Field, record: Record, description: str | None, walk: Walk) -> list[Field]:
    """What ``*args`` or ``**kwargs`` add to the record: fields, or further properties."""
    keys = unpacked(field.annotation)
    if field.kind == VAR_KEYWORD and keys is not MISSING:  # PEP 692
        return _unpacked(field, keys, record, walk)
    if type(field.annotation) is UnresolvedError:  # it may have been Unpack[...]
        walk.at(field.step).unsupported(field.written, str(field.annotation), field.annotation)
    if walk.profile.variadics == "error":
        walk.at(field.step).refuse("no JSON Schema for variadic parameters; name each of them")
    if field.kind == VAR_KEYWORD and walk.profile.variadics == "open":
        is_untyped = is_form(type(field.annotation), "ParamSpecKwargs")  # P.kwargs, PEP 612
        record.extra = MISSING if is_untyped else field.annotation
        record.extra_step = f"{field.step}{{}}"
        if description and record.extra is not MISSING:
            record.extra = alias_of(Annotated, (record.extra, description))
    return []


def _unpacked(field: Field, typed_dict: Any, record: Record, walk: Walk) -> list[Field]:
    """The keys of ``**kwargs: Unpack[TypedDict]``, as parameters."""
    try:
        keys = _read_keys(close(typed_dict, field.scope), field.scope)
    except UnresolvedError as problem:
        walk.at(field.step).complain(str(problem), field.annotation, problem)
        return []
    for each in keys.fields:
        each.kind = KEYWORD_ONLY  # it is a parameter now, and f(x) in paths
    if keys.extra is not MISSING:
        record.extra = keys.extra
    return keys.fields


def _read_keys(typed_dict: Any, scope: Scope) -> Record:
    origin, _ = split(typed_dict)
    head = typed_dict if origin is None else origin
    if not is_class(head) or not records.is_typed_dict(head):
        raise UnresolvedError(f"{display(typed_dict)} is no TypedDict; PEP 692 asks for one")
    return records.read(typed_dict, scope)


# -- parameters that are not the caller's ------------------------------------------------------


class Injection:
    """What a framework fills in: by class, by the name of a class, by ``Injected``.

    Attributes:
        types: The types that are filled in, and what is derived from them.
        class_names: What classes are called that are filled in.
    """

    def __init__(self, types: list[Any], class_names: frozenset[str]) -> None:
        self.types = types
        self.class_names = class_names

    def fills_in(self, parameter: Field) -> bool:
        """Whether a parameter is the framework's."""
        tp = parameter.annotation
        if type(tp) is UnresolvedError:
            return self._is_called_injected(text_of(parameter.written))
        try:
            return self._is_injected(tp)
        except (UnresolvedError, RecursionError):
            return False  # an alias that stands for nothing or for itself: reported where it is met

    def _is_injected(self, tp: Any) -> bool:
        """Whether a value of such a type is filled in."""
        if type(tp) is type and not self.types:  # most are
            return tp.__name__ in self.class_names
        if self.types and is_any(tp, self.types):
            return True
        origin, args = split(tp)
        if origin is Union:
            return all(self._is_injected(arg) for arg in args if arg is not type(None))
        if origin is Annotated:
            marked = any(each is Injected or type(each) is Injected for each in args[1:])
            return marked or self._is_injected(args[0])
        if is_class(head := tp if origin is None else origin):
            return self._is_class_injected(head)
        return origin is None and self._has_another_name(tp)

    def _is_class_injected(self, cls: type) -> bool:
        if self.types and any(base is each for base in mro(cls) for each in self.types):
            return True
        return class_name(cls) in self.class_names

    def _has_another_name(self, tp: Any) -> bool:
        if is_reference(tp):
            return self._is_called_injected(text_of(tp))
        if is_alias(tp):
            return self._is_injected(alias_value(tp)[0])
        return is_form(type(tp), "NewType") and self._is_injected(tp.__supertype__)

    def _is_called_injected(self, text: str) -> bool:
        """Whether a string says ``Context``, ``x.Context | None`` or ``Optional[Context]``."""
        known = {each.__name__ for each in self.types if is_class(each)} | self.class_names
        names = set(_names_in(text)) - {"None"}
        return bool(names) and names <= known


def _names_in(text: str) -> Iterator[str]:
    """The names of the members that an annotation in a string has, without evaluating it."""
    import ast

    try:
        todo: list[ast.AST] = [ast.parse(str.strip(text), mode="eval").body]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    while todo:
        node = todo.pop()
        if isinstance(node, ast.BinOp):
            todo += [node.left, node.right]
        elif isinstance(node, ast.Subscript):
            head = ast.unparse(node.value).rpartition(".")[2]
            inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            members = {"Optional": inside, "Union": inside, "Annotated": inside[:1]}
            todo += members.get(head, [node.value])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _names_in(node.value)
        else:
            yield ast.unparse(node).rpartition(".")[2]
