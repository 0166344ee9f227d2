"""Named types: records, aliases, Enums and all others that a schema may define once.

They are the one mechanism for recursion. The reader makes one ``Named`` for each type; every use of
the type is that node, so a type that contains itself is a cycle of nodes, not an endless one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from milo_schema.annotations import Arguments, Json, generics
from milo_schema.annotations.classes import (
    is_any,
    is_class,
    qualified_name,
    shorten,
    static,
)
from milo_schema.annotations.display import display
from milo_schema.annotations.evaluation import evaluate, is_reference, text_of
from milo_schema.annotations.forms import (
    UNION,
    ForeignName,
    QuotedName,
    is_alias,
    is_form,
    metadata_of,
    split,
)
from milo_schema.annotations.resolution import resolve_once
from milo_schema.annotations.scopes import Scope
from milo_schema.callables import records
from milo_schema.callables.signatures import is_asked
from milo_schema.errors import Problem
from milo_schema.nodes.base import Dumping, Loading, Node, Place, Wrapper
from milo_schema.nodes.containers import ANYTHING


class Named(Wrapper):
    """A type with a name.

    Attributes:
        annotation: The type, in its canonical form.
        json_type: Its JSON type, if that is known without its body, as for a record.
        targets: The named types in its body.
        size: The number of annotations in its body.
        is_alias: Whether it only names another annotation: ``type X = ...``, or a string.
        is_custom: Whether a user describes it.
        matches: The reasons why the framework fills in a parameter with this annotation.
    """

    json_type: str = ""
    size: int = 0
    is_alias: bool = False
    is_custom: bool = False
    matches: Sequence[tuple[str, Any]] = ()
    _body: Node | None = None

    def __init__(self, annotation: Any, read: Callable[[Named], Node] | None = None) -> None:
        self.annotation = annotation
        self.targets: list[Named] = []
        self._read: Callable[[Named], Node] | None = read

    @property
    def body(self) -> Node:
        """The node of the type itself, which is read when it is first asked for."""
        if self._body is None:
            assert self._read is not None  # noqa: S101 - only until it has a body
            self.fill(self._read(self))
        assert self._body is not None  # noqa: S101 - as above
        return self._body

    @property
    def inner(self) -> Node:
        """The body."""
        return self.body

    @property
    def is_read(self) -> bool:
        """Whether the body has been read; it may be under way."""
        return self._body is not None

    def fill(self, body: Node) -> None:
        """Set the body; from now on, its methods are called directly."""
        self._body, self._read = body, None
        self.load = body.load  # type: ignore[method-assign]
        self.dump = body.dump  # type: ignore[method-assign]

    def load(self, json: Any, run: Loading) -> Any:
        """That of the body, which is read now."""
        return self.body.load(json, run)

    def dump(self, value: Any, run: Dumping) -> Any:
        """That of the body, which is read now."""
        return self.body.dump(value, run)

    # -- schema --------------------------------------------------------------------------------

    def schema(self, out: Any) -> Json:
        """The schema of the type, or a reference to it."""
        return self.body.schema(out) if out.is_in_place else out.refer(self)

    @property
    def describes_class(self) -> bool:  # type: ignore[override]
        """Whether it is a class, or an alias of one."""
        return not self.is_alias or self.body.describes_class

    @property
    def problem(self) -> Problem | None:  # type: ignore[override]
        """That of the body, if it is known."""
        return None if self._body is None else self._body.problem

    @property
    def accepts_null(self) -> bool:  # type: ignore[override]
        """Whether an alias stands for a union with ``None``."""
        return self.is_alias and self._body is not None and self._body.accepts_null

    def without_null(self) -> Node:
        """The union of an alias without ``None``."""
        return self.body.without_null() if self.accepts_null else self

    # -- values --------------------------------------------------------------------------------

    def members(self) -> Iterator[Node]:
        """The members of the union that an alias stands for."""
        if self.is_alias:
            yield from self.body.members()
        else:
            yield self

    @property
    def undecodable(self) -> Problem | None:  # type: ignore[override]
        """Why an alias cannot be read; a record reports its own fields."""
        return None if self._body is None else self._body.undecodable

    def with_numbers(self) -> Node:
        """That of the body."""
        return self.body.with_numbers()

    # -- names ---------------------------------------------------------------------------------

    @property
    def is_quoted(self) -> bool:
        """Whether its name is only the text of an annotation, which a reader would not know."""
        return type(self.annotation) is QuotedName

    @property
    def short_name(self) -> str:
        """Its name as a definition, if no other type has the same name."""
        return definition_name(self.annotation)

    @property
    def long_name(self) -> str:
        """Its name as a definition, qualified by its module."""
        named, args = split(self.annotation)
        if is_any(type(named), (QuotedName, ForeignName)):
            return _clean(named.label)
        module = static(named, "__module__") if is_class(named) else named.__module__
        module = module if type(module) is str else ""
        return _clean("_".join([f"{module}.{display(named)}", *map(definition_name, args)]))


MAX_NAME = 80
"""The most characters in the short name of a class."""


def definition_name(tp: Any) -> str:
    """The name of a type as a definition, if no other type has the same name."""
    if type(tp) is type and tp is not type(None):
        return _clean(shorten(qualified_name(tp).rpartition(".")[2], MAX_NAME))
    head, args = split(tp)
    name = "Union" if head is UNION else display(head).rpartition(".")[2]
    return _clean("_".join([name, *map(definition_name, (*args, *metadata_of(tp)))]))


def _clean(name: str) -> str:
    """A name with only characters that are safe in every ``$ref``: ``[A-Za-z0-9._-]``."""
    if name.isidentifier() and name.isascii():
        return name
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    leading = name[: len(name) - len(name.lstrip("_"))]
    return leading + "_".join(filter(None, kept.split("_"))) or "Type"


# -- reading -----------------------------------------------------------------------------------


def read_alias(
    reader: Any, tp: Any, head: Any, _args: Arguments, scope: Scope, place: Place
) -> Node:
    """``type X = ...``, PEP 695; with arguments, if it is generic."""
    tp = reader.close(tp, scope, place)
    value, inner = generics.alias_value(tp, scope)
    read = partial(reader.read, value, inner, place)
    return reader.name(tp, read, place, is_alias=True)


def read_reference(
    reader: Any, tp: Any, head: Any, _args: Arguments, scope: Scope, place: Place
) -> Node:
    """A name in quotes inside an annotation; it is evaluated here, in its own scope.

    Its value may contain the same name: ``Json = dict[str, "Json"] | str``. So it becomes a named
    type, unless its value already is one.
    """
    if not is_reference(tp):  # such as "list"[int], made by mistake
        return reader.unsupported(tp, f"no JSON Schema for {display(tp)}", place)
    value = evaluate(tp, scope)
    if is_class(value) or value is None or _has_a_name(value):
        return reader.read(value, scope, place)
    name = QuotedName(text_of(tp), scope)
    read = partial(reader.read, value, scope, place)
    return reader.name(name, read, place, is_alias=True)


def _has_a_name(value: Any) -> bool:
    """Whether an annotation is a specialized named type, or an alias."""
    head, _ = split(value)
    if is_class(head):
        return records.describes_itself(head) or records.is_record(head) or is_asked(head)
    return is_alias(head)


def read_wrapper(
    reader: Any, tp: Any, head: Any, _args: Arguments, scope: Scope, place: Place
) -> Node:
    """A wrapper around another annotation: a qualifier, a type parameter, a ``NewType``."""
    if (found := resolve_once(tp, scope)) is not None:
        return reader.read(*found, place)
    if is_form(tp, "Self"):
        return reader.unsupported(tp, "Self is used outside of a class", place)
    return ANYTHING  # an unbound type parameter, or a qualifier without a type
