"""Everything about pydantic: its models describe themselves, and ``Field(...)`` is metadata.

Only pydantic knows all that a model checks: validators, aliases, discriminators. So it makes the
schema of a model (``schema_of``) and writes the values (``to_json``). Its schema is brought into
our form by position, never by name alone: titles that it made up go, its references become ours,
so that its ``$defs`` are named, shared and inlined like all others.
"""

from __future__ import annotations

from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    inherits,
    loaded,
    mro,
    own,
    repr_of_error,
    static,
)
from milo_schema.annotations.evaluation import ForeignName
from milo_schema.annotations.forms import display, split, with_metadata
from milo_schema.json_schema import metaschema, subschemas
from milo_schema.json_schema.values import NotJSONError, copied
from milo_schema.libraries.annotated_types import by_attributes
from milo_schema.markers import Deprecated, Schema, SchemaOverride

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from milo_schema.schemas.walk import Walk

    Fragment = dict[str, Any]
    Define = Callable[[Any, Callable[[Walk], Fragment], Walk], Fragment]


# -- what pydantic is asked about --------------------------------------------------------------


def is_model(tp: type) -> bool:
    """Whether a class is a pydantic model or pydantic dataclass."""
    base = loaded("pydantic.main.BaseModel")
    if base is not None and tp is not base and inherits(tp, base):
        return True
    is_dataclass = type(static(tp, "__dataclass_fields__")) is dict
    is_marked = own(tp, "__is_pydantic_dataclass__") is True and is_dataclass
    return is_marked and loaded("pydantic.dataclasses.dataclass") is not None


def is_own_constructor(function: Any) -> bool:
    """Whether an ``__init__`` is that of ``BaseModel``, which takes what the fields say."""
    return getattr(function, "__module__", "") == "pydantic.main"


def constructor_fields(cls: Any) -> Iterator[tuple[str, Any, Any, bool]]:
    """What the constructor of a model takes, and what the class says about each.

    Yields:
        The name, the annotation with its ``Field(...)``, the default and whether it is required.
    """
    for name, info in (static(cls, "__pydantic_fields__") or {}).items():
        annotation, default = read_default(info, info.annotation)
        yield _alias(info) or name, annotation, default, info.is_required()


def _alias(info: Any) -> str | None:
    """What the constructor calls a field of a model, if not by its name."""
    alias = info.validation_alias or info.alias
    choices = getattr(alias, "choices", [alias])  # AliasChoices, of which the first is shown
    return choices[0] if type(choices[0]) is str else None


# -- Field(...) --------------------------------------------------------------------------------


def is_field_info(value: Any) -> bool:
    """Whether a default value is a ``Field(...)``, which speaks about a parameter."""
    return inherits(type(value), loaded("pydantic.fields.FieldInfo"))


def read_default(info: Any, annotation: Any) -> tuple[Any, Any]:
    """What a ``Field(...)`` as a default says: the annotation with it, and the default itself.

    The default is ``MISSING`` if there is none, and ``...`` if a factory makes it.
    """
    annotation = with_metadata(annotation, (info,))
    if info.is_required():
        return annotation, MISSING
    return annotation, ... if info.default_factory else info.default


def _read_field_info(info: Any) -> Iterator[Any]:
    """What ``Field(...)`` says itself, and the metadata that it holds."""
    yield from by_attributes(info)
    yield from info.metadata
    if info.deprecated:
        yield Deprecated()
    if isinstance(extra := info.json_schema_extra, dict):
        yield Schema(extra)


def _read_override(metadata: Any) -> Iterator[Any]:
    """``WithJsonSchema(...)``."""
    if metadata.json_schema is not None:
        yield SchemaOverride(metadata.json_schema)


METADATA = (
    ("pydantic.fields.FieldInfo", _read_field_info),
    ("pydantic.json_schema.WithJsonSchema", _read_override),
)


# -- values ------------------------------------------------------------------------------------


def to_json(value: Any, tp: Any, misfit: Callable[[str, Any], Exception]) -> Any:
    """The JSON of an instance of a model, as pydantic writes it.

    Args:
        value: The instance.
        tp: The model.
        misfit: Makes the error that says why a value of a type has no JSON.
    """
    adapter = loaded("pydantic.TypeAdapter")(tp)
    try:
        json = adapter.dump_python(value, mode="json", by_alias=True, warnings="error")
    except USER_CODE_ERRORS as problem:  # the serializers of a model are user code
        reason = f"pydantic cannot write it: {' '.join(str(problem).split())}"
        raise misfit(reason, tp) from problem
    return copied(json)


def validator_of(tp: Any) -> Callable[[Any], tuple[Any, list[tuple[Any, str, bool]] | None]]:
    """What makes instances of a model of JSON.

    It returns the value, or else of each error the location, the message, and whether something is
    missing there.
    """
    from json import dumps

    adapter, error = loaded("pydantic.TypeAdapter")(tp), loaded("pydantic.ValidationError")

    def validate(json: Any) -> tuple[Any, list[tuple[Any, str, bool]] | None]:
        try:
            return adapter.validate_json(dumps(json), strict=True), None
        except error as problem:
            found = problem.errors(include_url=False, include_context=False, include_input=False)
            return None, [(each["loc"], each["msg"], each["type"] == "missing") for each in found]
        except Exception as problem:  # noqa: BLE001 - the validators of a model are user code
            return None, [((), repr_of_error(problem), False)]

    return validate


def is_instance(value: Any) -> bool:
    """Whether a value is an instance of a model."""
    return loaded("pydantic.main.BaseModel") in mro(type(value))


def without_none(model: Any) -> Any:
    """The JSON of an instance of a model, without the fields that are ``None``."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


# -- the schema of a model ---------------------------------------------------------------------

_POINTER = "#/$defs/"


def schema_of(tp: Any, walk: Walk, define: Define) -> Fragment:
    """The schema of a model or dataclass; *define* makes a named type of each definition."""
    mode = "serialization" if walk.output else "validation"
    said: list[str] = []
    try:
        adapter = loaded("pydantic.TypeAdapter")(tp)
        schema = copied(adapter.json_schema(mode=mode, schema_generator=_generator(said)))
    except NotJSONError as problem:
        walk.refuse(f"pydantic's schema of {display(tp)} has {problem}, which is no JSON", tp)
    except USER_CODE_ERRORS as problem:  # the hooks of a model are user code
        reason = f"pydantic has no JSON Schema for {display(tp)}: {repr_of_error(problem, str)}"
        return walk.unsupported(tp, reason, problem)
    try:
        schema = metaschema.checked(
            schema, references=[_POINTER + name for name in schema.get("$defs", ())]
        )
    except ValueError as problem:
        walk.refuse(f"pydantic's schema of {display(tp)} {problem}", tp)
    for detail in said:
        walk.complain(f"pydantic's schema of {display(tp)}: {detail}", tp)
    definitions = schema.pop("$defs", {})
    cls, _ = split(tp)
    return _Import(definitions, walk, define).named(cls.__name__, schema)


def _generator(said: list[str]) -> Any:
    """What pydantic makes schemas with; what it would warn of is *said*."""

    def emit_warning(_self: object, kind: str, detail: str) -> None:
        if kind != "non-serializable-default":  # which is left out, as everywhere
            said.append(detail)

    base = loaded("pydantic.json_schema.GenerateJsonSchema")
    return type(base)(base.__name__, (base,), {"emit_warning": emit_warning})


class _Import:
    """The definitions of one model, as they become ours."""

    def __init__(self, definitions: dict[str, Fragment], walk: Walk, define: Define) -> None:
        self.definitions = definitions
        self.walk = walk
        self.define = define

    def named(self, name: str, schema: Fragment) -> Fragment:
        """A reference to a schema of pydantic's, defined here under that name."""
        if set(schema) == {"$ref"}:
            return self._fragment(schema)
        schema = {key: value for key, value in schema.items() if key != "title"}
        # The same name with the same complete content is the same type.
        imported = ForeignName(name, repr((schema, self._reachable(schema))))
        return self.define(imported, lambda _: self._fragment(schema), self.walk)

    def _fragment(self, schema: Fragment) -> Fragment:
        reference = schema.get("$ref")
        if type(reference) is str and reference.startswith(_POINTER):
            name = reference.removeprefix(_POINTER)
            siblings = {key: value for key, value in schema.items() if key != "$ref"}
            return {**self.named(name, self.definitions[name]), **siblings}
        if "discriminator" in schema:  # OpenAPI's; the members tell themselves apart without it
            rest = {key: value for key, value in schema.items() if key != "discriminator"}
            schema = {"anyOf" if key == "oneOf" else key: value for key, value in rest.items()}
        fragment = subschemas.rebuild(schema, self._fragment)
        for name, field in fragment.get("properties", {}).items():
            if field.get("title") == name.title().replace("_", " ").strip():  # made up
                del field["title"]
        if "properties" in fragment and self.walk.profile.closed == "everything":
            fragment.setdefault("additionalProperties", False)
        if self.walk.profile.unwrap_none and not self.walk.output:
            for name, field in fragment.get("properties", {}).items():
                fragment["properties"][name] = _without_null(field)
        return fragment

    def _reachable(self, schema: Fragment) -> dict[str, Fragment]:
        found: dict[str, Fragment] = {}
        todo = [schema]
        while todo:
            node = todo.pop()
            name = str(node.get("$ref", "")).removeprefix(_POINTER)
            if name in self.definitions and name not in found:
                found[name] = self.definitions[name]
                todo.append(found[name])
            todo.extend(subschemas.subschemas_of(node))
        return dict(sorted(found.items()))


def _without_null(field: Fragment) -> Fragment:
    """``T`` for ``T | None``, as everywhere in a profile that unwraps None."""
    arms = [arm for arm in field.get("anyOf", ()) if arm != {"type": "null"}]
    if not arms or len(arms) == len(field["anyOf"]):
        return field
    rest = {key: value for key, value in field.items() if key != "anyOf"}
    return {**arms[0], **rest} if len(arms) == 1 else {"anyOf": arms, **rest}
