"""Which tests run which line: traced once, and again only for the tests that a change concerns."""

import ast
import dataclasses
import functools
import hashlib
import itertools
import operator
import pathlib
import pickle
from collections.abc import Iterable

from tests.tools.mutate.code import Mutant, Package, Unit

COLLECTION = 1
"""The bit of code that runs while tests are collected; each test has its own bit."""


@dataclasses.dataclass
class Test:
    bit: int
    seconds: float
    digest: str


@dataclasses.dataclass
class Measured:
    """The measurements of one process: times, and the tests that ran each line of each file."""

    seconds: dict[str, float] = dataclasses.field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = dataclasses.field(default_factory=dict)
    failed: dict[str, str] = dataclasses.field(default_factory=dict)


class Trace:
    """Which tests run which line of which unit; lines are counted from the unit's first."""

    def __init__(self) -> None:
        self.tests: dict[str, Test] = {}
        self.lines: dict[tuple[str, str], dict[int, int]] = {}

    @classmethod
    def load(cls, path: pathlib.Path) -> "Trace":
        return pickle.loads(path.read_bytes()) if path.exists() else cls()

    def save(self, path: pathlib.Path) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(pickle.dumps(self))

    # -- keep it up to date --------------------------------------------------------------------

    def forget(self, package: Package, digests: dict[str, str]) -> None:
        """Drop the tests that changed, and those that ran changed code of the package."""
        units = {unit.key for unit in package.units()}
        stale = _union(
            bits for key in self.lines.keys() - units for bits in self.lines[key].values()
        )
        kept = {
            name: test
            for name, test in self.tests.items()
            if digests.get(name) == test.digest and not test.bit & stale
        }
        self.tests = kept
        left = _union([COLLECTION, *(test.bit for test in kept.values())])
        self.lines = {
            key: {line: bits & left for line, bits in lines.items()}
            for key, lines in self.lines.items()
            if key in units
        }

    def add(self, package: Package, measured: list[Measured], digests: dict[str, str]) -> None:
        """Add measurements."""
        free = max((test.bit for test in self.tests.values()), default=COLLECTION) << 1
        for part in measured:
            for name in part.seconds.keys() - part.failed.keys():
                self.tests[name] = Test(free, part.seconds[name], digests[name])
                free <<= 1
        bit_of = {name: test.bit for name, test in self.tests.items()} | {"": COLLECTION}
        for part in measured:
            for path, by_line in part.lines.items():
                for line, names in by_line.items():
                    bits = _union(bit_of.get(name, 0) for name in names)
                    if (unit := package.files[path].unit(line)) is not None and unit.spans:
                        lines = self.lines.setdefault(unit.key, {})
                        offset = line - unit.first
                        lines[offset] = lines.get(offset, 0) | bits
        reached = package.reached(self._at)
        for unit in package.units():
            if not unit.spans:
                self.lines[unit.key] = {0: _union(reached.get(name, 0) for name in unit.names)}

    # -- ask it --------------------------------------------------------------------------------

    def bits(self, mutant: Mutant) -> int:
        """The tests that may notice this mutation: all of its file, if it only runs at import."""
        line = mutant.lines[0]
        unit = mutant.file.unit(line)
        assert unit is not None, mutant
        bits = self._at(unit, line) if unit.spans else self.lines[unit.key][0]
        is_traced = bits & ~COLLECTION or (unit.spans and not bits)
        return bits if is_traced else bits | self._of_file(unit.file)

    def other_bits(self, mutant: Mutant) -> int:
        """The tests to ask after those of ``bits()``: all others, if the code runs at import.

        Tables and defaults do. A test that only reads a table does not run a line of it.
        """
        unit, bits = mutant.file.unit(mutant.lines[0]), self.bits(mutant)
        assert unit is not None, mutant
        runs_at_import = bits & COLLECTION or not unit.spans
        return _union(test.bit for test in self.tests.values()) & ~bits if runs_at_import else 0

    def _of_file(self, file: str) -> int:
        functions = (lines for key, lines in self.lines.items() if key[0] == file)
        return _union(bits for lines in functions for bits in lines.values())

    def names(self, bits: int, subject: str) -> list[str]:
        """The names of tests, the fastest first; one with this word counts as ten times as fast."""
        names = [name for name, test in self.tests.items() if test.bit & bits]
        return sorted(names, key=lambda n: self.tests[n].seconds * (0.1 if subject in n else 1))

    def first(self, bits: int, subject: str, limit: float) -> tuple[list[str], list[str]]:
        """The names of the tests that take so many seconds together, and those of the others."""
        names = self.names(bits, subject)
        totals = itertools.accumulate(self.tests[name].seconds for name in names)
        count = max(1, sum(total <= limit for total in totals))
        return names[:count], names[count:]

    def _at(self, unit: Unit, line: int) -> int:
        first, last = unit.statement(line)
        lines = self.lines.get(unit.key, {})
        return _union(lines.get(i - unit.first, 0) for i in range(first, last + 1))


def _union(bits: Iterable[int]) -> int:
    return functools.reduce(operator.or_, bits, 0)


@functools.cache
def digest(path: pathlib.Path, root: pathlib.Path) -> str:
    """A digest of a test file and of the modules of the tests that it imports."""
    found: set[pathlib.Path] = set()
    _collect(path, root, found)
    return hashlib.sha256(b"".join(p.read_bytes() for p in sorted(found))).hexdigest()


def _collect(path: pathlib.Path, root: pathlib.Path, found: set[pathlib.Path]) -> None:
    if path in found or not path.exists():
        return
    found.add(path)
    for node in ast.walk(ast.parse(path.read_bytes())):
        modules = []
        if isinstance(node, ast.ImportFrom):
            modules = [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        for module in modules:
            if module.partition(".")[0] == "tests":
                file = root.joinpath(*module.split("."))
                for imported in (file.with_suffix(".py"), file / "__init__.py"):
                    _collect(imported, root, found)
