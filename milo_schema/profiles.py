"""The built-in profiles: frozen values that decide how schemas are written.

A choice that changes which values are accepted is a field, which one rule reads. A choice that
only changes the form of a schema is a transform of the finished schema. No code depends on
*which* profile it has.
"""

from __future__ import annotations

from types import GenericAlias, NoneType
from typing import Any

from milo_schema.annotations.classes import Classes, is_any, is_class
from milo_schema.annotations.forms import is_form, metadata_of, split
from milo_schema.callables.signatures import POSITIONAL_ONLY, Field, is_model
from milo_schema.errors import Report
from milo_schema.json_schema import DECIMAL
from milo_schema.json_schema.subschemas import copy, rebuild, simplify
from milo_schema.nodes import Walk
from milo_schema.nodes.scalar_types import write_bytes
from milo_schema.profile import CONTENT, HELPERS, MCP, MILO, InDialect, Profile, Transform
from milo_schema.transforms import Descriptions, Titles, without_null_defaults

__all__ = [
    "ANTHROPIC_STRICT",
    "BEDROCK_STRICT",
    "ELICITATION",
    "FASTMCP",
    "GEMINI",
    "GEMINI_JSON",
    "MCP",
    "MCP_2025",
    "MCP_SDK",
    "MILO",
    "OMNI",
    "OPENAI_STRICT",
    "OPENMCP",
    "PLATOOLS",
    "PORTABLE",
    "Profile",
]


def _for_clients(schema: dict[str, Any], report: Report) -> dict[str, Any]:
    """Write an output schema for clients up to MCP 2025-11-25: its root must say it is an object.

    The official TypeScript client reads it as draft 7, in which ``items`` describe the items in
    ``prefixItems``, too.
    """
    if not report.output:
        return schema
    schema = _with_all_items(schema)
    arms = [
        schema["$defs"][arm["$ref"].removeprefix("#/$defs/")] if "$ref" in arm else arm
        for arm in schema.get("anyOf", ())
    ]
    if "type" in schema or not arms or any(arm.get("type") != "object" for arm in arms):
        return schema
    return {"type": "object", **schema}


def _with_all_items(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema whose ``items`` accept those that ``prefixItems`` describe, too."""
    schema = rebuild(schema, _with_all_items)
    if "prefixItems" in schema and "items" in schema:
        schema["items"] = simplify({"anyOf": copy([*schema["prefixItems"], schema["items"]])})
    return schema


def _dialect(name: str) -> list[Transform]:
    """The transforms of a profile for a provider, whose clients read outputs as those of MCP do."""
    return [without_null_defaults, InDialect(name), _for_clients]


MCP_2025 = MCP.replace(name="MCP_2025", box={}, transforms=[_for_clients], result_type=None)
"""Exact, for clients up to MCP 2025-11-25: an output that is not an object is wrapped in one."""

# -- MCP's server frameworks, which use pydantic -----------------------------------------------

_RAW = {"type": "string", "format": "binary"}
_TYPES = {bytes: _RAW, "pathlib.PurePath": {"type": "string", "format": "path"}}
_NUMBER_OR_TEXT = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": DECIMAL}]}


def _decoded(value: bytes) -> str:
    """Bytes as text; those of a picture are none, so they are base64."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return write_bytes(value)


def _pydantics(name: str) -> Profile:
    """A profile with pydantic's conventions: bytes are strings, named types are definitions."""
    return MCP.replace(
        name=name,
        failure="error",
        inline=False,
        outputs={"docstrings": "never"},
        output_formats="all",
        types={**_TYPES, "decimal.Decimal": _NUMBER_OR_TEXT},
        decoders={bytes: str.encode},
        encoders={bytes: _decoded},
    )


_DEPENDENCIES = Classes({"uncalled_for.Dependency"})
_RESOLVERS = Classes({"mcp.server.mcpserver.Resolve"})


def _has_dependency(parameter: Field) -> bool:
    """Whether FastMCP fills in a parameter because of its default: ``Depends(...)``."""
    return _DEPENDENCIES.match(type(parameter.default))


def _has_resolver(parameter: Field) -> bool:
    """Whether the SDK fills in a parameter because of ``Annotated[T, Resolve(...)]``."""
    return any(_RESOLVERS.match(type(each)) for each in metadata_of(parameter.annotation))


def _is_union(_annotation: Any, schema: dict[str, Any]) -> bool:
    """Whether a schema is a union; all of its members may be objects."""
    return "anyOf" in schema


def _is_unstructured(annotation: Any, schema: dict[str, Any]) -> bool:
    """Whether FastMCP omits the output schema: for any value, any list, or raw bytes."""
    if is_form(annotation, "Any") or _RAW in schema.get("anyOf", [schema]):
        return True
    says_nothing = schema.keys() <= {"type", "items"} and not schema.get("items")
    return schema.get("type") == "array" and says_nothing


FASTMCP = _pydantics("FASTMCP").replace(
    variadics="error",
    injected_if=[_has_dependency],
    aliases="inputs",
    outputs={"failure": "open", "bare_descriptions": False, "types": _TYPES},
    opaque_outputs=MCP.opaque_outputs | {_is_unstructured},
    box=({"x-fastmcp-wrap-result": True}, _is_union),
)
"""The rules of FastMCP: closed parameters, raw bytes, wrapped outputs with a marker."""


def _as_record(annotation: Any, walk: Walk) -> dict[str, Any] | None:
    """The schema of any annotated class, which the SDK treats as a record in outputs."""
    return walk.record(annotation)


def _is_other_class(annotation: Any, schema: dict[str, Any]) -> bool:
    """Whether an output is an instance of a class without a schema in the SDK, such as a date."""
    cls = split(annotation)[1][0] if metadata_of(annotation) else annotation
    is_known = is_any(cls, (str, int, float, bool, bytes, NoneType)) or (
        is_class(cls) and is_model(cls)
    )
    return is_class(cls) and not is_known and "properties" not in schema


def _is_not_a_record(annotation: Any, schema: dict[str, Any]) -> bool:
    """Whether the SDK wraps an object: a union, or a mapping that is not ``dict[str, T]``."""
    annotation = split(annotation)[1][0] if metadata_of(annotation) else annotation
    head, args = split(annotation)
    is_dict = type(annotation) is GenericAlias and head is dict  # and not typing.Dict
    is_whole = (is_dict and args[0] is str) or (is_class(head) and is_model(head))
    return "properties" not in schema and not is_whole


MCP_SDK = _pydantics("MCP_SDK").replace(
    closed="nothing",
    unknown_arguments="drop",
    variadics="properties",
    structured="schema",
    untyped={"type": "string"},
    bare_descriptions=False,
    tool_description="docstring",
    injected_if=[_has_resolver],
    outputs={"failure": "open", "unknown": _as_record, "types": _TYPES},
    opaque_outputs=MCP.opaque_outputs | {_is_other_class},
    null_outputs="schema",
    box=({}, _is_not_a_record),
    transforms=[Titles()],
)
"""The rules of the MCP SDK: open parameters, raw bytes, titles, wrapped outputs."""


# -- other systems -----------------------------------------------------------------------------


def _is_positional_only(parameter: Field) -> bool:
    """Whether a parameter cannot be passed by name, as OpenMCP passes all arguments."""
    return parameter.kind == POSITIONAL_ONLY


OPENMCP = Profile(
    name="OPENMCP",
    failure="open",
    closed="everything",
    variadics="error",
    injected_if=[_is_positional_only],
    transforms=[Descriptions("Parameter {name}")],
    bare_descriptions=False,
    box={"x-dedalus-box": {"field": "result"}},
    outputs={"docstrings": "never"},
    opaque_outputs={*CONTENT, *HELPERS, "CallToolResult", "ServerResult"},
)
"""The rules of OpenMCP: closed objects, descriptions for all parameters, wrapped outputs."""

OMNI = Profile(
    name="OMNI",
    unknown={"type": "string"},
    untyped={"type": "string"},
    unwrap_none=True,
    injected_classes={"Settings", "ConfigPaths"},
    transforms=[without_null_defaults],
    bare_descriptions=False,
    outputs=False,
    text="always",
    tool_description="first_line",
    unset_hints=False,
    types={dict: {"type": "object"}},
)
"""The rules of Omni's ``@skill_command``: few keywords, without injected settings."""

PLATOOLS = Profile(
    name="PLATOOLS",
    untyped="{function}.{name} has no type hint - every tool parameter must be typed",
    failure="error",
    variadics="error",
    injected_names={"ctx", "platos_ctx"},
    null_outputs="missing",
    bare_descriptions=False,
    outputs={"docstrings": "never"},
    inline=False,
)
"""The rules of Platools' decorator: types for all parameters, definitions in ``$defs``."""


PORTABLE = MCP.replace(name="PORTABLE", closed="nothing", box={}, transforms=_dialect("portable"))
"""The subset that every client accepts; descriptions contain the rest."""

OPENAI_STRICT = MCP.replace(
    name="OPENAI_STRICT",
    failure="error",
    variadics="error",
    box={},
    transforms=_dialect("openai_strict"),
    optional="null",
)
"""OpenAI's structured outputs: closed objects, all properties required."""

ANTHROPIC_STRICT = MCP.replace(
    name="ANTHROPIC_STRICT",
    failure="error",
    variadics="error",
    box={},
    transforms=_dialect("anthropic_strict"),
)
"""Anthropic's strict tools: closed objects, few keywords, no recursion."""

BEDROCK_STRICT = ANTHROPIC_STRICT.replace(
    name="BEDROCK_STRICT", transforms=_dialect("bedrock_strict")
)
"""Strict tools of Bedrock's Converse API: as for Anthropic, with limits for strings."""

GEMINI = MCP.replace(name="GEMINI", closed="nothing", box={}, transforms=_dialect("gemini"))
"""Gemini's ``parameters``: a subset of OpenAPI's schema object."""

GEMINI_JSON = GEMINI.replace(name="GEMINI_JSON", transforms=_dialect("gemini_json"))
"""Gemini's ``parametersJsonSchema``: JSON Schema, without the keywords that Gemini ignores."""

ELICITATION = MCP.replace(
    name="ELICITATION",
    failure="error",
    unwrap_none=True,
    closed="nothing",
    variadics="error",
    outputs=False,
    choices="title",
    transforms=[without_null_defaults, InDialect("elicitation")],
)
"""Forms that an MCP server asks a user to fill in: an object of plain fields."""


def __dir__() -> list[str]:
    return __all__
