"""Loaders of wrappers, of types that describe themselves, and of types of pydantic."""

from __future__ import annotations

from milo_schema.annotations import Any, Arguments, Callable, NoReturn
from milo_schema.annotations.classes import static
from milo_schema.annotations.display import display
from milo_schema.annotations.evaluation import is_reference, text_of
from milo_schema.annotations.forms import QuotedName, key_of, metadata_of, split
from milo_schema.annotations.resolution import resolve_once
from milo_schema.callables import records
from milo_schema.decoding.containers import ANYTHING, EVERY_KIND
from milo_schema.decoding.loader import (
    MAX_PROBLEMS,
    Loader,
    Problem,
    Refused,
    Run,
    UnsupportedError,
    construct,
    named,
    prepared,
    printable,
    step_to,
    wrong,
)
from milo_schema.decoding.metadata import annotated as of_markers
from milo_schema.decoding.metadata import exact_schema, fitting, kinds_of, misfits
from milo_schema.decoding.records import null_is_absent, record
from milo_schema.json_schema.pointers import resolve_reference
from milo_schema.json_schema.validation import is_valid
from milo_schema.libraries import library
from milo_schema.schemas import start
from milo_schema.schemas.annotated import read_markers
from milo_schema.schemas.custom import ask_about_unknown
from milo_schema.schemas.definitions import closed
from milo_schema.schemas.unsupported import not_a_type
from milo_schema.schemas.walk import Walk

# -- wrappers ----------------------------------------------------------------------------------


def stand_in(tp: Any, _args: Arguments, walk: Walk) -> Loader:
    """A qualifier, a type parameter, a ``NewType``: the loader of the annotation behind it."""
    found = resolve_once(tp, walk.scope)
    if found is None:
        return ANYTHING
    value, scope = found
    return prepared(value, walk if scope is walk.scope else walk.within(scope))


def alias(tp: Any, args: Arguments, walk: Walk) -> Loader:
    """``type X = ...``, which may be recursive."""
    tp = closed(tp, walk)
    return once(tp, lambda: stand_in(tp, args, walk), walk)


def forward(tp: Any, args: Arguments, walk: Walk) -> Loader:
    """A name in quotes, which may be recursive."""
    if not is_reference(tp):  # such as "list"[int], made by mistake
        return unsupported(tp, args, walk)
    name = QuotedName(text_of(tp), walk.scope)
    return once(name, lambda: stand_in(tp, args, walk), walk)


def once(annotation: Any, prepare: Callable[[], Loader], walk: Walk) -> Loader:
    """The loader of a named type that wraps another one."""
    derivation: Any = walk.derivation
    key = key_of(annotation)
    if key not in derivation.made:
        place = derivation.made[key] = Loader(EVERY_KIND, display(annotation))
        derivation.kept.append(annotation)
        loader = derivation.made[key] = prepare()
        place.kinds, place.label = loader.kinds, loader.label
        # The loader of a record is filled in later, including its load().
        place.load = lambda json, run: loader.load(json, run)  # noqa: PLW0108
    found: Loader = derivation.made[key]
    return found


# -- users' types ------------------------------------------------------------------------------


def unsupported(tp: Any, _args: Arguments, walk: Walk) -> Loader:
    """A type without a rule: nothing here can make its values."""
    reason = not_a_type(tp) or _NOTHING_MAKES.format(display(tp))
    raise UnsupportedError(reason, walk.path, tp, code="no-decoder")


_NOTHING_MAKES = "cannot read {} from JSON; pass decoders={{...}}"


def unknown(tp: Any, args: Arguments, walk: Walk) -> Loader:
    """A type that the profile's function may describe, but only a decoder can read."""
    place = start(walk.path, walk.scope, walk.profile, strict=False)
    if ask_about_unknown(tp, place) is not None:
        undecoded(tp, walk)
    return unsupported(tp, args, walk)


def undecoded(tp: Any, walk: Walk) -> NoReturn:
    """Refuse a type that the profile describes, but that nothing here can read."""
    walk.refuse(_NOTHING_MAKES.format(display(tp)), tp, code="no-decoder")


def hook(tp: Any, args: Arguments, walk: Walk) -> Loader:
    """A class that describes itself: its own classmethod reads it, or its fields are read."""
    cls, _ = split(tp)
    if static(cls, "__milo_from_json__") is not None:
        return decoded(tp, cls.__milo_from_json__, walk)
    if not records.is_record(cls):
        reason = f"cannot read {display(tp)} from JSON"
        way_out = "add the classmethod __milo_from_json__, or pass decoders={...}"
        walk.refuse(f"{reason}; {way_out}", tp, code="no-decoder")
    return fitting(exact_schema(tp, walk), record(tp, args, walk))


def decoded(tp: Any, decode: Any, walk: Walk) -> Loader:
    """A type with a function that makes its values from JSON that is valid for its schema."""
    loader = Loader(EVERY_KIND, display(tp), lambda json, _: construct(decode, json))
    return fitting(exact_schema(tp, walk), loader)


# -- pydantic ----------------------------------------------------------------------------------


def model(tp: Any, _args: Arguments, walk: Walk) -> Loader:
    """A type that pydantic knows: validated by pydantic, in strict JSON mode."""
    tp = closed(tp, walk)
    loader = Loader(EVERY_KIND, "an object")
    return named(tp, loader, lambda: _prepare_model(tp, loader, walk.deferred("")), walk)


def annotated(tp: Any, args: Arguments, walk: Walk) -> Loader | None:
    """``Annotated[T, ...]``; pydantic reads it if the metadata change the JSON of T."""
    foreign, _, _ = read_markers(metadata_of(tp), walk)
    hooks = [marker.value for marker, _ in foreign]
    if not hooks or not library("pydantic").respells(hooks, walk):
        return of_markers(tp, args, walk)
    return fitting(exact_schema(tp, walk), model(tp, args, walk))


def _prepare_model(tp: Any, loader: Loader, walk: Walk) -> None:
    validate = library("pydantic").validator_of(tp, walk)
    schema = exact_schema(tp, walk)
    profile = walk.profile
    is_closed = profile.closed == "everything"

    def load(json: Any, run: Run) -> Any:
        if type(json) not in loader.kinds:
            return wrong(loader, json, run)
        if type(copy := ANYTHING.load(json, run)) is Refused:
            return copy
        if null_is_absent(profile):
            copy = without_absent(copy, schema, schema)
        if is_closed and (found := misfits(copy, schema)) is not None:
            return found
        value, errors = validate(copy)
        if errors is None:
            return value
        return Refused(*(_problem(copy, *error) for error in errors[:MAX_PROBLEMS]))

    loader.kinds = kinds_of(schema)
    loader.load = load


def _problem(json: Any, location: Arguments, why: str, is_missing: bool) -> Problem:  # noqa: FBT001
    """A problem that pydantic found; its locations include the names of members of unions."""
    steps = []
    for key in location[:-1] if is_missing else location:
        if type(json) is dict and key in json:
            steps.append(step_to(str(key)))
            json = json[key]
        elif type(json) is list and type(key) is int and key < len(json):
            steps.append(f"[{key}]")
            json = json[key]
    if is_missing:
        steps.append(step_to(str(location[-1])))
    problem = Problem(printable(why))
    for step in reversed(steps):
        problem = problem.under(step)
    return problem


def without_absent(json: Any, schema: Any, root: Any) -> Any:
    """JSON without the nulls that mean a missing property, according to a schema."""
    schema = resolve_reference(schema["$ref"], root) if "$ref" in schema else schema
    for branch in schema.get("anyOf", ()):
        found = without_absent(json, branch, root)
        if is_valid(found, branch, root):
            return found
    if type(json) is list:
        items = schema.get("items", {})
        return [without_absent(item, items, root) for item in json]
    if type(json) is not dict:
        return json
    properties, required = schema.get("properties", {}), schema.get("required", ())
    return {
        name: without_absent(item, properties.get(name, {}), root)
        for name, item in json.items()
        if item is not None or name in required or is_valid(None, properties.get(name, {}), root)
    }
