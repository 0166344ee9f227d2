"""A profile may name the style of docstrings; what looks like another style is prose then."""

import pytest

from milo_schema import function_to_schema, parse_docstring, profiles, return_to_schema, tool_schema
from milo_schema.checks import check
from tests.fragments import INTEGER

BOTH = """Measure.

    Args:
        size: In meters.

    :param unit: The unit.
    :returns: The result.
    """


def measure(size: int, unit: str) -> int:
    return size


measure.__doc__ = BOTH
GOOGLE = profiles.MCP.replace(name="GOOGLE", docstring_style="google")
SPHINX = profiles.MCP.replace(name="SPHINX", docstring_style="sphinx")


def texts(profile):
    properties = function_to_schema(measure, profile=profile)["properties"]
    return {name: each["description"] for name, each in properties.items() if "description" in each}


@pytest.mark.parametrize(
    ("profile", "found"),
    [
        (profiles.MCP, {"size": "In meters.", "unit": "The unit."}),
        (GOOGLE, {"size": "In meters."}),
        (SPHINX, {"unit": "The unit."}),
    ],
    ids=["any", "google", "sphinx"],
)
def test_only_sections_of_the_style_describe_parameters(profile, found):
    assert texts(profile) == found


def test_the_rest_describes_the_tool():
    assert tool_schema(measure, profile=profiles.MCP).description == "Measure."
    assert tool_schema(measure, profile=GOOGLE).description == (
        "Measure.\n\n:param unit: The unit.\n:returns: The result."
    )


def test_the_result_is_described_in_the_style():
    assert return_to_schema(measure, profile=SPHINX) == INTEGER | {"description": "The result."}
    assert return_to_schema(measure, profile=GOOGLE) == {"type": "integer"}


def test_a_class_that_is_called_is_described_in_the_style():
    class Measure:
        """Measure.

        :param size: In meters.
        """

        def __init__(self, size: int) -> None: ...

    assert tool_schema(Measure, profile=SPHINX).description == "Measure."
    assert tool_schema(Measure, profile=GOOGLE).description == "Measure.\n\n:param size: In meters."


def test_missing_descriptions_are_found_in_the_style():
    def other(size: int) -> None: ...

    other.__doc__ = "Measure.\n\n:param sise: In meters."

    def told(profile):
        return [each.code for each in check(other, profile=profile)]

    assert "unknown-parameter" in told(SPHINX)
    assert "unknown-parameter" not in told(GOOGLE)
    with pytest.warns(match="the docstring describes sise"):
        function_to_schema(other, profile=SPHINX, warn_missing_docs=True)
    with pytest.warns(match="no description; document it"):
        function_to_schema(other, profile=GOOGLE, warn_missing_docs=True)


@pytest.mark.parametrize("style", ["google", "numpy", "sphinx", "epydoc", "markdown"])
def test_each_style_has_a_name(style):
    docs = {
        "google": "A.\n\nArgs:\n    x: The text.",
        "numpy": "A.\n\nParameters\n----------\nx\n    The text.",
        "sphinx": "A.\n\n:param x: The text.",
        "epydoc": "A.\n\n@param x: The text.",
        "markdown": "A.\n\n## Parameters\n\n- x: The text.\n\n# Notes\n\n- y: No.",
    }
    found = {name: parse_docstring(text, style=style).params for name, text in docs.items()}

    assert found == {name: {"x": "The text."} if name == style else {} for name in docs}
    assert profiles.MCP.replace(docstring_style=style).docstring_style == style


def test_another_style_is_refused():
    with pytest.raises(ValueError, match=r"style must be one of any, sphinx, .*, not 'rest'"):
        parse_docstring("A.", style="rest")
