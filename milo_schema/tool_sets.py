"""Several tools as one request: which of them can be in a provider's strict mode together.

Providers limit the total size of the tools in strict mode in one request, and one tool too many
makes the whole request fail. So some of the tools have to be sent without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from milo_schema.annotations import Json
from milo_schema.dialects.consumers import DIALECTS, Limit, over_limits, sizes_in_request
from milo_schema.errors import SchemaError
from milo_schema.profile import Profile
from milo_schema.tools.definition import ToolSchema, dialect_of, in_dialect

__all__ = ["Fit", "fit"]


class Fit(NamedTuple):
    """The tools of a request, divided by ``fit()``.

    Attributes:
        strict: The tools that can be strict together, in the dialect of the profile.
        others: The other tools, unchanged; send them without strict mode.
        reasons: Why each of the others is left out, by its name.
    """

    strict: tuple[ToolSchema, ...]
    others: tuple[ToolSchema, ...]
    reasons: Mapping[str, str]


def fit(tools: Iterable[ToolSchema] | Mapping[str, ToolSchema], profile: Profile) -> Fit:
    """Find the tools that a provider's strict mode accepts in one request.

    A tool that the dialect cannot express is left out. The others are added one by one, those that
    use the smallest share of a request's limits first, whatever the order of *tools*; one that
    exceeds a limit is left out.

    Args:
        tools: The definitions, in any order; also a ``Toolbox``.
        profile: The profile of a strict mode, such as ``profiles.ANTHROPIC_STRICT``.

    Returns:
        The tools that fit, the others, and the reasons. Both keep the order of *tools*.

    Raises:
        SchemaError: The profile has no dialect, two tools have the same name, or an input schema is
            not valid.

    Example:
        >>> from typing import Any
        >>> from milo_schema import profiles, tool_schema
        >>> from milo_schema.tool_sets import fit
        >>> def ping(host: str): ...
        >>> def store(value: dict[str, Any]): ...
        >>> found = fit([tool_schema(ping), tool_schema(store)], profiles.ANTHROPIC_STRICT)
        >>> [tool.name for tool in found.strict]
        ['ping']
        >>> found.reasons["store"].partition(";")[0]
        "(value): Anthropic's strict mode does not support arbitrary properties"
    """
    dialect = DIALECTS[dialect_of(profile)]
    every = list(tools.values() if isinstance(tools, Mapping) else tools)
    names = [tool.name for tool in every]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise SchemaError("two tools have this name", repeated)
    reasons: dict[str, str] = {}
    spelled: dict[str, ToolSchema] = {}
    for tool in every:
        found, problems = in_dialect(tool, profile)
        if problems:
            reasons[tool.name] = ": ".join(problems[0])
        else:
            spelled[tool.name] = found
    limits = [each for each in dialect.limits if each.scope == "request"]
    reasons |= _sacrifices({name: tool.input_schema for name, tool in spelled.items()}, limits)
    return Fit(
        tuple(spelled[name] for name in names if name not in reasons),
        tuple(tool for tool in every if tool.name in reasons),
        reasons,
    )


def _sacrifices(schemas: dict[str, Json], limits: list[Limit]) -> dict[str, str]:
    """The tools to leave out so that the others are within the limits, each with the reason."""

    def share(name: str) -> tuple[float, str]:
        sizes = sizes_in_request(schemas[name], limits)
        return sum(size / each.most for size, each in zip(sizes, limits, strict=True)), name

    order = sorted(schemas, key=share)
    return {
        order[at]: f"at most {limit.most} {limit.what} are allowed in one request"
        for at, limit in over_limits([schemas[name] for name in order], limits)
    }
