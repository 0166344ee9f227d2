"""Programs that check types at run time: our annotations for them, and theirs for us."""

import importlib
import inspect
import subprocess
import sys
import typing
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import pytest

import milo_schema
from milo_schema import Profile
from milo_schema.results import ToolResult
from tests import judges
from tests.every import every
from tests.fragments import INTEGER, NULL, array_of, obj
from tests.inside import definition as tools
from tests.inside import fields

# -- our annotations ---------------------------------------------------------------------------


MODULES = [
    "milo_schema",
    *(f"milo_schema.{name}" for name in ("arguments", "checks", "compare", "profiles")),
    *(f"milo_schema.{name}" for name in ("results", "testing", "transforms")),
]
"""The modules whose public names are API."""


def functions_of(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A public function or class, and the public methods and properties of the class."""
    if inspect.isfunction(value) or inspect.isclass(value):
        yield name, value
    for base in inspect.getmro(value)[:-1] if inspect.isclass(value) else ():
        for inner, method in vars(base).items():
            func = getattr(method, "fget", None) or getattr(method, "__func__", method)
            is_ours = inspect.isfunction(func) and func.__module__.startswith("milo_schema")
            if is_ours and (inner == "__init__" or not inner.startswith("_")):
                yield f"{name}.{inner}", func


OURS = {
    key: value
    for module in map(importlib.import_module, MODULES)
    for name in module.__all__
    for key, value in functions_of(f"{module.__name__}.{name}", getattr(module, name))
}


def test_our_functions_classes_and_methods_are_found():
    assert {"milo_schema.function_to_schema", "milo_schema.Profile.replace"} <= OURS.keys()
    assert len(OURS) > 150


@every("name", OURS)
def test_public_annotations_resolve_at_run_time(name):
    hints = typing.get_type_hints(OURS[name], include_extras=True)
    assert hints.keys() >= inspect.get_annotations(OURS[name]).keys()


def test_our_annotations_resolve_to_the_right_objects():
    assert typing.get_type_hints(milo_schema.function_to_schema) == {
        "func": Callable[..., Any],
        "strict": bool,
        "warn_missing_docs": bool,
        "exclude": Collection[str | type],
        "profile": Profile,
        "localns": (Mapping[str, Any] | None),
        "return": dict[str, Any],
    }
    hints = typing.get_type_hints(milo_schema.Toolbox.call)
    assert (hints["inject"], hints["return"]) == (Mapping[Any, Any] | None, ToolResult)
    assert typing.get_type_hints(tools.ToolSchema.to_openai) == {
        "api": typing.Literal["chat", "responses"],
        "strict": (bool | None),
        "options": typing.Unpack[fields.OpenAIOptions],
        "return": dict[str, Any],
    }


EVERYTHING = """
import importlib, json, pkgutil, sys
if sys.argv[1] == "beartype":
    from beartype.claw import beartype_package
    beartype_package("milo_schema")
elif sys.argv[1] == "typeguard":
    from typeguard import install_import_hook
    install_import_hook("milo_schema")
import milo_schema
for each in pkgutil.walk_packages(milo_schema.__path__, "milo_schema."):
    if not each.name.endswith("__main__"):
        importlib.import_module(each.name)

from dataclasses import dataclass
from typing import Annotated, Literal
from milo_schema import Ge, Pattern, Profile, function_to_schema, profiles, tool_schema
from milo_schema import checks, compare, results

@dataclass
class Item:
    name: Annotated[str, Pattern(r"^\\w+$")]
    parts: "list[Item]"

def find(items: list[Item], /, mode: Literal["a", "b"] = "a", times: Annotated[int, Ge(1)] = 1,
         other: "dict[str, float] | None" = None) -> dict[str, list[Item]]:
    '''Find items.

    Args:
        items: The items.
    '''
    return {mode: items * times}

shown = []
for name in profiles.__all__:
    if isinstance(profile := getattr(profiles, name), Profile):
        try:
            shown.append(tool_schema(find, profile=profile).to_mcp())
        except milo_schema.SchemaError as problem:
            shown.append(str(problem))
tool = tool_schema(find, profile=profiles.MCP)
shown.append(tool.to_openai(api="responses"))
arguments = {"items": [{"name": "x", "parts": []}]}
shown.append(tool.call(arguments))
shown.append(tool.call({"items": 1, "times": 0}))
shown += map(str, checks.check(find))
shown += map(str, compare.compare(tool.input_schema, function_to_schema(Item)))
print(json.dumps(shown))
"""


def everything(checker: str) -> str:
    command = [sys.executable, "-W", "ignore", "-c", EVERYTHING, checker]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
@pytest.mark.parametrize("checker", ["beartype", "typeguard"])
def test_the_library_works_under_an_import_hook_that_checks_types(checker):
    judges.module(checker)
    said = everything("none")
    assert said.count("inputSchema") > 10
    assert everything(checker) == said


# -- theirs ------------------------------------------------------------------------------------

CHECKED = """
from __future__ import annotations
from dataclasses import dataclass
from typing import Annotated
from milo_schema import Ge, Injected, MinLen, Profile, ToolSchema, profiles, tool_schema

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
    return made.call(arguments, inject={"session": Session()})
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
    item = obj(
        ["name"],
        name={"type": "string", "minLength": 1},
        count={"anyOf": [INTEGER, NULL], "default": None},
    )
    for find in (module.Shop.find, module.Shop().find):
        made = module.tool(find)
        assert made.name == "find"
        assert made.input_schema == obj(
            ["items"], items=array_of(item), times={"type": "integer", "minimum": 1, "default": 1}
        ) | {"additionalProperties": False}
    result = module.call(module.Shop().find, {"items": [{"name": "a"}]})
    assert result["structuredContent"] == {"a": 1}
