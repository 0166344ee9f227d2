"""The tables of docs/types.md, and docs/_static/emitted.json: each row under every profile.

``python -m tests.tools.type_tables`` writes that file anew; docs/emitted.md shows it.
"""

import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from milo_schema import (
    Profile,
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
)
from milo_schema.transforms import Descriptions, Titles

DOCS = Path(__file__).parents[2] / "docs"
TYPES = DOCS / "types.md"
EMITTED = DOCS / "_static/emitted.json"

PROFILES: dict[str, Profile] = {
    name: value for name, value in vars(profiles).items() if isinstance(value, Profile)
}
NAMES = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING_OR_ROW = re.compile(r"^## (.+)$|^\| `(.+?)` \| `(\{.*\})` \|$", re.MULTILINE)

PARAMETERS = [
    "def f(x): ...",
    "def f(x: int): ...",
    "def f(x: int = 3): ...",
    "def f(x: int | None = None): ...",
    "def f(x: Item): ...",
    "def f(x: int, *args: int): ...",
    "def f(x: int, **kwargs: int): ...",
    "def f(x: int, ctx: Context): ...",
]
OUTPUTS = [
    "def f(): ...",
    "def f() -> None: ...",
    "def f() -> int: ...",
    "def f() -> int | None: ...",
    "def f() -> list[str]: ...",
    "def f() -> dict[str, int]: ...",
    "def f() -> Item: ...",
    "async def f() -> int: ...",
    "def f() -> Iterable[int]: ...",
]

WHOLE: list[tuple[str, Callable[..., Any], list[str]]] = [
    ("Parameters", function_to_schema, PARAMETERS),
    ("Outputs", return_to_schema, OUTPUTS),
]


def rows() -> Iterator[tuple[str, str, str]]:
    """The rows of docs/types.md: the heading above, the annotation, its schema under MCP."""
    heading = ""
    for title, *cells in HEADING_OR_ROW.findall(TYPES.read_text(encoding="utf-8")):
        if title:
            heading = title
        else:
            annotation, schema = (cell.replace(r"\|", "|") for cell in cells)
            yield heading, annotation, schema


@contextmanager
def names() -> Iterator[dict[str, Any]]:
    """The names that the tables use, in a separate module."""
    module = type(sys)("docs.types")
    sys.modules[module.__name__] = module
    try:
        (source,) = NAMES.findall(TYPES.read_text(encoding="utf-8"))
        exec(compile(source, str(TYPES), "exec", dont_inherit=True), vars(module))
        yield vars(module)
    finally:
        del sys.modules[module.__name__]


def emitted() -> list[dict[str, Any]]:
    """The rows of docs/_static/emitted.json: profiles with the same schema share one."""
    found: list[dict[str, Any]] = []
    with names() as namespace:
        for heading, annotation, _ in rows():
            func = _function(f"def f(x: {annotation}): ...", namespace)
            found += _entry(heading, annotation, _of_parameter(func))
        namespace["Context"] = type("Context", (), {"__module__": "docs.types"})
        for heading, derive, sources in WHOLE:
            for source in sources:
                derived = _whole(derive, _function(source, namespace))
                found += _entry(heading, source.removesuffix(": ..."), derived)
    return found


def written(found: list[dict[str, Any]]) -> str:
    """The text of docs/_static/emitted.json, with a line for each row."""
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in found)
    return f"[\n{lines}\n]\n"


def _function(source: str, namespace: dict[str, Any]) -> Callable[..., Any]:
    exec(source, namespace)
    func: Callable[..., Any] = namespace.pop("f")
    return func


def _of_parameter(func: Callable[..., Any]) -> Callable[[Profile], Any]:
    """The schema of the parameter ``x`` under a profile, with the definitions that it refers to."""

    def derive(profile: Profile) -> Any:
        added = Titles, Descriptions
        bare = [each for each in profile.transforms if not isinstance(each, added)]
        plain = profile.replace(transforms=bare)
        schema = function_to_schema(func, profile=plain, strict=True)
        definitions = {"$defs": schema["$defs"]} if "$defs" in schema else {}
        return schema["properties"]["x"] | definitions

    return derive


def _whole(derive: Callable[..., Any], func: Callable[..., Any]) -> Callable[[Profile], Any]:
    """The complete schema of a function under a profile, outside of strict mode."""

    def of(profile: Profile) -> Any:
        with warnings.catch_warnings(action="ignore", category=SchemaWarning):
            return derive(func, profile=profile)

    return of


def _entry(section: str, annotation: str, derive: Callable[[Profile], Any]) -> list[dict[str, Any]]:
    """The rows of a type or function, those of the most profiles first."""
    same: dict[str, list[str]] = {}
    for name, profile in PROFILES.items():
        try:
            said = {"schema": derive(profile)}
        except SchemaError as problem:
            said = {"error": problem.message}
        same.setdefault(json.dumps(said), []).append(name)
    return [
        {"section": section, "annotation": annotation, "profiles": of, **json.loads(said)}
        for said, of in sorted(same.items(), key=lambda each: -len(each[1]))
    ]


if __name__ == "__main__":
    EMITTED.write_text(written(emitted()), encoding="utf-8")
