"""What is read at one time asks pydantic about each type once; afterwards nothing is kept."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from textwrap import dedent
from typing import Annotated, Any

import pydantic
import pytest

from milo_schema import Toolbox, checks, function_to_schema, tool_schema, tool_schemas
from milo_schema.profiles import MILO
from tests.fragments import STRING, record
from tests.inside import __main__ as command_line
from tests.inside import answers

MODELS = """
    from pydantic import BaseModel

    class Item(BaseModel):
        name: str

    def one(item: Item) -> Item: ...
    def two(item: Item, other: complex) -> None: ...

    __all__ = ["one", "two"]
"""
Upper = Annotated[str, pydantic.AfterValidator(lambda text: text.upper())]


class Item(pydantic.BaseModel):
    name: str


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """The questions to pydantic: a class, or nothing for other annotations, and the side."""
    asked: list[tuple[str, bool]] = []
    real: Callable[..., answers.Answer] = answers._asked

    def ask(tp: Any, known: Any, *, output: bool, **options: Any) -> answers.Answer:
        asked.append((tp.__name__ if isinstance(tp, type) else "", output))
        return real(tp, known, output=output, **options)

    monkeypatch.setattr(answers, "_asked", ask)
    return asked


def test_a_command_asks_about_a_class_once_for_each_side(
    asked: list[tuple[str, bool]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tools_of_models.py").write_text(dedent(MODELS), encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    for command, sides in (("show", [False]), ("check", [False, True])):
        command_line.main([command, "tools_of_models.py"])
        assert asked == [("Item", side) for side in sides]
        asked.clear()


def test_a_function_asks_about_a_class_once_however_often_it_stands_there(
    asked: list[tuple[str, bool]],
) -> None:
    @dataclass
    class Shelf:
        first: Item
        others: list[Item]

    def show(shelf: Shelf, item: Item) -> None: ...

    item = record(name=STRING)
    shelf = record(first=item, others={"type": "array", "items": item})
    assert function_to_schema(show) == record(shelf=shelf, item=item)
    assert asked == [("Item", False)]


def test_nothing_is_remembered_afterwards(asked: list[tuple[str, bool]]) -> None:
    def show(item: Item) -> None: ...

    expected = record(item=record(name=STRING))
    for tools in (tool_schemas([show, show], profile=MILO), tool_schemas([show], profile=MILO)):
        assert [each.input_schema for each in tools] == [expected] * len(tools)
    assert asked == [("Item", False)] * 2


def test_a_toolbox_asks_again_because_a_class_may_change(asked: list[tuple[str, bool]]) -> None:
    def show(item: Item) -> None: ...
    def hide(item: Item) -> None: ...

    toolbox = Toolbox(profile=MILO)
    for each in (show, hide):
        toolbox.tool(each)
    expected = record(item=record(name=STRING))
    assert [each.input_schema for each in toolbox.values()] == [expected] * 2
    assert asked == [("Item", False)] * 2


def test_annotations_with_the_same_metadata_are_asked_about_once(
    asked: list[tuple[str, bool]],
) -> None:
    def show(text: Upper) -> None: ...
    def hide(text: Upper) -> None: ...

    tools = tool_schemas([show, hide], profile=MILO)
    assert [each.input_schema for each in tools] == [record(text=STRING)] * 2
    assert asked == [("", False)]


def test_pydantic_reads_a_class_once_for_both_sides() -> None:
    read = []

    class Counted:
        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
            read.append(source)
            return handler(str)

    def show(text: Counted, item: Item) -> Counted: ...

    (tool,) = tool_schemas([show], profile=MILO)
    assert tool.input_schema == record(text=STRING, item=record(name=STRING))
    assert tool.output_schema == STRING
    assert read == [Counted]


class Event(pydantic.BaseModel):
    at: datetime
    path: Path = Path("x")
    size: complex = 1j


class Log(pydantic.BaseModel):
    first: Event
    second: Event
    items: list[Item] = []
    limit: int = 5


def test_the_tools_of_a_set_share_definitions_and_each_has_its_own_problems() -> None:
    def read(log: Log) -> Log: ...
    def write(log: Log, item: Item) -> Log: ...
    def clear(log: Log) -> Item: ...

    functions = (read, write, clear)
    found = [[*checks.check(each)] for each in functions]
    assert checks.check(*functions) == [finding for each in found for finding in each]
    assert [each.to_mcp() for each in tool_schemas(functions)] == [
        tool_schema(each).to_mcp() for each in functions
    ]
