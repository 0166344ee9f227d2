"""Pictures of ``milo-schema check`` and ``diff`` in a terminal, made from their real output.

``python -m tests.tools.terminal_picture`` writes docs/check.svg and docs/diff.svg anew. The file
that is checked, and the one that it becomes, are those that docs/command-line.md shows.
"""

import html
import os
import pty
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/command-line.md"
SNAPSHOT = "milo-schema snapshot shipping.json shipping.py:ship"
PICTURES = {
    "docs/check.svg": "milo-schema check shipping.py",
    "docs/diff.svg": "milo-schema diff shipping.json shipping.py:ship",
}
"""The command of each picture."""
COLUMNS = 84

SIZE, LINE, MARGIN = 14, 21, 18  # pixels: of a letter, from line to line, around the text
STYLES = {"0": "", "1": "bold", "2": "faint", "31": "red", "32": "green", "33": "yellow"}
CSS = """\
rect { fill: #16181d; }
text { fill: #e4e7eb; font: 14px ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre; }
.bold { font-weight: bold; }
.faint { fill: #9aa3ae; }
.red { fill: #ff8f8f; }
.green { fill: #8fd694; }
.yellow { fill: #f0b95a; }
"""


def examples() -> list[str]:
    """The file that the page shows, and what it becomes."""
    return re.findall(
        r"^```python\n(# shipping\.py\n.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )


def printed(command: str) -> str:
    """The output of a command in a terminal, with its escape sequences."""
    first, second = examples()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "shipping.py").write_text(first, encoding="utf-8")
        if "diff" in command:
            in_terminal(SNAPSHOT, folder)
            (Path(folder) / "shipping.py").write_text(second, encoding="utf-8")
        return in_terminal(command, folder)


def in_terminal(command: str, folder: str) -> str:
    """The output of a command that runs in a folder."""
    ours, theirs = pty.openpty()
    environment = {"COLUMNS": str(COLUMNS), "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "-m", "milo_schema", *command.split()[1:]],
        cwd=folder,
        env=environment | {"PATH": os.environ["PATH"], "TERM": "xterm"},
        check=False,
        stdout=theirs,
    )
    os.close(theirs)
    return b"".join(chunks(ours)).decode().replace("\r\n", "\n")


def chunks(terminal: int) -> Iterator[bytes]:
    """Everything that was written to a terminal after its other end is closed."""
    with os.fdopen(terminal, "rb", buffering=0) as file:
        try:
            while chunk := file.read(4096):
                yield chunk
        except OSError:  # Linux reports the end in this way
            return


def picture(command: str) -> str:
    """The picture of a command and its output."""
    text, lines = printed(command), [f"\x1b[2m$\x1b[0m \x1b[1m{command}\x1b[0m"]
    lines += [part for line in text.rstrip("\n").split("\n") for part in folded(line)]
    width = round(COLUMNS * SIZE * 0.602) + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN
    rows = [
        f'<text x="{MARGIN}" y="{MARGIN + SIZE + at * LINE}">{styled(line)}</text>'
        for at, line in enumerate(lines)
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    title = f"<title>What {command} prints</title>"
    ground = f'<rect width="{width}" height="{height}" rx="8"/>'
    return "\n".join([head, title, f"<style>\n{CSS}</style>", ground, *rows, "</svg>\n"])


def folded(line: str) -> list[str]:
    """A line as a terminal shows it that is too narrow for it; one with styles fits."""
    if "\x1b" in line or not line:
        return [line]
    return [line[start : start + COLUMNS] for start in range(0, len(line), COLUMNS)]


def styled(line: str) -> str:
    """A line with its escape sequences as elements."""
    parts = re.split(r"\x1b\[(\d+)m", line)
    found = [html.escape(parts[0], quote=False)]
    for code, text in zip(parts[1::2], parts[2::2], strict=True):
        escaped = html.escape(text, quote=False)
        style = STYLES[code]
        found.append(f'<tspan class="{style}">{escaped}</tspan>' if style and text else escaped)
    return "".join(found)


if __name__ == "__main__":
    for name, command in PICTURES.items():
        (ROOT / name).write_text(picture(command), encoding="utf-8")
