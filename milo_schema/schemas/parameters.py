"""The parameters of a function: those that a caller passes, and the hidden ones with the reason."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from types import FunctionType
from typing import Any, Literal

from milo_schema.annotations import Json
from milo_schema.annotations.classes import NOTHING, USER_CODE_ERRORS, repr_of_error
from milo_schema.callables.signatures import (
    ORDINARY,
    VAR_KEYWORD,
    Field,
    Signature,
    count_aliases,
    named_by_alias,
)
from milo_schema.callables.wrappers import missing_first, why_unbound
from milo_schema.errors import Problem, SchemaError, nearest
from milo_schema.json_schema.references import merge
from milo_schema.json_schema.subschemas import copy
from milo_schema.nodes import Reader, Reading, SpecialParameters
from milo_schema.nodes.base import Node, Place
from milo_schema.nodes.definitions import Definitions, Named, undecodable_in
from milo_schema.nodes.fields import Property, Shape, have_values, object_schema
from milo_schema.nodes.session import Session


class Parameters:
    """The parameters of a function, read once.

    Attributes:
        session: The state of the readers of their annotations.
        place: The place of the function.
        names: The names of parameters that are hidden.
        docs: The texts of parameters in the docstrings.
        types: The excluded types.
        is_ordinary: Whether none of Python's own classes may be injected.
        every: All parameters, as they are written.
        keys: The keys of an unpacked TypedDict.
        hidden: Why the schema leaves some of them out, by name: the field of the profile, the
            argument or the marker that says so, and the name, class, function or marker that
            matches.
        shown: The others, with their meaning: those that a caller passes.
        extra: The meaning of arguments with other names; see ``Shape``.
        shape: Both, once all is read.
    """

    keys: Sequence[Field] = ()
    types: Sequence[Any] = ()
    is_ordinary: bool = True
    _special: SpecialParameters | None = None

    def __init__(self, reading: Reading, signature: Signature, problems: list[Problem]) -> None:
        profile, exclude = reading.profile, reading.exclude
        session = Session(
            profile,
            signature.scope,
            signature.name,
            problems,
            profile.decoders,
            reading.is_thorough,
        )
        if reading.shared is not None:
            session.tools = reading.shared
        self.session: Session = session
        self.place: Place = (None, session.root)
        self.hidden: dict[str, tuple[str, Any]] = {}
        self.shown: list[Property] = []
        self.extra: Node | Literal[False] | None = False if profile.closed != "nothing" else None
        self.names: frozenset[str] = profile.injected_names
        if exclude:
            excluded, self.types = split_excluded(exclude)
            self.names |= excluded
        has_texts = signature.docs and profile.docstrings != "never"
        self.docs: Mapping[str, str] = reading.texts() if has_texts else NOTHING
        if self.types or not profile.class_sets["injected_classes"].unaffected:
            self.is_ordinary = False
            session.plain = NOTHING
        elif reading.shared is not None:
            session.share(reading.shared)
        self.every: list[Field] = self.add(signature.parameters)
        if exclude:
            self._check_names(excluded)
        if "pydantic" in sys.modules and count_aliases(profile.aliases, output=False):
            self.shown = [(named_by_alias(field), node, text) for field, node, text in self.shown]
        self.shape: Shape = Shape(self.shown, self.extra)
        if self._special is not None and session.queue:
            self._special.reader.complete()
        self._special = None  # all is read
        if type(reading.func) is not FunctionType and (missing := missing_first(reading.func)):
            session.report(why_unbound(signature.name, missing), self.place)

    @property
    def reader(self) -> Reader:
        """A reader of the annotations."""
        return self.session.reader()

    def add(self, fields: list[Field]) -> list[Field]:
        """Read parameters; return them as the profile sees them."""
        session = self.session
        profile = session.profile
        session.size += len(fields)
        if self.docs and profile.docstrings == "first":
            fields = self._closer_look().with_texts(fields, self.docs)
        if profile.may_have_markers and not have_values(fields):
            fields = self._closer_look().without_markers(fields)
        plain = NOTHING if profile.injected_if else session.plain
        names = self.names
        shown = self.shown
        text_of = self.docs.get
        special = self._special
        for field in fields:
            if field.kind not in ORDINARY or field.name in names:
                self._closer_look().add(field, self)
                continue
            node = plain.get(id(field.annotation))
            if node is None:
                if special is None:
                    special = self._closer_look()
                if (node := special.read(field, self)) is None:
                    continue
            shown.append((field, node, text_of(field.name, field.description)))
        return fields

    def _closer_look(self) -> SpecialParameters:
        """Return what reads other parameters than those of plain types that are passed by name."""
        if self._special is None:
            from milo_schema.schemas import special  # plain parameters need none of it

            self._special = special.SpecialParameters(self)
        return self._special

    def show(self, field: Field, node: Node) -> None:
        """Add a parameter that a caller passes."""
        self.shown.append((field, node, self.text_of(field)))

    def text_of(self, field: Field) -> str | None:
        """The description of a parameter in a docstring."""
        return self.docs.get(field.name, field.description)

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
            self.session.report(reason + near, self.place, is_strict_only=not near)

    @property
    def undecodable(self) -> list[Problem]:
        """The reasons why arguments cannot be read from JSON."""
        return undecodable_in(self.shape.nodes)

    # -- schema --------------------------------------------------------------------------------

    @property
    def whole(self) -> Property | None:
        """The only parameter, if its fields replace it: it is required, and a record."""
        if not self.session.profile.flatten or len(self.shape.properties) != 1:
            return None
        ((field, node, text),) = self.shape.properties
        is_record = field.required and node.is_object
        return (field, node, text) if is_record else None

    def schema(self, out: Definitions) -> Json:
        """The object of all parameters, or of the fields of the only one."""
        whole = self.whole
        if whole is None:
            return object_schema(self.shape, self.place, out)
        schema = whole[1].schema(out)
        while isinstance(named := schema.get("$ref"), Named):
            schema = merge(copy(out.body_of(named)), schema)
        return {"type": "object", "properties": {}, **schema}


def split_excluded(exclude: Collection[Any]) -> tuple[frozenset[str], list[Any]]:
    """The names and the types of parameters that are not part of the schema."""
    try:
        every = [exclude] if isinstance(exclude, (str, type)) else list(exclude)
    except USER_CODE_ERRORS as problem:  # the collection is user code
        reason = f"exclude must be a collection of names and types: {repr_of_error(problem)}"
        raise SchemaError(reason, code="user-code") from problem
    names = frozenset(each for each in every if isinstance(each, str))
    return names, [each for each in every if not isinstance(each, str)]
