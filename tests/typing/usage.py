"""The public API as its users write it, for mypy and pyright: checked, never run."""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from decimal import Decimal
from typing import Annotated, Any, Literal, assert_type

from milo_schema import (
    Deprecated,
    Description,
    Docstring,
    Examples,
    Format,
    Ge,
    Gt,
    Injected,
    Le,
    Lt,
    MaxLen,
    MinLen,
    MultipleOf,
    Pattern,
    Profile,
    Schema,
    SchemaError,
    SchemaWarning,
    Title,
    ToolAnnotations,
    Toolbox,
    ToolSchema,
    function_to_schema,
    parse_docstring,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.arguments import (
    ArgumentsError,
    Binder,
    Bound,
    Problem,
    bind,
    binder,
    json_to_value,
)
from milo_schema.checks import Finding, check
from milo_schema.compare import Change, compare
from milo_schema.results import ToolResult, return_to_json
from milo_schema.testing import assert_described, assert_schema
from milo_schema.transforms import Report, Titles, nullable

# A misspelled name is an error, not an object.
from milo_schema import function_to_shema  # type: ignore[attr-defined] # isort: skip # noqa: F401 # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnusedImport]


class Session: ...


@dataclass
class Server:
    host: Annotated[str, MinLen(1), MaxLen(253), Format("hostname")]
    port: Annotated[int, Gt(0), Lt(65536)] = 443
    load: Annotated[float, Ge(0), Le(1), MultipleOf(0.01)] = 0.0
    tag: Annotated[str, Pattern("^v[0-9]+$"), Title("Tag"), Examples("v1", "v2")] = "v1"


def deploy(
    servers: list[Server],
    mode: Annotated[str, Description("How to deploy"), Schema({"x-order": 1})] = "fast",
    *,
    force: Annotated[bool, Deprecated] = False,
    session: Annotated[Session | None, Injected] = None,
) -> dict[str, str]:
    """Deploy to servers."""
    return {}


# A schema is a dict; there is no output schema for a function that returns nothing.
assert_type(function_to_schema(deploy), dict[str, Any])
assert_type(return_to_schema(deploy), dict[str, Any] | None)
assert_type(type_to_schema(list[int]), dict[str, Any])

# Every option is a keyword, and the result is the same.
assert_type(
    function_to_schema(
        deploy,
        strict=True,
        warn_missing_docs=True,
        exclude=("mode", Session),
        profile=profiles.MCP,
        localns={"Server": Server},
    ),
    dict[str, Any],
)
assert_type(return_to_schema(deploy, strict=True, profile=profiles.MCP), dict[str, Any] | None)
assert_type(type_to_schema("list[int]", strict=True, profile=profiles.MCP), dict[str, Any])

# Anything that can be called has parameters, and anything that can be written is an annotation.
function_to_schema(Server)
function_to_schema(max)
type_to_schema(int | None)
type_to_schema(Annotated[int, Ge(0)])
type_to_schema(None)

# Arguments are bound, and a call is answered.
assert_type(bind(deploy, {"servers": []}, profile=profiles.MCP, inject={"session": None}), Bound)
prepared = binder(deploy, profile=profiles.MCP.replace(decoders={Server: Server}), repair=True)
assert_type(prepared, Binder[dict[str, str]])
assert_type(prepared({"servers": []}, inject={"session": Session()}), Bound)
assert_type(prepared.func(*prepared({}).args), dict[str, str])
assert_type(prepared({}).args, tuple[Any, ...])
assert_type(prepared({}).kwargs, dict[str, Any])
assert_type(json_to_value("[1]", list[int], repair=True), list[int])
assert_type(json_to_value({"host": "a"}, Server), Server)
assert_type(json_to_value(1, "int"), int)
assert_type(json_to_value(1, Annotated[int, Ge(0)]), int)
assert_type(json_to_value(None, Server | None), Server | None)
assert_type(json_to_value({}, Literal["a", 1]), Literal["a", 1])


def converted(written: str, anything: object) -> None:
    """An annotation that is only known at run time."""
    assert_type(json_to_value(1, written), Any)
    assert_type(json_to_value(1, anything), Any)


assert_type(ArgumentsError("deploy()", []).problems, tuple[Problem, ...])
assert_type((Problem("why").path, Problem("why").message), tuple[str, str])
tool = tool_schema(deploy)
assert_type(tool.call({}, errors=(ValueError, OSError)), ToolResult)
assert_type(tool.with_function(deploy).call({}, errors=ValueError), ToolResult)


async def answered() -> None:
    assert_type(await tool.with_function(deploy).call_async({}, repair=True), ToolResult)


tool.call({}, errors=3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

# A marker accepts the values of its keyword, and a type checker refuses others.
MinLen("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Ge()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
Ge("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Pattern(1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Schema(1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Description(1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Lt(Decimal("0.5"))
Pattern(re.compile("^v"))


def with_name(schema: dict[str, Any], report: Report) -> dict[str, Any]:
    """A transform that asks what its schema is about."""
    return {**schema, "title": report.name, "deprecated": report.output}


def plain_transform(schema: dict[str, Any], report: Callable[[str, str], None]) -> dict[str, Any]:
    """A transform that only reports."""
    report("", "nothing")
    return schema


# A profile is a value, from which others are made.
house: Profile = profiles.MILO.replace(name="house", injected_names={"session"})
assert_type(house.replace(closed="everything"), Profile)
assert_type(house.injected_names, frozenset[str])
assert_type(house.injected_classes, frozenset[str | type])
assert_type(house.dialect, str | None)
Profile(name="mine", unknown={"type": "string"}, transforms=[], flatten=True)
house.replace(inline="auto", optional="required", unknown=lambda tp, walk: walk.record(tp))
house.replace(inline="atuo")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
house.replace(transforms=[Titles(), nullable, with_name, plain_transform])
house.replace(transforms=["titles"])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
assert_type(house.with_markers({Session: lambda _: [MinLen(1)]}), Profile)
house.with_markers({Session: MinLen(1)})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]
house.replace(close="everything")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
house.replace(closed="all")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Profile(closed="everything")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
house.closed = "nothing"  # pyright: ignore[reportAttributeAccessIssue]
assert_type(house.with_types({Session: {"type": "string", "format": "uuid"}}), Profile)

# Errors are the built-in ones that a caller expects, and carry facts.
try:
    type_to_schema(complex, strict=True)
except SchemaError as error:
    assert_type((error.message, error.path, error.annotation), tuple[str, str, object])

an_error: TypeError = SchemaError("no JSON Schema for complex", "deploy(mode)", complex)
a_warning: UserWarning = SchemaWarning("no description", "deploy(mode)")

# A schema is plain JSON, so it goes wherever a mapping goes.
definition: Mapping[str, object] = {"name": "deploy", "inputSchema": function_to_schema(deploy)}

# A tool definition is a value; its wire forms are JSON.
tool = tool_schema(deploy, annotations=ToolAnnotations(destructive=True), profile=profiles.MCP)
assert_type(tool, ToolSchema)
assert_type((tool.name, tool.description, tool.box), tuple[str, str | None, str | None])
assert_type(tool.input_schema, dict[str, Any])
assert_type(tool.output_schema, dict[str, Any] | None)
assert_type(tool.annotations, ToolAnnotations | None)
assert_type(tool.to_mcp(), dict[str, Any])
assert_type(tool.to_openai(api="responses", strict=True), dict[str, Any])
assert_type(tool.to_python(metadata=True, lost=print), str)
assert_type(Toolbox().to_python(is_async=True), str)
assert_type(Toolbox().namespace(inject={"user": 1}), dict[str, Callable[..., Any]])
assert_type(tool.to_gemini(behavior="NON_BLOCKING"), dict[str, Any])
assert_type(tool.to_openai(api="responses", defer_loading=True), dict[str, Any])
assert_type(tool.to_anthropic(strict=True, defer_loading=True), dict[str, Any])
tool.to_anthropic(defer_loding=True)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

assert_type(tool.replace(name="other", dialect=None), ToolSchema)
ToolSchema(name="ping", input_schema={"type": "object"}, icons=({"src": "x"},))
ToolSchema(name="ping")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
tool.replace(nam="x")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
tool.name = "x"  # pyright: ignore[reportAttributeAccessIssue]
ToolAnnotations(read_only="x")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ToolAnnotations(True)  # pyright: ignore[reportCallIssue]

# The functions of dataclasses take it, too.
assert_type([each.name for each in fields(tool)], list[str])
assert_type(asdict(tool), dict[str, Any])
assert_type(replace(tool, name="other"), ToolSchema)
assert_type(replace(profiles.MCP, closed="nothing"), Profile)

# The contents of a docstring are text.
assert_type(parse_docstring(deploy.__doc__), Docstring)
assert_type(parse_docstring("Deploy.").params, dict[str, str])
Docstring("Deploy.", params={"x": "y"})
Docstring(params={"x": 1})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]

# Results are JSON, and findings are a list.
assert_type(tool.result({"host": "a"}), ToolResult)
return_to_json(deploy, {"host": "a"}, profile=profiles.MCP.replace(encoders={Session: str}))
Finding("deploy", "fallback", message="why")
Change("deploy", "added", "fatal")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
assert_type(check(deploy, exclude=[Session]), list[Finding])
assert_type([found.code for found in check([tool])], list[str])
assert_type(compare(tool.input_schema, function_to_schema(deploy)), list[Change])

# Test suites assert with functions, or with a schema that is there.
assert_described(deploy, Server, exclude=[Session], profile=profiles.MCP, output=True)
assert_schema(deploy, {"type": "object"}, strict=True, output=True)
assert_schema(type_to_schema(int), {"type": "integer"})
assert_schema(return_to_schema(deploy), None)
