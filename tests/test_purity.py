"""A derivation leaves no trace: not on the function, not in the library, not in the interpreter."""

import ast
import copy
import doctest
import gc
import importlib
import inspect
import json
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import pytest

import milo_schema
from milo_schema import (
    Description,
    Ge,
    MinLen,
    Profile,
    Schema,
    function_to_schema,
    profiles,
    return_to_schema,
    type_to_schema,
)

PACKAGE = Path(milo_schema.__file__).parent
SOURCES = {
    # "rules", "cli.commands"; "cli.__init__" for that of a package in it
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
}
TREES = {name: ast.parse(text) for name, text in SOURCES.items()}


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


@pytest.mark.parametrize("make", [make_function, make_class, make_object])
@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_a_callable_is_not_kept_alive(make, profile):
    made = make()
    alive = weakref.ref(made)
    assert function_to_schema(made, profile=profile)["properties"].keys() >= {"a", "b"}
    return_to_schema(made, profile=profile)
    del made
    gc.collect()
    assert alive() is None


def test_a_type_is_not_kept_alive():
    made = make_class()
    alive = weakref.ref(made)
    assert type_to_schema(list[made])["type"] == "array"
    del made
    gc.collect()
    assert alive() is None


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


def test_a_function_stays_as_it_was():
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
            function_to_schema(function, profile=profile, strict=strict, exclude={"none"})
            return_to_schema(function, profile=profile, strict=strict)
    assert state_of(function) == before
    assert function.__annotations__["a"] is before["annotations"]["a"]


def test_a_class_stays_as_it_was():
    before = dict(vars(Filter))
    function_to_schema(Filter)
    type_to_schema(Options)
    assert dict(vars(Filter)) == before


def test_the_arguments_of_a_derivation_stay_as_they_were():
    exclude, localns = ["a"], {"Missing": int}

    def function(a: int, b: "Missing"): ...  # noqa: F821

    schema = function_to_schema(function, exclude=exclude, localns=localns)
    assert schema["properties"] == {"b": {"type": "integer"}}
    assert (exclude, localns) == (["a"], {"Missing": int})


def test_a_namespace_of_a_function_stays_as_it_was():
    """``eval`` puts ``__builtins__`` where there are none."""
    namespace: dict[str, Any] = {"__builtins__": {}, "int": int}
    exec("def function(a: 'int', b: 'list'): ...", namespace)
    before = set(namespace)
    with pytest.warns(milo_schema.SchemaWarning):
        function_to_schema(namespace["function"], localns={"list": "Missing"})
    assert set(namespace) == before


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
def test_nothing_in_a_schema_is_shared(profile):
    first = function_to_schema(function, profile=profile)
    second = function_to_schema(function, profile=profile)
    assert first == second
    found = [id(each) for schema in (first, second) for each in containers(schema)]
    assert len(found) == len(set(found))
    assert len(found) > 50


@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_changing_a_schema_changes_nothing_else(profile):
    text = json.dumps(function_to_schema(function, profile=profile))
    for each in containers(function_to_schema(function, profile=profile)):
        each.clear()
    assert json.dumps(function_to_schema(function, profile=profile)) == text
    assert function.__defaults__ == ("x", {"a": [1]}, None)


def test_a_schema_of_ones_own_is_copied():
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


def test_callables_without_a_hash_work():
    class Unhashable(Alike):
        __hash__ = None  # type: ignore[assignment]

    assert function_to_schema(Unhashable(int))["properties"] == {"x": {"type": "integer"}}


def test_callables_that_refuse_to_be_compared_work():
    class Incomparable(Alike):
        def __eq__(self, other):
            raise ZeroDivisionError

        def __bool__(self):
            raise ZeroDivisionError

        def __hash__(self):
            raise ZeroDivisionError

    assert function_to_schema(Incomparable(int))["properties"] == {"x": {"type": "integer"}}


def test_markers_of_one_value_are_not_confused():
    """NamedTuples of different classes compare equal; ``typing`` caches by equality."""

    def least(x: Annotated[int, Ge(1)]): ...
    def shortest(x: Annotated[list[int], MinLen(1)]): ...
    def described(x: Annotated[str, Description("1")], y: Annotated[str, "1"]): ...

    array = {"type": "array", "items": {"type": "integer"}, "minItems": 1}
    text = {"type": "string", "description": "1"}
    for _ in range(2):
        assert function_to_schema(least)["properties"]["x"] == {"type": "integer", "minimum": 1}
        assert function_to_schema(shortest)["properties"]["x"] == array
        assert function_to_schema(described)["properties"] == {"x": text, "y": text}
    assert Ge(1) != MinLen(1)


# -- threads, processes, hash seeds ------------------------------------------------------------


def test_threads_get_the_same_bytes():
    """8 threads, each 25 times, both profiles."""
    expected = {
        profile: json.dumps(function_to_schema(function, profile=profile))
        for profile in (profiles.MILO, profiles.MCP)
    }
    found: list[bool] = []
    start = threading.Barrier(8)

    def derive() -> None:
        start.wait()
        for _ in range(25):
            for profile, text in expected.items():
                found.append(json.dumps(function_to_schema(function, profile=profile)) == text)

    threads = [threading.Thread(target=derive) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 400


IN_ANOTHER_PROCESS = """
import json
from dataclasses import dataclass
from typing import Annotated, Literal
from milo_schema import Schema, function_to_schema, profiles

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
"""


def run(code: str, *options: str, **environment: str) -> str:
    """What a bare interpreter prints when it runs *code*."""
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
    assert texts.pop().count("\n") == 2


# -- importing is light ------------------------------------------------------------------------

BARE = ("-E", "-I")
LOADED = "import sys; print('\\n'.join(sorted(sys.modules)))"


def loaded_by(code: str) -> set[str]:
    """The modules that *code* loads, beyond those of a bare interpreter."""
    return set(run(f"{code}\n{LOADED}", *BARE).split()) - set(run(LOADED, *BARE).split())


def test_importing_the_package_loads_nothing_else():
    assert loaded_by("import milo_schema") == {"milo_schema"}


PLAIN_CALL = """
from milo_schema import function_to_schema
def deploy(service: str, times: int = 1, ratio: float = 0.5, *, force: bool = False) -> bool: ...
function_to_schema(deploy)
"""
FRONT = {
    "milo_schema", *(f"milo_schema.{name}" for name in (
        "functions", "signatures", "fields", "walk", "plain", "objects", "definitions", "profiles",
        "hints", "jsonable", "errors",
    )),
}  # fmt: skip
"""What a function of plain types needs: neither ``typing``, nor what is written about its types."""


def test_a_plain_call_loads_no_more_than_it_needs():
    of_python = {"__future__", "types", "_types"}
    assert loaded_by(PLAIN_CALL) - of_python == FRONT


def test_a_plain_call_of_strings_loads_no_more():
    loaded = loaded_by(PLAIN_CALL.replace(": int", ": 'int'").replace(": float", ": 'float'"))
    assert loaded - {"__future__", "types", "_types"} == FRONT


def test_a_documented_call_loads_its_parser_too():
    documented = PLAIN_CALL.replace("...", '"""Deploy.\n\n    Args:\n        service: S.\n    """')
    assert loaded_by(documented) - loaded_by(PLAIN_CALL) == {"milo_schema.docstrings"}


def test_any_other_call_loads_what_typing_loads_and_nothing_heavy():
    """``enum`` and ``re`` are loaded where ``typing`` itself loads them, and not otherwise."""
    of_typing = loaded_by("import __future__, collections.abc, types, typing, warnings")
    call = PLAIN_CALL.replace("int = 1", "list[int] | None = None")
    loaded = {name for name in loaded_by(call) if not name.startswith("milo_schema")}
    assert "milo_schema.schemas.rules" in loaded_by(call)
    assert loaded - of_typing == set()


def test_a_plain_call_loads_nothing_around_the_core():
    assert {f"milo_schema.{name}" for name in AROUND} & loaded_by(PLAIN_CALL) == set()


# -- the source --------------------------------------------------------------------------------

CORE = (
    "__init__", "functions", "signatures", "fields", "walk", "plain", "objects", "definitions",
    "profiles", "frozen", "hints", "jsonable", "errors",
    "parameters", "outputs", "callables", "aliases", "rules", "records", "models", "generics",
    "markers", "patterns", "references", "subschemas", "metaschema", "docstrings",
)  # fmt: skip
AROUND = (
    "dialects", "instances", "descriptions", "tools", "wire", "results", "checks", "compare",
    "testing", "imports", "targets", "snapshots", "terminal", "commands", "main", "__main__",
)  # fmt: skip
"""Each imports the core and never the reverse."""


def module_of(source: str) -> str:
    """What a source is called when it is imported."""
    return f"milo_schema.{source}".removesuffix(".__init__")


def packages_of(module: str) -> list[str]:
    """The packages that a module is in: they are imported first."""
    parts = module.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]


def imports_of(tree: ast.AST) -> Iterator[str]:
    """The modules that a source imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert node.module is not None
            yield node.module
            if node.module.partition(".")[0] == "milo_schema":
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_module_has_its_place():
    assert set(SOURCES) <= {*CORE, *AROUND}
    assert set(CORE) <= set(SOURCES)


@pytest.mark.parametrize("name", SOURCES)
def test_only_the_standard_library_is_imported(name):
    tops = {each.partition(".")[0] for each in imports_of(TREES[name])}
    new = {"annotationlib"}  # in the standard library since 3.14
    assert tops <= {*sys.stdlib_module_names, *new, "milo_schema"}


DOORS = {("__init__", "tools"), ("profiles", "dialects")}
"""Where the core reaches around itself: when somebody asks for it, and not before."""


@pytest.mark.parametrize("name", CORE)
def test_the_core_imports_nothing_around_it(name):
    imported = {each.removeprefix("milo_schema.") for each in imports_of(TREES[name])}
    assert {(name, each) for each in imported & set(AROUND)} <= DOORS


@pytest.mark.parametrize("name", CORE)
def test_the_core_imports_nothing_around_it_when_it_is_imported(name):
    imported = {each.removeprefix("milo_schema.") for each in top_level(TREES[name])}
    assert imported & set(AROUND) == set()


def top_level(tree: ast.Module) -> Iterator[str]:
    """The modules that are imported as soon as the module is."""
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from imports_of(ast.Module([node], []))


def test_no_module_needs_itself_to_be_imported():
    """By what is imported at once; imports within functions may be circular, and some are."""
    edges = {
        module_of(name): {*top_level(tree), *packages_of(module_of(name))}
        for name, tree in TREES.items()
    }
    done: set[str] = set()
    while ready := {name for name, needed in edges.items() if needed & edges.keys() <= done} - done:
        done |= ready
    assert set(edges) - done == set()


PROFILE_NAMES = {name for name in profiles.__all__ if name.isupper()}
EVERY_SOURCE = {
    path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
}


def test_the_guard_knows_every_built_in_profile():
    built_in = {name for name, value in vars(profiles).items() if isinstance(value, Profile)}
    assert built_in == PROFILE_NAMES
    assert len(PROFILE_NAMES) >= 10


@pytest.mark.parametrize("name", EVERY_SOURCE)
def test_no_code_asks_which_profile_it_has(name):
    """A profile's name may be a default or be looked up; nothing is compared with it."""
    assert list(questions(EVERY_SOURCE[name])) == []


@pytest.mark.parametrize(
    "code",
    [
        'strict = name == "OPENAI_STRICT"',
        "strict = profile == GEMINI",
        "strict = profile is profiles.MCP",
        'strict = name in {"PORTABLE", "GEMINI"}',
        "strict = walk.profile is not other",
        "match name:\n    case 'GEMINI': pass",
        "match profile:\n    case profiles.GEMINI: pass",
    ],
)
def test_the_guard_sees_who_asks_which_profile_it_has(code):
    assert len(list(questions(code))) == 1


def questions(source: str) -> Iterator[str]:
    """The comparisons that ask which profile there is."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare | ast.MatchValue):
            words = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            words |= {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
            words |= {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
            if words & PROFILE_NAMES or is_identity_of_a_profile(node):
                yield ast.unparse(node)


def is_identity_of_a_profile(node: ast.expr | ast.pattern) -> bool:
    if not isinstance(node, ast.Compare):
        return False
    sides = {ast.unparse(each) for each in (node.left, *node.comparators)}
    is_identity = any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops)
    return is_identity and bool(sides & {"profile", "walk.profile", "self.profile"})


PARTS_OF_ANNOTATIONS = {
    "__args__",
    "__bound__",
    "__constraints__",
    "__default__",
    "__forward_arg__",
    "__metadata__",
    "__origin__",
    "__parameters__",
    "__supertype__",
    "__type_params__",
    "__unpacked__",
    "__value__",
}


def parts_of_annotations_in(source: str) -> set[str]:
    """What a module reads of annotations: as an attribute, or as a name given to ``getattr()``."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return found & PARTS_OF_ANNOTATIONS


@pytest.mark.parametrize("name", SOURCES)
def test_only_one_folder_takes_annotations_apart(name):
    if not name.startswith(("annotations.", "libraries.")):
        assert parts_of_annotations_in(SOURCES[name]) == set()


@pytest.mark.parametrize("code", ["tp.__args__", "getattr(tp, '__value__', None)"])
def test_the_guard_sees_who_takes_an_annotation_apart(code):
    assert len(parts_of_annotations_in(code)) == 1


def test_no_profile_is_asked_for_its_name():
    for name, source in EVERY_SOURCE.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Attribute) and node.attr == "name":
                assert ast.unparse(node.value) not in {"profile", "walk.profile"}, name


# -- what may be imported ----------------------------------------------------------------------

PUBLIC = {
    "function_to_schema", "return_to_schema", "type_to_schema",
    "parse_docstring", "Docstring",
    "SchemaError", "SchemaWarning",
    "MinLen", "MaxLen", "Gt", "Ge", "Lt", "Le", "MultipleOf", "Pattern", "Description",
    "Title", "Format", "Examples", "Deprecated", "Schema", "Injected",
    "Profile", "profiles", "tool_schema", "ToolSchema", "ToolAnnotations",
}  # fmt: skip


def test_the_public_names_are_those_that_the_design_has():
    assert set(milo_schema.__all__) == PUBLIC
    assert len(milo_schema.__all__) == len(PUBLIC)


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_public_name_can_be_imported_and_is_documented(name):
    value = getattr(importlib.import_module("milo_schema"), name)
    assert (inspect.getdoc(value) or "").strip()
    assert name in dir(milo_schema)


def test_a_star_import_gives_the_public_names():
    namespace: dict[str, Any] = {}
    exec("from milo_schema import *", namespace)
    assert namespace.keys() - {"__builtins__"} == PUBLIC


def test_another_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'milo_schema' has no attribute 'nothing'"):
        milo_schema.nothing  # noqa: B018


# -- examples ----------------------------------------------------------------------------------

MODULES = [
    importlib.import_module(module_of(name)) for name in SOURCES if not name.endswith("__main__")
]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_examples_in_docstrings_run(module):
    failed, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert failed == 0


@pytest.mark.parametrize("name", sorted(PUBLIC - {"profiles"}))
def test_a_public_name_has_an_example(name):
    assert ">>>" in (inspect.getdoc(getattr(milo_schema, name)) or "")


def _used_as_attributes(tree: ast.AST) -> Iterator[str]:
    """``rules`` of ``milo_schema.schemas.rules.find``."""
    attributes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    for node in attributes:
        if ast.unparse(node.value) == "milo_schema":
            yield node.attr


def test_each_module_that_is_used_as_an_attribute_is_imported_when_it_is_first_used():
    used = {name for tree in TREES.values() for name in _used_as_attributes(tree)} - {"__version__"}

    assert used | {"profiles"} == set(milo_schema._LATE)
