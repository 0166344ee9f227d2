"""The rule for each type: which function reads an annotation into a node.

A rule is ``rule(reader, tp, head, args, scope, place) -> Node``. *tp* is the annotation as it is
written, *head* is its class or special form, and *args* are its arguments.

To find the code for a type, search the tables: ``RULES`` has types that are always loaded,
``NAMED`` has types by name, because their module may not be loaded, and the families at the bottom
have kinds of types that need a test. The types that are strings in JSON are rows of
``nodes.scalar_types``.
"""

from __future__ import annotations

import collections
import sys
import types
import typing
from collections import abc
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any

from milo_schema import libraries
from milo_schema.annotations import Arguments, generics
from milo_schema.annotations.classes import (
    COMMON,
    bare_name,
    class_name,
    inherits,
    loaded,
    mro,
    own,
)
from milo_schema.annotations.evaluation import is_reference
from milo_schema.annotations.forms import UNION, is_alias, is_typed_dict, split
from milo_schema.annotations.resolution import is_wrapper
from milo_schema.annotations.scopes import Scope
from milo_schema.callables import records
from milo_schema.callables.signatures import is_asked
from milo_schema.nodes import Reader
from milo_schema.nodes.annotated import Annotated, read_alias, read_reference, read_wrapper
from milo_schema.nodes.base import Node, Place
from milo_schema.nodes.choices import read_enum, read_literal
from milo_schema.nodes.containers import (
    ANYTHING,
    Array,
    Mapping,
    Pairs,
    UniqueArray,
    read_counter,
    read_generator,
)
from milo_schema.nodes.records import read_record
from milo_schema.nodes.scalar_types import SCALAR_TYPES, ScalarType
from milo_schema.nodes.scalars import BOOLEAN, FORMS, PLAIN, Scalar, ScalarSubclass, StringForm
from milo_schema.nodes.tuples import Tuple
from milo_schema.nodes.unions import read_never, read_union

Rule = Callable[[Reader, Any, Any, Arguments, Scope, Place], Node]


def _ready(node: Node) -> Rule:
    """The rule of a type that has a node already."""
    return lambda _reader, _tp, _head, _args, _scope, _place: node


def _scalar(row: ScalarType) -> Rule:
    """The rule of a type in the table of scalars."""
    return lambda _reader, tp, head, args, _scope, _place: StringForm(head, row, tp, args)


_ANYTHING = _ready(ANYTHING)
_BOOLEAN = _ready(BOOLEAN)

CONTAINERS: dict[Any, Rule] = {
    **dict.fromkeys((list, collections.deque, collections.UserList), Array.read),
    **dict.fromkeys((abc.Iterable, abc.Iterator, abc.Reversible, abc.Collection), Array.read),
    **dict.fromkeys((abc.Sequence, abc.MutableSequence, abc.KeysView, abc.ValuesView), Array.read),
    **dict.fromkeys((set, frozenset, abc.Set, abc.MutableSet), UniqueArray.read),
    abc.ItemsView: Pairs.read,
    abc.Generator: read_generator,
    tuple: Tuple.read,
    **dict.fromkeys((dict, collections.defaultdict, collections.OrderedDict), Mapping.read),
    **dict.fromkeys((collections.ChainMap, collections.UserDict), Mapping.read),
    **dict.fromkeys((types.MappingProxyType, abc.Mapping, abc.MutableMapping), Mapping.read),
    collections.Counter: read_counter,
}
"""The containers; an annotation with one of these heads has its parts as arguments."""

RULES: dict[Any, Rule] = {
    **CONTAINERS,
    object: _ANYTHING,
    UNION: read_union,
    typing.Any: _ANYTHING,
    typing.Never: read_never,
    typing.NoReturn: read_never,
    typing.Literal: read_literal,
    typing.Annotated: Annotated.read,
    **dict.fromkeys((typing.Required, typing.NotRequired, typing.Final), read_wrapper),
    **dict.fromkeys((typing.ClassVar, typing.Self), read_wrapper),
    typing.TypeGuard: _BOOLEAN,
}
"""The types and special forms that are always loaded."""

NAMED: dict[str, Rule] = {
    "builtins.frozendict": Mapping.read,
    "typing.ReadOnly": read_wrapper,
    "typing_extensions.ReadOnly": read_wrapper,
    "typing.TypeIs": _BOOLEAN,
    "typing_extensions.TypeIs": _BOOLEAN,
}
"""Types and special forms by dotted name, found if their module is loaded."""

BY_IDENTITY: dict[int, Rule] = {
    **{id(head): rule for head, rule in RULES.items()},
    **{tp: _ready(node) for tp, node in (PLAIN | FORMS).items()},
}
"""The rules by ``id()``, because ``==`` and ``hash`` of an annotation may be user code."""

_FORMS = (
    UNION,
    typing.Annotated,
    typing.Literal,
    typing.Required,
    typing.NotRequired,
    typing.Final,
    typing.ClassVar,
)
UNAFFECTED = COMMON | frozenset(map(id, _FORMS))
"""The heads that no injected class can be, unless a profile injects one of Python's own."""


# -- finding a rule ----------------------------------------------------------------------------


def find_rule(head: Any, args: Arguments, scope: Scope) -> tuple[Rule, Arguments]:
    """The rule for an annotation that is not in ``BY_IDENTITY``, and the arguments to give it.

    In this order: the names, the families, the tables for a base class; never through ``object``.
    """
    kind = type(head)
    is_class = issubclass(kind, type)
    name = class_name(head) if is_class else bare_name(head)
    if name in _BY_NAME and (rule := _by_name(head, name)) is not None:
        return rule, args
    of_class = _OF_PLAIN_CLASSES if kind is type else CLASS_FAMILIES
    for belongs, rule in of_class if is_class else FAMILIES:
        if belongs(head):
            return rule, args
    return _find_class(head, args, scope) if is_class else (read_unknown, args)


def _find_class(head: type, args: Arguments, scope: Scope) -> tuple[Rule, Arguments]:
    """The rule of a class that does not belong to a family of ours."""
    for belongs, how in libraries.rows("RECORDS"):
        if belongs(head):
            return partial(read_record, how), args
    if own(head, "_is_protocol") is True:  # its base class may be a container
        return read_unknown, args
    if head is abc.Hashable:  # tested here, because many classes derive from it
        return _ANYTHING, args
    if generics.has_quoted_base(head):
        return read_container, args
    return find_by_base(head, args, scope)


def has_rule(tp: Any, scope: Scope) -> bool:
    """Whether the tables know an annotation."""
    head, args = split(tp)
    return id(head) in BY_IDENTITY or find_rule(head, args, scope)[0] is not read_unknown


def find_by_base(head: type, args: Arguments, scope: Scope) -> tuple[Rule, Arguments]:
    """The rule of the nearest base class in the tables, and the arguments of that base."""
    for base in mro(head)[1:-1]:
        if (plain := PLAIN.get(id(base))) is not None:
            return _derived(plain), args
        rule = BY_IDENTITY.get(id(base)) or _by_name(base, class_name(base))
        if rule is not None:
            return rule, generics.base_arguments(head, args, base, scope.fallback)
    for dotted, same in libraries.rows("SCALARS"):
        if inherits(head, loaded(dotted)):
            return _derived(PLAIN[id(same)]), args
    return read_unknown, args


def _by_name(head: Any, name: str) -> Rule | None:
    """The rule of a type whose module may not be loaded."""
    for module, rule in _BY_NAME.get(name, ()):
        if getattr(sys.modules.get(module), name, None) is head:
            return rule
    return None


def _derived(plain: Scalar) -> Rule:
    """The rule of a class that inherits from one of the most common types."""
    if isinstance(plain, StringForm):
        return _scalar(plain.row)
    return lambda _reader, _tp, head, _args, _scope, _place: ScalarSubclass(head, plain)


_BY_NAME: dict[str, list[tuple[str, Rule]]] = {}
for _dotted, _rule in (*NAMED.items(), *((row.name, _scalar(row)) for row in SCALAR_TYPES)):
    _parts = _dotted.rpartition(".")
    _BY_NAME.setdefault(_parts[2], []).append((_parts[0], _rule))


# -- families ----------------------------------------------------------------------------------


def read_unknown(
    reader: Reader, tp: Any, _head: Any, _args: Arguments, scope: Scope, place: Place
) -> Node:
    """An annotation without a rule: only the profile's function may know a schema for it."""
    return reader.read_unknown(tp, scope, place)


def read_custom(
    reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
) -> Node:
    """A type that its class, the profile or a decoder describes; any other, by these tables."""
    from milo_schema.nodes.custom import read_custom  # few tools have one

    return read_custom(reader, tp, head, args, scope, place)


def read_model(
    reader: Reader, tp: Any, _head: Any, _args: Arguments, scope: Scope, place: Place
) -> Node:
    """A class that pydantic has to describe."""
    from milo_schema.nodes.foreign import Model  # few tools have one

    return Model.read(reader, tp, scope, place)


def read_container(
    reader: Reader, tp: Any, head: Any, args: Arguments, scope: Scope, place: Place
) -> Node:
    """A container that may contain itself, ``class Tree(dict[str, "Tree"])``: a named type."""
    tp = reader.close(tp, scope, place)
    rule, given = find_by_base(head, split(tp)[1], scope)
    return reader.name(tp, lambda body: rule(body, tp, head, given, scope, place))


def _is_enum(cls: type) -> bool:
    return type(cls) is not type and inherits(cls, Enum)


CLASS_FAMILIES: tuple[tuple[Callable[[Any], object], Rule], ...] = (
    (records.describes_itself, read_custom),
    (is_asked, read_model),
    (_is_enum, read_enum),
    *((belongs, partial(read_record, how)) for belongs, how in records.READERS),
)
"""Kinds of classes that need a test, in the order of the tests; then those of libraries."""

_OF_PLAIN_CLASSES = [row for row in CLASS_FAMILIES if row[0] not in (_is_enum, is_typed_dict)]
"""The same without those that have a metaclass, as most classes do not."""

FAMILIES: tuple[tuple[Callable[[Any], object], Rule], ...] = (
    (is_reference, read_reference),
    (is_alias, read_alias),
    (is_wrapper, read_wrapper),
)
"""Kinds of annotations that are not classes, in the order of the tests."""
