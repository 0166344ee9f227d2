"""The source documents about calls: each of their functions with a body is called.

Every result is judged by the specification's ``CallToolResult``, and its structured content by the
output schema of the tool. ``tests/test_systems.py`` has the schemas of the same functions.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Optional, TypedDict

import jsonschema
import jsonschema_rs
import pydantic
import pytest

from milo_schema import (
    Description,
    MinLen,
    SchemaError,
    ToolSchema,
    profiles,
    tool_schema,
)
from milo_schema.results import ToolResult
from tests.fragments import STRING, record
from tests.inside import Reader
from tests.test_results import SPECIFIED

Json = dict[str, Any]
MILO, OPENMCP, OMNI = profiles.MILO, profiles.OPENMCP, profiles.OMNI
PLATOOLS, MCP, MCP_2025 = profiles.PLATOOLS, profiles.MCP, profiles.MCP_2025
RESULT = jsonschema_rs.Draft202012Validator(SPECIFIED["2026-07-28"])


def call(tool: ToolSchema, arguments: Any, **options: Any) -> ToolResult:
    """The result of a call, which is one of the specification."""
    result = asyncio.run(tool.call_async(arguments, **options))
    assert RESULT.is_valid({"resultType": "complete", **result}), result
    if "structuredContent" in result:
        assert tool.output_schema is not None
        jsonschema.Draft202012Validator(tool.output_schema).validate(result["structuredContent"])
    return result


def said(result: Json) -> str:
    """The text of a result that is an error."""
    assert result["isError"] is True
    return str(result["content"][0]["text"])


class Row(NamedTuple):
    """A function of a document, a call of it that the document means, and one that it refuses."""

    profile: profiles.Profile
    func: Callable[..., Any]
    arguments: Json
    structured: Any
    text: str
    wrong: Json
    why: str


# -- OpenMCP: "Schema Inference" (seed 000) ----------------------------------------------------


def answer() -> int:
    return 7


def greet(name: str, age: int, active: bool = True) -> str:
    return f"Hello {name}, age {age}"


def analyze(values: list[int], metadata: dict[str, str]) -> dict[str, float]:
    return {"mean": sum(values) / len(values)}


def set_mode(mode: Literal["fast", "accurate", "balanced"]) -> str:
    return f"Mode set to {mode}"


def find(query: str, limit: Optional[int] = None) -> list[str]:
    return []


class SearchParams(TypedDict):
    query: str
    max_results: NotRequired[int]


def search(params: SearchParams) -> list[str]:
    return []


@dataclass
class Address:
    street: str
    city: str
    postal_code: int


@dataclass
class Owner:
    name: str
    address: Address
    tags: list[str]


def create_profile(name: str, street: str, city: str) -> Owner:
    return Owner(name=name, address=Address(street, city, postal_code=94107), tags=["new"])


class User(pydantic.BaseModel):
    username: str = pydantic.Field(..., min_length=3, max_length=20)
    email: str = pydantic.Field(..., pattern=r"^[\w\.-]+@[\w\.-]+\.\w+$")
    age: int = pydantic.Field(..., ge=0, le=120)


def register_user(user: User) -> str:
    return f"Registered {user.username}"


@dataclass
class ChatAction:
    kind: Literal["chat"]
    message: str


@dataclass
class NavigateAction:
    kind: Literal["navigate"]
    url: str


def choose_action(chat: bool) -> ChatAction | NavigateAction:
    if chat:
        return ChatAction(kind="chat", message="hi")
    return NavigateAction(kind="navigate", url="https://example.com")


async def analyze_data(
    dataset: str, limit: int = 100, filters: Optional[dict[str, str]] = None
) -> dict[str, int]:
    return {"records": 42, "filtered": 10}


async def get_temperature(city: str) -> float:
    return 72.5


@dataclass
class Location:
    latitude: float
    longitude: float


@dataclass
class WeatherReport:
    temperature: float
    location: Location
    humidity: Optional[float] = None


async def weather(city: str) -> WeatherReport:
    return WeatherReport(72.5, Location(latitude=37.7749, longitude=-122.4194))


ADA = {"username": "ada", "email": "ada@example.com", "age": 36}
OWNER = {
    "name": "Ada",
    "address": {"street": "Main", "city": "Oslo", "postal_code": 94107},
    "tags": ["new"],
}
REPORT = {
    "temperature": 72.5,
    "location": {"latitude": 37.7749, "longitude": -122.4194},
    "humidity": None,
}

# -- Milo: "Schema Contract" (seed 001) --------------------------------------------------------


class Context:
    """As of Milo, by its name."""

    def __init__(self) -> None:
        self.logged: list[str] = []

    def log(self, message: str, *, level: int) -> None:
        self.logged.append(message)


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
    ctx.log(f"Deploying {service}", level=1)
    return {"environment": environment, "service": service, "version": version}


def status(service: str) -> dict[str, str]:
    return {"service": service, "state": "ok"}


# -- SEP-2106 (seed 002) -----------------------------------------------------------------------


def get_count() -> int:
    return 42


class Hour(TypedDict):
    hour: str
    temp: int
    conditions: str


FORECAST: list[Hour] = [
    {"hour": "09:00", "temp": 68, "conditions": "sunny"},
    {"hour": "10:00", "temp": 72, "conditions": "partly cloudy"},
]


def get_weather_forecast(days: Annotated[int, pydantic.Field(ge=1, le=100)] = 1) -> list[Hour]:
    return FORECAST


FORECAST_TEXT = (
    '[{"hour": "09:00", "temp": 68, "conditions": "sunny"}, '
    '{"hour": "10:00", "temp": 72, "conditions": "partly cloudy"}]'
)

# -- Omni: "MCP Tool Schema" (seed 003) --------------------------------------------------------


def search_code(
    query: str,
    file_pattern: str = "*.py",
    case_sensitive: bool = False,
    max_results: int = 100,
    encoding: Literal["utf-8", "gbk"] = "utf-8",
    exclude_patterns: list[str] | None = None,
) -> str:
    """Search for patterns in code

    Args:
        query: Search query string
        file_pattern: File match pattern
        case_sensitive: Whether to be case-sensitive
        max_results: Maximum number of results
        encoding: File encoding
        exclude_patterns: List of exclude patterns
    """
    return f"{query} in {file_pattern}, {encoding}, without {exclude_patterns}"


# -- Platools: "Schema generation" (seed 004) --------------------------------------------------


class Order(pydantic.BaseModel):
    id: str


class RefundResult(pydantic.BaseModel):
    refund_id: str
    amount_cents: int


def list_orders(customer_id: str, limit: int = 10) -> list[Order]:
    """Return the most recent orders for a customer.

    Args:
        customer_id: Opaque UUID of the customer whose orders to fetch.
        limit: Maximum number of orders to return. Defaults to 10.
    """
    return [Order(id=customer_id)]


def search_products(
    query: Annotated[
        str, pydantic.Field(min_length=1, max_length=200, description="Free-text query")
    ],
    max_results: Annotated[int, pydantic.Field(ge=1, le=100)] = 10,
) -> list[str]:
    """Full-text search across the product catalog.

    Args:
        query: An explicit Field(description=...) is never overwritten.
        max_results: The docstring wins where there is none.
    """
    return [query] * max_results


def refund(order_id: str) -> RefundResult:
    return RefundResult(refund_id=order_id, amount_cents=5)


NOT_GIVEN = "required but not given"
ROWS = [
    Row(OPENMCP, answer, {}, {"result": 7}, "7", {"x": 1}, "unknown argument"),
    Row(OPENMCP, greet, {"name": "Ada", "age": 36}, {"result": "Hello Ada, age 36"},
        "Hello Ada, age 36", {"name": "Ada", "age": 36, "other": 1}, ".other: unknown argument"),
    Row(OPENMCP, analyze, {"values": [1, 2], "metadata": {"a": "b"}}, {"mean": 1.5},
        '{"mean": 1.5}', {"values": [1], "metadata": {"a": 1}}, ".metadata.a: expected a string"),
    Row(OPENMCP, set_mode, {"mode": "fast"}, {"result": "Mode set to fast"}, "Mode set to fast",
        {"mode": "slow"}, '.mode: expected one of "fast", "accurate", "balanced"'),
    Row(OPENMCP, find, {"query": "a", "limit": None}, {"result": []}, "[]", {}, NOT_GIVEN),
    Row(OPENMCP, search, {"params": {"query": "a"}}, {"result": []}, "[]",
        {"params": {"max_results": 1}}, f".params.query: {NOT_GIVEN}"),
    Row(OPENMCP.replace(flatten=True), search, {"query": "a", "max_results": 1}, {"result": []},
        "[]", {"max_results": 1}, f".query: {NOT_GIVEN}"),
    Row(OPENMCP, create_profile, {"name": "Ada", "street": "Main", "city": "Oslo"}, OWNER,
        '{"name": "Ada", "address": {"street": "Main", "city": "Oslo", "postal_code": 94107}, '
            '"tags": ["new"]}', {"name": "Ada"}, NOT_GIVEN),
    Row(OPENMCP, register_user, {"user": ADA}, {"result": "Registered ada"}, "Registered ada",
        {"user": {**ADA, "age": 121}}, ".user.age: must be at most 120"),
    Row(OPENMCP.replace(flatten=True), register_user, ADA, {"result": "Registered ada"},
        "Registered ada", {**ADA, "email": "nobody"}, ".email: must match"),
    Row(OPENMCP, choose_action, {"chat": True}, {"kind": "chat", "message": "hi"},
        '{"kind": "chat", "message": "hi"}', {"chat": "yes"}, ".chat: expected true or false"),
    Row(OPENMCP, choose_action, {"chat": False}, {"kind": "navigate", "url": "https://example.com"},
        '{"kind": "navigate", "url": "https://example.com"}', {"chat": None},
        ".chat: expected true or false"),
    Row(OPENMCP, analyze_data, {"dataset": "a", "filters": {"b": "c"}},
        {"records": 42, "filtered": 10}, '{"records": 42, "filtered": 10}',
        {"dataset": "a", "filters": {"b": 1}}, ".filters"),
    Row(OPENMCP, get_temperature, {"city": "Oslo"}, {"result": 72.5}, "72.5", {}, NOT_GIVEN),
    Row(OPENMCP, weather, {"city": "Oslo"}, REPORT,
        '{"temperature": 72.5, "location": {"latitude": 37.7749, "longitude": -122.4194}, '
            '"humidity": null}', {"city": 1}, ".city: expected a string"),
    Row(MILO, status, {"service": "api"}, {"service": "api", "state": "ok"},
        '{"service": "api", "state": "ok"}', {}, NOT_GIVEN),
    Row(MCP, get_count, {}, 42, "42", {"x": 1}, "unknown argument"),
    Row(MCP_2025, get_count, {}, {"result": 42}, "42", {"x": 1}, "unknown argument"),
    Row(MCP, get_weather_forecast, {"days": 1}, FORECAST, FORECAST_TEXT, {"days": 101},
        ".days: must be at most 100"),
    Row(MCP_2025, get_weather_forecast, {}, {"result": FORECAST}, FORECAST_TEXT, {"days": 0},
        ".days: must be at least 1"),
    Row(OMNI, search_code, {"query": "a", "encoding": "gbk", "exclude_patterns": ["b"]}, None,
        "a in *.py, gbk, without ['b']", {"query": "a", "encoding": "ascii"},
        '.encoding: expected one of "utf-8", "gbk"'),
    Row(OMNI, search_code, {"query": "a"}, None, "a in *.py, utf-8, without None", {},
        f".query: {NOT_GIVEN}"),
    Row(PLATOOLS, list_orders, {"customer_id": "c", "limit": 1}, [{"id": "c"}], '[{"id": "c"}]',
        {"limit": 1}, f".customer_id: {NOT_GIVEN}"),
    Row(PLATOOLS, search_products, {"query": "a", "max_results": 2}, ["a", "a"], '["a", "a"]',
        {"query": "", "max_results": 101}, "2 problems"),
    Row(PLATOOLS, refund, {"order_id": "o"}, {"refund_id": "o", "amount_cents": 5},
        '{"refund_id": "o", "amount_cents": 5}', {"order_id": 1}, ".order_id: expected a string"),
]  # fmt: skip


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: f"{row.profile.name} {row.func.__name__}({row.arguments})"
)
def test_the_functions_of_the_documents_are_called_as_they_say(row):
    tool = tool_schema(row.func, profile=row.profile)
    result = call(tool, row.arguments)
    assert result["isError"] is False
    assert result["content"] == [{"type": "text", "text": row.text}]
    assert result.get("structuredContent") == row.structured
    assert row.why in said(call(tool, row.wrong))


def test_openmcp_derives_nothing_for_a_call(monkeypatch):
    """ "Repeated calls to `tools/list` or `tools/call` do not re-derive schemas."""
    tool = tool_schema(greet, profile=OPENMCP)
    arguments = {"name": "Ada", "age": 36}
    first = call(tool, arguments)
    read: list[Any] = []
    monkeypatch.setattr(Reader, "read", lambda *each: read.append(each))
    assert call(tool, arguments) == first
    assert read == []


def test_openmcp_calls_variadic_functions_with_any_object():
    """The fallback accepts any JSON object, but provides no validation."""

    def run(name: str = "x", **more: Any) -> dict[str, Any]:
        return {"name": name, **more}

    with pytest.warns(match="variadic"):
        tool = tool_schema(run, profile=OPENMCP)
    assert tool.input_schema == {"type": "object", "additionalProperties": True}
    expected = {"name": "a", "other": [1]}
    assert call(tool, {"name": "a", "other": [1]})["structuredContent"] == expected


def test_openmcp_without_an_output_schema_has_no_structured_content():
    """ "Tools may omit them to disable structured content validation."""

    def run():
        return {"a": 1}

    result = call(tool_schema(run, profile=OPENMCP), {})
    assert result == {"content": [{"type": "text", "text": '{"a": 1}'}], "isError": False}


@pytest.mark.parametrize("field", ["a", "b", "c"])
def test_openmcp_explicit_schemas_rule_the_call(field):
    """ "Uses provided schema instead of inferring from **kwargs."""
    given = {
        "type": "object",
        "properties": {"custom_field": {"type": "string", "enum": ["a", "b", "c"]}},
        "required": ["custom_field"],
        "additionalProperties": False,
    }

    async def custom_tool(**kwargs: Any) -> str:
        return str(kwargs.get("custom_field", "default"))

    tool = tool_schema(custom_tool, input_schema=given, profile=OPENMCP)
    assert (tool.input_schema, tool.box) == (given, "result")
    assert call(tool, {"custom_field": field})["structuredContent"] == {"result": field}
    assert NOT_GIVEN in said(call(tool, {}))
    assert "expected one of" in said(call(tool, {"custom_field": "d"}))
    assert "unknown argument" in said(call(tool, {"custom_field": field, "more": 1}))


def test_openmcp_an_explicit_output_schema_rules_the_result():
    def run(ok: Any) -> Any:
        return {"ok": ok}

    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    tool = tool_schema(run, output_schema=schema, profile=OPENMCP)
    assert tool.output_schema == schema
    assert call(tool, {"ok": True})["structuredContent"] == {"ok": True}
    with pytest.raises(SchemaError, match="does not match the output schema"):
        call(tool, {"ok": 1})


def test_milo_injects_its_context_and_no_caller_sets_it():
    """ "Milo injects it at dispatch time for CLI, programmatic, and MCP calls."""
    tool, context = tool_schema(deploy, profile=profiles.MILO), Context()
    arguments = {"environment": "dev", "service": "api"}
    expected = {**arguments, "version": "latest"}
    assert call(tool, arguments, inject={"ctx": context})["structuredContent"] == expected
    assert context.logged == ["Deploying api"]
    for wrong in ({**arguments, "ctx": {}}, {**arguments, "environment": ""}, {"service": "a"}):
        assert said(call(tool, wrong, inject={"ctx": context})).startswith("deploy(): ")
    assert context.logged == ["Deploying api"]


@pytest.mark.parametrize("value", [{"a": 1}, [1], 1, 1.5, True], ids=repr)
def test_milo_structured_returns_are_structured_content(value):
    """ "Dicts, lists, numbers, and booleans also appear as structuredContent"; no text does."""

    def run(): ...

    def with_value():
        return value

    result = tool_schema(with_value).call({})
    assert result["structuredContent"] == value
    assert "structuredContent" not in tool_schema(run).call({})
    assert tool_schema(with_value).output_schema is None


def test_sep_2106_a_composition_rules_the_call():
    """An ID-based or name-based lookup."""
    given = {
        "type": "object",
        "oneOf": [
            {"properties": {"id": {"type": "string"}}, "required": ["id"]},
            {"properties": {"name": {"type": "string", "minLength": 1}}, "required": ["name"]},
        ],
    }

    def find_resource(**query: str) -> dict[str, str]:
        return query

    tool = tool_schema(find_resource, input_schema=given, profile=MCP)
    for arguments in ({"id": "7"}, {"name": "a"}):
        assert call(tool, arguments)["structuredContent"] == arguments
    for arguments in ({}, {"id": "7", "name": "a"}, {"name": ""}, {"id": 7}):
        assert said(call(tool, arguments)).startswith("find_resource(): ")


def test_sep_2106_a_result_may_have_a_text_of_its_own():
    """Its example has prose beside the array."""
    whole = {
        "content": [{"type": "text", "text": "Found 1 user: Alice (u1)."}],
        "structuredContent": [{"id": "u1", "name": "Alice"}],
        "isError": False,
    }

    def list_users() -> Any:
        return whole

    for schema in (None, {"type": "array", "items": {"type": "object"}}):
        tool = tool_schema(list_users, output_schema=schema, profile=MCP)
        assert call(tool, {}) == {"resultType": "complete", **whole}


@pytest.mark.parametrize("side", ["input_schema", "output_schema"])
def test_sep_2106_a_reference_into_the_network_is_refused(side):
    """Implementations must not dereference it, nor treat it as permissive."""

    def run(**more: Any) -> Any:
        return more

    remote = {"type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}}
    options: Any = {side: remote}
    with pytest.raises(SchemaError, match=r"example\.com"):
        tool_schema(run, profile=MCP, **options).call({"a": 1})


def test_omni_injects_settings_and_no_caller_sets_them():
    """ "No need to pass settings/paths - they're injected."""

    class Settings(dict[str, str]): ...

    class ConfigPaths:
        def get_log_dir(self) -> str:
            return "/log"

    async def my_command(message: str, settings: Settings, paths: ConfigPaths) -> str:
        return f"{message} with {settings.get('api.key')} in {paths.get_log_dir()}"

    tool = tool_schema(my_command, profile=OMNI)
    assert tool.input_schema == record(message=STRING)
    given = {"settings": Settings({"api.key": "k"}), "paths": ConfigPaths()}
    result = call(tool, {"message": "a"}, inject=given)
    assert result["content"][0]["text"] == "a with k in /log"
    wrong = {"message": "a", "settings": {"api.key": "mine"}}
    assert "settings" in said(call(tool, wrong, inject=given))
    with pytest.raises(SchemaError, match=r"pass inject=\{'settings': \.\.\.\}"):
        call(tool, {"message": "a"})


def test_omni_the_project_root_is_not_set_by_a_caller():
    """`project_root` is excluded when `inject_root=True`."""

    def build(output: str = "_site", project_root: str = "/srv") -> str:
        return f"{project_root}/{output}"

    tool = tool_schema(build, profile=OMNI, exclude=["project_root"])
    assert call(tool, {})["content"][0]["text"] == "/srv/_site"
    assert call(tool, {}, inject={"project_root": "/x"})["content"][0]["text"] == "/x/_site"
    assert "project_root" in said(call(tool, {"project_root": "/etc"}))


def test_platools_refuses_at_decoration_and_not_when_it_is_called():
    def oops(x): ...

    with pytest.raises(SchemaError) as refused:
        tool_schema(oops, profile=PLATOOLS)
    assert refused.value.message == ("oops.x has no type hint - every tool parameter must be typed")
