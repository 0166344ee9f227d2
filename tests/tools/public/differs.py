"""The verdicts of several programs about the 53 pairs of schemas of tests/test_verdicts.py.

A change breaks if a value was valid before, and is not any more; of a result, the other way round.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

from milo_schema.compare import compare
from tests.test_verdicts import BREAKING, FINE
from tests.tools.public.cases import Json

Differ = Callable[[Any, Any, bool], bool]
"""Says whether the change from one schema to another breaks; the flag is for those of results."""


def ours(old: Any, new: Any, output: bool) -> bool:
    return any(each.breaks for each in compare(old, new, output=output))


def of_jsonsubschema(old: Any, new: Any, output: bool) -> bool:
    from jsonsubschema import isSubschema

    return not (isSubschema(new, old) if output else isSubschema(old, new))


def of_jsoncompat(old: Any, new: Any, output: bool) -> bool:
    from jsoncompat import check_compat

    return not check_compat(
        json.dumps(old), json.dumps(new), "serializer" if output else "deserializer"
    )


def of_api_schema_diff(old: Any, new: Any, output: bool) -> bool:
    from schema_diff.diff import diff_objects

    return bool(diff_objects(*((new, old) if output else (old, new))).breaking)


def listed(schema: Any, output: bool) -> list[Json]:
    """The tools of a server that has one, with that schema."""
    tool = {"name": "tool", "description": "A tool.", "inputSchema": {"type": "object"}}
    return [tool | {"outputSchema" if output else "inputSchema": schema}]


def of_mcp_compat(old: Any, new: Any, output: bool) -> bool:
    from mcp_compat.compat import compare_schemas

    return bool(compare_schemas(listed(old, output), listed(new, output)).has_breaking())


def of_mcp_diff(old: Any, new: Any, output: bool) -> bool:
    from mcp_diff.diff import classify_changes

    changes = classify_changes(listed(old, output), listed(new, output))
    return any(each.severity == "breaking" for each in changes)


DIFFERS: dict[str, Differ] = {
    "milo-schema": ours,
    "jsoncompat": of_jsoncompat,
    "jsonsubschema": of_jsonsubschema,
    "mcp-diff": of_mcp_diff,
    "mcp-compat": of_mcp_compat,
    "api-schema-diff": of_api_schema_diff,
}


def verdicts(differ: Differ) -> Iterator[tuple[bool, bool | None]]:
    """Whether each pair breaks, and what a program says; ``None`` is an exception."""
    pairs = [(*each[:3], True) for each in BREAKING.values()]
    pairs += [(*each, False) for each in FINE.values()]
    for output, old, new, breaks in pairs:
        try:
            yield breaks, differ(old, new, output)
        except Exception:  # of any kind
            yield breaks, None


def cells(name: str) -> list[str]:
    """The cells of a program: right verdicts, missed breaks, false alarms and exceptions."""
    found = [*verdicts(DIFFERS[name])]
    right = sum(said is breaks for breaks, said in found)
    missed, false = found.count((True, False)), found.count((False, True))
    failed = sum(said is None for _, said in found)
    return [f"{right} of {len(found)}", *map(str, (missed, false, failed))]
