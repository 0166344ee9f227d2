"""Parameters that each framework fills in: its own classes, in tools as its users write them."""

from collections.abc import Callable
from typing import Annotated, Any

import milo_schema
from milo_schema import Profile, profiles
from tests import judges
from tests.differential import frameworks
from tests.differential.spelling import values

# ruff: noqa: B008, N806  # classes, though each comes from a module that may be missing

Injected = tuple[Profile, Callable[[Any], Any], list[Any]]


def user_name() -> str:
    return "Ada"


def fastmcp() -> Injected:
    Context = judges.module("fastmcp").Context
    dependencies = judges.module("fastmcp.dependencies")

    def first(ctx: Context, query: str): ...
    def last(query: str, ctx: Context): ...
    def optional(query: str, ctx: Context | None = None): ...
    def other_name(query: str, limit: int = 3, *, context: Context): ...
    def in_quotes(query: str, ctx: "Context"): ...
    def by_default(query: str, ctx: Any = dependencies.CurrentContext()): ...
    def by_user(query: str, user: str = dependencies.Depends(user_name)): ...

    in_quotes.__annotations__["ctx"] = Context
    tools = [first, last, optional, other_name, in_quotes, by_default, by_user]
    return profiles.FASTMCP, frameworks.fastmcp, tools


def mcp_sdk() -> Injected:
    mcpserver = judges.module("mcp.server.mcpserver")
    Context = mcpserver.Context

    def first(ctx: Context, query: str): ...
    def last(query: str, ctx: Context): ...
    def with_arguments(query: str, ctx: Context[Any, Any]): ...
    def optional(query: str, ctx: Context | None = None): ...

    def resolved(query: str, user: Annotated[str, mcpserver.Resolve(user_name)]): ...

    tools = [first, last, with_arguments, optional, resolved]
    return profiles.MCP_SDK, frameworks.mcp_sdk, tools


def openai_agents() -> Injected:
    agents = judges.module("agents")
    Wrapper = agents.RunContextWrapper
    ToolContext = judges.module("agents.tool_context").ToolContext

    def wrapped(ctx: Wrapper, query: str): ...
    def with_arguments(ctx: Wrapper[dict], query: str, limit: int = 3): ...
    def tool_context(ctx: ToolContext, query: str): ...
    def tool_context_of(ctx: ToolContext[int], query: str): ...

    return (
        values()["OPENAI_AGENTS"],
        frameworks.openai_agents,
        [wrapped, with_arguments, tool_context, tool_context_of],
    )


def pydantic_ai() -> Injected:
    RunContext = judges.module("pydantic_ai").RunContext

    def bare(ctx: RunContext, query: str): ...
    def with_arguments(ctx: RunContext[int], query: str, limit: int = 3): ...

    return values()["PYDANTIC_AI"], frameworks.pydantic_ai, [bare, with_arguments]


def langchain() -> Injected:
    tools = judges.module("langchain_core.tools")
    config = judges.module("langchain_core.runnables").RunnableConfig

    def marked(query: str, user: Annotated[str, tools.InjectedToolArg, milo_schema.Injected]): ...
    def configured(query: str, config: config): ...

    return values()["LANGCHAIN"], frameworks.langchain, [marked, configured]


def autogen() -> Injected:
    Token = judges.module("autogen_core").CancellationToken

    def last(query: str, cancellation_token: Token): ...
    def first(cancellation_token: Token, query: str, limit: int = 3): ...

    profile = frameworks.OPEN.replace(injected_classes={"CancellationToken"})
    return profile, frameworks.autogen, [last, first]


INJECTED = {
    each.__name__: each
    for each in (fastmcp, mcp_sdk, openai_agents, pydantic_ai, langchain, autogen)
}
