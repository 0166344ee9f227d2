"""What the model, the log and the caller get of each kind of exception, wherever it is raised."""

import asyncio
import dataclasses
import datetime
import decimal
import json
import pathlib
import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import pydantic
import pytest

from milo_schema import Injected, SchemaError, Toolbox, ToolError, profiles, tool_schema
from milo_schema.arguments import ArgumentsError, json_to_value
from tests.every import every

pytestmark = pytest.mark.core

PAGE = pathlib.Path(__file__).parent.parent / "docs/arguments.md"


def call_later(tool, arguments, **options):
    return asyncio.run(tool.call_async(arguments, **options))


def never(_tool, _problem):
    pytest.fail("it is not unexpected")


CALLS = pytest.mark.parametrize("call", [lambda t, a, **o: t.call(a, **o), call_later])


def lookup(key: str) -> int:
    if key == "denied":
        raise ToolError("you may not read this key")
    if key == "bad":
        return "three"  # type: ignore[return-value]
    raise KeyError("postgres://admin:hunter2@db")


async def lookup_later(key: str) -> int:
    return lookup(key)


FUNCTIONS = pytest.mark.parametrize("func", [lookup, lookup_later])


def error(text):
    content = [{"type": "text", "text": text}]
    return {"resultType": "complete", "content": content, "isError": True}


@FUNCTIONS
def test_a_tool_error_is_always_a_result(func):
    tool = tool_schema(func, name="lookup")
    arguments = {"key": "denied"}
    expected = error("you may not read this key")
    assert call_later(tool, arguments) == expected
    assert call_later(tool, arguments, unexpected=never) == expected
    assert asyncio.run(Toolbox([tool]).call_async("lookup", arguments)) == expected


def test_a_tool_error_without_a_text_has_the_name_of_its_class():
    class TooLateError(ToolError): ...

    def close() -> None:
        raise TooLateError

    assert tool_schema(close).call().text == "TooLateError"


@FUNCTIONS
def test_an_unexpected_exception_is_logged_and_the_model_learns_only_that_there_was_one(func):
    tool = tool_schema(func, name="lookup")
    logged: list = []
    result = call_later(
        tool, {"key": "x"}, unexpected=lambda *each: logged.append(each), errors=ValueError
    )
    assert result == error("internal error in lookup")
    (found, problem), *others = logged
    assert (found, others) == (tool, [])
    assert type(problem) is KeyError


def test_a_result_that_misses_its_schema_is_unexpected():
    tool = tool_schema(lookup)
    logged: list = []
    result = tool.call({"key": "bad"}, unexpected=lambda *each: logged.append(each))
    assert result == error("internal error in lookup")
    assert str(logged[0][1]) == "lookup() -> result: 'three' is not an int"
    with pytest.raises(SchemaError, match="is not an int"):
        tool.call({"key": "bad"})


def test_a_toolbox_logs_what_is_unexpected():
    logged: list = []
    tools = Toolbox([lookup, lookup_later], unexpected=lambda *each: logged.append(each))
    assert tools.call("lookup", {"key": "x"}) == error("internal error in lookup")
    later = asyncio.run(tools.call_async("lookup_later", {"key": "x"}))
    assert later == error("internal error in lookup_later")
    assert [tool for tool, _ in logged] == [tools["lookup"], tools["lookup_later"]]


def test_invalid_arguments_and_listed_errors_are_not_unexpected():
    tool = tool_schema(lookup)
    invalid = tool.call({"key": 5}, unexpected=never)
    assert invalid.text == "lookup(): .key: expected a string, got 5"
    listed = tool.call({"key": "x"}, errors=LookupError, unexpected=never)
    assert listed.text == "KeyError: 'postgres://admin:hunter2@db'"


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_what_ends_a_program_is_never_unexpected(kind):
    def leave() -> None:
        raise kind

    with pytest.raises(kind):
        tool_schema(leave).call(unexpected=never)


def test_arguments_that_a_function_refuses_itself_are_not_those_of_its_call():
    def outer() -> None:
        tool_schema(lookup).bind({"key": 5})

    logged: list = []
    result = tool_schema(outer).call(unexpected=lambda *each: logged.append(each))
    assert result == error("internal error in outer")
    assert str(logged[0][1]) == "lookup(): .key: expected a string, got 5"


@pytest.mark.parametrize(
    ("option", "must"),
    [
        ("unexpected", "a function that is called with the tool and the exception"),
        ("repair", "True, False or a function that is called with the repairs"),
    ],
)
def test_what_cannot_be_called_is_refused_before_a_call(option, must):
    tool = tool_schema(lookup)
    calls: list[Any] = [tool.call, tool.call_async, Toolbox]
    for call in calls:
        with pytest.raises(TypeError, match=f"^{option}= must be {must}, not 5$"):
            asyncio.run(call(**{option: 5}))


# -- problems as data --------------------------------------------------------------------------


@CALLS
def test_details_are_the_problems_without_values(call):
    def buy(items: dict[str, list[int]], kind: str) -> None: ...

    tool = tool_schema(buy)
    given = {"items": {"a/b~c d": [1, "secret"]}, "secrets": 3}
    result = call(tool, given, details=True)
    assert result.pop("_meta") == {
        "milo-schema/problems": [
            {
                "code": "wrong-type",
                "pointer": "/items/a~1b~0c d/1",
                "keyword": "type",
                "expected": "an integer",
            },
            {"code": "missing", "pointer": "/kind", "keyword": "required"},
            {"code": "unknown-name", "pointer": "/secrets", "keyword": "additionalProperties"},
        ]
    }
    assert result == call(tool, given)


def test_a_toolbox_gives_details_if_it_is_asked():
    tools = Toolbox([lookup], details=True)
    found = tools.call("lookup", {})["_meta"]["milo-schema/problems"]
    assert found == [{"code": "missing", "pointer": "/key", "keyword": "required"}]
    assert "_meta" not in tools.call("lookup", {"key": "denied"})
    assert json.loads(json.dumps(found)) == found


# -- each exception in each place --------------------------------------------------------------


def pydantic_error() -> Exception:
    with pytest.raises(pydantic.ValidationError) as caught:
        pydantic.TypeAdapter(int).validate_python("secret")
    return caught.value


KINDS: dict[str, Callable[[], BaseException]] = {
    "ValueError": lambda: ValueError("secret"),
    "AssertionError": lambda: AssertionError("secret"),
    "pydantic's errors": pydantic_error,
    "TypeError": lambda: TypeError("secret"),
    "KeyError": lambda: KeyError("secret"),
    "any other Exception": lambda: RuntimeError("secret"),
    "ToolError": lambda: ToolError("secret"),
    "SystemExit": lambda: SystemExit("secret"),
    "KeyboardInterrupt": lambda: KeyboardInterrupt("secret"),
}


class Trap:
    """Raises an exception when it is sprung."""

    def __init__(self, problem: BaseException) -> None:
        self.problem = problem

    def __call__(self, *_given: Any) -> Any:
        raise self.problem


def in_function(trap: Trap) -> Any:
    def act(x: Any) -> Any:
        return trap()

    return tool_schema(act)


def in_generator(trap: Trap) -> Any:
    def act(x: Any) -> Iterator[Any]:
        yield x
        trap()

    return tool_schema(act)


def reader(annotation: Any, profile: Any = profiles.MCP) -> Any:
    def act(x: list[annotation]) -> Any: ...

    return tool_schema(act, profile=profile)


def in_constructor(trap: Trap) -> Any:
    class Word(str):
        __slots__ = ()

        def __new__(cls, text: str) -> Any:
            trap()

    return reader(Word)


def in_constructor_of_an_amount(trap: Trap) -> Any:
    class Amount(decimal.Decimal):
        def __new__(cls, text: str) -> Any:
            trap()

    return reader(Amount)


def in_validator(trap: Trap) -> Any:
    return reader(Annotated[str, pydantic.AfterValidator(lambda _: trap())])


def in_validator_of_a_model(trap: Trap) -> Any:
    class Model(pydantic.RootModel[str]):
        check = pydantic.field_validator("root")(lambda _: trap())

    return reader(Model)


def in_decoder(trap: Trap) -> Any:
    types = {complex: {"type": "string"}}
    return reader(complex, profiles.MCP.replace(types=types, decoders={complex: trap}))


def in_post_init(trap: Trap) -> Any:
    @dataclasses.dataclass
    class Row:
        text: str

        def __post_init__(self) -> None:
            trap()

    def act(x: list[Row | int]) -> Any: ...

    return tool_schema(act)


def writer(annotation: Any, value: Any, profile: Any = profiles.MCP) -> Any:
    def act(x: Any) -> list[annotation]:
        return [value]

    return tool_schema(act, profile=profile)


def in_encoder(trap: Trap) -> Any:
    return writer(Any, 1j, profiles.MCP.replace(encoders={complex: trap}))


def in_serializer(trap: Trap) -> Any:
    class Model(pydantic.BaseModel):
        x: Annotated[str, pydantic.PlainSerializer(lambda _: trap(), return_type=str)]

    return writer(Model, Model(x="a"))


@dataclasses.dataclass
class Row:
    x: int


def in_property(trap: Trap) -> Any:
    class Lazy(Row):
        x = property(trap, lambda *_: None)  # type: ignore[assignment]

    return writer(Row | None, Lazy(1))


def in_text(trap: Trap) -> Any:
    class Day(datetime.date):
        def isoformat(self) -> Any:
            trap()

    return writer(datetime.date, Day(2026, 1, 31))


def in_iterator(trap: Trap) -> Any:
    class Items(list[int]):
        def __iter__(self) -> Any:
            trap()

    return writer(list[int] | None, Items([1]))


PLACES: dict[str, tuple[int, Callable[[Trap], Any], Any]] = {
    "function": (1, in_function, ""),
    "generator": (1, in_generator, ""),
    "constructor": (2, in_constructor, ["a"]),
    "constructor of a decimal": (2, in_constructor_of_an_amount, ["1.5"]),
    "validator": (2, in_validator, ["a"]),
    "validator of a model": (2, in_validator_of_a_model, ["a"]),
    "decoder": (2, in_decoder, ["a"]),
    "__post_init__": (2, in_post_init, [{"text": "a"}]),
    "encoder": (3, in_encoder, ""),
    "serializer": (3, in_serializer, ""),
    "property": (3, in_property, ""),
    "text of a date": (3, in_text, ""),
    "iterator": (3, in_iterator, ""),
}
NOTES = ("", "", "while reading act(): .x[0]", "while writing act() -> result[0]")


def documented(kind: str, column: int) -> str:
    """What the page says about an exception."""
    page = PAGE.read_text("utf-8").replace("`", "")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line[:1] == "|"]
    (cell,) = [row[column] for row in rows if kind in row[0].split(", ")]
    found: str = cell.partition(",")[0]
    return found


@pytest.mark.parametrize("kind", KINDS)
@every("place", PLACES)
def test_an_exception_goes_where_the_documentation_says(kind, place):
    column, make, x = PLACES[place]
    problem = KINDS[kind]()
    tool = make(Trap(problem))
    logged: list[Exception] = []

    def call():
        return tool.call({"x": x}, unexpected=lambda _, problem: logged.append(problem))

    match documented(kind, column):
        case "raised":
            with pytest.raises(type(problem)) as caught:
                call()
            assert (caught.value, logged) == (problem, [])
        case "its text":
            assert (call().text, logged) == ("secret", [])
        case "a problem of the arguments":
            assert re.match(r"act\(\): \.x\[0\]: .*(secret|valid integer)", call().text)
            assert logged == []
            with pytest.raises(ArgumentsError) as refused:
                tool.bind({"x": x})
            (found,) = refused.value.problems
            assert found.cause is problem or type(found.cause) is pydantic.ValidationError
        case "unexpected":
            assert call().text == "internal error in act"
            with pytest.raises(type(logged[0])) as caught:
                tool.call({"x": x})
            assert problem in (caught.value, caught.value.__cause__)
            is_raised = caught.value is problem
            assert is_raised is (column != 3 or kind not in REFUSING)
            if is_raised:
                assert set(getattr(problem, "__notes__", [""])) == {NOTES[column]}


REFUSING = {"ValueError", "AssertionError", "pydantic's errors"}


def break_down(_self: object = None) -> Any:
    raise KeyError("bug")


class Word(str):
    """No value of it can be made."""

    __slots__ = ()

    def __new__(cls, text: str) -> Any:
        break_down()


def test_a_union_tries_no_other_member_after_a_bug():
    @dataclasses.dataclass
    class First:
        x: int

        def __post_init__(self) -> None:
            break_down()

    @dataclasses.dataclass
    class Second:
        x: int

    class Buggy(Second):
        x = property(break_down, lambda *_: None)  # type: ignore[assignment]

    def read(x: First | Second | None = None, word: Word | int | bytes = 1) -> None: ...
    def write() -> First | Second | dict[str, int]:
        return Buggy(1)

    for arguments in ({"x": {"x": 1}}, {"word": "aaaa"}):
        with pytest.raises(KeyError, match="bug"):
            tool_schema(read).call(arguments)
    with pytest.raises(KeyError, match="bug"):
        tool_schema(write).call()


def test_the_first_of_two_bugs_is_raised():
    class Later(str):
        __slots__ = ()

        def __new__(cls, text: str) -> Any:
            raise KeyError("later")

    def read(first: Word, second: Later) -> None: ...

    with pytest.raises(KeyError, match="bug"):
        tool_schema(read).call({"first": "a", "second": "b"})


def test_a_key_that_cannot_be_made_is_a_bug():
    class Odd(str):
        __slots__ = ()

        def __hash__(self) -> Any:
            return break_down()

    for cls in (Word, Odd):
        with pytest.raises(KeyError, match="bug") as caught:
            json_to_value({"a": 1}, dict[cls, int])  # type: ignore[valid-type]
        assert caught.value.__notes__ == [f"while reading dict[{cls.__name__}, int]: .a"]


def test_a_key_that_cannot_be_compared_is_a_bug():
    class Unlike(str):
        __slots__ = ()

        def __hash__(self) -> int:
            return 1

        def __eq__(self, other: object) -> bool:
            raise TypeError("bug")

    with pytest.raises(TypeError, match="bug"):
        json_to_value({"a": 1, "b": 2}, dict[Unlike, int])


def test_errors_of_a_call_have_the_name_of_the_tool():
    def _impl(n: int, session: Annotated[str, Injected]) -> int:
        return "no"  # type: ignore[return-value]

    for tool in (tool_schema(_impl, name="search"), tool_schema(_impl).replace(name="search")):
        refused = tool.call({"n": "x"}, inject={"session": "s"})
        assert refused.text == 'search(): .n: expected an integer, got "x"'
        with pytest.raises(SchemaError) as caught:
            tool.call({"n": 1}, inject={"session": "s"})
        assert str(caught.value) == "search() -> result: 'no' is not an int"
        with pytest.raises(SchemaError) as caught:
            tool.call({"n": 1})
        assert caught.value.path == "search(session)"


@pytest.mark.parametrize(
    ("json", "annotation", "repair"),
    [
        ([[[1] * 99, ["a"]]], list[list[list[Word]]], False),
        ({"a": "x", "b": "5"}, dict[str, Word | int], True),
    ],
    ids=["a hundred problems", "a repair"],
)
def test_neither_problems_nor_a_repair_hide_a_bug(json, annotation, repair):
    with pytest.raises(KeyError, match="bug"):
        json_to_value(json, annotation, repair=repair)


def test_no_item_is_made_after_a_bug():
    made: list[str] = []

    class Word(str):
        __slots__ = ()

        def __new__(cls, text: str) -> Any:
            made.append(text)
            break_down()

    for annotation, sent in ((list[Word], ["a", "b"]), (dict[str, Word], {"x": "a", "y": "b"})):
        made.clear()
        with pytest.raises(KeyError, match="bug"):
            json_to_value(sent, annotation)
        assert made == ["a"]
