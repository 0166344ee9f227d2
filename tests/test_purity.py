"""A derivation leaves no trace: not on the function, not in the library, not in the interpreter."""

import ast
import copy
import doctest
import gc
import importlib
import inspect
import itertools
import json
import re
import subprocess
import sys
import weakref
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Literal, TypedDict

import pytest

import milo_schema
from milo_schema import (
    Description,
    Ge,
    MinLen,
    Schema,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from tests.every import every
from tests.sources import MODULES, PACKAGE, TREES, is_for_type_checkers, statements
from tests.test_type_checkers import EVERYTHING


@dataclass
class Filter:
    x: int
    tags: list[str] = field(default_factory=list)


class Options(TypedDict):
    filters: list[Filter]


# -- nothing is kept ---------------------------------------------------------------------------


def make_function() -> Any:
    def made(a: Annotated[str, MinLen(1)], b: "list[Filter]", c: Options | None = None) -> Options:
        """Do it.

        Args:
            a: A.
        """

    return made


def make_class() -> Any:
    @dataclass
    class Made:
        a: int
        b: "list[Filter]"

    return Made


def make_object() -> Any:
    class Made:
        def __call__(self, a: int, b: "list[Filter]") -> Options: ...

    return Made()


def test_neither_a_callable_nor_a_type_is_kept_alive():
    alive = {}
    for make, profile in itertools.product(
        (make_function, make_class, make_object), (profiles.MILO, profiles.MCP)
    ):
        made = make()
        assert function_to_schema(made, profile=profile)["properties"].keys() >= {"a", "b"}
        return_to_schema(made, profile=profile)
        alive[make.__name__, profile.name] = weakref.ref(made)
    made = make_class()
    assert type_to_schema(list[made])["type"] == "array"
    alive["list", ""] = weakref.ref(made)
    del made
    gc.collect()  # takes a third of a second, late in a run
    assert {name for name, reference in alive.items() if reference() is not None} == set()


class Speed(Enum):
    SLOW = "slow"
    FAST = "fast"


KINDS: dict[str, tuple[Any, Any]] = {
    "a text": (str, "x"),
    "an array": (list[str], inspect.Parameter.empty),
    "an object": (dict[str, int], inspect.Parameter.empty),
    "a union": (str | list[str] | None, None),
    "a choice": (Literal["x", "y"], "x"),
    "a described text": (Annotated[str, MinLen(1), Description("A.")], "x"),
    "a class": (Filter, Filter(1)),
    "classes": (list[Filter], inspect.Parameter.empty),
    "a dictionary": (Options, inspect.Parameter.empty),
    "a member": (Speed, Speed.SLOW),
}


def function_with(annotation: Any, default: Any) -> Any:
    def made(a: Any) -> int:
        """Do it.

        Args:
            a: A.
        """
        return 1

    made.__annotations__["a"] = annotation
    made.__defaults__ = None if default is inspect.Parameter.empty else (default,)
    return made


@pytest.mark.parametrize("derive", [function_to_schema, return_to_schema, tool_schema])
def test_a_derivation_leaves_no_reference_cycles(derive):
    left = {}
    gc.collect()
    gc.disable()
    try:
        for name, (annotation, default) in KINDS.items():
            func = function_with(annotation, default)
            derive(func)  # loads what is loaded late
            gc.collect()
            derive(func)
            left[name] = gc.collect()
    finally:
        gc.enable()
    assert left == dict.fromkeys(KINDS, 0)


def test_a_tool_that_waits_for_a_call_keeps_few_objects():
    func = function_with(*KINDS["classes"])
    tool_schema(func)
    gc.collect()
    before = {id(each) for each in gc.get_objects()}
    tool = tool_schema(func)

    kept = [each for each in gc.get_objects() if id(each) not in before and each is not before]
    assert len(kept) <= 35, Counter(type(each).__name__ for each in kept)
    assert tool.call({"a": []}).is_error is False  # it reads the function again


# -- nothing is changed ------------------------------------------------------------------------


def state_of(func: Any) -> dict[str, Any]:
    """All that a function is, as values."""
    code = func.__code__
    return {
        "annotations": dict(func.__annotations__),
        "defaults": copy.deepcopy(func.__defaults__),
        "keyword defaults": copy.deepcopy(func.__kwdefaults__),
        "attributes": dict(vars(func)),
        "doc": func.__doc__,
        "name": (func.__name__, func.__qualname__),
        "code": code,
        "cells": [cell.cell_contents for cell in func.__closure__ or ()],
    }


def test_a_function_is_not_changed():
    options: Options = {"filters": []}

    def function(
        a: Annotated[list["int"], MinLen(1), Schema({"x-a": [1]})],
        b: "list[Filter]",
        c: dict = {"a": [1]},  # noqa: B006 - that it can be changed is the point
        *,
        d: Options = {"filters": []},  # noqa: B006
    ) -> Options:
        """Do it."""
        return options

    vars(function)["note"] = "mine"
    before = state_of(function)
    for profile in (profiles.MILO, profiles.MCP):
        for strict in (True, False):
            function_to_schema(function, profile=profile, strict=strict, exclude={"d"})
            return_to_schema(function, profile=profile, strict=strict)
    assert state_of(function) == before
    assert function.__annotations__["a"] is before["annotations"]["a"]


def test_a_class_is_not_changed():
    before = dict(vars(Filter))
    function_to_schema(Filter)
    type_to_schema(Options)
    assert dict(vars(Filter)) == before


def test_the_arguments_of_a_derivation_are_not_changed():
    exclude, localns = ["a"], {"Missing": int}

    def function(a: int, b: "Missing"): ...  # noqa: F821

    schema = function_to_schema(function, exclude=exclude, localns=localns)
    assert schema["properties"] == {"b": {"type": "integer"}}
    assert (exclude, localns) == (["a"], {"Missing": int})


def test_a_namespace_of_a_function_is_not_changed():
    """``eval`` puts ``__builtins__`` where there are none. A warning leaves what all of them do."""
    namespace: dict[str, Any] = {"__builtins__": {}, "int": int}
    exec("def function(a: 'int', b: 'list'): ...", namespace)
    before = set(namespace)
    with pytest.warns(milo_schema.SchemaWarning):
        function_to_schema(namespace["function"], localns={"list": "Missing"})
    assert set(namespace) == before | {"__warningregistry__"}


# -- every result is fresh ---------------------------------------------------------------------


def containers(value: Any) -> Iterator[Any]:
    """Every dict and list in a schema."""
    if isinstance(value, (dict, list)):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from containers(inner)


def function(
    a: Annotated[list[int], Schema({"x-a": {"b": [1]}})],
    b: Filter,
    c: list[Filter],
    d: Literal["x", "y"] = "x",
    e: dict = {"a": [1]},  # noqa: B006 - that it can be changed is the point
    f: Options | None = None,
) -> Options: ...


@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_nothing_in_a_schema_is_shared_so_changing_one_changes_nothing_else(profile):
    first = function_to_schema(function, profile=profile)
    second = function_to_schema(function, profile=profile)
    text = json.dumps(first)
    found = [*containers(first), *containers(second)]
    assert len(found) == len({*map(id, found)})
    assert len(found) > 50
    for each in containers(first):
        each.clear()
    assert text == json.dumps(second) == json.dumps(function_to_schema(function, profile=profile))
    assert function.__defaults__ == ("x", {"a": [1]}, None)


def test_a_custom_schema_is_copied():
    own = {"type": "object", "properties": {"x": {"type": "string"}}}
    profile = profiles.MILO.with_types({complex: own})
    for each in containers(type_to_schema(list[complex], profile=profile)):
        each.clear()
    assert own == {"type": "object", "properties": {"x": {"type": "string"}}}
    assert type_to_schema(complex, profile=profile) == own


# -- nothing is confused -----------------------------------------------------------------------


class Alike:
    """All of these are equal, and have one hash."""

    def __init__(self, annotation: Any) -> None:
        self.__signature__ = inspect.Signature(
            [inspect.Parameter("x", inspect.Parameter.KEYWORD_ONLY, annotation=annotation)]
        )

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __call__(self, x: Any) -> None: ...


def test_callables_that_compare_equal_are_not_confused():
    one, two = Alike(int), Alike(str)
    assert one == two
    for _ in range(3):
        assert function_to_schema(one)["properties"] == {"x": {"type": "integer"}}
        assert function_to_schema(two)["properties"] == {"x": {"type": "string"}}


def test_callables_that_refuse_to_be_compared_work():
    class Incomparable(Alike):
        def __eq__(self, other):
            raise ZeroDivisionError

        def __bool__(self):
            raise ZeroDivisionError

        def __hash__(self):
            raise ZeroDivisionError

    assert function_to_schema(Incomparable(int))["properties"] == {"x": {"type": "integer"}}


def test_markers_with_the_same_value_are_not_confused():
    """NamedTuples of different classes compare equal; ``typing`` caches by equality."""

    def least(x: Annotated[int, Ge(1)]): ...
    def shortest(x: Annotated[list[int], MinLen(1)]): ...
    def described(x: Annotated[str, Description("1")], y: Annotated[str, "1"]): ...

    array = {"type": "array", "items": {"type": "integer"}, "minItems": 1}
    text = {"type": "string", "description": "1"}
    for _ in range(2):
        assert function_to_schema(least)["properties"]["x"] == {"type": "integer", "minimum": 1}
        assert function_to_schema(shortest)["properties"]["x"] == array
        properties = function_to_schema(described, profile=profiles.MCP)["properties"]
        assert properties == {"x": text, "y": text}
    assert Ge(1) != MinLen(1)


# -- hash seeds --------------------------------------------------------------------------------


IN_ANOTHER_PROCESS = """
import json
import re
from dataclasses import dataclass
from typing import Annotated, Literal
from milo_schema import Schema, function_to_schema, profiles, tool_schema

@dataclass
class Left:
    right: "list[Right]"

@dataclass
class Right:
    left: "Left | None" = None

def function(
    a: set[str] = {"c", "b", "a"},
    b: frozenset[int] = frozenset({3, 1, 2}),
    c: Left | Right | None = None,
    *,
    d: Literal["y", "x"],
    e: Annotated[int, Schema({"x-b": 1, "x-a": 2})],
): ...

for profile in (profiles.MILO, profiles.MCP):
    print(json.dumps(function_to_schema(function, profile=profile, exclude={"z", "y"})))
print(tool_schema(function, exclude={"z", "y"}).to_python(metadata=True, lost=print))
"""


def run(code: str, *options: str, **environment: str) -> str:
    """The output of a bare interpreter that runs *code*."""
    head = f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})\n"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-S", *options, "-c", head + code],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env=environment,
    )
    assert done.stderr == ""
    return done.stdout


def test_every_hash_seed_gives_the_same_bytes():
    texts = {run(IN_ANOTHER_PROCESS, PYTHONHASHSEED=str(seed)) for seed in range(4)}
    assert len(texts) == 1
    assert texts.pop().count("\n") == 14


# -- importing is light ------------------------------------------------------------------------

BARE = ("-E", "-I")
LOADED = "import sys; print('\\n'.join(sorted(sys.modules)))"


def loaded_by(code: str) -> set[str]:
    """The modules that *code* loads, beyond those of a bare interpreter."""
    return set(run(f"{code}\n{LOADED}", *BARE).split()) - set(run(LOADED, *BARE).split())


def test_importing_the_package_loads_nothing_else():
    assert loaded_by("import milo_schema") == {"milo_schema"}


TOOLS = """
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Optional, TypedDict
class Item(TypedDict):
    name: str
    parts: "list[Item]"
def plain(service: str, times: int = 1, ratio: float = 0.5, *, force: bool = False) -> bool: ...
def quoted(service: "str", times: "int | None" = None) -> "dict[str, int]": ...
def find(
    item: Item,
    items: Sequence[Item],
    mode: Literal["a", "b"] = "a",
    most: Annotated[int, "How many."] = 1,
    other: Optional[dict[str, Any]] = None,
) -> list[Item] | None:
    '''Find items.

    Args:
        item: The item.

    Returns:
        The items that were found.
    '''
"""
SCHEMAS = """
from milo_schema import function_to_schema, return_to_schema
for func in (plain, quoted, find):
    function_to_schema(func), return_to_schema(func)
"""
UNUSED = {"argparse", "ast", "asyncio", "dataclasses", "inspect", "json", "tokenize", "unittest"}
"""Modules of Python that cost a program more than the schemas of its tools."""


def test_a_schema_loads_neither_costly_modules_of_python_nor_public_modules_of_ours():
    """Modules that Python needs for the functions themselves do not count."""
    loaded = loaded_by(TOOLS + SCHEMAS) - loaded_by(TOOLS)
    public = {f"milo_schema.{name}" for name in (*milo_schema._PUBLIC_MODULES, "tools", "cli")}
    assert loaded & (UNUSED | public) == set()
    assert "milo_schema.callables" in loaded


PLAIN = """
def f(text: str, number: int = 1, ratio: float = 0.5, name: str = "ü", none: str = None) -> str:
    'Do it.'
"""
RULES = {"nodes.reader", "nodes.table", "nodes.records", "annotations.generics", "markers"}
CALLS = {"arguments", "results", "tools.calls", "json_schema.validation", "json_schema.repair"}


@pytest.mark.parametrize(
    ("code", "unused"),
    [
        ("from milo_schema import function_to_schema; function_to_schema(f)", RULES | CALLS),
        ("from milo_schema import tool_schema; tool_schema(f).to_mcp()", CALLS),
    ],
    ids=["a schema of plain types", "a definition"],
)
def test_what_is_not_needed_is_not_loaded(code, unused):
    loaded = loaded_by(PLAIN + code)
    assert loaded & {f"milo_schema.{name}" for name in unused} == set()
    assert "milo_schema.nodes.scalars" in loaded


RECORDED = """
import sys
asked = []
class Recorder:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in KNOWN:
            asked.append(name)
KNOWN = {"milo_schema", *sys.stdlib_module_names}
KNOWN.add("org")  # copy asks for org.python, up to 3.11
KNOWN.add("_missing_stdlib_info")  # traceback asks for it, since 3.15
sys.meta_path.insert(0, Recorder())
sys.argv = ["", "none"]
import warnings
warnings.simplefilter("ignore")
"""


def test_no_other_package_is_ever_asked_for():
    """Whether it is installed or not: with ``-S``, none is."""
    schemas, asked = run(f"{RECORDED}{EVERYTHING}\nprint(asked)", "-E").splitlines()
    assert len(json.loads(schemas)) > 10
    assert asked == "[]"


EACH_FIRST = """
import sys
for name in {names}:
    for loaded in [each for each in sys.modules if each.partition(".")[0] == "milo_schema"]:
        del sys.modules[loaded]
    __import__(name)
    print(name)
"""


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
def test_each_module_can_be_imported_before_all_others(step):
    """A part of them; ``test_structure`` has that no modules import each other."""
    names = [name for name in MODULES if not name.endswith("__main__")][::step]
    assert run(EACH_FIRST.format(names=names), *BARE).split() == names


# -- public names ------------------------------------------------------------------------------

PUBLIC = sorted(milo_schema.__all__)
PUBLIC_MODULES = sorted(milo_schema._PUBLIC_MODULES)


def test_type_checkers_see_the_public_names_and_no_other():
    """``docs/api/`` has the same names; another test compares them."""
    (block,) = filter(is_for_type_checkers, TREES["__init__"].body)
    seen = {alias.asname or alias.name for node in statements(block) for alias in node.names}
    missing = "milo_schema/__init__.py: a name is below TYPE_CHECKING or in __all__, not in both"
    assert seen == {*PUBLIC, *PUBLIC_MODULES}, missing
    assert len(set(PUBLIC)) == len(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_can_be_imported_and_is_documented(name):
    value = getattr(importlib.import_module("milo_schema"), name)
    assert (inspect.getdoc(value) or "").strip()
    assert name in dir(milo_schema)


def test_dir_lists_public_names_and_no_other():
    code = "import milo_schema; print([name for name in dir(milo_schema) if name[:2] != '__'])"
    names = ast.literal_eval(subprocess.check_output([sys.executable, "-c", code], text=True))
    assert set(names) == {*PUBLIC, *PUBLIC_MODULES}


def test_dir_of_the_profiles_lists_them_and_nothing_else():
    assert dir(profiles) == sorted(profiles.__all__)


def test_help_begins_with_an_example_that_is_true():
    _, blank, example, *_ = (milo_schema.__doc__ or "").splitlines()
    assert (blank, example[:27]) == ("", ">>> from milo_schema import")
    assert doctest.testmod(milo_schema) == (0, 4)


def test_a_star_import_gives_the_public_names():
    namespace: dict[str, Any] = {}
    exec("from milo_schema import *", namespace)
    assert namespace.keys() - {"__builtins__"} == set(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC_MODULES)
def test_a_public_module_is_an_attribute_of_the_package(name):
    code = f"import milo_schema; print(milo_schema.{name}.__name__)"
    command = [sys.executable, "-c", code]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert printed == f"milo_schema.{name}\n"


def test_another_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'milo_schema' has no attribute 'nothing'"):
        getattr(milo_schema, "nothing")  # noqa: B009 - a checker knows that it is not there


def test_python_suggests_the_name_that_was_meant():
    code = "import milo_schema; milo_schema.function_to_shema"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert re.search(r"Did you mean:? '\.?function_to_schema'", done.stderr)  # 3.15 has the dot


# -- examples ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_the_examples_in_docstrings_run(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0


@every("name", sorted({*PUBLIC} - {"profiles"}))
def test_a_public_name_has_an_example(name):
    assert ">>>" in (inspect.getdoc(getattr(milo_schema, name)) or "")
