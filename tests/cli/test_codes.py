"""Each code of `check` has an example with it, an example without it, and a place in the docs.

`python -m tests.cli.test_codes` writes `docs/codes.md`.
"""

import json
import re
import sys
from pathlib import Path

import pytest

from milo_schema.errors import CODES, FINDING_CODES
from tests.inside import EXAMPLES, explanation_of

pytestmark = pytest.mark.core

PAGE = Path(__file__).parents[2] / "docs/codes.md"
HEAD = """\
# Codes of check

Each finding of `milo-schema check` has a code.
`milo-schema explain CODE` prints the section of this page about a code.
Ignore a code with `--ignore CODE`, or in one function with the comment `# milo-schema: ignore[CODE]` on the line of its `def`.

The examples use these imports:

```python
from typing import Annotated, Literal, TypedDict

from milo_schema import Description, Examples, Format, Ge, Le, Pattern, Schema
```
"""  # noqa: E501 - a line of the page
IGNORE = "\nIgnore it with "
IMPORTS = re.compile(
    r"(?<=^```python\n)(?:from (?:typing|milo_schema) import .*\n|\n)+", re.MULTILINE
)


def page():
    """What `explain` prints about each code, without what the head has once."""
    texts = [f"#{explanation_of(code).partition(IGNORE)[0]}" for code in EXAMPLES]
    return "\n".join([HEAD, *(IMPORTS.sub("", each) for each in texts)])


@pytest.mark.parametrize("code", FINDING_CODES)
def test_a_code_is_found_in_its_bad_example_and_not_in_the_good_one(run, write, code):
    found = []
    example = EXAMPLES[code]
    for number, source in enumerate((example.bad, example.good)):
        file = f"tools_{number}.{'json' if source.startswith('{') else 'py'}"
        write(file, source)
        options = ["--together", "--format", "json", "--profile", example.profile]
        _, out, _ = run("check", file, *options)
        found.append(code in {row["code"] for row in json.loads(out)})

    assert found == [True, False]


def test_every_code_is_explained_in_order():
    assert tuple(EXAMPLES) == FINDING_CODES


def test_the_page_of_the_codes_has_what_explain_prints():
    assert PAGE.read_text(encoding="utf-8") == page()


def test_a_code_is_explanation_of(run):
    assert run("explain", "fallback", "no-schema") == (
        0,
        f"""\
# fallback

{CODES["fallback"]}
{EXAMPLES["fallback"].why}

Bad:

```python
def turn(by: complex): ...
```

Good:

```python
def turn(real: float, imaginary: float): ...
```

Ignore it with `--ignore fallback`, or in one function with the comment
`# milo-schema: ignore[fallback]` on the line of its `def`.

{explanation_of("no-schema")}""",
        "",
    )


if __name__ == "__main__":
    sys.exit(PAGE.write_text(page(), encoding="utf-8") == 0)
