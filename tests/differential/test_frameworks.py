"""Our schemas beside those that agent frameworks derive of the same tools themselves.

Each tool is judged by instances: its arguments as made from its types and from both schemas, and
similar ones. Our schema has to accept everything that the framework's schema and the types accept.
Frameworks that ask pydantic are also judged the other way around.
"""

import functools
import warnings
from typing import Any, NamedTuple

import jsonschema_rs
import pytest

from milo_schema import SchemaError, function_to_schema
from tests import judges
from tests.differential import model_tools, plain_tools
from tests.differential.frameworks import FRAMEWORKS, Framework, Json
from tests.differential.injected import INJECTED
from tests.differential.instances import instances, takes

pytestmark = pytest.mark.slow
TOOLS = plain_tools.TOOLS | model_tools.TOOLS
every_framework = pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda each: each.name)


class Found(NamedTuple):
    """The results of one framework.

    Attributes:
        judged: The tools of which both have a schema.
        refused: Those of which the framework has none.
        unsaid: Those of which only the framework has one.
        narrower: For some tools arguments that ours refuses, and should accept.
        wider: For some tools arguments that ours accepts, and should refuse.
    """

    judged: list[str]
    refused: list[str]
    unsaid: set[str]
    narrower: dict[str, Json]
    wider: dict[str, Json]


@functools.cache
def found(framework: Framework) -> Found:
    judges.require(framework.module)
    result = Found([], [], set(), {}, {})
    with warnings.catch_warnings(action="ignore"):
        for name, tool in TOOLS.items():
            judge(framework, name, tool, result)
    return result


def judge(framework: Framework, name: str, tool: Any, result: Found) -> None:
    try:
        theirs = framework.schema(tool)
        is_theirs = jsonschema_rs.Draft202012Validator(theirs, validate_formats=True).is_valid
    except Exception:
        result.refused.append(name)
        return
    try:
        ours = function_to_schema(tool, profile=framework.profile)
    except SchemaError:
        result.unsaid.add(name)
        return
    is_ours = jsonschema_rs.Draft202012Validator(ours, validate_formats=True).is_valid
    accepts = takes(tool)
    result.judged.append(name)
    for each in instances(tool, [theirs, ours], 20):
        verdicts = is_theirs(each), is_ours(each)
        if verdicts == (True, False) and accepts(each, strict=True) and not framework.leaves(each):
            result.narrower.setdefault(name, each)
        elif verdicts == (False, True) and not accepts(each, strict=False):
            result.wider.setdefault(name, each)


@every_framework
def test_our_schema_accepts_all_values_that_the_framework_schema_accepts(framework):
    narrower = found(framework).narrower
    assert narrower.keys() == framework.narrower.keys(), narrower


@pytest.mark.parametrize(
    "framework",
    [each for each in FRAMEWORKS if each.wider is not None],  # others say less than the types
    ids=lambda each: each.name,
)
def test_our_schema_accepts_few_values_that_the_framework_refuses(framework):
    wider = found(framework).wider
    assert wider.keys() == framework.wider.keys(), wider


@every_framework
def test_we_have_a_schema_if_the_framework_has_one(framework):
    assert found(framework).unsaid == framework.unsaid.keys()


@every_framework
def test_each_framework_judges_most_tools(framework):
    assert len(TOOLS) >= 150
    assert len(found(framework).judged) >= 150


@pytest.mark.parametrize("name", INJECTED)
def test_parameters_filled_in_by_the_framework_are_left_out(name):
    profile, schema, tools = INJECTED[name]()
    for tool in tools:
        with warnings.catch_warnings(action="ignore"):
            theirs = schema(tool)
        ours = function_to_schema(tool, profile=profile, strict=True)
        assert ours["properties"].keys() == theirs["properties"].keys(), tool.__name__
        assert ours.get("required") == theirs.get("required"), tool.__name__
