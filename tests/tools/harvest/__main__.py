"""Harvest the docstrings of real packages, and judge the parser by what other parsers agree on.

Run as `python -m tests.tools.harvest`: installs the packages pinned in packages.txt where nothing
can import them, reads their sources with `ast`, and prints F1 per package and style, for the parser
and for every witness, and how many docstrings say something else when they are written another way.

What is counted are pairs of a function and a parameter of its signature. A pair's truth is the text
(white space collapsed) that most witnesses, and two at least, agree on; a pair without is left out.

By the letter, that is all. But two may agree and be wrong, in two ways that the style guides decide
and that can be seen in the docstring itself, without asking what the words mean:

- A line at the indentation of its item, but not an item, right below the item's text. All witnesses
  stop in the middle of the sentence; it goes on.
- A paragraph or a directive at the margin, with a blank line before it, below a reST field list.
  docutils, the reference, ends the list there; others add it to the last parameter, even if it
  is `.. versionadded::` and about the function.

The second table counts these pairs with the text that the style guides give.

The packages are popular ones that document most of their parameters in one style, large and small,
old and new, at least ten of each, so that the habits of one (sqlalchemy writes directives below its
reST fields, keras breaks lines without indenting them) do not speak for a style. None was left out
for its figures. Few packages are written in Epydoc style any more; these have wheels.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from milo_schema.docstrings import parse_docstring
from tests.tools.harvest.voters import WITNESSES, collapsed, without_markup, witnesses

HERE = Path(__file__).parent
LEAST_F1 = 0.998
FIELD = re.compile(r"^[^\S\n]*:(?:param|arg|key)", re.MULTILINE)
OURS = "milo_schema"
READERS = (OURS, *WITNESSES)
COUNTS = ("docstrings", "documented", "right", "wrong", "disputed", "alone", "unstable")


class Documented(NamedTuple):
    """A function or class with a docstring."""

    place: str
    text: str
    names: frozenset[str]


# Sources


def pinned() -> dict[str, list[str]]:
    """Return the pinned requirements of each style."""
    found: dict[str, list[str]] = {}
    for line in (HERE / "packages.txt").read_text().splitlines():
        if line.startswith("["):
            style = line.strip("[]")
        elif line and not line.startswith("#"):
            found.setdefault(style, []).append(line)
    return found


def installed(cache: Path) -> list[Path]:
    """Install the packages, each in its own folder; none of them is ever imported."""
    folders = []
    cache.mkdir(parents=True, exist_ok=True)
    (cache / ".gitignore").write_text("*\n")
    for style, requirements in pinned().items():
        for requirement in requirements:
            target = cache / style / requirement
            if not target.exists():
                command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
                command += ["--no-compile", "--only-binary=:all:", "--python-version=3.13"]
                subprocess.run([*command, f"--target={target}", requirement], check=True)
            folders.append(target)
    return folders


def documented(root: Path) -> Iterator[Documented]:
    """Yield the documented functions in the sources of a folder, each text and signature once."""
    seen = set()
    for path in sorted(root.rglob("*.py")):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                text = ast.get_docstring(node, clean=False)
                names = signature(node)
                if text and (text, names) not in seen:
                    seen.add((text, names))
                    place = f"{path.relative_to(root)}:{node.lineno} {node.name}"
                    yield Documented(place, text, names)


def signature(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> frozenset[str]:
    """Return the parameter names of a function, or of the `__init__` of a class."""
    if isinstance(node, ast.ClassDef):
        inits = (n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__")
        init = next(inits, None)
        return signature(init) if init else frozenset()
    args = node.args
    each = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return frozenset(arg.arg for arg in each if arg is not None)


# Judgement


class Tally:
    """The counts of a package or a style: the outcomes of the two tables, and the rest."""

    def __init__(self) -> None:
        self.letter = {reader: Counter[str]() for reader in READERS}
        self.judged = {reader: Counter[str]() for reader in READERS}
        self.counts = Counter[str]()

    def add(self, other: Tally) -> None:
        self.counts.update(other.counts)
        for reader in READERS:
            self.letter[reader].update(other.letter[reader])
            self.judged[reader].update(other.judged[reader])


def f1(outcomes: Counter[str]) -> float:
    """Return F1 over the pairs that have a truth; a wrong text is found and missed."""
    right, wrong, missed = outcomes["right"], outcomes["wrong"], outcomes["missed"]
    return 2 * right / ((2 * right + 2 * wrong + missed) or 1)


def judge(item: Documented, style: str, tally: Tally) -> Iterator[str]:
    """Compare the results of all parsers for one docstring, and yield interesting differences."""
    doc = parse_docstring(item.text)
    normal = without_markup if style == "epydoc" else collapsed
    readings = {OURS: {name: normal(text) for name, text in doc.params.items()}}
    readings |= witnesses(item.text, style)
    documented = False
    for name in sorted(item.names):
        texts = {reader: reading.get(name, "") for reader, reading in readings.items()}
        ours = texts[OURS]
        agreed, votes = agreement(texts)
        what = "right"
        if votes > 1:
            documented = True
            truth = settled(agreed, texts, item.text)
            count(tally.letter, texts, agreed)
            count(tally.judged, texts, truth)
            what = "wrong" if ours != truth else "right" if ours == agreed else "disputed"
            tally.counts[what] += 1
        elif ours and not votes:
            what = "alone"
            tally.counts[what] += 1
        if what != "right":
            yield f"{what} {item.place}({name})\n  agreed: {agreed!r}\n  ours:   {ours!r}"
    for what, variant in variants(item.text):
        if parse_docstring(variant) != doc:
            tally.counts["unstable"] += 1
            yield f"unstable {item.place}: not the same when {what}"
    tally.counts.update(docstrings=1, documented=documented)


def agreement(texts: dict[str, str]) -> tuple[str, int]:
    """Return the text that most witnesses give, and how many do."""
    votes = Counter(text for reader, text in texts.items() if text and reader != OURS)
    return votes.most_common(1)[0] if votes else ("", 0)


def count(outcomes: dict[str, Counter[str]], texts: dict[str, str], truth: str) -> None:
    for reader, text in texts.items():
        outcomes[reader]["right" if text == truth else "wrong" if text else "missed"] += 1


def settled(agreed: str, texts: dict[str, str], docstring: str) -> str:
    """Return the result of the style guides if two witnesses agree on another one."""
    ours, docutils = texts[OURS], texts.get("napoleon", "")
    if docutils and FIELD.search(docstring) and blank_line_after(docutils, agreed, docstring):
        return docutils
    return ours if blank_line_after(agreed, ours, docstring) is False else agreed


def blank_line_after(text: str, longer: str, docstring: str) -> bool | None:
    """Return whether a blank line ends a text that continues after it; None if none continues."""
    if not longer.startswith(f"{text} "):
        return None
    words: list[str] = []
    begins = set()
    for paragraph in re.split(r"\n[^\S\n]*\n", docstring):
        begins.add(len(words))
        words += paragraph.split()
    sought = longer.split()
    for at in range(len(words) - len(sought) + 1):
        if words[at : at + len(sought)] == sought:
            return at + len(text.split()) in begins
    return None


def variants(text: str) -> Iterator[tuple[str, str]]:
    """Yield the docstring written in other ways that mean the same."""
    lines = text.expandtabs().splitlines()
    text = "\n".join(lines)
    deeper = [lines[0], *(f"        {line}" if line.strip() else line for line in lines[1:])]
    yield "deeper", "\n".join(deeper)
    yield "CRLF", "\r\n".join(lines)
    yield "trailing blanks", "\n".join(f"{line}  " for line in lines)
    depths = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = " " * min(depths, default=0)
    yield "first line blank", f"\n{margin}{text.lstrip()}" if lines[0].strip() else f"\n{text}"


def harvested(folder: Path) -> tuple[Tally, list[str]]:
    """Judge all docstrings of one package."""
    tally = Tally()
    log: list[str] = []
    for item in documented(folder):
        log += [f"{folder.name} {line}" for line in judge(item, folder.parent.name, tally)]
    return tally, log


def main() -> int:
    parser = argparse.ArgumentParser(description="Judge the docstring parser by real packages.")
    parser.add_argument("--sources", type=Path, help="folder of style/package folders to read")
    parser.add_argument("--log", type=Path, help="file to write every difference to")
    options = parser.parse_args()
    if options.sources:
        folders = sorted(options.sources.glob("*/*"))
    else:
        folders = installed(Path(os.environ.get("TOX_ENV_DIR") or ".harvest") / "sources")
    tallies: dict[str, Tally] = {}
    lines: list[str] = []
    with ProcessPoolExecutor() as processes:
        for folder, (tally, log) in zip(folders, processes.map(harvested, folders), strict=True):
            style = folder.parent.name
            tallies[f"{style} {folder.name}"] = tally
            tallies.setdefault(f"{style}, all", Tally()).add(tally)
            lines += log
            print(f"read {style} {folder.name}", file=sys.stderr, flush=True)
    if options.log:
        options.log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return report(dict(sorted(tallies.items())))


def report(tallies: dict[str, Tally]) -> int:
    """Print the tables, and return whether a style is not as it must be."""
    print("F1 by the letter: the truth is what two witnesses agree on")
    print_scores({name: tally.letter for name, tally in tallies.items()})
    print("F1 with the disputed pairs judged by the style guides")
    print_scores({name: tally.judged for name, tally in tallies.items()})
    print("Disputed: ours is what the style guides give, two agree on something else.")
    print("Alone: no witness finds the parameter. Unstable: not the same when written otherwise.")
    print(f"{'':38}", *(f"{what:>10}" for what in COUNTS))
    for name, tally in tallies.items():
        print(f"{name:38}", *(f"{tally.counts[what]:>10}" for what in COUNTS))
    styles = [tally for name, tally in tallies.items() if name.endswith(", all")]
    total = sum(tally.counts["documented"] for tally in styles)
    stable = not any(tally.counts["unstable"] for tally in styles)
    good = stable and all(f1(tally.judged[OURS]) >= LEAST_F1 for tally in styles)
    print(f"{total} documented functions; {'all' if good else 'not all'} as it must be")
    return not good


def print_scores(rows: dict[str, dict[str, Counter[str]]]) -> None:
    print(f"{'':38}", f"{'pairs':>8}", *(f"{reader:>16}" for reader in READERS))
    for name, outcomes in rows.items():
        scores = [f"{f1(counts):.4f}" if counts else "" for counts in outcomes.values()]
        print(f"{name:38}", f"{outcomes[OURS].total():>8}", *(f"{score:>16}" for score in scores))
    print()


if __name__ == "__main__":
    sys.exit(main())
