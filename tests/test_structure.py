"""The structure of the package: its stages, their imports, and the few late imports."""

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import milo_schema
from milo_schema import Profile, dialects, libraries, markers, profiles
from milo_schema.dialects import consumers
from milo_schema.json_schema.keywords import CONSTRAINING
from milo_schema.schemas import annotated, rules
from tests.every import every

PACKAGE = Path(milo_schema.__file__).parent
SOURCES = {
    # "tools", "cli.commands"; "cli.__init__" for the __init__ of a folder
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
}
TREES = {name: ast.parse(text) for name, text in SOURCES.items()}

STAGES = (
    # annotations, JSON Schema as data, and the bases of errors and values
    "annotations", "json_schema", "errors", "frozen",
    # from one finished schema to another, and the differences between two
    "dialects", "comparison",
    # plain values
    "plain_docstrings", "docstrings", "markers", "profile_fields", "profile",
    "transforms", "profiles",
    # from a callable to its schema
    "libraries", "callables", "schemas",
    # whole tools and their results
    "hidden", "content", "wire", "tools", "tool_fields", "encoding", "results",
    # arguments, and whole calls
    "decoding", "arguments", "calls",
    # modules that use those
    "compare", "findings", "costs", "tool_sets", "checks", "testing",
    # the names that users import, and the command line, which uses them
    "__init__", "cli", "__main__",
)  # fmt: skip
"""Each folder is a stage, and so is each module on top. A stage imports only those before it."""


def stage_of(module: str) -> str:
    """The stage of a source: ``"schemas"`` of ``"schemas.walk"``."""
    return module.partition(".")[0]


def statements(tree: ast.AST, *, typing_too: bool = False) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements of a source, also those within functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for each in (*node.body, *node.orelse) if typing_too else node.orelse:
                yield from statements(ast.Module([each], []), typing_too=typing_too)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        else:
            yield from statements(node, typing_too=typing_too)


def modules_of_calls(tree: ast.AST) -> Iterator[str]:
    """The full names of the modules that a source, at its top, asks to load late."""
    for module, *_ in loaded_late(tree):
        yield f"milo_schema.{module}"


def loaded_late(tree: ast.AST) -> Iterator[list[str]]:
    """Arguments of ``loaded_when_used()`` and ``loaded_when_called()``: a module; a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in LATE:
            yield list(map(ast.literal_eval, node.args))


LATE = {"loaded_when_used", "loaded_when_called"}


def imports_of(tree: ast.AST, *, typing_too: bool = False) -> Iterator[str]:
    """The full names of the modules that a source imports, wherever it does.

    ``from folder import module`` counts as an import of both, for the folder may have such a name
    itself. ``from milo_schema import module`` does not: ``__init__`` has public names only.
    """
    for node in statements(tree, typing_too=typing_too):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
            continue
        assert node.level == 0
        assert node.module is not None
        inner = [name for alias in node.names if (name := f"{node.module}.{alias.name}") in MODULES]
        yield from inner
        if len(inner) < len(node.names) or node.module != "milo_schema":
            yield node.module


MODULES = {f"milo_schema.{name}".removesuffix(".__init__"): name for name in SOURCES}
"""Each source by the name of its module."""

DOORS = {
    "__init__": {f"milo_schema.{name}" for name in (*milo_schema._MODULES, "markers")},
    "libraries.__init__": {f"milo_schema.libraries.{name}" for name in libraries.FILES.values()},
    "annotations.__init__": set(),  # Late(), as if TYPE_CHECKING: for annotations only
    "annotations.classes": set(),  # it loads modules for others, which name them at their top
}
"""The functions that load our modules by name, and the modules that they may load."""

GRAPH = {
    name: {
        MODULES[each]
        for each in {*imports_of(tree), *modules_of_calls(tree), *DOORS.get(name, ())}
        if each in MODULES
    } - {name}
    for name, tree in TREES.items()
}  # fmt: skip
"""For each source those that it imports, at any time."""


# -- stages ------------------------------------------------------------------------------------


def test_every_module_is_in_a_stage():
    assert len(set(STAGES)) == len(STAGES)
    assert {stage_of(name) for name in SOURCES} == set(STAGES)


@every("name", SOURCES)
def test_a_stage_imports_only_the_stages_before_it(name):
    allowed = STAGES[: STAGES.index(stage_of(name)) + 1]
    assert {each for each in GRAPH[name] if stage_of(each) not in allowed} == set()


def test_no_modules_import_each_other():
    """Not in a circle of any length either, imports within functions included."""
    assert circles(GRAPH) == []


def test_a_circle_is_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}
    assert circles(graph) == [{"b", "c"}]
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """The largest groups in which each member leads to each other one."""
    reached = {name: reachable(name, graph) for name in graph}
    found = [
        {each for each in reached[name] if name in reached[each]}
        for name in graph
        if name in reached[name]
    ]
    return [group for number, group in enumerate(found) if group not in found[:number]]


def reachable(start: str, graph: dict[str, set[str]]) -> set[str]:
    """The modules reachable from *start*, including itself only if it is in a circle."""
    found: set[str] = set()
    todo = [start]
    while todo:
        new = graph[todo.pop()] - found
        found |= new
        todo.extend(new)
    return found


def test_imports_are_found_wherever_they_are():
    source = """
import a
if TYPE_CHECKING:
    import b
else:
    import c
def function():
    from milo_schema import errors
    class Inner:
        from milo_schema.annotations import forms
        from milo_schema.callables import read
"""
    found = set(imports_of(ast.parse(source)))
    assert found == {
        "a",
        "c",
        "milo_schema.errors",
        "milo_schema.annotations",
        "milo_schema.annotations.forms",
        "milo_schema.callables",
    }
    assert set(imports_of(ast.parse(source), typing_too=True)) == {*found, "b"}
    assert set(imports_of(ast.parse("from milo_schema import SchemaError"))) == {"milo_schema"}


@every("name", SOURCES)
def test_only_the_standard_library_is_imported(name):
    tops = {each.partition(".")[0] for each in imports_of(TREES[name], typing_too=True)}
    new = {"annotationlib"}  # in the standard library since 3.14
    assert tops <= {*sys.stdlib_module_names, *new, "milo_schema"}


# -- doors -------------------------------------------------------------------------------------

LOADERS = {"__import__", "importlib", "pkgutil", "runpy"}
"""Functions that import a module without an import statement."""

OTHER_MODULES = {
    "annotations.blocks": {"__import__"},
    "annotations.missing": {"__import__"},
    "cli.imports": {"importlib"},
    "cli.targets": {"pkgutil"},
}
"""Where modules are imported that are not ours: of the standard library, by a fixed table, and of
users, who name them on the command line, or pass ``type_checking_imports()``.
"""


@every("name", SOURCES)
def test_only_listed_functions_import_a_module_by_its_name(name):
    expected = {"__import__"} if name in DOORS else OTHER_MODULES.get(name, set())
    assert loaders_in(TREES[name]) == expected


FOLDERS = [name for name in SOURCES if name.rpartition(".")[2] == "__init__"]


@every("name", FOLDERS)
def test_no_placeholder_has_the_name_of_a_submodule(name):
    """``from milo_schema.schemas import rules`` would find it, and not import the module."""
    folder = name.removesuffix("__init__")
    inside = (each.removeprefix(folder) for each in SOURCES if each.startswith(folder))
    modules = {each.partition(".")[0] for each in inside}
    assert modules.isdisjoint(placeholders_in(TREES[name]))


def test_placeholders_are_found():
    assert placeholders_in(TREES["schemas.__init__"]) >= {"_rules", "forms"}


def placeholders_in(tree: ast.AST) -> set[str]:
    """The variables that hold a module that is not loaded yet."""
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    late = [node for node in assigned if ast.unparse(node.value).startswith("loaded_when_used(")]
    return {ast.unparse(target) for node in late for target in node.targets}


def loaders_in(tree: ast.AST) -> set[str]:
    """The parts of ``LOADERS`` that a source uses."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names |= {each.partition(".")[0] for each in imports_of(tree)}
    return names & LOADERS


@every("name", SOURCES)
def test_no_module_is_reached_as_an_attribute_of_the_package(name):
    """Neither ``milo_schema.tools.tool_schema`` nor ``sys.modules["milo_schema.tools"]``."""
    assert attributes_and_names_of_modules(TREES[name]) == []


def attributes_and_names_of_modules(tree: ast.AST) -> list[str]:
    imported = [
        alias.name
        for node in statements(tree, typing_too=True)
        if isinstance(node, ast.Import)
        for alias in node.names
        if stage_of(alias.name) == "milo_schema"
    ]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    late = [each.args[0] for each in calls if ast.unparse(each.func) == "Late"]
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    named = {node.value for node in late if isinstance(node, ast.Constant)}
    return [*imported, *(text for text in texts if text in MODULES and text not in named)]


def test_a_module_that_annotations_name_is_loaded_when_they_are_evaluated():
    assert attributes_and_names_of_modules(ast.parse("tools = Late('milo_schema.tools')")) == []


@pytest.mark.parametrize(
    "code",
    [
        "import milo_schema",
        "import milo_schema.tools",
        "import sys\nsys.modules['milo_schema.tools']",
    ],
)
def test_a_module_that_is_reached_as_an_attribute_is_found(code):
    assert len(attributes_and_names_of_modules(ast.parse(code))) == 1


def test_modules_that_are_loaded_late_exist():
    given = [each for tree in TREES.values() for each in loaded_late(tree)]
    assert ["schemas.choices", "literal"] in given
    assert ["annotations.generics"] in given
    for module, *functions in given:
        found = importlib.import_module(f"milo_schema.{module}")
        assert all(callable(getattr(found, name)) for name in functions)


def test_modules_that_are_loaded_when_used_are_those_that_type_checkers_see():
    """``if TYPE_CHECKING: from folder import module``, and the same module ``else``."""
    for name, tree in TREES.items():
        used = {
            (ast.unparse(node.targets[0]), f"milo_schema.{ast.literal_eval(node.value.args[0])}")
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func) == "loaded_when_used"
        }
        seen = {
            (alias.asname or alias.name, f"{node.module}.{alias.name}")
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        assert used <= seen, name


@pytest.mark.parametrize(
    "code",
    ["__import__('a')", "from importlib import import_module", "import runpy", "x.__import__('a')"],
)
def test_a_module_that_is_imported_by_its_name_is_found(code):
    assert len(loaders_in(ast.parse(code))) == 1


# -- profiles ----------------------------------------------------------------------------------

PROFILE_NAMES = {name for name in profiles.__all__ if name.isupper()}


def test_the_guard_knows_every_built_in_profile():
    built_in = {name for name, value in vars(profiles).items() if isinstance(value, Profile)}
    assert built_in == PROFILE_NAMES
    assert len(PROFILE_NAMES) >= 10


@every("name", SOURCES)
def test_no_code_asks_which_profile_it_has(name):
    """A profile's name may be a default or be looked up; nothing is compared with it."""
    assert list(questions(SOURCES[name])) == []


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
def test_the_guard_finds_code_that_asks_which_profile_it_has(code):
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


def test_no_profile_is_asked_for_its_name():
    for name, source in SOURCES.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Attribute) and node.attr == "name":
                assert ast.unparse(node.value) not in {"profile", "walk.profile"}, name


# -- fields of profiles ------------------------------------------------------------------------

SEVERAL_ASK = {
    "aliases": "parameters and records have them",
    "bare_descriptions": "a string alone is a description without the table of markers",
    "closed": "parameters, records and what takes the place of variadics are objects",
    "docstrings": "parameters and outputs have descriptions",
    "failure": "a place, a function and an output can fail",
    "markers": "a string alone may be for one of them",
    "max_depth": "it is tested before the walk words the error",
    "max_subschemas": "likewise",
    "optional": "it is tested before the last steps are loaded",
    "opaque_outputs": "a union is looked at before the unusual outputs are loaded",
    "output_signals": "likewise, and a member of a union may be one",
    "transforms": "they are looked for before the last steps are loaded",
    "types": "a plain class is looked up before any rule is",
    "unwrap_none": "a default of None contradicts nothing then",
}
"""Fields that more than one module of a stage asks for, and why. Every other has one reader."""


def fields_asked_for(tree: ast.AST) -> set[str]:
    """The fields of profiles that a source asks for."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and ast.unparse(node.value).rpartition(".")[2] in {"profile", "for_outputs"}
    } & set(vars(profiles.MILO))


def readers_of(field: str) -> dict[str, list[str]]:
    """The modules that ask a profile for a field, by their stages."""
    found: dict[str, list[str]] = {}
    for name, tree in TREES.items():
        if field in fields_asked_for(tree):
            found.setdefault(stage_of(name), []).append(name)
    return found


@every("field", sorted(set(vars(profiles.MILO)) - {"name"}))
def test_a_field_of_a_profile_is_read_in_one_place(field):
    """In each stage, because arguments and results have to match the schema."""
    readers = readers_of(field)
    assert readers
    has_several = any(len(modules) > 1 for modules in readers.values())
    assert has_several == (field in SEVERAL_ASK), readers


def test_code_that_reads_a_field_is_found():
    source = "walk.profile.inline, profile.types; self.inline; profile.replace(inline=True)"
    assert fields_asked_for(ast.parse(source)) == {"inline", "types"}


# -- requirements of additions -----------------------------------------------------------------

CASES = "\n".join(
    path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parent / "cases").glob("*.py"))
)


@every("dotted", rules.NAMED)
def test_a_type_that_has_a_rule_is_in_the_table_of_cases(dotted):
    assert re.search(rf"\b{dotted.rpartition('.')[2]}\b", CASES)


def test_a_marker_has_a_row_with_its_keywords():
    """Except for ``Injected``, which is about the parameter and not about its schema."""
    public = {
        name for name in milo_schema.__all__ if hasattr(markers, name) and name != "SchemaError"
    }
    markers_of_tables = [*annotated.QUESTIONS, *annotated.CONSTRAINTS, *annotated.ANNOTATIONS]
    rows = {marker.__name__ for marker in markers_of_tables}
    assert public == (rows - {"Foreign"}) | {"Injected"}


def test_a_constraint_is_written_with_keywords_that_tighten_adds():
    """Beside a reference, any other keyword would replace that of the target."""
    keywords = {each for row, _ in annotated.CONSTRAINTS.values() for each in row.values()}
    assert keywords <= CONSTRAINING


def test_a_dialect_has_a_transform_and_a_profile():
    built_in = {name for name, row in vars(consumers).items() if isinstance(row, consumers.Dialect)}
    assert {name for name in dialects.__all__ if name.isupper()} == built_in
    assert {name.upper() for name in dialects.__all__ if name != "spell"} == built_in
    spoken = {getattr(profiles, name).dialect for name in PROFILE_NAMES} - {None}
    assert spoken == {name.lower() for name in built_in}


# -- one folder splits annotations -------------------------------------------------------------

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


def parts_of_annotations_in(tree: ast.AST) -> set[str]:
    """The parts of annotations that a module reads, as an attribute or with ``getattr()``."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return found & PARTS_OF_ANNOTATIONS


@every("name", TREES)
def test_only_one_folder_splits_annotations(name):
    if not name.startswith(("annotations.", "libraries.")):
        assert parts_of_annotations_in(TREES[name]) == set()


@pytest.mark.parametrize("code", ["tp.__args__", "getattr(tp, '__value__', None)"])
def test_the_guard_finds_code_that_splits_an_annotation(code):
    assert len(parts_of_annotations_in(ast.parse(code))) == 1
