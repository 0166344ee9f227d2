"""Names for other annotations, such as ``TypeAliasType``."""

import decimal
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Optional, TypeVar, Union

import pytest
import typing_extensions

from milo_schema import (
    Description,
    Ge,
    MaxLen,
    Schema,
    SchemaError,
    function_to_schema,
    profiles,
    type_to_schema,
)
from tests.fragments import BASE64, INTEGER, STRING, any_of, exact, obj, record

T = TypeVar("T")
Json = Union[None, int, list["Json"], dict[str, "Json"]]

Tree = typing_extensions.TypeAliasType(
    "Tree", "Annotated[list[Tree], Description('In the alias.')]"
)


@dataclass
class Box(Generic[T]):
    value: T


def test_a_constraint_applies_to_the_target_of_an_alias_in_a_union():
    blob = typing_extensions.TypeAliasType("blob", bytes)
    money = typing_extensions.TypeAliasType("money", decimal.Decimal)
    assert exact(Annotated[Union[blob, int], MaxLen(3)]) == any_of(
        {**BASE64, "maxLength": 4}, INTEGER
    )
    bounded = exact(Annotated[Optional[money], Ge(0)])["anyOf"]  # type: ignore[valid-type]
    assert [{"type": "number", "minimum": 0}, {"type": "null"}] == [bounded[0], bounded[2]]


def parts(null: bool) -> dict[str, Any]:
    ref = {"$ref": "#/$defs/Json"}
    arms: list[Any] = [
        INTEGER,
        {"type": "array", "items": ref},
        {"type": "object", "additionalProperties": ref},
    ]
    return {"anyOf": [*arms, {"type": "null"}] if null else arms}


def test_a_recursive_alias_in_a_string_is_unwrapped():
    def command(data: Optional["Json"] = None): ...

    assert function_to_schema(command) == obj([], data={**parts(null=False), "default": None}) | {
        "$defs": {"Json": parts(null=True)}
    }


def test_a_recursive_alias_is_the_argument_of_a_generic():
    def command(box: Box[list["Json"]]): ...

    schema = function_to_schema(command, profile=profiles.MCP)
    assert schema["properties"]["box"] == record(value={"type": "array", "items": parts(null=True)})
    assert schema["$defs"] == {"Json": parts(null=True)}


def test_a_description_in_an_alias_overrides_the_docstring():
    name = typing_extensions.TypeAliasType("name", Annotated[str, Description("In the alias.")])

    def command(who: name):  # type: ignore[valid-type]
        """Do it.

        Args:
            who: In the docstring.
        """

    @dataclass
    class Command:
        """Do it.

        Attributes:
            who: In the docstring.
            box: In the docstring.
            tree: In the docstring.
        """

        who: name  # type: ignore[valid-type]
        box: Annotated[Box[int], Schema({"title": "Box"})]
        tree: Tree

    who = {**STRING, "description": "In the alias."}
    assert function_to_schema(command)["properties"] == {"who": who}
    box = record(value=INTEGER) | {"title": "Box", "description": "In the docstring."}
    tree = {"$ref": "#/$defs/Tree"}
    found = type_to_schema(Command, profile=profiles.MCP)
    assert found["properties"] == {"who": who, "box": box, "tree": tree}
    assert found["$defs"]["Tree"]["description"] == "In the alias."


def test_the_docstring_describes_a_reference_to_an_alias_without_a_description():
    name = typing_extensions.TypeAliasType("name", Annotated[str, Description("In the alias.")])
    code = typing_extensions.TypeAliasType("code", Annotated[str, MaxLen(3)])

    def command(who: name, what: code):  # type: ignore[valid-type]
        """Do it.

        Args:
            who: In the docstring.
            what: In the docstring.
        """

    kept = profiles.MCP.replace(inline=False)
    assert function_to_schema(command, profile=kept)["properties"] == {
        "who": {"$ref": "#/$defs/name"},
        "what": any_of({"$ref": "#/$defs/code"}) | {"description": "In the docstring."},
    }


def test_aliases_may_share_an_arm_of_their_unions():
    last = typing_extensions.TypeAliasType("last", Union[int, str])
    left = typing_extensions.TypeAliasType("left", Union[last, bool])  # type: ignore[valid-type]
    right = typing_extensions.TypeAliasType("right", Union[last, float])  # type: ignore[valid-type]
    both = typing_extensions.TypeAliasType("both", Union[left, right])  # type: ignore[valid-type]
    assert exact(both) == {"anyOf": [INTEGER, STRING, {"type": "boolean"}, {"type": "number"}]}


def test_allof_of_an_alias_and_of_its_use_are_joined():
    some = typing_extensions.TypeAliasType("some", Annotated[str, Schema({"allOf": [{}]})])
    schema = exact(Annotated[some, Schema({"allOf": [{"minLength": 1}]})])
    assert schema == {"type": "string", "allOf": [{}, {"minLength": 1}]}


Loop = typing_extensions.TypeAliasType("Loop", "Loop")  # type: ignore[misc]


def test_an_alias_of_itself_is_an_error_in_a_parameter():
    def take(x: Loop) -> None: ...

    with pytest.raises(SchemaError, match="refers directly to itself; put a container in between"):
        function_to_schema(take)
