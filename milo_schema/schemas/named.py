"""Rules for types that become definitions: records, aliases, names in quotes, pydantic models."""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments, Callable, Fragment
from milo_schema.annotations.classes import (
    MISSING,
    USER_CODE_ERRORS,
    UnresolvedError,
    is_class,
    loaded_when_called,
    loaded_when_used,
    repr_of_error,
)
from milo_schema.annotations.evaluation import evaluate, is_reference, text_of
from milo_schema.annotations.forms import QuotedName, is_alias, split
from milo_schema.callables import records
from milo_schema.callables.signatures import Record
from milo_schema.schemas.containers import positions
from milo_schema.schemas.definitions import closed, define, define_deferred, definitions_of
from milo_schema.schemas.walk import Step, Walk, object_schema, properties

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema import libraries
    from milo_schema.annotations import generics
else:
    generics = loaded_when_used("annotations.generics")
    libraries = loaded_when_used("libraries")

display: Callable[..., str] = loaded_when_called("annotations.display", "display")


def record(tp: Any, _args: Arguments, walk: Walk, step: Step) -> Fragment:
    """A record, such as a dataclass, TypedDict or NamedTuple: an object or an array."""
    inner = walk.deferred(step)
    tp = tp if type(tp) is type else closed(tp, inner)
    json_type = "array" if records.is_array(tp) else "object"
    return define_deferred(tp, json_type, _record_schema, inner)


def fields_of_class(tp: Any, walk: Walk) -> Fragment | None:
    """The schema of a class that is not a record, from its annotations, as if it were one."""
    tp = closed(tp, walk)
    return _record_schema(tp, walk, records.read_annotations) if records.is_annotated(tp) else None


def _record_schema(tp: Any, walk: Walk, reader: records.Reader | None = None) -> Fragment:
    try:
        profile = walk.profile
        found = records.read(
            tp,
            walk.scope,
            output=walk.derivation.output,
            aliases=profile.aliases,
            reader=reader,
            reads_source=profile.attribute_docstrings,
        )
    except UnresolvedError as problem:
        return walk.unsupported(tp, str(problem), problem)
    except USER_CODE_ERRORS as problem:  # it only looks like a record
        reason = f"reading the fields of {display(tp)} raised {repr_of_error(problem)}"
        return walk.unsupported(tp, reason, problem)
    fragment = (_array_schema if found.is_array else object_schema)(found, walk)
    if found.description:
        fragment["description"] = found.description
    return fragment


def _array_schema(found: Record, walk: Walk) -> Fragment:
    """An array with a position for each field, as ``json`` writes a NamedTuple.

    ``None`` stays an item of it, and defaults are not written.
    """
    fragments: list[Fragment] = []
    for field in found.fields:
        field.default = MISSING
        schemas = properties([field], walk, drops_none=False)[0]
        if not schemas:
            walk.at(field).refuse("an item of an array cannot be left out, so not be Injected")
        fragments += schemas.values()
    required = max((at for at, field in enumerate(found.fields, 1) if field.required), default=0)
    return positions(fragments, {} if found.extra is MISSING else None, required)


def model(tp: Any, _args: Arguments, walk: Walk, step: Step) -> Fragment:
    """A class that pydantic describes, because only pydantic knows all of its checks."""
    definitions_of(walk).is_simple = False  # pydantic's references are copied
    found: Fragment = libraries.library("pydantic").schema_of(tp, walk.at(step), define)
    return found


def schema_with_hooks(tp: Any, hooks: list[Any], walk: Walk) -> tuple[Fragment, bool]:
    """``Annotated[T, ...]`` with pydantic hooks, and whether values are still those of T."""
    definitions_of(walk).is_simple = False  # pydantic's references are copied
    pydantic = libraries.library("pydantic")
    found: tuple[Fragment, bool] = pydantic.schema_with_hooks(tp, hooks, walk, define)
    return found


def alias(tp: Any, _args: Arguments, walk: Walk, step: Step) -> Fragment:
    """``type X = ...``, PEP 695; with arguments, if it is generic."""
    inner = walk.at(step)
    tp = closed(tp, inner)
    value, scope = generics.alias_value(tp, walk.scope)
    return define(tp, lambda walk: walk.within(scope).schema(value), inner)


def forward(tp: Any, _args: Arguments, walk: Walk, step: Step) -> Fragment:
    """A name in quotes inside an annotation; it is evaluated here, in its own scope.

    Its value may contain the same name: ``Json = dict[str, "Json"] | str``. So it becomes a named
    type, unless its value already is one.
    """
    inner = walk.at(step)
    if not is_reference(tp):  # such as "list"[int], made by mistake
        return inner.unsupported(tp, f"no JSON Schema for {display(tp)}")
    value = evaluate(tp, walk.scope)
    if is_class(value) or value is None or _has_a_name(value):
        return inner.schema(value)
    return define(QuotedName(text_of(tp), walk.scope), lambda walk: walk.schema(value), inner)


def _has_a_name(value: Any) -> bool:
    """Whether an annotation is a specialized named type, or an alias."""
    head, _ = split(value)
    if is_class(head):
        return records.describes_itself(head) or records.is_record(head) or records.is_asked(head)
    return is_alias(head)
