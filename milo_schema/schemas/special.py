"""The parameters that need a closer look: all but those of plain types that are passed by name.

A parameter may be hidden, by its name, its annotation or a function of the profile; it may be
positional-only, or stand for several arguments; and most annotations need a reader.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

from milo_schema.annotations import Arguments
from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    Classes,
    Unresolved,
    UnresolvedError,
    is_any,
    is_class,
    mro,
    repr_of_error,
)
from milo_schema.annotations.evaluation import WHOLE_FORMS, is_reference, names_in, text_of
from milo_schema.annotations.forms import (
    UNION,
    is_injected,
    is_typed_dict,
    key_of,
    metadata_of,
    split,
    with_metadata,
)
from milo_schema.annotations.generics import base_arguments
from milo_schema.annotations.resolution import resolve, resolve_once, union_members
from milo_schema.annotations.scopes import Scope
from milo_schema.callables.signatures import KEYWORD_ONLY, VAR_KEYWORD, VARIADIC, Field
from milo_schema.callables.variadics import as_property, is_of_param_spec, read_keys, unpacked_keys
from milo_schema.markers import Description, Injected
from milo_schema.nodes import Parameters
from milo_schema.nodes.base import Node, Place
from milo_schema.nodes.containers import ANYTHING
from milo_schema.nodes.metadata import ROWS, MetadataReader, without_markers
from milo_schema.nodes.reader import Reader
from milo_schema.nodes.records import read_field, without_sentinel
from milo_schema.nodes.table import CONTAINERS, UNAFFECTED

# -- injected parameters ---------------------------------------------------------------------------
#
# The framework fills them in, such as ``ctx: Context``, and not the caller. Whether a parameter is
# injected is decided on its annotation, before that is read. So no code of users runs for a hidden
# parameter, nothing about it is reported, and no metadata can keep its class from being seen:
# ``SkipValidation[Context]`` is as hidden as ``Context``.

Match = tuple[str, Any]
"""Why a parameter is hidden (a field of the profile, an argument or a marker), and what matched."""
Part = tuple[Any, Scope, bool]
"""A part of an annotation, where its names are looked up, and whether it is the whole value."""

_ANNOTATED: Any = typing.Annotated
_CONTAINERS = frozenset(map(id, CONTAINERS))
_WITH_PARTS = _CONTAINERS | {id(UNION), id(_ANNOTATED)}
_LITERAL = id(typing.Literal)
_OURS = frozenset(ROWS)  # our own markers only describe a parameter; any others may hide it
_ORDER = ("Injected", "exclude", "injected_classes")

_MANY = 10_000  # aliases and forms that are visited; the reader refuses more


class Injection:
    """Finds out whether the framework fills in a parameter.

    If a part of a union or of a container is injected, the whole parameter is: a model that could
    pass one part of it could forge the other. The bare name of a class says less, because many
    programs have a ``Context`` of their own: it hides ``Context`` and a union with it, but never a
    container, such as ``list[Context]``.

    Args:
        to: The parameters, which get the reason for each that is hidden.

    Attributes:
        reader: The reader of the annotations.
        place: The place of the function.
    """

    __slots__ = ("_classes", "_hidden", "_types", "_unaffected", "place", "reader")

    def __init__(self, to: Parameters) -> None:
        self.reader: Reader = Reader(to.session)
        self.place: Place = to.place
        self._hidden: dict[str, Match] = to.hidden
        self._types: Sequence[Any] = to.types  # their subclasses are injected, too
        self._classes: Classes = self.reader.profile.class_sets["injected_classes"]
        self._unaffected: frozenset[int] = UNAFFECTED if to.is_ordinary else frozenset()

    def hides(self, field: Field, head: Any, args: Arguments) -> bool:
        """Whether the annotation of a parameter, which is split already, hides it.

        The marker is the first reason, then an excluded type, then a class of the profile.
        """
        tp, unaffected = field.annotation, self._unaffected
        if (
            id(head) in unaffected
            and unaffected.issuperset(map(id, args))
            and (head is not _ANNOTATED or _OURS.issuperset(map(id, map(type, metadata_of(tp)))))
        ):
            return False  # as for str | None, list[str], and Annotated[str, MinLen(1)]
        scope = field.scope
        is_whole = True
        found: list[Match] = []
        pieces: list[tuple[Any, Scope]] = []
        todo: list[Part] = []
        known: dict[Any, Any] = {}
        while True:
            key = id(head)
            if key not in unaffected and (own := self._own(tp, head, is_whole)):
                found += own
            elif key in _WITH_PARTS:
                is_member = is_whole and (head is UNION or head is _ANNOTATED)
                todo += [(arg, scope, is_member) for arg in args if id(arg) not in unaffected]
                if head is _ANNOTATED:
                    pieces += [
                        (each, scope) for each in metadata_of(tp) if id(type(each)) not in _OURS
                    ]
            elif key != _LITERAL and _has_parts(tp) and _is_new(known, tp, is_whole):
                todo += self._behind((tp, scope, is_whole), head, args, found)
            if not todo:
                break
            tp, scope, is_whole = todo.pop()
            head, args = split(tp)
        if pieces and self._is_marked(pieces, field, is_asked=not found):
            found.append(("Injected", Injected))
        if not found:
            return False
        self._hidden[field.name] = min(found, key=lambda match: _ORDER.index(match[0]))
        return True

    def _own(self, tp: Any, head: Any, is_whole: bool) -> list[Match]:
        """The injected class that an annotation is, or derives from."""
        if self._types and (excluded := self._excluded(tp, head)):
            return [("exclude", each) for each in excluded]
        classes = self._classes
        if issubclass(type(head), type) and (
            (classes.has_exact and classes.match_exactly(head))
            or (is_whole and classes.match_name(head))
        ):
            return [self._as_given(head)]
        return []

    def _excluded(self, tp: Any, head: Any) -> list[Any]:
        """The excluded types that an annotation is, or derives from."""
        if is_any(tp, self._types):
            return [tp]
        bases = mro(head) if is_class(head) else ()
        return [each for each in self._types if is_any(each, bases)]

    def _as_given(self, met: type | str) -> Match:
        """The class of the profile that was met, or its name, as it is given there."""
        every = sorted(self._classes, key=str)
        return "injected_classes", next(each for each in every if _is_given_as(met, each))

    def _is_marked(self, pieces: list[tuple[Any, Scope]], field: Field, *, is_asked: bool) -> bool:
        """Whether metadata are ``Injected``, hold it, or mean it to the profile.

        The others *are asked* only if no class is found: that may run code of users.
        """
        if any(is_injected(piece) for piece, _ in pieces):
            return True
        place = self.place, field
        return is_asked and any(
            MetadataReader(self.reader, scope, place).hides(piece) for piece, scope in pieces
        )

    def _behind(self, part: Part, head: Any, args: Arguments, found: list[Match]) -> Sequence[Part]:
        """The parts of an annotation that is neither a union nor a container.

        If it cannot be evaluated, its text may name an injected class.
        """
        tp, scope, is_whole = part
        try:
            return _inside(tp, head, args, scope, is_whole)
        except UnresolvedError:
            found += self._named(tp, head, is_whole)
            is_whole = is_whole and _text(tp, head).rpartition(".")[2] in WHOLE_FORMS
            return [(arg, scope, is_whole) for arg in args]

    def _named(self, tp: Any, head: Any, is_whole: bool) -> Iterator[Match]:
        """The injected classes that the text of an annotation names."""
        text = _text(tp, head)
        types = {each.__name__: each for each in self._types if is_class(each)}
        whole = {*names_in(text, within=False)} if is_whole else ()
        for name in names_in(text) if text else ():
            if name in types:
                yield "exclude", types[name]
            elif name in self._classes.exact_names or (
                name in self._classes.names and name in whole
            ):
                yield self._as_given(name)


def _is_given_as(met: type | str, member: Any) -> bool:
    """Whether a class that was met, or its name, is this member of a set of classes."""
    one = Classes({member})
    return met in one.last_names if isinstance(met, str) else one.match(met)


def classes_of(field: Field) -> list[Any]:
    """The classes, and other forms, of the values that a parameter takes; ``None`` is a class."""
    if field.annotation is MISSING:
        return [object]
    try:
        members = union_members(field.annotation, field.scope)
        found = [resolve(tp, scope).head for tp, scope in members]
    except UnresolvedError:  # it is hidden by the text of its annotation, or by its name
        return [object]
    optional = [type(None)] if field.default is None else []
    return [type(None) if each is None else each for each in found] + optional


def is_one_of(value: Any, classes: Sequence[Any]) -> bool:
    """Whether a value is an instance of a class, as far as Python can tell."""
    if float in classes:  # PEP 484: an int is one, too
        classes = [*classes, int]
    try:
        return isinstance(value, tuple(classes))
    except TypeError:  # a Protocol, a TypedDict, or a form such as Any
        return True


def _has_parts(tp: Any) -> bool:
    """Whether an annotation stands for another one, or has arguments; most classes do neither."""
    # The base of a TypedDict is dict without arguments; to look for them is an eighth of its cost.
    return not issubclass(type(tp), type) or not (
        _CONTAINERS.isdisjoint(map(id, mro(tp))) or is_typed_dict(tp)
    )


def _is_new(known: dict[Any, Any], tp: Any, is_whole: bool) -> bool:
    """Whether an annotation, which may contain itself, is met for the first time."""
    key = key_of(tp), is_whole
    if key in known or len(known) >= _MANY:
        return False
    known[key] = tp  # it stays alive, so that the key stays valid
    return True


def _inside(tp: Any, head: Any, args: Arguments, scope: Scope, is_whole: bool) -> list[Part]:
    """The parts of an annotation that is neither a union nor a container."""
    if (inner := resolve_once(tp, scope)) is not None:
        return [(*inner, is_whole)]
    if not args and is_class(head) and (base := _container_of(head)) is not None:
        args = base_arguments(head, (), base, scope.fallback)
    return [(each, scope, False) for each in args]


def _container_of(cls: Any) -> Any:
    """The container that a class derives from, as in ``class Ids(list[int])``."""
    bases = mro(cls)[1:-1]
    return next((each for each in bases if id(each) in _CONTAINERS), None)


def _text(tp: Any, head: Any) -> str:
    """The text of an annotation in quotes."""
    if type(head) is Unresolved:
        return head.text
    return text_of(tp) if is_reference(tp) else ""


# -- the parameters -------------------------------------------------------------------------------


class SpecialParameters(Injection):
    """Adds the parameters of one function that need a closer look."""

    __slots__ = ()

    def read(self, field: Field, to: Parameters) -> Node | None:
        """The meaning of the annotation of a parameter; ``None`` if it is hidden."""
        tp, reader = field.annotation, self.reader
        if reader.profile.injected_if and self._is_chosen(field, to):
            return None
        if tp is MISSING:
            return read_field(reader, field, self.place)
        head, args = split(tp)
        if self.hides(field, head, args):
            return None
        node = reader.read_split(tp, head, args, field.scope, (self.place, field))
        return node if field.required else without_sentinel(node, field.default)

    def add(self, field: Field, to: Parameters) -> None:
        """Add a parameter that is hidden by its name, or not passed by name."""
        if field.name in to.names:
            is_injected = field.name in self.reader.profile.injected_names
            to.hidden[field.name] = "injected_names" if is_injected else "exclude", field.name
        elif not self._is_chosen(field, to):
            if field.kind in VARIADIC:
                self._add_variadic(field, to)
            else:
                self._add_positional(field, to)

    def with_texts(self, fields: list[Field], docs: Mapping[str, str]) -> list[Field]:
        """The parameters with the texts of the docstring as metadata, which replace others."""
        return [_with_text(field, docs.get(field.name)) for field in fields]

    def without_markers(self, fields: list[Field]) -> list[Field]:
        """The parameters without defaults that are markers of the profile."""
        return without_markers(self.reader, fields, self.place)

    # -- hidden parameters ---------------------------------------------------------------------

    def _is_chosen(self, field: Field, to: Parameters) -> bool:
        """Whether a function of the profile, which is user code, hides a parameter."""
        for predicate in self.reader.profile.injected_if:
            try:
                if predicate(field):
                    to.hidden[field.name] = "injected_if", predicate
                    return True
            except USER_CODE_ERRORS as problem:
                reason = f"{predicate!r} of injected_if raised {repr_of_error(problem)}"
                place = self.place, field
                self.reader.refuse(reason, place, field.written, problem, code="user-code")
        return False

    # -- visible parameters --------------------------------------------------------------------

    def _add_positional(self, field: Field, to: Parameters) -> None:
        """Add a positional-only parameter, which a caller passes by name all the same."""
        if self.hides(field, *split(field.annotation)):
            return
        owner = field.scope.owner
        is_python = type(owner) is FunctionType
        if not is_python or owner.__code__.co_posonlyargcount:  # else singledispatch() asks for it
            way_out = "drop the '/'" if is_python else "wrap it in a function"
            reason = f"positional-only, but JSON passes arguments by name; {way_out}"
            self.reader.report(reason, (self.place, field), field.annotation, is_strict_only=True)
        to.show(field, read_field(self.reader, field, self.place))

    def _add_variadic(self, field: Field, to: Parameters) -> None:
        """Add ``*args`` or ``**kwargs``: as properties, as additional properties, or not at all."""
        reader, place = self.reader, (self.place, field)
        variadics = reader.profile.variadics
        if (keys := unpacked_keys(field)) is not MISSING:  # PEP 692
            self._add_keys(field, keys, to)
            return
        tp = field.annotation
        if self.hides(field, *split(tp)):
            return
        if type(tp) is Unresolved:  # it may have been Unpack[...]
            reader.unsupported(field.written, str(tp.error), place, tp.error)
        if variadics == "error":
            reason = "no JSON Schema for variadic parameters; name each of them"
            reader.reject(reason, place)
        if variadics == "properties":
            shown = as_property(field)
            to.show(shown, read_field(reader, shown, self.place))
        elif field.kind == VAR_KEYWORD and variadics == "open":
            self._open(field, to)
        else:
            to.hidden[field.name] = "variadics", variadics

    def _open(self, field: Field, to: Parameters) -> None:
        """Allow additional properties, for ``**kwargs``."""
        tp = field.annotation
        if tp is MISSING or is_of_param_spec(tp):
            to.extra = None
            return
        if text := to.text_of(field):
            tp = with_metadata(tp, (Description(text),))
        to.extra = self.reader.read(tp, field.scope, (self.place, f"{field}{{}}"))

    def _add_keys(self, field: Field, keys: Any, to: Parameters) -> None:
        """Add the keys of ``**kwargs: Unpack[TypedDict]``."""
        reader = self.reader
        try:
            found = read_keys(keys, field.scope, reader.profile.attribute_docstrings)
        except UnresolvedError as problem:
            place, code = (self.place, field), "unresolved-name"
            reader.report(str(problem), place, field.annotation, problem, code=code)
            if reader.profile.variadics == "open":
                to.extra = ANYTHING  # the keys are unknown
            return
        known = {shown.name for shown, _, _ in to.shown}
        new = [each.replace(kind=KEYWORD_ONLY) for each in found.fields if each.name not in known]
        to.keys = to.add(new)  # as parameters, they are f(x) in paths
        if found.extra is False:
            to.extra = False
        elif found.extra is not MISSING:
            to.extra = reader.read(found.extra, field.scope, (self.place, "{}"))


def _with_text(field: Field, text: str | None) -> Field:
    """A parameter with the text of the docstring as metadata, which replace its others."""
    if text is None or field.annotation is MISSING or field.kind in VARIADIC:
        return field
    return field.replace(annotation=with_metadata(field.annotation, (Description(text),)))
