"""One reading of a function for all who ask about it."""

import pytest

from milo_schema import SchemaError, tool_schema


def test_strict_tool_has_the_problems_of_its_parameters_and_of_its_result():
    def convert(amount, rate: complex) -> complex: ...

    with pytest.raises(SchemaError) as refused:
        tool_schema(convert, strict=True)

    paths = [problem.path for problem in refused.value.problems]
    assert paths == ["convert(amount)", "convert(rate)", "convert() -> result"]
    assert refused.value.location.startswith(__file__)
    assert str(refused.value).endswith("(and 2 more problems)")


def test_given_output_schema_is_used_instead_of_the_result_in_strict_mode():
    def convert(amount: int) -> complex: ...

    tool = tool_schema(convert, strict=True, output_schema={"type": "object"})

    assert tool.output_schema == {"type": "object"}
