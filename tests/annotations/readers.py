"""Everything that reads an annotation: the rows of the table in test_resolution."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from milo_schema import (
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.results import return_to_json, value_to_json
from tests.fragments import BOOLEAN, INTEGER, NULL, STRING, Json, array_of, fixed, obj, record

IMPORTS = """
import datetime
from collections.abc import *
from dataclasses import InitVar, dataclass
from typing import *

import typing_extensions
from typing_extensions import NotRequired, ReadOnly, Required, TypeAliasType, TypedDict

from milo_schema import Description, Ge, Injected, MinLen, type_to_schema

T = TypeVar("T")
V = TypeVar("V")
"""


Other = dict[str, tuple[Any, str]]
"""For some wrappers another answer than for the bare annotation, and why."""


class Here(dict[str, Any]):
    """The expected schema of the annotation itself: a description is added here."""


@dataclass(frozen=True)
class Reader:
    """One reader of an annotation, and its result for the bare annotation.

    Attributes:
        id: Its name.
        bare: The source of the annotation inside each wrapper.
        code: The source that has ``Wrapped`` in it, between the classes and the question.
        ask: Calls the reader with the module.
        expected: The answer. Where it has the schema of the annotation, that is a ``Here``.
        classes: The source of the classes that ``bare`` names.
        other: The expected answer for wrappers with which there is another one, and why.
        needs: The requirements to express it, such as ``"typing_extensions>=4.13"``.
    """

    id: str
    bare: str
    code: str
    ask: Callable[[ModuleType], Any]
    expected: Any
    classes: str = ""
    other: Other = field(default_factory=dict)
    needs: str = ""


def method(text: str) -> str:
    """The source of a method ``f`` of a generic class, for which ``Bare`` is the argument."""
    body = "\n".join(f"    {line}" for line in text.splitlines())
    return f"class Holder(Generic[T]):\n{body}\nclass Bound(Holder[Bare]): ...\nf = Bound().f\n"


def taking(profile: Any, **options: Any) -> Callable[[ModuleType], Json]:
    return lambda module: function_to_schema(module.f, profile=profile, **options)


def giving(profile: Any) -> Callable[[ModuleType], Json | None]:
    return lambda module: return_to_schema(module.f, profile=profile)


def schema_of(source: str, profile: Any = profiles.MCP) -> Callable[[ModuleType], Json]:
    """Ask for the schema of an annotation, written with the names of the module."""
    return lambda module: type_to_schema(
        eval(source, vars(module)), profile=profile, localns=vars(module)
    )


def json_of(value: str, source: str) -> Callable[[ModuleType], Any]:
    """Ask for the JSON of a value, by an annotation with the names of the module."""
    return lambda module: value_to_json(
        eval(value, vars(module)), eval(source, vars(module)), localns=vars(module)
    )


def returned(value: str) -> Callable[[ModuleType], Any]:
    return lambda module: return_to_json(module.f, eval(value, vars(module)))


MILO, MCP = profiles.MILO, profiles.MCP
OPTIONAL = {"anyOf": [INTEGER, NULL]}
DAY = "datetime.date(2026, 7, 28)"
POINT = record(x=INTEGER)
POINT_CLASS = "@dataclass\nclass Point:\n    x: int"
CONTENT = "@dataclass\nclass TextContent:\n    text: str"
SIGNAL = "@dataclass\nclass Signal:\n    text: str"
CONTEXT = "class Context: ..."
SERVICE = "class Service: ..."
KEYS = "class Keys(TypedDict):\n    a: int\n    b: NotRequired[str]"
CLOSED = {"additionalProperties": False}
UNIONS = ("TypeVar with constraints", "union with itself", "alias of a union with itself")
DESCRIBED = ("Annotated with a description", "alias of Annotated with a description")
WAY_OUT = "use another type, or Schema({...})"


def in_a_union(expected: Any) -> Other:
    """The answer where the annotation is a union of two that are alike."""
    return dict.fromkeys(UNIONS, (expected, "a union has no class of its own"))


def no_value(path: str, name: str, wrappers: tuple[str, ...] = UNIONS) -> Other:
    """The warning where a union of two that have no value is not seen to be one of them."""
    shown = dict.fromkeys(wrappers, f"{name} | 'Bare'")
    if name == "Never":
        shown["union with itself"] = "Never | Never"
    reason = "a union has no class of its own"
    return {
        each: (
            SchemaWarning(f"{path}: {shown[each]} has no values, so no argument is valid"),
            reason,
        )
        for each in wrappers
    }


def without_schema(shown: str) -> SchemaWarning:
    return SchemaWarning(f"Holder.f() -> result: no JSON Schema for {shown}; {WAY_OUT}")


def boxed(schema: Json) -> Json:
    return record(result=schema)


def parameters() -> list[Reader]:
    """Schemas of parameters."""
    f = method("def f(self, x: Wrapped): ...")
    later = method("def f(self, x: Wrapped = None): ...")
    here = Here(INTEGER)
    return [
        Reader("parameter", "int", f, taking(MCP), obj(["x"], x=here) | CLOSED),
        Reader("optional parameter in MILO", "int | None", f, taking(MILO), record(x=here)),
        Reader("optional parameter in MCP", "int | None", f, taking(MCP),
               record(x=Here(OPTIONAL)) | CLOSED),
        Reader("parameter with default None in MILO", "int | None", later, taking(MILO),
               obj([], x=Here(INTEGER | {"default": None}))),
        Reader("parameter with default None in MCP", "int | None", later, taking(MCP),
               obj([], x=Here(OPTIONAL | {"default": None})) | CLOSED),
        Reader("member of an optional parameter in MILO", "int",
               method("def f(self, x: Optional[Wrapped]): ..."), taking(MILO), record(x=here)),
        Reader("optional member of a union in MILO", "int | None",
               method("def f(self, x: Union[Wrapped, str]): ..."), taking(MILO),
               record(x={"anyOf": [here, STRING]})),
        Reader("records", "Point", f, taking(MCP), record(x=Here(POINT)) | CLOSED, POINT_CLASS),
    ]  # fmt: skip


def fields() -> list[Reader]:
    """Schemas of the fields of records."""
    data = "@dataclass\nclass Record(Generic[T]):\n    x: Wrapped"
    typed = "class Record(TypedDict, Generic[T]):\n    x: Wrapped"
    named = "class Record(NamedTuple, Generic[T]):\n    x: Wrapped"
    milo, mcp = schema_of("Record[Bare]", MILO), schema_of("Record[Bare]")
    here, optional = Here(INTEGER), Here(OPTIONAL)
    no_field: Other = {"ClassVar": (obj([]), "a class variable is not a field")}
    why = "a key that is not required is not in the list"

    def qualified(name: str, expected: Json) -> Other:
        reason = "a type qualifier inside a union says nothing about the key"
        others = dict.fromkeys(UNIONS, (expected, reason))
        return {**others, name: (expected, "the outermost of two qualifiers decides")}

    return [
        Reader("field of a dataclass in MILO", "int | None", data, milo, record(x=here),
               other=no_field),
        Reader("field of a dataclass in MCP", "int | None", data, mcp, record(x=optional),
               other=no_field),
        Reader("key of a TypedDict in MILO", "int | None", typed, milo, record(x=here),
               other={"NotRequired": (obj([], x=here), why)}),
        Reader("key of a TypedDict in MCP", "int | None", typed, mcp, record(x=optional),
               other={"NotRequired": (obj([], x=optional), why)}),
        Reader("field of a NamedTuple", "int | None", named, milo, fixed(optional)),
        Reader("key that is not required", "NotRequired[int]", typed, mcp, obj([], x=here),
               other=qualified("Required", record(x=here))),
        Reader("key that is required", "Required[int]",
               "class Record(TypedDict, Generic[T], total=False):\n    x: Wrapped", mcp,
               record(x=here), other=qualified("NotRequired", obj([], x=here))),
        Reader("further keys of a TypedDict", "int",
               "class Record(typing_extensions.TypedDict, Generic[T], extra_items=Wrapped):\n"
               "    x: str", mcp, record(x=STRING) | {"additionalProperties": here},
               needs="typing_extensions>=4.13"),
        Reader("no further keys of a TypedDict", "Never",
               "class Record(typing_extensions.TypedDict, Generic[T], extra_items=Wrapped):\n"
               "    x: str", mcp, record(x=STRING) | CLOSED,
               other=no_value("Record[Never]{}", "Never"), needs="typing_extensions>=4.13"),
    ]  # fmt: skip


def inside() -> list[Reader]:
    """Schemas of annotations inside others."""
    box = "@dataclass\nclass Record(Generic[T]):\n    x: {}"
    whole = schema_of("Record[Bare]")
    here = Here(INTEGER)
    f = method("def f(self, x: Wrapped): ...")
    some = record(x={"type": "array", "prefixItems": [BOOLEAN], "items": {},
                     "minItems": 1})  # fmt: skip
    key = {"pattern": "^-?(0|[1-9][0-9]*)$"}
    return [
        Reader("type_to_schema", "list[int]", "", schema_of("Wrapped"), Here(array_of(INTEGER)),
               other={"bound type parameter": ({}, "no class binds it here")}),
        Reader("item of a list", "int", box.format("list[Wrapped]"), whole,
               record(x=array_of(here))),
        Reader("value of a dict", "int", box.format("dict[str, Wrapped]"), whole,
               record(x={"type": "object", "additionalProperties": here})),
        Reader("key of a dict", "int", box.format("dict[Wrapped, str]"), whole,
               record(x={"type": "object", "additionalProperties": STRING, "propertyNames": key})),
        Reader("position of a tuple", "int", box.format("tuple[Wrapped, str]"), whole,
               record(x=fixed(here, STRING))),
        Reader("items of a tuple", "int", box.format("tuple[Wrapped, ...]"), whole,
               record(x=array_of(here))),
        Reader("tuple in a tuple", "tuple[int, str]", box.format("tuple[bool, Unpack[Wrapped]]"),
               whole, record(x=fixed(BOOLEAN, INTEGER, STRING)), other=in_a_union(some)),
        Reader("member of a union", "int", box.format("Union[Wrapped, str]"), whole,
               record(x={"anyOf": [here, STRING]})),
        Reader("union in a union", "int | None", box.format("Union[Wrapped, str]"), whole,
               record(x={"anyOf": [INTEGER, STRING, NULL]}),
               other=dict.fromkeys(DESCRIBED, (
                   record(x={"anyOf": [OPTIONAL | {"description": "What it is."}, STRING]}),
                   "the description is about the members of the inner union only",
               ))),
        Reader("Never in a union", "Never", box.format("Union[Wrapped, str]"), whole,
               record(x=STRING), other=no_value("Record[Never].x", "Never", UNIONS[::2])),
        Reader("constraint around", "int", box.format("Annotated[Wrapped, Ge(0)]"), whole,
               record(x=Here(INTEGER | {"minimum": 0}))),
        Reader("constraint around a union", "list[int] | None",
               box.format("Annotated[Wrapped, MinLen(1)]"), whole,
               record(x=Here({"anyOf": [array_of(INTEGER) | {"minItems": 1}, NULL]}))),
        Reader("constraint inside", "Annotated[int, Ge(0)]", f, taking(MILO),
               record(x=Here(INTEGER | {"minimum": 0}))),
        Reader("description around", "int",
               box.format("Annotated[Wrapped, Description('The field.')]"), whole,
               record(x=INTEGER | {"description": "The field."})),
        Reader("description inside", "Annotated[int, Description('Inside.')]", f, taking(MILO),
               record(x=INTEGER | {"description": "Inside."}),
               other=dict.fromkeys(DESCRIBED, (
                   record(x=INTEGER | {"description": "What it is."}),
                   "the outermost of two descriptions holds",
               ))),
        Reader("argument of a generic class", "int",
               "@dataclass\nclass Page(Generic[V]):\n    item: V\n"
               + box.format("Page[Wrapped]"), whole, record(x=record(item=here))),
        Reader("argument of a generic base", "int",
               "@dataclass\nclass Page(Generic[V]):\n    item: V\n"
               "@dataclass\nclass Record(Page[Wrapped], Generic[T]): ...",
               whole, record(item=here)),
    ]  # fmt: skip


def custom() -> list[Reader]:
    """Types that describe themselves, or that a profile describes."""
    f = method("def f(self, x: Wrapped): ...")
    money = {"type": "string", "title": "Money"}
    hooked = "class Hooked:\n    @classmethod\n    def __milo_schema__(cls, walk):\n        "

    def told(key: str) -> Callable[[ModuleType], Json]:
        def ask(module: ModuleType) -> Json:
            types = {eval(key, vars(module)): money}
            return function_to_schema(module.f, profile=MCP.with_types(types))

        return ask

    return [
        Reader("type that the profile describes", "Money", f, told("Money"),
               record(x=Here(money)) | CLOSED, "class Money: ..."),
        Reader("subclass of a type that the profile describes", "Coin", f, told("Money"),
               record(x=Here(money)) | CLOSED, "class Money: ...\nclass Coin(Money): ..."),
        Reader("generic form that the profile describes", "list[int]", f, told("list[int]"),
               record(x=Here(money)) | CLOSED),
        Reader("class that describes itself", "Hooked", f, taking(MCP),
               record(x=Here(money)) | CLOSED, f"{hooked}return {money}"),
        Reader("type that a hook asks for", "int",
               f"{hooked}return walk.schema(Wrapped)\n" + method("def f(self, x: Hooked): ..."),
               taking(MCP), record(x=Here(INTEGER)) | CLOSED),
    ]  # fmt: skip


def variadics() -> list[Reader]:
    """Schemas of ``**kwargs``."""
    unpacked = method("def f(self, **keys: Unpack[Wrapped]): ...")
    asked = "PEP 692 requires one"
    no_typed_dict: Other = {
        each: (SchemaWarning(f"Holder.f(keys): {shown} is not a TypedDict; {asked}"), asked)
        for each, shown in zip(UNIONS, ("Wrapped", "Keys | 'Bare'", "Wrapped"), strict=True)
    }
    keys = obj(["a"], a=INTEGER, b=STRING)
    secret = "class Keys(TypedDict, Generic[T]):\n    a: int\n    secret: Wrapped"
    return [
        Reader("unpacked TypedDict", "Keys", unpacked, taking(MCP), keys | CLOSED, KEYS,
               other=no_typed_dict),
        Reader("further keywords", "int", method("def f(self, **rest: Wrapped): ..."), taking(MCP),
               {"type": "object", "properties": {}, "additionalProperties": Here(INTEGER)}),
        Reader("injected key of an unpacked TypedDict", "Context",
               f"{secret}\n" + method("def f(self, **keys: Unpack[Keys[Bare]]): ..."), taking(MILO),
               record(a=INTEGER), CONTEXT),
    ]  # fmt: skip


def outputs() -> list[Reader]:
    """The output schemas of a function."""
    plain = method("def f(self) -> Wrapped: ...")
    generator = method("def f(self) -> Wrapped: yield")
    coroutine = method("async def f(self) -> Wrapped: ...")
    stream = method("async def f(self) -> Wrapped: yield")
    here = Here(INTEGER)
    openmcp = profiles.OPENMCP
    array = in_a_union(Here(array_of(INTEGER)))
    none: Other = {"TypeVar with a bound": ({}, "bound=None says that there is no bound")}
    guarded = MCP.replace(output_signals={"Signal"})
    items = MCP.replace(generators="item")
    return [
        Reader("output", "int", plain, giving(MCP), here),
        Reader("optional output in MILO", "int | None", plain, giving(MILO), Here(OPTIONAL)),
        Reader("output of a coroutine function", "int", coroutine, giving(MCP), here),
        Reader("Iterator", "Iterator[int]", plain, giving(MCP), Here(array_of(INTEGER))),
        Reader("Iterator of a generator function", "Iterator[int]", generator, giving(items), here,
               other=array),
        Reader("Iterable", "Iterable[int]", plain, giving(MCP), Here(array_of(INTEGER))),
        Reader("Iterable of a generator function", "Iterable[int]", generator, giving(items), here,
               other=array),
        Reader("AsyncIterator of a generator function", "AsyncIterator[int]", stream, giving(items),
               here, other=in_a_union(without_schema("AsyncIterator[int]"))),
        Reader("Generator", "Generator[int, None, str]", generator, giving(items), here,
               other=array),
        Reader("Awaitable", "Awaitable[int]", plain, giving(MCP), here,
               other=in_a_union(without_schema("Awaitable[int]"))),
        Reader("Coroutine of an Iterator", "Coroutine[Any, Any, Iterator[int]]", plain, giving(MCP),
               Here(array_of(INTEGER)),
               other=in_a_union(without_schema("Coroutine[Any, Any, Iterator[int]]"))),
        Reader("Future", "asyncio.Future[int]", plain, giving(MCP), here, "import asyncio",
               in_a_union(without_schema("Future[int]"))),
        Reader("what is awaited", "int", method("def f(self) -> Awaitable[Wrapped]: ..."),
               giving(MCP), here),
        Reader("what is yielded", "int", method("def f(self) -> Iterator[Wrapped]: yield"),
               giving(items), here),
        Reader("what is awaited and iterated", "Iterator[int]",
               method("def f(self) -> Awaitable[Wrapped]: ..."), giving(MCP),
               Here(array_of(INTEGER))),
        Reader("None", "None", plain, giving(MCP), None, other=none),
        Reader("awaited None", "None", method("def f(self) -> Awaitable[Wrapped]: ..."),
               giving(MCP), None, other=none),
        Reader("NoReturn", "NoReturn", plain, giving(MCP), None,
               other=no_value("Holder.f() -> result", "NoReturn")),
        Reader("opaque output", "TextContent", plain, giving(openmcp), None, CONTENT),
        Reader("opaque output or None", "TextContent | None", plain, giving(openmcp), None,
               CONTENT),
        Reader("member of an opaque output", "TextContent",
               method("def f(self) -> Union[Wrapped, None, int]: ..."), giving(openmcp), None,
               CONTENT),
        Reader("item of an opaque output", "TextContent",
               method("def f(self) -> list[Union[int, Wrapped]]: ..."), giving(openmcp), None,
               CONTENT),
        Reader("container of an opaque output", "list[tuple[list[TextContent], ...]]",
               plain, giving(openmcp), None, CONTENT),
        Reader("signal", "Signal", plain, giving(guarded), None, SIGNAL),
        Reader("member of a union with a signal", "Signal",
               method("def f(self) -> Union[Wrapped, int]: ..."), giving(guarded), INTEGER, SIGNAL,
               no_value("Holder.f() -> result", "Signal", UNIONS[::2])),
        Reader("union with a signal", "Union[Signal, int]", plain, giving(guarded), Here(INTEGER),
               SIGNAL),
        Reader("awaited opaque output", "Awaitable[TextContent]", plain, giving(openmcp), None,
               CONTENT),
        Reader("boxed output", "int", plain, giving(profiles.MCP_2025), boxed(here)),
        Reader("boxed optional output", "Point | None", plain, giving(profiles.MCP_2025),
               boxed(Here({"anyOf": [POINT, NULL]})), POINT_CLASS),
        Reader("output that is an object", "Point", plain, giving(profiles.MCP_2025), Here(POINT),
               POINT_CLASS),
    ]  # fmt: skip


def injected() -> list[Reader]:
    """Parameters that the framework fills in."""
    f = method("def f(self, a: int, x: Wrapped): ...")
    optional = method("def f(self, a: int, x: Optional[Wrapped] = None): ...")
    a = record(a=INTEGER)

    def excluding(*names: str) -> Callable[[ModuleType], Json]:
        return lambda module: function_to_schema(
            module.f, exclude=[eval(name, vars(module)) for name in names]
        )

    return [
        Reader("injected by the name of its class", "Context", f, taking(MILO), a, CONTEXT),
        Reader("optional, injected by the name of its class", "Context | None", f, taking(MILO), a,
               CONTEXT),
        Reader("member injected by the name of its class", "Context", optional, taking(MILO), a,
               CONTEXT),
        Reader("generic, injected by the name of its class", "Context[int]", f, taking(MILO), a,
               "class Context(Generic[V]): ..."),
        Reader("excluded by its class", "Service", f, excluding("Service"), a, SERVICE),
        Reader("excluded by a base", "Derived", f, excluding("Service"), a,
               SERVICE + "\nclass Derived(Service): ..."),
        Reader("optional, excluded by its class", "Service | None", f, excluding("Service"), a,
               SERVICE),
        Reader("member excluded by its class", "Service", optional, excluding("Service"), a,
               SERVICE),
        Reader("union of excluded classes", "Service | Other", f, excluding("Service", "Other"), a,
               SERVICE + "\nclass Other: ..."),
        Reader("Injected inside", "Annotated[str, Injected]", f, taking(MILO), a),
        Reader("optional, Injected inside", "Annotated[str | None, Injected]", f, taking(MILO), a),
        Reader("Injected around", "str",
               method("def f(self, a: int, x: Annotated[Wrapped, Injected]): ..."), taking(MILO),
               a),
    ]  # fmt: skip


def results() -> list[Reader]:
    """Values, put into JSON by an annotation."""
    data = "@dataclass\nclass Record(Generic[T]):\n    x: {}"
    plain = method("def f(self) -> Wrapped: ...")
    two = POINT_CLASS + "\n@dataclass\nclass Corner(Point):\n    y: int"

    no_item = SchemaError("<date object> is not Iterator[date] | 'Bare'", "Holder.f() -> result")

    def called(module: ModuleType) -> Any:
        day = datetime.date(2026, 7, 28)
        return tool_schema(module.f).result(day)["structuredContent"]

    return [
        Reader("value", "datetime.date", "", json_of(DAY, "Wrapped"), "2026-07-28"),
        Reader("optional value", "datetime.date | None", "", json_of("None", "Wrapped"), None),
        Reader("value in a list", "datetime.date", data.format("list[Wrapped]"),
               json_of(f"Record([{DAY}])", "Record[Bare]"), {"x": ["2026-07-28"]}),
        Reader("value of a key", "int", data.format("dict[Wrapped, str]"),
               json_of("Record({1: 'a'})", "Record[Bare]"), {"x": {"1": "a"}}),
        Reader("value in a tuple", "tuple[datetime.date, int]",
               data.format("tuple[bool, Unpack[Wrapped]]"),
               json_of(f"Record((True, {DAY}, 1))", "Record[Bare]"),
               {"x": [True, "2026-07-28", 1]}),
        Reader("value of the second class of a union", "Corner",
               data.format("Union[Point, Wrapped]"),
               json_of("Record(Corner(1, 2))", "Record[Bare]"), {"x": {"x": 1, "y": 2}}, two),
        Reader("value of a union with Never", "Never", data.format("Union[Wrapped, int]"),
               json_of("Record(1)", "Record[Bare]"), {"x": 1}),
        Reader("value of a record", "Point", plain, returned("Point(1)"), {"x": 1}, POINT_CLASS),
        Reader("value of a TypedDict", "Keys", plain, returned("{'a': 1}"), {"a": 1}, KEYS),
        Reader("returned value", "datetime.date", plain, returned(DAY), "2026-07-28"),
        Reader("yielded value", "Iterator[datetime.date]",
               method("def f(self) -> Wrapped: yield"), returned(DAY), "2026-07-28",
               other=in_a_union(no_item)),
        Reader("awaited value", "Awaitable[datetime.date]", plain, returned(DAY), "2026-07-28"),
        Reader("result of a call", "datetime.date", plain, called, "2026-07-28"),
    ]  # fmt: skip


READERS = [
    *parameters(),
    *fields(),
    *inside(),
    *custom(),
    *variadics(),
    *outputs(),
    *injected(),
    *results(),
]
