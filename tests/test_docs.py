"""What the documentation shows is true: its Python blocks run, one namespace for each page."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[tuple[int, str]]:
    """The Python blocks of a page, each with the number of its first line."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, match.start(1)), match[1]) for match in PYTHON.finditer(text)]


def test_the_documentation_has_python_to_run():
    assert sum(len(blocks(page)) for page in PAGES) >= 3


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_the_python_of_a_page_runs(page: Path):
    namespace = {"__name__": f"docs.{page.stem}"}
    module = type(sys)(namespace["__name__"])
    sys.modules[module.__name__] = module
    try:
        for line, source in blocks(page):
            code = compile("\n" * line + source, str(page), "exec", dont_inherit=True)
            exec(code, vars(module))
    finally:
        del sys.modules[module.__name__]


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_the_links_of_a_page_lead_somewhere(page: Path):
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_example_of_the_readme_is_the_one_that_its_command_runs():
    from milo_schema import function_to_schema

    (_, source), *_ = blocks(ROOT / "README.md")
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    printed = subprocess.run(
        [sys.executable, "-m", "milo_schema", "docs/examples/deploy.py:deploy"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    assert ast.literal_eval(printed.stdout) == function_to_schema(namespace["deploy"])


TYPES = ROOT / "docs/types.md"
ROW = re.compile(r"^\| `(.+?)` \| `(\{.*\})` \|$", re.MULTILINE)
ROWS = [
    (annotation.replace(r"\|", "|"), schema.replace(r"\|", "|"))
    for annotation, schema in ROW.findall(TYPES.read_text(encoding="utf-8"))
]


def test_every_row_of_the_tables_of_types_is_checked():
    lines = TYPES.read_text(encoding="utf-8").splitlines()
    headings = sum(line.startswith("| Annotation ") for line in lines)
    assert len(ROWS) == sum(line.startswith("| ") for line in lines) - 2 * headings > 40


@pytest.mark.parametrize(("annotation", "schema"), ROWS, ids=[row[0] for row in ROWS])
def test_a_row_of_the_tables_of_types_is_true(annotation, schema):
    from milo_schema import profiles, type_to_schema

    module = type(sys)("docs.types")
    sys.modules[module.__name__] = module
    try:
        ((_, source),) = blocks(TYPES)
        exec(source, vars(module))
        tp = eval(annotation, vars(module))
        assert type_to_schema(tp, strict=True, profile=profiles.MCP) == json.loads(schema)
    finally:
        del sys.modules[module.__name__]
