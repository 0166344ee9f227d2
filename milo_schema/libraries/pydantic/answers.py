"""Ask pydantic for a JSON Schema, check its answer, and convert it to our form.

If the schema of one field or definition cannot be made or used, the answer has the reason in its
place, under ``UNUSABLE``, and keeps everything else.

Keywords are converted by position, never by name alone: titles that pydantic generated are dropped,
and its references become ours, so that its ``$defs`` are named, shared and inlined like all others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, TypeVar

from milo_schema.annotations import Fragment
from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    describe_error,
    inherits,
    loaded,
    repr_of_error,
    static,
)
from milo_schema.annotations.forms import ForeignName, display, is_injected, key_of, split
from milo_schema.annotations.frozen import Frozen
from milo_schema.annotations.resolution import try_resolve
from milo_schema.callables.records import is_record, read_record
from milo_schema.json_schema import STRICT, references, subschemas
from milo_schema.json_schema.drafts import read_schema
from milo_schema.json_schema.references import Define
from milo_schema.json_schema.subschemas import POINTER, reference_to, step_to
from milo_schema.json_schema.values import NotJSONError, copied
from milo_schema.nodes import Walk
from milo_schema.nodes.definitions import DOUBTFUL, STAND_IN
from milo_schema.nodes.scalar_types import DOUBTFUL_FORMATS

Made = TypeVar("Made")

UNUSABLE = "x-milo-schema-unusable"
"""The keyword with the reason why a part of an answer has no schema."""
DISCRIMINATOR = "discriminator"
"""The keyword of OpenAPI that pydantic writes beside the ``oneOf`` of a tagged union.

Our generator writes the name of the property there, if pydantic cannot read a value without it.
"""


class NoAnswerError(Exception):
    """Raised if pydantic has no usable schema; the message says why."""


class StandIn:
    """A stand-in for the type that metadata annotate, in questions to pydantic."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        return loaded("pydantic_core.core_schema").any_schema(metadata={STAND_IN: True})


class Answer(Frozen):
    """A schema that pydantic made.

    Attributes:
        schema: The schema itself.
        definitions: The definitions that it refers to.
        said: The warnings of pydantic, about members of unions that are not in the schema.
        injected: For each model, the names of its fields that a caller does not pass.
        types: The named types that it becomes; see ``Import``.
    """

    schema: Fragment
    definitions: dict[str, Fragment]
    said: list[str]
    injected: dict[type, list[str]]
    types: dict[str, ForeignName]


Known = dict[Any, tuple[Any, Any]]
"""The adapters and answers of a ``Session``, each with its annotation.

The key of an annotation is only valid while it lives.
"""


def ask(tp: Any, known: Known, *, output: bool, by_alias: bool | None, is_exact: bool) -> Answer:
    """Ask pydantic for the schema of an annotation, unless its answer is known.

    Raises:
        NoAnswerError: There is no schema, or none of it can be used.
    """
    options = {"output": output, "by_alias": by_alias, "is_exact": is_exact}
    return _once(tp, (*options.values(),), known, lambda: _asked(tp, known, **options))


def _once(tp: Any, purpose: Any, known: Known, make: Callable[[], Made]) -> Made:
    """Make an object for an annotation, unless one for the same purpose is known."""
    key = key_of(tp), purpose
    if key not in known:
        known[key] = tp, make()
    made: Made = known[key][1]
    return made


def _asked(tp: Any, known: Known, **options: Any) -> Answer:
    """Ask pydantic for the schema of an annotation.

    Nearly every answer is valid JSON Schema. Only if one is not, each field in it is judged.
    """
    try:
        return _answer(tp, known, **options)
    except (NoAnswerError, ValueError):
        return _answer(tp, known, **options, by_field=True)


def _answer(tp: Any, known: Known, *, by_field: bool = False, **options: Any) -> Answer:
    """The answer about an annotation.

    Args:
        tp: The annotation.
        known: What is known already.
        by_field: Whether to look for the fields and definitions that are not valid.
        **options: See ``_schema()``.

    Raises:
        NoAnswerError: There is no schema, or none of it can be used.
        ValueError: A definition is not valid.
    """
    said: list[str] = []
    injected: dict[type, list[str]] = {}
    try:
        schema = _schema(tp, known, said, injected, by_field=by_field, **options)
    except USER_CODE_ERRORS as problem:  # hooks are user code
        reason = f"pydantic has no JSON Schema for {display(tp)}: {_said_by(problem)}"
        raise NoAnswerError(reason) from problem
    definitions = schema.pop("$defs", {})
    references = {reference_to(name) for name in definitions}
    try:
        root = _checked_copy(schema, references)
    except ValueError as problem:
        raise NoAnswerError(f"pydantic's schema of {display(tp)}: {problem}") from None
    for name, definition in definitions.items():
        try:
            definitions[name] = _checked_copy(definition, references)
        except ValueError as problem:
            if not by_field:
                raise
            definitions[name] = {UNUSABLE: f"pydantic's schema of {name}: {problem}"}
    return Answer(root, definitions, said, injected, {})


def _schema(
    tp: Any,
    known: Known,
    said: list[str],
    injected: dict[type, list[str]],
    *,
    output: bool,
    by_alias: bool | None,
    is_exact: bool,
    by_field: bool,
) -> Any:
    """The schema that pydantic makes.

    Args:
        tp: The annotation.
        known: What is known already.
        said: Where warnings are added.
        injected: Where the fields of models that a caller does not pass are added.
        output: Whether it is for an output.
        by_alias: Whether fields have their aliases; ``None``: the configuration of each model
            decides, as it does when pydantic writes values. It may say that none are read.
        is_exact: Whether to mark what is strict.
        by_field: Whether to mark what is not valid in a field.
    """
    if is_v1_model(tp):
        return _by_v1(tp, by_alias=bool(by_alias))
    with_own = by_alias is None or (by_alias and not output)
    options: Any = {"with_own_aliases": with_own, "is_exact": is_exact, "by_field": by_field}
    # Both directions share it: pydantic builds some classes anew for each adapter.
    adapter = _once(tp, "adapter", known, lambda: loaded("pydantic.TypeAdapter")(tp))
    return adapter.json_schema(
        by_alias=bool(by_alias),
        mode="serialization" if output else "validation",
        schema_generator=_generator(said, injected, **options),
    )


def _said_by(problem: BaseException) -> str:
    if isinstance(problem, loaded("pydantic_core.PydanticOmit")):
        return "it asks to be left out, but a schema is required here"
    if isinstance(problem, KeyError):  # its text is only the key, such as an unknown reference
        return describe_error(problem)
    said = repr_of_error(problem, lambda each: str(getattr(each, "message", each)))
    return said.removeprefix("Cannot generate a JsonSchema for ")


def _checked_copy(schema: Any, references: Collection[str] | None = None) -> Fragment:
    """A checked copy of a schema of pydantic's.

    Raises:
        ValueError: It cannot be used; the message is a sentence.
    """
    try:
        return subschemas.checked(copied(schema), references)
    except NotJSONError as problem:
        raise ValueError(f"it contains {problem}, which cannot be written as JSON") from None


def _generator(
    said: list[str],
    injected: dict[type, list[str]],
    *,
    with_own_aliases: bool,
    is_exact: bool,
    by_field: bool,
) -> Any:
    """A schema generator for pydantic that collects its warnings in *said*."""
    base = loaded("pydantic.json_schema.GenerateJsonSchema")

    def emit_warning(_self: object, kind: str, detail: str) -> None:
        if kind != "non-serializable-default":  # such defaults are always left out
            said.append(detail)

    def any_schema(self: object, schema: Any) -> Any:
        is_stand_in = STAND_IN in (schema.get("metadata") or ())
        return {STAND_IN: True} if is_stand_in else base.any_schema(self, schema)

    def tagged_union_schema(self: Any, schema: Any) -> Any:
        found = base.tagged_union_schema(self, schema)
        name = found.get(DISCRIMINATOR, {}).get("propertyName")  # none if a function discriminates
        return {**found, DISCRIMINATOR: name if self.mode == "validation" else None}

    own = {
        "emit_warning": emit_warning,
        "any_schema": any_schema,
        "tagged_union_schema": tagged_union_schema,
        "encode_default": _written_as_it_is(base.encode_default),
        "field_is_present": _is_present(base.field_is_present),
        "generate_inner": _with_doubts(base.generate_inner, by_field),
    }
    make_model = base.model_schema
    if is_exact:
        names = (*_CONFIGURED, "typed_dict_schema", "generate_inner")
        own |= {name: _marked(own.get(name, getattr(base, name))) for name in names}
        make_model = own["model_schema"]
    own["model_schema"] = _without_injected(make_model, said, injected)
    for name in ("dataclass_schema", "typed_dict_schema"):
        own[name] = _reporting_injected(own.get(name, getattr(base, name)), said)
    if with_own_aliases:
        own |= {name: _by_own_alias(own.get(name, getattr(base, name))) for name in _CONFIGURED}
    return type(base)(base.__name__, (base,), own)


def _with_doubts(make: Callable[..., Any], by_field: bool) -> Callable[..., Any]:
    """A generator method that marks doubtful formats, and what cannot be used in a field."""

    def generate_inner(self: Any, schema: Any) -> Any:
        make_any = make_field if schema["type"].endswith("-field") else make
        found = make_any(self, schema)
        return {**found, DOUBTFUL: True} if _may_not_fit(schema, found) else found

    def make_field(self: Any, field: Any) -> Any:
        try:
            schema = make(self, field)
        except loaded("pydantic_core.PydanticOmit"):  # the field must be left out
            raise
        except USER_CODE_ERRORS as problem:  # hooks are user code
            return {UNUSABLE: f"pydantic has no JSON Schema for it: {_said_by(problem)}"}
        try:
            if by_field:
                _checked_copy(schema, self.json_to_defs_refs)
        except ValueError as problem:
            return {UNUSABLE: f"pydantic's schema of it: {problem}"}
        return schema

    return generate_inner


def _written_as_it_is(encode: Callable[..., Any]) -> Callable[..., Any]:
    """A generator method that writes a default; if it is JSON already, without pydantic.

    It would make an adapter for each: a seventh of the time that all answers take.
    """

    def encode_default(self: object, default: Any) -> Any:
        return default if type(default) in _JSON else encode(self, default)

    return encode_default


_JSON = (type(None), bool, int, str)


def _is_present(is_present: Callable[..., bool]) -> Callable[..., bool]:
    """A generator method that leaves out the fields of a dataclass that its constructor lacks."""

    def field_is_present(self: Any, field: Any) -> bool:
        is_left_out = field.get("init") is False and self.mode == "validation"
        return not is_left_out and is_present(self, field)

    return field_is_present


def _may_not_fit(schema: Any, written: Fragment) -> bool:
    """Whether a value of one of Python's types may not have the format in its JSON Schema."""
    if written.get("format") not in DOUBTFUL_FORMATS or schema["type"] not in _OF_PYTHON:
        return False
    zone: object = schema.get("tz_constraint", "naive")
    return zone == "naive"  # and not "aware", or an offset


_OF_PYTHON = ("datetime", "time", "timedelta", "lax-or-strict", "function-plain")
"""How pydantic describes Python's types; the last two are an address and a pattern."""


def _marked(make: Callable[..., Any]) -> Callable[..., Any]:
    """A generator method that marks what is strict: a type, or the fields of a class."""

    def marked(self: Any, schema: Any) -> Any:
        found = make(self, schema)
        if schema.get("strict") is True:
            _mark(found)
        if (schema.get("config") or {}).get("strict") is True:
            for each in found["properties"].values() if "properties" in found else (found,):
                _mark(each)
        return found

    return marked


def _mark(schema: Any) -> None:
    """Mark a schema as strict; the model that a reference leads to decides for itself."""
    for each in schema.get("anyOf", ()):
        _mark(each)
    if not {"$ref", "anyOf"} & schema.keys():
        schema[STRICT] = True


def _without_injected(
    make: Callable[..., Any], said: list[str], injected: dict[type, list[str]]
) -> Callable[..., Any]:
    """A method that leaves the fields with ``Injected`` out of the schema of a model."""

    def model_schema(self: Any, schema: Any) -> Any:
        found, cls = make(self, schema), schema["cls"]
        every = (static(cls, "__pydantic_fields__") or {}).items()
        fields = {name: info for name, info in every if any(map(is_injected, info.metadata))}
        if fields and self.mode == "validation":
            injected[cls] = list(fields)
            said.extend(_leave_out(fields, found, by_alias=self.by_alias))
        return found

    return model_schema


def _reporting_injected(make: Callable[..., Any], said: list[str]) -> Callable[..., Any]:
    """A method that reports the fields with ``Injected`` of a dataclass or TypedDict.

    Only a model knows, once it is made, which of its fields the caller has passed.
    """

    def schema_of_class(self: Any, schema: Any) -> Any:
        cls = schema.get("cls")  # a hook may make a schema without a class, or with any other
        is_read = self.mode == "validation" and is_record(cls)
        for field in read_record(cls).fields if is_read else ():
            found = try_resolve(field.annotation, field.scope)
            if found is not None and any(map(is_injected, found.metadata)):
                shown = f"it shows {cls.__name__}.{field.name}, which is Injected, to callers"
                said.append(f"{shown}; use a model instead of {cls.__name__}")
        return make(self, schema)

    return schema_of_class


def _leave_out(fields: dict[str, Any], schema: Fragment, *, by_alias: bool) -> Iterator[str]:
    """Leave fields out of the schema of a model; yield the problems of doing so."""
    for name, info in fields.items():
        alias = info.validation_alias if by_alias else None
        key = alias if type(alias) is str else name
        schema.get("properties", {}).pop(key, None)
        if key in (required := schema.pop("required", [])):
            required.remove(key)
            yield f"its field {name!r} is Injected, so it needs a default"
        if required:
            schema["required"] = required


_CONFIGURED = ("model_schema", "dataclass_schema")


def _by_own_alias(make: Callable[..., Any]) -> Callable[..., Any]:
    """A generator method that uses aliases as the configuration of the class asks for it."""

    def schema_of_class(self: Any, schema: Any) -> Any:
        config = getattr(schema["cls"], "model_config", None) or schema.get("config") or {}
        before = self.by_alias
        if self.mode == "validation":
            self.by_alias = config.get("validate_by_alias") is not False
        else:
            self.by_alias = config.get("serialize_by_alias") is True
        try:
            return make(self, schema)
        finally:
            self.by_alias = before

    return schema_of_class


# -- models of pydantic.v1 ---------------------------------------------------------------------


def is_v1_model(tp: Any) -> bool:
    """Whether a class is a model of ``pydantic.v1``, which has its own schema and serializer."""
    base = loaded("pydantic.v1.main.BaseModel")
    return base is not None and issubclass(type(tp), type) and inherits(tp, base)


def _by_v1(tp: Any, *, by_alias: bool) -> Fragment:
    schema = tp.schema(by_alias=by_alias, ref_template=POINTER + "{model}")
    schema = {"$defs" if key == "definitions" else key: value for key, value in schema.items()}
    written: Fragment = read_schema({"$schema": DRAFT_7, **schema}).schema
    return written


def _is_doubtful_in_v1(tp: Any, written: Fragment) -> bool:
    """Whether a value may not have the format in a schema of ``pydantic.v1``, which marks none."""
    return written.get("format") in DOUBTFUL_FORMATS and is_v1_model(tp)


DRAFT_7 = "http://json-schema.org/draft-07/schema"


# -- our form ----------------------------------------------------------------------------------


class PydanticImport(references.Import["Walk"]):
    """An answer of pydantic, while it is converted.

    Attributes:
        annotation: The annotation that pydantic described.
    """

    def __init__(self, annotation: Any, answer: Answer, define: Define[Walk]) -> None:
        super().__init__(answer.definitions, define, answer.types)
        self.annotation = annotation

    def named(self, name: str, schema: Fragment, walk: Walk, reference: str = "") -> Fragment:
        """A reference to a schema of pydantic, defined here under that name."""
        return super().named(name, subschemas.without(schema, "title"), walk, reference)

    def at(self, walk: Walk, step: str) -> Walk:
        """The walk one step further."""
        return walk.at(step) if step else walk

    def fragment(self, schema: Fragment, walk: Walk) -> Fragment:
        """A subschema of pydantic in our form."""
        if UNUSABLE in schema:
            return walk.unsupported(self.annotation, schema[UNUSABLE])
        if STAND_IN in schema:
            _, args = split(self.annotation)
            return {**walk.schema(args[0]), **subschemas.without(schema, STAND_IN)}
        if DISCRIMINATOR in schema:  # without it, a value may fit several members
            rest = subschemas.without(schema, DISCRIMINATOR)
            if type(tag := schema[DISCRIMINATOR]) is str:
                rest = self._tagged(rest, tag)
            schema = {"anyOf" if key == "oneOf" else key: value for key, value in rest.items()}
        if schema.get(DOUBTFUL) or _is_doubtful_in_v1(self.annotation, schema):
            schema = walk.out.doubt_format(subschemas.without(schema, DOUBTFUL))
        fields = schema.get("properties", {})
        fragment = super().fragment({**schema, "properties": {}} if fields else schema, walk)
        for name, field in fields.items():
            fragment["properties"][name] = self._field(name, field, walk)
        if "properties" in fragment and walk.profile.closed == "everything":
            fragment.setdefault("additionalProperties", False)
        return fragment

    def _tagged(self, schema: Fragment, tag: str) -> Fragment:
        """A tagged union, or a member of one, that requires the tag even if it has a default."""
        if "oneOf" in schema:
            return {**schema, "oneOf": [self._tagged(each, tag) for each in schema["oneOf"]]}
        definition = self.definitions.get(schema.get("$ref", ""), {})
        required = definition.get("required", [])
        if tag not in definition.get("properties", {}) or tag in required:
            return schema
        tagged = f"{schema['$ref']} {tag}"
        self.names[tagged] = self.names[schema["$ref"]]
        self.definitions[tagged] = {**definition, "required": [*required, tag]}
        return {**schema, "$ref": tagged}

    def _field(self, name: str, field: Fragment, walk: Walk) -> Fragment:
        fragment = self.fragment(field, walk.at(step_to(name)))
        if fragment.get("title") == name.title().replace("_", " ").strip():  # made up
            del fragment["title"]
        unwraps = walk.out.unwrap_none
        if unwraps == "if_default":
            unwraps = field.get("default", MISSING) is None
        return _without_null(fragment) if unwraps else fragment


def _without_null(field: Fragment) -> Fragment:
    """``T`` for ``T | None``, if the profile unwraps ``None``."""
    arms = [arm for arm in field.get("anyOf", ()) if arm != {"type": "null"}]
    if not arms or len(arms) == len(field["anyOf"]):
        return field
    rest = subschemas.without(field, "anyOf")
    return {**arms[0], **rest} if len(arms) == 1 else {"anyOf": arms, **rest}
