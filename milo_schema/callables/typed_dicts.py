"""Read the keys of a TypedDict, which at run time has neither its bases nor all qualifiers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from milo_schema.annotations import generics
from milo_schema.annotations.classes import (
    MISSING,
    NOTHING,
    body,
    is_class,
    loaded,
    own,
    own_annotations,
)
from milo_schema.annotations.forms import (
    is_form,
    is_generic,
    is_generic_class,
    is_typed_dict,
    key_of,
    split,
)
from milo_schema.annotations.generics import Bindings, Fallback
from milo_schema.annotations.resolution import qualifier_of, qualifiers_of, try_resolve
from milo_schema.annotations.scopes import SELF, Scope
from milo_schema.callables.class_bodies import ClassBodies, Keys
from milo_schema.callables.signatures import Field, Record


def read_typed_dict(bodies: ClassBodies, _output: bool) -> Record:
    """Read the keys of a TypedDict, including those of its bases."""
    cls = bodies.cls
    required_keys, extra = cls.__required_keys__, MISSING
    has_bases = any(map(_is_own_base, generics.bases(cls)))
    if has_bases:
        bodies.annotations = _keys(cls, bodies.bindings, bodies.outer, {})
        for each in _lineage(cls, set()):
            bodies.add_doc(each)
    else:
        scope = Scope(cls, {SELF: cls, **bodies.bindings}, None, bodies.outer.fallback)
        bodies.annotations = {name: (each, scope) for name, each in own_annotations(cls).items()}
        bodies.add_doc(cls)
    if has_bases or "__extra_items__" in body(cls):
        extra = _extra_items(cls, bodies.bindings, set(), bodies.outer.fallback)
    fields = []
    for name in bodies.annotations:
        field = bodies.field(name, name in required_keys)
        if type(field.annotation) is not type and not is_generic_class(field.annotation):
            _read_qualifiers(field)
        fields.append(field)
    return bodies.record(fields, extra)


def _read_qualifiers(field: Field) -> None:
    """Remove the outermost qualifiers, and set whether the key is required.

    ``__required_keys__`` is not enough: it is wrong if ``Required`` is in a string (PEP 563).
    """
    said: list[str] = []
    while type(field.annotation) is not type and (name := qualifier_of(field.annotation)):
        said.append(name)
        field.annotation = split(field.annotation)[1][0]
    if type(field.annotation) is not type:
        said += qualifiers_of(field.annotation, field.scope)
    for name in reversed(said):  # the outermost wins
        field.required = _IS_REQUIRED.get(name, field.required)


_IS_REQUIRED = {"Required": True, "NotRequired": False}
"""The type qualifiers that decide whether a key is required."""


def _is_own_base(base: Any) -> bool:
    """Whether a base of a TypedDict is another TypedDict, or ``Generic[...]``."""
    return is_generic(base) or (is_class(base) and is_typed_dict(base))


def _keys(cls: Any, bindings: Bindings, outer: Scope, known: dict[Any, Keys]) -> Keys:
    """Each key with its annotation and the scope of the TypedDict that has it.

    At run time, the only base of a TypedDict is ``dict``; ``__orig_bases__`` has the others. If
    every annotation is closed, no scope matters and the bases are not read, which is slow on 3.14.
    """
    form = id(cls), *map(key_of, bindings.values())
    if form in known:  # reached through another base
        return known[form]
    keys: Keys = {}
    annotations = own_annotations(cls)  # includes those of its bases
    if not annotations or not all(map(generics.is_closed, annotations.values())):
        for base, bound in _bases(cls, bindings, outer.fallback):
            keys |= _keys(base, bound, outer, known)
    own_bindings = {SELF: cls, **bindings}
    scope = Scope(cls, bindings=own_bindings, fallback=outer.fallback)
    for name, annotation in annotations.items():
        if name not in keys or not generics.is_same(annotation, keys[name][0]):
            keys[name] = annotation, scope
    known[form] = keys
    return keys


def _lineage(cls: type, seen: set[int]) -> Iterator[type]:
    """A TypedDict and the TypedDicts that it inherits from, each once, after its own bases."""
    seen.add(id(cls))
    for base, _ in _bases(cls, {}, NOTHING):
        if id(base) not in seen:
            yield from _lineage(base, seen)
    yield cls


def _bases(cls: type, bindings: Bindings, fallback: Fallback) -> Iterator[tuple[type, Bindings]]:
    scope = Scope(cls, bindings, fallback=fallback)
    for base in generics.bases(cls):
        parent, args = split(base)
        if is_class(parent) and is_typed_dict(parent):
            yield parent, generics.bindings_of(parent, generics.close_all(args, scope))


def _extra_items(cls: type, bindings: Bindings, seen: set[int], fallback: Fallback) -> Any:
    """The type of extra keys (PEP 728); ``False`` if closed, ``MISSING`` if unspecified."""
    extra, closed = own(cls, "__extra_items__", MISSING), own(cls, "__closed__")
    if closed:
        return False
    if extra is None and not any(map(loaded, _NO_EXTRA_ITEMS)):
        extra = MISSING  # what typing_extensions has up to 4.12
    if extra is not MISSING and not is_form(extra, "NoExtraItems"):
        scope = Scope(cls, bindings, fallback=fallback)
        found = try_resolve(extra, scope)
        is_never = found is not None and is_form(found.head, "Never")
        return False if is_never else generics.close(extra, scope)
    seen.add(id(cls))
    if closed is False:
        return MISSING
    for base, bound in _bases(cls, bindings, fallback):
        if id(base) not in seen:
            found = _extra_items(base, bound, seen, fallback)
            if found is not MISSING:
                return found
    return MISSING


_NO_EXTRA_ITEMS = ("typing.NoExtraItems", "typing_extensions.NoExtraItems")
