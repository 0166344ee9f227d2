"""Problems of arguments for programs: the steps to each, and errors without the values."""

import pickle
from typing import Annotated, Any, Literal, TypedDict

import pydantic
import pytest

from milo_schema import Ge, Pattern
from milo_schema.arguments import ArgumentsError, json_to_value
from milo_schema.errors import CODES, Problem


class Deep(TypedDict):
    rows: list[dict[str, int]]


def problems_of(json: Any, annotation: Any) -> tuple[Problem, ...]:
    with pytest.raises(ArgumentsError) as raised:
        json_to_value(json, annotation)
    return raised.value.problems


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("x", ("rows", 1, "x")),
        ("a b", ("rows", 1, "a b")),
        ("0", ("rows", 1, "0")),
        ('q"\\t', ("rows", 1, 'q"\\t')),
        ("a.b[0]", ("rows", 1, "a.b[0]")),
        ("größe", ("rows", 1, "größe")),
        ("", ("rows", 1, "")),
    ],
)
def test_steps_are_the_keys_and_indexes_on_the_way(name, steps):
    (problem,) = problems_of({"rows": [{}, {name: "?"}]}, Deep)

    assert problem.steps == steps


def test_the_value_itself_has_no_steps():
    assert problems_of("?", int)[0].steps == ()
    assert problems_of(["?"], list[int])[0].steps == (0,)


SECRETS: dict[str, tuple[Any, Any]] = {
    "type": ("hunter2", int),
    "choice": ("hunter2", Literal["a", "b"]),
    "pattern": ("hunter2", Annotated[str, Pattern("^a$")]),
    "bound": (-4242, Annotated[int, Ge(0)]),
}


def refuse(value: int) -> int:
    raise ValueError(f"bad: {value}")


SECRETS["message"] = (4242, Annotated[int, pydantic.AfterValidator(refuse)])


@pytest.mark.parametrize("name", SECRETS)
def test_an_error_without_values_quotes_none(name):
    secret, annotation = SECRETS[name]
    with pytest.raises(ArgumentsError) as raised:
        json_to_value([secret], list[annotation])
    error = raised.value
    found = error.without_values()

    assert str(secret).lstrip("-") in str(error)
    for text in (str(found), repr(found), str(found.as_dict()), repr(vars(found))):
        assert str(secret).lstrip("-") not in text
    (one,), (other,) = error.problems, found.problems
    assert (other.path, other.code, other.expected) == (one.path, one.code, one.expected)
    assert other.value is None
    assert other.message == (f"expected {one.expected}" if one.expected else CODES[one.code])
    assert str(pickle.loads(pickle.dumps(found))) == str(found)


def test_the_error_itself_is_not_changed():
    with pytest.raises(ArgumentsError) as raised:
        json_to_value("hunter2", int)
    raised.value.without_values()

    assert str(raised.value) == 'int: expected an integer, got "hunter2"'
