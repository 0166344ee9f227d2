"""The view that custom schemas have of the schema that they become a part of."""

from __future__ import annotations

from typing import Any, NoReturn

from milo_schema.annotations import Json
from milo_schema.annotations.classes import with_article
from milo_schema.annotations.display import display
from milo_schema.annotations.scopes import Scope
from milo_schema.errors import SchemaError
from milo_schema.json_schema import Ref
from milo_schema.json_schema.paths import references_of
from milo_schema.json_schema.subschemas import checked
from milo_schema.json_schema.values import Budget, NotJSONError, to_key
from milo_schema.nodes.base import Place, path_of
from milo_schema.nodes.defaults import json_of
from milo_schema.nodes.forward import Definitions, Profile, Reader


class Site:
    """Where a type of users or of another library stands.

    Attributes:
        scope: Where names in annotation strings are looked up.
        place: The place of the type.
        reader: The reader of annotations.
    """

    __slots__ = ("place", "reader", "scope")

    def __init__(self, reader: Reader, scope: Scope, place: Place) -> None:
        self.reader: Reader = reader
        self.scope: Scope = scope
        self.place: Place = place

    @property
    def profile(self) -> Profile:
        """The profile: how the schema is written."""
        return self.reader.profile

    @property
    def strict(self) -> bool:
        """Whether an annotation without an exact schema is an error."""
        return self.reader.strict

    @property
    def output(self) -> bool:
        """Whether the schema describes values that a function returns."""
        return self.reader.output

    @property
    def path(self) -> str:
        """The path to this place, such as ``deploy(params).filters[]``."""
        return path_of(self.place)

    def refuse(self, reason: str, annotation: Any = None) -> NoReturn:
        """Raise an error, in every mode."""
        raise SchemaError(reason, path_of(self.place), annotation)


class Walk(Site):
    """The place of a custom schema; ``__milo_schema__(cls, walk)`` gets it.

    Attributes:
        out: The definitions that references lead to.
    """

    __slots__ = ("out",)

    def __init__(self, reader: Reader, out: Definitions, scope: Scope, place: Place) -> None:
        super().__init__(reader, scope, place)
        self.out: Definitions = out

    def schema(self, annotation: Any, step: str = "") -> Json:
        """The schema of an annotation; *step* leads from here to its place."""
        place = (self.place, step) if step else self.place
        return self.reader.read(annotation, self.scope, place).schema(self.out)

    def record(self, cls: Any) -> Json | None:
        """The schema of an annotated class as a record; ``None`` if it has no annotations."""
        node = self.reader.read_annotated_class(cls, self.scope, self.place)
        return None if node is None else node.schema(self.out)

    def import_schema(self, schema: Json) -> Json:
        """A finished schema as a part of this one, including its ``$defs``."""
        keywords = check_keywords(self.reader, schema, "the schema to import", None, self.place)
        return self.out.import_keywords(keywords, self.place)

    # -- for pydantic --------------------------------------------------------------------------

    def at(self, step: str) -> Walk:
        """The walk one step further."""
        return Walk(self.reader, self.out, self.scope, (self.place, step))

    def unsupported(self, annotation: Any, reason: str, cause: BaseException | None = None) -> Json:
        """Report an annotation without a schema, and return the profile's placeholder."""
        self.report(reason, annotation, cause, code="unsupported-type")
        return self.reader.profile_keywords("unknown", self.place)

    def report(
        self,
        reason: str,
        annotation: Any = None,
        cause: BaseException | None = None,
        code: str = "other",
    ) -> None:
        """Report what the schema cannot express."""
        self.out.report(reason, self.place, annotation, cause=cause, code=code)


# -- checking what users return ----------------------------------------------------------------


def check_keywords(reader: Reader, schema: Any, whose: str, tp: Any, place: Place) -> Json:
    """A fresh, checked copy of a custom schema."""
    if type(schema) is not dict:
        given = with_article(display(type(schema)))
        reader.refuse(f"{whose} must be a dict, not {given}", place, tp, code="invalid-schema")
    try:
        fragment: Json = _copy(schema, Budget(), reader)
        return checked(fragment, references=references_of(fragment))
    except NotJSONError as problem:
        reason = f"{whose} contains {problem}, which cannot be written as JSON"
        raise SchemaError(reason, path_of(place), tp, code="invalid-schema") from problem
    except ValueError as problem:
        reason = f"{whose} is not a valid schema: {problem}"
        raise SchemaError(reason, path_of(place), tp, code="invalid-schema") from problem


def _copy(value: Any, budget: Budget, reader: Any) -> Any:
    """A fresh copy of keywords, with the references that a walk has made."""
    if type(value) is dict:
        items = budget.each(value.items())
        return {to_key(key): _copy(item, budget, reader) for key, item in items}
    if type(value) is list:
        return [_copy(item, budget, reader) for item in budget.each(value)]
    return value if issubclass(type(value), Ref) else json_of(value, reader)
