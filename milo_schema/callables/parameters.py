"""Parameters that are not a property of their own: variadic, or filled in by the framework."""

from __future__ import annotations

from milo_schema.annotations.classes import (
    MISSING,
    UnresolvedError,
    is_any,
    is_class,
    mro,
)
from milo_schema.annotations.evaluation import Unresolved, is_reference, text_of
from milo_schema.annotations.forms import (
    UNION,
    display,
    is_form,
    metadata_of,
    split,
    unpacked,
    with_metadata,
)
from milo_schema.annotations.generics import close
from milo_schema.annotations.resolution import is_wrapper, resolve, steps, union_members
from milo_schema.callables import records
from milo_schema.callables.signatures import KEYWORD_ONLY, VAR_KEYWORD, has_name
from milo_schema.markers import Injected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from milo_schema.annotations.evaluation import Scope
    from milo_schema.callables.signatures import Field, Record
    from milo_schema.schemas.walk import Walk


# -- variadic parameters -----------------------------------------------------------------------


def variadic(field: Field, record: Record, description: str | None, walk: Walk) -> list[Field]:
    """What ``*args`` or ``**kwargs`` add to the record: fields, or further properties."""
    keys = unpacked(field.annotation)
    if field.kind == VAR_KEYWORD and keys is not MISSING:  # PEP 692
        return _unpacked(field, keys, record, walk)
    if type(field.annotation) is Unresolved:  # it may have been Unpack[...]
        problem = field.annotation.error
        walk.at(field.step).unsupported(field.written, str(problem), problem)
    if walk.profile.variadics == "error":
        walk.at(field.step).refuse("no JSON Schema for variadic parameters; name each of them")
    if field.kind == VAR_KEYWORD and walk.profile.variadics == "open":
        is_untyped = is_form(type(field.annotation), "ParamSpecKwargs")  # P.kwargs, PEP 612
        record.extra = MISSING if is_untyped else field.annotation
        record.extra_step = f"{field.step}{{}}"
        if description and record.extra is not MISSING:
            record.extra = with_metadata(record.extra, (description,))
    return []


def _unpacked(field: Field, typed_dict: Any, record: Record, walk: Walk) -> list[Field]:
    """The keys of ``**kwargs: Unpack[TypedDict]``, as parameters."""
    try:
        keys = _read_keys(typed_dict, field.scope)
    except UnresolvedError as problem:
        walk.at(field.step).complain(str(problem), field.annotation, problem)
        return []
    for each in keys.fields:
        each.kind = KEYWORD_ONLY  # it is a parameter now, and f(x) in paths
    if keys.extra is not MISSING:
        record.extra = keys.extra
    return keys.fields


def _read_keys(typed_dict: Any, scope: Scope) -> Record:
    found = resolve(typed_dict, scope)
    if not is_class(found.head) or not records.is_typed_dict(found.head):
        raise UnresolvedError(f"{display(typed_dict)} is no TypedDict; PEP 692 asks for one")
    return records.read(close(found.annotation, found.scope), found.scope)


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
        """Whether the framework fills in a parameter."""
        tp = parameter.annotation
        if type(tp) is Unresolved:
            return self._is_called_injected(tp.text)
        try:
            return self._is_injected(tp, parameter.scope)
        except (UnresolvedError, RecursionError):
            return False  # an alias that stands for nothing or for itself: reported where it is met

    def _is_injected(self, tp: Any, scope: Scope) -> bool:
        """Whether the framework fills in values of a type, whatever it is called here."""
        head, args = split(tp)
        if is_any(tp, self.types):
            return True
        if head is UNION:
            if any(type(arg) is type and not self._is_none_or_injected(arg) for arg in args):
                return False
        elif not is_wrapper(head):
            return self._is_class_injected(head)
        elif any(self._is_marked(each) for each, _ in steps(tp, scope)):
            return True
        every = union_members(tp, scope, self._is_marked)
        members = [each for each in every if not _is_none(each[0])]
        if len(members) == 1 and members[0][0] is tp:  # what stands for a single type
            return self._is_class_injected(resolve(tp, scope).head)
        return bool(members) and all(self._is_injected(*member) for member in members)

    def _is_marked(self, tp: Any) -> bool:
        """Whether an annotation itself, as it is written, says that the framework fills it in."""
        if self.types and is_any(tp, self.types):
            return True
        if is_reference(tp) and self._is_called_injected(text_of(tp)):
            return True
        return any(each is Injected or type(each) is Injected for each in metadata_of(tp))

    def _is_none_or_injected(self, cls: type) -> bool:
        return cls is _NONE_TYPE or self._is_class_injected(cls)

    def _is_class_injected(self, cls: Any) -> bool:
        if not is_class(cls):
            return False
        if self.types and any(is_any(base, self.types) for base in mro(cls)):
            return True
        return has_name(cls, self.class_names)

    def _is_called_injected(self, text: str) -> bool:
        """Whether a string says ``Context``, ``x.Context | None`` or ``Optional[Context]``."""
        known = {each.__name__ for each in self.types if is_class(each)} | self.class_names
        names = set(_names_in(text)) - {"None"}
        return bool(names) and names <= known


_NONE_TYPE = type(None)


def _is_none(tp: Any) -> bool:
    return tp is None or tp is _NONE_TYPE


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
