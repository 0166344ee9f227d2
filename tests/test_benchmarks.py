"""Each benchmark runs with a minimal load, and the code that it measures gives the right schema."""

import ast
import os
import platform
import subprocess
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from milo_schema import function_to_schema
from milo_schema.arguments import binder
from milo_schema.results import value_to_json
from tests.modules import module_from
from tests.tools.benchmarks import (
    bench_arguments,
    bench_values,
    peers,
    processes,
    reports,
    tables,
)
from tests.tools.benchmarks.__main__ import main
from tests.tools.benchmarks.adapters import ADAPTERS
from tests.tools.benchmarks.chart import bars
from tests.tools.benchmarks.samples import ACCEPTED, REFUSED, SOURCES, new
from tests.tools.benchmarks.turns import Spread

pytestmark = pytest.mark.once

# -- samples -----------------------------------------------------------------------------------

NUMBERS = {"type": "array", "items": {"type": "number"}}
FILTER = {
    "type": "object",
    "properties": {
        "field": {"type": "string"},
        "values": {"type": "array", "items": {"type": "string"}},
        "negate": {"type": "boolean", "default": False},
    },
    "required": ["field", "values"],
}
PLAIN = {
    "name": {"type": "string", "description": "What it is done with."},
    "count": {"type": "integer", "description": "How often it is done."},
    "ratio": {"type": "number", "description": "Which part of it is done.", "default": 0.5},
    "dry_run": {"type": "boolean", "description": "Whether to say only what would be done.",
          "default": False},
    "label": {"type": "string", "description": "What the result is called,\nwhere it is listed.",
          "default": "x"},
}  # fmt: skip
REALISTIC = {
    "query": {"type": "string", "description": "What to look for."},
    "filters": {"type": "array", "items": FILTER, "description": "What else has to be true."},
    "mode": {"type": "string", "enum": ["fast", "exact"], "description": "How to look.",
          "default": "fast"},
    "limit": {"type": "integer", "description": "How many to find at most.", "default": None},
    "weights": {"type": "object", "additionalProperties": NUMBERS,
          "description": "How much each field counts, by word.", "default": None},
}  # fmt: skip
SCHEMAS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "plain": (PLAIN, ["name", "count"]),
    "realistic": (REALISTIC, ["query", "filters"]),
}


def expected(shape: str) -> dict[str, Any]:
    """The schema of a kind of function; without a docstring, nothing describes."""
    kind, _, documented = shape.partition(", ")
    properties, required = SCHEMAS[kind]
    if not documented:
        properties = {
            name: {word: each[word] for word in each if word != "description"}
            for name, each in properties.items()
        }
    return {"type": "object", "properties": properties, "required": required}


@pytest.mark.parametrize("shape", SOURCES)
def test_a_sample_has_the_schema_in_its_source(shape):
    one, two = new(SOURCES[shape]), new(SOURCES[shape])
    assert function_to_schema(one, strict=True) == expected(shape)
    assert one.__globals__ is not two.__globals__


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_arguments_distinguish_different_schemas(kind):
    validator = Draft202012Validator(expected(kind))
    assert [validator.is_valid(each) for each in ACCEPTED[kind]] == [True] * len(ACCEPTED[kind])
    assert [validator.is_valid(each) for each in REFUSED[kind]] == [False] * len(REFUSED[kind])


# -- processes ---------------------------------------------------------------------------------

wait4 = pytest.mark.skipif(not hasattr(os, "wait4"), reason="no way to ask what a process took")


@pytest.fixture(scope="module")
def interpreters(tmp_path_factory):
    """They share their bytecode."""
    return processes.Interpreters(tmp_path_factory.mktemp("benchmarks"))


def test_imports_are_timed_in_separate_processes(interpreters):
    found = processes.imports(interpreters, 1)
    assert found.keys() >= {"import typing", "import milo_schema"}
    assert all(samples[0] > 0 for samples in found.values())


@wait4
def test_a_process_defines_tools_and_derives_their_schemas(interpreters):
    head = interpreters.write_tools("plain", 2)
    printed = interpreters.printed(f"{head}\n{processes.DERIVE}\nprint(schemas)")
    assert ast.literal_eval(printed) == [expected("plain")] * 2
    assert interpreters.processor_time(head)() > 0
    with pytest.raises(subprocess.CalledProcessError):
        interpreters.processor_time("raise SystemExit(1)")


# -- peers -------------------------------------------------------------------------------------


LESS = """
from milo_schema import function_to_schema

def derive(func):
    schema = function_to_schema(func)
    if "filters" in schema["properties"]:
        raise ValueError("no dataclasses\\nwhatever they are")
    schema["properties"]["label"].pop("description", None)
    return schema

def load():
    return derive
"""
"""A peer that knows less than there is to know."""


@wait4
def test_a_peer_is_timed_if_it_has_a_schema_and_gaps_are_listed(monkeypatch, interpreters):
    (interpreters.folder / "less.py").write_text(LESS)
    less = module_from(LESS, name="less")
    shapes = {shape: SOURCES[shape] for shape in ("plain", "plain, documented", "realistic")}
    monkeypatch.setattr(peers, "SOURCES", shapes)
    monkeypatch.setitem(ADAPTERS, "pytest", ("pytest", less.load))
    peer = peers.against("pytest", interpreters, 1, 1)
    assert peer.name == f"pytest {pytest.__version__}"
    assert peer.times.keys() == {"plain", "plain, documented", peers.FROM_THE_START}
    assert peer.lacks == {
        "plain": "",
        "plain, documented": "does not describe label in full",
        "realistic": "raises ValueError: no dataclasses",
    }


def test_a_schema_that_is_too_wide_or_too_narrow_is_reported():
    shape = "plain, documented"
    assert peers.lacks(expected(shape), shape) == ""
    assert peers.lacks(expected("plain"), shape) == "takes no descriptions from the docstring"
    assert peers.lacks({}, shape) == "accepts wrong arguments"
    assert peers.lacks({"type": "array"}, shape) == "refuses good arguments"


def test_a_peer_that_is_not_installed_is_named(monkeypatch, interpreters):
    monkeypatch.setitem(ADAPTERS, "none", ("no-such-distribution", lambda: None))
    peer = peers.against("none", interpreters, 1)
    assert (peer.name, peer.times) == ("none", {})
    assert peer.lacks.keys() == set(peers.KINDS)
    assert set(peer.lacks.values()) == {"is not installed"}


@pytest.mark.parametrize("name", ["pydantic `TypeAdapter`", "msgspec"])
def test_an_installed_peer_does_the_measured_work(name):
    _, load = ADAPTERS[name]
    for shape in ("plain", "realistic"):
        assert peers.lacks(load()(new(SOURCES[shape])), shape) == ""


# -- tables ------------------------------------------------------------------------------------


def test_a_table_is_markdown():
    row = ["x", *tables.spread(Spread(0.0271, 1.5, 12.34))]
    assert tables.table(["figure", "median", "quartiles"], [row]) == (
        "| figure | median | quartiles |\n| --- | ---: | ---: |\n| x | **0.027** | 1.50 to 12.3 |\n"
    )


def test_the_command_prints_a_part(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["benchmarks", "imports", "--rounds=1"])
    main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"CPython {platform.python_version()} on ")
    assert lines[2] == "| figure | median | quartiles | at most |"
    assert lines[4].startswith("| `import milo_schema` / `import typing` | ")
    assert "### Imports" in lines


def test_the_command_refuses_an_unknown_part(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["benchmarks", "imports", "nothing"])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "no such part: nothing" in capsys.readouterr().err


# -- the chart ---------------------------------------------------------------------------------


def test_a_chart_has_a_bar_for_each_value_the_shortest_first():
    svg = bars("Times & more", {"slow": 30.0, "ours": 10.0, "a<b": 20.0}, "ours")
    root = ElementTree.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    rects = root.findall(f"{space}rect")
    assert root.findtext(f"{space}title") == "Times & more"
    assert [each.text for each in root.findall(f"{space}text")] == [
        "Times & more",
        *("ours", "10.0"),
        *("a<b", "20.0"),
        *("slow", "30.0"),
    ]
    assert [each.get("class") for each in rects] == ["ours", None, None]
    widths = [float(each.get("width", 0)) for each in rects]
    assert [round(width / widths[0], 1) for width in widths] == [1, 2, 3]


def test_the_chart_shows_each_measured_peer_and_our_best_time():
    times = {"realistic, documented": ([3e4, 3e4], [9e4, 9e4])}
    faster = {"realistic, documented": ([2e4, 2e4], [4e4, 4e4])}
    found = [
        peers.Peer("`one` 1", times, {}),
        peers.Peer("two 2", faster, {}),
        peers.Peer("none", {}, {}),
    ]
    values = {"one 1": 90.0, "two 2": 40.0, "milo_schema": 20.0}
    assert reports.chart_of(found) == bars(reports.CHART, values, "milo_schema")
    assert reports.chart_of([peers.Peer("none", {}, {})]) == ""


# -- arguments and values ----------------------------------------------------------------------


def test_values_are_timed_beside_others():
    pairs = [("copying", 2, lambda: [0], lambda: [0] * 9)]
    [[what, ours, theirs, ratio, most]] = bench_values.measured(iter(pairs), rounds=2)
    assert (what, most) == ("copying", 2)
    assert all(float(each.strip("*")) >= 0 for each in (ours, theirs, ratio))


def test_the_records_that_are_timed_are_values_of_their_json():
    bound = binder(bench_values.take)({"rows": bench_values.JSON})
    assert bound.kwargs["rows"] == bench_values.records()
    assert value_to_json(bench_values.records(), list[bench_values.Row]) == bench_values.objects()
    assert bench_values.one_object() == {"rows": bench_values.JSON}


def test_the_arguments_of_a_call_are_timed_cold_and_warm():
    assert all(len(times) == 1 for times in bench_arguments.cold(rounds=1).values())
    found = bench_arguments.warm(rounds=1, times=1)
    assert found.keys() == bench_arguments.COLD.keys()
    assert all(len(times) == 1 for times in found.values())
