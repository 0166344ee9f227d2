"""The fields of a tool definition: their types, and what is checked about them."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal, TypedDict

from milo_schema.annotations import Json
from milo_schema.annotations.classes import with_article
from milo_schema.annotations.forms import display
from milo_schema.annotations.frozen import Frozen
from milo_schema.errors import SchemaError
from milo_schema.json_schema.values import copied_part
from milo_schema.profile import Profile, to_names
from milo_schema.tools.origin import Origin
from milo_schema.tools.wire import without_unset


class ToolAnnotations(Frozen, kw_only=True):
    """Hints about a tool's behavior for clients; only those that you set are written.

    Args:
        read_only: Whether the tool changes nothing.
        destructive: Whether it may delete or overwrite something.
        idempotent: Whether calling it again with the same arguments has no further effect.
        open_world: Whether it interacts with systems outside of the server.
        title: The display name of the tool; clients prefer the title of the tool itself.

    Example:
        >>> from milo_schema import ToolAnnotations
        >>> ToolAnnotations(read_only=True).to_mcp()
        {'readOnlyHint': True}
    """

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None
    title: str | None = None

    def to_mcp(self) -> Json:
        """The hints as MCP writes them.

        Returns:
            A fresh dict such as ``{"readOnlyHint": True}``; empty if no hint is set.

        Example:
            >>> from milo_schema import ToolAnnotations
            >>> ToolAnnotations(read_only=True).to_mcp()
            {'readOnlyHint': True}
        """
        return without_unset({key: getattr(self, name) for name, key in HINTS.items()})


HINTS = {
    "title": "title",
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}
"""The name of each field in MCP."""


def with_unset(hints: ToolAnnotations, value: bool) -> ToolAnnotations:
    """The hints, with a value for each of those that are not set."""
    unset = [name for name in HINTS if name != "title" and getattr(hints, name) is None]
    return hints.replace(**dict.fromkeys(unset, value))


class ToolFields(TypedDict, total=False):
    """The types of the optional fields."""

    title: str | None
    description: str | None
    output_schema: Mapping[str, Any] | None
    input_examples: Collection[Mapping[str, Any]] | None
    annotations: ToolAnnotations | None
    meta: Mapping[str, Any] | None
    icons: Collection[Mapping[str, Any]] | None
    box: str | None
    dialect: str | None
    user_provides: Collection[str]
    others: Mapping[str, Any] | None


class ToolChanges(ToolFields, total=False):
    """The same, and the other fields."""

    name: str
    input_schema: Mapping[str, Any]


class ToolOptions(TypedDict, total=False):
    """The types of the options of ``tool_schema()``."""

    name: str | None
    title: str | None
    description: str | None
    annotations: ToolAnnotations | None
    input_schema: Mapping[str, Any] | None
    output_schema: Mapping[str, Any] | None
    returns: Any
    strict: bool
    exclude: Collection[str | type]
    profile: Profile
    meta: Mapping[str, Any] | None
    icons: Collection[Mapping[str, Any]] | None
    localns: Mapping[str, Any] | None


Api = Literal["chat", "responses"]


OpenAIOptions = TypedDict(
    "OpenAIOptions",
    {"allowed_callers": list[str], "async": bool, "defer_loading": bool},
    total=False,
)


class AnthropicOptions(TypedDict, total=False):
    """Options of a tool in a request to Anthropic, besides its definition."""

    allowed_callers: list[str]
    cache_control: Mapping[str, Any]
    defer_loading: bool
    eager_input_streaming: bool


class GeminiOptions(TypedDict, total=False):
    """Options of a tool in a request to Gemini, besides its definition."""

    behavior: str


_JSON = {
    **dict.fromkeys(("input_schema", "output_schema", "meta", "others"), dict),
    **dict.fromkeys(("icons", "input_examples"), list),
}
"""The fields of a tool that have JSON, and the class of it."""


# -- checks ------------------------------------------------------------------------------------


def checked_parts(given: Mapping[str, Any], origin: Origin) -> dict[str, Any]:
    """The fields of a tool, with a copy of the JSON that others wrote."""
    parts = {**given}
    name = checked_name(parts["name"])
    for key in ("title", "description"):
        parts[key] = _checked_text(name, key, parts.get(key))
    for key, kind in _JSON.items():
        value = parts.get(key)
        if value is not None and not origin.is_ours(key, value):
            parts[key] = _checked(name, key.replace("_", " "), value, kind)
    if marked := user_providable(_checked_object(name, parts["input_schema"])):
        parts["user_provides"] = marked | to_names("user_provides", parts.get("user_provides", ()))
    hints = parts.get("annotations")
    if hints is not None and not isinstance(hints, ToolAnnotations):
        must = "annotations= must be a ToolAnnotations, such as ToolAnnotations(read_only=True)"
        raise SchemaError(f"{must}, not {display(hints)}", name)
    for each in parts.get("input_examples") or ():
        if type(each) is not dict:
            raise SchemaError(f"an input example must be an object, not {display(each)}", name)
    return parts


def checked_name(name: Any) -> str:
    """The name of a tool, which is a string."""
    if type(name) is not str:
        raise SchemaError(f"the name of a tool must be a string, not {display(name)}")
    return name


def _checked_text(name: str, what: str, value: Any) -> str | None:
    """A string; ``None`` if it is empty."""
    if value is not None and not issubclass(type(value), str):
        raise SchemaError(f"the {what} must be a string, not {display(value)}", name)
    return value or None


def _checked_object(name: str, schema: Json | None) -> Json:
    """The input schema, if it is that of an object."""
    if schema is None or schema.get("type") != "object":
        reason = "the input schema must have 'type': 'object' at its root: arguments have names"
        raise SchemaError(reason, name)
    return schema


def _checked(name: str, what: str, value: Any, kind: type) -> Any:
    """A fresh copy of *value* as JSON, if it has that class."""
    json = copied_part(value, what, name)
    if type(json) is not kind:
        given = with_article(display(type(value)))
        raise SchemaError(f"the {what} must be {with_article(kind.__name__)}, not {given}", name)
    return json


def user_providable(schema: Any) -> frozenset[str]:
    """The properties of a schema that are marked as provided by the user."""
    properties = schema.get("properties")
    marked = {
        name
        for name, each in (properties if type(properties) is dict else {}).items()
        if type(each) is dict and each.get("x-user-providable") is True
    }
    return frozenset(marked)


def misspelled_fields(given: Iterable[Any], known: Collection[str]) -> dict[str, str]:
    """The names that differ from known ones only in case and underscores, with the known ones.

    The models of SDKs have such names in Python: ``output_schema`` is ``outputSchema``.
    """
    folded = {name.replace("_", "").lower(): name for name in known}
    names = [name for name in given if type(name) is str and name not in known]
    meant = {name: folded.get(name.replace("_", "").lower(), "") for name in names}
    return {name: found for name, found in meant.items() if found}
