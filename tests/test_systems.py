"""The systems of the source documents: each of their examples and rules, quoted and checked.

Where a document prints keys from a function's body, or flattens the one model that a function
accepts, the algorithm that it states applies instead.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal, NoReturn, NotRequired, Optional, TypedDict, Union

import annotated_types
import pydantic
import pytest

from milo_schema import (
    Description,
    Schema,
    SchemaError,
    SchemaWarning,
    ToolAnnotations,
    ToolSchema,
    function_to_schema,
    hidden_parameters,
    profiles,
    return_to_schema,
    tool_schema,
)
from milo_schema.checks import check
from milo_schema.results import error_result, is_result
from tests.fragments import BOOLEAN, NUMBER, any_of, array_of, map_of, obj, record

Json = dict[str, Any]
OPENMCP, OMNI, PLATOOLS, MCP = profiles.OPENMCP, profiles.OMNI, profiles.PLATOOLS, profiles.MCP

STRING: Json = {"type": "string"}
INTEGER: Json = {"type": "integer"}
NULL: Json = {"type": "null"}


def takes(func: Any, profile: profiles.Profile, **options: Any) -> Json:
    return function_to_schema(func, profile=profile, **options)


def gives(func: Any, profile: profiles.Profile, **options: Any) -> Any:
    return return_to_schema(func, profile=profile, **options)


def boxed(schema: Json) -> Json:
    """The schema of a scalar, or any other value but an object, in the OpenMCP document."""
    return record(result=schema) | {"x-dedalus-box": {"field": "result"}}


def parameter(name: str, schema: Json, **more: Any) -> Json:
    return {**schema, "description": f"Parameter {name}", **more}


# == OpenMCP: "Schema Inference" (seed 000) ====================================================


def test_openmcp_scalar_boxing():
    """If a tool returns a scalar, it is wrapped into an object with a single `result` property."""

    def answer() -> int:
        return 7

    tool = tool_schema(answer, profile=OPENMCP)
    result = tool.result(answer())

    assert tool.output_schema == record(result=INTEGER) | {"x-dedalus-box": {"field": "result"}}
    assert result["structuredContent"] == {"result": 7}
    assert result.value == 7


def test_openmcp_primitives():
    def greet(name: str, age: int, active: bool = True) -> str:
        return f"Hello {name}, age {age}"

    assert takes(greet, OPENMCP) == obj(
        ["name", "age"],
        name={"type": "string", "description": "Parameter name"},
        age={"type": "integer", "description": "Parameter age"},
        active={"type": "boolean", "description": "Parameter active", "default": True},
    ) | {"additionalProperties": False}
    assert gives(greet, OPENMCP) == boxed(STRING)


def test_openmcp_containers():
    """The document prints the key `mean` of the body; a `dict[str, float]` has any."""

    def analyze(values: list[int], metadata: dict[str, str]) -> dict[str, float]:
        return {"mean": sum(values) / len(values)}

    assert takes(analyze, OPENMCP)["properties"] == {
        "values": parameter("values", {"type": "array", "items": {"type": "integer"}}),
        "metadata": parameter(
            "metadata", {"type": "object", "additionalProperties": {"type": "string"}}
        ),
    }
    assert gives(analyze, OPENMCP) == map_of(NUMBER)


def test_openmcp_literal():
    def set_mode(mode: Literal["fast", "accurate", "balanced"]) -> str:
        return f"Mode set to {mode}"

    assert takes(set_mode, OPENMCP)["properties"] == {
        "mode": parameter("mode", {"enum": ["fast", "accurate", "balanced"], "type": "string"})
    }


def test_openmcp_optional_and_union():
    def find(query: str, limit: Optional[int] = None) -> list[str]:
        return []

    assert takes(find, OPENMCP)["properties"] == {
        "query": parameter("query", STRING),
        "limit": parameter(
            "limit", {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}
        ),
    }
    assert gives(find, OPENMCP) == boxed({"type": "array", "items": {"type": "string"}})


class SearchParams(TypedDict):
    query: str
    max_results: NotRequired[int]


def test_openmcp_not_required():
    """The document shows the keys of the one parameter; that is a parameter all the same."""

    def search(params: SearchParams) -> list[str]:
        return []

    assert takes(search, OPENMCP)["properties"]["params"] == obj(
        ["query"], query=STRING, max_results=INTEGER
    ) | {"additionalProperties": False, "description": "Parameter params"}
    assert gives(search, OPENMCP) == boxed({"type": "array", "items": {"type": "string"}})


@dataclass
class Address:
    street: str
    city: str
    postal_code: int


@dataclass
class Profile:
    name: str
    address: Address
    tags: list[str]


def test_openmcp_dataclasses():
    """In addition to the document, required fields are required, as in `TypeAdapter`."""

    def create_profile(name: str, street: str, city: str) -> Profile:
        raise NotImplementedError

    assert gives(create_profile, OPENMCP) == record(
        name=STRING,
        address=record(street=STRING, city=STRING, postal_code=INTEGER)
        | {"additionalProperties": False},
        tags=array_of(STRING),
    ) | {"additionalProperties": False}


class User(pydantic.BaseModel):
    username: str = pydantic.Field(..., min_length=3, max_length=20)
    email: str = pydantic.Field(..., pattern=r"^[\w\.-]+@[\w\.-]+\.\w+$")
    age: int = pydantic.Field(..., ge=0, le=120)


def test_openmcp_pydantic_models():
    def register_user(user: User) -> str:
        return f"Registered {user.username}"

    assert takes(register_user, OPENMCP)["properties"]["user"] == record(
        username={"type": "string", "minLength": 3, "maxLength": 20},
        email={"type": "string", "pattern": "^[\\w\\.-]+@[\\w\\.-]+\\.\\w+$"},
        age={"type": "integer", "minimum": 0, "maximum": 120},
    ) | {"additionalProperties": False, "description": "Parameter user"}
    assert gives(register_user, OPENMCP) == boxed(STRING)


@dataclass
class ChatAction:
    kind: Literal["chat"]
    message: str


@dataclass
class NavigateAction:
    kind: Literal["navigate"]
    url: str


UnionAction = Union[ChatAction, NavigateAction]


def test_openmcp_union_types():
    def choose_action(chat: bool) -> UnionAction:
        return ChatAction(kind="chat", message="hi")

    assert gives(choose_action, OPENMCP) == any_of(
        record(kind={"enum": ["chat"], "type": "string"}, message=STRING)
        | {"additionalProperties": False},
        record(kind={"enum": ["navigate"], "type": "string"}, url=STRING)
        | {"additionalProperties": False},
    )


def test_openmcp_basic_tool_with_mixed_types():
    async def analyze(
        dataset: str, limit: int = 100, filters: Optional[dict[str, str]] = None
    ) -> dict[str, int]:
        return {"records": 42, "filtered": 10}

    tool = tool_schema(analyze, description="Analyze data with optional filters", profile=OPENMCP)

    assert tool.to_mcp() == {
        "name": "analyze",
        "description": "Analyze data with optional filters",
        "inputSchema": obj(
            ["dataset"],
            dataset={"type": "string", "description": "Parameter dataset"},
            limit={"type": "integer", "description": "Parameter limit", "default": 100},
            filters={
                "anyOf": [map_of(STRING), NULL],
                "description": "Parameter filters",
                "default": None,
            },
        )
        | {"additionalProperties": False},
        "outputSchema": map_of(INTEGER),
    }


def test_openmcp_scalar_return_type():
    async def get_temperature(city: str) -> float:
        return 72.5

    tool = tool_schema(get_temperature, profile=OPENMCP)
    result = tool.result(72.5)

    assert tool.output_schema == boxed({"type": "number"})
    assert result["structuredContent"] == {"result": 72.5}


@dataclass
class Location:
    latitude: float
    longitude: float


@dataclass
class WeatherReport:
    temperature: float
    location: Location
    humidity: Optional[float] = None


def test_openmcp_nested_dataclass_with_optional_fields():
    """In addition to the document, `humidity` has its default: null."""

    async def weather(city: str) -> WeatherReport:
        raise NotImplementedError

    report = WeatherReport(72.5, Location(latitude=37.7749, longitude=-122.4194))
    tool = tool_schema(weather, profile=OPENMCP)

    assert tool.output_schema == obj(
        ["temperature", "location"],
        temperature=NUMBER,
        location=record(latitude=NUMBER, longitude=NUMBER) | {"additionalProperties": False},
        humidity={"anyOf": [NUMBER, NULL], "default": None},
    ) | {"additionalProperties": False}
    assert tool.result(report)["structuredContent"] == {
        "temperature": 72.5,
        "location": {"latitude": 37.7749, "longitude": -122.4194},
        "humidity": None,
    }


Email = Annotated[str, pydantic.Field(json_schema_extra={"format": "email"})]


class CreateUserRequest(pydantic.BaseModel):
    username: str = pydantic.Field(..., min_length=3, max_length=20, pattern=r"^[a-zA-Z0-9_]+$")
    email: Email  # EmailStr, which wants another package
    age: int = pydantic.Field(..., ge=13, le=120)
    bio: Optional[str] = pydantic.Field(None, max_length=500)


def test_openmcp_pydantic_model_with_validation():
    async def create_user(request: CreateUserRequest) -> dict[str, str]:
        return {"user_id": "usr_123", "status": "created"}

    assert takes(create_user, OPENMCP) == record(
        request=obj(
            ["username", "email", "age"],
            username={
                "type": "string",
                "minLength": 3,
                "maxLength": 20,
                "pattern": "^[a-zA-Z0-9_]+$",
            },
            email={"type": "string", "format": "email"},
            age={"type": "integer", "minimum": 13, "maximum": 120},
            bio={"anyOf": [{"type": "string", "maxLength": 500}, NULL], "default": None},
        )
        | {"additionalProperties": False, "description": "Parameter request"}
    ) | {"additionalProperties": False}


def test_openmcp_explicit_schema_override():
    schema = record(custom_field={"type": "string", "enum": ["a", "b", "c"]}) | {
        "additionalProperties": False
    }

    async def custom_tool(**kwargs) -> str:
        return str(kwargs.get("custom_field", "default"))

    assert tool_schema(custom_tool, input_schema=schema, profile=OPENMCP) == ToolSchema(
        name="custom_tool", input_schema=schema, output_schema=boxed(STRING), box="result"
    )


def test_openmcp_accepts_an_explicit_output_schema():
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}}

    def custom_tool() -> int:
        return 1

    assert tool_schema(custom_tool, output_schema=schema, profile=OPENMCP).output_schema == schema


PERMISSIVE: Json = {"type": "object", "additionalProperties": True}


def with_args(name: str, *args: int): ...
def with_kwargs(name: str, **kwargs: int): ...
def with_complex(name: str, number: complex): ...
def with_unresolved(name: "Nowhere"): ...  # noqa: F821


UNSUPPORTED = [with_args, with_kwargs, with_complex, with_unresolved]


@pytest.mark.parametrize("func", UNSUPPORTED)
def test_openmcp_falls_back_for_the_whole_function(func):
    """If parameter inspection or schema generation fails, the system falls back to
    `{"type": "object", "additionalProperties": true}`.
    """
    with pytest.warns(SchemaWarning):
        assert takes(func, OPENMCP) == PERMISSIVE
    with pytest.raises(SchemaError):
        takes(func, OPENMCP, strict=True)


def test_openmcp_accepts_any_value_without_an_annotation():
    """Use the parameter's type annotation if present, otherwise default to `Any`."""

    def run(thing): ...

    assert takes(run, OPENMCP)["properties"] == {"thing": {"description": "Parameter thing"}}


def test_openmcp_resolves_deferred_types_in_closures():
    """Closure namespace resolution for locally defined types."""

    @dataclass
    class Local:
        x: int

    def run() -> "Local":
        return Local(1)

    assert gives(run, OPENMCP)["properties"] == {"x": {"type": "integer"}}


def content_type(name: str) -> type:
    return type(name, (pydantic.BaseModel,), {"__module__": "mcp.types"})


BLOCKED = [
    "CallToolResult",
    "ServerResult",
    "TextContent",
    "ImageContent",
    "AudioContent",
    "ResourceLink",
    "EmbeddedResource",
]


@pytest.mark.parametrize("name", BLOCKED)
def test_openmcp_has_no_output_schema_for_content_types(name):
    """If the return annotation is (or contains via `Union`) any of these types, it is `None`."""
    cls: Any = content_type(name)

    def one() -> cls: ...

    def some() -> int | cls | None: ...

    def several() -> Optional[Union[str, cls]]: ...

    assert [gives(func, OPENMCP) for func in (one, some, several)] == [None, None, None]


def test_openmcp_inlines_definitions_except_recursive_types():
    """Remove `$defs`: only a recursive type keeps its own, because it needs them."""

    def grow(tree: Tree) -> Tree:
        return tree

    node = record(children=array_of({"$ref": "#/$defs/Tree"})) | {"additionalProperties": False}
    assert gives(grow, OPENMCP) == {**node, "$defs": {"Tree": node}}


@dataclass
class Tree:
    children: list["Tree"]


def test_openmcp_takes_only_parameters_that_can_be_passed_by_name():
    """The algorithm: extract all POSITIONAL_OR_KEYWORD and KEYWORD_ONLY parameters."""

    def add(first: int = 1, /, second: int = 2, *, third: int = 3) -> list[int]:
        return [first, second, third]

    assert list(takes(add, OPENMCP)["properties"]) == ["second", "third"]
    (hidden,) = hidden_parameters(add, profile=OPENMCP)
    assert (hidden.name, hidden.why) == ("first", "injected_if")
    tool = tool_schema(add, profile=OPENMCP)
    assert tool.call({"second": 5}).value == [1, 5, 3]
    assert tool.call({"first": 5}).is_error


def test_openmcp_removes_titles_but_not_properties_with_that_name():
    """`_prune_titles()` recursively strips all `title` keys; here none is ever made."""

    class AnalyticsTool(pydantic.BaseModel):
        count: int
        title: str

    def run(tool: AnalyticsTool, title: str) -> AnalyticsTool:
        return tool

    fields = {"count": {"type": "integer"}, "title": {"type": "string"}}
    assert gives(run, OPENMCP)["properties"] == fields
    assert takes(run, OPENMCP)["properties"] == {
        "tool": {
            "type": "object",
            "properties": fields,
            "required": ["count", "title"],
            "additionalProperties": False,
            "description": "Parameter tool",
        },
        "title": {"type": "string", "description": "Parameter title"},
    }


# == MCP: SEP-2106 (seed 002) ==================================================================


class UserRecord(TypedDict):
    id: str
    name: str
    email: NotRequired[Annotated[str, Schema({"format": "email"})]]


def list_users(
    limit: Annotated[int, annotated_types.Interval(ge=1, le=100)] = 10,
) -> list[UserRecord]:
    """List all users in the system"""
    return [
        {"id": "u1", "name": "Alice", "email": "alice@example.com"},
        {"id": "u2", "name": "Bob", "email": "bob@example.com"},
    ]


def test_mcp_tool_returning_an_array_of_objects():
    """In addition to the document, `limit` has a default, and unknown names are refused."""
    tool = tool_schema(list_users, profile=MCP)

    assert tool.to_mcp() == {
        "name": "list_users",
        "description": "List all users in the system",
        "inputSchema": obj(
            [], limit={"type": "integer", "minimum": 1, "maximum": 100, "default": 10}
        )
        | {"additionalProperties": False},
        "outputSchema": array_of(
            obj(["id", "name"], id=STRING, name=STRING, email={"type": "string", "format": "email"})
        ),
    }


def test_mcp_response_with_an_array():
    """Servers using array or primitive `structuredContent` MUST also emit a `TextContent` block
    containing the serialized JSON.
    """
    result = tool_schema(list_users, profile=MCP).result(list_users())

    assert result == {
        "resultType": "complete",
        "content": [
            {
                "type": "text",
                "text": (
                    '[{"id": "u1", "name": "Alice", "email": "alice@example.com"},'
                    ' {"id": "u2", "name": "Bob", "email": "bob@example.com"}]'
                ),
            }
        ],
        "structuredContent": [
            {"id": "u1", "name": "Alice", "email": "alice@example.com"},
            {"id": "u2", "name": "Bob", "email": "bob@example.com"},
        ],
        "isError": False,
    }


def test_mcp_tool_with_composition_schema():
    schema = {
        "type": "object",
        "oneOf": [
            {"properties": {"id": {"type": "string", "format": "uuid"}}, "required": ["id"]},
            {"properties": {"name": {"type": "string", "minLength": 1}}, "required": ["name"]},
        ],
    }

    def find_resource(**query: str):
        """Find a resource by ID or name"""

    assert tool_schema(find_resource, input_schema=schema, profile=MCP).to_mcp() == {
        "name": "find_resource",
        "description": "Find a resource by ID or name",
        "inputSchema": schema,
    }


@pytest.mark.parametrize(
    ("returned", "value", "schema", "structured"),
    [
        (dict[str, str], {"key": "value"}, {"type": "object", "additionalProperties": STRING},
         None),
        (list[int], [1, 2, 3], {"type": "array", "items": INTEGER}, None),
        (str, "string", STRING, None),
        (int, 42, INTEGER, None),
        (bool, True, {"type": "boolean"}, None),
        (Optional[int], None, {"anyOf": [INTEGER, NULL]}, None),
        (set[int], {2, 1}, {"type": "array", "items": INTEGER, "uniqueItems": True}, [1, 2]),
    ],
    ids=str,
)  # fmt: skip
def test_mcp_structured_content_is_any_json_value(returned, value, schema, structured):
    """`structuredContent` accepts any JSON value that conforms to the tool's `outputSchema`."""

    def run(): ...

    run.__annotations__["return"] = returned
    tool = tool_schema(run, profile=MCP)
    expected = value if structured is None else structured

    assert (tool.output_schema, tool.box) == (schema, None)
    assert tool.result(value)["structuredContent"] == expected


def test_mcp_references_of_a_boxed_output_are_at_the_root():
    """`$ref` schemas without `type: object` broke ALL tools on the server."""

    def forest() -> list[Tree]: ...

    node = record(children=array_of({"$ref": "#/$defs/Tree"}))
    assert gives(forest, profiles.MCP_2025) == record(result=array_of({"$ref": "#/$defs/Tree"})) | {
        "$defs": {"Tree": node}
    }
    assert gives(forest, MCP) == {
        "type": "array",
        "items": {"$ref": "#/$defs/Tree"},
        "$defs": {"Tree": node},
    }


# == Omni: "MCP Tool Schema - Developer Guide" (seed 003) ======================================


class Settings: ...


class ConfigPaths: ...


def test_omni_type_table():
    """Section 2."""

    def example(
        name: str,
        count: int,
        price: float,
        enabled: bool,
        tags: list[str],
        metadata: dict[str, str],
        status: Literal["pending", "done"],
        optional: str | None = None,
    ) -> str: ...

    assert takes(example, OMNI) == obj(
        ["name", "count", "price", "enabled", "tags", "metadata", "status"],
        name=STRING,
        count=INTEGER,
        price=NUMBER,
        enabled=BOOLEAN,
        tags=array_of(STRING),
        metadata={"type": "object"},
        status={"type": "string", "enum": ["pending", "done"]},
        optional=STRING,
    )


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
    raise NotImplementedError


def test_omni_complete_example():
    """Section 3. The descriptions without a source in the document are in the docstring here."""
    tool = tool_schema(
        search_code,
        name="search_code",
        description="Search for patterns in code files",
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        profile=OMNI,
    )
    assert tool.to_mcp() == {
        "name": "search_code",
        "description": "Search for patterns in code files",
        "annotations": {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
        "inputSchema": obj(
            ["query"],
            query={"type": "string", "description": "Search query string"},
            file_pattern={"type": "string", "description": "File match pattern", "default": "*.py"},
            case_sensitive={
                "type": "boolean",
                "description": "Whether to be case-sensitive",
                "default": False,
            },
            max_results={
                "type": "integer",
                "description": "Maximum number of results",
                "default": 100,
            },
            encoding={
                "type": "string",
                "enum": ["utf-8", "gbk"],
                "description": "File encoding",
                "default": "utf-8",
            },
            exclude_patterns={
                "type": "array",
                "items": STRING,
                "description": "List of exclude patterns",
            },
        ),
    }


def test_omni_describes_a_tool_by_the_first_line_of_its_docstring():
    """Section 5: `description` | Docstring first line."""

    def run() -> str:
        """Run it.

        It takes a while.
        """
        return ""

    assert tool_schema(run, profile=OMNI).description == "Run it."


@pytest.mark.parametrize(
    ("said", "hints"),
    [
        ({"read_only": True, "idempotent": True}, {"readOnlyHint": True, "idempotentHint": True}),
        ({"destructive": True}, {"destructiveHint": True}),
        ({"open_world": True}, {"openWorldHint": True}),
    ],
    ids=["read_file", "delete_file", "fetch_url"],
)
def test_omni_annotation_examples(said, hints):
    """Section 6; those that are not set are false, as in the table of section 5."""

    def run() -> str:
        return ""

    unset = dict.fromkeys(("readOnly", "destructive", "idempotent", "openWorld"), False)
    expected = {**{f"{name}Hint": value for name, value in unset.items()}, **hints}
    tool = tool_schema(run, annotations=ToolAnnotations(**said), profile=OMNI)
    assert tool.to_mcp()["annotations"] == expected
    assert tool.with_profile(MCP).to_mcp()["annotations"] == expected
    moved = tool_schema(run, annotations=ToolAnnotations(**said), profile=MCP)
    assert moved.to_mcp()["annotations"] == hints
    assert moved.with_profile(OMNI).to_mcp()["annotations"] == expected


def test_omni_writes_no_hint_as_destructive_by_default():
    """MCP reads a missing `destructiveHint` as true."""

    def run() -> str:
        return ""

    unset = ToolAnnotations(read_only=False, destructive=False, idempotent=False, open_world=False)
    assert tool_schema(run, profile=OMNI).annotations == unset
    assert tool_schema(run, profile=MCP).annotations is None


def test_omni_dependency_injection():
    """Section 7: injected parameters are excluded from `inputSchema`."""

    async def my_command(message: str, settings: Settings, paths: ConfigPaths) -> str: ...

    tool = tool_schema(my_command, name="my_command", profile=OMNI)

    assert tool == ToolSchema(
        name="my_command",
        input_schema=record(message=STRING),
        annotations=ToolAnnotations(
            read_only=False, destructive=False, idempotent=False, open_world=False
        ),
    )


def test_omni_parameters_excluded_from_schema():
    """Section 8. `project_root` is left out when it is injected; a None default is not printed."""

    def run(
        settings: Settings,
        paths: Optional[ConfigPaths],
        project_root: str,
        x: int | None = None,
        *args: int,
        **kwargs: int,
    ): ...

    assert takes(run, OMNI, exclude=["project_root"]) == obj([], x=INTEGER)
    assert takes(run, OMNI) == obj(["project_root"], project_root=STRING, x=INTEGER)


@pytest.mark.parametrize(
    ("value", "text"),
    [("done", "done"), ("", ""), (None, ""), ({"a": [1]}, '{"a": [1]}'), (1.5, "1.5")],
    ids=repr,
)
def test_omni_result_contract(value, text):
    """Section 0: an array of text, never null; empty string if no output; `isError`: false."""

    def run() -> str: ...

    result = tool_schema(run, profile=OMNI).result(value)

    assert result == {"content": [{"type": "text", "text": text}], "isError": False}
    assert is_result(result)


def test_omni_does_not_change_a_canonical_result():
    """Section 0: if `skill.execute()` already returns this shape, the handler uses it as-is."""

    def run() -> Any: ...

    canonical = error_result("no such file")

    assert tool_schema(run, profile=OMNI).result(canonical) == canonical


# == Platools: "Schema generation" (seed 004) ==================================================


class Order(pydantic.BaseModel):
    order_id: str


@pytest.mark.parametrize("func", UNSUPPORTED)
def test_platools_refuses_a_type_without_a_schema(func):
    """The function uses *args or **kwargs; get_type_hints() can't resolve an annotation."""
    with pytest.raises(SchemaError, match=rf"^{func.__name__}\("):
        tool_schema(func, profile=PLATOOLS)


def test_platools_descriptions_via_docstrings():
    def list_orders(customer_id: str, limit: int = 10) -> list[Order]:
        """Return the most recent orders for a customer.

        Args:
            customer_id: Opaque UUID of the customer whose orders to fetch.
            limit: Maximum number of orders to return. Defaults to 10.
        """
        raise NotImplementedError

    tool = tool_schema(list_orders, profile=PLATOOLS)

    assert tool == ToolSchema(
        name="list_orders",
        description="Return the most recent orders for a customer.",
        input_schema=obj(
            ["customer_id"],
            customer_id={
                "type": "string",
                "description": "Opaque UUID of the customer whose orders to fetch.",
            },
            limit={
                "type": "integer",
                "description": "Maximum number of orders to return. Defaults to 10.",
                "default": 10,
            },
        ),
        output_schema={
            "type": "array",
            "items": {"$ref": "#/$defs/Order"},
            "$defs": {"Order": record(order_id=STRING)},
        },
    )


NUMPY = """Find.

Parameters
----------
query : str
    Free-text query
"""
SPHINX = """Find.

:param query: Free-text query
"""


@pytest.mark.parametrize("doc", [NUMPY, SPHINX], ids=["numpy", "sphinx"])
def test_platools_reads_every_style(doc):
    """docstring_parser handles Google, NumPy, and Sphinx styles."""

    def find(query: str): ...

    find.__doc__ = doc
    tool = tool_schema(find, profile=PLATOOLS)

    assert tool.description == "Find."
    assert tool.input_schema["properties"]["query"]["description"] == "Free-text query"


_USER: Json = {"x-user-providable": True}


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[str, pydantic.Field(description="Opaque customer ID.", json_schema_extra=_USER)],
        Annotated[str, Description("Opaque customer ID."), Schema(_USER)],
    ],
    ids=["pydantic", "Schema"],
)
def test_platools_user_providable(annotation):
    def list_orders(customer_id):
        """Return recent orders for a customer."""

    list_orders.__annotations__["customer_id"] = annotation

    assert takes(list_orders, PLATOOLS) == record(
        customer_id={
            "type": "string",
            "description": "Opaque customer ID.",
            "x-user-providable": True,
        }
    )


def test_platools_annotated_field():
    def search_products(
        query: Annotated[
            str, pydantic.Field(min_length=1, max_length=200, description="Free-text query")
        ],
        max_results: Annotated[int, pydantic.Field(ge=1, le=100)] = 10,
    ) -> list[Order]:
        """Full-text search across the product catalog.

        Args:
            query: An explicit Field(description=...) is never overwritten.
            max_results: The docstring wins where there is none.
        """
        raise NotImplementedError

    assert takes(search_products, PLATOOLS)["properties"] == {
        "query": {
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "description": "Free-text query",
        },
        "max_results": {
            "type": "integer",
            "minimum": 1,
            "maximum": 100,
            "description": "The docstring wins where there is none.",
            "default": 10,
        },
    }


def test_platools_never_lets_descriptions_bleed_between_parameters():
    """FieldInfo instances are mutable and sharing one across tools can cause [that]; not here."""
    shared = Annotated[str, pydantic.Field(min_length=1)]

    def first(a: shared, b: shared):
        """Do.

        Args:
            a: The first.
        """

    properties = takes(first, PLATOOLS)["properties"]
    assert (properties["a"].get("description"), properties["b"].get("description")) == (
        "The first.",
        None,
    )


class RefundResult(pydantic.BaseModel):
    refund_id: str
    amount_cents: int


def test_platools_output_schemas():
    """The final output_schema is just the return type's schema."""

    def refund(order_id: str) -> RefundResult:
        raise NotImplementedError

    assert gives(refund, PLATOOLS) == record(refund_id=STRING, amount_cents=INTEGER)


def test_platools_doctor_enforces_an_output_shape_on_every_tool():
    def none() -> None: ...
    def nothing(): ...
    def annotated() -> Annotated[None, "Nothing."]: ...
    def never() -> NoReturn: ...
    def some() -> int: ...

    def unshaped(profile: profiles.Profile) -> list[str]:
        found = check(none, nothing, annotated, never, some, profile=profile)
        return [each.path for each in found if each.code == "no-output-schema"]

    assert unshaped(PLATOOLS) == ["none", "nothing", "annotated", "never"]
    assert unshaped(MCP) == ["nothing"]


def test_platools_schemas_are_frozen():
    """get_mcp_schemas() returns frozen ToolSchema dataclasses."""
    tool = tool_schema(search_code, profile=PLATOOLS)
    with pytest.raises(AttributeError):
        tool.name = "other"


# == Not in any system =========================================================================

NAMES = ["title", "type", "default", "$ref", "properties", "items", "enum", "required", "$defs"]


class Named(Enum):
    TITLE = "title"
    TYPE = "type"
    DEFAULT = "default"
    REF = "$ref"
    PROPERTIES = "properties"


Keyed = TypedDict("Keyed", dict.fromkeys(NAMES, str))  # type: ignore[misc]


@pytest.mark.parametrize(
    "profile", [profiles.MILO, MCP, profiles.MCP_2025, OPENMCP, OMNI, PLATOOLS], ids=repr
)
def test_names_of_keywords_survive_everywhere(profile):
    """As parameters, as fields, as values of enums, and inside of defaults."""

    def run(
        title: Named,
        type: Literal["title", "$ref"],  # noqa: A002
        properties: Keyed,
        default: Named = Named.TITLE,
        items: str = "title",
    ) -> list[Keyed]: ...

    tool = tool_schema(run, profile=profile)
    root = tool.input_schema
    found = root["properties"]
    follow = {f"#/$defs/{name}": schema for name, schema in root.get("$defs", {}).items()}

    def seen(fragment: Json) -> Json:
        arm: Json = fragment.get("anyOf", [fragment])[0]
        return follow[arm["$ref"]] if "$ref" in arm else arm

    assert list(found) == ["title", "type", "properties", "default", "items"]
    assert seen(found["title"])["enum"] == [each.value for each in Named]
    assert found["type"]["enum"] == ["title", "$ref"]
    assert seen(found["properties"])["properties"] == dict.fromkeys(NAMES, STRING)
    assert (found["default"]["default"], found["items"]["default"]) == ("title", "title")
    if profile.outputs:
        assert all(f"'{name}': {STRING}" in str(tool.output_schema) for name in NAMES)
