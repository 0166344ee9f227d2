"""The function of a tool, prepared for its calls.

It is prepared when a tool is first called, and kept with the tool, so that a call derives nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice
from types import GeneratorType, MethodType
from typing import Any

from milo_schema.annotations import Json, Names
from milo_schema.arguments import Binder, Bound, Repair
from milo_schema.callables.signatures import VARIADIC
from milo_schema.errors import SchemaError, add_location, nearest
from milo_schema.json_schema.drafts import valid_schema
from milo_schema.json_schema.subschemas import asserted
from milo_schema.nodes.base import MAX_PARTS
from milo_schema.profile import MILO
from milo_schema.schemas.arguments import Passing
from milo_schema.schemas.finishing import with_all_required
from milo_schema.schemas.outputs import BOX
from milo_schema.schemas.readings import Options, Reading, as_parameter
from milo_schema.tools import REFUSED, ToolSchema, origin_of

OnRepair = bool | Callable[[tuple[Repair, ...]], object]
Callee = Callable[..., Any] | Binder[Any] | None


class Call:
    """The parts that all calls of a tool share.

    Attributes:
        tool: The tool.
        given: The function that was passed as ``func``, if one was.
        reading: The function, as it was read.
        binder: Binds the arguments that the definition accepts.
    """

    __slots__ = ("_is_list", "binder", "given", "reading", "tool")

    def __init__(self, tool: ToolSchema, given: Callee) -> None:
        self.given: Callee = given
        schema = _schema_of(tool)
        self.reading: Reading = _reading_for(tool, schema, given)
        self.tool: ToolSchema = _with_box(tool, self.reading)
        try:
            self.binder: Binder[Any] = _binder(tool, self.reading, schema, _repairs(given))
        except SchemaError as problem:
            add_location(problem, self.reading.source)
            raise
        is_list = self.reading.profile.for_outputs.generators == "list"
        self._is_list: bool = is_list or vars(tool)["output_schema"] is None

    def bind(self, arguments: Any, inject: Names, repair: OnRepair) -> Bound:
        """Bind the arguments of one call."""
        given = {} if arguments is None else arguments
        bound = self.binder(given, inject, repair=bool(repair) or self.binder.repairs)
        if bound.repairs and callable(repair):
            repair(bound.repairs)
        return bound

    def run(self, bound: Bound) -> Any:
        """The value that the function returns; or the items that it yields, if they are one."""
        value = self.reading.func(*bound.args, **bound.kwargs)
        return _collected(value) if self._is_list else value

    async def run_async(self, bound: Bound, thread: bool) -> Any:
        """The same for any function; one that could block may run in a worker thread."""
        if thread and sys.platform != "emscripten" and not _is_async(self.reading.func):
            from asyncio import to_thread  # it takes longer to load than everything here

            value = await to_thread(self._run_in_thread, bound)
        else:
            value = self.run(bound)
        if is_awaitable(value):
            value = await value
        return await _collected_async(value) if self._is_list else value

    def _run_in_thread(self, bound: Bound) -> Any:
        try:
            return self.run(bound)
        except StopIteration as problem:  # it would never reach the caller
            raise RuntimeError(f"{self.reading.signature.name}() raised StopIteration") from problem


def call_of(tool: ToolSchema, func: Callee = None) -> Call:
    """The parts that the calls of a tool share; they are made once, and kept with the tool."""
    origin = origin_of(tool)
    found = origin.call
    if found is None or not _is_same(found.given, func):
        found = origin.call = Call(tool, func)
    return found


def _is_same(one: object, other: object) -> bool:
    """Whether two functions are one; each access to a method makes a new object."""
    return one is other or (type(one) is type(other) is MethodType and one == other)


# -- the function of a tool --------------------------------------------------------------------


def _schema_of(tool: ToolSchema) -> Json:
    """The schema of the arguments of a tool in our form, because others may have written it."""
    schema = tool.input_schema
    if origin_of(tool).input_schema is not None:
        return schema
    found: Json = valid_schema(
        schema, "input schema", lambda path: tool.name + as_parameter(path), REFUSED
    )
    return found


def _reading_for(tool: ToolSchema, schema: Json, given: Callee) -> Reading:
    """The function of a tool, as it was read: the one that made it, or one that is passed."""
    known = origin_of(tool).reading
    if known is not None and (given is None or _is_same(given, known.func)):
        return known
    if given is None:
        reason = "its function is not known, because it was read from a file or unpickled"
        raise SchemaError(f"{reason}; pass func=...", tool.name)
    if isinstance(given, Binder):
        reading = given.reading
    else:
        reading = Reading(given, Options(MILO)) if known is None else _again(known, func=given)
    if known is not None and reading.profile != known.profile:
        reason = f"{given!r} was made with {reading.profile!r}, the tool with {known.profile!r}"
        raise SchemaError(f"{reason}; make both with the same profile", tool.name)
    return _agreeing(tool.name, schema, reading)


def _agreeing(name: str, schema: Json, reading: Reading) -> Reading:
    """A function read for the definition of a tool, which hides other parameters."""
    if reading.parameters.whole is not None:
        return reading
    listed = schema.get("properties", {})
    unlisted = [
        each.python_name
        for each in reading.parameters.shape.fields
        if each.kind not in VARIADIC and each.name not in listed
    ]
    if unlisted:
        reading = _again(reading, exclude=[*reading.exclude, *unlisted])
    passing = Passing(reading, schema, is_given=True)
    for each in listed:
        if not passing.takes(each):
            is_hidden = each in passing.names
            near = "" if is_hidden else nearest(each, passing.names)
            why = "is hidden from callers" if is_hidden else f"is not a parameter{near}"
            reason = f"the definition of {name!r} has {each!r}, which {why}"
            raise SchemaError(reason, f"{reading.signature.name}()")
    return reading


def _again(reading: Reading, **changes: Any) -> Reading:
    """A function that is read again, with other options."""
    options = reading.options.replace(
        exclude=reading.exclude, tool=None, strict=False, others="warn"
    )
    func = changes.pop("func", reading.func)
    return Reading(func, options.replace(**changes))


def _without_rules(reading: Reading) -> Reading:
    """A function without its profile's rules for derived schemas; its schema is another one."""
    profile = reading.profile
    variadics = "omit" if profile.variadics == "error" else profile.variadics
    return _again(reading, profile=profile.replace(untyped={}, variadics=variadics))


def _repairs(given: Callee) -> bool:
    """Whether a binder that is passed for a tool repairs arguments."""
    return isinstance(given, Binder) and given.repairs


def _binder(tool: ToolSchema, reading: Reading, schema: Json, repairs: bool) -> Binder[Any]:
    """The binder of the arguments that a schema accepts.

    The schema judges them first, unless it is the one that its function has. That of a dialect
    does not judge: it accepts more than the parameters do, and it requires what they do not.
    """
    if not _is_derived(tool, reading, schema):
        reading = _without_rules(reading)
        return Binder(reading, repairs, Passing(reading, schema, is_given=True))
    judge = schema if _is_changed(reading, schema) else None
    return Binder(reading, repairs, Passing(reading, judge))


def _is_derived(tool: ToolSchema, reading: Reading, schema: Json) -> bool:
    """Whether a schema is the one that its function has; that of a file may say the same."""
    origin = origin_of(tool)
    if origin.input_schema is not None and origin.reading is reading:
        return True
    derived = reading.input.schema
    return derived is not None and bool(asserted(derived) == asserted(schema))


def _is_changed(reading: Reading, schema: Json) -> bool:
    """Whether a transform of the profile changes what a schema accepts; a dialect only respells."""
    profile = reading.profile
    if not profile.transforms or profile.dialect is not None:
        return False
    plain = reading.input.untransformed or {}
    if profile.optional == "required":
        plain = with_all_required(plain)
    return bool(asserted(plain) != asserted(schema))


def _with_box(tool: ToolSchema, reading: Reading) -> ToolSchema:
    """A tool with the box of its results, which a file does not name, if its function has one."""
    schema = tool.output_schema
    if tool.box is not None or schema is None or schema != reading.output.schema:
        return tool
    return tool.replace(box=BOX) if reading.output.is_boxed else tool


# -- the value ---------------------------------------------------------------------------------


def _is_async(func: Any) -> bool:
    """Whether a call of a function does nothing but make what is awaited, or iterated."""
    from inspect import isasyncgenfunction, iscoroutinefunction  # asyncio has loaded it

    called = (func, getattr(type(func), "__call__", None))  # noqa: B004 - it may be a coroutine
    return any(iscoroutinefunction(each) or isasyncgenfunction(each) for each in called)


def is_awaitable(value: Any) -> bool:
    """Whether a value has to be awaited."""
    return hasattr(type(value), "__await__")


def _collected(value: Any) -> Any:
    """The items of a generator, which runs here, so that its errors are caught; or the value."""
    return list(islice(value, MAX_PARTS + 1)) if type(value) is GeneratorType else value


async def _collected_async(value: Any) -> Any:
    """``_collected()``, which also accepts an asynchronous iterator."""
    if not hasattr(type(value), "__aiter__"):
        return _collected(value)
    items: list[Any] = []
    async for item in value:
        items.append(item)
        if len(items) > MAX_PARTS:
            break
    return items
