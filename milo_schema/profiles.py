"""What a schema should say, as a frozen value.

A choice that changes which values are accepted is a field, which one rule reads. A choice that
only changes the spelling is a transform over finished JSON. Nobody asks *which* profile it is.
"""

from __future__ import annotations

from types import MappingProxyType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any, Literal

    from milo_schema.schemas.walk import Walk

    Report = Callable[[str, str], None]
    Transform = Callable[[dict[str, Any], Report], dict[str, Any]]
    TypeSchema = dict[str, Any] | Callable[[Any, Walk], dict[str, Any]]

__all__ = [
    "ANTHROPIC_STRICT",
    "GEMINI",
    "MCP",
    "MCP_2025",
    "MILO",
    "OMNI",
    "OPENAI_STRICT",
    "OPENMCP",
    "PLATOOLS",
    "PORTABLE",
    "Profile",
]


class Profile:
    """What schemas should say: frozen, chosen once, made from another one by ``replace()``.

    Args:
        name: What the profile is called.
        unknown: What an unknown annotation becomes outside of strict mode.
        untyped: What a missing annotation becomes outside of strict mode; ``None``: an error.
        failure: What becomes of an annotation that has no schema: ``"warn"`` and make do with
            *unknown*, an ``"error"``, or an ``"open"`` object for the whole function.
        unwrap_none: Whether ``T | None`` of a parameter or field is ``T``.
        null_defaults: Whether ``= None`` is said as ``"default": null``.
        closed: Which objects refuse further properties: ``"nothing"``, the ``"parameters"`` of
            a function, or ``"everything"``.
        variadics: What ``**kwargs`` become: nothing (``"omit"``), further properties
            (``"open"``), or a failure (``"error"``, and ``*args`` too).
        undescribed: The description of a parameter that has none, with ``{name}`` in it.
        injected_names: Parameters of these names are filled in by the framework.
        injected_classes: So are parameters annotated with a class of such a name.
        box: If not ``None``, an output that is no object is put into the property ``result`` of
            one, with these further keywords.
        outputs: Whether there are output schemas.
        output_docs: Whether what the docstring says of the output describes it.
        opaque_outputs: Classes, by name, of which no output schema is given.
        summary_only: Whether a tool is described by the first line of its docstring alone.
        inline: Whether named types stand in their places, apart from recursive ones and what
            would grow out of proportion; otherwise all are in ``$defs``.
        types: What types become that are not to be looked into; see ``with_types()``.
        transforms: Functions ``(schema, report) -> schema`` over finished schemas, applied in
            order; ``report(path, reason)`` says what cannot be said at a place.
        max_depth: How deep an annotation may be nested.
        max_subschemas: How many annotations one schema may be made of, those of named types
            counted once.

    Example:
        >>> from milo_schema import function_to_schema, profiles
        >>> mine = profiles.MCP.replace(name="mine", injected_names={"session"})
        >>> def greet(name: str, session: object): ...
        >>> sorted(function_to_schema(greet, profile=mine)["properties"])
        ['name']
    """

    name: str
    unknown: Mapping[str, Any]
    untyped: Mapping[str, Any] | None
    failure: Literal["warn", "error", "open"]
    unwrap_none: bool
    null_defaults: bool
    closed: Literal["nothing", "parameters", "everything"]
    variadics: Literal["omit", "open", "error"]
    undescribed: str
    injected_names: frozenset[str]
    injected_classes: frozenset[str]
    box: Mapping[str, Any] | None
    outputs: bool
    output_docs: bool
    opaque_outputs: frozenset[str]
    summary_only: bool
    inline: bool
    types: Mapping[Any, TypeSchema]
    transforms: tuple[Transform, ...]
    max_depth: int
    max_subschemas: int

    def __init__(  # noqa: PLR0913 - all of them named
        self,
        *,
        name: str,
        unknown: Mapping[str, Any] = MappingProxyType({}),
        untyped: Mapping[str, Any] | None = MappingProxyType({}),
        failure: Literal["warn", "error", "open"] = "warn",
        unwrap_none: bool = False,
        null_defaults: bool = True,
        closed: Literal["nothing", "parameters", "everything"] = "nothing",
        variadics: Literal["omit", "open", "error"] = "omit",
        undescribed: str = "",
        injected_names: Collection[str] = (),
        injected_classes: Collection[str] = (),
        box: Mapping[str, Any] | None = None,
        outputs: bool = True,
        output_docs: bool = True,
        opaque_outputs: Collection[str] = (),
        summary_only: bool = False,
        inline: bool = True,
        types: Mapping[Any, TypeSchema] = MappingProxyType({}),
        transforms: Collection[Transform] = (),
        max_depth: int = 128,
        max_subschemas: int = 50_000,
    ) -> None:
        vars(self).update(
            name=name,
            unknown=MappingProxyType(dict(unknown)),
            untyped=None if untyped is None else MappingProxyType(dict(untyped)),
            failure=failure,
            unwrap_none=unwrap_none,
            null_defaults=null_defaults,
            closed=closed,
            variadics=variadics,
            undescribed=undescribed,
            injected_names=_names(injected_names),
            injected_classes=_names(injected_classes),
            box=None if box is None else MappingProxyType(dict(box)),
            outputs=outputs,
            output_docs=output_docs,
            opaque_outputs=_names(opaque_outputs),
            summary_only=summary_only,
            inline=inline,
            types=MappingProxyType(dict(types)),
            transforms=tuple(transforms),
            max_depth=max_depth,
            max_subschemas=max_subschemas,
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Profile is frozen; use .replace({name}={value!r})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Profile is frozen; it keeps its {name}")

    def __repr__(self) -> str:
        return f"<Profile {self.name}>"

    def replace(self, **changes: Any) -> Profile:
        """A new profile that differs in some fields.

        Args:
            **changes: Fields and their values.

        Returns:
            The profile; this one stays as it is.

        Example:
            >>> from milo_schema import profiles
            >>> profiles.MCP.replace(name="mine", closed="everything").closed
            'everything'
        """
        return Profile(**vars(self) | changes)

    def with_types(self, types: Mapping[Any, TypeSchema]) -> Profile:
        """A new profile that describes some types, and their subclasses, in its own way.

        Args:
            types: For each type its schema, or a function ``(annotation, walk) -> schema``,
                which may use ``walk.schema(annotation)`` for the types it is made of.

        Returns:
            The profile; this one stays as it is.

        Example:
            >>> from milo_schema import profiles, type_to_schema
            >>> class Money: ...
            >>> shop = profiles.MILO.with_types({Money: {"type": "string"}})
            >>> type_to_schema(list[Money], profile=shop)
            {'type': 'array', 'items': {'type': 'string'}}
        """
        return self.replace(types={**self.types, **types})


def _names(names: Collection[str]) -> frozenset[str]:
    """One name, or several."""
    return frozenset({names} if isinstance(names, str) else names)


MILO = Profile(
    name="MILO",
    unknown={"type": "string"},
    untyped={"type": "string"},
    unwrap_none=True,
    injected_names={"ctx"},
    injected_classes={"Context"},
)
"""The default: the contract of milo's ``function_to_schema()``. Open objects, no null."""

MCP = Profile(name="MCP", closed="parameters", variadics="open")
"""Exact: a schema accepts the JSON of the type's values and nothing else (MCP 2026-07-28)."""


def _object_root(schema: dict[str, Any], _report: Report) -> dict[str, Any]:
    """Say that a union of objects is an object: up to 2025-11-25 the root has to be one by name."""
    arms = [
        schema["$defs"][arm["$ref"].removeprefix("#/$defs/")] if "$ref" in arm else arm
        for arm in schema.get("anyOf", ())
    ]
    if "type" in schema or not arms or any(arm.get("type") != "object" for arm in arms):
        return schema
    return {"type": "object", **schema}


MCP_2025 = MCP.replace(name="MCP_2025", box={}, transforms=[_object_root])
"""Exact, for clients up to MCP 2025-11-25: an output that is no object is boxed in one."""

OPENMCP = Profile(
    name="OPENMCP",
    failure="open",
    closed="everything",
    variadics="error",
    undescribed="Parameter {name}",
    box={"x-dedalus-box": {"field": "result"}},
    output_docs=False,
    opaque_outputs={
        "CallToolResult",
        "ServerResult",
        "TextContent",
        "ImageContent",
        "AudioContent",
        "ResourceLink",
        "EmbeddedResource",
    },
)
"""What OpenMCP infers: closed objects, each parameter described, outputs boxed."""

OMNI = Profile(
    name="OMNI",
    unknown={"type": "string"},
    untyped={"type": "string"},
    unwrap_none=True,
    null_defaults=False,
    injected_classes={"Settings", "ConfigPaths"},
    outputs=False,
    summary_only=True,
    types={dict: {"type": "object"}},
)
"""What Omni's ``@skill_command`` says: few keywords, injected settings left out."""

PLATOOLS = Profile(
    name="PLATOOLS",
    untyped=None,
    failure="error",
    variadics="error",
    output_docs=False,
    inline=False,
)
"""What Platools' decorator says: every parameter typed, definitions kept in ``$defs``."""


def _dialect(name: str) -> Transform:
    """A transform of the module ``dialects``, which is loaded when it is first used."""

    def transform(schema: dict[str, Any], report: Report) -> dict[str, Any]:
        from milo_schema import dialects

        result: dict[str, Any] = getattr(dialects, name)(schema, report)
        return result

    return transform


PORTABLE = MCP.replace(
    name="PORTABLE",
    closed="nothing",
    null_defaults=False,
    box={},
    transforms=[_dialect("portable"), _object_root],
)
"""What every client takes; what that subset cannot say is said in the descriptions."""

OPENAI_STRICT = MCP.replace(
    name="OPENAI_STRICT",
    failure="error",
    null_defaults=False,
    variadics="error",
    box={},
    transforms=[_dialect("openai_strict")],
)
"""OpenAI's structured outputs: closed objects, each property required."""

ANTHROPIC_STRICT = MCP.replace(
    name="ANTHROPIC_STRICT",
    failure="error",
    null_defaults=False,
    variadics="error",
    box={},
    transforms=[_dialect("anthropic_strict")],
)
"""Anthropic's strict tools: closed objects, few keywords, no recursion."""

GEMINI = MCP.replace(
    name="GEMINI",
    closed="nothing",
    null_defaults=False,
    box={},
    transforms=[_dialect("gemini")],
)
"""Gemini's ``parameters``: a subset of OpenAPI's schema object."""
