"""The tables of docs/types.md, and docs/emitted.md: the schema of each row under every profile.

``python -m tests.tools.type_tables`` writes that page anew.
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
from milo_schema.transforms import Titles

DOCS = Path(__file__).parents[2] / "docs"
TYPES = DOCS / "types.md"
EMITTED = DOCS / "emitted.md"

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

INTRODUCTION = """\
# What each profile emits

This page shows each type of [the tables](types.md) as the annotation of a required parameter, \
in strict mode.
If a profile does not support a type, the row has the error message.
`OPENMCP` also describes each parameter that has no description as `Parameter x`, \
and `MCP_SDK` also writes titles; only the complete schemas below show these.

:::{container} profiles

"""
BAR = r"\|"
HEAD = "| Annotation | Profiles | Schema |\n| --- | --- | --- |\n"
END = """
`python -m tests.tools.type_tables` writes this page, and a test checks it.
"""
OF_PARAMETERS = """\
These are complete schemas of a function's parameters. They are made outside of strict mode, \
because strict mode rejects a missing annotation.
`Context` is any class with that name.
"""
OF_OUTPUTS = """\
These are the schemas that `return_to_schema()` returns; `None` means no output schema.
"""


WHOLE: list[tuple[str, str, Callable[..., Any], list[str]]] = [
    ("Parameters", OF_PARAMETERS, function_to_schema, PARAMETERS),
    ("Outputs", OF_OUTPUTS, return_to_schema, OUTPUTS),
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


def emitted() -> str:
    """The page docs/emitted.md."""
    parts, last = [INTRODUCTION, ", ".join(f"`{name}`" for name in PROFILES), "\n\n:::\n"], ""
    with names() as namespace:
        for heading, annotation, _ in rows():
            if heading != last:
                parts.append(f"\n## {heading}\n\n{HEAD}")
            last = heading
            func = _function(f"def f(x: {annotation}): ...", namespace)
            parts += _entry(annotation, _of_parameter(func))
        namespace["Context"] = type("Context", (), {"__module__": "docs.types"})
        for heading, about, derive, sources in WHOLE:
            parts.append(f"\n## {heading}\n\n{about}\n{HEAD}")
            parts += [row for each in sources for row in _whole(derive, each, namespace)]
    return "".join([*parts, END])


def _function(source: str, namespace: dict[str, Any]) -> Callable[..., Any]:
    exec(source, namespace)
    func: Callable[..., Any] = namespace.pop("f")
    return func


def _of_parameter(func: Callable[..., Any]) -> Callable[[Profile], str]:
    """The schema of the parameter ``x`` under a profile, with the definitions that it refers to."""

    def say(profile: Profile) -> str:
        bare = [each for each in profile.transforms if not isinstance(each, Titles)]
        plain = profile.replace(undescribed="", transforms=bare)
        schema = function_to_schema(func, profile=plain, strict=True)
        definitions = {"$defs": schema["$defs"]} if "$defs" in schema else {}
        return _code(schema["properties"]["x"] | definitions)

    return say


def _whole(derive: Callable[..., Any], source: str, namespace: dict[str, Any]) -> Iterator[str]:
    """The rows of a function, with its schemas outside of strict mode."""
    func = _function(source, namespace)

    def say(profile: Profile) -> str:
        with warnings.catch_warnings(action="ignore", category=SchemaWarning):
            return _code(derive(func, profile=profile))

    return _entry(source.removesuffix(": ..."), say)


def _code(schema: Any) -> str:
    text = "None" if schema is None else json.dumps(schema, ensure_ascii=False)
    return f"`{text}`"


def _entry(title: str, say: Callable[[Profile], str]) -> Iterator[str]:
    """The rows of a type or function; profiles with the same schema share one."""
    said: dict[str, list[str]] = {}
    for name, profile in PROFILES.items():
        try:
            text = say(profile)
        except SchemaError as problem:
            text = f"*error:* {problem.reason}"
        said.setdefault(text, []).append(f"`{name}`")
    most = max(said.values(), key=len)
    first = f"`{title}`"
    for text, of in sorted(said.items(), key=lambda each: each[1] is not most):
        every = "every profile" if len(said) == 1 else "all others"
        cells = first, every if of is most else ", ".join(of), text
        yield f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |\n"
        first = ""


if __name__ == "__main__":
    EMITTED.write_text(emitted(), encoding="utf-8")
