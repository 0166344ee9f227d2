"""``SchemaError.code``: the kind of mistake, independent of the message."""

import copy
import pickle
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest

import milo_schema
from milo_schema import (
    Examples,
    Format,
    Ge,
    Le,
    MinLen,
    Pattern,
    SchemaError,
    SchemaWarning,
    errors,
    function_to_schema,
    profiles,
    type_to_schema,
)
from milo_schema.arguments import json_to_value
from milo_schema.results import value_to_json

MCP = profiles.MCP


class Broken:
    @classmethod
    def __milo_schema__(cls, walk):
        raise ZeroDivisionError


class Odd:
    @classmethod
    def __milo_schema__(cls, walk):
        return {"type": "text"}


def refuse(schema, report):
    report("", "no")
    return schema


def marked(x: int = MinLen(1)): ...  # type: ignore[assignment]


def unresolved(x: "Missing"): ...  # noqa: F821


def unresolved_metadata(x: "Annotated[int, Missing(3)]"): ...  # noqa: F821


def variadic(*args: int): ...


def bare(x): ...


def raising(parameter):
    raise ZeroDivisionError


def folded(make: Callable[[Any], Any], times: int) -> Any:
    """An annotation in itself, many times."""
    annotation: Any = int
    for _ in range(times):
        annotation = make(annotation)
    return annotation


def strictly(annotation: Any) -> Callable[[], Any]:
    return lambda: type_to_schema(annotation, strict=True, profile=MCP)


CASES = {
    "contradiction": [strictly(Annotated[int, Ge(3), Le(1)]),
          strictly(Annotated[int, Examples("three")])],
    "default-not-json": [lambda: function_to_schema(marked, strict=True)],
    "invalid-schema": [
        strictly(Odd),
        lambda: type_to_schema(complex, profile=MCP.with_types({complex: {"type": "text"}})),
        lambda: type_to_schema(complex, profile=MCP.with_types({complex: lambda *_: 3})),  # type: ignore[dict-item]
        lambda: type_to_schema(
            complex, profile=MCP.replace(failure="warn", unknown={"type": "text"})
        ),
        lambda: type_to_schema(complex, profile=MCP.with_types({complex: {"default": object()}})),
    ],
    "limit": [lambda: type_to_schema(folded(lambda each: list[each], 129)),
          lambda: type_to_schema(folded(lambda each: tuple[each, each], 16))],
    "no-decoder": [lambda: json_to_value(1, complex, profile=MCP),
          lambda: json_to_value(1, complex, profile=MCP.with_types({complex: {}})),
          lambda: json_to_value(1, Broken, profile=MCP)],
    "no-annotation": [lambda: function_to_schema(bare, strict=True),
          lambda: function_to_schema(bare, profile=MCP.replace(untyped=None)),
          lambda: function_to_schema(bare, profile=profiles.PLATOOLS)],
    "other": [
        lambda: function_to_schema(variadic, profile=MCP.replace(variadics="error")),
        lambda: function_to_schema(variadic, profile="MCP"),  # type: ignore[arg-type]
    ],
    "refused-by-transform": [lambda: type_to_schema(int, strict=True,
            profile=MCP.replace(transforms=[refuse]))],
    "unexpected-value": [lambda: value_to_json("x", int)],
    "unfit-marker": [
        strictly(Annotated[int, MinLen(1)]),
        strictly(Annotated[str, Pattern("(")]),
        lambda: MinLen("x"),  # type: ignore[arg-type]
    ],
    "unknown-format": [strictly(Annotated[str, Format("emial")])],
    "unresolved-name": [
        lambda: function_to_schema(unresolved, strict=True),
        lambda: function_to_schema(unresolved_metadata, strict=True),
        strictly(list["Missing"]),  # noqa: F821
    ],
    "unsupported-type": [strictly(complex), strictly(dict[list[int], int])],
    "user-code": [strictly(Broken), lambda: function_to_schema(unresolved,
            profile=MCP.replace(injected_if=[raising]))],
}  # fmt: skip


@pytest.mark.parametrize("code", CASES)
@pytest.mark.filterwarnings("ignore::milo_schema.SchemaWarning")
def test_an_error_has_the_code_of_its_kind(code):
    for derive in CASES[code]:
        with pytest.raises(SchemaError) as caught:
            derive()
        assert caught.value.code == code


def test_a_code_is_copied_and_pickled():
    error = SchemaError("deep", "f(x)", int, code="limit")
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (twin.code, str(twin), twin.annotation) == ("limit", "f(x): deep", int)


@pytest.mark.parametrize(
    ("annotation", "code"),
    [
        (complex, "unsupported-type"),
        (type | int, "unsupported-type"),
        (Annotated[int, MinLen(1)], "unfit-marker"),
        (list["Missing"], "unresolved-name"),  # noqa: F821
    ],
)
def test_a_warning_has_the_code_that_the_error_has(annotation, code):
    with warnings.catch_warnings(record=True, action="always") as told:
        type_to_schema(annotation, profile=MCP)
    assert [(each.category, each.message.code) for each in told] == [(SchemaWarning, code)]


def test_each_code_has_a_case_and_a_meaning():
    assert set(CASES) == set(errors._OF_SCHEMAS)
    package = Path(milo_schema.__file__).parent
    sources = "".join(path.read_text("utf-8") for path in package.rglob("*.py"))
    given = set(re.findall(r'\bcode="([a-z-]+)"', sources))
    assert given <= errors.CODES.keys()
