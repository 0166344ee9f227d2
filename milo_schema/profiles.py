"""What a schema should say, as a frozen value.

A choice that changes which values are accepted is a field, which one rule reads. A choice that
only changes the spelling is a transform over finished JSON. Nobody asks *which* profile it is.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Literal

    from milo_schema.walk import Walk

    Transform = Callable[[dict[str, Any]], dict[str, Any]]
    TypeSchema = dict[str, Any] | Callable[[Any, Walk], dict[str, Any]]

__all__ = ["MCP", "MILO", "Profile"]


class Profile:
    """What schemas should say: frozen, chosen once, made from another one by ``replace()``.

    Args:
        name: What the profile is called.
        unknown: What an unknown annotation, or none, becomes outside of strict mode.
        unwrap_none: Whether ``T | None`` of a parameter or field is ``T``.
        closed_parameters: Whether a function refuses parameters that it does not have.
        variadics: What ``**kwargs`` become: nothing (``"omit"``), further properties
            (``"open"``), or a `SchemaError` (``"error"``).
        injected_names: Parameters of these names are filled in by the framework.
        injected_classes: So are parameters annotated with a class of such a name.
        inline: Whether named types stand in their places, apart from recursive ones and what
            would grow out of proportion; otherwise all are in ``$defs``.
        types: What types become that are not to be looked into; see ``with_types()``.
        transforms: Functions from finished schema to finished schema, applied in order.
        max_depth: How deep an annotation may be nested.

    Example:
        >>> from milo_schema import function_to_schema, profiles
        >>> mine = profiles.MCP.replace(name="mine", injected_names={"session"})
        >>> def greet(name: str, session: object): ...
        >>> sorted(function_to_schema(greet, profile=mine)["properties"])
        ['name']
    """

    __slots__ = (
        "closed_parameters",
        "injected_classes",
        "injected_names",
        "inline",
        "max_depth",
        "name",
        "transforms",
        "types",
        "unknown",
        "unwrap_none",
        "variadics",
    )

    name: str
    unknown: Mapping[str, Any]
    unwrap_none: bool
    closed_parameters: bool
    variadics: Literal["omit", "open", "error"]
    injected_names: frozenset[str]
    injected_classes: frozenset[str]
    inline: bool
    types: Mapping[Any, TypeSchema]
    transforms: tuple[Transform, ...]
    max_depth: int

    def __init__(  # noqa: PLR0913 - all of them named
        self,
        *,
        name: str,
        unknown: Mapping[str, Any] = MappingProxyType({}),
        unwrap_none: bool = False,
        closed_parameters: bool = False,
        variadics: Literal["omit", "open", "error"] = "omit",
        injected_names: Collection[str] = frozenset(),
        injected_classes: Collection[str] = frozenset(),
        inline: bool = True,
        types: Mapping[Any, TypeSchema] = MappingProxyType({}),
        transforms: Collection[Transform] = (),
        max_depth: int = 128,
    ) -> None:
        values = {
            "name": name,
            "unknown": MappingProxyType(dict(unknown)),
            "unwrap_none": unwrap_none,
            "closed_parameters": closed_parameters,
            "variadics": variadics,
            "injected_names": frozenset(injected_names),
            "injected_classes": frozenset(injected_classes),
            "inline": inline,
            "types": MappingProxyType(dict(types)),
            "transforms": tuple(transforms),
            "max_depth": max_depth,
        }
        for field, value in values.items():
            object.__setattr__(self, field, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Profile is frozen; use .replace({name}={value!r})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Profile is frozen; it keeps its {name}")

    def __repr__(self) -> str:
        return f"<Profile {self.name}>"

    def replace(self, **changes: Any) -> Profile:
        """A new profile that differs in some fields."""
        return Profile(**{field: getattr(self, field) for field in self.__slots__} | changes)

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


MILO = Profile(
    name="MILO",
    unknown={"type": "string"},
    unwrap_none=True,
    injected_names={"ctx"},
    injected_classes={"Context"},
)
"""The default: the contract of milo's ``function_to_schema()``. Open objects, no null."""

MCP = Profile(name="MCP", closed_parameters=True, variadics="open")
"""Exact: a schema accepts the JSON of the type's values and nothing else (MCP 2026-07-28)."""
