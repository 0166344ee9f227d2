"""The definition of a tool rules its calls: what it accepts is passed on, and nothing else."""

import asyncio
import contextvars
import copy
import dataclasses
import datetime
import functools
import itertools
import pickle
import sys
import threading
from collections.abc import AsyncIterator, Generator, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict, Unpack

import jsonschema_rs
import pytest
from hypothesis import given

from milo_schema import (
    Description,
    Ge,
    Injected,
    Profile,
    SchemaError,
    ToolSchema,
    profiles,
    tool_schema,
)
from milo_schema.arguments import Binder
from tests.every import every
from tests.fragments import INTEGER, STRING, obj, record
from tests.generated import generated
from tests.inside import Reader, Reading
from tests.modules import module_from
from tests.test_meaning import mutated

MCP, MILO = profiles.MCP, profiles.MILO
PROFILES = [each for each in vars(profiles).values() if isinstance(each, Profile)]
EVERY_PROFILE = pytest.mark.parametrize("profile", PROFILES, ids=lambda each: each.name)


def said(result: Any) -> str:
    """The text of a result that is an error."""
    assert result["isError"] is True
    (block,) = result["content"]
    return str(block["text"])


def told(tool: ToolSchema, arguments: Any, **options: Any) -> str:
    """What a model reads about a call that is refused."""
    return said(tool.call(arguments, **options))


def refused(tool: ToolSchema, arguments: Any, **options: Any) -> bool:
    return bool(tool.call(arguments, **options)["isError"])


# -- what a tool remembers ---------------------------------------------------------------------


def shout(text: str, times: int = 3) -> str:
    """Shout.

    Args:
        text: What to shout.
        times: How often.
    """
    return text.upper() * times


def test_a_tool_calls_its_function_with_its_own_options():
    class Money:
        def __init__(self, cents: int) -> None:
            self.cents = cents

    def pay(price: Money, purse: "Purse", note: str = "") -> Money:  # noqa: F821
        return Money(purse - price.cents)

    profile = MCP.replace(
        types={Money: {"type": "integer"}},
        decoders={Money: Money},
        encoders={Money: lambda money: money.cents},
    )
    names = {"Purse": Annotated[int, Injected]}
    tool = tool_schema(pay, profile=profile, exclude={"note"}, localns=names)
    assert tool.call({"price": 3}, inject={"purse": 10})["structuredContent"] == 7


def test_the_function_of_a_tool_is_not_part_of_the_definition():
    tool = tool_schema(shout, profile=MCP)
    other = ToolSchema.from_mcp(tool.to_mcp())

    assert tool == other
    assert repr(tool) == repr(other)
    assert str(tool) == str(other)
    assert vars(tool) == vars(other)
    assert tool.fingerprint() == other.fingerprint()
    assert pickle.dumps(tool) == pickle.dumps(other)
    assert list(tool.__rich_repr__()) == list(other.__rich_repr__())
    for form in ("to_mcp", "to_openai", "to_anthropic", "to_gemini", "to_bedrock"):
        assert getattr(tool, form)() == getattr(other, form)()


def test_a_copy_of_a_tool_knows_the_function():
    tool = tool_schema(shout, profile=MCP)
    for each in (copy.copy(tool), copy.deepcopy([tool])[0]):
        assert each.call({"text": "a"})["structuredContent"] == "AAA"


def replaced_by_all(tool: ToolSchema, **changes: Any) -> list[ToolSchema]:
    by_copy: list[Any] = [vars(copy)["replace"]] if sys.version_info >= (3, 13) else []
    return [make(tool, **changes) for make in (ToolSchema.replace, dataclasses.replace, *by_copy)]


def count(word: str, times: int | None = None) -> int:
    """Count.

    Args:
        word: A word.
        times: How often.
    """
    return len(word) * (times or 1)


def test_a_replaced_tool_knows_its_function_and_who_wrote_its_schema():
    tool = tool_schema(count, profile=profiles.MILO)
    for each in replaced_by_all(tool, title="Count"):
        assert each.call({"word": "ab", "times": None})["structuredContent"] == 2
        assert each.call({"word": "ab", "x": 1}) == tool.call({"word": "ab", "x": 1})
    for each in replaced_by_all(tool, input_schema={"type": "object", "required": ["times"]}):
        assert told(each, {"word": "ab"}) == "count(): .times: required but not given"
        assert each.call({"word": "ab", "times": 2, "x": 1})["structuredContent"] == 4


def test_a_replaced_tool_is_written_in_another_dialect_as_before():
    tool = tool_schema(count, profile=profiles.GEMINI)
    exact = tool.with_profile(profiles.OPENAI_STRICT).input_schema
    for each in replaced_by_all(tool, title="Count"):
        assert each.with_profile(profiles.OPENAI_STRICT).input_schema == exact
    schema = tool.input_schema
    schema["properties"]["word"]["description"] = "Another text."
    for each in replaced_by_all(tool, input_schema=schema):
        found = each.with_profile(profiles.OPENAI_STRICT).input_schema
        assert found["properties"]["word"]["description"] == "Another text."


def test_a_schema_that_only_python_calls_equal_is_another_one():
    def pick(flag: Literal[1]) -> int:
        return flag

    tool = tool_schema(pick, profile=profiles.MCP)
    assert tool.input_schema["properties"]["flag"] == {"type": "integer", "enum": [1]}
    schema = tool.input_schema
    schema["properties"]["flag"]["enum"] = [True]
    assert schema == tool.input_schema
    for each in replaced_by_all(tool, input_schema=schema):
        assert each.input_schema["properties"]["flag"]["enum"][0] is True


# -- hidden parameters -------------------------------------------------------------------------


def test_a_change_of_what_was_excluded_changes_no_call():
    """And only the function's own side sets what is hidden; tests/test_security.py has the rest."""

    def send(message: str, root: str = "/srv") -> str:
        return root

    names = ["root"]
    excluded: list[Any] = [names, iter(["root"])]
    for exclude in excluded:
        tool = tool_schema(send, exclude=exclude, profile=MCP)
        names.clear()
        assert tool.call({"message": "a"})["structuredContent"] == "/srv"
        assert refused(tool, {"message": "a", "root": "/etc"})
        assert tool.call({"message": "a"}, inject={"root": "/etc"})["structuredContent"] == "/etc"


@EVERY_PROFILE
@pytest.mark.parametrize("is_open", [True, False])
def test_a_given_schema_never_sets_a_hidden_parameter(profile, is_open):
    def ask(q, user="guest", *, root="/srv", **rest):
        return f"{user} {root} {sorted(rest)}"

    schema = obj([], q={}, user={}) | {"additionalProperties": is_open}
    mine = profile.with_injected(names={"user"})
    tool = tool_schema(ask, profile=mine, exclude=["root"], input_schema=schema)
    assert "guest /srv []" in str(tool.call({"q": 1, "user": "admin"}))
    result = tool.call({"q": 1, "user": "admin", "root": "/etc", "self": 1})
    assert ("guest /srv ['self']" in str(result)) is is_open
    assert "admin /srv" in str(tool.call({"q": 1}, inject={"user": "admin"}))


def test_what_a_tool_excludes_stays_hidden_with_another_function():
    def send(q: str, root: str = "/srv", more: int = 1) -> str:
        return root

    schema = obj([], q={}, root={})
    tool = tool_schema(send, exclude=["root"], input_schema=schema, profile=MCP)
    with pytest.raises(SchemaError) as caught:
        tool.with_function(send)
    why = "has 'root', which is hidden from callers"
    assert str(caught.value) == f"send(): the definition of 'send' {why}"


@dataclass
class Place:
    city: str
    zip: str = "0150"
    floor: int | None = 2


def deliver(place: Place, count: int = 1) -> str:
    """Deliver.

    Args:
        place: Where to.
        count: How many.
    """
    return f"{place.city} {place.zip} {place.floor} {count}"


WITH_RECORDS = [each for each in PROFILES if each.dialect != "elicitation"]
LEFT_OUT: dict[str, Any] = {"place": {"city": "Oslo"}}
EVERYTHING: dict[str, Any] = {"place": {"city": "Oslo", "zip": "1", "floor": 3}, "count": 4}


@pytest.mark.parametrize("optional", ["null", "required"])
@pytest.mark.parametrize("profile", WITH_RECORDS, ids=lambda each: each.name)
def test_a_call_may_leave_out_what_only_a_dialect_requires(profile, optional):
    """And nothing that the function requires; a schema given by hand requires what it says."""
    tool = tool_schema(deliver, profile=profile.replace(optional=optional))

    assert not refused(tool, LEFT_OUT)
    assert "Oslo 0150 2 1" in str(tool.call(LEFT_OUT))
    assert "Oslo 1 3 4" in str(tool.call(EVERYTHING))
    assert refused(tool, {"count": 4})
    assert refused(tool, {"place": {"zip": "1"}})
    if "count" in tool.input_schema["required"]:
        assert profile.dialect == "openai_strict" or optional == "required"
        given = tool_schema(deliver, profile=MCP, input_schema=tool.input_schema)
        assert said(given.call(LEFT_OUT)).startswith("deliver(): ")
        assert not refused(given, EVERYTHING)


def test_null_stands_for_what_only_a_dialect_requires():
    tool = tool_schema(deliver, profile=profiles.OPENAI_STRICT)
    nothing = {"place": {"city": "Oslo", "zip": None, "floor": None}, "count": None}

    assert "Oslo 0150 None 1" in str(tool.call(nothing))
    assert refused(tool_schema(deliver, profile=MCP), nothing)


# -- schemas given by hand ---------------------------------------------------------------------

CLOSED = {"additionalProperties": False}
GIVEN = record(custom_field=STRING | {"enum": ["a", "b", "c"]}) | CLOSED


def custom_tool(**kwargs) -> str:
    return str(kwargs.get("custom_field", "default"))


@EVERY_PROFILE
def test_the_override_of_openmcp_can_be_called(profile):
    tool = tool_schema(custom_tool, input_schema=GIVEN, profile=profile)

    assert not refused(tool, {"custom_field": "b"})
    reason = '.custom_field: expected one of "a", "b", "c", got "zzz"'
    assert told(tool, {"custom_field": "zzz"}) == f"custom_tool(): {reason}"
    assert told(tool, {"custom": "a"}) == (
        "custom_tool(): 2 problems\n"
        "- .custom_field: required but not given\n"
        '- .custom: unknown argument; did you mean "custom_field"?'
    )
    reason = "expected an object with the arguments, got an array of 0 items"
    assert told(tool, []) == f"custom_tool(): {reason}"


@dataclass
class Item:
    name: str
    count: int = 1


class Keys(TypedDict, total=False):
    name: str


def untyped(item, note="", *, day=None):
    return {"item": item, "note": note, "day": day}


def rest(item, **others):
    return {"item": item, **others}


def kwargs_only(**others):
    return others


def by_position(item, /, note="", *others):
    return {"item": item, "note": note}


def ready(item: dict[str, Any], note: str = "", day: Any = None):
    return {"item": item, "note": note, "day": day}


ITEM = obj(["name"], name=STRING, count={"type": "integer", "minimum": 1})
SCHEMAS: dict[str, Any] = {
    "closed": obj(["item"], item=ITEM, note=STRING | {"maxLength": 3}, day={}) | CLOSED,
    "open": obj(["item"], item=ITEM, note={"enum": ["a", "b"]}),
    "referring": record(item={"$ref": "#/$defs/Item"}, note=STRING) | {"$defs": {"Item": ITEM}},
    "branching": {"type": "object", "required": ["item"],
          "allOf": [{"properties": {"item": ITEM}}, {"properties": {"note": STRING}}],
          "patternProperties": {"^x": INTEGER}},
}  # fmt: skip
EXAMPLE = {"item": {"name": "tea", "count": 2}, "note": "a"}


JUDGED = {"MCP", "MILO", "FASTMCP", "MCP_SDK", "OPENMCP", "PLATOOLS", "OPENAI_STRICT", "GEMINI"}


@every("profile", [each for each in PROFILES if each.name in JUDGED])
@pytest.mark.parametrize("func", [untyped, rest, kwargs_only, by_position, ready])
@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
@pytest.mark.parametrize("count", [30, pytest.param(600, marks=pytest.mark.long)])
def test_a_call_accepts_what_the_given_schema_accepts(func, schema, profile, count):
    if func is by_position and profile is profiles.OPENMCP:
        return  # only what can be passed by name is a parameter there
    tool = tool_schema(func, input_schema=schema, profile=profile.replace(outputs=False))
    validator = jsonschema_rs.Draft202012Validator(tool.input_schema)
    judged = {True: 0, False: 0}
    for json in examples(count):
        is_valid = validator.is_valid(json)
        judged[is_valid] += 1
        assert refused(tool, json) is not is_valid, json
    assert min(judged.values()) >= 1, judged


@functools.cache
def examples(count: int) -> list[Any]:
    """Arguments that differ from the example in one or two places; the same for each schema."""
    found: list[Any] = [EXAMPLE]

    @generated(count)
    @given(mutated(EXAMPLE) | mutated(EXAMPLE).flatmap(mutated))
    def collect(json: Any) -> None:
        found.append(json)

    collect()
    return found


def test_the_parameters_still_read_what_a_given_schema_accepts():
    def book(day: datetime.date, item: Item, nights: int = 1, **others: Any) -> str:
        return f"{day:%A} {item} {nights} {others}"

    schema = {"type": "object", "properties": {"day": {"type": "string"}, "item": {}, "nights": {}}}
    tool = tool_schema(book, input_schema=schema, profile=MCP)
    good = {"day": "2026-07-28", "item": {"name": "tea"}, "nights": None, "more": [1]}

    assert tool.call(good).text == "Tuesday Item(name='tea', count=1) 1 {'more': [1]}"
    reason = '.day: expected a date such as 2026-01-31, got "tomorrow"'
    assert told(tool, {**good, "day": "tomorrow"}) == f"book(): {reason}"
    assert told(tool, {"day": "2026-07-28"}) == "book(): .item: required but not given"


def test_the_keys_of_a_typed_dict_are_parameters_under_a_given_schema():
    def take(*args: int, **keys: Unpack[Keys]) -> Any:
        return [list(args), keys]

    schema = {"type": "object", "properties": {"name": {}, "args": {}}}
    found = {}
    for profile in (MCP, profiles.MCP_SDK):
        tool = tool_schema(take, input_schema=schema, profile=profile, output_schema={})
        found[profile.name] = tool.call({"name": "a", "other": 1, "args": [1]}).text
    assert found == {"MCP": '[[], {"name": "a"}]', "MCP_SDK": '[[1], {"name": "a"}]'}


def test_the_fields_of_the_only_parameter_are_judged_by_a_given_schema():
    def add(item: Item) -> int:
        return item.count

    flat = MCP.replace(flatten=True)
    tool = tool_schema(add, input_schema={**ITEM, "description": "An item."}, profile=flat)
    assert tool.call({"name": "tea", "count": 2})["structuredContent"] == 2
    reason = ".count: must be at least 1, got 0"
    assert told(tool, {"name": "tea", "count": 0}) == f"add(): {reason}"


def test_a_hidden_remainder_takes_nothing():
    def add(item: str, **more: Any) -> Any:
        return more

    tool = tool_schema(add, input_schema={"type": "object"}, exclude=["more"], profile=MCP)
    assert tool.call({"item": "a", "x": 1})["content"][0]["text"] == "{}"


def test_repair_reads_text_where_a_given_schema_refuses_it():
    tool = tool_schema(rest, input_schema=SCHEMAS["closed"], profile=MCP)
    sent = {"item": {"name": "5", "count": "2"}, "note": "1", "day": ["[1]", 2]}

    assert told(tool, sent) == 'rest(): .item.count: expected an integer, got "2"'
    repaired = '{"item": {"name": "5", "count": 2}, "note": "1", "day": ["[1]", 2]}'
    assert tool.call(sent, repair=True).text == repaired
    reason = '.item: expected an object, got "x"'
    assert told(tool, {**sent, "item": "x"}, repair=True) == f"rest(): {reason}"


def test_what_is_not_json_is_refused_before_a_given_schema_judges_it():
    tool = tool_schema(rest, input_schema={"type": "object"}, profile=MCP)
    assert said(tool.call({"item": float("nan")})) == ("rest(): .item: nan is not a JSON value")


def test_a_changed_definition_rules_the_calls():
    tool = tool_schema(shout, profile=MCP)
    schema = tool.input_schema
    schema["properties"]["times"]["maximum"] = 3
    less = tool.replace(input_schema=schema)

    assert not refused(tool, {"text": "a", "times": 4})
    assert said(less.call({"text": "a", "times": 4})) == "shout(): .times: must be at most 3, got 4"


def test_other_texts_in_a_definition_change_no_call():
    tool = tool_schema(shout, profile=MCP)
    schema = tool.input_schema
    schema["properties"]["times"]["description"] = "How loud."
    schema["title"] = "Shout"

    wrong = {"text": 1}
    assert tool.replace(input_schema=schema).call(wrong) == tool.call(wrong)


def test_what_a_transform_adds_is_enforced():
    def only_oslo(schema: Any, report: Any) -> Any:
        if not report.output:
            schema["properties"]["city"]["enum"] = ["Oslo"]
        return schema

    def find(city: str, count: int = 1) -> int:
        return count

    tool = tool_schema(find, profile=MCP.replace(transforms=[only_oslo]))
    assert told(tool, {"city": "Rome"}) == 'find(): .city: expected one of "Oslo", got "Rome"'
    reason = ".count: expected an integer, got null"
    assert told(tool, {"city": "Oslo", "count": None}) == f"find(): {reason}"
    reason = '.x: unknown argument; allowed: "city", "count"'
    assert told(tool, {"city": "Oslo", "x": 1}) == f"find(): {reason}"


def test_what_a_dialect_cannot_say_is_still_enforced():
    def find(count: Annotated[float, Ge(1)]) -> float:
        return count

    for profile in PROFILES:
        described = Annotated[float, Ge(1), Description("How many.")]
        find.__annotations__["count"] = described
        assert refused(tool_schema(find, profile=profile), {"count": 0})


# -- no arguments ------------------------------------------------------------------------------


def ping(word: str = "pong") -> str:
    return word


@EVERY_PROFILE
def test_no_arguments_are_a_call_without_arguments(profile):
    tool = tool_schema(ping, profile=profile)

    assert tool.call() == tool.call({})
    assert said(tool_schema(shout).call()) == "shout(): .text: required but not given"
    assert asyncio.run(tool.call_async(None)) == tool.call({})
    empty: list[Any] = ["", "  \n", [], "null", "{}", "[]"]
    for nothing in empty:
        assert refused(tool, nothing)
        assert tool.call(nothing, repair=True) == tool.call({})
    for something in (0, False, "x", [1], '"x"'):
        assert refused(tool, something, repair=True)


# -- a function for a tool that knows none -----------------------------------------------------


def stored(tool: ToolSchema) -> list[ToolSchema]:
    """The tool as a file, or another process, has it."""
    return [pickle.loads(pickle.dumps(tool)), ToolSchema.from_mcp(tool.to_mcp())]


def test_a_stored_tool_needs_its_function():
    why = "its function is not known, because it was read from a file or unpickled"
    for tool in stored(tool_schema(shout, profile=MCP)):
        with pytest.raises(SchemaError) as caught:
            tool.call({})
        assert str(caught.value) == f"shout: {why}; use with_function()"


@EVERY_PROFILE
def test_a_stored_tool_is_called_with_its_function(profile):
    made = tool_schema(shout, profile=profile)
    good = {"text": "a", "times": 2}
    for tool in stored(made):
        for found in (tool.with_profile(profile), tool):
            ready = found.with_function(shout)
            assert refused(ready, {"text": 1, "times": 2})
            assert refused(ready, {"times": 2})
            if found is not tool:
                assert ready.call(good) == made.call(good)
            elif tool.box == made.box is None:  # a file does not name the profile
                assert ready.call(good).value == made.call(good).value


NAMES = ("message", "user", "ctx", "platos_ctx", "root", "token")


def adapted(profile: Profile, name: str) -> Profile:
    """A profile that hides one more name, and accepts variadic parameters."""
    variadics = "omit" if profile.variadics == "error" else profile.variadics
    return profile.with_injected(names={name}).replace(variadics=variadics)


@pytest.mark.filterwarnings("ignore::milo_schema.SchemaWarning")
@EVERY_PROFILE
def test_a_function_of_any_profile_never_gets_what_a_stored_tool_hides(profile):
    """Whatever one of the two profiles hides is refused or dropped."""
    seen: list[dict[str, Any]] = []
    listed = ", ".join(f"{name}: str = ''" for name in NAMES[1:])
    source = f"def send(message: str, {listed}, **rest: str) -> None: seen.append(locals() | rest)"
    send = module_from(source, seen=seen).send
    send.__doc__ = "Send.\n\nArgs:\n" + "".join(f"    {name}: It.\n" for name in NAMES)
    mine = [adapted(each, "token") for each in PROFILES]
    sent = [dict.fromkeys(NAMES, "x"), *({"message": "x", each: "x"} for each in NAMES)]
    made = tool_schema(send, exclude=["root"], profile=adapted(profile, "user"))
    shown = made.input_schema["properties"].keys() & set(NAMES)
    for tool, theirs in itertools.product(stored(made), mine):
        hidden = theirs.injected_names
        for arguments in sent:
            if shown & hidden:
                with pytest.raises(SchemaError, match="which is hidden from callers"):
                    tool.with_profile(theirs).with_function(send)
            else:
                tool.with_profile(theirs).with_function(send).call(arguments)
            while seen:
                assert {name for name, each in seen.pop().items() if each == "x"} <= shown - hidden


CONTRADICTIONS: list[tuple[Any, str]] = [
    (lambda txt, times=3: txt,
     ("<lambda>(): the definition of 'shout' has 'text', which is not a parameter; "
           "did you mean txt?")),
    (lambda text, times, voice: text,
     "shout(voice): required but not part of the schema; pass inject={'voice': ...}"),
]  # fmt: skip


@pytest.mark.parametrize(("func", "expected"), CONTRADICTIONS, ids=range(2))
def test_a_function_that_contradicts_the_definition_is_an_error(func, expected):
    for tool in [*stored(tool_schema(shout, profile=MCP)), tool_schema(shout, profile=MCP)]:
        with pytest.raises(SchemaError) as caught:
            tool.with_function(func).call({"text": "a"})
        assert str(caught.value) == expected


def test_another_function_of_the_same_shape_may_answer():
    def whisper(text: str, times: int = 1, ctx: Any = None) -> str:
        return text * times

    tool = tool_schema(shout, profile=MCP)
    assert tool.with_function(whisper).call({"text": "a"})["structuredContent"] == "a"
    assert tool.with_function(shout).call({"text": "a"})["structuredContent"] == "AAA"
    assert refused(tool.with_function(whisper), {"text": "a", "ctx": 1})

    def fields(item: Item) -> str:
        return item.name

    flat = MCP.replace(flatten=True)
    for stored_tool in stored(tool_schema(fields, profile=flat)):
        result = stored_tool.with_profile(flat).with_function(fields).call({"name": "tea"})
        assert result["structuredContent"] == "tea"


def test_the_definition_judges_what_another_function_gets():
    def loose(text: Any, times: Any = 1) -> str:
        return f"{text} {times}"

    tool = tool_schema(shout, profile=MCP)
    assert tool.with_function(loose).call({"text": "a", "times": 2})["structuredContent"] == "a 2"
    reason = "shout(): .text: expected a string, got 1"
    assert told(tool.with_function(loose), {"text": 1}) == reason


# -- the second call ---------------------------------------------------------------------------


class Service:
    def find(self, item: Item, day: datetime.date | None = None) -> Item:
        return item


def test_a_second_call_derives_nothing(monkeypatch):
    service = Service()
    derived = tool_schema(service.find, profile=MCP)
    given_by_hand = tool_schema(service.find, profile=MCP, input_schema={"type": "object"})
    unpickled = stored(derived)[0].with_function(service.find)
    calls = [
        lambda: derived.call({"item": {"name": "tea"}}),
        lambda: derived.call({"item": 1}),
        lambda: asyncio.run(derived.call_async({"item": {"name": "tea"}})),
        lambda: given_by_hand.call({"item": {"name": "tea"}}),
        lambda: unpickled.call({"item": {"name": "tea"}}),
    ]
    first = [call() for call in calls]
    derivations = []
    for cls in (Reading, Binder, Profile):
        monkeypatch.setattr(cls, "__init__", lambda *_, **__: derivations.append(1))
    monkeypatch.setattr(Reader, "read", lambda *_: derivations.append(1))

    assert [call() for call in calls] == first
    assert derivations == []


# -- worker threads ----------------------------------------------------------------------------


def where() -> str:
    return threading.current_thread().name


async def where_async() -> str:
    return threading.current_thread().name


def returns_a_coroutine() -> Any:
    return where_async()


def yielding() -> Iterator[str]:
    yield threading.current_thread().name


async def yielding_async() -> AsyncIterator[str]:
    yield threading.current_thread().name


class Caller:
    __name__ = "caller"

    async def __call__(self) -> str:
        return threading.current_thread().name


LISTS = MCP.replace(generators="list")


@pytest.mark.parametrize(
    ("func", "is_in_thread"),
    [
        (where, True),
        (where_async, False),
        (returns_a_coroutine, True),
        (yielding, True),
        (yielding_async, False),
        (Caller(), False),
    ],
    ids=["function", "coroutine function", "returns a coroutine", "generator", "async", "object"],
)
def test_functions_that_could_block_run_in_a_worker_thread(func, is_in_thread):
    tool = tool_schema(func, profile=LISTS, name="where", returns=Any)
    main = threading.current_thread().name

    async def call(thread: bool) -> tuple[Any, bool]:
        """What the tool returns, and whether there is a worker thread then."""
        before = threading.active_count()
        value = (await tool.call_async({}, thread=thread)).value
        return value, threading.active_count() > before

    at_home = [main] if "yielding" in str(func) else main
    assert asyncio.run(call(thread=False)) == (at_home, False)
    value, has_thread = asyncio.run(call(thread=True))
    assert has_thread is is_in_thread
    assert (value == at_home) is (func not in (where, yielding))


def test_a_value_that_can_be_awaited_again_is_awaited_once():
    class Connection(dict[str, bool]):
        def __await__(self) -> Generator[None, None, dict[str, bool]]:
            assert not self
            self["is_open"] = True
            yield from ()
            return self

    def connect() -> dict[str, bool]:
        return Connection()

    tool = tool_schema(connect, profile=MCP)
    assert asyncio.run(tool.call_async({})).value == {"is_open": True}


def test_a_function_without_an_output_schema_yields_its_items_during_the_call():
    def items():
        yield 1
        raise LookupError("gone")

    tool = tool_schema(items, profile=MCP.replace(generators="item"))
    assert said(tool.call({}, errors=LookupError)) == "gone"


def test_calls_do_not_wait_for_each_other():
    barrier = threading.Barrier(4, timeout=10)

    def wait() -> int:
        return barrier.wait() * 0

    async def main() -> list[Any]:
        return await asyncio.gather(*[tool.call_async({}) for _ in range(4)])

    tool = tool_schema(wait, profile=MCP)
    assert [each["structuredContent"] for each in asyncio.run(main())] == [0] * 4


def test_context_variables_reach_a_worker_thread():
    user: contextvars.ContextVar[str] = contextvars.ContextVar("user")

    def who() -> str:
        return user.get()

    async def main() -> Any:
        user.set("Ada")
        return await tool_schema(who, profile=MCP).call_async({})

    assert asyncio.run(main())["structuredContent"] == "Ada"


def test_an_error_in_a_worker_thread_is_reported_like_any_other():
    def fail(stops: bool) -> int:
        raise StopIteration if stops else LookupError("gone")

    tool = tool_schema(fail, profile=MCP)
    assert said(asyncio.run(tool.call_async({"stops": False}, errors=LookupError))) == "gone"
    with pytest.raises(LookupError):
        asyncio.run(tool.call_async({"stops": False}))
    with pytest.raises(RuntimeError, match=r"^fail\(\) raised StopIteration$"):
        asyncio.run(tool.call_async({"stops": True}))


def test_a_platform_without_threads_runs_functions_where_it_is(monkeypatch):
    tool = tool_schema(where, profile=MCP)

    async def main() -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "platform", "emscripten")
            return await tool.call_async({})

    assert asyncio.run(main())["structuredContent"] == threading.current_thread().name


def test_the_first_calls_may_be_in_several_threads():
    tools = [
        tool_schema(rest, input_schema=SCHEMAS["referring"], profile=MCP),
        tool_schema(Service().find, profile=MCP.replace(docstrings="first")),
    ]
    results: list[Any] = []
    start = threading.Barrier(8)

    def run(tool: ToolSchema) -> None:
        start.wait()
        results.append(tool.call({"item": {"name": "tea"}, "note": "a"})["isError"])

    for tool in tools:
        threads = [threading.Thread(target=run, args=[tool]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [False] * 8 + [True] * 8


# -- definitions that others wrote -------------------------------------------------------------


def foreign(**schema: Any) -> ToolSchema:
    listed = {"name": "t", "inputSchema": {"type": "object", **schema}}
    return ToolSchema.from_mcp(listed)


@pytest.mark.parametrize(
    ("keywords", "reason"),
    [
        ({"properties": {"x": {"$ref": None}}}, "'$ref' must be a string, not null"),
        ({"properties": {"x": {"$ref": "#/$defs/A"}}}, '"#/$defs/A", which does not exist'),
        ({"properties": ["x"]}, "'properties' must be an object"),
    ],
    ids=["value", "reference", "properties"],
)  # fmt: skip
def test_a_definition_that_is_not_valid_cannot_be_called(keywords, reason):
    with pytest.raises(SchemaError, match="the input schema is not valid: ") as caught:
        foreign(**keywords).with_function(lambda x: x).call({"x": 1})
    assert reason in str(caught.value)
    assert caught.value.code == "invalid-schema"


def test_a_definition_of_draft_7_judges_calls_by_what_it_means():
    pair = {"type": "array", "items": [{"type": "string"}, {"type": "integer"}]}
    tool = foreign(**{"$schema": "http://json-schema.org/draft-07/schema#"}, properties={"x": pair})

    def echo(x: Any) -> Any:
        return x

    ready = tool.with_function(echo)
    assert ready.call({"x": ["a", 1]}).text == '["a", 1]'
    assert told(ready, {"x": [1, 1]}) == "t(): .x[0]: expected a string, got 1"


def test_a_given_schema_decides_whether_a_variadic_parameter_is_an_argument():
    def total(start: int, *more: int) -> int:
        return start + sum(more)

    profile = profiles.MCP.replace(variadics="properties")
    more = {"type": "array", "items": INTEGER}
    for properties, value in (({"start": INTEGER}, 1), ({"start": INTEGER, "more": more}, 3)):
        tool = tool_schema(total, input_schema=obj([], **properties), profile=profile)
        assert tool.call({"start": 1, "more": [2]}).value == value

    def add(start: int, more: int = 0) -> int:
        return start + more

    tool = tool_schema(add, input_schema=obj([], start=INTEGER))
    assert tool.call({"start": 1, "more": 2}).value == 3


def test_an_object_may_have_the_names_of_parameters_as_keys():
    def count(start: int, words: dict[str, int]) -> int:
        return start + words["start"]

    assert tool_schema(count).call({"start": 1, "words": {"start": 2}}).value == 3
