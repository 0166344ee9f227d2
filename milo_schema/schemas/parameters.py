"""The parameters of a function: those that a caller passes, and the hidden ones with the reason."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any, Literal

from milo_schema.annotations import Arguments, Json
from milo_schema.annotations.classes import (
    MISSING,
    NOTHING,
    USER_CODE_ERRORS,
    Classes,
    Unresolved,
    UnresolvedError,
    repr_of_error,
)
from milo_schema.annotations.forms import split, with_metadata
from milo_schema.callables.signatures import (
    KEYWORD_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VARIADIC,
    Field,
    Signature,
    count_aliases,
    named_by_alias,
)
from milo_schema.callables.variadics import (
    as_property,
    is_of_param_spec,
    read_keys,
    unpacked_keys,
    why_unbound,
)
from milo_schema.callables.wrappers import missing_first
from milo_schema.errors import Problem, SchemaError, nearest
from milo_schema.json_schema.references import merge
from milo_schema.json_schema.subschemas import copy
from milo_schema.markers import Description
from milo_schema.nodes.base import Node, Place
from milo_schema.nodes.definitions import Definitions, Named, undecodable_in
from milo_schema.nodes.fields import Property, Shape, object_schema, read_field, without_sentinel
from milo_schema.nodes.forward import Reading
from milo_schema.nodes.metadata import without_markers
from milo_schema.nodes.reader import Reader
from milo_schema.nodes.table import UNAFFECTED
from milo_schema.schemas.injection import WITH_PARTS, Injection, Match

ORDINARY = frozenset({POSITIONAL_OR_KEYWORD, KEYWORD_ONLY})
"""The kinds of parameters that are passed by name."""


class Parameters:
    """The parameters of a function, read once.

    Attributes:
        reader: The reader of their annotations.
        place: The place of the function.
        every: All of them, as they are written.
        keys: The keys of an unpacked TypedDict.
        hidden: Why the schema leaves some of them out, by name: the field of the profile, the
            argument or the marker that says so, and the name, class, function or marker that
            matches.
        shape: The others, with their meaning: those that a caller passes.
    """

    keys: Sequence[Field] = ()
    _types: Sequence[Any] = ()
    _unaffected: frozenset[int] = UNAFFECTED
    _injection: Injection | None = None  # most functions need none

    def __init__(self, reading: Reading, signature: Signature, problems: list[Problem]) -> None:
        profile, exclude = reading.profile, reading.exclude
        self.reader: Reader
        self.reader = reader = Reader(
            profile,
            signature.scope,
            signature.name,
            strict=reading.is_thorough,
            decoders=profile.decoders,
            problems=problems,
        )
        self.place: Place = (None, reader.session.root)
        self.hidden: dict[str, Match] = {}
        self._shown: list[Property] = []
        self._extra: Node | Literal[False] | None = False if profile.closed != "nothing" else None
        self._names: frozenset[str] = profile.injected_names
        if exclude:
            excluded, self._types = split_excluded(exclude)
            self._names |= excluded
        self._docs: Mapping[str, str] = _docs(reading) if signature.docs else NOTHING
        if self._types or not profile.class_sets["injected_classes"].unaffected:
            # One of Python's own classes may be injected.
            reader.plain, self._unaffected = NOTHING, frozenset()
        elif reading.shared is not None:
            reader.share(reading.shared)
        self.every: list[Field] = self._add(signature.parameters)
        if exclude:
            self._check_names(excluded)
        if "pydantic" in sys.modules and count_aliases(profile.aliases, output=False):
            self._shown = [*map(_named_by_alias, self._shown)]
        self.shape: Shape = Shape(self._shown, self._extra)
        if reader.named:
            reader.complete()
        self._injection = None  # all is read
        if type(reading.func) is not FunctionType and (missing := missing_first(reading.func)):
            reader.report(why_unbound(signature.name, missing), self.place)

    def _add(self, fields: list[Field]) -> list[Field]:
        """Read parameters; return them as the profile sees them."""
        reader, names, shown = self.reader, self._names, self._shown
        predicates, text_of = reader.profile.injected_if, self._docs.get
        plain = NOTHING if predicates else reader.plain
        reader.session.size += len(fields)
        if self._docs and reader.profile.docstrings == "first":
            fields = [_with_text(field, text_of(field.name)) for field in fields]
        fields = without_markers(reader, fields, self.place)
        for field in fields:
            if field.name in names or field.kind not in ORDINARY:
                self._add_special(field)
                continue
            node = plain.get(id(field.annotation))
            if node is None:  # as for few
                node = None if predicates and self._is_chosen(field) else self._read(field)
                if node is None:
                    continue
            shown.append((field, node, text_of(field.name) or field.description))
        return fields

    def _add_special(self, field: Field) -> None:
        """Add a parameter that is hidden by its name, or not passed by name."""
        if field.name in self._names:
            is_injected = field.name in self.reader.profile.injected_names
            self.hidden[field.name] = "injected_names" if is_injected else "exclude", field.name
        elif not self._is_chosen(field):
            if field.kind in VARIADIC:
                self._add_variadic(field)
            else:
                self._add_positional(field)

    # -- hidden parameters ---------------------------------------------------------------------

    def _is_chosen(self, field: Field) -> bool:
        """Whether a function of the profile, which is user code, hides a parameter."""
        for predicate in self.reader.profile.injected_if:
            try:
                if predicate(field):
                    self.hidden[field.name] = "injected_if", predicate
                    return True
            except USER_CODE_ERRORS as problem:
                reason = f"{predicate!r} of injected_if raised {repr_of_error(problem)}"
                place = self.place, field
                self.reader.refuse(reason, place, field.written, problem, code="user-code")
        return False

    def _read(self, field: Field) -> Node | None:
        """The meaning of the annotation of a parameter; ``None`` if it hides the parameter."""
        if field.annotation is MISSING:
            return read_field(self.reader, field, self.place)
        head, args = split(field.annotation)
        # Most are made of plain types, and need no closer look: it takes a fifth of the time.
        is_plain = id(head) in WITH_PARTS and self._unaffected.issuperset(map(id, args))
        if not is_plain and self._is_injected(field, head, args):
            return None
        place = self.place, field
        node = self.reader.read_split(field.annotation, head, args, field.scope, place)
        return without_sentinel(node, field.default)

    def _is_injected(self, field: Field, head: Any, args: Arguments) -> bool:
        """Whether the annotation of a parameter hides it."""
        injection = self._injection or self._inject()
        if matches := injection.matches(field, head, args):
            self.hidden[field.name] = _reason(matches, injection.classes)
            return True
        return False

    def _inject(self) -> Injection:
        """Make the object that tells whether an annotation is injected."""
        self._injection = Injection(self.reader, self.place, self._types, self._unaffected)
        return self._injection

    # -- visible parameters --------------------------------------------------------------------

    def _show(self, field: Field, node: Node) -> None:
        """Add a parameter that a caller passes."""
        self._shown.append((field, node, self._text_of(field)))

    def _text_of(self, field: Field) -> str | None:
        """The description of a parameter in a docstring."""
        return self._docs.get(field.name) or field.description

    def _add_positional(self, field: Field) -> None:
        """Add a positional-only parameter, which a caller passes by name all the same."""
        tp = field.annotation
        if tp is not MISSING and self._is_injected(field, *split(tp)):
            return
        owner = field.scope.owner
        is_python = type(owner) is FunctionType
        if not is_python or owner.__code__.co_posonlyargcount:  # else singledispatch() asks for it
            way_out = "drop the '/'" if is_python else "wrap it in a function"
            reason = f"positional-only, but JSON passes arguments by name; {way_out}"
            self.reader.report(reason, (self.place, field), tp, is_strict_only=True)
        self._show(field, read_field(self.reader, field, self.place))

    def _add_variadic(self, field: Field) -> None:
        """Add ``*args`` or ``**kwargs``: as properties, as additional properties, or not at all."""
        reader, place = self.reader, (self.place, field)
        variadics = reader.profile.variadics
        if (keys := unpacked_keys(field)) is not MISSING:  # PEP 692
            self._add_keys(field, keys, place)
            return
        tp = field.annotation
        if tp is not MISSING and self._is_injected(field, *split(tp)):
            return
        if type(tp) is Unresolved:  # it may have been Unpack[...]
            reader.unsupported(field.written, str(tp.error), place, tp.error)
        if variadics == "error":
            reason = "no JSON Schema for variadic parameters; name each of them"
            reader.reject(reason, place)
        if variadics == "properties":
            shown = as_property(field)
            self._show(shown, read_field(reader, shown, self.place))
        elif field.kind == VAR_KEYWORD and variadics == "open":
            self._open(field)
        else:
            self.hidden[field.name] = "variadics", variadics

    def _open(self, field: Field) -> None:
        """Allow additional properties, for ``**kwargs``."""
        tp = field.annotation
        if tp is MISSING or is_of_param_spec(tp):
            self._extra = None
            return
        if text := self._text_of(field):
            tp = with_metadata(tp, (Description(text),))
        self._extra = self.reader.read(tp, field.scope, (self.place, f"{field}{{}}"))

    def _add_keys(self, field: Field, keys: Any, place: Place) -> None:
        """Add the keys of ``**kwargs: Unpack[TypedDict]``."""
        reader = self.reader
        try:
            found = read_keys(keys, field.scope, reader.profile.attribute_docstrings)
        except UnresolvedError as problem:
            code = "unresolved-name"
            reader.report(str(problem), place, field.annotation, problem, code=code)
            return
        known = {shown.name for shown, _, _ in self._shown}
        new = [each.replace(kind=KEYWORD_ONLY) for each in found.fields if each.name not in known]
        self.keys = self._add(new)  # as parameters, they are f(x) in paths
        if found.extra is False:
            self._extra = False
        elif found.extra is not MISSING:
            self._extra = reader.read(found.extra, field.scope, (self.place, "{}"))

    def _check_names(self, names: Collection[str]) -> None:
        """Report an excluded name that does not exist: the parameter that was meant is shown.

        Several functions may share the names: one that is like no parameter is one of the others.
        """
        kinds = {each.name: each.kind for each in self.every}
        if any(kinds.get(name) == VAR_KEYWORD for name in names):
            return  # the other names may be its keys
        keys = [each.name for each in self.keys]
        for name in sorted({*names}.difference(kinds, keys)):
            reason = f"exclude names {name!r}, which is not a parameter"
            near = nearest(name, [*kinds, *keys])
            self.reader.report(reason + near, self.place, is_strict_only=not near)

    @property
    def undecodable(self) -> list[Problem]:
        """The reasons why arguments cannot be read from JSON."""
        return undecodable_in(self.shape.nodes)

    # -- schema --------------------------------------------------------------------------------

    @property
    def whole(self) -> Property | None:
        """The only parameter, if its fields replace it: it is required, and a record."""
        if not self.reader.profile.flatten or len(self.shape.properties) != 1:
            return None
        ((field, node, text),) = self.shape.properties
        is_record = field.required and field.kind not in VARIADIC and node.is_object
        return (field, node, text) if is_record else None

    def schema(self, out: Definitions) -> Json:
        """The object of all parameters, or of the fields of the only one."""
        whole = self.whole
        if whole is None:
            return object_schema(self.shape, self.place, out)
        schema = whole[1].schema(out)
        while isinstance(named := schema.get("$ref"), Named):
            schema = merge(copy(out.body_of(named)), schema)
        if self.reader.profile.closed != "nothing":
            schema.setdefault("additionalProperties", False)
        return {"type": "object", "properties": {}, **schema}


def _with_text(field: Field, text: str | None) -> Field:
    """A parameter with the text of the docstring as metadata, which replace its others."""
    if text is None or field.annotation is MISSING or field.kind in VARIADIC:
        return field
    return field.replace(annotation=with_metadata(field.annotation, (Description(text),)))


def _named_by_alias(each: Property) -> Property:
    """A parameter that has the name of its alias in JSON, if it has one."""
    field, node, text = each
    return named_by_alias([field])[0], node, text


def _docs(reading: Reading) -> Mapping[str, str]:
    """The texts of parameters in the docstrings of a function."""
    if reading.profile.docstrings == "never":
        return NOTHING
    docs: dict[str, str] = {}
    for text in reading.signature.docs:
        docs |= reading.texts_in(text)
    return docs


def _reason(matches: Iterable[Match], classes: Classes) -> Match:
    """The first reason why a parameter is hidden.

    The marker is first, then an excluded type, then a class of the profile, as it is given there.
    """
    order = ("Injected", "exclude", "injected_classes")
    why, by = min(matches, key=lambda match: order.index(match[0]))
    if why != "injected_classes":
        return why, by
    return why, next(each for each in sorted(classes, key=str) if _is_given_as(by, each))


def _is_given_as(met: Any, member: Any) -> bool:
    """Whether a class that was met, or its name, is this member of a set of classes."""
    one = Classes({member})
    return met in one.last_names if isinstance(met, str) else one.match(met)


def split_excluded(exclude: Collection[Any]) -> tuple[frozenset[str], list[Any]]:
    """The names and the types of parameters that are not part of the schema."""
    try:
        every = [exclude] if isinstance(exclude, (str, type)) else list(exclude)
    except USER_CODE_ERRORS as problem:  # the collection is user code
        reason = f"exclude must be a collection of names and types: {repr_of_error(problem)}"
        raise SchemaError(reason, code="user-code") from problem
    names = frozenset(each for each in every if isinstance(each, str))
    return names, [each for each in every if not isinstance(each, str)]
