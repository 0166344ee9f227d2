"""The profiles beside the packages with their names, each in its own environment.

The schemas of a package are normalized by the steps below, each with the sentence of the
document that the package breaks, or the choice that the document leaves to pydantic. What then
still differs is listed function by function, with its sentence.
"""

import json
import pathlib
import subprocess
import sys
import warnings
from typing import Any

import pytest

from milo_schema import SchemaError, function_to_schema, profiles, return_to_schema
from milo_schema.json_schema.subschemas import rebuild
from tests.differential.functions import FUNCTIONS
from tests.differential.spelling import values

HERE = pathlib.Path(__file__).parent
ENVIRONMENTS = HERE.parents[1] / ".tox" / "differential"
NAMES = list(FUNCTIONS)

pytestmark = pytest.mark.long


def python_of(package: str) -> pathlib.Path:
    """The interpreter of the package's own environment, which is made at its first use."""
    home = ENVIRONMENTS / f"{package}-{sys.version_info[0]}.{sys.version_info[1]}"
    python = home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not (home / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
        requirements = HERE / f"requirements-{package}.txt"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", requirements], check=True)
        (home / "ready").touch()
    return python


def says(package: str) -> Any:
    """The input and output schema that the package has for each function."""
    script = [python_of(package), HERE / f"{package}_says.py"]
    run = subprocess.run(script, capture_output=True, check=True, text=True)
    return json.loads(run.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def platools() -> Any:
    return says("platools")


@pytest.fixture(scope="module")
def dedalus() -> Any:
    return says("dedalus")


def ours(name: str, profile: profiles.Profile) -> list[Any]:
    func = FUNCTIONS[name]
    said: list[Any] = []
    with warnings.catch_warnings(action="ignore"):
        for derive in (function_to_schema, return_to_schema):
            try:
                said.append(derive(func, profile=profile))
            except SchemaError:
                said.append("refused")
    return said


# -- bringing theirs into our spelling ---------------------------------------------------------


def everywhere(schema: Any, step: Any) -> Any:
    """A schema with a step applied to each of its subschemas, innermost first."""
    if type(schema) is not dict:
        return schema
    return step(rebuild(schema, lambda below: everywhere(below, step)))


def without_titles(schema: Any) -> Any:
    """Both documents: titles are stripped; pydantic makes one up for each field."""
    return {key: value for key, value in schema.items() if key != "title"}


PYDANTICS = [
    ({"type": "string", "format": "binary"}, {"type": "string", "contentEncoding": "base64"}),
    ({"type": "string", "format": "path"}, {"type": "string"}),
]


def spelled(schema: Any) -> Any:
    """Choices that the documents leave to pydantic: `bytes`, `Path`, `Decimal`, `true` for `{}`."""
    if schema.get("additionalProperties") is True and "properties" not in schema:
        schema = {key: value for key, value in schema.items() if key != "additionalProperties"}
    for theirs, mine in PYDANTICS:
        if theirs.items() <= schema.items():
            return {**{key: each for key, each in schema.items() if key not in theirs}, **mine}
    return schema


def anything_said(schema: Any) -> Any:
    """`dict[str, Any]`, as `dict`."""
    if schema.get("additionalProperties") in ({}, True):
        return {key: value for key, value in schema.items() if key != "additionalProperties"}
    return schema


def at_root(schema: Any) -> Any:
    """Seed 004: "the final output_schema is just the return type's schema"; it is a reference."""
    if type(schema) is not dict or "$ref" not in schema:
        return schema
    definitions = dict(schema["$defs"])
    name = schema["$ref"].removeprefix("#/$defs/")
    root = definitions[name]
    if "#/$defs/" + name not in json.dumps(list(definitions.values())):
        del definitions[name]
    return {**root, "$defs": definitions} if definitions else root


# -- platools ----------------------------------------------------------------------------------

BROKEN_BY_PLATOOLS = {
    "<class 'decimal.Decimal'>": "pydantic takes numbers too; the result is text in both",
    "annotated_default": "'max_results: Annotated[int, Field(ge=1, le=100)] = 10' has a default:"
    " 'name: str = ...' is not required; the package drops it and requires the parameter",
}


@pytest.mark.parametrize("name", NAMES)
def test_platools(name, platools):
    theirs = [
        everywhere(each, lambda schema: spelled(without_titles(schema))) for each in platools[name]
    ]
    theirs = [everywhere(at_root(each), anything_said) for each in theirs]
    mine = [everywhere(each, anything_said) for each in ours(name, profiles.PLATOOLS)]

    assert (mine == theirs) is (name not in BROKEN_BY_PLATOOLS), (mine, theirs)


# -- dedalus-mcp -------------------------------------------------------------------------------


def as_documented(schema: Any) -> Any:
    """Seed 000 shows `"required": ["result"], "x-dedalus-box": {"field": "result"}` and no more;
    it closes every object of an output, which the package opens.
    """
    if schema.get("type") == "object" and schema.get("additionalProperties") is False:
        return {key: value for key, value in schema.items() if key != "additionalProperties"}
    return schema


def inlined(schema: Any, definitions: Any = None) -> Any:
    """Seed 000: "Remove `$defs`", and its nested examples stand in their places."""
    if type(schema) is not dict:
        return schema
    definitions = {**(definitions or {}), **schema.get("$defs", {})}
    rest = {key: value for key, value in schema.items() if key != "$defs"}
    name = str(rest.get("$ref", "")).removeprefix("#/$defs/")
    if name in definitions:
        others = {key: value for key, value in definitions.items() if key != name}
        return inlined(
            {**definitions[name], **{k: v for k, v in rest.items() if k != "$ref"}}, others
        )
    return rebuild(rest, lambda below: inlined(below, definitions))


def agrees(mine: Any, theirs: Any) -> bool:
    """Whether two schemas are equal, but for references that lead nowhere in the package's.

    Seed 000: "Remove `$defs`": the package removes them, and leaves the references to them.
    """
    if type(theirs) is dict and "$ref" in theirs:
        return type(mine) is dict and mine.get("description") == theirs.get(
            "description", mine.get("description")
        )
    if type(mine) is dict and type(theirs) is dict:
        return mine.keys() == theirs.keys() and all(agrees(mine[key], theirs[key]) for key in mine)
    if type(mine) is list and type(theirs) is list:
        return len(mine) == len(theirs) and all(map(agrees, mine, theirs))
    return bool(mine == theirs)


NO_UNION = (
    "'Output schema uses anyOf' without a box in the example of a union of objects;"
    " the package puts it into one"
)
NO_OBJECT = "'Wraps scalar schemas into objects': the package takes an object by reference for none"
BROKEN_BY_DEDALUS = {
    "Any": "'Generate schema: pass the annotation': the package has none for Any",
    "<class 'decimal.Decimal'>": "pydantic takes numbers too; the result is text in both",
    "<class 'functions.Order'>": "the class describes itself: 'An order.'; the package has"
    " 'Parameter value' beside a reference that leads nowhere",
    "names": "'strips all `title` keys' is about titles; the package loses a parameter so called",
    "Union[functions.Address, functions.Movie]": NO_UNION,
    "<class 'functions.Tree'>": NO_OBJECT,
}


@pytest.mark.parametrize("name", NAMES)
def test_dedalus(name, dedalus):
    mine = [everywhere(each, as_documented) for each in ours(name, profiles.OPENMCP)]
    theirs = [
        everywhere(inlined(each), lambda schema: as_documented(spelled(schema)))
        for each in dedalus[name]
    ]
    same = agrees(
        [everywhere(each, anything_said) for each in mine],
        [everywhere(each, anything_said) for each in theirs],
    )
    assert same is (name not in BROKEN_BY_DEDALUS), (mine, theirs)


@pytest.mark.parametrize("name", ["variadic", "options"])
def test_the_package_falls_back_to_an_open_object_with_fewer_keywords(name, dedalus):
    """'the system falls back to: {"type": "object", "additionalProperties": true}'."""
    assert dedalus[name] == [{"type": "object"}, None]
    assert ours(name, profiles.OPENMCP) == [{"type": "object", "additionalProperties": True}, None]


BROKEN_BY_DEDALUS_ITSELF = {
    "Any": "pydantic has a schema for Any; the package has none",
    "<class 'decimal.Decimal'>": "pydantic takes numbers too; the result is text in both",
    "<class 'functions.Order'>": BROKEN_BY_DEDALUS["<class 'functions.Order'>"],
    "<class 'functions.Tree'>": NO_OBJECT,
    "names": BROKEN_BY_DEDALUS["names"],
}


@pytest.mark.parametrize("name", NAMES)
def test_dedalus_without_its_document(name, dedalus):
    """The release, not its document: only references are resolved."""
    mine = [everywhere(each, anything_said) for each in ours(name, values()["DEDALUS"])]
    theirs = [
        everywhere(everywhere(inlined(each), spelled), anything_said) for each in dedalus[name]
    ]
    assert agrees(mine, theirs) is (name not in BROKEN_BY_DEDALUS_ITSELF), (mine, theirs)


# -- strands, which wants an older release of the MCP SDK ------------------------------------------


def test_the_tools_that_strands_decorates_are_described_and_called():
    said = says("strands")

    assert said["same"] == [True, True, True]
    assert said["names"] == ["find", "seek", "price"]
    assert said["results"] == [["tea"], ["tea", "tea"]]
    assert said["price"] == "tea: 3"
    assert said["ours"] == {**said["theirs"], "additionalProperties": False}


def test_there_are_sixty_functions():
    assert len(NAMES) >= 60
