"""Annotations that cannot be evaluated, and the names that a caller passes for them."""

import pytest

from milo_schema import SchemaError, SchemaWarning, function_to_schema, profiles, return_to_schema
from tests.callables.helpers import gives, since_314, takes, warnings_of
from tests.fragments import INTEGER, NULL, NUMBER, STRING, array_of
from tests.modules import module_from

TYPE_CHECKED = """
    from typing import TYPE_CHECKING

    if TYPE_CHECKING:
        from decimal import Decimal

    def pay(a: int, b: Decimal, c: list[str] | None = None, *, d: list[Decimal]) -> Decimal: ...
"""


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_a_missing_name_affects_only_its_own_parameter(future):
    """Deferred annotations (PEP 649) know even more: which part of ``list[Decimal]`` it is."""
    module = module_from(TYPE_CHECKED, future=future, name="payments")
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.pay)
    assert schema == {
        "type": "object",
        "properties": {
            "a": INTEGER,
            "b": STRING,
            "c": {"type": "array", "items": STRING, "default": None},
            "d": STRING if future else array_of(STRING),
        },
        "required": ["a", "b", "d"],
    }
    d, step = ("list[Decimal]", "") if future else ("Decimal", "[]")
    why = "no 'Decimal' in payments; import it there at run time, or pass localns={'Decimal': ...}"
    assert [str(each.message) for each in caught] == [
        f"pay(b): cannot evaluate 'Decimal': {why}",
        f"pay(d){step}: cannot evaluate {d!r}: {why}",
    ]


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
@pytest.mark.parametrize("profile", [profiles.MILO, profiles.MCP], ids=str)
def test_a_missing_name_is_an_error_in_strict_mode(future, profile):
    module = module_from(TYPE_CHECKED, future=future, name="payments")
    for derive, place in ((function_to_schema, "pay(b)"), (return_to_schema, "pay() -> ")):
        with pytest.raises(SchemaError) as caught:
            derive(module.pay, strict=True, profile=profile)
        assert str(caught.value) == (
            f"{place}: cannot evaluate 'Decimal': no 'Decimal' in payments; "
            "import it there at run time, or pass localns={'Decimal': ...}"
        )


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_localns_supplies_missing_names(future):
    module = module_from(TYPE_CHECKED, future=future)
    names = {"Decimal": float}
    takes(
        module.pay,
        {
            "a": INTEGER,
            "b": NUMBER,
            "c": {"type": "array", "items": STRING, "default": None},
            "d": array_of(NUMBER),
        },
        ["a", "b", "d"],
        exact={"c": {"anyOf": [array_of(STRING), NULL], "default": None}},
        localns=names,
    )
    gives(module.pay, NUMBER, localns=names)
    assert names == {"Decimal": float}


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_localns_supplies_missing_names_of_nested_records(future):
    module = module_from(
        """
        from dataclasses import dataclass
        from typing import TypedDict

        @dataclass
        class Server:
            name: Missing
            more: list[Missing]

        class Fleet(TypedDict):
            servers: list[Server]
            of: Missing

        def command(fleet: Fleet): ...
        """,
        future=future,
    )
    server = {"name": INTEGER, "more": array_of(INTEGER)}
    record = {"type": "object", "properties": server, "required": ["name", "more"]}
    fleet = {
        "type": "object",
        "properties": {"servers": array_of(record), "of": INTEGER},
        "required": ["servers", "of"],
    }
    takes(module.Server, server, ["name", "more"], localns={"Missing": int})
    takes(module.command, {"fleet": fleet}, ["fleet"], localns={"Missing": int})


def test_localns_goes_before_the_names_of_the_module():
    module = module_from("Name = str\ndef command(name: 'Name'): ...")
    takes(module.command, {"name": INTEGER}, ["name"], localns={"Name": int})


def test_a_missing_name_inside_a_type_is_reported_at_its_place():
    def command(a: list["Missing"], b: int): ...  # noqa: F821

    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(command)
    assert schema["properties"] == {"a": array_of(STRING), "b": INTEGER}
    assert [each.message.path for each in caught] == ["command(a)[]"]


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_a_missing_attribute_affects_only_its_own_parameter(future):
    module = module_from(
        "import concurrent\ndef command(a: int, b: concurrent.missing.Thing, c: list[str]): ...",
        future=future,
    )
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.command)
    assert schema["properties"] == {"a": INTEGER, "b": STRING, "c": array_of(STRING)}
    assert [str(each.message) for each in caught] == [
        (
            "command(b): cannot evaluate 'concurrent.missing.Thing': AttributeError: "
            "module 'concurrent' has no attribute 'missing'"
        )
    ]


@pytest.mark.parametrize("future", [True, pytest.param(False, marks=since_314)], ids=str)
def test_an_annotation_that_raises_affects_only_its_own_parameter(future):
    module = module_from("def command(a: int, b: int[str], c: list[str]): ...", future=future)
    with pytest.warns(SchemaWarning) as caught:
        schema = function_to_schema(module.command)
    assert schema["properties"] == {"a": INTEGER, "b": STRING, "c": array_of(STRING)}
    assert [str(each.message) for each in caught] == [
        "command(b): cannot evaluate 'int[str]': TypeError: type 'int' is not subscriptable"
    ]


def test_a_string_that_is_not_an_expression_is_reported():
    def command(a: "no annotation", b: "1 +", c: int): ...  # noqa: F722

    assert warnings_of(command) == [
        (
            "command(a): cannot evaluate 'no annotation': SyntaxError: invalid syntax "
            "(<annotation>, line 1)"
        ),
        "command(b): cannot evaluate '1 +': SyntaxError: invalid syntax (<annotation>, line 1)",
    ]
