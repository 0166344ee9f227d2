"""Annotations in strings."""

import subprocess
import sys
import traceback
import typing
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

import pytest

from milo_schema import (
    Ge,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    parse_docstring,
    return_to_schema,
    type_to_schema,
)
from tests.fragments import INTEGER, STRING, array_of, record
from tests.inside import alias_of
from tests.modules import module_from

T = TypeVar("T")


@dataclass
class Box(Generic[T]):
    value: T


def test_a_local_name_without_a_value_affects_only_its_own_parameter():
    def outer() -> Any:
        def command(later: "Soon", size: "int"):
            return Soon

        schema = function_to_schema(command)
        Soon = int  # noqa: N806
        return schema

    with pytest.warns(SchemaWarning, match=r"command\(later\): no 'Soon' in "):
        schema = outer()
    assert schema["properties"] == {"later": STRING, "size": INTEGER}


class Shop:
    @dataclass
    class Box:
        size: int

    def pack(self, box: "Box"): ...


def test_a_nested_class_takes_precedence_over_a_class_of_the_module():
    assert function_to_schema(Shop.pack)["properties"] == {"box": record(size=INTEGER)}


class Deceitful(str):
    __slots__ = ()

    def fail(self, *_args, **_options):
        raise ZeroDivisionError

    expandtabs = strip = splitlines = split = fail


def test_a_subclass_of_str_is_read_as_plain_text():
    assert parse_docstring(Deceitful("Do it.")).description == "Do it."

    def f(c: int) -> None: ...

    f.__annotations__["c"] = Deceitful("nowhere")
    with pytest.raises(
        SchemaError, match="<Deceitful object> is an instance, not a type; write Deceitful"
    ):
        function_to_schema(f, strict=True)


def test_a_star_before_an_alias_that_is_not_generic_is_refused():
    with pytest.raises(SchemaError, match="no JSON Schema for"):
        type_to_schema("*alias(int, int)", localns={"alias": alias_of}, strict=True)


@pytest.mark.parametrize(
    ("problem", "shown"),
    [
        (ValueError("x" * 120), "ValueError: " + "x" * 120),
        (ValueError("x" * 121), "ValueError: " + "x" * 117 + "..."),
        (NameError(name=Deceitful("x")), "NameError"),  # a name is shown only if it is plain text
    ],
    ids=["120", "121", "a name"],
)
def test_120_characters_of_an_exception_are_shown(problem, shown):
    def fail():
        raise problem

    with pytest.raises(SchemaError) as caught:
        type_to_schema("fail()", localns={"fail": fail}, strict=True)
    assert caught.value.message == f"cannot evaluate 'fail()': {shown}"


def test_a_reference_that_names_its_module_is_evaluated_there():
    name = module_from("Item = int").__name__
    reference = typing.ForwardRef("Item", module=name)
    assert type_to_schema(reference, strict=True) == INTEGER
    assert type_to_schema(list[reference], strict=True) == {"type": "array", "items": INTEGER}


@pytest.mark.skipif(sys.version_info < (3, 14), reason="such an annotation is evaluated at once")
def test_an_annotation_that_python_cannot_print_is_reported_without_its_text():
    module = module_from("HUGE = 10**5_000\ndef f(x: nowhere[HUGE]): ...")
    with pytest.raises(SchemaError) as caught:
        function_to_schema(module.f, strict=True)
    assert caught.value.path == "f(x)"
    assert caught.value.message.startswith("cannot evaluate '<ForwardRef object>': ValueError: ")


ROUND = "ROUND"
THERE = "BACK"
BACK = "THERE"


@pytest.mark.parametrize("annotation", ["ROUND", "THERE"])
def test_a_string_that_evaluates_to_itself_is_an_error(annotation):
    def take(x) -> None: ...

    take.__annotations__ = {"x": annotation, "return": annotation}
    reason = f"cannot evaluate {annotation!r}: it evaluates only to other strings"
    with pytest.raises(SchemaError) as caught:
        function_to_schema(take, strict=True)
    assert (caught.value.path, caught.value.message) == ("take(x)", reason)
    with pytest.raises(SchemaError) as caught:
        return_to_schema(take, strict=True)
    assert (caught.value.path, caught.value.message) == ("take() -> result", reason)


def test_a_string_in_a_string_is_evaluated():
    def take(x: "'list[int]'") -> None: ...

    assert function_to_schema(take)["properties"] == {"x": {"type": "array", "items": INTEGER}}


LAZY = """
from milo_schema import function_to_schema
type Age = int
def take[T](age: Age, x: T): ...
print(function_to_schema(take))
"""


@pytest.mark.skipif(sys.version_info < (3, 15), reason="PEP 810")
def test_special_forms_are_recognized_if_all_imports_are_lazy():
    schema = {"type": "object", "properties": {"age": INTEGER, "x": {}}, "required": ["age", "x"]}
    command = [sys.executable, "-X", "lazy_imports=all", "-W", "error", "-c", LAZY]
    assert subprocess.check_output(command, text=True).strip() == str(schema)


@pytest.mark.skipif(sys.version_info < (3, 15), reason="PEP 810")
def test_a_string_loads_the_lazy_import_that_it_names(tmp_path, monkeypatch):
    (tmp_path / "imported_lazily.py").write_text("Age = int\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = module_from("lazy from imported_lazily import Age\ndef take(x: 'Age'): ...\n")
    assert "imported_lazily" not in sys.modules  # of a loaded module, nothing is lazy
    assert function_to_schema(module.take)["properties"]["x"] == INTEGER


def test_an_error_about_a_missing_name_can_be_printed_with_its_traceback():
    with pytest.raises(SchemaError) as caught:
        type_to_schema("list[Nowhere]", strict=True)

    text = "".join(traceback.format_exception(caught.value))
    assert "NameError: name 'Nowhere' is not defined" in text
    assert text.rstrip().endswith("or pass localns=")


def test_a_string_may_name_locals_of_each_function_around_it():
    def outer():
        number = word = int

        def inner():
            word = str

            def take(a: "number", b: "word"): ...

            return function_to_schema(take)

        return inner(), number, word

    schema, *_ = outer()
    assert schema == record(a=INTEGER, b=STRING)


def test_metadata_may_be_a_forward_reference():
    annotation = Annotated[int, typing.ForwardRef("AT_LEAST_ONE")]

    assert type_to_schema(annotation, localns={"AT_LEAST_ONE": Ge(1)}) == INTEGER | {"minimum": 1}
    with pytest.raises(SchemaError, match=r"no 'AT_LEAST_ONE'"):
        type_to_schema(annotation, strict=True)


def test_a_value_of_a_literal_may_be_a_forward_reference():
    annotation = alias_of(typing.Literal, (typing.ForwardRef("ONE"), "x"))

    assert type_to_schema(annotation, localns={"ONE": 1}) == {"enum": [1, "x"]}


FIRST = """
from typing import Annotated
from milo_schema import Injected, MinLen, function_to_schema, profiles, return_to_schema
class Session: ...
def find(session: "Annotated[Session, Injected]", word: "Annotated[str, MinLen(1)]"): ...
def words() -> "Annotated[list[str], MinLen(1)]": ...
print({call})
"""


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("function_to_schema(find, profile=profiles.MCP, strict=True)['properties']",
         {"word": {"type": "string", "minLength": 1}}),
        ("return_to_schema(words, strict=True)", array_of(STRING) | {"minItems": 1}),
    ],
    ids=["parameters", "output"],
)  # fmt: skip
def test_metadata_in_strings_count_in_the_very_first_derivation(call, expected):
    """Nothing has looked at a form of ``typing`` by then."""
    command = [sys.executable, "-W", "error", "-c", FIRST.format(call=call)]
    assert subprocess.check_output(command, text=True).strip() == str(expected)
