"""A picture of how GitHub shows the annotations of ``milo-schema check`` in a pull request.

``python -m tests.tools.annotation_picture`` writes docs/annotations.svg anew. The annotations are
those that the command prints for the file that docs/command-line.md shows.
"""

import html
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import NamedTuple

from tests.tools.terminal_picture import ROOT, examples

PICTURE = ROOT / "docs/annotations.svg"
COMMAND = "check shipping.py --select default-misfit,unknown-parameter --format github"
AROUND = 1  # lines of the file around those with annotations

WIDTH, LINE, MARGIN, EDGE, TEXT = 744, 22, 18, 62, 88  # pixels; where the code and the text begin
COLUMNS = 88  # of a message
CSS = """\
svg { color-scheme: light dark; font: 14px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
.page, .box { fill: #ffffff; stroke: #d1d9e0; }
.head { fill: #f6f8fa; stroke: #d1d9e0; }
.added { fill: #dafbe1; }
.edge { fill: #aceebb; }
.sign { fill: #d1242f; }
.cross { stroke: #ffffff; stroke-width: 2; }
text { fill: #1f2328; }
.faint { fill: #59636e; }
.bold { font-weight: 600; }
.code { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre; }
@media (prefers-color-scheme: dark) {
  .page, .box { fill: #0d1117; stroke: #3d444d; }
  .head { fill: #151b23; stroke: #3d444d; }
  .added { fill: #12261e; }
  .edge { fill: #1c4328; }
  .sign { fill: #f85149; }
  .cross { stroke: #0d1117; }
  text { fill: #f0f6fc; }
  .faint { fill: #9198a1; }
}
"""


class Annotation(NamedTuple):
    """One line that the command prints."""

    title: str
    file: str
    line: int
    message: str


def annotations() -> list[Annotation]:
    """The output of the command, in the form for GitHub."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "shipping.py").write_text(examples()[0], encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "milo_schema", *COMMAND.split()],
            cwd=folder,
            env={"PYTHONPATH": str(ROOT)},
            check=False,
            capture_output=True,
            text=True,
        )
    pattern = r"^::error title=(.*),file=(.*),line=(\d+)::(.*)$"
    found = re.findall(pattern, done.stdout, re.MULTILINE)
    assert len(found) == len(done.stdout.splitlines())
    return [Annotation(title, file, int(line), text) for title, file, line, text in found]


def picture(shown: list[Annotation]) -> str:
    """The picture of a file in a pull request, with annotations below some of its lines."""
    rows = [text(MARGIN, 31, shown[0].file, "code bold")]
    first, last = min(each.line for each in shown), max(each.line for each in shown)
    y = 46
    for number, line in enumerate(examples()[0].splitlines(), 1):
        if not first - AROUND <= number <= last + AROUND:
            continue
        rows += code(y, number, line)
        y += LINE
        boxes = [each for each in shown if each.line == number]
        for each in boxes:
            drawn, height = box(y + 10, each)
            rows += drawn
            y += height + 10
        y += 10 if boxes else 0
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 1}" role="img">'
    title = "<title>GitHub shows each finding below the first line of its function</title>"
    page = f'<rect class="page" x="0.5" y="0.5" width="{WIDTH - 1}" height="{y}" rx="6"/>'
    top = f'<rect class="head" x="0.5" y="0.5" width="{WIDTH - 1}" height="45" rx="6"/>'
    return "\n".join([head, title, f"<style>\n{CSS}</style>", page, top, *rows, "</svg>\n"])


def code(y: int, number: int, line: str) -> list[str]:
    """A line that the pull request adds."""
    return [
        f'<rect class="added" x="1" y="{y}" width="{WIDTH - 2}" height="{LINE}"/>',
        f'<rect class="edge" x="1" y="{y}" width="{EDGE - 14}" height="{LINE}"/>',
        text(MARGIN, y + 16, str(number), "code faint"),
        text(EDGE, y + 16, f"+ {line}", "code"),
    ]


def box(y: int, annotation: Annotation) -> tuple[list[str], int]:
    """The box of an annotation, and its height."""
    lines = textwrap.wrap(annotation.message, COLUMNS)
    height = 66 + LINE * len(lines)
    where = f"Check failure on line {annotation.line} in {annotation.file}"
    x, width = EDGE + 12, WIDTH - EDGE - 8
    return [
        f'<rect class="box" x="{EDGE - 8}" y="{y}" width="{width}" height="{height}" rx="6"/>',
        f'<circle class="sign" cx="{x}" cy="{y + 21}" r="8"/>',
        f'<path class="cross" d="M{x - 3} {y + 18}l6 6m0 -6l-6 6"/>',
        text(TEXT, y + 26, where, "bold"),
        text(TEXT, y + 50, annotation.title, "bold"),
        *[text(TEXT, y + 72 + LINE * at, line, "code") for at, line in enumerate(lines)],
    ], height


def text(x: int, y: int, content: str, style: str) -> str:
    """Some text in one line."""
    return f'<text class="{style}" x="{x}" y="{y}">{html.escape(content, quote=False)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(picture(annotations()), encoding="utf-8")
