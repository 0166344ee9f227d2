"""Programs that check types at run time: our annotations for them, and theirs for us."""

import importlib
import inspect
import typing

import pytest

import milo_schema
from milo_schema import type_checking_imports
from tests import judges
from tests.every import every

MODULES = ("", ".arguments", ".calls", ".checks", ".compare", ".results", ".testing")
PUBLIC = {
    f"milo_schema{module}.{name}": value
    for module in MODULES
    for name, value in vars(importlib.import_module(f"milo_schema{module}")).items()
    if inspect.isfunction(value) and not name.startswith("_")
}
PUBLIC |= {
    f"milo_schema.{name}": value
    for name in milo_schema.__all__
    if inspect.isfunction(value := getattr(milo_schema, name))
}


def test_there_are_public_functions():
    assert {"milo_schema.function_to_schema", "milo_schema.calls.call_tool"} <= set(PUBLIC)


@every("name", PUBLIC)
def test_the_annotations_of_a_public_function_resolve(name):
    """Its modules import nothing for them, so that they load fast."""
    func = PUBLIC[name]
    hints = typing.get_type_hints(func, localns=type_checking_imports(func))
    assert hints.keys() == func.__annotations__.keys()
    assert not any(type(each).__name__ == "Unresolved" for each in hints.values())


CHECKED = """
from __future__ import annotations
from dataclasses import dataclass
from typing import Annotated
from milo_schema import Ge, Injected, MinLen, Profile, ToolSchema, profiles, tool_schema
from milo_schema.calls import call_tool

MINE: Profile = profiles.MCP.replace(name="MINE")

class Session: ...

@dataclass
class Item:
    name: Annotated[str, MinLen(1)]
    count: int | None = None

class Shop:
    def find(
        self,
        session: Annotated[Session, Injected],
        items: list[Item],
        times: Annotated[int, Ge(1)] = 1,
    ) -> dict[str, int]:
        return {each.name: times for each in items}

def tool(func, profile: Profile = MINE) -> ToolSchema:
    return tool_schema(func, profile=profile, strict=True)

def call(func, arguments: dict) -> dict:
    made: ToolSchema = tool(func)
    return call_tool(made, func, arguments, inject={"session": Session()}, profile=MINE)
"""


@pytest.mark.parametrize("checker", ["none", "beartype", "typeguard"])
def test_a_module_that_a_type_checker_instruments_has_the_same_tools(
    tmp_path, monkeypatch, checker
):
    name = f"shop_of_{checker}"
    (tmp_path / f"{name}.py").write_text(CHECKED, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    if checker == "beartype":
        judges.module("beartype.claw").beartype_package(name)
        module = importlib.import_module(name)
    elif checker == "typeguard":
        with judges.module("typeguard").install_import_hook(name):
            module = importlib.import_module(name)
    else:
        module = importlib.import_module(name)
    item = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1},
            "count": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        },
        "required": ["name"],
    }
    for find in (module.Shop.find, module.Shop().find):
        made = module.tool(find)
        assert made.name == "find"
        assert made.input_schema == {
            "type": "object",
            "properties": {
                "items": {"type": "array", "items": item},
                "times": {"type": "integer", "minimum": 1, "default": 1},
            },
            "required": ["items"],
            "additionalProperties": False,
        }
    result = module.call(module.Shop().find, {"items": [{"name": "a"}]})
    assert result["structuredContent"] == {"a": 1}
