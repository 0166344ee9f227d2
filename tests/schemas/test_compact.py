"""``Profile.inline="auto"``: a definition wherever that makes the schema shorter."""

import json
import random
from dataclasses import dataclass, make_dataclass
from enum import Enum, IntEnum, StrEnum
from string import ascii_lowercase
from typing import Any

import pytest
from typing_extensions import TypeAliasType

from milo_schema import function_to_schema, profiles, type_to_schema
from tests.every import every
from tests.fragments import any_of, array_of, obj, record

INLINE = profiles.MCP
AUTO = profiles.MCP.replace(inline="auto")
SHARED = profiles.MCP.replace(inline=False)

STRING = {"type": "string"}


@dataclass
class Address:
    """Where a parcel goes to."""

    street: str
    city: str
    country: str


@dataclass
class Person:
    name: str
    home: Address


@dataclass
class Point:
    x: int


@dataclass
class Node:
    at: Point
    next: "Node | None" = None


class Size(Enum):
    SMALL = "s"


ADDRESS = obj(["street", "city", "country"], street=STRING, city=STRING, country=STRING) | {
    "description": "Where a parcel goes to."
}
LINK = {"$ref": "#/$defs/Address"}
POINT = obj(["x"], x={"type": "integer"})


def test_a_type_that_is_used_once_is_inlined():
    assert type_to_schema(list[Person], profile=AUTO) == array_of(
        obj(["name", "home"], name=STRING, home=ADDRESS)
    )


def test_a_type_that_is_used_more_often_is_a_definition():
    def send(sender: Person, to: Address, back: list[Address]): ...

    sender = record(name=STRING, home=LINK)
    expected = record(sender=sender, to=LINK, back=array_of(LINK))
    expected |= {"additionalProperties": False, "$defs": {"Address": ADDRESS}}
    assert function_to_schema(send, profile=AUTO) == expected


def test_a_type_that_is_shorter_than_a_reference_is_inlined():
    def move(small: Size, large: Size = Size.SMALL, others: list[Size] | None = None): ...

    assert function_to_schema(move, profile=AUTO) == function_to_schema(move, profile=INLINE)


def test_a_recursive_type_is_a_definition_unlike_types_that_it_uses_once():
    node = obj(
        ["at"],
        at=POINT,
        next={"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}], "default": None},
    )
    assert type_to_schema(list[Node], profile=AUTO) == array_of({"$ref": "#/$defs/Node"}) | {
        "$defs": {"Node": node}
    }


Hierarchies = TypeAliasType("Hierarchies", "list[Hierarchies | Point]")


def test_what_a_recursive_type_uses_once_counts_once():
    def f(first: Hierarchies, second: Hierarchies):
        """F.

        Args:
            first: The first.
            second: The second.
        """

    items = any_of({"$ref": "#/$defs/Hierarchies"}, POINT)
    assert function_to_schema(f, profile=AUTO)["$defs"] == {"Hierarchies": array_of(items)}


def test_the_length_of_a_description_beside_a_reference_counts():
    """Inlined, it has that of the class, so a second one is the cost of the reference."""

    @dataclass
    class Pair:
        """A pair, described at length because the test is about that, after all."""

        a: int

    def f(x: Pair, y: Pair):
        """F.

        Args:
            x: The x.
            y: The y.
        """

    schema = function_to_schema(f, profile=AUTO)
    assert schema == function_to_schema(f, profile=INLINE)


@pytest.mark.parametrize(("kind", "fewest"), [(StrEnum, 12), (IntEnum, 19)])
def test_numbers_and_short_texts_count_with_their_quotes_and_commas(kind, fewest):
    def is_defined(size: int) -> bool:
        made = kind("Letter", [*ascii_lowercase[:size]])
        return "$defs" in type_to_schema(tuple[made, made], profile=AUTO)

    assert [is_defined(size) for size in (fewest - 1, fewest)] == [False, True]


def test_the_root_may_be_a_recursive_type():
    @dataclass
    class Both:
        one: Address
        two: Address
        three: Address

    three = record(one=LINK, two=LINK, three=LINK)
    assert type_to_schema(Both, profile=AUTO) == three | {"$defs": {"Address": ADDRESS}}


def random_function(seed: int) -> Any:
    """A function of a few records that refer to each other, documented or not."""
    pick = random.Random(seed)
    types: list[Any] = [int, str]
    for number in range(pick.randint(1, 6)):
        fields = []
        for at in range(pick.randint(1, 5)):
            tp = pick.choice(types)
            fields.append((f"field{at}", pick.choice([tp, tp, list[tp], tp | None])))
        made = make_dataclass(f"Class{number}" + "x" * pick.randint(0, 9), fields)
        made.__doc__ = "A thing." + "x" * pick.randint(0, 50)
        types.append(made)
    names = {f"p{at}": pick.choice(types) for at in range(pick.randint(1, 5))}
    space: dict[str, Any] = {}
    exec(f"def f({', '.join(names)}): ...", space)
    space["f"].__annotations__ = names
    if pick.random() < 0.5:
        space["f"].__doc__ = "F.\n\nArgs:\n" + "".join(f"    {each}: The x.\n" for each in names)
    return space["f"]


@every("seed", range(100))
def test_the_result_is_the_shortest_schema(seed):
    """But for the few characters of a first definition, which are counted for each."""
    func = random_function(seed)
    sizes = [
        len(json.dumps(function_to_schema(func, profile=profile), separators=(",", ":")))
        for profile in (AUTO, INLINE, SHARED)
    ]
    assert sizes[0] <= min(sizes[1:]) + len('"$defs":{"":},') * 6


@pytest.mark.parametrize("inline", ["atuo", "yes", 1, None])
def test_another_value_is_refused(inline):
    with pytest.raises(ValueError, match=r"^inline=.* is not one of True, False, 'auto'"):
        profiles.MCP.replace(inline=inline)


def test_a_long_chain_of_types_has_definitions_as_when_it_is_inlined():
    chain: Any = int
    for at in range(500):
        chain = make_dataclass(f"Link{at}", [("next", chain)])

    assert type_to_schema(chain, profile=AUTO) == type_to_schema(chain, profile=INLINE)
