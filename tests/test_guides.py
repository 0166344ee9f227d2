"""The guides survive the first change of a reader: each runs with other functions than its own."""

import ast
import asyncio
import datetime
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

from milo_schema import Injected, ToolError, function_to_schema, profiles
from tests import judges
from tests.test_docs import blocks, python, require_foreign

pytestmark = pytest.mark.core

GUIDES = Path(__file__).parents[1] / "docs/how-to"
TUTORIAL = GUIDES.parent / "tutorial.md"


@pytest.fixture
def changed() -> Iterator[Any]:
    """Run a guide up to a block in which the reader replaces some text."""
    modules: list[str] = []

    def run(guide: str, old: str, new: str, **names: Any) -> dict[str, Any]:
        sources = [block.source for block in python(GUIDES / guide)]
        (at,) = (number for number, source in enumerate(sources) if source.count(old) == 1)
        module = type(sys)(f"docs.changed.{guide}")
        sys.modules[module.__name__] = module
        modules.append(module.__name__)
        vars(module).update(names)
        for source in (*sources[:at], sources[at].replace(old, new)):
            require_foreign(source)
            exec(compile(source, guide, "exec", dont_inherit=True), vars(module))
        return vars(module)

    yield run
    for name in modules:
        del sys.modules[name]


def tag(item: str, tags: list[str], sizes: list[int] | None = None) -> list[str]:
    """Tag an item."""
    return [item, *tags, *map(str, sizes or [])]


def forget(item: str) -> None:
    """Forget an item."""


def sell(item: str) -> int:
    """Sell an item."""
    raise ToolError(f"{item} is sold out")


def crash(item: str) -> int:
    """Crash."""
    raise KeyError(item)


@dataclass
class Parcel:
    """A parcel.

    Attributes:
        item: The item in it.
    """

    item: str
    sent: datetime.datetime | None = None


def send(parcel: Parcel, at: datetime.datetime) -> Parcel:
    """Send a parcel."""
    return Parcel(parcel.item, at)


def weigh(parcel: Parcel) -> int:
    """Weigh a parcel."""
    return len(parcel.item)


MINE = [tag, forget, sell, crash, send, weigh]


@pytest.fixture
def command_line(changed, capsys):
    """The output of the command line of the guide, with functions of a reader."""
    guide = changed(
        "cli-from-functions.md", "Toolbox([forecast], ", "Toolbox([forecast, *MINE], ", MINE=MINE
    )

    def type_in(*words: str) -> Any:
        return guide["run"](guide["parser"], list(words))

    return type_in


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["--item", "tea", "--tags", "x", "--tags", "y"], '["tea", "x", "y"]'),
        (["--item", "tea", "--tags", "x"], '["tea", "x"]'),
        (
            ["--item", "tea", "--tags", "x", "--sizes", "1", "--sizes", "2"],
            '["tea", "x", "1", "2"]',
        ),
    ],
)
def test_a_list_option_of_the_command_line_keeps_each_value(command_line, words, printed):
    assert command_line("tag", *words) == printed


def test_a_function_of_the_command_line_needs_no_ctx_and_no_result(command_line):
    assert command_line("forget", "--item", "tea") == ""


def test_an_error_of_a_function_is_a_message_of_the_command_line(command_line, capsys):
    with pytest.raises(SystemExit) as end:
        command_line("sell", "--item", "tea")
    assert end.value.code == 2
    assert capsys.readouterr().err.endswith("weather: error: tea is sold out\n")


def test_a_mistake_in_a_function_is_a_traceback_of_the_command_line(command_line):
    with pytest.raises(KeyError, match="tea"):
        command_line("crash", "--item", "tea")


def test_a_renamed_function_is_a_renamed_command(changed):
    source = python(GUIDES / "cli-from-functions.md")[0].source
    head, _, _ = source.partition("\nassert ")
    renamed = head.replace("def forecast(", "def weather_at_noon(").replace(
        "[forecast]", "[weather_at_noon]"
    )
    guide = changed("cli-from-functions.md", source, renamed)

    assert guide["run"](guide["parser"], ["weather_at_noon", "--city", "Oslo"]) == "Oslo: 11 C"


@pytest.mark.filterwarnings(  # langchain_core
    "ignore:'asyncio.iscoroutinefunction' is:DeprecationWarning"
)
def test_functions_of_a_reader_are_tools_of_langchain(changed, caplog):
    judges.require("langchain_core")
    guide = changed(
        "langchain.md",
        "tool, rain = langchain_tools([forecast, rains])",
        "tool, rain, *others = langchain_tools([forecast, rains, *MINE])",
        MINE=MINE,
    )
    tools = {each.name: each for each in guide["others"]}

    assert tools["tag"].invoke({"item": "tea", "tags": ["x", "y"]}) == '["tea", "x", "y"]'
    assert tools["forget"].invoke({"item": "tea"}) == ""
    assert tools["sell"].invoke({"item": "tea"}) == "tea is sold out"
    assert "KeyError" not in tools["crash"].invoke({"item": "tea"})
    assert "crash failed" in caplog.text


CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("tag", {"item": "tea", "tags": ["x", "y"], "sizes": [1]}, '["tea", "x", "y", "1"]'),
    ("forget", {"item": "tea"}, ""),
    ("sell", {"item": "tea"}, "tea is sold out"),
    (
        "send",
        {"parcel": {"item": "tea"}, "at": "2026-01-31T12:00:00"},  # without an offset from UTC
        '{"item": "tea", "sent": "2026-01-31T12:00:00"}',
    ),
    ("weigh", {"parcel": {"item": "tea"}}, "3"),
    ("crash", {"item": "tea"}, "internal error in crash"),
]
"""The calls of a reader, with the text that the model gets."""


@pytest.mark.parametrize(
    ("guide", "listed"),
    [("mcp-server.md", "[forecast]"), ("fastmcp.md", "fastmcp_tools([forecast])")],
)
def test_functions_of_a_reader_are_served(changed, caplog, guide, listed):
    old = f'"weather", {"tools=" if "fastmcp" in listed else ""}{listed})'
    names = changed(guide, old, old.replace("[forecast]", "[forecast, *MINE]"), MINE=MINE)

    async def talk() -> list[tuple[str, Any]]:
        async with names["Client"](names["server"]) as client:
            options = {"raise_on_error": False} if guide == "fastmcp.md" else {}
            found = [await client.call_tool(name, given, **options) for name, given, _ in CALLS]
        return [
            ("".join(block.text for block in each.content), each.structured_content)
            for each in found
        ]

    answers = asyncio.run(talk())
    assert [text for text, _ in answers] == [text for *_, text in CALLS]
    assert answers[0][1] == {"result": ["tea", "x", "y", "1"]}
    assert "crash failed" in caplog.text


def test_functions_of_a_reader_are_tools_of_an_openai_agent(changed):
    names = changed(
        "openai-agents.md",
        "(tool,) = agent_tools([forecast])",
        "tool, *others = agent_tools([forecast, *MINE])",
        MINE=MINE,
    )
    tools = {each.name: each for each in names["others"]}

    context = object.__new__(names["ToolContext"])
    for name, arguments, text in CALLS:
        assert asyncio.run(tools[name].on_invoke_tool(context, json.dumps(arguments))) == text


def test_functions_of_a_reader_are_tools_of_pydantic_ai(changed):
    names = changed(
        "pydantic-ai.md",
        "(tool,) = agent_tools([forecast])",
        "tool, *others = agent_tools([forecast, *MINE])",
        MINE=MINE,
    )
    tools = {each.name: each for each in names["others"]}
    context = object.__new__(names["RunContext"])

    assert asyncio.run(tools["tag"].function(context, **CALLS[0][1])) == ["tea", "x", "y", "1"]
    assert asyncio.run(tools["forget"].function(context, item="tea")) is None
    assert asyncio.run(tools["weigh"].function(context, **CALLS[4][1])) == 3
    for name, arguments, text in (CALLS[2], CALLS[-1]):
        with pytest.raises(names["ModelRetry"], match=text):
            asyncio.run(tools[name].function(context, **arguments))


@pytest.mark.parametrize(
    ("guide", "old", "box"),
    [
        ("openai-strict.md", "TOOLS = Toolbox([find], ", "TOOLS"),
        ("nulls-and-titles.md", "tools = Toolbox([find], ", "tools"),
        ("mcp-server.md", "tools = Toolbox([price], ", "tools"),
        ("from-pydantic.md", "tools = Toolbox([invite]", "tools"),
        ("my-type.md", "tools = Toolbox([double]", "tools"),
    ],
)
def test_functions_of_a_reader_are_in_a_toolbox(changed, guide, old, box):
    mine = old.replace("]", ", *MINE]")
    names = changed(guide, old, mine, MINE=MINE)
    tools = names[box]

    for name, arguments, text in CALLS[:-1]:
        assert tools.call(name, arguments).text == text
    if "unexpected=" in mine:
        assert tools.call(*CALLS[-1][:2]).text == CALLS[-1][2]


REST = """
    :param service: Service name.
    :param int replicas: Number of copies.
    :returns: The address of the service.
    :raises ValueError: If the service does not exist.
"""
GOOGLE = """    Args:
        service: Service name.
        replicas (int): Number of copies.

    Returns:
        str: The address of the service.

    Raises:
        ValueError: If the service does not exist.
"""
CODERS = "".join(
    f"{ast.unparse(node)}\n"
    for block in python(GUIDES / "my-type.md")
    for node in ast.parse(block.source).body
    if ast.unparse(node).startswith("SHOP = SHOP.replace(")
)
SECOND = "class Weight(Money): ...\n" + CODERS.replace("Money", "Weight")
DOUBLE = "tools = Toolbox([double], profile=SHOP)\n"
SEARCH = "tool = tool_schema(search, profile=LIKE_PYDANTIC)\n"
WEIGH = """\
tool = tool_schema(weigh, profile=LIKE_PYDANTIC)
assert tool.call({"parcel": {"item": "tea"}}).text == "3"
"""
DEPLOY = "tool = tool_schema(deploy)\n"


@pytest.mark.parametrize(
    ("guide", "old", "new"),
    [
        ("my-type.md", DOUBLE, SECOND + DOUBLE),
        ("my-profile.md", "Annotated[str, Depends],", "Annotated[str, Depends(max)],"),
        ("my-profile.md", "int = Depends(max),", "int = Depends,"),
        ("other-frameworks.md", SEARCH, WEIGH + SEARCH),
        ("from-docstring-parsers.md", "cleandoc(", "str("),
        ("from-docstring-parsers.md", GOOGLE, REST),
        ("ci.md", DEPLOY, "def deploy(replicas: int, by: Parcel) -> None: by.item\n" + DEPLOY),
    ],
)
def test_the_assertions_of_a_guide_hold_with_a_change_of_a_reader(changed, guide, old, new):
    changed(guide, old, new, weigh=weigh, Parcel=Parcel)


def test_functions_of_a_reader_are_called_by_code(changed):
    old = 'ship = tools.namespace()["ship"]\n'
    names = changed("code-mode.md", old, f"for each in MINE: tools.tool(each)\n{old}", MINE=MINE)
    functions = names["tools"].namespace()

    assert functions["tag"]("tea", ["x"], [1]) == ["tea", "x", "1"]
    assert functions["forget"]("tea") is None
    sent = functions["send"](Parcel("tea"), datetime.datetime(2026, 1, 31, 12))  # noqa: DTZ001
    assert sent == {"item": "tea", "sent": "2026-01-31T12:00:00"}
    with pytest.raises(ToolError, match="tea is sold out"):
        functions["sell"]("tea")


@pytest.mark.slow
def test_the_tutorial_runs_with_another_tool_and_from_another_folder(tmp_path):
    judges.require("mcp")
    files = {each.file: each.source for each in blocks(TUTORIAL) if each.file}
    files["server.py"] = files["server.py"].replace("[forecast]", "[forecast, forget]")
    files["server.py"] = files["server.py"].replace("forecast\n", "forecast, forget\n", 1)
    files["weather.py"] += '\n\ndef forget(city: str) -> None:\n    """Forget a city."""\n'
    for name, source in files.items():
        (tmp_path / name).write_text(source, encoding="utf-8")

    command = [sys.executable, tmp_path / "client.py"]
    said = subprocess.check_output(command, cwd=tmp_path.parent, text=True, timeout=120)
    tools = ["forecast city days", "forget city", "cities"]
    assert said.splitlines()[:4] == [*tools, "{'result': [11.5, 12.0]}"]


def test_each_mark_of_langchain_hides_a_parameter():
    judges.require("langchain_core")
    from langchain_core.tools import InjectedToolArg, InjectedToolCallId

    class InjectedState(InjectedToolArg):
        """As LangGraph defines it."""

    marked = profiles.MCP.with_markers({InjectedToolArg: lambda marker: [Injected]})
    (code,) = [
        block.source
        for block in python(GUIDES / "langchain.md")
        if "InjectedToolArg" in block.source
    ]
    assert "with_markers({InjectedToolArg: lambda marker: [Injected]})" in code

    def read(
        path: str,
        a: Annotated[str, InjectedToolArg],
        b: Annotated[str, InjectedToolArg()],
        c: Annotated[dict[str, str], InjectedState],
        d: Annotated[dict[str, str], InjectedState()],
        e: Annotated[str, InjectedToolCallId],
    ): ...

    assert list(function_to_schema(read, profile=marked)["properties"]) == ["path"]
