"""The public API as its users write it, for mypy and pyright: checked, never run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, assert_type

from milo_schema import (
    Deprecated,
    Description,
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
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)


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

# A profile is a value, from which others are made.
house: Profile = profiles.MILO.replace(name="house", injected_names={"session"})
assert_type(house.with_types({Session: {"type": "string", "format": "uuid"}}), Profile)

# Errors are the built-in ones that a caller expects, and carry facts.
try:
    type_to_schema(complex, strict=True)
except SchemaError as error:
    assert_type((error.reason, error.path, error.annotation), tuple[str, str, object])

an_error: TypeError = SchemaError("no JSON Schema for complex", "deploy(mode)", complex)
a_warning: UserWarning = SchemaWarning("no description", "deploy(mode)")

# A schema is plain JSON, so it goes wherever a mapping goes.
tool: Mapping[str, object] = {"name": "deploy", "inputSchema": function_to_schema(deploy)}
