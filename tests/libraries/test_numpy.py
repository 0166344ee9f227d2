"""numpy's scalars stand for Python's; a stand-in has their names, because it is large."""

import datetime
import sys
import types
from typing import Annotated, Any

import pytest

from milo_schema import Ge, SchemaError, function_to_schema, profiles, tool_schema, type_to_schema
from milo_schema.arguments import json_to_value
from milo_schema.results import value_to_json
from tests.every import every

PROFILES = [getattr(profiles, name) for name in profiles.__all__ if name.isupper()]


class generic:  # noqa: N801 - as numpy calls it
    def __init__(self, value: Any) -> None:
        self.value = value

    def item(self) -> Any:
        return self.value


class integer(generic): ...  # noqa: N801


class floating(generic): ...  # noqa: N801


class bool_(generic): ...  # noqa: N801


class int64(integer): ...  # noqa: N801


class float32(floating): ...  # noqa: N801


class float64(floating, float):  # noqa: N801
    __init__ = generic.__init__


class datetime64(generic): ...  # noqa: N801


bool_.__name__ = bool_.__qualname__ = "bool"
for each in (generic, integer, floating, bool_, int64, float32, float64, datetime64):
    each.__module__ = "numpy"


@pytest.fixture(autouse=True)
def numpy(monkeypatch):
    module = types.ModuleType("numpy")
    vars(module).update(
        generic=generic,
        integer=integer,
        floating=floating,
        bool_=bool_,
        int64=int64,
    )
    monkeypatch.setitem(sys.modules, "numpy", module)


CONTAINERS: dict[str, Any] = {
    "itself": (lambda tp: tp, lambda value: value),
    "list": (lambda tp: list[tp], lambda value: [value]),
    "dict": (lambda tp: dict[str, tp], lambda value: {"a": value}),
    "union": (lambda tp: tp | None, lambda value: value),
    "annotated": (lambda tp: Annotated[tp, "A number."], lambda value: value),
}


@pytest.mark.parametrize("container", CONTAINERS)
@every("profile", PROFILES, ids=repr)
def test_a_scalar_is_its_python_value(profile, container):
    wrap, put = CONTAINERS[container]
    for value, annotations, expected in (
        (int64(3), (int, float, int64, Any, int | str), 3),
        (float32(1.5), (float, float32, Any), 1.5),
        (float64(2.5), (float, float64, Any), 2.5),
        (float64(2.0), (int,), 2),
        (bool_(True), (bool, bool_, Any), True),
        (datetime64(datetime.date(2026, 7, 28)), (datetime.date, Any), "2026-07-28"),
    ):
        for annotation in annotations:
            found = value_to_json(put(value), wrap(annotation), profile=profile)
            assert found == put(expected)
            assert type(found) is type(put(expected)) or annotation is int


def test_a_class_of_scalars_has_a_schema_in_both_directions():
    for tp, name, json in (
        (int64, "integer", 3),
        (float32, "number", 1.5),
        (bool_, "boolean", True),
    ):
        assert type_to_schema(tp, strict=True) == {"type": name}
        assert type_to_schema(list[tp], strict=True) == {"type": "array", "items": {"type": name}}
        assert json_to_value(json, tp).value == json
    assert type_to_schema(Annotated[int64, Ge(1)], strict=True) == {"type": "integer", "minimum": 1}


def test_a_default_is_its_python_value():
    def f(n: int, ok: bool, own: int64, ratio: float | None, other: int | str, many: list[int]): ...
    def g(anything: Any, at: Any): ...

    f.__defaults__ = int64(3), bool_(False), int64(4), float32(1.5), int64(5), [int64(6)]
    g.__defaults__ = int64(7), datetime64(datetime.date(2026, 1, 2))
    properties = {
        **function_to_schema(f, strict=True)["properties"],
        **function_to_schema(g, strict=True)["properties"],
    }
    written = [3, False, 4, 1.5, 5, [6], 7, "2026-01-02"]
    assert [each["default"] for each in properties.values()] == written


@pytest.mark.parametrize(
    ("value", "annotation", "message"),
    [
        (float32(3.5), int, "int: <float32 object> is not an int"),
        (bool_(True), int, "int: <numpy.bool object> is not an int"),
        (int64(1), bool, "bool: <int64 object> is not a bool"),
        (1, bool_, "numpy.bool: 1 is not a numpy.bool"),
    ],
    ids=["float", "boolean", "integer", "class"],
)
def test_a_value_that_does_not_fit_is_an_error_that_names_the_module(value, annotation, message):
    with pytest.raises(SchemaError) as caught:
        value_to_json(value, annotation)
    assert str(caught.value) == message


def test_a_result_without_an_annotation_is_structured():
    def f(): ...

    result = tool_schema(f).result({"n": int64(1)})
    assert result["structuredContent"] == {"n": 1}
