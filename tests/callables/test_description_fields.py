"""The fields of a profile about docstrings: descriptions of a tool and of its parameters."""

from collections.abc import Iterator
from typing import Annotated, Any, TypedDict, Unpack

import pydantic
import pytest

from milo_schema import (
    Description,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
    tool_schema,
)
from milo_schema.arguments import bind
from milo_schema.transforms import Descriptions
from tests.fragments import INTEGER, STRING

MCP = profiles.MCP


def find(word: str) -> list[str]:
    """Find what is
    in stock.

    It looks everywhere.

    Args:
        word: What to look for.

    Note:
        It may take long.

    Returns:
        The cheapest first.

    Raises:
        LookupError: There is nothing.
        OSError

    Examples:
        find("tea")
    """
    return [word]


def count() -> Iterator[int]:
    """Count.

    Yields:
        A number.
    """
    yield 1


def bare(word: str): ...


def described(func: Any, *sections: Any) -> str | None:
    return tool_schema(func, profile=MCP.replace(tool_description=sections)).description


# -- sections ----------------------------------------------------------------------------------

PROSE = "Find what is\nin stock.\n\nIt looks everywhere.\n\nNote:\n    It may take long."
RETURNS = "Returns:\nThe cheapest first."
RAISES = "Raises:\nLookupError: There is nothing.\nOSError"
EXAMPLES = 'Examples:\nfind("tea")'


@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        (["first_line"], "Find what is"),
        (["summary"], "Find what is in stock."),
        (["prose"], PROSE),
        (["prose", "examples"], f"{PROSE}\n\n{EXAMPLES}"),
        (["summary", "returns"], f"Find what is in stock.\n\n{RETURNS}"),
        (
            ["summary", "raises", "returns", "examples"],
            f"Find what is in stock.\n\n{RAISES}\n\n{RETURNS}\n\n{EXAMPLES}",
        ),
        (["returns"], RETURNS),
        ([], None),
    ],
    ids=str,
)
def test_a_tool_is_described_by_the_sections_that_the_profile_names(sections, expected):
    assert described(find, *sections) == expected


def test_one_section_needs_no_list():
    profile = MCP.replace(tool_description="summary")
    assert profile.tool_description == ("summary",)
    assert tool_schema(find, profile=profile).description == "Find what is in stock."


def test_yielded_values_are_described_like_returned_ones():
    assert described(count, "summary", "returns") == "Count.\n\nYields:\nA number."


def test_the_whole_docstring_is_dedented():
    assert described(count, "docstring") == "Count.\n\nYields:\n    A number."


def test_a_docstring_without_the_first_section_describes_nothing():
    def examples_only():
        """
        Examples:
            examples_only()
        """

    assert described(examples_only, "prose", "examples") is None
    assert described(examples_only, "examples") == "Examples:\nexamples_only()"
    assert described(bare, "docstring") is None


class Finder:
    """Finds.

    Examples:
        Finder("tea")
    """

    def __init__(self, word: str) -> None:
        """Make one."""

    def __call__(self, word: str) -> None: ...


class Plain:
    def __init__(self, word: str) -> None:
        """Make one.

        Returns:
            Nothing.
        """


def test_a_class_is_described_by_the_same_sections():
    """And so is an instance that is called."""
    for func in (Finder, Finder("tea")):
        assert described(func, "prose") == "Finds."
        assert described(func, "prose", "examples") == 'Finds.\n\nExamples:\nFinder("tea")'
    assert described(Plain, "prose", "returns") == "Make one.\n\nReturns:\nNothing."


# -- which description wins --------------------------------------------------------------------


class Options(TypedDict):
    deep: Annotated[bool, Description("The key's own.")]


def order(
    plain: int,
    bare: Annotated[int, "The annotation's."],
    marked: Annotated[int, Description("The annotation's.")],
    field: Annotated[int, pydantic.Field(description="The annotation's.", ge=1)],
    undocumented: Annotated[int, Description("The annotation's.")],
    untyped=1,
    default: int = pydantic.Field(5, description="The annotation's."),
    **options: Unpack[Options],
) -> Annotated[int, Description("A number.")]:
    """Order.

    Args:
        plain: The docstring's.
        bare: The docstring's.
        marked: The docstring's.
        field: The docstring's.
        untyped: The docstring's.
        default: The docstring's.
        deep: The docstring's.

    Returns:
        The docstring's.
    """
    return 1


ANNOTATION, DOCSTRING = "The annotation's.", "The docstring's."


@pytest.mark.parametrize(
    ("docstrings", "plain", "both"),
    [
        ("last", DOCSTRING, ANNOTATION),
        ("first", DOCSTRING, DOCSTRING),
        ("never", None, ANNOTATION),
    ],
)
def test_docstring_or_annotation_describes_a_parameter(docstrings, plain, both):
    profile = MCP.replace(docstrings=docstrings)
    properties = function_to_schema(order, profile=profile)["properties"]
    key = "The key's own." if both == ANNOTATION else both

    assert {name: each.get("description") for name, each in properties.items()} == {
        "plain": plain,
        "bare": both,
        "marked": both,
        "field": both,
        "undocumented": ANNOTATION,
        "untyped": plain,
        "default": both,
        "deep": key,
    }
    assert properties["field"] == {**INTEGER, "minimum": 1, "description": both}
    given = dict.fromkeys(("plain", "bare", "marked", "field", "undocumented"), 1)
    bound = bind(order, {**given, "deep": True}, profile=profile)
    assert bound.kwargs["field"] == 1


def test_a_docstring_that_comes_first_does_not_affect_injection():
    class Session: ...

    def run(word: Annotated[str, Description("A word.")], session: Annotated[Session, "x"]):
        """Run.

        Args:
            word: The docstring's.
            session: The docstring's.
        """

    profile = MCP.replace(docstrings="first").with_injected(classes={Session})
    assert function_to_schema(run, profile=profile)["properties"] == {
        "word": {**STRING, "description": DOCSTRING}
    }

    def add(*numbers: int):
        """Add them.

        Args:
            numbers: The docstring's.
        """

    listed = MCP.replace(docstrings="first", variadics="properties")
    assert function_to_schema(add, profile=listed)["properties"] == {
        "numbers": {"type": "array", "items": INTEGER, "description": DOCSTRING}
    }


def test_an_ignored_docstring_describes_neither_the_tool_nor_its_output():
    profile = MCP.replace(docstrings="never")

    assert tool_schema(find, profile=profile).description is None
    assert return_to_schema(find, profile=profile) == {"type": "array", "items": STRING}
    outputs = MCP.replace(outputs={"docstrings": "never"})
    assert return_to_schema(find, profile=outputs) == {"type": "array", "items": STRING}
    assert tool_schema(find, profile=outputs).description == f"{PROSE}\n\n{EXAMPLES}"


# -- missing descriptions ----------------------------------------------------------------------


def choose(one: Annotated[int | str, Description("Which.")], other: int): ...


def test_a_transform_neither_adds_nor_removes_a_missing_description():
    described = profiles.OPENMCP.replace(transforms=[Descriptions("The {name}.")])
    moved = profiles.GEMINI  # a union has its description in the first branch
    for profile in (MCP, described, moved):
        with pytest.warns(SchemaWarning) as caught:
            function_to_schema(choose, profile=profile, warn_missing_docs=True)
        assert [each.message.path for each in caught] == ["choose(other)"]  # type: ignore[union-attr]


def test_a_function_without_a_schema_has_no_missing_description():
    deep: Any = int
    for _ in range(200):
        deep = list[deep]

    def turn(by: deep): ...

    with pytest.warns(SchemaWarning) as caught:
        function_to_schema(turn, profile=profiles.OPENMCP, warn_missing_docs=True)
    assert [each.message.code for each in caught] == ["limit"]  # type: ignore[union-attr]
