"""One function as two tools, each with its own name, texts and fixed arguments."""

from functools import partial

from milo_schema import Toolbox, tool_schema


def convert(amount: float, rate: float) -> float:
    """Convert an amount."""
    return amount * rate


to_krone = partial(convert, rate=11.5)
tools = Toolbox(
    [
        tool_schema(convert, title="Convert"),
        tool_schema(to_krone, name="to_krone", description="Convert euros.", exclude=["rate"]),
    ]
)
assert tools.call("convert", {"amount": 2, "rate": 3}).value == 6
assert tools.call("to_krone", {"amount": 2}).value == 23
assert tools.call("to_krone", {"amount": 2, "rate": 1}).is_error
