"""An addition that is only half built fails here, with the name of the file to change.

The table in ``.github/CONTRIBUTING.md`` says where each kind of addition goes.
"""

import ast
import importlib
import importlib.util
import inspect
import itertools
import pkgutil
import re
import types
import typing
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest

import milo_schema
from milo_schema import (
    Injected,
    Profile,
    SchemaError,
    function_to_schema,
    markers,
    profiles,
    type_to_schema,
)
from milo_schema.annotations import Json
from milo_schema.annotations.forms import Marker
from milo_schema.arguments import ArgumentsError, json_to_value
from milo_schema.dialects import consumers
from milo_schema.json_schema import TYPES as TYPES_OF_JSON
from milo_schema.json_schema.keywords import CONSTRAINING, KEYWORDS
from milo_schema.json_schema.validation import is_valid
from milo_schema.results import value_to_json
from tests.cases import CASES, Case
from tests.every import every
from tests.needs import lacking
from tests.sources import TREES, file_of, nodes_of

pytestmark = pytest.mark.core

ROOT = Path(__file__).parents[1]
MCP = profiles.MCP
TYPES = [(case, case.type) for case in CASES if not lacking(case.needs)]
"""Each row of the tables of cases that this Python can express, and its annotation."""


def sources_of_tests() -> Iterator[str]:
    """The text of the files of tests, except for this one."""
    paths = sorted((ROOT / "tests").rglob("*.py"))
    yield from (
        path.read_text(encoding="utf-8") for path in paths if path.name != "test_additions.py"
    )


def module_file(value: Any) -> str:
    """The file that defines a class or a function."""
    return file_of(value.__module__.removeprefix("milo_schema."))


# -- a scalar type -----------------------------------------------------------------------------


def scalar_types() -> dict[str, Any]:
    """The rows of the table of scalar types that this Python has, by their classes' names."""
    table = importlib.import_module("milo_schema.nodes.scalar_types").SCALAR_TYPES
    return {row.name: row for row in table if class_of(row.name) is not None}


def class_of(dotted: str) -> Any:
    """The class with a dotted name; ``None`` if this Python does not have it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # collections.abc.ByteString is deprecated
        try:
            return pkgutil.resolve_name(dotted)
        except (AttributeError, ImportError):
            return None


SCALAR_TABLE = "milo_schema/nodes/scalar_types.py"


def test_a_scalar_type_has_a_case():
    heads = {id(typing.get_origin(tp) or tp) for _, tp in TYPES}
    missing = [name for name in scalar_types() if id(class_of(name)) not in heads]
    assert missing == [], "tests/cases/plain.py: add a row for each"


def rewritten(row: Any, tp: Any, text: str) -> str | None:
    """What a row writes for the value of a text; ``None`` if one of its functions raises."""
    try:
        written: str = row.write(row.parse(tp, text))
    except Exception:  # each parser has its own errors
        return None
    return written


def test_a_scalar_type_is_read_and_written_with_the_functions_of_its_row():
    """The case of the type has the strings that it accepts and that it rejects."""
    wrong = []
    classes = {name: class_of(name) for name in scalar_types()}
    for (case, tp), (name, row) in itertools.product(TYPES, scalar_types().items()):
        if tp is not classes[name]:
            continue
        for text in filter(lambda sample: isinstance(sample, str), case.accepts):
            written = rewritten(row, tp, text)
            if written is None or rewritten(row, tp, written) != written:
                wrong.append(f"{name}: parse() and write() do not fit for {text!r}")
            elif value_to_json(json_to_value(text, tp, profile=MCP), tp, profile=MCP) != written:
                wrong.append(f"{name}: {text!r} is not written with write()")
        if not any(isinstance(sample, str) for sample in case.accepts):
            wrong.append(f"{name}: tests/cases/plain.py: its row accepts no string")
    assert wrong == [], SCALAR_TABLE


def test_the_message_about_wrong_json_has_the_noun_of_the_scalar_type():
    wrong = []
    for name, row in scalar_types().items():
        with pytest.raises(ArgumentsError) as caught:
            json_to_value([], class_of(name), profile=MCP)
        reason = caught.value.problems[0].message
        if reason != f"expected {row.label}, got an array of 0 items":
            wrong.append(f"{name}: {reason}")
    assert wrong == [], SCALAR_TABLE


def test_the_table_of_scalar_types_is_not_empty():
    assert len(scalar_types()) > 15


# -- a kind of annotation ----------------------------------------------------------------------


def is_described(case: Case, tp: Any) -> bool:
    try:
        type_to_schema(tp, profile=case.profile(MCP), strict=True)
    except SchemaError:
        return False
    return True


def test_a_type_with_a_case_has_a_rule():
    said = [(case, tp) for case, tp in TYPES if case.mcp is not None and case.refused is None]
    missing = [str(case) for case, tp in said if not is_described(case, tp)]
    tables = "SCALAR_TYPES in milo_schema/nodes/scalar_types.py, or milo_schema/nodes/table.py"
    assert missing == [], f"{tables}: add a row for each"
    assert len(said) > 300


METHODS = ("schema", "load", "load_parts", "dump", "dump_parts")


def node_classes() -> list[Any]:
    """The classes of nodes that no other class derives from."""
    package = importlib.import_module("milo_schema.nodes")
    for module in pkgutil.iter_modules(package.__path__, "milo_schema.nodes."):
        importlib.import_module(module.name)
    base = importlib.import_module("milo_schema.nodes.base").Node
    return [cls for cls in subclasses(base) if not cls.__subclasses__()]


def subclasses(cls: Any) -> Iterator[Any]:
    """The classes of ours that derive from a class, at any depth."""
    for each in cls.__subclasses__():
        if each.__module__.startswith("milo_schema."):
            yield each
            yield from subclasses(each)


def missing_methods(cls: Any) -> list[str]:
    """The methods of a node that only raise ``NotImplementedError``."""
    found = {name: getattr(cls, name, None) for name in METHODS}
    return [
        name
        for name, function in found.items()
        if inspect.isfunction(function) and "NotImplementedError" in function.__code__.co_names
    ]


def test_a_node_has_a_schema_and_loads_and_dumps_values():
    """A part of another node only loads values."""
    missing = [
        f"{module_file(cls)}: {cls.__name__} needs {name}()"
        for cls in node_classes()
        if (names := missing_methods(cls)) not in (["schema", "dump"], ["schema", "dump_parts"])
        for name in names
    ]
    assert missing == []
    assert len(node_classes()) > 10


def test_a_method_that_is_missing_is_found():
    class Base:
        def schema(self, out):
            raise NotImplementedError

        def load(self, json, run):
            raise NotImplementedError

    class Half(Base):
        def schema(self, out):
            return {}

    assert missing_methods(Base) == ["schema", "load"]
    assert missing_methods(Half) == ["load"]


LOST = {
    "bare Generator": "an iterator is not read, because the function needs its items",
    "Iterator[int]": "the same",
    "bare Iterator": "the same",
    "Injected": "the schema leaves out the parameter",
    "Parts": "the value does not keep what its constructor takes",
    "Times": "times without an offset are not valid in their formats",
}
"""The rows whose values no schema has as a default, each with the reason."""

UNFIT = {"Described": "the row allows fewer properties than the class has fields"}
"""The rows whose own schema refuses what a value becomes, each with the reason."""


def defaults_of(case: Case, profile: Profile) -> Iterator[tuple[Any, Json]]:
    """The values of the samples of a row, each with the schema of a parameter that has it."""
    tp = case.type  # a source text makes another one each time
    for sample in case.accepts:
        try:
            value = json_to_value(sample, tp, profile=profile)
        except (ArgumentsError, SchemaError):  # only a schema, or only a decoder, knows the type
            continue
        function: Any = types.FunctionType((lambda x: x).__code__, {}, "f", (value,))
        function.__annotations__ = {"x": tp}
        yield value, function_to_schema(function, profile=profile)


@every("case", [case for case, _ in TYPES if case.mcp is not None and case.refused is None])
def test_a_value_of_a_type_with_a_rule_can_be_a_default(case):
    """Its node writes it with ``dump()``: nothing else knows about the type."""
    profile = case.profile(MCP)
    for value, schema in defaults_of(case, profile):
        parameter = schema["properties"].get("x", {})
        place = f"milo_schema/nodes: dump() does not write {value!r}"
        assert ("default" in parameter) is (str(case) not in LOST), place
        fits = is_valid(parameter.get("default"), {**parameter, "$defs": schema.get("$defs", {})})
        assert fits is (str(case) not in UNFIT) or str(case) in LOST, place


def test_most_rows_have_a_default():
    rows = [case for case, _ in TYPES if case.mcp is not None and case.refused is None]
    tried = [case for case in rows if [*defaults_of(case, case.profile(MCP))]]
    assert len(tried) > 300
    assert {str(case) for case in tried} > {*LOST, *UNFIT}


# -- a marker ----------------------------------------------------------------------------------

OF_LIBRARIES = {"Foreign", "Validated", "Predicate", "Finite", "Timezone", "Strict", "CommandLine"}
"""Markers that only our code about other libraries makes."""
MARKERS = {
    name: cls
    for name, cls in vars(markers).items()
    if inspect.isclass(cls)
    and issubclass(cls, Marker)
    and cls.__module__ == markers.__name__
    and not [each for each in cls.__subclasses__() if each.__module__ == markers.__name__]
    and name not in OF_LIBRARIES
}


def test_a_marker_is_public():
    missing = MARKERS.keys() - set(milo_schema.__all__)
    assert missing == set(), "milo_schema/__init__.py: add it to __all__"
    imports = [node for node in nodes_of(TREES["__init__"]) if isinstance(node, ast.ImportFrom)]
    missing = MARKERS.keys() - {each.name for node in imports for each in node.names}
    assert missing == set(), "milo_schema/__init__.py: add it below TYPE_CHECKING"
    assert len(MARKERS) > 10


def test_a_marker_has_a_row_that_says_what_it_does():
    table = importlib.import_module("milo_schema.nodes.metadata").MARKERS
    missing = {name for name, cls in MARKERS.items() if cls not in table} - {"Injected"}
    assert missing == set(), "milo_schema/nodes/metadata.py: MARKERS"


def markers_of(tp: Any) -> Iterator[Any]:
    """The classes of our markers in the metadata of an annotation."""
    for each in getattr(tp, "__metadata__", ()):
        yield each if inspect.isclass(each) else type(each)


def schema_of(tp: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return type_to_schema(tp, profile=MCP)


def without(tp: Any, cls: Any) -> Any:
    """``Annotated[T, ...]`` without the markers of a class."""
    others = [each for each in tp.__metadata__ if cls not in (each, type(each))]
    return Annotated[tp.__origin__, *others] if others else tp.__origin__


MARKED = [
    (tp, cls)
    for case, tp in TYPES
    if case.mcp is not None
    for cls in set(markers_of(tp)) & set(MARKERS.values())
]
"""The rows with markers of ours, each with the class of one."""


def test_a_marker_has_a_case_in_which_it_changes_the_schema():
    changing = {cls for tp, cls in MARKED if schema_of(tp) != schema_of(without(tp, cls))}
    missing = {name for name, cls in MARKERS.items() if cls not in changing}
    missing -= {"Injected", "Default"}  # they change which parameters there are, and are required
    assert missing == set(), "tests/cases/annotated.py: add a row"
    assert len(MARKED) > 40


def test_injected_leaves_out_the_parameter_instead():
    def search(query: str, session: Annotated[str, Injected]): ...

    assert list(function_to_schema(search, profile=MCP)["properties"]) == ["query"]


def test_a_marker_that_restricts_values_adds_only_keywords_of_constraints():
    """Beside a reference, any other keyword would replace that of the target."""
    wrong = set()
    for tp, cls in MARKED:
        before, after = schema_of(without(tp, cls)), schema_of(tp)
        if cls is not markers.Schema:
            wrong |= {name for name, value in after.items() if before.get(name) != value}
    known = wrong & KEYWORDS.keys()  # one of ours, such as x-unit, restricts nothing
    restricting = {name for name in known if KEYWORDS[name].types != TYPES_OF_JSON} - {"format"}
    assert restricting - CONSTRAINING == set(), "milo_schema/json_schema/keywords.py: CONSTRAINING"
    assert len(restricting) > 5


# -- an option of a profile --------------------------------------------------------------------

OPTIONS = sorted(set(vars(profiles.MILO)) - {"name"})


def fields_asked_for(tree: ast.AST) -> set[str]:
    """The fields of profiles that a source asks for, also by name: ``profile_keywords("box")``."""
    found = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            owner = ast.unparse(node.value).rpartition(".")[2]
            found |= {node.attr} if owner in {"profile", "_profile", "for_outputs"} else set()
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("class_sets"):
            found |= {ast.unparse(node.slice).strip("'")}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("keywords"):
            found |= {each.value for each in node.args if isinstance(each, ast.Constant)}
    return found


def test_code_that_reads_an_option_is_found():
    source = "walk.profile.inline, profile.types; self.optional; walk.keywords('box')"
    source += "; profile.class_sets['output_signals']; profile.class_sets[name]; self._profile.text"
    asked = {"inline", "types", "box", "class_sets", "output_signals", "name", "text"}
    assert fields_asked_for(ast.parse(source)) == asked


def test_an_option_of_a_profile_is_read_by_some_code():
    asked = {field for tree in TREES.values() for field in fields_asked_for(tree)}
    assert set(OPTIONS) - asked == set(), "no file in milo_schema/ reads profile.<option>"


def test_an_option_of_a_profile_is_described_in_its_class():
    described = re.findall(r"^ {4}(\w+): ", inspect.getdoc(milo_schema.Profile) or "", re.MULTILINE)
    assert sorted(described) == sorted(["name", *OPTIONS]), "milo_schema/profile.py: its docstring"


def test_an_option_of_a_profile_is_tested():
    """As a keyword argument: the keys of dicts are often those of other things."""
    given = set(re.findall(r"\b(\w+)=", "\n".join(sources_of_tests())))
    assert set(OPTIONS) - given == set(), "tests/test_profiles.py, or the test of its subject"


# -- a dialect ---------------------------------------------------------------------------------


def test_a_dialect_has_a_transform_and_a_profile():
    rows = {name for name, row in vars(consumers).items() if isinstance(row, consumers.Dialect)}
    listed = {name.upper() for name in consumers.DIALECTS}
    built_in = [getattr(profiles, name) for name in profiles.__all__ if name.isupper()]
    assert listed == rows, "milo_schema/dialects/consumers.py: DIALECTS"
    spoken = {each.dialect.upper() for each in built_in if each.dialect}
    assert spoken == rows, "milo_schema/profiles.py: a profile with the transform"
