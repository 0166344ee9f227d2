"""The parameters of a function: those that a caller passes, and the hidden ones with the reason."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any

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
    Record,
    Signature,
    count_aliases,
    name_by_alias,
)
from milo_schema.callables.variadics import (
    as_property,
    is_of_param_spec,
    read_keys,
    unpacked_keys,
)
from milo_schema.docstrings import names_in
from milo_schema.errors import Problem, SchemaError, nearest
from milo_schema.json_schema.references import merge
from milo_schema.json_schema.subschemas import copy
from milo_schema.markers import Description
from milo_schema.nodes.base import Place
from milo_schema.nodes.definitions import Named, undecodable_in
from milo_schema.nodes.fields import nodes_of, object_schema, read_field, without_sentinel
from milo_schema.nodes.metadata import take_markers
from milo_schema.nodes.reader import Reader
from milo_schema.schemas.injection import Injection, Match

ORDINARY = frozenset({POSITIONAL_OR_KEYWORD, KEYWORD_ONLY})
"""The kinds of parameters that are passed by name."""


class Parameters:
    """The parameters of a function, read once.

    Attributes:
        every: All of them; those that the schema leaves out have the reason.
        record: Those that a caller passes.
        keys: The keys of an unpacked TypedDict.
        place: The place of the function.
    """

    keys: Sequence[Field] = ()
    _types: Sequence[Any] = ()
    _injection: Injection | None = None  # most functions need none

    def __init__(self, reading: Any, signature: Signature, problems: list[Problem]) -> None:
        profile, exclude = reading.profile, reading.exclude
        self.reader: Reader
        self.reader = reader = Reader(
            profile,
            signature.scope,
            signature.name,
            strict=reading.is_thorough,
            decoders=reading.decoders,
            problems=problems,
        )
        self.every: list[Field] = signature.parameters
        self.record: Record = Record([], False if profile.closed != "nothing" else MISSING)
        self.place: Place = (None, reader.root)
        self._names: frozenset[str] = profile.injected_names
        if exclude:
            excluded, self._types = split_excluded(exclude)
            self._names |= excluded
        self._docs: Mapping[str, str] = _docs(signature, profile) if signature.docs else NOTHING
        if self._types or not profile.injected_classes.unaffected:
            reader.plain = NOTHING
        self._add(signature.parameters)
        if exclude:
            self._check_names(excluded)
        if "pydantic" in sys.modules and count_aliases(profile.aliases, output=False):
            name_by_alias(self.record.fields)
        if reader.named:
            reader.complete()
        self._injection = None  # all is read

    def _add(self, fields: list[Field]) -> None:
        """Read parameters, and add those that are not hidden to those that a caller passes."""
        reader, names, shown = self.reader, self._names, self.record.fields
        predicates = reader.profile.injected_if
        plain = NOTHING if predicates else reader.plain
        reader.session.size += len(fields)
        if self._docs:
            self._describe(fields)
        if reader.profile.markers:
            take_markers(reader, fields, self.place)
        for field in fields:
            if field.name in names or field.kind not in ORDINARY:
                self._add_special(field)
                continue
            node = plain.get(id(field.annotation))
            if node is not None:  # as most are
                field.node = node
                shown.append(field)
            elif not (predicates and self._is_chosen(field)) and self._read(field):
                shown.append(field)

    def _add_special(self, field: Field) -> None:
        """Add a parameter that is hidden by its name, or not passed by name."""
        if field.name in self._names:
            is_injected = field.name in self.reader.profile.injected_names
            field.hidden_because = "injected_names" if is_injected else "exclude", field.name
        elif not self._is_chosen(field) and not self._is_hidden(field):
            self._show(field)

    def _describe(self, fields: list[Field]) -> None:
        """Describe parameters by the docstring; for some profiles, even if annotations do."""
        text_of = self._docs.get
        for field in fields:
            if (text := text_of(field.name)) is not None:
                field.description = text
        if self.reader.profile.docstrings == "first":
            for field in fields:
                is_annotated = field.annotation is not MISSING and field.kind not in VARIADIC
                if is_annotated and (text := text_of(field.name)) is not None:
                    field.annotation = with_metadata(field.annotation, (Description(text),))

    # -- hidden parameters ---------------------------------------------------------------------

    def _is_chosen(self, field: Field) -> bool:
        """Whether a function of the profile, which is user code, hides a parameter."""
        for predicate in self.reader.profile.injected_if:
            try:
                if predicate(field):
                    field.hidden_because = "injected_if", predicate
                    return True
            except USER_CODE_ERRORS as problem:
                reason = f"{predicate!r} of injected_if raised {repr_of_error(problem)}"
                place = self.place, field
                self.reader.refuse(reason, place, field.written, problem, code="user-code")
        return False

    def _read(self, field: Field) -> bool:
        """Read the annotation of a parameter; return whether it leaves the parameter visible."""
        reader = self.reader
        if field.annotation is MISSING:
            field.node = read_field(reader, field, self.place)
            return True
        head, args = split(field.annotation)
        if self._is_injected(field, head, args):
            return False
        place = self.place, field
        field.node = reader.read_split(field.annotation, head, args, field.scope, place)
        if field.default is not MISSING and field.default is not None:
            field.node = without_sentinel(field.node, field.default)
        return True

    def _is_injected(self, field: Field, head: Any, args: Arguments) -> bool:
        """Whether the annotation of a parameter hides it."""
        injection = self._injection or self._inject()
        place = self.place, field
        matches = injection.matches(field.annotation, head, args, field.scope, place)
        if matches:
            field.hidden_because = _reason(matches, injection.classes)
        return bool(matches)

    def _inject(self) -> Injection:
        """Make the object that tells whether an annotation is injected."""
        classes = self.reader.profile.injected_classes
        self._injection = Injection(self.reader, self._types, classes)
        return self._injection

    def _is_hidden(self, field: Field) -> bool:
        """Whether the annotation of a parameter hides it, including the one of ``*args``."""
        if field.annotation is MISSING or unpacked_keys(field) is not MISSING:
            return False  # **kwargs: Unpack[...] stands for several parameters
        if field.kind in VARIADIC:
            return self._is_injected(field, *split(field.annotation))
        return not self._read(field)

    # -- visible parameters --------------------------------------------------------------------

    def _show(self, field: Field) -> None:
        """Add a parameter that is not hidden."""
        if field.kind in VARIADIC:
            self._show_variadic(field)
            return
        is_python = type(field.scope.owner) is FunctionType
        way_out = "drop the '/'" if is_python else "wrap it in a function"
        reason = f"positional-only, but JSON passes arguments by name; {way_out}"
        self.reader.report(reason, (self.place, field), field.annotation, is_strict_only=True)
        if field.node is None:
            field.node = read_field(self.reader, field, self.place)
        self.record.fields.append(field)

    def _show_variadic(self, field: Field) -> None:
        """Add ``*args`` or ``**kwargs``: as fields, or as additional properties."""
        reader, place = self.reader, (self.place, field)
        variadics = reader.profile.variadics
        if (keys := unpacked_keys(field)) is not MISSING:  # PEP 692
            self._show_keys(field, keys, place)
            return
        if type(field.annotation) is Unresolved:  # it may have been Unpack[...]
            problem = field.annotation.error
            reader.unsupported(field.written, str(problem), place, problem)
        if variadics == "error":
            reason = "no JSON Schema for variadic parameters; name each of them"
            reader.reject(reason, place)
        if variadics == "properties":
            shown = as_property(field)
            shown.description = field.description
            shown.node = read_field(reader, shown, self.place)
            self.record.fields.append(shown)
        elif field.kind == VAR_KEYWORD and variadics == "open":
            self._open(field)
        else:
            field.hidden_because = "variadics", variadics

    def _open(self, field: Field) -> None:
        """Allow additional properties, for ``**kwargs``."""
        record = self.record
        record.extra = MISSING if is_of_param_spec(field.annotation) else field.annotation
        if record.extra is MISSING:
            return
        if field.description:
            record.extra = with_metadata(record.extra, (Description(field.description),))
        record.extra_step = f"{field}{{}}"
        place = self.place, record.extra_step
        record.extra_node = self.reader.read(record.extra, field.scope, place)

    def _show_keys(self, field: Field, keys: Any, place: Place) -> None:
        """Add the keys of ``**kwargs: Unpack[TypedDict]``."""
        reader = self.reader
        try:
            found = read_keys(keys, field.scope, reader.profile.attribute_docstrings)
        except UnresolvedError as problem:
            code = "unresolved-name"
            reader.report(str(problem), place, field.annotation, problem, code=code)
            return
        known = {each.name for each in self.record.fields}
        for each in found.fields:
            each.kind = KEYWORD_ONLY  # as a parameter, it is f(x) in paths
        self.keys = found.fields
        self._add([each for each in found.fields if each.name not in known])
        if found.extra is not MISSING:
            self.record.extra = found.extra
            if found.extra is not False:
                extra = self.place, self.record.extra_step
                self.record.extra_node = reader.read(found.extra, field.scope, extra)

    def _check_names(self, names: Collection[str]) -> None:
        """Report an excluded name that does not exist: the parameter that was meant is shown."""
        kinds = {each.name: each.kind for each in self.every}
        if any(kinds.get(name) == VAR_KEYWORD for name in names):
            return  # the other names may be its keys
        keys = [each.name for each in self.keys]
        for name in sorted({*names}.difference(kinds, keys)):
            reason = f"exclude names {name!r}, which is not a parameter"
            near = nearest(name, [*kinds, *keys])
            self.reader.report(reason + near, self.place, is_strict_only=True)

    @property
    def undecodable(self) -> list[Problem]:
        """The reasons why arguments cannot be read from JSON."""
        return undecodable_in(nodes_of(self.record))

    # -- schema --------------------------------------------------------------------------------

    @property
    def whole(self) -> Field | None:
        """The only parameter, if its fields replace it: it is required, and a record."""
        if not self.reader.profile.flatten or len(self.record.fields) != 1:
            return None
        (field,) = self.record.fields
        is_record = field.required and field.kind not in VARIADIC and field.node.is_object
        return field if is_record else None

    def schema(self, out: Any) -> Json:
        """The object of all parameters, or of the fields of the only one."""
        if (field := self.whole) is None:
            return object_schema(self.record, self.place, out)
        schema = field.node.schema(out)
        while isinstance(named := schema.get("$ref"), Named):
            schema = merge(copy(out.body_of(named)), schema)
        if self.reader.profile.closed != "nothing":
            schema.setdefault("additionalProperties", False)
        return {"type": "object", "properties": {}, **schema}


def _docs(signature: Signature, profile: Any) -> Mapping[str, str]:
    """The texts of parameters in the docstrings of a function."""
    if profile.docstrings == "never":
        return NOTHING
    docs: dict[str, str] = {}
    for text in signature.docs:
        docs |= names_in(text, profile.docstring_style)
    return docs


def _reason(matches: Iterable[Match], classes: Any) -> tuple[str, Any]:
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
