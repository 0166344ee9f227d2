"""The types of a profile's fields, for type checkers.

No program imports it at run time, unless it uses these names in its own annotations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, TypedDict

from milo_schema.errors import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.callables.signatures import Field
    from milo_schema.schemas.walk import Walk
else:
    Field = Walk = Any

Predicate = Callable[[Field], object]
Transform = Callable[[dict[str, Any], Report], dict[str, Any]]
MarkerReader = Callable[[Any], list[Any] | tuple[Any, ...]]
UnknownSchema = Callable[[Any, Walk], dict[str, Any] | None]
TypeSchema = dict[str, Any] | Callable[[Any, Walk], dict[str, Any]]
UnwrapNone = bool | Literal["if_default"]
Closed = Literal["nothing", "parameters", "everything"]
Failure = Literal["warn", "error", "open"]
Variadics = Literal["omit", "open", "properties", "error"]
Inline = bool | Literal["auto"]
Optionals = Literal["null", "required"]
Aliases = Literal["everywhere", "inputs", "nowhere"]
Generators = Literal["item", "list", "nothing"]
Docstrings = Literal["last", "first", "never"]
Section = Literal["first_line", "summary", "prose", "returns", "raises", "examples", "docstring"]
OutputPredicate = Callable[[Any, dict[str, Any]], object]


class ProfileFields(TypedDict, total=False):
    """The types of all fields except the name, for type checkers."""

    unknown: Mapping[str, Any] | UnknownSchema
    unwrap_none: UnwrapNone
    null_defaults: bool
    closed: Closed
    variadics: Variadics
    flatten: bool
    injected_names: Collection[str]
    injected_classes: Collection[str | type]
    injected_if: Collection[Predicate] | Predicate
    inline: Inline
    optional: Optionals
    aliases: Aliases
    types: Mapping[Any, TypeSchema]
    markers: Mapping[type | str, MarkerReader]
    decoders: Mapping[Any, Callable[[Any], Any]]
    encoders: Mapping[Any, Callable[[Any], Any]]
    transforms: Collection[Transform] | Transform
    max_depth: int
    max_subschemas: int
    untyped: Mapping[str, Any] | None
    failure: Failure
    undescribed: str | None
    undescribed_tool: str | None
    docstrings: Docstrings
    attribute_docstrings: bool
    tool_description: Collection[Section] | Section
    bare_descriptions: bool
    outputs: bool | ProfileFields
    generators: Generators
    output_docs: bool
    opaque_outputs: Collection[str | type]
    opaque_if: Collection[OutputPredicate] | OutputPredicate
    output_signals: Collection[str | type]
    box: Mapping[str, Any] | None
    box_if: Collection[OutputPredicate] | OutputPredicate
    null_is_absent: bool


class ProfileChanges(ProfileFields, total=False):
    """The types of all fields, for type checkers."""

    name: str
