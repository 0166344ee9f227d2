"""The parameters that need a closer look: all but those of plain types that are passed by name.

A parameter may be hidden, by its name, its annotation or a function of the profile; it may be
positional-only, or stand for several arguments; and most annotations need a reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    Unresolved,
    UnresolvedError,
    repr_of_error,
)
from milo_schema.annotations.forms import split, with_metadata
from milo_schema.callables.signatures import KEYWORD_ONLY, VAR_KEYWORD, VARIADIC, Field
from milo_schema.callables.variadics import as_property, is_of_param_spec, read_keys, unpacked_keys
from milo_schema.markers import Description
from milo_schema.nodes.base import Node
from milo_schema.nodes.containers import ANYTHING
from milo_schema.nodes.forward import Parameters
from milo_schema.nodes.metadata import without_markers
from milo_schema.nodes.records import read_field, without_sentinel
from milo_schema.schemas.injection import Injection


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
