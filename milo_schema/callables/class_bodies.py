"""The bodies of a class and of its bases: their annotations, each in its scope, and docstrings."""

from __future__ import annotations

from typing import Any, Self

from milo_schema.annotations import generics
from milo_schema.annotations.classes import MISSING, UnresolvedError, mro, own_annotations
from milo_schema.annotations.generics import Bindings
from milo_schema.annotations.scopes import SELF, Scope
from milo_schema.callables.class_docs import attribute_docs, written_doc
from milo_schema.callables.signatures import NO_PARAMETER, Field, Record

Keys = dict[str, tuple[Any, Scope]]


class ClassBodies:
    """The annotations and docstrings in the bodies of a class and its bases.

    Attributes:
        cls: The class.
        bindings: The arguments of its type parameters.
        is_generic: Whether it may have type parameters.
        outer: The scope for names that the module of the class does not have.
        reads_source: Whether strings below fields describe them.
        annotations: The annotation of each field, with the scope of the class that has it.
        docs: The description of each field.
        description: The description of the class itself.
    """

    def __init__(
        self,
        cls: Any,
        bindings: Bindings,
        outer: Scope,
        is_generic: bool,
        reads_source: bool,
    ) -> None:
        self.cls = cls
        self.reads_source = reads_source
        self.is_generic = is_generic
        self.bindings = bindings
        self.outer = outer
        self.annotations: Keys = {}
        self.docs: dict[str, str] = {}
        self.description: str | None = None

    def collect(self) -> Self:
        """Read the bodies of the base classes, then that of the class."""
        cls = self.cls
        names = self.outer.fallback
        bound = generics.base_bindings(cls, self.bindings, names) if self.is_generic else {}
        this = self.bindings[SELF]
        for base in reversed(mro(cls)[:-1]):
            bindings = {**bound.get(id(base), {}), SELF: this} if bound else self.bindings
            self.annotations |= _in_scope(own_annotations(base), Scope(base, bindings, None, names))
            self.add_doc(base)
        return self

    def add_doc(self, cls: type) -> None:
        """Read the docstring of one class."""
        if (doc := written_doc(cls)) is not None:
            description, names = doc
            self.docs |= names
            if cls is self.cls:
                self.description = description or None
        if self.reads_source:
            self.docs |= attribute_docs(cls)

    def field(
        self,
        name: str,
        required: bool,
        default: Any = MISSING,
        otherwise: Any = MISSING,
    ) -> Field:
        """The field with a name; *otherwise* is its annotation if the bodies have none."""
        if type(name) is not str:
            raise UnresolvedError("it has a field whose name is not a string")
        annotation, scope = self.annotations.get(name) or (otherwise, Scope())
        found = Field(name, annotation, scope, default, NO_PARAMETER, required)
        if self.docs and (text := self.docs.get(name)):
            found.description = text
        return found

    def record(
        self, fields: list[Field], extra: Any = MISSING, *, is_array: bool = False
    ) -> Record:
        """A record of the fields, with the description of the class."""
        record = Record(fields, extra, is_array)
        record.description = self.description
        return record


def _in_scope(annotations: dict[str, Any], scope: Scope) -> Keys:
    """Each annotation with the scope in which it was written."""
    return {name: (annotation, scope) for name, annotation in annotations.items()}
