"""Several tools as one request: which of them can be in a provider's strict mode together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from milo_schema.annotations import Json
from milo_schema.dialects.consumers import DIALECTS, Limit, over_limits, sizes_in_request
from milo_schema.profile import Profile
from milo_schema.tools.definition import ToolSchema
from milo_schema.tools.origin import dialect_of, in_dialect


class Fit(NamedTuple):
    """The tools of a request, divided by ``Toolbox.fit()``; each part keeps their order.

    Attributes:
        strict: The tools that can be strict together, in the dialect of the profile.
        others: The other tools, unchanged; send them without strict mode.
        reasons: Why each of the others is left out, by its name.

    Example:
        >>> from milo_schema import Toolbox, profiles
        >>> def ping(host: str): ...
        >>> tools = Toolbox([ping])
        >>> tools.fit(profiles.OPENAI_STRICT).strict[0].to_openai()["function"]["strict"]
        True
    """

    strict: tuple[ToolSchema, ...]
    others: tuple[ToolSchema, ...]
    reasons: Mapping[str, str]


def fit(tools: Sequence[ToolSchema], profile: Profile) -> Fit:
    """Find the tools that can be strict together; see ``Toolbox.fit()``."""
    dialect = DIALECTS[dialect_of(profile)]
    reasons: dict[str, str] = {}
    spelled: dict[str, ToolSchema] = {}
    for tool in tools:
        found, problems = in_dialect(tool, profile)
        if problems:
            reasons[tool.name] = ": ".join(problems[0])
        else:
            spelled[tool.name] = found
    schemas = {name: tool.input_schema for name, tool in spelled.items()}
    reasons |= _sacrifices(schemas, dialect.request_limits)
    return Fit(
        tuple(spelled[name] for name in spelled if name not in reasons),
        tuple(tool for tool in tools if tool.name in reasons),
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
