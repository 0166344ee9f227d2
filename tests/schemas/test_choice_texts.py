"""The texts of choices, for profiles that want them."""

import enum
from typing import Annotated, Any, Literal

import pytest

from milo_schema import Description, MinLen, Title, function_to_schema, profiles, type_to_schema
from milo_schema.arguments import ArgumentsError, bind
from tests.fragments import INTEGER, NULL, STRING, any_of, array_of, record
from tests.inside import is_valid, write_in

TITLES = profiles.MCP.replace(name="titles", choices="title")
DESCRIPTIONS = profiles.MCP.replace(name="descriptions", choices="description")


class Color(enum.Enum):
    """A color.

    Attributes:
        RED: Like blood.
        BLUE: Not this text.
    """

    RED = "r"
    BLUE = "b"
    """Like the sky."""
    GREEN = "g"


class Silent(enum.Enum):
    """Without texts."""

    A = "a"
    B = "b"


class Mixed(enum.Enum):
    ONE = 1
    """As a number."""
    TWO = "two"
    PAIR = (1, 2)
    SAME = [1, 2]  # noqa: RUF012 - not equal to the tuple, but the same JSON


Small = Annotated[Literal["s"], Title("S"), Description("Small.")]
Large = Annotated[Literal["l"], Description("Large.")]
SIZES = {
    "title": [{"const": "s", "title": "S", "description": "Small."},
          {"const": "l", "title": "Large."}],
    "description": [{"const": "s", "title": "S", "description": "Small."},
          {"const": "l", "description": "Large."}],
}  # fmt: skip
BOTH = pytest.mark.parametrize("profile", [TITLES, DESCRIPTIONS], ids=lambda each: each.choices)


def color(keyword: str) -> dict[str, Any]:
    """The schema of a color, with the texts under a keyword."""
    texts = [("r", {keyword: "Like blood."}), ("b", {keyword: "Like the sky."}), ("g", {})]
    return STRING | {
        "oneOf": [{"const": value, **text} for value, text in texts],
        "description": "A color.",
    }


@BOTH
def test_a_member_of_an_enum_has_its_text(profile):
    assert type_to_schema(Color, profile=profile) == color(profile.choices)


@BOTH
def test_an_enum_without_texts_is_a_list_of_values(profile):
    assert type_to_schema(Silent, profile=profile) == type_to_schema(Silent, profile=profiles.MCP)


def test_the_values_of_an_enum_need_no_common_type_and_each_is_written_once():
    def f(x: Mixed = Mixed.TWO): ...

    assert function_to_schema(f, profile=TITLES)["properties"]["x"] == {
        "oneOf": [{"const": 1, "title": "As a number."}, {"const": "two"}, {"const": [1, 2]}],
        "default": "two",
    }


class Elsewhere(enum.Enum):
    YES = True


def test_a_default_of_another_type_is_left_out():
    def f(x: Mixed = Elsewhere.YES): ...  # type: ignore[assignment]

    found = function_to_schema(f, profile=TITLES)["properties"]["x"]
    assert found == type_to_schema(Mixed, profile=TITLES)


@BOTH
def test_annotated_literals_of_a_union_have_their_texts(profile):
    expected = {"type": "string", "oneOf": SIZES[profile.choices]}
    assert type_to_schema(Small | Large, profile=profile) == expected
    assert type_to_schema(Small | Large | int | None, profile=profile) == any_of(
        expected, INTEGER, NULL
    )


def test_values_without_a_text_are_options_too():
    found = type_to_schema(Large | Literal["x", 1], profile=TITLES)
    assert found == {"oneOf": [SIZES["title"][1], {"const": "x"}, {"const": 1}]}


def test_a_value_has_its_first_text():
    again = Annotated[Literal["l"], Description("Again.")]
    found = type_to_schema(Large | again | Literal["x"], profile=TITLES)
    assert found == {"type": "string", "oneOf": [SIZES["title"][1], {"const": "x"}]}


@pytest.mark.parametrize(
    "annotation",
    [
        Literal["a"] | Literal["b"],
        Annotated[Literal["a", "b"], Description("Either.")] | Literal["c"],
        Annotated[Literal["a"], MinLen(1), Description("One.")] | Literal["c"],
        Large | int,
    ],
    ids=["no text", "a text for two values", "a constraint", "one choice"],
)
def test_other_unions_are_written_as_under_other_profiles(annotation):
    expected = type_to_schema(annotation, profile=profiles.MCP)
    assert type_to_schema(annotation, profile=TITLES) == expected


def test_the_texts_do_not_change_what_is_accepted():
    def f(color: Color, size: Small | Large | int): ...

    schema = function_to_schema(f, profile=TITLES)
    for given in ("r", "b", "g", "RED", "", 1):
        for size in ("s", "l", "x", 1, True):
            arguments = {"color": given, "size": size}
            is_right = (given in ("r", "b", "g") and size in ("s", "l")) or (
                given in ("r", "b", "g") and type(size) is int
            )
            assert is_valid(arguments, schema, schema) is is_right, arguments
            if is_right:
                bound = bind(f, arguments, profile=TITLES)
                assert bound.kwargs == {"color": Color(given), "size": size}
            else:
                with pytest.raises(ArgumentsError):
                    bind(f, arguments, profile=TITLES)


@pytest.mark.parametrize("tp", [Color, Color | None], ids=["enum", "optional"])
def test_the_text_of_an_option_is_its_title_in_a_form(tp):
    def form(color: tp, several: list[Color]): ...

    options = [
        {"const": "r", "title": "Like blood."},
        {"const": "b", "title": "Like the sky."},
        {"const": "g", "title": "g"},
    ]
    assert function_to_schema(form, profile=profiles.ELICITATION, strict=True) == record(
        color={"type": "string", "oneOf": options, "description": "A color."},
        several=array_of({"anyOf": options}),
    )


def test_a_dialect_without_one_of_keeps_the_texts():
    def f(color: Color): ...

    strict = profiles.OPENAI_STRICT.replace(name="strict", choices="description")
    schema = function_to_schema(f, profile=strict, strict=True)
    assert schema["properties"]["color"] == {
        "anyOf": [
            {"type": "string", "enum": ["r"], "description": "Like blood."},
            {"type": "string", "enum": ["b"], "description": "Like the sky."},
            {"type": "string", "enum": ["g"]},
        ],
        "description": "A color.",
    }


@pytest.mark.parametrize(
    "branches",
    [[{"enum": ["a", 1]}, {"enum": [1.0]}], [{"const": "a"}, {"type": "string"}]],
    ids=["shared value", "other branch"],
)
def test_a_dialect_without_one_of_says_when_branches_overlap(branches):
    schema = {"type": "object", "properties": {"x": {"oneOf": branches}}, "required": ["x"]}
    found = write_in("portable", schema, lambda path, reason: None)
    assert found["properties"]["x"]["description"] == "exactly one of these"
