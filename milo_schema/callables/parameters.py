"""Injected parameters, such as ``ctx: Context``: the framework fills them in, not the caller.

``visible_parameters()`` in ``schemas`` leaves them out. Names and the most common
annotations are decided there; ``Injection`` decides every annotation that needs a closer look.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Iterator
from milo_schema.annotations.classes import (
    MISSING,
    Classes,
    Unresolved,
    UnresolvedError,
    is_any,
    is_class,
    loaded_when_used,
    mro,
)
from milo_schema.annotations.evaluation import Scope, is_reference, is_unresolved, text_of
from milo_schema.annotations.forms import (
    UNION,
    Marker,
    is_form,
    is_injected,
    metadata_of,
    split,
    unpacked,
)
from milo_schema.callables.signatures import VAR_KEYWORD, Field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.annotations import resolution
else:
    resolution = loaded_when_used("annotations.resolution")

Seen = dict[Any, tuple[Any, Scope]]


class Injection:
    """Decides which parameters a framework fills in: by class, by class name, or by ``Injected``.

    If a part of a union or of a container is injected, the whole parameter is: a model that could
    pass one part of it could forge the other.

    Attributes:
        types: The injected types; their subclasses are injected, too.
        classes: The injected classes, mostly given by name.
    """

    def __init__(self, types: list[Any], classes: Classes) -> None:
        self.types = types
        self.classes = classes
        self._spared: frozenset[int] = frozenset() if types else classes.spared

    def is_injected(self, parameter: Field) -> bool:
        """Whether the framework fills in a parameter."""
        tp = parameter.annotation
        head, args = parameter.parts or split(tp)
        if tp is MISSING or (parameter.kind == VAR_KEYWORD and unpacked(tp) is not MISSING):
            return False  # **kwargs: Unpack[...] stands for several parameters
        try:
            if head is tp or self.types:
                return self._is_met_in((tp,), parameter.scope, {})
            if head is UNION or id(head) in self._spared:
                return self._is_met_in(args, parameter.scope, {})
            return self._is_met_behind(tp, head, args, parameter.scope, {})
        except RecursionError:  # reported later, when the annotation is read
            return False

    def _is_met_in(self, annotations: tuple[Any, ...], scope: Scope, seen: Seen) -> bool:
        """Whether one of the annotations contains an injected type."""
        spared, types = self._spared, self.types
        todo = [each for each in annotations if id(each) not in spared]
        while todo:
            tp = todo.pop()
            if id(tp) in spared:
                continue
            if issubclass(type(tp), type):
                if self._has(tp):
                    return True
                continue
            if types and is_any(tp, types):
                return True
            head, args = split(tp)
            if head is UNION or id(head) in spared:
                todo += args
            elif self._is_met_behind(tp, head, args, scope, seen):
                return True
        return False

    def _is_met_behind(
        self, tp: Any, head: Any, args: tuple[Any, ...], scope: Scope, seen: Seen
    ) -> bool:
        """Whether an annotation with a less common head contains an injected type."""
        if metadata := metadata_of(tp):
            return _has_mark(metadata) or self._is_met_in(args, scope, seen)
        if issubclass(type(head), type):
            return self._has(head) or self._is_met_in(args, scope, seen)
        if is_form(head, "Literal"):  # its arguments are values
            return False
        if resolution.is_wrapper(head):
            return self._is_met_by_name(tp, scope, seen)
        if is_form(type(head), "TypeVarTuple"):
            args = scope.bindings.get(head, ())
        return self._is_met_in(args, scope, seen)

    def _is_met_by_name(self, tp: Any, scope: Scope, seen: Seen) -> bool:
        """Whether the annotation behind a name or wrapper contains an injected type."""
        try:
            key = resolution.key_of_wrapper(tp, scope)
            if key in seen:
                return False
            seen[key] = tp, scope  # kept alive, so that their ids stay theirs
            inner = resolution.resolve_once(tp, scope)
        except UnresolvedError:
            return self._is_named_in(tp) or self._is_met_in(split(tp)[1], scope, seen)
        return inner is not None and self._is_met_in(inner[:1], inner[1], seen)

    def _has(self, cls: Any) -> bool:
        if self.types and any(is_any(base, self.types) for base in mro(cls)):
            return True
        return self.classes.have(cls)

    def _is_named_in(self, tp: Any) -> bool:
        """Whether an annotation that cannot be evaluated names an injected class.

        ``x.Context`` does, and so do ``list[Context]`` and ``Context | int``.
        """
        head, _ = split(tp)
        if type(head) is Unresolved:
            text = head.text
        elif is_reference(tp):
            text = text_of(tp)
        else:
            return False
        types = Classes(each.__name__ for each in self.types if is_class(each))
        return any(name in self.classes.last_names or name in types for name in _names_in(text))


def _has_mark(metadata: tuple[Any, ...]) -> bool:
    for piece in metadata:
        if issubclass(kind := type(piece), Marker):  # the common case
            if kind.hides is True:
                return True
        elif is_injected(piece) or (is_unresolved(piece) and _is_called_injected(piece)):
            return True
    return False


def _is_called_injected(metadata: Any) -> bool:
    """Whether metadata that cannot be evaluated are called ``Injected``."""
    text = metadata.text if type(metadata) is Unresolved else text_of(metadata)
    return text.partition("(")[0].rpartition(".")[2] == "Injected"


def _names_in(text: str) -> Iterator[str]:
    """The names of types in an annotation string, without evaluating it."""
    import ast

    try:
        todo: list[ast.AST] = [ast.parse(str.strip(text), mode="eval").body]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _names_in(node.value)
        elif isinstance(node, ast.Subscript):
            head = ast.unparse(node.value).rpartition(".")[2]
            inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            members = {"Literal": [], "Annotated": inside[:1]}
            todo += [node.value, *members.get(head, inside)]
        else:
            todo += ast.iter_child_nodes(node)
