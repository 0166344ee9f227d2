"""The structure of the package: what it may import, and the questions that its code may not ask.

The order of its stages is a contract of import-linter in ``pyproject.toml``: ``lint-imports``.
"""

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from milo_schema import Profile, profiles
from tests.every import every
from tests.sources import MODULES, SOURCES, TREES, imports_of, nodes_of, statements

pytestmark = pytest.mark.core

# -- imports -----------------------------------------------------------------------------------


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
        from milo_schema.json_schema import values
        from milo_schema.callables import read
"""
    found = set(imports_of(ast.parse(source)))
    assert found == {
        "a",
        "c",
        "milo_schema.errors",
        "milo_schema.json_schema.values",
        "milo_schema.callables",
    }
    assert set(imports_of(ast.parse(source), typing_too=True)) == {*found, "b"}
    assert set(imports_of(ast.parse("from milo_schema import SchemaError"))) == {"milo_schema"}


NEW_IN_PYTHON = {"annotationlib"}  # since 3.14
ASKED_FOR = {
    "arguments": {"typing_extensions"},  # only by type checkers, each of which has its types
    "markers": {"annotated_types"},  # only by those who read markers as its metadata
}


@every("name", SOURCES)
def test_only_the_standard_library_is_imported(name):
    imported = {each.partition(".")[0] for each in imports_of(TREES[name], typing_too=True)}
    ours = {"milo_schema", *ASKED_FOR.get(name, ())}
    assert imported <= {*ours, *sys.stdlib_module_names, *NEW_IN_PYTHON}


def test_no_modules_import_each_other():
    """Not in a circle of any length either, imports within functions included."""
    graph = {
        name: {MODULES[each] for each in imports_of(tree) if each in MODULES} - {name}
        for name, tree in TREES.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as problem:
        pytest.fail(f"an import cycle: {' <- '.join(problem.args[1])}")


def modules_as_values(tree: ast.AST) -> set[str]:
    """The modules of ours that a source uses otherwise than to get a name of theirs."""
    imported = {
        alias.asname or alias.name
        for node in statements(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if f"{node.module}.{alias.name}" in MODULES
    }
    nodes = nodes_of(tree)
    owners = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"getattr", "vars"}:
            owners.add(id(node.args[0]))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    variables = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return imported & {node.id for node in names if id(node) not in owners} - variables


@every("name", SOURCES)
def test_no_module_is_passed_as_a_value(name):
    """Neither tools nor readers would see that one module depends on the other."""
    assert modules_as_values(TREES[name]) == set()


@pytest.mark.parametrize("use", ["call(tools)", "x.tools = tools", "tools or None"])
def test_a_module_that_is_passed_as_a_value_is_found(use):
    head = "from milo_schema import tools, errors\nerrors.warn(x.tools, getattr(tools, x))\n"
    assert modules_as_values(ast.parse(head + use)) == {"tools"}
    assert modules_as_values(ast.parse(head)) == set()


# -- profiles ----------------------------------------------------------------------------------

PROFILE_NAMES = {name for name in profiles.__all__ if name.isupper()}


def test_every_built_in_profile_is_public():
    built_in = {name for name, value in vars(profiles).items() if isinstance(value, Profile)}
    assert built_in == PROFILE_NAMES


@every("name", SOURCES)
def test_no_code_asks_which_profile_it_has(name):
    """A profile's name may be a default or be looked up; nothing is compared with it."""
    assert list(questions(TREES[name])) == []


@pytest.mark.parametrize(
    "code",
    [
        'strict = name == "OPENAI_STRICT"',
        "strict = profile == GEMINI",
        "strict = profile is profiles.MCP",
        'strict = name in {"PORTABLE", "GEMINI"}',
        "strict = walk.profile is not other",
        "strict = walk.profile.name[-6:]",
        "match name:\n    case 'GEMINI': pass",
        "match profile:\n    case profiles.GEMINI: pass",
    ],
)
def test_code_that_asks_which_profile_it_has_is_found(code):
    assert len(list(questions(ast.parse(code)))) == 1


def questions(tree: ast.AST) -> Iterator[str]:
    """The code that asks which profile there is."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Compare | ast.MatchValue):
            words = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            words |= {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
            words |= {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
            if words & PROFILE_NAMES or is_identity_of_a_profile(node):
                yield ast.unparse(node)
        elif isinstance(node, ast.Attribute) and node.attr == "name" and is_profile(node.value):
            yield ast.unparse(node)


def is_profile(node: ast.expr) -> bool:
    return ast.unparse(node) in {"profile", "walk.profile", "self.profile"}


def is_identity_of_a_profile(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare):
        return False
    is_identity = any(isinstance(each, ast.Is | ast.IsNot) for each in node.ops)
    return is_identity and any(map(is_profile, (node.left, *node.comparators)))


# -- annotations -------------------------------------------------------------------------------

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
    nodes = nodes_of(tree)
    found = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    found |= {node.value for node in nodes if isinstance(node, ast.Constant)}
    return found & PARTS_OF_ANNOTATIONS


@every("name", [name for name in SOURCES if not name.startswith(("annotations.", "libraries."))])
def test_only_one_folder_splits_annotations(name):
    assert parts_of_annotations_in(TREES[name]) == set()


@pytest.mark.parametrize("code", ["tp.__args__", "getattr(tp, '__value__', None)"])
def test_code_that_splits_an_annotation_is_found(code):
    assert len(parts_of_annotations_in(ast.parse(code))) == 1


# -- the tests ---------------------------------------------------------------------------------

TESTS = Path(__file__).parent
PUBLIC = {"arguments", "checks", "compare", "errors", "markers", "profiles", "results", "testing"}
PUBLIC |= {"milo_schema", "transforms"}
ABOUT_THE_INSIDE = {
    "tests/annotations/test_resolution.py": "names and scopes of annotations, one step at a time",
    "tests/annotations/test_string_evaluation.py": "what an expression in an annotation may do",
    "tests/cli/test_files.py": "what becomes of a file that cannot be written",
    "tests/cli/test_main.py": "what a command counts, hears and leaves behind",
    "tests/cli/test_printable.py": "every character, which no command can be given",
    "tests/cli/test_servers.py": "the client of MCP, with servers that no command would wait for",
    "tests/dialects/test_dialects.py": "steps of the dialects, and schemas that no type has",
    "tests/dialects/test_objects.py": "transforms of schemas that no type has",
    "tests/inside.py": "what all others ask",
    "tests/json_schema/test_drafts.py": "schemas of older drafts",
    "tests/json_schema/test_headers.py": "headers in schemas of others",
    "tests/json_schema/test_keywords.py": "the table of keywords, beside the meta-schema",
    "tests/json_schema/test_lenient.py": "the parser of broken JSON",
    "tests/json_schema/test_matching.py": "regular expressions, in steps",
    "tests/json_schema/test_validation.py": "the validator, beside others",
    "tests/test_additions.py": "each table that an addition has to be in",
    "tests/test_cases.py": "that no table of types lacks its cases",
    "tests/test_docstrings.py": "lines of docstrings that no function can show",
    "tests/test_frozen.py": "what frozen classes have in common",
    "tests/test_kinds.py": "the kinds of nodes, without a reader",
    "tests/test_markers.py": "patterns and values that markers take",
    "tests/test_repair.py": "repairs beside a validator",
    "tests/test_samples.py": "samples and witnesses of schemas",
}


@pytest.mark.once
def test_only_listed_tests_import_what_is_not_public():
    internal = {each for each in MODULES if each.split(".")[:2][-1] not in PUBLIC}
    importing = {
        path.relative_to(TESTS.parent).as_posix()
        for path in (TESTS / "inside.py", *TESTS.rglob("test_*.py"))
        if internal & {*imports_of(ast.parse(path.read_bytes()))}
    }
    assert importing == ABOUT_THE_INSIDE.keys()
    assert len(importing) <= 25
