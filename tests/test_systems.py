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
from tests import test_systems_calls as documents
from tests.fragments import (
    BOOLEAN,
    INTEGER,
    NULL,
    NUMBER,
    STRING,
    any_of,
    array_of,
    map_of,
    obj,
    record,
)

Json = dict[str, Any]
OPENMCP, OMNI, PLATOOLS, MCP = profiles.OPENMCP, profiles.OMNI, profiles.PLATOOLS, profiles.MCP


def takes(func: Any, profile: profiles.Profile, **options: Any) -> Json:
    return function_to_schema(func, profile=profile, **options)


def gives(func: Any, profile: profiles.Profile, **options: Any) -> Any:
    return return_to_schema(func, profile=profile, **options)


def boxed(schema: Json) -> Json:
    """The schema of a scalar, or any other value but an object, in the OpenMCP document."""
    return record(result=schema) | {"x-dedalus-box": {"field": "result"}}


# == OpenMCP: "Schema Inference" (seed 000) ====================================================


Email = Annotated[str, pydantic.Field(json_schema_extra={"format": "email"})]


class CreateUserRequest(pydantic.BaseModel):
    username: str = pydantic.Field(..., min_length=3, max_length=20, pattern=r"^[a-zA-Z0-9_]+$")
    email: Email  # EmailStr, which wants another package
    age: int = pydantic.Field(..., ge=13, le=120)
    bio: Optional[str] = pydantic.Field(None, max_length=500)


async def create_user(request: CreateUserRequest) -> dict[str, str]: ...


def closed(required: list[str], **properties: Json) -> Json:
    return obj(required, **properties) | {"additionalProperties": False}


def told(**schemas: Json) -> Json:
    """The schemas of parameters, with the descriptions of OpenMCP."""
    return {name: each | {"description": f"Parameter {name}"} for name, each in schemas.items()}


EMAIL = r"^[\w\.-]+@[\w\.-]+\.\w+$"
AGE: Json = {"type": "integer", "maximum": 120}
OPTIONAL_NUMBER = any_of(NUMBER, NULL) | {"default": None}
ADDRESS = closed(["street", "city", "postal_code"], street=STRING, city=STRING, postal_code=INTEGER)
DERIVED: list[tuple[Any, Json, Json]] = [
    (documents.answer, {}, boxed(INTEGER)),
    (documents.greet,
     told(name=STRING, age=INTEGER, active=BOOLEAN | {"default": True}), boxed(STRING)),
    # It prints the key `mean` of the body; a `dict[str, float]` has any.
    (documents.analyze, told(values=array_of(INTEGER), metadata=map_of(STRING)), map_of(NUMBER)),
    (documents.set_mode,
     told(mode={"enum": ["fast", "accurate", "balanced"], "type": "string"}), boxed(STRING)),
    (documents.find, told(query=STRING, limit=any_of(INTEGER, NULL) | {"default": None}),
     boxed(array_of(STRING))),
    # It shows the keys of the one parameter; that is a parameter all the same.
    (documents.search, told(params=closed(["query"], query=STRING, max_results=INTEGER)),
     boxed(array_of(STRING))),
    # In addition to the document, required fields are required, as in `TypeAdapter`.
    (documents.create_profile, told(name=STRING, street=STRING, city=STRING),
     closed(["name", "address", "tags"], name=STRING, address=ADDRESS, tags=array_of(STRING))),
    (documents.register_user,
     told(user=closed(["username", "email", "age"],
                      username={"type": "string", "minLength": 3, "maxLength": 20},
                      email={"type": "string", "pattern": EMAIL}, age=AGE | {"minimum": 0})),
     boxed(STRING)),
    (documents.choose_action, told(chat=BOOLEAN),
     any_of(closed(["kind", "message"], kind={"enum": ["chat"], "type": "string"}, message=STRING),
            closed(["kind", "url"], kind={"enum": ["navigate"], "type": "string"}, url=STRING))),
    (documents.analyze_data,
     told(dataset=STRING, limit=INTEGER | {"default": 100},
          filters=any_of(map_of(STRING), NULL) | {"default": None}), map_of(INTEGER)),
    (documents.get_temperature, told(city=STRING), boxed(NUMBER)),
    # In addition to the document, `humidity` has its default: null.
    (documents.weather, told(city=STRING),
     closed(["temperature", "location"], temperature=NUMBER, humidity=OPTIONAL_NUMBER,
            location=closed(["latitude", "longitude"], latitude=NUMBER, longitude=NUMBER))),
    (create_user,
     told(request=closed(["username", "email", "age"],
                         username={"type": "string", "minLength": 3, "maxLength": 20,
                                   "pattern": "^[a-zA-Z0-9_]+$"},
                         email={"type": "string", "format": "email"}, age=AGE | {"minimum": 13},
                         bio=any_of({"type": "string", "maxLength": 500}, NULL)
                         | {"default": None})), map_of(STRING)),
]  # fmt: skip


@pytest.mark.parametrize("row", DERIVED, ids=lambda row: row[0].__name__)
def test_openmcp_has_the_schemas_that_its_document_prints(row):
    func, properties, output = row
    required = [name for name, each in properties.items() if "default" not in each]
    assert takes(func, OPENMCP) == closed(required, **properties)
    assert gives(func, OPENMCP) == output


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

    given = closed(["count", "title"], count=INTEGER, title=STRING)
    assert gives(run, OPENMCP) == given
    assert takes(run, OPENMCP)["properties"] == told(tool=given, title=STRING)


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
        "inputSchema": closed([], limit=INTEGER | {"minimum": 1, "maximum": 100, "default": 10}),
        "outputSchema": array_of(
            obj(["id", "name"], id=STRING, name=STRING, email=STRING | {"format": "email"})
        ),
    }


def test_mcp_response_with_an_array():
    """Servers using array or primitive `structuredContent` MUST also emit a `TextContent` block
    containing the serialized JSON.
    """
    result = tool_schema(list_users, profile=MCP).result(list_users())
    text = (
        '[{"id": "u1", "name": "Alice", "email": "alice@example.com"},'
        ' {"id": "u2", "name": "Bob", "email": "bob@example.com"}]'
    )
    assert result == {
        "resultType": "complete",
        "content": [{"type": "text", "text": text}],
        "structuredContent": list_users(),
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
    trees, definitions = array_of({"$ref": "#/$defs/Tree"}), {"$defs": {"Tree": node}}
    assert gives(forest, profiles.MCP_2025) == record(result=trees) | definitions
    assert gives(forest, MCP) == trees | definitions


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


NO_HINTS = dict.fromkeys(
    ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"), False
)


def test_omni_complete_example():
    """Section 3. The descriptions without a source in the document are in the docstring here."""
    tool = tool_schema(
        documents.search_code,
        name="search_code",
        description="Search for patterns in code files",
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        profile=OMNI,
    )
    assert tool.to_mcp() == {
        "name": "search_code",
        "description": "Search for patterns in code files",
        "annotations": NO_HINTS | {"readOnlyHint": True, "idempotentHint": True},
        "inputSchema": obj(
            ["query"],
            query=STRING | {"description": "Search query string"},
            file_pattern=STRING | {"description": "File match pattern", "default": "*.py"},
            case_sensitive=BOOLEAN
            | {"description": "Whether to be case-sensitive", "default": False},
            max_results=INTEGER | {"description": "Maximum number of results", "default": 100},
            encoding=STRING
            | {"enum": ["utf-8", "gbk"], "description": "File encoding", "default": "utf-8"},
            exclude_patterns=array_of(STRING) | {"description": "List of exclude patterns"},
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

    expected = NO_HINTS | hints
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


@pytest.mark.parametrize("func", UNSUPPORTED)
def test_platools_refuses_a_type_without_a_schema(func):
    """The function uses *args or **kwargs; get_type_hints() can't resolve an annotation."""
    with pytest.raises(SchemaError, match=rf"^{func.__name__}\("):
        tool_schema(func, profile=PLATOOLS)


def test_platools_descriptions_via_docstrings():
    tool = tool_schema(documents.list_orders, profile=PLATOOLS)

    assert tool == ToolSchema(
        name="list_orders",
        description="Return the most recent orders for a customer.",
        input_schema=obj(
            ["customer_id"],
            customer_id=STRING
            | {"description": "Opaque UUID of the customer whose orders to fetch."},
            limit=INTEGER
            | {"description": "Maximum number of orders to return. Defaults to 10.", "default": 10},
        ),
        output_schema=array_of({"$ref": "#/$defs/Order"}) | {"$defs": {"Order": record(id=STRING)}},
    )
    assert gives(documents.refund, PLATOOLS) == record(refund_id=STRING, amount_cents=INTEGER)
    assert takes(documents.search_products, PLATOOLS)["properties"] == {
        "query": {"type": "string", "minLength": 1, "maxLength": 200,
                  "description": "Free-text query"},
        "max_results": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10,
                        "description": "The docstring wins where there is none."},
    }  # fmt: skip


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

    customer = STRING | {"description": "Opaque customer ID."} | _USER
    assert takes(list_orders, PLATOOLS) == record(customer_id=customer)


def test_platools_never_lets_descriptions_bleed_between_parameters():
    """FieldInfo instances are mutable and sharing one across tools can cause [that]; not here."""
    shared = Annotated[str, pydantic.Field(min_length=1)]

    def first(a: shared, b: shared):
        """Do.

        Args:
            a: The first.
        """

    text = STRING | {"minLength": 1}
    properties = {"a": text | {"description": "The first."}, "b": text}
    assert takes(first, PLATOOLS)["properties"] == properties


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
