"""Functions that a decorator of another library has made a tool."""

import functools
import inspect
from typing import Any

import pytest

from milo_schema import SchemaError, Toolbox, profiles, tool_schema
from tests import judges

MCP = profiles.MCP


def find(word: str, limit: int = 3) -> list[str]:
    """Find words.

    Args:
        word: A word.
        limit: The most words.
    """
    return [word] * limit


class Holder:
    """An object that is not called, with a function as an attribute."""

    def __init__(self, **attributes: Any) -> None:
        vars(self).update(attributes)


class Described:
    """An object whose function is behind a descriptor."""

    @property
    def __wrapped__(self) -> Any:
        return find


class Forwarding:
    """An object like those of smolagents."""

    name = "find"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)

    def forward(self, word: str, limit: int = 3) -> list[str]:
        return find(word, limit)


def with_self(func: Any) -> Any:
    """The wrapper of a function that claims to take ``self``, as smolagents makes it."""

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [own, *inspect.signature(func).parameters.values()]
    vars(wrapper)["__signature__"] = inspect.Signature(parameters)
    return wrapper


class Decorated:
    """An object like those of the decorator of smolagents."""

    name = "find"
    description = "Find words."
    forward = staticmethod(with_self(find))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)


class Static:
    """An object whose function is static."""

    forward = staticmethod(find)


class Uncalled:
    """An object with ``forward()`` alone."""

    name = "find"

    def forward(self, word: str, limit: int = 3) -> list[str]:
        return find(word, limit)


FOREIGN = [
    *[Holder(**{place: find}) for place in ("func", "fn", "function", "__wrapped__")],
    Holder(__wrapped__=find, func=find, name="find", description="Find   words."),
    Described(),
    Forwarding(),
    Uncalled(),
    Decorated(),
    Static(),
]


@pytest.mark.parametrize("tool", FOREIGN, ids=range(len(FOREIGN)))
def test_the_function_inside_is_described_and_called(tool):
    made = tool_schema(tool, profile=MCP)

    assert made.name == "find"
    assert list(made.input_schema["properties"]) == ["word", "limit"]
    assert made.description in (None, "Find words.")
    result = Toolbox([tool], profile=MCP).call("find", {"word": "tea", "limit": 1})
    assert result["structuredContent"] == ["tea"]


def test_a_name_and_a_description_that_were_given_replace_those_of_the_function():
    tool: Any = Holder(func=find, name="seek", description="Seek words.")

    made = tool_schema(tool, profile=MCP)
    assert (made.name, made.description) == ("seek", "Seek words.")
    made = tool_schema(tool, name="look", description="Look.", profile=MCP)
    assert (made.name, made.description) == ("look", "Look.")
    tool = Holder(func=find, name="", description=5)
    assert tool_schema(tool).name == "find"


class Specified:
    """An object like those of strands: it is called itself, and has a definition."""

    def __init__(self, spec: Any) -> None:
        functools.update_wrapper(self, find)
        self.spec, self.name, self.description = spec, "other", "Another text."

    @property
    def tool_spec(self) -> Any:
        return self.spec

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return find(*args, **kwargs)


def test_the_definition_of_an_object_that_is_called_has_its_name_and_description():
    given = Specified({"name": "seek", "description": "Seek words.", "inputSchema": {}})
    same = Specified({"name": "find", "description": "Find words."})

    expected = tool_schema(find, name="seek", description="Seek words.", profile=MCP)
    assert tool_schema(given, profile=MCP) == expected
    assert tool_schema(given, name="look", description="", profile=MCP).name == "look"
    assert tool_schema(same, profile=MCP) == tool_schema(find, profile=MCP)
    assert Toolbox([given], profile=MCP).call("seek", {"word": "tea"})["isError"] is False


def test_an_attribute_of_that_name_is_not_the_definition():
    tool: Any = Holder(func=find, name="seek", description="Seek.", tool_spec={"name": "other"})

    assert tool_schema(tool, profile=MCP).name == "seek"


@pytest.mark.parametrize("spec", [None, {}, {"name": 1, "description": None}])
def test_a_definition_without_texts_says_nothing(spec):
    assert tool_schema(Specified(spec), profile=MCP) == tool_schema(find, profile=MCP)


class Called:
    """A wrapper that is called itself."""

    def __init__(self, func: Any) -> None:
        self.func = func

    def __call__(self, text: str) -> str:
        """Wrap."""
        return text

    def forward(self, text: str, times: int) -> str:
        return text * times


def test_an_object_that_can_be_called_is_a_function_itself():
    made = tool_schema(Called(find), name="wrap", profile=MCP)
    assert list(made.input_schema["properties"]) == ["text"]
    assert made.description == "A wrapper that is called itself."


class Failing:
    @property
    def __wrapped__(self) -> Any:
        raise RuntimeError


@pytest.mark.parametrize(
    "tool",
    [Holder(), Holder(func=find, fn=lambda: 1), Holder(func=5), Failing(), 5],
    ids=["nothing", "two", "no function", "failing", "a number"],
)
def test_an_object_without_one_function_is_refused(tool):
    with pytest.raises(SchemaError):
        tool_schema(tool)


LIBRARIES = [
    *("agents", "anthropic", "fastmcp.tools", "langchain_core.tools"),
    *("mcp.server.mcpserver.tools", "pydantic_ai", "smolagents"),
]


def decorate(library: str) -> tuple[Any, Any]:
    """A tool of a library, and one with another name and description."""
    if library == "langchain_core.tools":
        make = judges.module(library).tool
        return make(find), make("seek", description="Seek words.")(find)
    if library == "agents":
        make = judges.module(library).function_tool
        options = {"name_override": "seek", "description_override": "Seek words."}
        return make(find), make(find, **options)
    if library == "smolagents":
        make = judges.module(library).tool
        renamed = make(find)
        renamed.name, renamed.description = "seek", "Seek words."
        return make(find), renamed
    given = {"name": "seek", "description": "Seek words."}
    if library == "anthropic":
        make = judges.module(library).beta_tool
    elif library == "pydantic_ai":
        make = judges.module(library).Tool
    else:
        make = judges.module(library).Tool.from_function
    return make(find), make(find, **given)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # langsmith, on 3.14
@pytest.mark.parametrize("library", LIBRARIES)
def test_the_tools_of_other_libraries_are_described_and_called(library):
    tool, renamed = decorate(library)

    assert tool_schema(tool, profile=MCP) == tool_schema(find, profile=MCP)
    expected = tool_schema(find, name="seek", description="Seek words.", profile=MCP)
    assert tool_schema(renamed, profile=MCP) == expected
    tools = Toolbox([tool, renamed], profile=MCP)
    for name in ("find", "seek"):
        result = tools.call(name, {"word": "tea", "limit": 1})
        assert result["structuredContent"] == ["tea"]


@pytest.mark.parametrize(
    ("library", "server"), [("fastmcp", "FastMCP"), ("mcp.server.mcpserver", "MCPServer")]
)
def test_the_tools_that_a_server_decorates_are_functions(library, server):
    tool = getattr(judges.module(library), server)("server").tool(name="seek")(find)

    assert tool_schema(tool, profile=MCP) == tool_schema(find, profile=MCP)
