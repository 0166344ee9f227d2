"""Wrong calls that models really make, by kind: what was sent, and what it means.

The values are those of public issues, pull requests and test suites, which *source* names, or the
same mistake with another type. A refusal is the beginning of its reason.
"""

from __future__ import annotations

import datetime
import decimal
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

from pydantic import BaseModel


class Refusal(str):
    """The beginning of the reason."""

    __slots__ = ()


class Wrong(NamedTuple):
    """A wrong value.

    Attributes:
        kind: The mistake.
        source: Where it was seen.
        annotation: The annotation of the parameter.
        sent: The JSON that was sent.
        meant: The value that is read; or a ``Refusal``.
    """

    kind: str
    source: str
    annotation: Any
    sent: Any
    meant: Any


@dataclass
class Todo:
    content: str
    status: Literal["pending", "completed"] = "pending"
    id: int = 0
    tags: list[str] = field(default_factory=list)


class Where(TypedDict):
    city: str
    radius: NotRequired[float]


class Filter(BaseModel):
    name: str
    values: list[int] = []
    exact: bool = False


TODO, WHERE, FILTER = Todo("a", "completed", 1), {"city": "Oslo"}, Filter(name="n", values=[1])
DAY = datetime.date(2026, 1, 31)


def rows(kind: str, source: str, *found: tuple[Any, Any, Any]) -> list[Wrong]:
    return [Wrong(kind, source, *each) for each in found]


REPAIRED = [
    *rows("JSON in a string",
          "NorthlandPositronics/Cogtrix#210, crewAIInc/crewAI#611, samchon/typia",
          (list[str], '["bug", "security"]', ["bug", "security"]),
          (list[int], "[1, 2, 3]", [1, 2, 3]), (list[Any], "[]", []),
          (dict[str, int], '{"a": 1}', {"a": 1}), (dict[str, Any], "{}", {}),
          (Todo, '{"content": "a", "status": "completed", "id": 1}', TODO),
          (Where, '{"city": "Oslo"}', WHERE), (Filter, '{"name": "n", "values": [1]}', FILTER),
          (tuple[int, int], "[3, 4]", (3, 4)), (set[str], '["x"]', {"x"}),
          (list[Todo], '[{"content": "a", "status": "completed", "id": 1}]', [TODO]),
          (list[Todo], ['{"content": "a", "status": "completed", "id": 1}'], [TODO]),
          (dict[str, list[int]], {"a": "[1]"}, {"a": [1]}),
          (Filter, {"name": "n", "values": "[1]"}, FILTER),
          (Todo | None, '{"content": "a", "status": "completed", "id": 1}', TODO),
          (list[int] | int, "[1]", [1])),
    *rows("JSON in a string, twice", "NousResearch/hermes-agent#114486, samchon/typia",
          (list[str], '"[\\"a\\"]"', ["a"]), (dict[str, list[int]], '{"a": "[1]"}', {"a": [1]}),
          (Filter, '{"name": "n", "values": "[\\"1\\"]"}', FILTER),
          (list[list[int]], '["[1]", "[2]"]', [[1], [2]]), (int, '"5"', 5),
          (list[Todo], '["{\\"content\\": \\"x\\"}"]', [Todo("x")])),
    *rows("a number as text", "jlowin/fastmcp, modelcontextprotocol/python-sdk, vercel/ai",
          (int, "10", 10), (int, "-3", -3), (int, "5.0", 5), (float, "0.25", 0.25),
          (float, "1e3", 1000.0), (int | None, "10", 10), (list[int], ["1", "2"], [1, 2]),
          (Todo, {"content": "a", "status": "completed", "id": "1"}, TODO),
          (Where, {"city": "Oslo", "radius": "2.5"}, {"city": "Oslo", "radius": 2.5}),
          (Filter, {"name": "n", "values": ["1"]}, FILTER), (Literal[1, 2], "2", 2),
          (dict[str, float], {"a": "1.5"}, {"a": 1.5})),
    *rows("a boolean as text", "langchain-ai/langchain, openai/openai-agents-python",
          (bool, "true", True), (bool, "False", False), (bool, "TRUE", True), (bool, "yes", True),
          (bool, "No", False), (bool | None, "True", True),
          (list[bool], ["true", "False"], [True, False]),
          (Filter, {"name": "n", "values": [1], "exact": "no"}, FILTER)),
    *rows("null as text", "UKGovernmentBEIS/inspect_ai#1599", (int | None, "null", None),
          (int | None, "None", None), (bool | None, "none", None), (list[int] | None, "null", None),
          (Todo | None, "None", None), (list[int | None], ["1", "null"], [1, None])),
    *rows("null for what is left out",
          "freelawproject/courtlistener-api-client#209, raw-labs/mxcp#18",
          (Todo, {"content": "x", "id": None, "tags": None}, Todo("x")),
          (Todo, {"content": "x", "status": None}, Todo("x")),
          (Where, {"city": "Oslo", "radius": None}, WHERE),
          (Filter, {"name": "n", "values": [1], "exact": None}, FILTER),
          (list[Todo], [{"content": "x", "id": None}], [Todo("x")]),
          (Todo, {"content": "x", "id": "null"}, Todo("x")),
          (Todo, {"content": "x", "tags": "None"}, Todo("x")),
          (dict[str, Where], {"a": {"city": "Oslo", "radius": None}}, {"a": WHERE})),
    *rows("a choice in another case", "pydantic/pydantic-ai, 567-labs/instructor",
          (Literal["asc", "desc"], "DESC", "desc"),
          (Literal["celsius", "fahrenheit"], "Celsius", "celsius"),
          (Literal["GET", "POST"], "get", "GET"), (Todo,
            {"content": "a", "status": "Completed", "id": 1}, TODO),
          (list[Literal["a", "b"]], ["A", "b"], ["a", "b"]), (Literal["a"] | None, "A", "a")),
    *rows("blanks around a value", "crewAIInc/crewAI, BerriAI/litellm", (int, " 5", 5),
          (bool, "true\n", True), (Literal["asc", "desc"], "asc ", "asc"),
          (datetime.date, " 2026-01-31", DAY), (list[int], "  [1]  ", [1]),
          (float | None, " 1.5 ", 1.5)),
    *rows("a number for a decimal", "pydantic/pydantic", (decimal.Decimal, 5, decimal.Decimal(5)),
          (decimal.Decimal, 1.5, decimal.Decimal("1.5")),
          (list[decimal.Decimal], [1, "2"], [decimal.Decimal(1), decimal.Decimal(2)]),
          (decimal.Decimal | None, -1, decimal.Decimal(-1))),
    *rows("a number with many digits", "the same mistake with more digits than a float has",
          (int, "9007199254740993", 9007199254740993),
          (int, "9007199254740993.0", 9007199254740993),
          (int, "9.007199254740993e15", 9007199254740993),
          (float, "9007199254740993.0", 9007199254740992.0),
          (list[int], "[9007199254740993.0, 5.0]", [9007199254740993, 5]),
          (dict[str, int], "{a: 9007199254740993.0}", {"a": 9007199254740993}),
          (list[list[int]], ["[9007199254740993.0]"], [[9007199254740993]])),
    *rows("a number for a boolean", "every framework reads it", (bool, 1, True), (bool, 0, False),
          (bool, "1", True), (bool | str, 0, False),
          (list[bool | None], [1, None, 0], [True, None, False])),
    *rows("a code fence", "NousResearch/hermes-agent#79333",
          (dict[str, str], '```json\n{"path": "a.txt"}\n```', {"path": "a.txt"}),
          (list[int], "```\n[1, 2]\n```", [1, 2]), (Where, '```json {"city": "Oslo"} ```', WHERE),
          (Todo, '```JSON\n{"content": "x"}', Todo("x"))),
    *rows("comments", "mangiucugna/json_repair, josdejong/jsonrepair",
          (dict[str, int], '{\n  // the first\n  "a": 1\n}', {"a": 1}),
          (dict[str, int], '{"a": /* one */ 1}', {"a": 1}), (list[int], "[1, # one\n 2]", [1, 2])),
    *rows("trailing commas", "NousResearch/hermes-agent#79333, josdejong/jsonrepair",
          (dict[str, int], '{"a": 1,}', {"a": 1}), (list[int], "[1, 2,]", [1, 2]),
          (Filter, '{"name": "n", "values": [1,],}', FILTER),
          (list[Todo], '[{"content": "x",},]', [Todo("x")])),
    *rows("single quotes", "anomalyco/opencode#1264, NousResearch/atropos#478",
          (list[Todo], "[{'content': 'a', 'status': 'completed', 'id': '1'}]", [TODO]),
          (list[str], "['a', \"b\"]", ["a", "b"]),
          (dict[str, str], "{'q': \"what's the weather\"}", {"q": "what's the weather"}),
          (dict[str, str], r"{'q': 'it\'s'}", {"q": "it's"}), (Where, "{'city': 'Oslo'}", WHERE)),
    *rows("names without quotes", "tinyhumansai/tinyagents#68",
          (dict[str, str], '{tool: "X"}', {"tool": "X"}),
          (dict[str, dict[str, str]], '{a: {guild_id: "Y"}}', {"a": {"guild_id": "Y"}}),
          (Filter, '{name: "n", values: [1]}', FILTER), (Todo, "{content: 'x'}", Todo("x"))),
    *rows("control characters in a string", "mangiucugna/json_repair, continuedev/continue",
          (dict[str, str], '{"a": "one\ntwo"}', {"a": "one\ntwo"}),
          (list[str], '["a\tb"]', ["a\tb"]), (Todo, '{"content": "x\r\ny"}', Todo("x\r\ny"))),
    *rows("constants of Python", "huggingface/smolagents, vllm-project/vllm",
          (Filter, "{'name': 'n', 'values': [1], 'exact': False}", FILTER),
          (dict[str, bool], "{'a': True}", {"a": True}),
          (list[int | None], "[1, None]", [1, None])),
]  # fmt: skip

REFUSED = [
    *rows("words around JSON in a parameter",
          "NousResearch/hermes-agent#79333, mangiucugna/json_repair",
          (dict[str, str], '{"path": "a.txt"} trailing text', Refusal("the text goes on after")),
          (dict[str, int], '{"a": 1} // the first', Refusal("the text goes on after the value")),
          (Where, 'Here is the JSON: {"city": "Oslo"}', Refusal("expected an object, got")),
          (list[int], "Sure!\n[1]", Refusal("expected an array of integers, got")),
          (list[str], "none found: []", Refusal("expected an array of strings, got")),
          (dict[str, int], "the config {'a': 1} was wrong", Refusal("expected an object, got")),
          (Filter, 'arguments = {"name": "n", "values": [1]}', Refusal("expected an object, got"))),
    *rows("a number that is not whole", "the same mistake with more digits than a float has",
          (int, "9007199254740993.5", Refusal('expected an integer, got "9007199254740993.5"')),
          (int, "4.99999999999999999999", Refusal('expected an integer, got "4.99999999999999')),
          (int, "1e400", Refusal('expected an integer, got "1e400"')),
          (list[int], "[9007199254740993.5]", Refusal("expected an array of integers, got"))),
    *rows("truncated text", "NousResearch/hermes-agent#79333, BerriAI/litellm",
          (Todo, '{"content": "a", "sta', Refusal("not valid JSON: the text ends inside a string")),
          (list[int], "[1, 2", Refusal("not valid JSON: the text ends inside an array")),
          (list[int], "[1, 2,", Refusal("not valid JSON: the text ends inside")),
          (dict[str, int], '{"a": 1', Refusal("not valid JSON: the text ends inside an object")),
          (dict[str, int], '{"a":', Refusal("not valid JSON: the text ends inside")),
          (dict[str, int], "{", Refusal("not valid JSON: the text ends inside an object")),
          (Filter, {"name": "n", "values": "[1"}, Refusal("not valid JSON: the text ends"))),
    *rows("quotes or escapes that are missing",
          "NousResearch/hermes-agent#36271, PyModel/pythinker-code#62, tinyhumansai/tinyagents#68",
          (dict[str, str], '{"c": "env.get("KEY")"}', Refusal("not valid JSON: expected a comma")),
          (dict[str, str], r'{"c": "a \* b"}', Refusal("not valid JSON: expected an escape")),
          (dict[str, str], '{{"a": "b"}}', Refusal("not valid JSON: expected the name")),
          (list[str], '[<|">discord<|">]', Refusal("expected an array of strings, got"))),
    *rows("one value for an array", "emcie-co/parlant#785, samchon/typia",
          (list[str], "bug", Refusal('expected an array of strings, got "bug"; send ["bug"]')),
          (list[str], "red, green",
            Refusal('expected an array of strings, got "red, green"; send')),
          (list[int], 5, Refusal("expected an array of integers, got 5; send [5]")),
          (list[Todo], {"content": "x"}, Refusal("expected an array of objects, got an object")),
          (set[str], "x", Refusal('expected an array of strings, got "x"; send ["x"]'))),
    *rows("a value in a wrapper", "samchon/typia, 567-labs/instructor",
          (int, {"value": 5}, Refusal("expected an integer, got an object")),
          (list[int], {"items": [1]}, Refusal("expected an array of integers, got an object")),
          (str, {"text": "a"}, Refusal("expected a string, got an object")),
          (int, [5], Refusal("expected an integer, got an array"))),
    *rows("a guess about meaning", "samchon/typia, pydantic/pydantic",
          (bool, "on", Refusal('expected true or false, got "on"')),
          (bool, "", Refusal('expected true or false, got ""')),
          (int, 1.5, Refusal("expected an integer, got 1.5")),
          (int, "1.5", Refusal('expected an integer, got "1.5"')),
          (int, "1,000", Refusal('expected an integer, got "1,000"')),
          (int, "five", Refusal('expected an integer, got "five"')),
          (int, True, Refusal("expected an integer, got true")),
          (int, "", Refusal('expected an integer, got ""')),
          (str, 5, Refusal("expected a string, got 5")),
          (str, None, Refusal("expected a string, got null")),
          (str, ["a"], Refusal("expected a string, got an array")),
          (datetime.date, "tomorrow", Refusal("expected a date such as")),
          (datetime.date, "31.01.2026", Refusal("expected a date such as")),
          (float, "NaN", Refusal('expected a number, got "NaN"')),
          (Literal["a", "b"], "c", Refusal('expected one of "a", "b", got "c"'))),
    *rows("names", "dcdpr/jp#290, langchain-ai/langchain",
          (Todo, {"text": "x"}, Refusal("required but not given")),
          (Todo, {}, Refusal("required but not given")),
          (Filter, {"values": [1]}, Refusal("required but not given"))),
]  # fmt: skip

LEFT_ALONE = [
    *rows("text that the schema accepts", "NousResearch/atropos#478, crewAIInc/crewAI",
          (str, "[1, 2]", "[1, 2]"), (str, "5", "5"), (str, "true", "true"),
          (str, " blanks ", " blanks "), (str, "None", "None"),
          (str, "```json\n{}\n```", "```json\n{}\n```"), (str | int, "5", "5"),
          (str | list[int], "[1]", "[1]"), (str | None, "null", "null"),
          (list[str], ["[1]", "5"], ["[1]", "5"]),
          (dict[str, str], {"a": '{"b": 1}'}, {"a": '{"b": 1}'}),
          (dict[str, Any], {"a": "1"}, {"a": "1"}), (Any, "[1]", "[1]"),
          (Todo, {"content": "[1]"}, Todo("[1]")), (Where, {"city": " Oslo "}, {"city": " Oslo "}),
          (Filter, {"name": "true", "values": [1]}, Filter(name="true", values=[1]))),
]  # fmt: skip

WHOLE: list[tuple[str, str, Any, dict[str, Any] | Refusal]] = [
    # the kind, where it was seen, all arguments of plan(days, note="", limit=5), their values
    ("text", "openai/openai-python", '{"days": [1]}', {"days": [1]}),
    ("text, twice", "vercel/ai", '"{\\"days\\": [1]}"', {"days": [1]}),
    ("a fence", "NousResearch/hermes-agent#79333", '```json\n{"days": [1]}\n```', {"days": [1]}),
    ("words", "ollama/ollama", 'Calling plan with {"days": [1]}', {"days": [1]}),
    ("quotes", "anomalyco/opencode#1264", "{'days': ['1'], 'limit': None}", {"days": [1]}),
    ("unquoted keys", "tinyhumansai/tinyagents#68", "{days: [1]}", {"days": [1]}),
    ("null", "freelawproject/courtlistener-api-client#209", {"days": [1], "limit": None},
     {"days": [1]}),
    ("a list as text", "crewAIInc/crewAI#611", {"days": "[1]", "note": "[1]"},
     {"days": [1], "note": "[1]"}),
    ("truncated", "BerriAI/litellm", '{"days": [1',
     Refusal("not valid JSON: the text ends inside")),
    ("prose", "langchain-ai/langchain#36043", "plan my days",
     Refusal("not valid JSON: expected an")),
    ("a list", "HKUDS/nanobot#2858", ["a"], Refusal("expected an object with the arguments")),
    ("a number", "langchain-ai/langchain#36043", "5",
     Refusal("expected an object with the arguments")),
    ("a wrapper", "samchon/typia", {"arguments": {"days": [1]}}, Refusal("required but not given")),
    ("a typo", "dcdpr/jp#290", {"days": [1], "limt": 2},
     Refusal('unknown argument; did you mean "limit"?')),
]  # fmt: skip
