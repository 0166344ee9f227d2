"""JSON values that are, or nearly are, arguments of a tool, to compare two schemas."""

import functools
import inspect
import json
import random
import typing
import warnings
from collections.abc import Iterator
from typing import Any

import pydantic
import pydantic_core
from hypothesis import given
from hypothesis import strategies as st

from milo_schema.json_schema.subschemas import resolve_reference
from tests.generated import generated

Json = dict[str, Any]

POOL: list[Any] = [
    None, True, False, 0, 1, 2, 5, 8, 10, 40, -1, 101, 200, 0.5, 1.0, 1.5, -0.5, 1e9,
    "", "a", "abc", "ABC", "abcdef", "1", "1.5", "true", "0.5", "low", "LOW", "open", "celsius",
    "fast", "auto", "id", "cat", "text", "asc", "one", "x" * 25, "aa", "[1]", "a b", "1/2",
    "2030-01-01", "2030-01-01T00:00:00Z", "2030-01-01T00:00:00", "10:00:00", "10:00:00Z", "P1D",
    "PT1H", "c0ffee00-0000-4000-8000-000000000000", "10.0.0.1", "::1", "https://example.com/a",
    "/tmp/a", "YQ==",
    [], [1], [1, 2], [1, 1], ["a"], ["a", "b"], ["a", "a"], [1, "a"], [1.5, 2.5], [None], [[1.5]],
    [["a", "b"]], ["low"], ["id", "name"], [1, 2, 3, 4], [{}], [{"a": 1}], [{"x": 1, "y": 2}],
    {}, {"a": 1}, {"a": "b"}, {"a": 1.5}, {"a": None}, {"a": [1]}, {"a": {"b": 1}}, {"1": "a"},
    {"low": 1}, {"x": 1, "y": 2}, {"x": 1, "y": 2, "z": 3}, {"name": "a", "price": 1},
    {"name": "a", "price": 1, "more": 1}, {"street": "a", "city": "b"}, {"verbose": True},
    {"title": "a", "year": 1}, {"title": "a"}, {"id": 1, "label": "a"}, {"id": 1, "items": []},
    {"kind": "cat"}, {"kind": "dog", "good": False}, {"kind": "cow"}, {"value": 1},
    {"value": 1, "children": [{"value": 2}]}, {"name": "a", "manager": {"name": "b"}},
    {"items": [1]}, {"items": [{"name": "a", "price": 1}]}, {"owner": "abc"}, {"owner": "ABC"},
    {"firstName": "a", "lastName": "b"}, {"first_name": "a", "last_name": "b"},
    {"low": 0, "high": 200}, {"step": 3},
]  # fmt: skip
"""Values to try anywhere."""

TEXTS = {"date": "2030-01-01", "date-time": "2030-01-01T00:00:00Z", "time": "10:00:00Z",
         "duration": "P1D", "uuid": "c0ffee00-0000-4000-8000-000000000000", "ipv4": "10.0.0.1",
         "ipv6": "::1", "uri": "https://example.com/a"}  # fmt: skip


# -- by a schema -------------------------------------------------------------------------------


def sample(schema: Any, root: Json, chance: random.Random, depth: int = 0) -> Any:
    """A value that a schema may accept; a validator decides."""
    if not isinstance(schema, dict):
        return chance.choice(POOL)
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in schema:
            return sample(chance.choice(schema[keyword]), root, chance, depth)
    if "$ref" in schema:
        return sample(resolve_reference(schema["$ref"], root), root, chance, depth)
    if "const" in schema or "enum" in schema:
        return chance.choice(schema.get("enum") or [schema["const"]])
    return sample_of_type(schema, root, chance, depth)


def sample_of_type(schema: Json, root: Json, chance: random.Random, depth: int) -> Any:
    kind: Any = schema.get("type")
    if isinstance(kind, list):
        kind = chance.choice(kind)
    if kind == "object":
        return sample_object(schema, root, chance, depth)
    if kind == "array":
        return sample_array(schema, root, chance, depth)
    if kind in ("integer", "number"):
        bounds = [schema[key] for key in ("minimum", "maximum", "multipleOf") if key in schema]
        return chance.choice([*bounds, 0, 1, 5, -7, *([0.5] if kind == "number" else [])])
    if kind == "string":
        length = max(schema.get("minLength", 0), min(3, schema.get("maxLength", 3)))
        return TEXTS.get(schema.get("format", ""), chance.choice(["a" * length, "A" * length]))
    return {"boolean": chance.random() < 0.5, "null": None}.get(kind, chance.choice(POOL))


def sample_object(schema: Json, root: Json, chance: random.Random, depth: int) -> Json:
    required = schema.get("required", ())
    names = [
        name
        for name in schema.get("properties", {})
        if name in required or (depth < 3 and chance.random() < 0.6)
    ]
    made = {name: sample(schema["properties"][name], root, chance, depth + 1) for name in names}
    rest = schema.get("additionalProperties", True)
    if rest is not False and chance.random() < 0.3:
        made["further"] = sample(rest, root, chance, depth + 1)
    return made


def sample_array(schema: Json, root: Json, chance: random.Random, depth: int) -> list[Any]:
    first = [sample(each, root, chance, depth + 1) for each in schema.get("prefixItems", ())]
    least, most = schema.get("minItems", 0), schema.get("maxItems", 3)
    count = max(least, min(most, chance.randrange(3))) - len(first)
    items = schema.get("items", {})
    return first + [
        sample(items, root, chance, depth + 1) for _ in range(count if depth < 4 else 0)
    ]


# -- by the types ------------------------------------------------------------------------------


@functools.cache
def of_types(func: Any, count: int) -> list[Json]:
    """Arguments made of values of the annotations, for those that Hypothesis can make."""
    made: list[Json] = []
    hints = typing.get_type_hints(func, include_extras=True)
    try:
        strategies = {each.name: st.from_type(hints[each.name]) for each in named_parameters(func)}
        arguments = st.fixed_dictionaries(strategies)
        arguments.validate()
    except Exception:
        return []

    @generated(count)
    @given(st.data())
    def make(data: Any) -> None:
        try:
            made.append(pydantic_core.to_jsonable_python(data.draw(arguments)))
        except (TypeError, ValueError):
            return

    with warnings.catch_warnings(action="ignore"):
        make()
    return made


def takes(func: Any) -> Any:
    """Decides whether pydantic accepts JSON as the arguments of a tool: ``(instance, strict=)``."""
    hints = typing.get_type_hints(func, include_extras=True)
    fields: Json = {
        f"field_{each.name}": (
            typing.Annotated[hints.get(each.name, Any), pydantic.Field(alias=each.name)],
            ... if each.default is each.empty else each.default,
        )
        for each in named_parameters(func)
    }
    model = pydantic.create_model("Arguments", __config__=CONFIG, **fields)

    def reads(instance: Json, *, strict: bool) -> bool:
        try:
            model.model_validate_json(json.dumps(instance), strict=strict)
        except ValueError:
            return False
        return True

    return reads


CONFIG = pydantic.ConfigDict(arbitrary_types_allowed=True)


def named_parameters(func: Any) -> list[inspect.Parameter]:
    """The parameters of a tool but for ``*args`` and ``**kwargs``."""
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        each for each in inspect.signature(func).parameters.values() if each.kind not in variadic
    ]


# -- instances ---------------------------------------------------------------------------------


def changed(arguments: Json, chance: random.Random) -> Json:
    """The arguments without one of them, with one more, or with another value."""
    how, names = chance.randrange(5), list(arguments)
    if not names or how == 0:
        return {**arguments, "further": chance.choice(POOL)}
    name = chance.choice(names)
    if how == 1:
        return {key: value for key, value in arguments.items() if key != name}
    return {**arguments, name: near(arguments[name], chance)}


def near(value: Any, chance: random.Random) -> Any:
    """Another value, or one that differs somewhere inside."""
    if isinstance(value, dict) and value and chance.random() < 0.7:
        return changed(value, chance)
    if isinstance(value, list) and value and chance.random() < 0.7:
        at = chance.randrange(len(value))
        return [*value[:at], near(value[at], chance), *value[at + 1 :]]
    return chance.choice(POOL)


def instances(func: Any, schemas: list[Json], count: int) -> Iterator[Json]:
    """Arguments by the types and by the schemas, similar values, and the whole pool."""
    return filter(is_json, attempts(func, schemas, count))


def attempts(func: Any, schemas: list[Json], count: int) -> Iterator[Json]:
    chance = random.Random(0)
    made = list(of_types(func, 4))
    made += [sample(each, each, chance) for each in schemas for _ in range(count)]
    yield {}
    for each in made:
        yield each
        yield changed(each, chance)
    for each in made[-1:]:
        for name in each:
            yield from ({**each, name: value} for value in POOL)
    yield from map(without_offsets, made)


def without_offsets(value: Any) -> Any:
    """The same value with local times, which a schema without formats accepts."""
    if isinstance(value, dict):
        return {key: without_offsets(each) for key, each in value.items()}
    if isinstance(value, list):
        return [without_offsets(each) for each in value]
    return value.removesuffix("Z") if value in (TEXTS["date-time"], TEXTS["time"]) else value


def is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True
