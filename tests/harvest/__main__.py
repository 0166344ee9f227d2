"""Harvest the docstrings of real packages, and judge the parser by what other parsers agree on.

Run as `python -m tests.harvest`: installs the packages pinned in packages.txt where nothing can
import them, reads their sources with `ast`, and prints the F1 per style, what differs, and the
invariances.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from milo_schema.docstrings import parse_docstring
from tests.harvest.voters import collapsed, without_markup, witnesses

HERE = Path(__file__).parent
LEAST_F1 = 0.998


class Documented(NamedTuple):
    """A function or class with a docstring."""

    place: str
    text: str
    names: frozenset[str]


# Sources


def packages() -> dict[str, list[str]]:
    """Return the pinned requirements of each style."""
    found: dict[str, list[str]] = {}
    for line in (HERE / "packages.txt").read_text().splitlines():
        if line.startswith("["):
            style = line.strip("[]")
        elif line and not line.startswith("#"):
            found.setdefault(style, []).append(line)
    return found


def installed(cache: Path) -> Path:
    """Install the packages, each in a folder of its own; nothing of them is ever imported."""
    cache.mkdir(parents=True, exist_ok=True)
    (cache / ".gitignore").write_text("*\n")
    for style, requirements in packages().items():
        for requirement in requirements:
            target = cache / style / requirement
            if not target.exists():
                command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
                command += ["--no-compile", "--only-binary=:all:", "--python-version=3.13"]
                subprocess.run([*command, f"--target={target}", requirement], check=True)
    return cache


def documented(root: Path) -> Iterator[Documented]:
    """Yield what is documented in the sources below a folder, each text and signature once."""
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
    """The counts of one style: docstrings, and pairs of a function and one of its parameters."""

    def __init__(self) -> None:
        self.docstrings = self.documented = 0
        self.right = self.missed = self.wrong = self.disputed = self.unheard = self.undecided = 0
        self.unstable = 0

    @property
    def f1(self) -> float:
        """F1 over the pairs that two witnesses agree on and the docstring itself does not deny."""
        return 2 * self.right / ((2 * self.right + self.missed + 2 * self.wrong) or 1)

    @property
    def strict(self) -> float:
        """F1 if the two witnesses were right wherever they agree."""
        wrong = self.missed + 2 * (self.wrong + self.disputed)
        return 2 * self.right / ((2 * self.right + wrong) or 1)


def judge(item: Documented, style: str, tally: Tally, log: list[str]) -> None:
    """Compare what we find in one docstring with what the witnesses agree on."""
    found = witnesses(item.text, style)
    ours = parse_docstring(item.text)
    normal = without_markup if style == "epydoc" else collapsed
    text = normal(item.text)
    tally.docstrings += 1
    documented = False
    for name in sorted(item.names):
        votes = [texts.get(name, "") for texts in found]
        agreed = next((vote for vote in votes if vote and votes.count(vote) > 1), "")
        mine = normal(ours.params.get(name, ""))
        outcome = verdict(agreed, mine, votes, text)
        setattr(tally, outcome, getattr(tally, outcome) + 1)
        documented = documented or bool(agreed)
        if outcome not in ("right", "undecided"):
            log.append(
                f"{outcome} {style} {item.place}({name})\n  agreed: {agreed!r}\n  ours:   {mine!r}"
            )
    tally.documented += documented
    for what, variant in variants(item.text):
        if parse_docstring(variant) != ours:
            tally.unstable += 1
            log.append(f"unstable {style} {item.place}: not the same when {what}")


def verdict(agreed: str, mine: str, votes: list[str], text: str) -> str:
    """Name the outcome for one parameter.

    Two witnesses may agree and be wrong: they cut a text where its next line is not indented, or
    add the paragraph below a reST field list. It is disputed when our text goes on from theirs word
    for word as the docstring does, or when ours is what docutils, the reference for reST, reads.
    """
    if not agreed:
        return "unheard" if mine and not any(votes) else "undecided"
    if mine == agreed:
        return "right"
    if not mine:
        return "missed"
    goes_on = mine.startswith(f"{agreed} ") and mine in text
    return "disputed" if goes_on or (agreed.startswith(mine) and mine in votes) else "wrong"


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=Path, help="folder with a folder of sources per style")
    parser.add_argument("--log", type=Path, help="file to write every difference to")
    options = parser.parse_args()
    environment = os.environ.get("TOX_ENV_DIR") or ".harvest"
    root = options.sources or installed(Path(environment) / "sources")
    log: list[str] = []
    good = True
    columns = [
        "docstrings", "documented", "right", "missed", "wrong", "disputed", "unheard", "undecided",
        "unstable", "f1", "strict",
    ]  # fmt: skip
    print(f"{'style':8}", *(f"{column:>10}" for column in columns))
    total = 0
    for style in ("google", "numpy", "sphinx", "epydoc"):
        tally = Tally()
        for package in sorted((root / style).iterdir()):
            for item in documented(package):
                judge(item, style, tally, log)
        print(f"{style:8}", *(f"{getattr(tally, c):>10.5g}" for c in columns), flush=True)
        total += tally.documented
        good = good and tally.f1 >= LEAST_F1 and not tally.unstable
        if options.log:
            options.log.write_text("\n".join(log) + "\n")
    print(f"{total} documented functions; {'all' if good else 'not all'} as it must be")
    print("disputed: two agree, the docstring says otherwise; unheard: ours alone; see --log")
    return not good


if __name__ == "__main__":
    sys.exit(main())
