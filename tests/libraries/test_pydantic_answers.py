"""While a command runs, pydantic is asked about each class once; afterwards nothing is kept."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from textwrap import dedent
from typing import Annotated, Any

import pydantic
import pytest

from milo_schema import checks, function_to_schema, tool_schema, tool_schemas
from tests.differential import model_tools
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

    def ask(tp: Any, *, output: bool, **options: Any) -> answers.Answer:
        asked.append((tp.__name__ if isinstance(tp, type) else "", output))
        return real(tp, output=output, **options)

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


def test_nothing_is_remembered_afterwards(asked: list[tuple[str, bool]]) -> None:
    def show(item: Item) -> None: ...

    expected = record(item=record(name=STRING))
    with answers.remembering():
        first, second = function_to_schema(show), function_to_schema(show)
    assert asked == [("Item", False)]
    assert first == second == expected
    assert function_to_schema(show) == expected
    assert asked == [("Item", False)] * 2


def test_a_schema_from_a_remembered_answer_can_be_changed() -> None:
    def show(item: Item) -> None: ...

    with answers.remembering():
        function_to_schema(show)["properties"]["item"]["properties"].clear()
        assert function_to_schema(show) == record(item=record(name=STRING))


def test_annotations_with_the_same_metadata_are_asked_about_once(
    asked: list[tuple[str, bool]],
) -> None:
    def show(text: Upper) -> None: ...
    def hide(text: Upper) -> None: ...

    with answers.remembering():
        assert function_to_schema(show) == function_to_schema(hide) == record(text=STRING)
    assert asked == [("", False)]


def test_pydantic_reads_a_class_once_for_both_sides() -> None:
    read = []

    class Counted:
        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
            read.append(source)
            return handler(str)

    def show(text: Counted, item: Item) -> Counted: ...

    with answers.remembering():
        assert function_to_schema(show) == record(text=STRING, item=record(name=STRING))
        assert tool_schema(show).output_schema == STRING
    assert read == [Counted]


def test_a_method_of_pydantics_generator_answers_as_its_handlers_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tools = [each for name, each in vars(model_tools).items() if name.startswith("with_")]

    def schemas() -> list[Any]:
        return [[*checks.check(each), tool_schema(each).to_mcp()] for each in tools]

    directly = schemas()
    monkeypatch.setattr(answers, "_without_handlers", lambda make: make)
    assert directly == schemas()
    assert tools


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
    with answers.remembering():
        found = [[*checks.check(each)] for each in functions]
        assert checks.check(*functions) == [finding for each in found for finding in each]
    assert [each.to_mcp() for each in tool_schemas(functions)] == [
        tool_schema(each).to_mcp() for each in functions
    ]
