"""The live page, without a browser: the answers of Python, and the page when it opens.

``tests/tools/pyodide/page.py`` has the rest: the page in Chromium.
"""

import datetime
import json
import sys
import zipfile

import pytest

from docs.live import build, describe
from milo_schema import function_to_schema, profiles, return_to_schema, type_to_schema

FUNCTION = """
import datetime

def order(day: datetime.date, *, count: int = 1) -> dict[str, int]:
    '''Order something.'''
"""


def order(day: datetime.date, *, count: int = 1) -> dict[str, int]:
    """Order something."""


def answered(source, view, *, profile="MCP", arguments="{}", strict=False):
    views = json.loads(describe.describe(source, profile, arguments, strict=strict))
    assert list(views) == list(describe.VIEWS)
    return views[view]


def test_a_view_has_its_text_and_the_equivalent_line_of_code():
    assert answered(FUNCTION, "Schema", strict=True) == {
        "text": json.dumps(function_to_schema(order, profile=profiles.MCP), indent=2),
        "call": "function_to_schema(order, profile=profiles.MCP, strict=True)",
        "remarks": [],
    }
    assert answered(FUNCTION, "Output", profile="MILO") == {
        "text": json.dumps(return_to_schema(order), indent=2),
        "call": "return_to_schema(order, profile=profiles.MILO)",
        "remarks": [],
    }


def test_the_arguments_are_those_that_the_function_gets():
    assert answered(FUNCTION, "Arguments", arguments='{"day": "2026-07-28"}') == {
        "text": "order(\n    day=datetime.date(2026, 7, 28),\n)",
        "call": "bind(order, json, profile=profiles.MCP)",
        "remarks": [],
    }


def test_invalid_arguments_are_an_error():
    error = {"kind": "error", "text": "order(): .day: required but not given"}
    assert answered(FUNCTION, "Arguments") == {"text": None, "call": "", "remarks": [error]}


def test_arguments_that_are_not_json_are_a_note():
    (remark,) = answered(FUNCTION, "Arguments", arguments="{")["remarks"]
    assert remark["kind"] == "note"
    assert remark["text"].startswith("type the arguments as JSON: ")


def test_a_parameter_that_the_framework_fills_in_has_a_stand_in():
    source = """
from typing import Annotated
from milo_schema import Injected

def f(a: int, session: Annotated[object, Injected]): ...
"""
    assert answered(source, "Arguments", arguments='{"a": 1}') == {
        "text": "f(\n    a=1,\n    session=<filled in by the framework>,\n)",
        "call": "bind(f, json, profile=profiles.MCP, inject={'session': ...})",
        "remarks": [],
    }


@pytest.mark.parametrize("source", ["list[int]", "class A: ...\nlist[int]", "x = 1\nlist[int]"])
def test_the_last_type_is_described(source):
    assert answered(source, "Schema")["text"] == json.dumps(type_to_schema(list[int]), indent=2)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the statement is new in 3.12")
def test_a_type_alias_is_described():
    found = answered("type Row = dict[str, int]", "Schema")
    assert found["text"] == json.dumps(type_to_schema(dict[str, int]), indent=2)
    assert found["call"] == "type_to_schema(Row, profile=profiles.MCP)"


def test_a_class_is_a_type_and_a_name_may_be_a_function():
    source = "class A:\n    __milo_schema__ = classmethod(lambda cls, walk: {})\ndef f(a: A): ..."
    assert answered(source, "Schema")["call"].startswith("function_to_schema(f, ")
    assert answered(f"{source}\nA", "Schema")["call"].startswith("type_to_schema(A, ")
    assert answered(f"{source}\nf", "Schema")["call"].startswith("function_to_schema(f, ")


def test_a_type_has_no_tool():
    note = {"kind": "note", "text": describe.NO_FUNCTION}
    for view in set(describe.VIEWS) - {"Schema", "Arguments"}:
        assert answered("int", view) == {"text": None, "call": "", "remarks": [note]}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("", describe.NOTHING),
        ("print(1)", describe.NOTHING),
        ("def f(", "line 1: '(' was never closed"),
        ("\n1 / 0\nint", "line 2: ZeroDivisionError: division by zero"),
    ],
)
def test_code_that_fails_is_an_error_in_every_view(source, text):
    error = {"kind": "error", "text": text}
    for view in describe.VIEWS:
        assert answered(source, view) == {"text": None, "call": "", "remarks": [error]}


def test_a_warning_is_a_remark_and_the_schema_is_shown():
    found = answered("def f(a: complex): ...", "Schema")
    assert found["text"] is not None
    assert [(each["kind"], each["text"][:30]) for each in found["remarks"]] == [
        ("warning", "f(a): no JSON Schema for compl")
    ]


def test_only_the_example_to_fix_has_findings_and_none_has_a_schema_with_remarks():
    examples = build.prepared()
    with_findings = [
        each["title"]
        for each in examples
        if each["answer"]["Check"]["text"] not in {None, "no findings"}
    ]
    assert with_findings == ["Something to fix"]
    assert [each["title"] for each in examples if each["answer"]["Schema"]["remarks"]] == []


def test_the_page_has_its_first_schema_and_every_profile():
    page = build.page()
    first, *_ = build.prepared()
    text = first["answer"]["Schema"]["text"].replace('"', "&quot;")
    assert f">{text}</pre>" in page
    assert [f"<option>{name}</option>" in page for name in describe.PROFILES] == [True] * len(
        describe.PROFILES
    )
    assert "$" not in page.partition("<body>")[2].partition("<pre")[0]


def test_the_page_has_every_view():
    page = build.page()
    tabs = {name for name in describe.VIEWS if f'data-view="{name}"' in page}
    forms = {name for name in describe.VIEWS if f"<option>{name}</option>" in page}
    assert tabs | forms == {*describe.VIEWS}
    assert tabs & forms == set()


def test_the_library_is_packed_without_a_build(tmp_path):
    build.library(tmp_path / "library.zip")
    with zipfile.ZipFile(tmp_path / "library.zip") as archive:
        names = archive.namelist()
    assert "milo_schema/__init__.py" in names
    assert [name for name in names if not name.startswith("milo_schema/")] == []
