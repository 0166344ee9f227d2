"""The library beside its peers: one function, and a whole process."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from importlib import metadata
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator

from milo_schema import function_to_schema
from tests.tools.benchmarks.adapters import ADAPTERS, Derive
from tests.tools.benchmarks.processes import DERIVE, Interpreters
from tests.tools.benchmarks.samples import ACCEPTED, REFUSED, SOURCES, new
from tests.tools.benchmarks.turns import Sampler, fresh, in_turns


class Peer(NamedTuple):
    """A peer beside the library; by kind of function, but for its name.

    Attributes:
        name: Its name and version.
        times: Nanoseconds, ours and theirs, in turns.
        lacks: The parts that its schema lacks, or the reason why there is none.
    """

    name: str
    times: dict[str, tuple[list[float], list[float]]]
    lacks: dict[str, str]


FROM_THE_START = "a process with 50 plain"
KINDS = (*SOURCES, FROM_THE_START)


def against(name: str, interpreters: Interpreters, rounds: int, times: int = 20) -> Peer:
    """One peer and the library in turns."""
    distribution, load = ADAPTERS[name]
    try:
        peer = Peer(f"{name} {metadata.version(distribution)}", {}, {})
        derive = load()
    except ImportError:
        return Peer(name, {}, dict.fromkeys(KINDS, "is not installed"))
    for shape, source in SOURCES.items():
        make = partial(new, source)
        try:
            peer.lacks[shape] = lacks(derive(make()), shape)
        except Exception as problem:
            peer.lacks[shape] = f"raises {type(problem).__name__}: {problem}".partition("\n")[0]
            continue
        ours, theirs = fresh(function_to_schema, make, times), fresh(derive, make, times)
        peer.times[shape] = pairs(ours, theirs, rounds)
    if "plain" in peer.times:
        peer.times[FROM_THE_START] = pairs(*from_the_start(interpreters, load), max(2, rounds // 2))
    return peer


def pairs(ours: Sampler, theirs: Sampler, rounds: int) -> tuple[list[float], list[float]]:
    found = in_turns({"ours": ours, "theirs": theirs}, rounds)
    return found["ours"], found["theirs"]


def from_the_start(
    interpreters: Interpreters, load: Callable[[], Derive]
) -> tuple[Sampler, Sampler]:
    """Samplers of whole processes that end with fifty schemas: ours, and those of a peer."""
    tools = interpreters.write_tools("plain", 50)
    adapter = f"from {load.__module__} import {load.__name__} as load"
    return (
        interpreters.processor_time(f"{tools}\n{DERIVE}"),
        interpreters.processor_time(f"{tools}\n{adapter};schemas = list(map(load(), tools))"),
    )


def lacks(schema: Any, shape: str) -> str:
    """The parts that a schema of a kind of function lacks; empty if it is complete."""
    kind = shape.partition(",")[0]
    valid = Draft202012Validator(schema).is_valid
    if not all(map(valid, ACCEPTED[kind])):
        return "refuses good arguments"
    if any(map(valid, REFUSED[kind])):
        return "accepts wrong arguments"
    if kind == shape:
        return ""
    expected = function_to_schema(new(SOURCES[shape]))
    said = " ".join(json.dumps(schema).replace("\\n", " ").split())
    texts = {name: each["description"] for name, each in expected["properties"].items()}
    unsaid = [name for name, text in texts.items() if " ".join(text.split()) not in said]
    if len(unsaid) == len(texts):
        return "takes no descriptions from the docstring"
    return f"does not describe {', '.join(unsaid)} in full" if unsaid else ""
