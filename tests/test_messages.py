"""Mistakes, and the whole sentence that each of them gets."""

import collections
import dataclasses
import datetime
import email.message
import enum
import functools
import types
import warnings
from collections.abc import Callable
from typing import Annotated, Any, Literal, NewType, Optional, Union

import pytest
import typing_extensions

from milo_schema import (
    Description,
    Examples,
    Ge,
    Gt,
    Injected,
    Le,
    Lt,
    MaxLen,
    MinLen,
    MultipleOf,
    Pattern,
    Schema,
    SchemaError,
    SchemaWarning,
    Title,
    function_to_schema,
    return_to_schema,
    tool_schema,
    type_to_schema,
)
from milo_schema.arguments import json_to_value
from milo_schema.checks import check
from milo_schema.results import return_to_json
from tests.every import every
from tests.inside import alias_of
from tests.modules import module_from


class Conn: ...


class Brackets(types.GenericAlias): ...


Holder = dataclasses.make_dataclass("Holder", [("conn", Conn)])


class Color(enum.Enum):
    RED = "red"
    ODD = object()


Endless = NewType("Endless", "Endless")  # type: ignore[name-defined, valid-newtype]

OTHER_TYPE = "use another type, or Schema({...})"
OWN_CLASS = "describe it with Schema({...})"
COMMON = (
    *("Annotated", "Any", "Callable", "Iterable", "Literal", "Mapping", "Optional", "Union"),
    *("bool", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple"),
)
NAMES = {"a", "b"}  # in the order of this process

ANNOTATIONS: list[tuple[Any, str]] = [
    # a type without a schema
    (complex, f"no JSON Schema for complex; {OTHER_TYPE}"),
    (Conn, "no JSON Schema for Conn; use Schema({...}), or hide it with Injected"),
    (datetime.tzinfo, f"no JSON Schema for tzinfo; {OTHER_TYPE}"),
    (functools.partial, "no JSON Schema for partial; use Schema({...}), or hide it with Injected"),
    (Callable[[int], str], f"no JSON Schema for Callable[[int], str]; {OTHER_TYPE}"),
    (collections.Counter[str, int],
     "Counter[str, int] has 2 type arguments instead of one; write Counter[str]"),
    (Union, "Union has no members; write them in brackets, such as Union[int, str]"),
    # an object that is not a type
    (any, "any is a built-in function, not a type; did you mean typing.Any?"),
    (callable,
     "callable is a built-in function, not a type; did you mean collections.abc.Callable?"),
    (print, "print is a built-in function, not a type; name a class"),
    (every, "every is a function, not a type; name a class"),
    (Conn(), "<Conn object> is an instance, not a type; write Conn"),
    ({i: i for i in range(8)},
     "{0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, ...} is a dictionary, not a type; write dict"),
    (type("L" * 80, (), {})(), f"<{'L' * 76}... is an instance, not a type; write {'L' * 80}"),
    (type("L" * 81, (), {})(), f"<{'L' * 76}... is an instance, not a type; write {'L' * 77}..."),
    (Brackets(Conn, (int,)),
     "no JSON Schema for Conn[int]; use Schema({...}), or hide it with Injected"),
    (object(), f"no JSON Schema for <object object>; {OTHER_TYPE}"),
    (datetime, "datetime is a module, not a type; did you mean datetime.datetime?"),
    (email.message, "email.message is a module, not a type; did you mean message.Message?"),
    (warnings, "warnings is a module, not a type; name a class in it"),
    ([int], "[int] is a list, not a type; write list[int]"),
    ([int, str], "[int, str] is a list, not a type; write list[int | str]"),
    ([], "[] is a list, not a type; write list"),
    ([[int]], "[[int]] is a list, not a type; write list[[int]]"),
    (["a", "b"], "['a', 'b'] is a list, not a type; write Literal['a', 'b']"),
    ((int, str), "(int, str) is a tuple, not a type; write int | str or tuple[int, str]"),
    ((int,), "(int,) is a tuple, not a type; drop the comma, or write tuple[int]"),
    ((), "() is a tuple, not a type; write tuple"),
    ({int}, "{int} is a set, not a type; write set[int]"),
    (NAMES, f"{NAMES} is a set, not a type; write Literal[{str(NAMES)[1:-1]}]"),
    (set(), "set() is a set, not a type; write set"),
    (frozenset({int}), "frozenset({int}) is a frozenset, not a type; write frozenset[int]"),
    ({str: int}, "{str: int} is a dictionary, not a type; write dict[str, int]"),
    ({"a": int}, "{'a': int} is a dictionary, not a type; write a TypedDict or a dataclass"),
    ({}, "{} is a dictionary, not a type; write dict"),
    (5, "5 is a value, not a type; write int or Literal[5]"),
    (True, "True is a value, not a type; write bool or Literal[True]"),
    (1.5, "1.5 is a value, not a type; write float"),
    (MinLen, "MinLen is a marker, not a type; write Annotated[..., MinLen]"),
    (Ge(1), "Ge(1) is a marker, not a type; write Annotated[..., Ge(1)]"),
    # types with the wrong arguments
    (alias_of(list, (int, str)),
     "list[int, str] has 2 type arguments instead of one; write list[int | str]"),
    (alias_of(dict, (int,)),
     "dict[int] needs two type arguments, for the keys and the values; write dict[str, int]"),
    (alias_of(dict, (int, int, int)),
     "dict[int, int, int] needs two type arguments, for the keys and the values"),
    # values that JSON does not have
    (Color, ("Color.ODD is an instance of object, which cannot be written as JSON; "
           "use strings or numbers")),
    (Literal[b"x"], ("Literal[b'x'] allows an instance of bytes, which cannot be written as JSON; "
           "use strings or numbers")),
    # names in quotes
    ("lst[int]", "no 'lst' in tests.test_messages; did you mean list?"),
    ("intt", "no 'intt' in tests.test_messages; did you mean int?"),
    *((f"{it}x", f"no '{it}x' in tests.test_messages; did you mean {it}?") for it in COMMON),
    ("lsiz", "no 'lsiz' in tests.test_messages; import it there at run time, or pass localns="),
    ("Holdr", "no 'Holdr' in tests.test_messages; did you mean Holder?"),
    (Injected(), "Injected() is a marker, not a type; write Annotated[..., Injected()]"),
    ("it", ("no 'it' in tests.test_messages; import it there at run time, or pass localns=")),
    ("any | None", ("cannot evaluate 'any | None': TypeError: unsupported operand type(s) for |: "
           "'builtin_function_or_method' and 'NoneType'; did you mean typing.Any?")),
    ("callable | None", ("cannot evaluate 'callable | None': TypeError: unsupported operand "
           "type(s) for |: 'builtin_function_or_method' and 'NoneType'; "
           "did you mean collections.abc.Callable?")),
    ("'a' | None", ("cannot evaluate \"'a' | None\": TypeError: unsupported operand type(s) for |: "
           "'str' and 'NoneType'; write quotes around the whole union, or none at all")),
    ("None | None", ("cannot evaluate 'None | None': TypeError: unsupported operand type(s) for |: "
           "'NoneType' and 'NoneType'")),
    ("1 + 'a'", ("cannot evaluate \"1 + 'a'\": TypeError: unsupported operand type(s) for +: "
           "'int' and 'str'")),
    ("string", "no 'string' in tests.test_messages; did you mean str?"),
    ("list[int", "cannot evaluate 'list[int': SyntaxError: '[' was never closed"),
    (Endless, "Endless refers only to itself"),
    # markers
    (Annotated[int, MinLen(1)], "MinLen(1) cannot apply to int; it is for str, list, dict"),
    (Annotated[str, Ge(1)], "Ge(1) cannot apply to str; it is for int, float"),
    (Annotated[int, Ge], "Ge is the class; give it a value: Ge(...)"),
    (Annotated[int, Pattern], "Pattern is the class; give it a value: Pattern(...)"),
    (Annotated[str, Schema], "Schema is the class; give it a value: Schema(...)"),
    (Annotated[int, Schema({"type": "intger"})],
     ("Schema({'type': 'intger'}): 'type' must be a JSON type or a list of them, "
           "not 'intger'; did you mean 'integer'?")),
]  # fmt: skip


def taking(annotation: Any) -> Callable[..., Any]:
    def f(x): ...

    f.__annotations__["x"] = annotation
    return f


@every("row", ANNOTATIONS)
def test_mistake_in_an_annotation_says_what_to_write(row):
    annotation, reason = row
    with pytest.raises(SchemaError) as caught:
        function_to_schema(taking(annotation), strict=True)
    assert str(caught.value) == f"f(x): {reason}"


NOT_TYPES = [
    (any, "any is a built-in function, not a type; did you mean typing.Any?"),
    ([int], "[int] is a list, not a type; write list[int]"),
    (datetime, "datetime is a module, not a type; did you mean datetime.datetime?"),
]


@every("row", NOT_TYPES)
def test_mistake_is_reported_by_every_function_of_the_library(row):
    annotation, reason = row

    def f(): ...

    f.__annotations__["return"] = annotation
    for call in (
        lambda: return_to_schema(f, strict=True),
        lambda: type_to_schema(alias_of(list, (annotation,)), strict=True),
        lambda: json_to_value([1], alias_of(list, (annotation,))),
    ):
        with pytest.raises(SchemaError) as caught:
            call()
        assert caught.value.message == reason
    with pytest.warns(SchemaWarning) as warned:
        function_to_schema(taking(annotation))
    assert [(str(each.message), each.message.code) for each in warned] == [
        (f"f(x): {reason}", "unsupported-type")
    ]
    findings = {each.code: each.message for each in check(taking(annotation))}
    assert findings["fallback"] == reason


def test_mistake_in_a_string_is_reported_like_that_in_a_type():
    module = module_from("def f(x: '[int]', y: 'any', z: 'list[[str]]'): ...")
    with pytest.warns(SchemaWarning) as warned:
        function_to_schema(module.f)
    assert [str(each.message) for each in warned] == [
        "f(x): [int] is a list, not a type; write list[int]",
        "f(y): any is a built-in function, not a type; did you mean typing.Any?",
        "f(z)[]: [str] is a list, not a type; write list[str]",
    ]


def test_message_suggests_injected_only_for_parameters():
    def f(x: Conn | None) -> Conn: ...

    with pytest.raises(SchemaError) as caught:
        function_to_schema(f, strict=True)
    assert str(caught.value) == (
        "f(x): no JSON Schema for Conn; use Schema({...}), or hide it with Injected"
    )
    for derive, message in (
        (lambda: return_to_schema(f, strict=True), f"Conn; {OWN_CLASS}"),
        (lambda: type_to_schema(list[Conn], strict=True), f"Conn; {OWN_CLASS}"),
        (lambda: type_to_schema(Holder, strict=True), f"Conn; {OWN_CLASS}"),
        (lambda: type_to_schema(typing_extensions.Doc, strict=True), f"Doc; {OTHER_TYPE}"),
    ):
        with pytest.raises(SchemaError) as caught:
            derive()
        assert caught.value.message == f"no JSON Schema for {message}"

    def g(x: Annotated[Conn, Injected]): ...

    assert function_to_schema(g, strict=True) == {"type": "object", "properties": {}}


# -- markers -----------------------------------------------------------------------------------


def untyped(value: Any) -> Any:
    """A value that a type checker would refuse."""
    return value


MARKERS: list[tuple[Callable[[], Any], str]] = [
    (lambda: MinLen(untyped("1")), "MinLen('1'): expected a non-negative integer"),
    (lambda: MinLen(-1), "MinLen(-1): expected a non-negative integer"),
    (lambda: MaxLen(untyped(1.5)), "MaxLen(1.5): expected a non-negative integer"),
    (lambda: MaxLen(untyped(None)), "MaxLen(None): expected a non-negative integer"),
    (lambda: Ge(untyped("1")), "Ge('1'): expected a finite number"),
    (lambda: Gt(float("inf")), "Gt(inf): expected a finite number"),
    (lambda: Le(True), "Le(True): expected a finite number"),
    (lambda: Lt(untyped([1])), "Lt([1]): expected a finite number"),
    (lambda: MultipleOf(0), "MultipleOf(0): expected a number greater than 0"),
    (lambda: Pattern(untyped(3)), "Pattern(3): expected a string"),
    (lambda: Description(untyped(3)), "Description(3): expected a string"),
    (lambda: Title(untyped(None)), "Title(None): expected a string"),
    (lambda: Schema(untyped("string")), "Schema('string'): expected a dict of keywords"),
]


@every("row", MARKERS)
def test_marker_with_a_wrong_value_fails_where_it_is_written(row):
    make, message = row
    with pytest.raises(SchemaError) as caught:
        make()
    assert str(caught.value) == message


def test_value_of_a_marker_that_json_does_not_have_is_reported_with_its_path():
    schema = Schema({"x": object()})
    with pytest.raises(SchemaError) as caught:
        function_to_schema(taking(Annotated[int, schema, Examples()]), strict=True)
    assert str(caught.value) == (
        "f(x): Schema({'x': <object object>}) contains an instance of object, "
        "which cannot be written as JSON"
    )


# -- calls -------------------------------------------------------------------------------------


def total(a: int, b: int) -> list[int]: ...


CALLS: list[tuple[Callable[[], Any], str]] = [
    (lambda: function_to_schema(untyped("total")),
     "'total' is a string, not a function; pass the function itself"),
    (lambda: function_to_schema(untyped(None)),
     "expected a function, got None; did you write f(...) instead of f?"),
    (lambda: function_to_schema(untyped(3)), "expected a function, got 3"),
    (lambda: function_to_schema(untyped(Conn())), "expected a function, got an instance of Conn"),
    (lambda: function_to_schema(untyped(datetime)), "expected a function, got the module datetime"),
    (lambda: function_to_schema(untyped(Optional[int])),
     "int | None is an annotation, not a function; use type_to_schema()"),
    (lambda: function_to_schema(dict),
     ("dict: its constructor is written in C and has no signature; wrap it in a "
           "function with annotations")),
    (
        lambda: function_to_schema(functools.partial(total, 1, 2, 3)),  # type: ignore[call-arg]
        "total: its signature cannot be read: too many positional arguments",
    ),
    (lambda: function_to_schema(total, profile=untyped("MCP")),
     "profile must be a Profile, such as profiles.MCP, not 'MCP'"),
    (lambda: tool_schema(total, name="my tool!").to_mcp(),
     ("'my tool!' is not a valid MCP tool name: ' ' and '!' are not allowed; "
           "use A-Z a-z 0-9 _ . -; pass name=")),
    (lambda: return_to_json(total, "x"), "total() -> result: 'x' is not a list[int]"),
    (lambda: return_to_json(total, [1, "x"]), "total() -> result[1]: 'x' is not an int"),
]  # fmt: skip


@every("row", CALLS)
def test_mistake_in_a_call_says_what_to_pass(row):
    call, message = row
    with pytest.raises(SchemaError) as caught:
        call()
    assert str(caught.value) == message


def test_parameter_without_a_description_names_the_one_that_was_misspelled():
    def f(name: str, size: int):
        """Do it.

        Args:
            nmae: A name.
        """

    with pytest.warns(SchemaWarning) as warned:
        function_to_schema(f, warn_missing_docs=True)
    assert [str(each.message) for each in warned] == [
        "f(name): no description; the docstring describes nmae, which is not a parameter",
        "f(size): no description; document it in the docstring or with Description(...)",
    ]
    findings = [str(each) for each in check(f) if each.code == "unknown-parameter"]
    assert findings == [
        "f(nmae): documented, but not a parameter; did you mean name? [unknown-parameter]"
    ]
