"""What the model, the log and the caller get of each kind of exception, wherever it is raised."""

import asyncio
import json
from typing import Any

import pytest

from milo_schema import SchemaError, Toolbox, ToolError, tool_schema

pytestmark = pytest.mark.core


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


def test_what_cannot_be_called_is_refused_before_a_call():
    tool = tool_schema(lookup)
    must = "unexpected= must be a function that is called with the tool and the exception, not 5"
    calls: list[Any] = [tool.call, tool.call_async, Toolbox]
    for call in calls:
        with pytest.raises(TypeError, match=must):
            asyncio.run(call(unexpected=5))


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
