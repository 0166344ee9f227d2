"""Plugins: each adds its tools to one toolbox, and names them as it likes."""

from milo_schema import ToolAnnotations, Toolbox

tools = Toolbox()


@tools.tool(name="math.add", annotations=ToolAnnotations(read_only=True))
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tools.tool
def shout(text: str, times: int = 1) -> str:
    """Write in capitals."""
    return text.upper() * times


assert [each["name"] for each in tools.to_mcp()] == ["math.add", "shout"]
assert [each["function"]["name"] for each in tools.to_openai()] == ["math_add", "shout"]
assert tools.call("math_add", {"a": 1, "b": 2}).value == 3
assert tools.call("shout", {"text": "a", "times": 2}).text == "AA"
