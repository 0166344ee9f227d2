"""The examples of the documentation, run as a user runs them: each in a separate process."""

import asyncio
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests import judges
from tests.fragments import INTEGER, STRING, obj, record

ROOT = pathlib.Path(__file__).parent.parent
EXAMPLES = ROOT / "docs" / "examples"
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", "PYTHONIOENCODING": "utf-8"}
ITEM = record(name=STRING, cents=INTEGER) | {"description": "An item in the shop."}
FOUND = [{"name": "tea", "cents": 450}, {"name": "teapot", "cents": 2300}]
WRONG = [
    ["no milk here", None],
    [("price(): 3 problems\n- .name: required but not given\n"
           "- .count: must be at least 1, got 0\n"
           '- .nam: unknown argument; did you mean "name"?'), None],
    ['no tool "steal"; there are: "find", "price"', None],
]  # fmt: skip
PROTOCOLS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


def run(script: str, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run an example; it has a minute, and nothing of it remains."""
    command = [sys.executable, str(EXAMPLES / script), *arguments]
    environment = {**os.environ, **ENVIRONMENT}
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=60, env=environment
    )
    assert done.returncode == code, done.stderr
    return done


def output(script: str, *arguments: str) -> Any:
    """The JSON that an example prints."""
    return json.loads(run(script, *arguments).stdout)


# -- MCP ---------------------------------------------------------------------------------------


def talk(server: str, mode: str) -> Any:
    """The answers that the client of the official SDK gets from a server that it starts."""
    return output("mcp_client.py", str(EXAMPLES / server), mode)


@pytest.mark.parametrize("mode", PROTOCOLS)
def test_mcp_server_is_listed_and_called(mode: str) -> None:
    """An array is boxed where the protocol wants an object."""
    judges.require("mcp")
    said = talk("mcp_server.py", mode)
    items, found = {"type": "array", "items": ITEM}, FOUND
    if mode == "legacy":
        items, found = record(result=items), {"result": FOUND}

    assert said["protocol"] == PROTOCOLS[mode]
    assert {name: tool["output"] for name, tool in said["tools"].items()} == {
        "find": items,
        "price": ITEM,
    }
    assert said["results"] == [[None, found], [None, {"name": "2 x coffee", "cents": 1780}], *WRONG]


@pytest.mark.parametrize("mode", PROTOCOLS)
def test_fastmcp_serves_the_same_tools(mode: str) -> None:
    judges.require("mcp", "fastmcp")
    official, said = talk("mcp_server.py", "legacy"), talk("fastmcp_server.py", mode)

    assert said["protocol"] == PROTOCOLS[mode]
    assert said["tools"] == official["tools"] or mode == "auto"
    assert said["tools"].keys() == official["tools"].keys()
    assert said["results"][:-1] == official["results"][:-1]
    assert "steal" in said["results"][-1][0]


def test_client_refuses_what_its_schema_does() -> None:
    """The client validates: it refuses results that do not match the output schema."""
    judges.require("mcp")
    mcp, types = importlib.import_module("mcp"), importlib.import_module("mcp.types")
    lowlevel = importlib.import_module("mcp.server.lowlevel")
    tool = {"name": "t", "inputSchema": {"type": "object"}, "outputSchema": ITEM}

    async def listed(*_: Any) -> Any:
        return types.ListToolsResult.model_validate({"tools": [tool]})

    async def called(*_: Any) -> Any:
        return types.CallToolResult(content=[], structured_content={"name": 1})

    async def main() -> None:
        server = lowlevel.Server("s", on_list_tools=listed, on_call_tool=called)
        async with mcp.Client(server) as client:
            await client.call_tool("t", {})

    with pytest.raises(Exception) as caught:  # noqa: PT011 - perhaps in a group
        asyncio.run(main())
    assert "structured content" in _messages(caught.value)


def _messages(problem: BaseException) -> str:
    below = getattr(problem, "exceptions", ())
    return " ".join([str(problem), *map(_messages, below)])


# -- MCP with only the standard library --------------------------------------------------------

SHOP = '''
import asyncio

from milo_schema import ToolError


async def wait() -> int:
    """Wait for a minute."""
    await asyncio.sleep(60)
    return 1


def forget(name: str) -> None:
    """Forget an item."""
    print("forgotten")


def fail(secret: bool) -> int:
    """Fail."""
    if secret:
        raise KeyError("password")
    raise ToolError("closed on Sundays")


TOOLS = {each.__name__: each for each in (wait, forget, fail)}
'''
"""A shop as a reader may change it: it waits, returns nothing, prints and fails."""


def request(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def test_the_server_without_a_package_is_one_of_the_official_client() -> None:
    judges.require("mcp")
    official, said = talk("mcp_server.py", "legacy"), talk("stdio_server.py", "auto")

    assert said == official


@pytest.fixture
def changed_server(tmp_path: pathlib.Path) -> Iterator[subprocess.Popen[str]]:
    """The server without a package, with the tools of another shop."""
    for name in ("stdio_server.py", "logs.py"):
        shutil.copy(EXAMPLES / name, tmp_path)
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "stdio_server.py")]
    pipe = subprocess.PIPE
    environment = {**os.environ, **ENVIRONMENT}
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment
    ) as server:
        yield server
        server.kill()


def exchange(server: subprocess.Popen[str], *messages: Any) -> list[Any]:
    """The answers to some messages, of which the last one is answered last."""
    assert server.stdin is not None
    assert server.stdout is not None
    for message in messages:
        line = message if isinstance(message, str) else json.dumps(message)
        print(line, file=server.stdin, flush=True)
    answers: list[Any] = []
    while not answers or answers[-1]["id"] != messages[-1]["id"]:
        answers.append(json.loads(server.stdout.readline()))
    return answers


@pytest.mark.parametrize(
    ("asked", "version"),
    [("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2024-11-05", "2025-11-25")],
)
def test_the_server_without_a_package_speaks_the_version_of_the_client(
    changed_server, asked, version
):
    (answer,) = exchange(changed_server, request(1, "initialize", protocolVersion=asked))

    assert answer["result"]["protocolVersion"] == version
    assert answer["result"]["capabilities"] == {"tools": {}}


def test_the_server_without_a_package_goes_on_after_what_goes_wrong(changed_server):
    calls = [("forget", {"name": "tea"}), ("fail", {"secret": True}), ("fail", {"secret": False})]
    answers = [
        exchange(changed_server, request(number, "tools/call", name=name, arguments=arguments))[0]
        for number, (name, arguments) in enumerate(calls)
    ]
    answers += exchange(changed_server, "nonsense", request(3, "nothing"), request(4, "ping"))

    results = [answer.get("result", answer.get("error")) for answer in answers]
    assert [each.get("isError") for each in results[:3]] == [False, True, True]
    assert "password" not in json.dumps(answers)
    assert results[2]["content"][0]["text"] == "closed on Sundays"
    assert results[3:] == [
        {"code": -32700, "message": "not JSON"},
        {"code": -32601, "message": "no method 'nothing'"},
        {},
    ]
    _, errors = changed_server.communicate(timeout=30)
    assert "forgotten" in errors
    assert "password" in errors
    assert changed_server.returncode == 0


def test_the_server_without_a_package_does_not_answer_what_is_cancelled(changed_server):
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    answers = exchange(
        changed_server, request(1, "tools/call", name="wait"), cancelled, request(2, "ping")
    )
    changed_server.communicate(timeout=30)  # it ends before the minute of the tool

    assert answers == [{"jsonrpc": "2.0", "id": 2, "result": {}}]
    assert changed_server.returncode == 0


# -- a command line ----------------------------------------------------------------------------


def test_command_line_calls_the_functions() -> None:
    assert output("argparse_cli.py", "find", "--word", "tea", "--order", "cents") == FOUND
    assert output("argparse_cli.py", "find", "--word", "tea", "--limit", "1") == FOUND[:1]
    assert "Part of the name." in run("argparse_cli.py", "find", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["find"], "required: --word"),
        (["find", "--word", "a", "--order", "size"], "invalid choice"),
        (
            ["price", "--name", "tea", "--count", "two"],
            'price(): .count: expected an integer, got "two"',
        ),
        (["price", "--name", "tea", "--count", "0"], "price(): .count: must be at least 1, got 0"),
    ],
    ids=str,
)
def test_command_line_refuses_invalid_arguments(arguments: list[str], message: str) -> None:
    assert message in run("argparse_cli.py", *arguments, code=2).stderr


# -- agents: the framework's own test model makes the calls of calls.py -------------------------

COFFEE = {"name": "2 x coffee", "cents": 1780}
MILK, NAM, STEAL = (text for text, _ in WRONG)


def test_openai_agents_call_the_functions_and_read_errors() -> None:
    judges.require("agents")
    *heard, last = output("openai_agents_tools.py")

    assert [json.loads(each) for each in heard[:2]] == [FOUND, COFFEE]
    assert heard[2:] == [MILK, NAM]
    assert last == "Tool 'steal' not found."


def test_pydantic_ai_calls_the_functions_and_reads_errors() -> None:
    judges.require("pydantic_ai")
    *heard, last = output("pydantic_ai_tools.py")

    assert heard == [FOUND, COFFEE, MILK, NAM]
    assert last == "Unknown tool name: 'steal'. Available tools: 'find', 'price'"


def test_langchain_calls_the_functions_and_reads_errors() -> None:
    judges.require("langchain_core")
    heard = [json.loads(line) for line in run("langchain_tools.py").stdout.splitlines()]

    assert [status for status, _, _ in heard] == ["success", "success", "error", "error"]
    assert [json.loads(content) for _, content, _ in heard[:2]] == [FOUND, COFFEE]
    assert [content for _, content, _ in heard[2:]] == [MILK, NAM]
    assert [artifact for _, _, artifact in heard] == [FOUND, COFFEE, None, None]


# -- requests of providers, built offline ------------------------------------------------------


def test_openai_request() -> None:
    judges.require("openai")
    find, price = (tool["function"] for tool in output("openai_request.py"))

    assert find["name"] == "find"
    assert find["strict"] is True
    assert find["parameters"]["required"] == ["word", "order", "limit"]
    assert price["parameters"]["additionalProperties"] is False


def test_anthropic_request() -> None:
    judges.require("anthropic")
    find, price = output("anthropic_request.py")

    assert find["strict"] is True
    assert find["input_schema"]["required"] == ["word"]
    assert price["input_schema"]["properties"]["count"]["description"] == (
        "Number of items. (at least 1; default 1)"
    )


def test_gemini_request() -> None:
    judges.require("google.genai")
    (tool,) = output("gemini_request.py")
    find, _ = tool["function_declarations"]

    assert find["parameters"]["properties"]["limit"] == {
        "type": "INTEGER",
        "nullable": True,
        "description": "Maximum number of items.",
    }


def test_attribute_docstrings() -> None:
    assert output("attribute_docstrings.py") == obj(
        ["city"],
        city={"type": "string", "description": "City of the hotel."},
        nights={"type": "integer", "default": 1, "description": "Number of nights."},
    ) | {"description": "A stay in a hotel."}


# -- code that a model writes ------------------------------------------------------------------


def test_code_of_a_model_runs_in_another_process() -> None:
    stub, *answers = run("code_mode.py").stdout.split("\n>>> ")

    assert "def price(name: str, count: int = 1) -> FindResult:\n" in stub
    assert "        count: Number of items. (at least 1)\n" in stub
    assert [each.strip() for each in answers] == [
        "2750",
        "RuntimeError: no milk here",
        "RuntimeError: price(): .count: must be at least 1, got 0",
        "killed",
    ]


def test_what_the_fields_of_a_profile_change_is_as_shown() -> None:
    judges.require("pydantic")

    assert run("fields.py").stdout == ""


# -- the examples themselves -------------------------------------------------------------------


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*_*.py")), ids=lambda path: path.name)
def test_example_is_short(script: pathlib.Path) -> None:
    lines = script.read_text(encoding="utf-8").splitlines()
    most = 70 if script.name == "stdio_server.py" else 40  # it has the protocol as well

    assert len([line for line in lines if line]) < most
