"""Everything about pydantic: it describes its own types, and ``Field(...)`` is metadata.

Only pydantic knows everything that a model or a hook checks: validators, aliases, discriminators.
So it makes the schema of every type with such a hook (``schema_of``, ``schema_with_hooks``) and
writes the values (``to_json``). ``answers`` asks for the schema, and ``imports`` converts it to our
form.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

from milo_schema.annotations import Arguments, Fragment, forms, generics
from milo_schema.annotations.classes import (
    MISSING,
    body,
    inherits,
    is_any,
    is_class,
    loaded,
    mro,
    own,
    repr_of_error,
    static,
)
from milo_schema.annotations.resolution import try_resolve
from milo_schema.callables.signatures import NO_PARAMETER, Field, count_aliases
from milo_schema.errors import NOT_PASSED
from milo_schema.json_schema.references import Define
from milo_schema.json_schema.values import copied
from milo_schema.libraries.annotated_types import by_attributes
from milo_schema.libraries.pydantic.answers import (
    Answer,
    NoAnswerError,
    PydanticImport,
    StandIn,
    ask,
    is_v1_model,
)
from milo_schema.libraries.pydantic.unions import is_deep, reader_of_unions
from milo_schema.markers import Deprecated, Foreign, Injected, Schema, Validated
from milo_schema.nodes import Site, Walk
from milo_schema.nodes.definitions import STAND_IN

# -- types that only pydantic knows ------------------------------------------------------------

_HOOKS = (
    "__get_pydantic_core_schema__",
    "__get_pydantic_json_schema__",
    "__pydantic_config__",  # of a dataclass or TypedDict
)


def is_asked(cls: type) -> bool:
    """Whether a class has hooks for pydantic, so that only pydantic knows its JSON."""
    return _has_hook(cls) or is_model(cls) or is_v1_model(cls) or _is_checked_dict(cls)


def _is_checked_dict(cls: type) -> bool:
    """Whether a TypedDict, or a base, has validators or a configuration; no base is in its MRO.

    pydantic ignores what ``Base[int]`` has: such a base is not looked at.
    """
    if not forms.is_typed_dict(cls):
        return False
    names, method = body(cls), loaded("pydantic._internal._decorators.PydanticDescriptorProxy")
    if _HOOKS[-1] in names or any(type(each) is method for each in [*names.values()]):
        return True
    return any(_is_checked_dict(base) for base in names.get("__orig_bases__", ()))


def _has_hook(cls: type) -> bool:
    core, json, config = _HOOKS
    for base in mro(cls)[:-1]:
        if core in (names := body(base)) or json in names or config in names:
            return True
    return False


def is_model(tp: type) -> bool:
    """Whether a class is a pydantic model or pydantic dataclass."""
    base = loaded("pydantic.main.BaseModel")
    if base is not None and tp is not base and inherits(tp, base):
        return True
    is_dataclass = type(static(tp, "__dataclass_fields__")) is dict
    is_marked = own(tp, "__is_pydantic_dataclass__") is True and is_dataclass
    return is_marked and loaded("pydantic.dataclasses.dataclass") is not None


def is_own_constructor(function: Any) -> bool:
    """Whether an ``__init__`` comes from ``BaseModel``, which accepts the fields."""
    return getattr(function, "__module__", "") == "pydantic.main"


def constructor_fields(cls: Any) -> Iterator[tuple[str, Any, Any, bool]]:
    """The parameters of a model's constructor, with the facts that the model has about each.

    Yields:
        The name, the annotation with its ``Field(...)``, the default and whether it is required.
    """
    for name, info in (static(cls, "__pydantic_fields__") or {}).items():
        annotation = forms.with_metadata(info.annotation, (info,))
        yield name, annotation, _default_of(info), info.is_required()


# -- Field(...) --------------------------------------------------------------------------------


def informed(field: Field, *, output: bool) -> Field | None:
    """A field with the facts of pydantic's metadata, from its default or from ``Annotated``.

    Args:
        field: The field or parameter.
        output: Whether it is for an output.

    Returns:
        The field; ``None`` if it is not in the schema at all. A parameter is hidden instead, so
        that its value can be injected.
    """
    if field.default is not MISSING and _is_field_info(field.default):
        info = field.default
        inner = object if field.annotation is MISSING else field.annotation
        is_required = info.is_required()
        field = field.replace(
            annotation=forms.with_metadata(inner, (info,)),
            default=_default_of(info),
            required=is_required,
            make=None if is_required else _maker(info),
        )
    if not (metadata := [each for each in _metadata(field) if not forms.is_marker(each)]):
        return field  # as most
    for info in filter(_is_field_info, metadata):
        if field.required and not info.is_required():
            field = field.replace(required=False, make=_maker(info), default=_default_of(info))
        if alias := _alias(info, output=output):
            field = field.replace(alias=alias)
    if not any(map(leaves_out, metadata)):
        return field
    if field.kind == NO_PARAMETER:
        return None
    return field.replace(annotation=forms.with_metadata(field.annotation, (Injected(),)))


def _maker(info: Any) -> Callable[[], Any]:
    """The function in a ``Field(...)`` that makes the default; Python does not know about it."""
    return lambda: info.get_default(call_default_factory=True, validated_data={})


def _metadata(field: Field) -> tuple[Any, ...]:
    """All metadata of a field, however they are written."""
    tp, found = field.annotation, ()
    head, args = forms.split(tp)
    while head is Annotated:
        found = *forms.metadata_of(tp), *found
        tp = args[0]
        head, args = forms.split(tp)
    if tp is MISSING or head is forms.UNION or is_class(head):  # as most are
        return found
    inside = try_resolve(tp, field.scope)
    return () if inside is None else inside.metadata + found


def _alias(info: Any, *, output: bool) -> str | None:
    """The name of a field in JSON, if it differs from that in Python."""
    alias = (info.serialization_alias if output else info.validation_alias) or info.alias
    choices = getattr(alias, "choices", [alias])  # AliasChoices, of which the first is shown
    return choices[0] if type(choices[0]) is str else None


def _is_field_info(value: Any) -> bool:
    """Whether a value is a ``Field(...)``, which describes a field or parameter."""
    return inherits(type(value), loaded("pydantic.fields.FieldInfo"))


def _default_of(info: Any) -> Any:
    """The default in a ``Field(...)``; ``MISSING`` if there is none, or if a factory makes it."""
    return MISSING if info.is_required() or info.default_factory else info.default


# -- metadata ----------------------------------------------------------------------------------


def _read_field_info(info: Any) -> Iterator[Any]:
    """The keywords of a ``Field(...)``, and the metadata that it holds."""
    yield from by_attributes(info)
    yield from info.metadata
    if info.deprecated:
        yield Deprecated()
    if info.discriminator is not None:
        yield Foreign(type(info)(discriminator=info.discriminator))
    if isinstance(extra := info.json_schema_extra, dict):
        yield Schema(extra)
    elif extra is not None:  # a function that may change anything in the schema
        yield Foreign(type(info)(json_schema_extra=extra))


def _read_hook(piece: Any) -> Iterator[Any]:
    """Read metadata with a pydantic hook: an object or a class."""
    cls = piece if is_class(piece) else type(piece)
    if _has_hook(cls) or inherits(cls, loaded("pydantic.types.GetPydanticSchema")):
        yield Foreign(piece)
        if not any(inherits(cls, loaded(dotted)) for dotted in _WITHOUT_CHECKS):
            yield Validated(piece)


_WITHOUT_CHECKS = (
    "pydantic.functional_serializers.PlainSerializer",
    "pydantic.functional_serializers.WrapSerializer",
    "pydantic.functional_validators.SkipValidation",
    "pydantic.json_schema.WithJsonSchema",
    "pydantic.json_schema.SkipJsonSchema",
    "pydantic.json_schema.Examples",
)
"""Metadata with hooks that do not check a value."""

METADATA = (
    ("pydantic.fields.FieldInfo", _read_field_info),
    ("pydantic.types.AllowInfNan", by_attributes),
    ("builtins.object", _read_hook),
)


def leaves_out(piece: Any) -> bool:
    """Whether metadata remove a field or a member of a union from the schema."""
    if inherits(type(piece), loaded("pydantic.json_schema.WithJsonSchema")):
        return piece.json_schema is None
    return inherits(type(piece), loaded("pydantic.json_schema.SkipJsonSchema"))


# -- schemas -----------------------------------------------------------------------------------


def schema_of(tp: Any, walk: Walk, define: Define[Walk]) -> Fragment:
    """The schema that pydantic makes of a class; *define* makes each definition a named type."""
    cls, _ = forms.split(tp)
    try:
        answer = _ask(tp, walk, is_exact=walk.out.is_exact)
    except NoAnswerError as problem:
        return walk.unsupported(tp, str(problem), problem.__cause__)
    schema, imports = answer.schema, PydanticImport(tp, answer, define)
    if is_class(cls) and (is_model(cls) or is_v1_model(cls)):  # Annotated is not one, from 3.13 on
        for detail in answer.said:  # a hook may leave out what JSON cannot express
            walk.out.report(f"pydantic's schema of {forms.display(tp)}: {detail}", walk.place, tp)
        return imports.named(cls.__name__, schema, walk)
    unsaid = {
        "title": schema.get("title") == cls.__name__,  # made up by pydantic
        "properties": not schema.get("properties", True),  # BaseModel itself: any model is one
    }
    kept = {key: value for key, value in schema.items() if not unsaid.get(key)}
    return imports.fragment(kept, walk)


def why_no_json(tp: Any, site: Site) -> Exception | None:
    """Why no JSON stands for the instances of a class with hooks, such as the class of a sentinel.

    Models always have JSON, so pydantic is not asked about them yet.
    """
    cls, _ = forms.split(tp)
    if is_model(cls) or is_v1_model(cls) or forms.is_typed_dict(cls):
        return None
    try:
        _ask(tp, site)
    except NoAnswerError as problem:
        is_made = inherits(type(problem.__cause__), loaded("pydantic.PydanticInvalidForJsonSchema"))
        if is_made and _adapter(tp, site).core_schema["type"] == "is-instance":
            return problem  # any other, such as a function, may read JSON
    return None


def ask_about_hooks(hooks: list[Any], site: Site, *, output: bool | None = None) -> Answer | None:
    """The schema that hooks make of a stand-in for the annotated type, if they can."""
    try:
        return _ask(forms.with_metadata(StandIn, tuple(hooks)), site, output=output)
    except NoAnswerError:
        return None


def keeps_json(answer: Answer | None) -> bool:
    """Whether hooks leave the JSON of the values that of the type that they annotate."""
    return answer is not None and STAND_IN in answer.schema


def schema_with_hooks(
    tp: Any, hooks: list[Any], answer: Answer | None, walk: Walk, define: Define[Walk]
) -> tuple[Fragment, bool]:
    """The schema of ``Annotated[T, ...]`` with pydantic hooks in the metadata.

    The hooks get a stand-in for T, so that T itself has our schema, with its descriptions. Metadata
    that inspect the type they annotate get T.

    Returns:
        The schema, and whether the values are those of T, in JSON and in Python.
    """
    is_known = keeps_json(answer)
    if answer is not None and walk.output:
        taken = ask_about_hooks(hooks, walk, output=False)
        answer, is_known = (answer if taken else None), is_known and keeps_json(taken)
    if answer is None:
        try:
            answer = _ask(tp, walk, is_exact=walk.out.is_exact)
        except NoAnswerError as problem:
            return walk.unsupported(tp, str(problem), problem.__cause__), False
    return PydanticImport(tp, answer, define).fragment(answer.schema, walk), is_known


def _ask(tp: Any, site: Site, *, output: bool | None = None, is_exact: bool = False) -> Answer:
    output = site.output if output is None else output
    by_alias = _by_alias(site, output=output)
    known = site.reader.session.answers
    return ask(_closed(tp, site), known, output=output, by_alias=by_alias, is_exact=is_exact)


def _by_alias(site: Site, *, output: bool) -> bool | None:
    """Whether fields have their aliases; ``None``: the configuration of each model decides."""
    aliases = site.profile.aliases
    return None if aliases == "inputs" and output else count_aliases(aliases, output=output)


def _closed(tp: Any, site: Site) -> Any:
    """An annotation that pydantic can read, without open type parameters."""
    return _readable_by_pydantic(generics.close(tp, site.scope))


def _readable_by_pydantic(tp: Any) -> Any:
    """An annotation that pydantic can read, made from one of ``with_metadata()`` or ``close()``."""
    if type(tp) is not types.GenericAlias:
        return tp
    import typing

    head, args = forms.split(tp)
    args = tuple(map(_readable_by_pydantic, args))
    if forms.is_form(head, "Annotated"):
        return typing.Annotated[(*args, *forms.metadata_of(tp))]
    if head is forms.UNION:
        return typing.Union[args]  # noqa: UP007 - their number is not known
    return types.GenericAlias(head, args)


# -- values ------------------------------------------------------------------------------------


def to_json(value: Any, tp: Any, site: Site) -> tuple[Any, str, Exception | None]:
    """The JSON that pydantic writes for a value of one of its types, or why it writes none.

    Returns:
        The JSON, the reason, and the exception if a serializer, which is user code, raised it.
    """
    from json import loads

    by_alias = _by_alias(site, output=site.output)
    try:
        if is_v1_model(tp):
            return loads(value.json(by_alias=bool(by_alias))), "", None
        json = _adapter(tp, site).dump_python(
            value, mode="json", by_alias=by_alias, warnings="error"
        )
        return copied(json), "", None
    except Exception as problem:
        reason = f"pydantic cannot write it: {' '.join(str(problem).split())}"
        is_its_own = type(problem).__module__.startswith("pydantic")
        raised: Any = problem.__cause__ if is_its_own else problem
        return None, reason, raised


def _adapter(tp: Any, site: Site) -> Any:
    """The pydantic adapter that reads and writes the values of a type."""
    return loaded("pydantic.TypeAdapter")(_closed(tp, site))


def _adapter_for_our_json(tp: Any, site: Site) -> Any:
    """The adapter that reads the JSON of our schema, in which bytes are Base64."""
    error = loaded("pydantic.PydanticUserError")
    config = {"val_json_bytes": "base64"}
    try:
        return loaded("pydantic.TypeAdapter")(_closed(tp, site), config=config)
    except error as problem:
        if problem.code != "type-adapter-config-unused":
            raise
        return _adapter(tp, site)  # a record has a configuration of its own


def validator_of(
    tp: Any, site: Site, *, is_ours: bool
) -> Callable[[Any], tuple[Any, list[tuple[Any, str, BaseException | None]] | None]]:
    """A function that makes values from JSON for a type of pydantic's, or from that of our schema.

    It returns the value and ``None``, or the location, message and cause of each error.

    Raises:
        SchemaError: pydantic has none, because a name in a model does not exist.
    """
    try:
        read, error, details = _reader_of(tp, site, is_ours=is_ours)
    except loaded("pydantic.PydanticUserError") as problem:
        reason = f"pydantic cannot read {forms.display(tp)}: {problem.message}"
        site.reader.refuse(reason, site.place, tp, problem)
    try:
        injected = _ask(tp, site, output=False).injected
    except NoAnswerError:
        injected = {}

    def validate(json: Any) -> tuple[Any, list[tuple[Any, str, BaseException | None]] | None]:
        try:
            value = read(json)
        except error as problem:
            errors = problem.errors(**details)
            return None, [
                (each["loc"], each["msg"], each.get("ctx", {}).get("error", problem))
                for each in errors
            ]
        passed = [*_passed(value, injected, ())] if injected else []
        return value, [(each, NOT_PASSED, None) for each in passed] or None

    return validate


def problem_of_validator(tp: Any, site: Site) -> str:
    """The reason why pydantic cannot make values of a type; empty if it can."""
    try:
        _reader_of(tp, site, is_ours=True)
    except Exception as problem:  # metadata run user code while pydantic reads them
        return repr_of_error(problem, str).partition("\n")[0]
    return ""


def _passed(value: Any, injected: dict[type, list[str]], place: Arguments) -> Iterator[Arguments]:
    """The paths of injected fields that are set in a value made from JSON."""
    names: Iterable[tuple[Any, Any]] = ()
    if (fields := static(type(value), "__pydantic_fields__")) is not None:
        for name in injected.get(type(value), ()):
            if name in value.__pydantic_fields_set__:
                yield (*place, name)
        names = ((name, getattr(value, name)) for name in fields)
    elif type(value) is dict:
        names = value.items()
    elif is_any(type(value), (list, tuple)):
        names = enumerate(value)
    for name, inner in names:
        yield from _passed(inner, injected, (*place, name))


def _reader_of(
    tp: Any, site: Site, *, is_ours: bool
) -> tuple[Callable[[Any], Any], Any, dict[str, bool]]:
    """A reader of JSON, the error that it raises, and the arguments to get the error's details."""
    from json import dumps

    if is_v1_model(tp):
        return tp.parse_obj, loaded("pydantic.v1.ValidationError"), {}
    adapter = _adapter_for_our_json(tp, site) if is_ours else _adapter(tp, site)
    is_by_alias = count_aliases(site.profile.aliases, output=False)
    names = {} if is_by_alias else {"by_alias": False, "by_name": True}
    without = {"include_url": False, "include_input": False}

    in_unions = None if is_ours else reader_of_unions(adapter.core_schema)
    by_pydantic = adapter.validator.validate_json  # raises an error if the adapter is incomplete

    def read(json: Any) -> Any:
        if in_unions is not None and is_deep(json):
            return in_unions(json, **names)
        return by_pydantic(dumps(json), **names)

    return read, loaded("pydantic.ValidationError"), without


def is_instance(value: Any) -> bool:
    """Whether a value is an instance of a model."""
    return loaded("pydantic.main.BaseModel") in mro(type(value))


def to_json_without_none(model: Any) -> Any:
    """The JSON of a model, without the fields that are ``None``; ``None`` if it cannot be written.

    Callers only ask whether a model is content. Any other model is written later, and the error is
    raised then.
    """
    try:
        return model.model_dump(mode="json", by_alias=True, exclude_none=True)
    except Exception:  # the serializers of a model are user code
        return None
