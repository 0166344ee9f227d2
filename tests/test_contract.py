"""The contract of the default profile, sentence by sentence; every test quotes what it checks."""

import collections
import enum
import json
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypedDict

import pytest

from milo_schema import (
    Description,
    Ge,
    Gt,
    Le,
    Lt,
    MaxLen,
    MinLen,
    Pattern,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)
from tests.fragments import INTEGER, NULL, STRING, any_of, array_of, map_of, obj, record

pytestmark = pytest.mark.core


class Context:
    """An object that the framework passes to a command."""


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Size(enum.Enum):
    SMALL = 1
    LARGE = 2


@dataclass
class Server:
    host: str
    port: int = 443
    tags: list[str] = field(default_factory=list)


class Movie(TypedDict):
    title: str
    year: int


class Partial(TypedDict, total=False):
    title: str


def taking(annotation: Any, *default: Any) -> dict[str, Any]:
    """The schema of a function with a parameter ``x`` of this annotation."""

    def function(x): ...

    function.__annotations__["x"] = annotation
    function.__defaults__ = default
    return function_to_schema(function)


def required(fragment: dict[str, Any]) -> dict[str, Any]:
    return record(x=fragment)


def optional(fragment: dict[str, Any]) -> dict[str, Any]:
    return obj([], x=fragment)


def same(schema: Any, expected: Any) -> bool:
    """Whether two schemas are the same JSON: ``True`` is not ``1``."""
    return json.dumps(schema, sort_keys=True) == json.dumps(expected, sort_keys=True)


# -- Input Schema ------------------------------------------------------------------------------


def deploy(
    environment: Annotated[str, MinLen(1), Description("Target environment")],
    service: Annotated[str, MinLen(1)],
    version: str = "latest",
    ctx: Context = None,  # type: ignore[assignment]
) -> dict[str, str]:
    """Deploy a service.

    Args:
        service: Service name.
        version: Version or image tag.
    """
    return {"environment": environment, "service": service, "version": version}


def test_the_example_has_its_schema():
    """The MCP inputSchema contains environment, service, and version. ctx is injected by Milo
    and is intentionally omitted.
    """
    assert function_to_schema(deploy) == obj(
        ["environment", "service"],
        environment={"type": "string", "minLength": 1, "description": "Target environment"},
        service={"type": "string", "minLength": 1, "description": "Service name."},
        version={"type": "string", "description": "Version or image tag.", "default": "latest"},
    )


def test_the_example_is_strict_and_documented():
    """Use it in tests when schema drift would be worse than a hard failure."""
    schema = function_to_schema(deploy, strict=True, warn_missing_docs=True)
    assert schema == function_to_schema(deploy)


def test_properties_and_required_have_the_order_of_the_signature():
    """The Python function signature [...] determine[s] the JSON Schema."""

    def function(zulu: int, alpha: str, mike: bool = True, *, bravo: float): ...

    schema = function_to_schema(function)
    assert list(schema["properties"]) == ["zulu", "alpha", "mike", "bravo"]
    assert schema["required"] == ["zulu", "alpha", "bravo"]


# -- Required Fields ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "default", "expected"),
    [
        pytest.param(str, [], required(STRING), id="name: str | Required"),
        pytest.param(str, ["World"], optional({"type": "string", "default": "World"}),
                     id='name: str = "World" | Optional with "default": "World"'),
        pytest.param(str | None, [], required(STRING),
            id="name: str | None | Required unless it has a default; unwrapped to the base type"),
        pytest.param(str | None, [None], optional({"type": "string", "default": None}),
                     id='name: str | None = None | Optional with "default": null'),
        pytest.param(Context, [None], {"type": "object", "properties": {}},
                     id="ctx: Context = None | Omitted from CLI and MCP schemas"),
    ],
)  # fmt: skip
def test_required_fields(annotation, default, expected):
    assert same(taking(annotation, *default), expected)


# -- Supported Types ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        pytest.param(str, STRING, id='str | {"type": "string"}'),
        pytest.param(int, INTEGER, id='int | {"type": "integer"}'),
        pytest.param(float, {"type": "number"}, id='float | {"type": "number"}'),
        pytest.param(bool, {"type": "boolean"}, id='bool | {"type": "boolean"}'),
        pytest.param(list[int], {"type": "array", "items": INTEGER},
                     id='list[T] | {"type": "array", "items": ...}'),
        pytest.param(tuple[int, ...], {"type": "array", "items": INTEGER},
                     id="tuple[T, ...] | Array with item schema"),
        pytest.param(set[int], {"type": "array", "items": INTEGER, "uniqueItems": True},
                     id='set[T] | Array with "uniqueItems": true'),
        pytest.param(frozenset[int], {"type": "array", "items": INTEGER, "uniqueItems": True},
                     id='frozenset[T] | Array with "uniqueItems": true'),
        pytest.param(dict, {"type": "object"}, id='dict | {"type": "object"}'),
        pytest.param(dict[str, int], {"type": "object", "additionalProperties": INTEGER},
                     id="dict[str, T] | Object with additionalProperties"),
        pytest.param(Color, {"type": "string", "enum": ["red", "blue"]},
                     id="Enum | String enum, based on member values"),
        pytest.param(Size, {"type": "integer", "enum": [1, 2]},
                     id="Enum | Integer enum, based on member values"),
        pytest.param(Literal["a", "b"], {"type": "string", "enum": ["a", "b"]},
            id='Literal[...] | {"type": ..., "enum": [...]} when all values share a JSON type'),
        pytest.param(Literal["a", 1], {"enum": ["a", 1]},
                     id="Literal[...] | no type when the values do not share one"),
        pytest.param(int | str, {"anyOf": [INTEGER, STRING]}, id='A | B | {"anyOf": [...]}'),
        pytest.param(Server, obj(["host"], host=STRING, port={"type": "integer", "default": 443},
                       tags=array_of(STRING)), id="dataclass | Object with field properties"),
        pytest.param(Movie, record(title=STRING, year=INTEGER),
                     id="TypedDict | Object with key properties and required keys"),
        pytest.param(Partial, {"type": "object", "properties": {"title": STRING}},
                     id="TypedDict | no required keys"),
    ],
)  # fmt: skip
def test_supported_types(annotation, expected):
    assert same(taking(annotation), required(expected))
    assert same(type_to_schema(annotation), expected)


# -- Unknown annotations and strict mode -------------------------------------------------------


def test_an_unknown_annotation_falls_back_to_string_and_warns():
    """Unknown annotations fall back to {"type": "string"} and emit a warning unless strict=True
    is passed.
    """
    with pytest.warns(SchemaWarning, match=r"function\(x\): no JSON Schema for complex"):
        schema = taking(complex)
    assert schema == required(STRING)


def test_strict_mode_raises_a_type_error():
    """Strict mode raises TypeError for unsupported annotations instead of falling back to
    "string".
    """

    def function(x: complex): ...

    with pytest.raises(TypeError, match=r"function\(x\): no JSON Schema for complex") as caught:
        function_to_schema(function, strict=True)
    assert type(caught.value) is SchemaError


# -- Annotated Constraints ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        pytest.param(Annotated[str, MinLen(3)], {"type": "string", "minLength": 3},
                     id="MinLen(n) minLength"),
        pytest.param(Annotated[list[int], MinLen(3)],
                     {"type": "array", "items": INTEGER, "minItems": 3},
                     id="MinLen(n) or minItems for arrays"),
        pytest.param(Annotated[str, MaxLen(3)], {"type": "string", "maxLength": 3},
                     id="MaxLen(n) maxLength"),
        pytest.param(Annotated[list[int], MaxLen(3)],
                     {"type": "array", "items": INTEGER, "maxItems": 3},
                     id="MaxLen(n) or maxItems for arrays"),
        pytest.param(Annotated[int, Gt(3)], {"type": "integer", "exclusiveMinimum": 3},
                     id="Gt(n) exclusiveMinimum"),
        pytest.param(Annotated[float, Lt(3.5)], {"type": "number", "exclusiveMaximum": 3.5},
                     id="Lt(n) exclusiveMaximum"),
        pytest.param(Annotated[int, Ge(0)], {"type": "integer", "minimum": 0}, id="Ge(n) minimum"),
        pytest.param(Annotated[int, Le(9)], {"type": "integer", "maximum": 9}, id="Le(n) maximum"),
        pytest.param(Annotated[str, Pattern("^[a-z]+$")], {"type": "string", "pattern": "^[a-z]+$"},
                     id="Pattern(regex) pattern"),
        pytest.param(Annotated[str, Description("Who.")], {"type": "string", "description": "Who."},
                     id="Description(text) description"),
    ],
)  # fmt: skip
def test_annotated_constraints(annotation, expected):
    assert same(taking(annotation), required(expected))


def test_the_docstring_describes_parameters_without_a_marker():
    """Docstring parameter descriptions are used when no Description(...) marker is present."""

    def function(a: Annotated[str, Description("From the marker.")], b: str):
        """Do it.

        Args:
            a: From the docstring.
            b: From the docstring.
        """

    assert function_to_schema(function)["properties"] == {
        "a": {"type": "string", "description": "From the marker."},
        "b": {"type": "string", "description": "From the docstring."},
    }


def test_undocumented_parameters_are_reported():
    """milo verify warns when public parameters are undocumented."""

    def function(a: str, b: str, ctx: Context):
        """Do it.

        Args:
            a: Documented.
        """

    with pytest.warns(SchemaWarning) as caught:
        function_to_schema(function, warn_missing_docs=True)
    found = [(each.message.path, each.message.code) for each in caught]
    assert found == [("function(b)", "undescribed-parameter")]


# -- Output Schema -----------------------------------------------------------------------------


def test_a_return_annotation_gives_the_output_schema():
    """return_to_schema() derives an MCP outputSchema from the return annotation."""

    def status(service: str) -> dict[str, str]:
        return {"service": service, "state": "ok"}

    assert return_to_schema(status) == {"type": "object", "additionalProperties": STRING}


def test_no_return_annotation_gives_no_output_schema():
    """Commands without a return annotation, or with -> None, do not get an outputSchema."""

    def missing(): ...
    def none() -> None: ...
    def quoted() -> "None": ...

    assert [return_to_schema(each) for each in (missing, none, quoted)] == [None, None, None]


# -- Context Exclusion -------------------------------------------------------------------------


def test_the_preferred_form_has_only_parameters_of_the_caller():
    """Prefer this form."""

    def build(output: str = "_site", ctx: Context = None) -> dict[str, str]: ...

    assert function_to_schema(build) == obj([], output={"type": "string", "default": "_site"})


NO_PARAMETERS = {"type": "object", "properties": {}}
CLOSED = {"additionalProperties": False}


def by_name(ctx): ...
def by_name_of_another_type(ctx: int): ...
def by_class(context: Context): ...
def optional_class(context: Context | None = None): ...
def by_string(context: "Context"): ...
def by_string_that_nothing_resolves(context: "somewhere.Context | None"): ...  # noqa: F821


BY_NAME = [by_name, by_name_of_another_type]
BY_CLASS = [by_class, optional_class, by_string, by_string_that_nothing_resolves]


@pytest.mark.parametrize("function", [*BY_NAME, *BY_CLASS])
def test_the_context_is_not_part_of_the_schema(function):
    """A parameter named ctx, or annotated directly as Context, is not part of the public input
    schema. A parameter named `ctx` or annotated with a class named `Context` (also optional, also
    as a string annotation) is left out.
    """
    assert function_to_schema(function, strict=True) == NO_PARAMETERS


# -- Readings: None ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "milo", "exact"),
    [
        pytest.param(int | None, INTEGER, {"anyOf": [INTEGER, {"type": "null"}]},
                     id="X | None in parameter or field position is unwrapped to X"),
        pytest.param(int | str | None, {"anyOf": [INTEGER, STRING]},
                     any_of(INTEGER, STRING, NULL),
                     id="A | B | None there becomes anyOf of A and B"),
        pytest.param(list[int | None], array_of(any_of(INTEGER, NULL)),
                     {"type": "array", "items": {"anyOf": [INTEGER, {"type": "null"}]}},
                     id="inside a container None is kept as null, in every profile"),
    ],
)  # fmt: skip
def test_none(annotation, milo, exact):
    def function(x): ...

    function.__annotations__["x"] = annotation
    assert function_to_schema(function) == required(milo)
    assert function_to_schema(function, profile=profiles.MCP) == required(exact) | CLOSED


def test_none_is_also_unwrapped_in_fields():
    """`X | None` in parameter or field position is unwrapped to X."""

    @dataclass
    class Query:
        text: str | None
        limit: int | None = None

    expected = {"text": STRING, "limit": {"type": "integer", "default": None}}
    assert same(type_to_schema(Query)["properties"], expected)


# -- Readings: descriptions and constraints ----------------------------------------------------


def test_any_description_in_annotated_overrides_the_docstring():
    """A marker's `Description` beats the docstring; so does any description in `Annotated`. A
    bare string in `Annotated[T, "text"]` is ignored, as milo does: it may be an internal tag.
    """

    def function(
        a: Annotated[str, Description("A.")], b: Annotated[str, "B."], c: Annotated[str, MinLen(1)]
    ):
        """Do it.

        Args:
            a: Docstring.
            b: Docstring.
            c: Docstring.
        """

    assert function_to_schema(function)["properties"] == {
        "a": {"type": "string", "description": "A."},
        "b": {"type": "string", "description": "Docstring."},
        "c": {"type": "string", "minLength": 1, "description": "Docstring."},
    }


# -- Readings: values --------------------------------------------------------------------------


class Settings(enum.Enum):
    DEFAULT = {"retries": 3}  # noqa: RUF012 - a value that can be changed is the point


def test_defaults_and_enum_values_are_copies():
    """A dict default or an enum value is copied, never aliased."""
    default: dict[str, list[int]] = {"a": [1]}

    def function(options: dict = default, settings: Settings = Settings.DEFAULT): ...

    before = function_to_schema(function)
    changed = function_to_schema(function)
    changed["properties"]["options"]["default"]["a"].append(2)
    changed["properties"]["settings"]["default"]["retries"] = 0
    changed["properties"]["settings"]["enum"][0]["retries"] = 0
    assert default == {"a": [1]}
    assert Settings.DEFAULT.value == {"retries": 3}
    assert function_to_schema(function) == before


# -- Readings: annotations that are missing or unknown -----------------------------------------


def test_no_annotation():
    """No annotation: string in MILO, `{}` in MCP, an error in strict mode."""

    def function(x): ...

    assert function_to_schema(function) == required(STRING)
    assert function_to_schema(function, profile=profiles.MCP) == required({}) | CLOSED
    for profile in (profiles.MILO, profiles.MCP):
        with pytest.raises(SchemaError) as caught:
            function_to_schema(function, strict=True, profile=profile)
        assert str(caught.value) == "function(x): no annotation; add one"


@pytest.mark.parametrize(
    ("profile", "fallback"), [(profiles.MILO, STRING), (profiles.MCP, {})], ids=str
)
def test_an_unknown_annotation(profile, fallback):
    """Unknown annotation: the same, with one warning that names the place."""

    def function(x: list[complex]): ...

    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(function, profile=profile)
    assert schema["properties"] == {"x": {"type": "array", "items": fallback}}
    assert [each.message.path for each in caught] == ["function(x)[]"]


# -- Readings: the shape of a schema -----------------------------------------------------------


def test_a_function_without_parameters_has_properties():
    """A function without parameters has `"properties": {}`."""

    def function(): ...

    assert function_to_schema(function) == NO_PARAMETERS
    assert function_to_schema(function, profile=profiles.MCP) == NO_PARAMETERS | CLOSED


def everything(
    a: Any,
    b: object,
    c: Server,
    d: list[Server],
    e: dict[str, Any],
    f: collections.OrderedDict,
    title: str = "title",
): ...


@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_no_title_no_dialect_no_boolean_schema(profile):
    """No `title`, no `$schema`, never a boolean schema in `properties`."""
    server = obj(["host"], host=STRING, port=INTEGER | {"default": 443}, tags=array_of(STRING))
    types = {"a": {}, "b": {}, "c": server, "d": array_of(server), "e": map_of(True)}
    types["f"] = {"type": "object"}
    expected = obj(types, **types, title=STRING | {"default": "title"})
    closed = CLOSED if profile.closed == "parameters" else {}
    assert function_to_schema(everything, profile=profile) == expected | closed
