"""Injected parameters, such as ``ctx: Context``: those that the framework fills in, not the caller.

``_visible_parameters()`` in ``schemas.functions`` leaves them out. Names and plain classes are
decided there; ``Injection`` decides every annotation that needs a closer look.
"""

from __future__ import annotations

from milo_schema.annotations.classes import (
    UnresolvedError,
    class_name,
    is_any,
    is_class,
    loaded,
    mro,
)
from milo_schema.annotations.evaluation import Unresolved, is_reference, text_of
from milo_schema.annotations.forms import UNION, metadata_of, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from milo_schema.annotations.evaluation import Scope
    from milo_schema.callables.signatures import Field


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
        if self.types and is_any(tp, self.types):
            return True
        head, args = split(tp)
        if head is UNION and any(map(self._is_other_class, args)):
            return False
        if metadata := metadata_of(tp):
            return any(map(_is_mark, metadata)) or self._is_injected(args[0], scope)
        if is_class(head) and head is not UNION:
            return self._is_class_injected(head)
        from milo_schema.annotations import resolution

        if not resolution.is_wrapper(head) and head is not UNION:
            return False
        is_marked = any(self._is_marked(each) for each, _ in resolution.steps(tp, scope))
        return is_marked or self._are_injected(tp, scope, resolution)

    def _are_injected(self, tp: Any, scope: Scope, resolution: Any) -> bool:
        """Whether the framework fills in all members of what may be a union behind a name."""
        members = resolution.union_members(tp, scope, self._is_marked)
        members = [each for each in members if not _is_none(each[0])]
        if len(members) == 1 and members[0][0] is tp:  # what stands for a single type
            return self._is_class_injected(resolution.resolve(tp, scope).head)
        return bool(members) and all(self._is_injected(*member) for member in members)

    def _is_marked(self, tp: Any) -> bool:
        """Whether an annotation itself, as it is written, says that the framework fills it in."""
        if self.types and is_any(tp, self.types):
            return True
        if is_reference(tp) and self._is_called_injected(text_of(tp)):
            return True
        return any(map(_is_mark, metadata_of(tp)))

    def _is_other_class(self, member: Any) -> bool:
        """Whether a member of a union is a class that the framework does not fill in."""
        head, _ = split(member)
        is_plain = type(head) is type and head is not UNION and head is not _NONE_TYPE
        return is_plain and not metadata_of(member) and not self._is_class_injected(head)

    def _is_class_injected(self, cls: Any) -> bool:
        if not issubclass(type(cls), type):
            return False
        if self.types and any(is_any(base, self.types) for base in mro(cls)):
            return True
        return class_name(cls) in self.class_names

    def _is_called_injected(self, text: str) -> bool:
        """Whether a string says ``Context``, ``x.Context | None`` or ``Optional[Context]``."""
        known = {each.__name__ for each in self.types if is_class(each)} | self.class_names
        names = set(_names_in(text)) - {"None"}
        return bool(names) and names <= known


_NONE_TYPE = type(None)


def _is_mark(metadata: object) -> bool:
    injected = loaded("milo_schema.markers.Injected")  # a caller who uses it has loaded it
    return metadata is injected or type(metadata) is injected


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
