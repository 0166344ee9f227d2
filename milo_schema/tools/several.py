"""The definitions of functions, and of all things that stand for tools."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from milo_schema.annotations import Names
from milo_schema.annotations.classes import MISSING, body, mro
from milo_schema.callables.wrappers import function_inside
from milo_schema.errors import SchemaError, shown
from milo_schema.nodes.session import SharedTypes
from milo_schema.profile import MCP, Profile
from milo_schema.schemas.functions import Reading
from milo_schema.tools.definition import ToolSchema, tool_of
from milo_schema.tools.fields import ToolAnnotations, ToolOptions
from milo_schema.tools.origin import read_tool


def tool_schema(  # noqa: PLR0913 - all of them named, all of them optional
    func: Callable[..., Any],
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    annotations: ToolAnnotations | None = None,
    input_schema: Mapping[str, Any] | None = None,
    output_schema: Mapping[str, Any] | None = None,
    returns: Any = MISSING,
    strict: bool = False,
    exclude: Collection[str | type] = (),
    profile: Profile = MCP,
    meta: Mapping[str, Any] | None = None,
    icons: Collection[Mapping[str, Any]] | None = None,
    localns: Mapping[str, Any] | None = None,
) -> ToolSchema:
    """Derive a complete tool definition from a function.

    Args:
        func: A function, method, class, ``functools.partial`` or other callable; or the tool that
            a decorator of another library, such as LangChain's, returned.
        name: The name of the tool; by default, the function's ``__name__``.
        title: Its display name.
        description: A description of what it does. By default, it consists of the parts of the
            docstring in ``Profile.tool_description``; pass ``""`` for a tool without one.
        annotations: Hints about its behavior.
        input_schema: The schema of its arguments, to use instead of the derived one.
        output_schema: The schema of its structured result, to use instead of the derived one.
        returns: A return annotation that replaces the function's own.
        strict: Whether an annotation without an exact schema is an error, not a warning.
        exclude: Names and types of parameters to leave out of the schema.
        profile: How the schemas are written.
        meta: The ``_meta`` of MCP.
        icons: The ``icons`` of MCP.
        localns: Names for annotation strings that their module does not have at run time.

    Returns:
        The definition; methods such as ``.to_mcp()`` write it in the format of a provider.

    Raises:
        SchemaError: A type has no exact schema.

    Example:
        >>> from milo_schema import tool_schema
        >>> def greet(name: str) -> str:
        ...     "Say hello."
        >>> tool = tool_schema(greet)
        >>> tool.name, tool.description, tool.output_schema
        ('greet', 'Say hello.', {'type': 'string'})
    """
    options: Any = {"exclude": exclude, "localns": localns, "returns": returns, "strict": strict}
    reading, name, description = read_tool(func, profile, name, description, **options)
    others: Any = {"title": title, "annotations": annotations, "meta": meta, "icons": icons}
    tool = tool_of(reading, name, description, input_schema, output_schema, **others)
    reading.rest()
    return tool


def ready_tool(func: Any, shared: SharedTypes, **options: Any) -> tuple[ToolSchema, Reading]:
    """The tool of ``tool_schema()``, and what was read, so that its calls need not read.

    The classes that the tools of a set share are read once.
    """
    if unknown := [name for name in options if name not in ToolOptions.__annotations__]:
        raise TypeError(f"tool_schema() got an unexpected keyword argument {unknown[0]!r}")
    read = {name: options.pop(name) for name in _READING.intersection(options)}
    reading, name, description = read_tool(func, **read, shared=shared)
    return tool_of(reading, name, description, **options), reading


_READING = {"profile", "name", "description", "exclude", "localns", "returns", "strict"}
"""The options of ``tool_schema()`` that are about the function."""


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
    shared = SharedTypes(answers={})
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
    every = {name: each for cls in classes for name, each in [*body(cls).items()]}
    names = [name for name, each in every.items() if name[:1] != "_" and _is_method(each)]
    if not names:
        raise SchemaError(f"{shown(instance)} is not a function, and it has no public methods")
    return [getattr(instance, name) for name in names]


def _is_method(attribute: Any) -> bool:
    """Whether an attribute of a class is a method: no property is asked, and no class is made."""
    is_function = callable(attribute) and hasattr(type(attribute), "__get__")
    return is_function or isinstance(attribute, classmethod)
