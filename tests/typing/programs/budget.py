"""The tools of a request that can be strict together."""

from typing import Any

from milo_schema import Toolbox, profiles


def ping(host: str) -> None:
    """Answer."""


def store(value: dict[str, Any]) -> None:
    """Store a value."""


fit = Toolbox([ping, store]).fit(profiles.ANTHROPIC_STRICT)
request = Toolbox([*fit.strict, *fit.others]).to_anthropic()

assert [each.get("strict", False) for each in request] == [True, False]
assert [*fit.reasons] == ["store"]
