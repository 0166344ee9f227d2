"""The things that stand for tools: functions, definitions, toolboxes, and objects with methods."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from milo_schema.annotations import Names
from milo_schema.annotations.classes import body, mro
from milo_schema.callables.wrappers import function_inside
from milo_schema.errors import SchemaError, shown
from milo_schema.nodes.shared import SharedTypes
from milo_schema.profile import MCP, Profile
from milo_schema.tools.definition import ToolSchema, ready_tool

__all__ = ["each_of", "tool_schemas"]


def tool_schemas(
    tools: Iterable[Any],
    *,
    profile: Profile = MCP,
    strict: bool = False,
    exclude: Collection[str | type] = (),
    localns: Names = None,
) -> list[ToolSchema]:
    """Derive the definitions of many tools.

    Args:
        tools: Functions and other callables; objects, which mean their public methods;
            definitions, which stay as they are, also as dicts of MCP; and toolboxes.
        profile: How the schemas are written.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        exclude: Names and types of parameters to leave out of the schemas.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        The definitions, in the order of the tools.

    Raises:
        SchemaError: A type has no exact schema, or an object has no public methods.

    Example:
        >>> from milo_schema import tool_schemas
        >>> class Shop:
        ...     def sell(self, item: str): ...
        ...     def refund(self, order: int): ...
        >>> [tool.name for tool in tool_schemas([Shop()])]
        ['sell', 'refund']
    """
    options: Any = {"profile": profile, "strict": strict, "exclude": exclude, "localns": localns}
    shared = SharedTypes()
    found = []
    for each in each_of(tools):
        tool = each
        if not isinstance(each, ToolSchema):
            tool, reading = ready_tool(each, shared, **options)
            reading.rest()
        found.append(tool)
    return found


def each_of(things: Iterable[Any]) -> Iterator[Any]:
    """The functions and definitions that things stand for.

    A dict is a definition of MCP, and another mapping is a toolbox; lists and tuples stand for what
    is in them, and other objects for their public methods.
    """
    for thing in things:
        if isinstance(thing, ToolSchema | classmethod) or callable(function_inside(thing)):
            yield thing
        elif type(thing) is dict:
            yield ToolSchema.from_mcp(thing)
        elif isinstance(thing, Mapping):
            yield from each_of(thing.values())
        elif type(thing) in (list, tuple):
            yield from each_of(thing)
        else:
            yield from _methods(thing)


def _methods(instance: Any) -> list[Callable[..., Any]]:
    """The public methods of an object, in the order of their definition."""
    classes = [each for each in reversed(mro(type(instance))) if each.__module__ != "builtins"]
    every = {name: each for cls in classes for name, each in body(cls).items()}
    names = [name for name, each in every.items() if name[:1] != "_" and _is_method(each)]
    if not names:
        raise SchemaError(f"{shown(instance)} is not a function, and it has no public methods")
    return [getattr(instance, name) for name in names]


def _is_method(attribute: Any) -> bool:
    """Whether an attribute of a class is a method: no property is asked, and no class is made."""
    is_function = callable(attribute) and hasattr(type(attribute), "__get__")
    return is_function or isinstance(attribute, classmethod)
