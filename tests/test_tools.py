"""Tool definitions: their parts, their copies, and the format of each API."""

import copy
import dataclasses
import functools
import json
import pickle
import re
import subprocess
import sys
from typing import Any, Generic, TypeVar
from unittest import mock

import jsonschema
import pydantic
import pytest

from milo_schema import (
    Profile,
    SchemaError,
    ToolAnnotations,
    ToolSchema,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.checks import check
from milo_schema.compare import compare
from tests import judges
from tests.cases import CASES
from tests.fragments import INTEGER, STRING, array_of, map_of, obj, record
from tests.inside import WIRE_FORMS, box_of, move_to_tool
from tests.needs import lacking

pytestmark = pytest.mark.core

Json = dict[str, Any]
T = TypeVar("T")


def deploy(environment: str, dry_run: bool = False) -> dict[str, int]:
    """Deploy the service.

    It takes a minute.

    Args:
        environment: Where to.
        dry_run: Whether to only pretend.

    Returns:
        How many machines there are of each kind.
    """
    return {}


INPUT: Json = obj(
    ["environment"],
    environment={"type": "string", "description": "Where to."},
    dry_run={"type": "boolean", "default": False, "description": "Whether to only pretend."},
)
OUTPUT: Json = map_of(INTEGER, description="How many machines there are of each kind.")
DESCRIPTION = "Deploy the service.\n\nIt takes a minute."
EMPTY: Json = {"type": "object", "properties": {}}


def nothing(): ...


# -- parts -------------------------------------------------------------------------------------


def test_a_tool_has_the_parts_of_its_function():
    assert tool_schema(deploy, profile=profiles.MILO) == ToolSchema(
        name="deploy", description=DESCRIPTION, input_schema=INPUT, output_schema=OUTPUT
    )


def test_given_values_take_precedence_over_derived_ones():
    schema = {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    tool = tool_schema(
        deploy,
        name="ship",
        title="Ship it",
        description="Ships.",
        annotations=ToolAnnotations(destructive=True),
        input_schema=schema,
        output_schema={"type": "array", "items": {}},
        meta={"com.example/team": "ops"},
        icons=[{"src": "https://example.com/ship.png", "sizes": ["48x48"]}],
    )
    assert tool.to_mcp() == {
        "name": "ship",
        "title": "Ship it",
        "description": "Ships.",
        "inputSchema": schema,
        "outputSchema": array_of({}),
        "annotations": {"destructiveHint": True},
        "icons": [{"src": "https://example.com/ship.png", "sizes": ["48x48"]}],
        "_meta": {"com.example/team": "ops"},
    }


def test_an_explicit_schema_is_not_derived_at_all():
    def failing(*args: complex) -> complex: ...

    tool = tool_schema(
        failing,
        input_schema=EMPTY,
        output_schema={"type": "string"},
        strict=True,
        profile=profiles.PLATOOLS,
    )
    assert tool == ToolSchema(name="failing", input_schema=EMPTY, output_schema={"type": "string"})

    def both(x: complex) -> complex: ...

    with pytest.raises(SchemaError) as caught:
        tool_schema(both, strict=True)
    assert [each.path for each in caught.value.problems] == ["both(x)", "both() -> result"]

    def taking(x: complex) -> str: ...
    def giving(x: str) -> complex: ...

    assert tool_schema(taking, input_schema=EMPTY, strict=True).input_schema == EMPTY
    assert tool_schema(giving, output_schema=EMPTY, strict=True).output_schema == EMPTY


def test_strict_and_exclude_work_as_in_function_to_schema():
    def run(command: str, secret: complex): ...

    assert tool_schema(
        run, exclude=["secret"], strict=True, profile=profiles.MILO
    ).input_schema == record(command=STRING)
    with pytest.raises(SchemaError, match=r"^run\(secret\): no JSON Schema for complex; "):
        tool_schema(run, strict=True, profile=profiles.MILO)


def test_names_for_annotation_strings_can_be_passed():
    def run(amount: "Money") -> "Money": ...  # noqa: F821

    tool = tool_schema(run, localns={"Money": int})

    assert tool.output_schema == tool.input_schema["properties"]["amount"] == {"type": "integer"}


# -- boxes -------------------------------------------------------------------------------------


def answer() -> int:
    return 7


def test_a_tool_has_the_name_of_its_box():
    closed = {**EMPTY, "additionalProperties": False}
    assert tool_schema(answer, profile=profiles.MCP_2025) == ToolSchema(
        name="answer", input_schema=closed, output_schema=record(result=INTEGER), box="result"
    )
    assert tool_schema(answer, profile=profiles.MCP).box is None
    assert tool_schema(deploy, profile=profiles.MCP_2025).box is None


MARK = {"x-dedalus-box": {"field": "result"}}


def test_an_explicit_output_schema_is_boxed_if_it_is_marked():
    marked = {"type": "object", "properties": {"result": {}}, **MARK}
    boxes = [
        tool_schema(answer, output_schema=schema, profile=profile).box
        for schema in (marked, {"type": "object"})
        for profile in (profiles.OPENMCP, profiles.MCP_2025, profiles.MILO)
    ]
    assert boxes == ["result", None, None, None, None, None]
    given = tool_schema(answer, output_schema={"type": "object"}, profile=profiles.MCP_2025)
    assert given.with_function(answer).box is None


def test_a_client_recognizes_a_box_by_its_mark():
    assert box_of(MARK, profiles.OPENMCP) == "result"
    assert box_of({"x-dedalus-box": {"field": "other"}}, profiles.OPENMCP) is None


# -- names -------------------------------------------------------------------------------------


class Service:
    """A service."""

    def deploy(self, environment: str) -> None:
        """Deploy it."""

    @classmethod
    def find(cls) -> None: ...

    class Inner:
        @staticmethod
        def stop() -> None: ...


class Search:
    """Search the web."""

    def __call__(self, query: str) -> list[str]:
        return []


class Quiet:
    def __call__(self, query: str) -> list[str]:
        """Search quietly."""
        return []


@dataclasses.dataclass
class Point:
    x: int


class Box(Generic[T]):
    """A box.

    Args:
        content: What is in it.
    """

    def __init__(self, content: T) -> None: ...


class Made:
    def __init__(self, x: int) -> None:
        """Make it.

        Args:
            x: Of this.
        """


def terse(x: int) -> None:
    """
    Args:
        x: The whole text.
    """


@functools.lru_cache
def cached(x: int) -> int:
    """Compute it."""
    return x


@functools.wraps(deploy)
def wrapped(*args: Any, **kwargs: Any) -> Any: ...


CALLABLES: dict[str, tuple[Any, str, str | None]] = {
    "function": (deploy, "deploy", DESCRIPTION),
    "method": (Service().deploy, "deploy", "Deploy it."),
    "class method": (Service.find, "find", None),
    "static method": (Service.Inner.stop, "stop", None),
    "class": (Service, "Service", "A service."),
    "callable object": (Search(), "Search", "Search the web."),
    "callable object without a docstring": (Quiet(), "Quiet", "Search quietly."),
    "dataclass": (Point, "Point", None),
    "generic class": (Box, "Box", "A box."),
    "class with a docstring on its constructor": (Made, "Made", "Make it."),
    "partial": (functools.partial(deploy, dry_run=True), "deploy", DESCRIPTION),
    "partial of a partial of a cached function": (
        functools.partial(functools.partial(cached), 1), "cached", "Compute it."),
    "cached function": (cached, "cached", "Compute it."),
    "wrapper": (wrapped, "deploy", DESCRIPTION),
    "function whose docstring has no summary": (terse, "terse", None),
    "function without a docstring": (nothing, "nothing", None),
}  # fmt: skip


@pytest.mark.parametrize("kind", CALLABLES)
def test_a_tool_has_the_name_and_description_of_its_callable(kind):
    func, name, description = CALLABLES[kind]
    tool = tool_schema(func, profile=profiles.MCP)

    assert (tool.name, tool.description) == (name, description)


def test_a_tool_has_the_name_of_its_function():
    def made(name: str) -> Any:
        def run(self: Any = None) -> None: ...

        run.__name__ = name
        return run

    class Holder:
        method = made("renamed")

    part = functools.partial(deploy)
    part.__name__ = "part"  # type: ignore[attr-defined]
    instance = Search()
    vars(instance)["__name__"] = "instance"
    outer = functools.wraps(deploy)(lambda: None)
    outer.__name__ = "outer"
    funcs = [made("a"), made("b"), Holder().method, Holder.method, part, instance, outer]

    names = ["a", "b", "renamed", "renamed", "part", "instance", "outer"]
    assert [tool_schema(func).name for func in funcs] == names


def test_an_empty_description_or_title_is_omitted():
    tool = tool_schema(deploy, description="", title="", profile=profiles.MILO)

    assert tool.to_mcp() == {"name": "deploy", "inputSchema": INPUT, "outputSchema": OUTPUT}


ONLY = "not allowed; use A-Z a-z 0-9"
BAD_NAMES = [
    ("", "it must have 1 to 128 characters, not 0"),
    ("a" * 129, "it must have 1 to 128 characters, not 129"),
    ("get weather, please", f"' ' and ',' are {ONLY} _ . -"),
    ("größe", f"'ö' and 'ß' are {ONLY} _ . -"),
    ("a/b", f"'/' is {ONLY} _ . -"),
    ("٣", f"'٣' is {ONLY} _ . -"),
]


@pytest.mark.parametrize(("name", "problem"), BAD_NAMES)
def test_a_name_outside_of_the_specification_is_an_error_that_says_why(name, problem):
    tool = tool_schema(deploy, name=name)
    with pytest.raises(SchemaError) as caught:
        tool.to_mcp()

    assert str(caught.value) == f"{name!r} is not a valid MCP tool name: {problem}; pass name="
    assert json.loads(str(tool))["name"] == name


@pytest.mark.parametrize("name", ["a", "A.b_c-9", "0", ".", "a" * 128])
def test_names_of_the_specification_are_accepted(name):
    assert tool_schema(deploy, name=name).to_mcp()["name"] == name


def test_a_lambda_needs_a_name_when_it_is_written():
    tool = tool_schema(lambda: None)

    assert tool.name == "<lambda>"
    assert tool.call({})["isError"] is False
    assert tool.replace(name="noop").to_mcp()["name"] == "noop"
    assert "refused-tool-name" in {each.code for each in check(tool)}
    for form in WIRE_FORMS.values():
        with pytest.raises(SchemaError, match=r"'<lambda>' is not a valid .* tool name"):
            form.write(tool)


@pytest.mark.parametrize("name", [None, 1, b"run"])
def test_a_name_is_a_string(name):
    def undocumented(): ...

    message = "the name of a tool must be a string, not "
    with pytest.raises(SchemaError, match=message):
        ToolSchema(name=name, input_schema={"type": "object"})
    if name is not None:
        with pytest.raises(SchemaError, match=message):
            tool_schema(undocumented, name=name)


@pytest.mark.parametrize("value", [3, ["x"], [], {}, b""])
@pytest.mark.parametrize("field", ["title", "description"])
def test_a_title_and_a_description_are_strings(field, value):
    makes: Any = (
        functools.partial(tool_schema, deploy),
        functools.partial(ToolSchema, input_schema={"type": "object"}),
    )
    for make in makes:
        with pytest.raises(SchemaError) as caught:
            make(name="x", **{field: value})
        assert str(caught.value) == f"x: the {field} must be a string, not {value!r}"
    empty = makes[1](name="x", **{field: ""})
    assert empty.to_mcp() == {"name": "x", "inputSchema": {"type": "object"}}


OURS = ("to_mcp", "to_json", "to_python")
METHODS = [each for each in vars(ToolSchema) if each.startswith("to_") and each not in OURS]
"""A method for each wire form of a provider."""


@pytest.mark.parametrize(
    ("form", "name", "message"),
    [
        ("to_openai", "a.b", f"OpenAI tool name: '.' is {ONLY} _ -"),
        ("to_anthropic", "a.b", f"Anthropic tool name: '.' is {ONLY} _ -"),
        ("to_gemini", "9a", "Gemini tool name: it must start with a letter or '_', not '9'"),
        ("to_gemini", "-a", "Gemini tool name: it must start with a letter or '_', not '-'"),
        ("to_bedrock", "a.b", f"Bedrock tool name: '.' is {ONLY} _ -"),
    ],
)
def test_a_narrower_rule_of_a_provider_is_an_error_that_says_why(form, name, message):
    tool = tool_schema(deploy, name=name)
    with pytest.raises(SchemaError) as caught:
        getattr(tool, form)()

    assert str(caught.value) == f"{name!r} is not a valid {message}; pass name="


def test_a_dotted_name_can_be_replaced():
    hints = ToolAnnotations(read_only=True)
    tool = tool_schema(nothing, name="shell.run", annotations=hints, profile=profiles.MILO)

    shell_run = ToolSchema(name="shell_run", input_schema=EMPTY, annotations=hints)
    assert tool.replace(name="shell_run") == shell_run
    assert tool.name == "shell.run"


def test_a_tool_is_as_deep_as_the_schemas_of_its_function():
    chain: Any = int
    for number in range(60):
        chain = dataclasses.make_dataclass(f"Level{number}", [("x", chain)])

    def walk(start: chain) -> chain: ...

    tool = tool_schema(walk, profile=profiles.MILO)
    assert tool.input_schema == function_to_schema(walk)
    assert tool.output_schema == return_to_schema(walk)
    assert pickle.loads(pickle.dumps(tool)) == ToolSchema.from_mcp(tool.to_mcp()) == tool


def test_what_a_transform_of_users_returns_is_checked_and_copied():
    shared: Json = {"type": "object", "x-words": ("a", "b")}
    tool = tool_schema(deploy, profile=profiles.MCP.replace(transforms=lambda *_: shared))
    shared["x-words"] = ()

    assert tool.input_schema == tool.output_schema == {"type": "object", "x-words": ["a", "b"]}

    def run(x: int = 1): ...

    narrowed = profiles.MCP.replace(transforms=lambda each, _: {**each, "maxProperties": 1})
    assert (
        tool_schema(run, profile=narrowed)
        .call({"x": None})
        .text.endswith(".x: expected an integer, got null")
    )
    refused = profiles.MCP.replace(transforms=lambda *_: {"type": "object", "x": object()})
    with pytest.raises(
        SchemaError, match="an instance of object in the input schema cannot be written"
    ):
        tool_schema(deploy, profile=refused)


# -- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize("schema", [{}, {"type": "string"}, {"properties": {}}])
def test_the_root_of_an_input_schema_is_an_object(schema):
    with pytest.raises(SchemaError) as caught:
        tool_schema(deploy, input_schema=schema)

    message = "the input schema must have 'type': 'object' at its root: arguments have names"
    assert str(caught.value) == f"deploy: {message}"
    missing: Any = None
    with pytest.raises(SchemaError, match=message):
        ToolSchema(name="deploy", input_schema=missing)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"input_schema": []}, "the input schema must be a dict, not a list"),
        ({"output_schema": True}, "the output schema must be a dict, not a bool"),
        ({"meta": "x"}, "the meta must be a dict, not a str"),
        ({"icons": {"src": "x"}}, "the icons must be a list, not a dict"),
        ({"output_schema": {"default": float("nan")}},
         "the number nan in the output schema cannot be written as JSON"),
        ({"meta": {"x": print}}, "a function in the meta cannot be written as JSON"),
    ],
    ids=str,
)  # fmt: skip
def test_given_values_must_be_json_of_the_right_class(parts, message):
    with pytest.raises(SchemaError) as caught:
        tool_schema(deploy, **parts)

    assert str(caught.value) == f"deploy: {message}"


# -- copies ------------------------------------------------------------------------------------


def full_tool() -> ToolSchema:
    return tool_schema(
        deploy, annotations=ToolAnnotations(title="Deploy"), meta={"a/b": [1]}, icons=[{"src": "x"}]
    )


def test_returned_values_are_copies():
    tool = full_tool()
    parts: list[Any] = [tool.input_schema, tool.output_schema, tool.meta, tool.icons, tool.to_mcp()]
    for part in parts:
        part.clear()
    tool.to_mcp()["inputSchema"]["properties"].clear()
    for form in METHODS:
        getattr(tool, form)().clear()

    assert tool == full_tool()


def test_passed_values_are_copied():
    schema: Json = {"type": "object", "properties": {"a": {}}}
    tool = tool_schema(deploy, input_schema=schema, meta=(meta := {"a": [1]}))
    schema["properties"]["b"] = {}
    meta["a"].append(2)

    assert tool.input_schema == {"type": "object", "properties": {"a": {}}}
    assert tool.meta == {"a": [1]}


@pytest.mark.parametrize("value", [full_tool(), ToolAnnotations(read_only=True)], ids=repr)
def test_a_definition_is_a_frozen_value(value):
    assert pickle.loads(pickle.dumps(value)) == copy.copy(value) == copy.deepcopy(value) == value
    assert (value == object(), value == mock.ANY) == (False, True)
    with pytest.raises(TypeError, match="unhashable"):
        hash(value)
    with pytest.raises(AttributeError, match=r"is frozen; use \.replace\(title='x'\)"):
        value.title = "x"
    with pytest.raises(AttributeError, match="is frozen; it keeps its title"):
        del value.title


def test_the_repr_shows_fields_that_are_set():
    assert repr(ToolAnnotations(read_only=False)) == "ToolAnnotations(read_only=False)"
    assert repr(tool_schema(nothing, title="Rest", profile=profiles.MILO)) == (
        "ToolSchema(name='nothing', title='Rest',"
        " input_schema={'type': 'object', 'properties': {}})"
    )


# -- in a terminal and in a notebook -----------------------------------------------------------


def test_a_definition_is_printed_as_the_json_of_mcp():
    def greet(name: str) -> str:
        """Grüße & <b>."""

    tool = tool_schema(greet, profile=profiles.MILO)
    assert json.loads(tool.to_json()) == tool.to_mcp()
    assert tool.to_json() == (
        '{"name": "greet", "description": "Grüße & <b>.", "inputSchema": {"type": "object", '
        '"properties": {"name": {"type": "string"}}, "required": ["name"]}, '
        '"outputSchema": {"type": "string"}}'
    )
    text = json.dumps(tool.to_mcp(), indent=2, ensure_ascii=False)
    assert f"{tool}" == str(tool) == tool.to_json(indent=2) == text
    assert ToolSchema.from_mcp(json.loads(tool.to_json())) == tool


def test_a_notebook_shows_a_definition_without_reading_it_as_html():
    tool = ToolSchema(name="a", description="<b>", input_schema={"type": "object"})
    assert tool._repr_html_() == (
        "<details open><summary><code>a</code>: &lt;b&gt;</summary><pre>{\n"
        "  &quot;name&quot;: &quot;a&quot;,\n"
        "  &quot;description&quot;: &quot;&lt;b&gt;&quot;,\n"
        "  &quot;inputSchema&quot;: {\n"
        "    &quot;type&quot;: &quot;object&quot;\n"
        "  }\n"
        "}</pre></details>"
    )
    bare = ToolSchema(name="a", input_schema={"type": "object"})
    assert bare._repr_html_().startswith("<details open><summary><code>a</code></summary><pre>{")


def test_rich_shows_each_field_that_is_set():
    tool = ToolSchema(name="a", description="Do.", input_schema={"type": "object"})
    shown = {name: value for name, value, default in tool.__rich_repr__() if value != default}
    assert shown == {"name": "a", "description": "Do.", "input_schema": {"type": "object"}}
    shown["input_schema"].clear()
    assert tool.input_schema == {"type": "object"}
    unset = [(name, None, None) for name in ("destructive", "idempotent", "open_world", "title")]
    shown_hints = [("read_only", True, None), *unset]
    assert list(ToolAnnotations(read_only=True).__rich_repr__()) == shown_hints


# -- annotations -------------------------------------------------------------------------------


def test_annotations_have_only_hints_that_are_set():
    assert ToolAnnotations().to_mcp() == {}
    assert ToolAnnotations(
        read_only=True, destructive=False, idempotent=True, open_world=False, title="A"
    ).to_mcp() == {
        "title": "A",
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }


def test_empty_annotations_are_omitted():
    tool = tool_schema(nothing, annotations=ToolAnnotations(), profile=profiles.MILO)

    assert tool.to_mcp() == {"name": "nothing", "inputSchema": EMPTY}


# -- wire forms --------------------------------------------------------------------------------


OPEN = {"type": "object", "properties": {"letters": {"type": "integer"}}}


def spell(word: str, times: int = 1): ...


@pytest.mark.parametrize(
    ("method", "profile", "inside", "why"),
    [
        ("to_openai", profiles.MCP, {}, 'every property to be required, and "times" is not'),
        ("to_openai", profiles.MILO, {}, "'additionalProperties': false in every object"),
        ("to_anthropic", profiles.MILO, {}, "'additionalProperties': false in every object"),
        ("to_bedrock", profiles.MCP, OPEN, "'additionalProperties': false in every object"),
    ],
)  # fmt: skip
def test_strict_mode_is_refused_for_a_schema_that_it_refuses(method, profile, inside, why):
    tool = tool_schema(spell, profile=profile)
    path = ""
    if inside:
        schema = tool.input_schema
        schema["properties"]["word"], path = inside, "(word)"
        tool = tool.replace(input_schema=schema)
    provider = {"openai": "OpenAI", "anthropic": "Anthropic", "bedrock": "Bedrock"}[method[3:]]
    way_out = f"call .with_profile(profiles.{provider.upper()}_STRICT) first"
    with pytest.raises(SchemaError) as refused:
        getattr(tool, method)(strict=True)
    assert str(refused.value) == (
        f"spell{path}: strict=True, but {provider}'s strict mode needs {why}; {way_out}"
    )
    strict = tool.with_profile(getattr(profiles, f"{provider.upper()}_STRICT"))
    assert '"strict": true' in json.dumps(getattr(strict, method)(strict=True))


def test_hints_that_are_no_tool_annotations_are_refused():
    must = "annotations= must be a ToolAnnotations, such as ToolAnnotations(read_only=True)"
    reason = re.escape(f"nothing: {must}, not {{'readOnlyHint': True}}")
    hints: Any = {"readOnlyHint": True}
    with pytest.raises(SchemaError, match=reason):
        tool_schema(nothing, annotations=hints)
    with pytest.raises(SchemaError, match=reason):
        tool_schema(nothing).replace(annotations=hints)


def test_openai_gets_properties_even_if_there_are_none():
    tool = tool_schema(nothing, input_schema={"type": "object"})

    assert tool.to_openai()["function"] == {"name": "nothing", "parameters": EMPTY}


@pytest.mark.parametrize("form", METHODS)
def test_no_provider_gets_an_empty_description(form):
    assert "description" not in str(getattr(tool_schema(nothing), form)())


def test_importing_the_package_does_not_import_tools():
    code = "import sys, milo_schema; assert 'milo_schema.tools' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


# -- the wire forms in other libraries ---------------------------------------------------------


@dataclasses.dataclass
class Awkward:
    """Checks that JSON Schema can express, too."""

    title: str
    type: str
    default: str
    properties: dict[str, int]
    required: list[str]
    format: str = "title"


def describe(awkward: Awkward) -> Awkward:
    return awkward


def functions() -> list[Any]:
    """Some functions, and one for each annotation of the table."""
    found: list[Any] = [deploy, nothing, answer, describe, Point, Box, Search(), Service.deploy]
    for case in CASES:
        if case.refused is None and case.types is None and not lacking(case.needs):

            def func(value): ...

            func.__annotations__ = {"value": case.type, "return": case.type}
            found.append(func)
    return found


FUNCTIONS = functions()


def every(profile=profiles.MCP) -> list[ToolSchema]:
    hints = ToolAnnotations(title="T", read_only=True, open_world=False)
    icons = [{"src": "https://example.com/a.png", "mimeType": "image/png", "sizes": ["any"]}]
    return [
        tool_schema(func, profile=profile, annotations=hints, icons=icons, meta={"a.b/c": 1})
        for func in FUNCTIONS
    ]


@pytest.mark.parametrize(
    ("version", "profile"),
    [
        ("2025-06-18", profiles.MCP_2025),
        ("2025-11-25", profiles.MCP_2025),
        ("2025-06-18", profiles.OPENMCP),
        ("2026-07-28", profiles.MCP),
        ("2026-07-28", profiles.MILO),
    ],
    ids=str,
)
def test_the_wire_models_of_the_specification_accept_every_tool(version, profile):
    methods = judges.module("mcp_types.methods")
    wire = [tool.to_mcp() for tool in every(profile)]
    if profile is profiles.OPENMCP:  # its document has unions without "type", which is not a Tool
        wire = [tool for tool in wire if "anyOf" not in tool.get("outputSchema", {})]
    listed = {"tools": wire, "resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
    methods.validate_server_result("tools/list", version, listed)
    model = methods.SERVER_RESULTS["tools/list", version]
    read = model.model_validate(listed).model_dump(mode="json", by_alias=True, exclude_none=True)

    assert [
        {key: value for key, value in tool.items() if key in wire[0]} for tool in read["tools"]
    ] == wire


def test_the_wire_model_of_2025_refuses_an_output_that_is_not_an_object():
    methods = judges.module("mcp_types.methods")
    wire = tool_schema(answer, profile=profiles.MCP).to_mcp()
    with pytest.raises(ValueError, match="outputSchema"):
        methods.validate_server_result("tools/list", "2025-11-25", {"tools": [wire]})


def test_openais_sdk_accepts_every_tool():
    chat = judges.module("openai.types.chat").ChatCompletionFunctionToolParam
    responses = judges.module("openai.types.responses").FunctionToolParam
    forms = [tool.to_openai() for tool in every()]
    assert pydantic.TypeAdapter(list[chat]).validate_python(forms) == forms
    forms = [tool.to_openai(api="responses") for tool in every()]
    assert pydantic.TypeAdapter(list[responses]).validate_python(forms) == forms


def test_anthropics_sdk_accepts_every_tool():
    param = judges.module("anthropic.types").ToolParam
    strict = [tool.replace(dialect="anthropic_strict").to_anthropic() for tool in every()]
    forms = [*(tool.to_anthropic() for tool in every()), *strict]
    assert pydantic.TypeAdapter(list[param]).validate_python(forms) == forms


def test_geminis_sdk_accepts_every_tool():
    declaration = judges.module("google.genai.types").FunctionDeclaration
    forms = [tool.to_gemini() for tool in every()]
    read = [declaration.model_validate(form) for form in forms]
    assert [each.model_dump(by_alias=True, exclude_none=True) for each in read] == forms


def test_bedrocks_service_model_accepts_every_tool():
    judges.require("botocore")
    tools = [*every(), *(tool.replace(dialect="bedrock_strict") for tool in every())]
    forms = [tool.to_bedrock() for tool in tools]
    assert {judges.bedrock_report(form) for form in forms} == {""}


# -- from MCP ----------------------------------------------------------------------------------


def test_a_definition_is_read_as_it_is_written_for_mcp():
    hints = ToolAnnotations(read_only=True, destructive=False, title="Ping!")
    whole = ToolSchema(
        name="ping",
        title="Ping",
        description="Ping.",
        input_schema={"type": "object"},
        output_schema={"type": "object"},
        annotations=hints,
        meta={"a/b": 1},
        icons=[{"src": "x"}],
    )

    assert ToolSchema.from_mcp(whole.to_mcp()) == whole
    assert ToolSchema.from_mcp({"name": "ping", "inputSchema": {"type": "object"}}) == ToolSchema(
        name="ping", input_schema={"type": "object"}
    )
    half = {"type": "object", "title": "half of a pair: \ud800"}  # the text of others is theirs
    assert ToolSchema.from_mcp({"name": "ping", "inputSchema": half}).input_schema == half
    assert ToolSchema.from_mcp({**whole.to_mcp(), "annotations": {"x": 1}}) == whole.replace(
        annotations=ToolAnnotations(), others={"annotations": {"x": 1}}
    )


ICON = {"src": "https://a.b/c.png", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"}
ANY_HINTS = {
    "title": "Ping!",
    "readOnlyHint": False,
    "destructiveHint": True,
    "openWorldHint": False,
}
ANY_INPUT = record(a=STRING)
ANY_OUTPUT = {"type": "object", "properties": {"b": {}}}
VERSIONS: dict[str, dict[str, Any]] = {
    "2024-11-05": {"name": "ping", "description": "Ping.", "inputSchema": ANY_INPUT},
    "2025-03-26": {"name": "ping", "inputSchema": ANY_INPUT, "annotations": ANY_HINTS},
    "2025-06-18": {"name": "ping", "title": "Ping", "inputSchema": ANY_INPUT,
          "outputSchema": ANY_OUTPUT, "_meta": {"a.b/c": [1, None]}},
    "2025-11-25": {"name": "ping",
          "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", **ANY_INPUT},
          "icons": [ICON], "execution": {"taskSupport": "required"}},
    "2026-07-28": {"name": "ping", "inputSchema": {"oneOf": [{"required": ["a"]}], **ANY_INPUT},
          "outputSchema": array_of(True)},
    "empty": {"name": "ping", "title": "", "description": "", "inputSchema": {"type": "object"},
          "annotations": {}, "_meta": {}, "icons": []},
    "unknown": {"name": "ping", "inputSchema": {"type": "object"}, "cost": {"tokens": 5},
          "annotations": {"idempotentHint": True, "secretHint": "x"}},
}  # fmt: skip


@pytest.mark.parametrize("version", VERSIONS)
def test_a_definition_of_any_version_of_the_specification_is_written_as_it_was_read(version):
    listed = VERSIONS[version]
    read = ToolSchema.from_mcp(listed)

    assert read.to_mcp() == listed
    assert ToolSchema.from_mcp(read.to_mcp()) == read
    assert pickle.loads(pickle.dumps(read)) == read
    changed = {**listed, "another": 1}
    assert ToolSchema.from_mcp(changed).fingerprint() != read.fingerprint()


def test_what_is_replaced_wins_over_what_was_read():
    read = ToolSchema.from_mcp(VERSIONS["empty"]).replace(description="Ping.")

    assert read.to_mcp()["description"] == "Ping."


WRITTEN = [
    ({"input_schema": {"type": "object", "properties": {"x": {"type": "strin"}}}},
     ("run(x): the input schema is not valid: 'type' must be a JSON type or a list of them, "
           "not \"strin\"; did you mean 'string'?")),
    ({"input_schema": {"type": "object", "$ref": "#/$defs/A"}},
     'run: the input schema is not valid: it refers to "#/$defs/A", which does not exist'),
    ({"output_schema": {"type": "object", "properties": {"y": {"minimum": "1"}}}},
     ("run() -> result.y: the output schema is not valid: 'minimum' must be a number, "
      'not "1"')),
    ({"output_schema": {"type": "object", "$ref": "#/$defs/A"}},
     ('run() -> result: the output schema is not valid: it refers to "#/$defs/A", which does not '
      "exist")),
]  # fmt: skip


@pytest.mark.parametrize(("schemas", "message"), WRITTEN)
def test_a_schema_that_you_write_by_hand_is_checked(schemas, message):
    def run(x: int) -> int: ...

    with pytest.raises(SchemaError) as caught:
        tool_schema(run, **schemas)
    assert str(caught.value) == message
    assert caught.value.code == "invalid-schema"
    assert caught.value.location.partition(":")[0] == __file__


def test_a_valid_schema_that_you_write_by_hand_is_used_as_it_is():
    def run(x: int) -> int: ...

    given = {"type": "object", "properties": {"x": {"$ref": "#/definitions/X"}}}
    given["definitions"] = {"X": {"type": "integer"}}
    written = {"name": "run", "inputSchema": given, "outputSchema": given}
    assert tool_schema(run, input_schema=given, output_schema=given).to_mcp() == written


def test_a_listed_tool_has_its_name_even_if_clients_refuse_it():
    listed = {"name": "a b", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "no"}}
    tool = ToolSchema.from_mcp({**listed, "unset": None})

    assert (tool.name, tool.others) == ("a b", {"execution": {"taskSupport": "no"}})
    assert json.loads(str(tool)) == listed
    assert tool.fingerprint() != tool.replace(name="ab").fingerprint()
    assert [str(each) for each in compare(tool, tool.replace(name="ab"))] == [
        'ab: name "a b" -> "ab" (breaking)'
    ]
    with pytest.raises(SchemaError, match="'a b' is not a valid MCP tool name"):
        tool.to_mcp()


NOT_MCP = "a tool definition must be in the format of MCP, with inputSchema"


@pytest.mark.parametrize(
    ("tool", "message"),
    [
        ({}, "a tool definition needs a name"),
        ({"name": 1}, "a tool definition needs a name"),
        ({"name": "f", 5: 1}, "f: a tool definition needs an inputSchema"),
        ({"name": "f", "output_schema": {}}, "f: a tool definition needs an inputSchema"),
        ({"name": "f", "inputSchema": None, "parameters": {}}, f"f: {NOT_MCP}"),
        (tool_schema(len, name="f").to_openai(), NOT_MCP),
        (tool_schema(len, name="f").to_bedrock(), NOT_MCP),
        ({"functionDeclarations": [tool_schema(len, name="f").to_gemini()]}, NOT_MCP),
        (tool_schema(len, name="f").to_gemini(), f"f: {NOT_MCP}"),
        ({"name": "f", "inputSchema": {"type": "object"}, "annotations": 1},
         "f: the annotations must be an object"),
        ([], "a tool definition must be an object, not []"),
        ({"name": "f", "inputSchema": {"type": "object"}, "description": ["x"]},
         "f: the description must be a string, not ['x']"),
        ({"name": "f", "inputSchema": {"type": "object"}, "title": 5},
         "f: the title must be a string, not 5"),
    ],
)  # fmt: skip
def test_an_invalid_mcp_tool_is_an_error(tool, message):
    with pytest.raises(SchemaError) as caught:
        ToolSchema.from_mcp(tool)

    assert str(caught.value) == message


def test_a_fingerprint_depends_on_contents_and_not_on_order():
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}}
    turned = {"properties": {"b": {}, "a": {"type": "string"}}, "type": "object"}
    one = ToolSchema(name="f", input_schema=schema, description="F.")

    assert one.fingerprint() == one.replace(input_schema=turned).fingerprint()
    assert one.fingerprint() != one.replace(description="G.").fingerprint()


@pytest.mark.parametrize(("api", "hint"), [("response", "; did you mean responses?"), (None, "")])
def test_an_api_that_openai_does_not_have_is_an_error(api, hint):
    with pytest.raises(ValueError, match="api=") as caught:
        tool_schema(len).to_openai(api=api)
    assert str(caught.value) == f"api={api!r} is not 'chat' or 'responses'{hint}"


EXAMPLES = {
    "Google": "Add.\n\nArgs:\n    x: It.\n\nExamples:\n    >>> add(1)\n    2\n\nTodo:\n    * More.",
    "NumPy": "Add.\n\nExamples\n--------\n>>> add(1)\n2\n\nTodo\n----\nMore.",
    "Sphinx": "Add.\n\n:param x: A number.\n:example:\n    >>> add(1)\n    2\n:todo: More.",
    "Epydoc": "Add.\n\n@example:\n    >>> add(1)\n    2\n@todo: More.",
}


@pytest.mark.parametrize("doc", EXAMPLES.values(), ids=EXAMPLES)
def test_a_description_has_the_examples_and_not_the_todos(doc):
    def add(x: int) -> int: ...

    add.__doc__ = doc
    assert tool_schema(add).description == "Add.\n\nExamples:\n>>> add(1)\n2"
    assert tool_schema(functools.partial(add)).description == tool_schema(add).description
    assert tool_schema(add, profile=profiles.OMNI).description == "Add."
    add.__doc__ = "Examples:\n    >>> add(1)\n    2"
    assert tool_schema(add).description is None


def test_a_given_input_schema_is_not_changed():
    schema = {"type": "object", "description": ""}
    tool = tool_schema(nothing, input_schema=schema)
    assert tool.input_schema == schema == {"type": "object", "description": ""}


BUILT_IN = [getattr(profiles, name) for name in profiles.__all__ if name.isupper()]
DIALECTS = [each for each in BUILT_IN if each.dialect is not None]


@pytest.mark.parametrize(
    "returns", [dict[str, Any], dict[str, int], list[dict[str, Any]], Any], ids=str
)
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("profile", DIALECTS, ids=repr)
def test_a_result_is_not_the_business_of_a_provider(profile, strict, returns):
    """A dialect is about arguments; the exact schema stands where it has none."""

    def look_up(query: str): ...

    tool = tool_schema(look_up, returns=returns, profile=profile, strict=strict)
    assert tool.dialect == profile.dialect
    value = [{"a": 1}] if returns == list[dict[str, Any]] else {"a": 1}
    result = tool.result(value)
    if tool.output_schema is not None:
        jsonschema.Draft202012Validator(tool.output_schema).validate(result["structuredContent"])
    findings = check(look_up, profile=profile)
    assert not [each for each in findings if each.path.startswith("look_up() -> result")]


def test_every_door_writes_the_output_that_no_dialect_expresses_as_it_is():
    def look_up(query: str) -> dict[str, int]: ...

    exact = map_of(INTEGER)
    for profile in [each for each in vars(profiles).values() if isinstance(each, Profile)]:
        for strict in (False, True):
            options: Any = {"profile": profile, "strict": strict}
            written = tool_schema(look_up, **options).output_schema
            assert return_to_schema(look_up, **options) == written
            if profile.dialect is not None and written is not None:
                assert type_to_schema(dict[str, int], output=True, **options) == written
    for profile in (profiles.OPENAI_STRICT, profiles.ANTHROPIC_STRICT, profiles.BEDROCK_STRICT):
        assert return_to_schema(look_up, strict=True, profile=profile) == exact
    with pytest.raises(SchemaError, match="arbitrary properties"):
        type_to_schema(dict[str, int], profile=profiles.OPENAI_STRICT)


@pytest.mark.parametrize("name", [name for name in profiles.__all__ if name.isupper()])
def test_a_boxed_tool_is_the_one_that_a_client_reads(name):
    def count(words: str) -> int: ...
    def pairs(words: str) -> list[tuple[str, int]]: ...

    for func in (count, pairs):
        try:
            tool = tool_schema(func, profile=getattr(profiles, name))
        except SchemaError:
            continue
        read = ToolSchema.from_mcp(tool.to_mcp())
        assert (read == tool) is (tool.dialect is None)
        assert read.replace(box="result", dialect=tool.dialect) == tool
        assert tool != read.replace(title="Other", dialect=tool.dialect)
        assert tool != tool.to_mcp()


def test_a_description_that_a_transform_replaced_stays_in_the_schema():
    """That of the only parameter, whose fields replaced it, moves to the tool otherwise."""
    own = {"type": "object", "description": "Of a user."}
    replaced = {"type": "object", "description": "Another."}
    assert move_to_tool(own, {"description": "Of a user."}) == "Of a user."
    assert own == {"type": "object"}
    assert move_to_tool(replaced, {"description": "Of a user."}) == "Of a user."
    assert replaced["description"] == "Another."


def test_a_definition_with_the_names_that_a_model_of_an_sdk_has_says_how_to_write_it():
    dumped = {"name": "ping", "input_schema": {"type": "object"}}
    with pytest.raises(SchemaError) as refused:
        ToolSchema.from_mcp(dumped)
    assert str(refused.value) == (
        "ping: 'input_schema' is not a field of MCP; did you mean inputSchema? "
        "If it is a model of an SDK, write it with model_dump(by_alias=True)"
    )
    both = ToolSchema.from_mcp({**dumped, "inputSchema": {"type": "object"}})
    assert both.others == {"input_schema": {"type": "object"}}
