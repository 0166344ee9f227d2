"""Time the docstring parser: per docstring beside two others, and as its input grows.

Run as `python -m tests.tools.benchmarks.bench_docstrings`. The parsers take turns on each
docstring, so that a busy machine slows them alike. Prints two tables and asserts nothing.
"""

from __future__ import annotations

import argparse
import ast
import logging
import statistics
import sysconfig
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from milo_schema.docstrings import parse_docstring

SIZES = (250_000, 500_000, 1_000_000)


def repeated(unit: str, size: int, *, before: str = "", after: str = "") -> str:
    return before + unit * (max(size - len(before) - len(after), 0) // len(unit)) + after


def staircase(line: str, size: int, before: str = "") -> str:
    """Return lines each one blank deeper than the last."""
    steps = int((2 * size) ** 0.5)
    return before + "\n".join(" " * step + line for step in range(steps))


G = "S.\n\nArgs:\n    "
N = "S.\n\nParameters\n----------\n"

# The text to repeat, and the text before and after it.
SHAPES: dict[str, tuple[str, str, str]] = {
    "nothing but spaces": (" ", "", ""),
    "nothing but tabs": ("\t", "", ""),
    "nothing but newlines": ("\n", "", ""),
    "blank lines of spaces": ("    \n", "", ""),
    "carriage returns": ("\r", "", ""),
    "CRLF": ("\r\n", "", ""),
    "form feeds": ("\f", "", ""),
    "line separators": ("\u2028", "", ""),
    "one long word": ("x", "", ""),
    "one long line": ("word ", "", ""),
    "one-letter lines": ("x\n", "", ""),
    "one-letter paragraphs": ("x\n\n", "", ""),
    "deep lines": (" " * 200 + "x\n", "S.\n", ""),
    "sentences": ("Some prose with Args: in it.\n", "", ""),
    "colons": (":", "", ""),
    "colon lines": (":\n", "", ""),
    "colons and blanks": (": ", "", ""),
    "at signs": ("@", "", ""),
    "at lines": ("@\n", "", ""),
    "hashes": ("#", "", ""),
    "hash lines": ("#\n", "", ""),
    "stars": ("*", "", ""),
    "star lines": ("*\n", "", ""),
    "underscores": ("_", "", ""),
    "backticks": ("`", "", ""),
    "backtick lines": ("`\n", "", ""),
    "quotes": ('"', "", ""),
    "backslashes": ("\\", "", ""),
    "dashes": ("-", "", ""),
    "dash lines": ("--\n", "", ""),
    "equal lines": ("==\n", "", ""),
    "titles": ("Parameters\n----------\n", "", ""),
    "unknown titles": ("Something\n---------\n", "", ""),
    "a long underline": ("-", "Parameters\n", ""),
    "fences": ("```\n", "", ""),
    "fences of two kinds": ("```\n~~~\n", "", ""),
    "fences with text": ("```\nx: y\n", "", ""),
    "doctests": (">>> f(x)\n", "", ""),
    "doctests apart": (">>> f(x)\n\n", "", ""),
    "Args headings": ("Args:\n", "", ""),
    "Args headings apart": ("Args:\n\n", "", ""),
    "lower-case headings": ("args:\n", "", ""),
    "headings with prose": ("Args:\n    prose\n", "", ""),
    "headings with items": ("Args:\n    x: y\n", "", ""),
    "flat headings": ("Args:\nx: y\n", "", ""),
    "Returns with text": ("Returns: x\n", "", ""),
    "Markdown headings": ("# Args\n", "", ""),
    "strong headings": ("**Args**\n", "", ""),
    ":param": (":param ", "", ""),
    ":param lines": (":param\n", "", ""),
    ":param x: lines": (":param x: y\n", "", ""),
    ":param without end": (":param x\n", "", ""),
    "@param": ("@param ", "", ""),
    "@param lines": ("@param\n", "", ""),
    "@param x: lines": ("@param x: y\n", "", ""),
    "@return without colon": ("@return x\n", "", ""),
    "field with long type": ("a ", ":param ", " x: y"),
    "field with long text": ("    text\n", ":param x: y\n", ""),
    "field with blank lines": ("\n\n    text", "@param x: y\n", ""),
    "Google items": ("x: y\n    ", G, ""),
    "Google items without colon": ("x\n    ", G, ""),
    "Google open brackets": ("(", G + "x ", ""),
    "Google open brackets by line": ("x (\n    ", G, ""),
    "Google closed brackets": ("()", G + "x ", ": y"),
    "Google nested brackets": ("[", G + "x (", "): y"),
    "Google many names": ("x, ", G, "y: z"),
    "Google long type": ("a, ", G + "x (", "): y"),
    "Google deep text": ("        y\n", G + "x:\n", ""),
    "Google bullets": ("- x\n    ", G, ""),
    "Google bullet items": ("- x: y\n    ", G, ""),
    "Google Raises": ("ValueError: y\n    ", "Raises:\n    ", ""),
    "NumPy items": ("x : y\n    z\n", N, ""),
    "NumPy names": ("x\n", N, ""),
    "NumPy many names": ("x, ", N, "y : z\n    text"),
    "NumPy braces": ("{", N, "\n    text"),
    "NumPy brace names": ("a, ", N + "{", "b}_x\n    text"),
    "NumPy text": ("    z\n", N + "x : y\n", ""),
    "NumPy Examples": ("Returns:\n    x\n", "Examples\n--------\n", ""),
}
STAIRCASES = {
    "stairs": "x",
    "stairs of bullets": "- x",
    "stairs of items": "x: y",
    "stairs of fences": "```",
    "stairs of headings": "Args:",
    "stairs of doctests": ">>> x",
}


def shapes(size: int) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every shape."""
    for name, (unit, before, after) in SHAPES.items():
        yield name, repeated(unit, size, before=before, after=after)
    for name, line in STAIRCASES.items():
        yield name, staircase(line, size)
        yield f"Google {name}", staircase(line, size, G)
        yield f"{name}, then blank lines", staircase(line, size // 2) + " \n" * (size // 4)


def best(function: Callable[[str], object], text: str, times: int = 3) -> float:
    """Return the shortest of a few runs, in seconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        function(text)
        taken.append(time.perf_counter() - start)
    return min(taken)


def growth(only: str) -> None:
    print(f"\n{'shape':38}" + "".join(f"{size // 1000:>8} kB" for size in SIZES) + "   growth")
    worst = 0.0
    columns = [dict(shapes(size)) for size in SIZES]
    for name in columns[0]:
        if only in name:
            times = together([column[name] for column in columns])
            factor = max(after / before for before, after in pairwise(times))
            worst = max(worst, factor)
            shown = "".join(f"{each * 1e3:8.1f} ms" for each in times)
            print(f"{name:38}{shown}{factor:9.2f}", flush=True)
    print(f"{len(columns[0])} shapes; worst growth for twice the input: {worst:.2f}")


def together(texts: list[str]) -> list[float]:
    """Return the shortest times of some texts that take turns, the quick ones more often."""
    times = [best(parse_docstring, text, 1) for text in texts]
    for _ in range(max(4, min(40, int(0.2 / sum(times))))):
        times = [
            min(time, best(parse_docstring, text, 1))
            for time, text in zip(times, texts, strict=True)
        ]
    return times


# Speed per docstring


def docstrings(folder: Path, most: int) -> list[str]:
    """Return docstrings from the sources below a folder, evenly chosen."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        try:
            tree = ast.parse(path.read_bytes())
        except (OSError, SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                text = ast.get_docstring(node, clean=False)
                if text:
                    found.append(text)
    return found[:: max(len(found) // most, 1)]


def rivals() -> dict[str, Callable[[str], object]]:
    """Return the other parsers that are installed."""
    found: dict[str, Callable[[str], object]] = {}
    try:
        import docstring_parser

        found["docstring_parser"] = attempt(docstring_parser.parse)
    except ImportError:
        print("docstring_parser is not installed")
    try:
        import griffe

        logging.getLogger("griffe").setLevel(logging.CRITICAL)

        found["griffe (auto)"] = attempt(lambda text: griffe.Docstring(text).parse("auto"))
    except ImportError:
        print("griffe is not installed")
    return found


def attempt(function: Callable[[str], object]) -> Callable[[str], object]:
    """Return a function that does not raise: the time of a failure counts, too."""

    def attempted(text: str) -> object:
        try:
            return function(text)
        except Exception as error:
            return error

    return attempted


def speed(folder: Path, most: int) -> None:
    texts = docstrings(folder, most)
    parsers = {"milo_schema": parse_docstring, **rivals()}
    times: dict[str, list[float]] = {name: [] for name in parsers}
    for text in texts:
        for name, parse in parsers.items():
            times[name].append(best(parse, text) * 1e6)
    length = statistics.median(map(len, texts))
    print(f"\n{len(texts)} docstrings of {folder.name}, {length:.0f} characters (median)")
    print(f"{'parser':20} {'median us':>10} {'mean us':>10} {'relative':>10} {'per docstring':>14}")
    base = times.get("docstring_parser", times["milo_schema"])
    for name, each in times.items():
        ratio = statistics.median(each) / statistics.median(base)
        paired = statistics.median(a / b for a, b in zip(each, base, strict=True))
        mean = statistics.mean(each)
        print(
            f"{name:20} {statistics.median(each):10.1f} {mean:10.1f} {ratio:10.3f} {paired:14.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    library = Path(sysconfig.get_path("stdlib"))
    parser.add_argument(
        "--sources", type=Path, default=library, nargs="+", help="where docstrings come from"
    )
    parser.add_argument("--most", type=int, default=2000, help="docstrings to time")
    parser.add_argument("--shape", default="", help="time only the shapes with this in their name")
    options = parser.parse_args()
    sources = options.sources if isinstance(options.sources, list) else [options.sources]
    for folder in sources:
        speed(folder, options.most)
    growth(options.shape)


if __name__ == "__main__":
    main()
