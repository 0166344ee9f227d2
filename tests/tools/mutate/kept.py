"""Verdicts are kept: a run that was interrupted goes on where it ended.

A hang or a crash is not: it may be the machine's.
"""

import hashlib
import json
import pathlib
from collections.abc import Iterable, Iterator

from tests.tools.mutate.code import Mutant
from tests.tools.mutate.run import STORE, Verdict

Finding = tuple[Mutant, Verdict] | str


class Kept:
    """The verdicts on mutations of these very sources, by these very tests."""

    def __init__(self, root: pathlib.Path) -> None:
        self.path = root / STORE / "verdicts"
        self.sources = _digest(root)
        self.verdicts: dict[str, str] = {}
        if self.path.exists():
            lines = [json.loads(line) for line in self.path.read_text("utf-8").splitlines()]
            self.verdicts = {line[1]: line[2] for line in lines if line[0] == self.sources}

    def known(self, mutants: Iterable[Mutant]) -> Iterator[Finding]:
        """The known results of these mutations."""
        for mutant in mutants:
            if mutant in self:
                yield mutant, Verdict(self.verdicts[str(mutant)])

    def __contains__(self, mutant: Mutant) -> bool:
        return str(mutant) in self.verdicts

    def keep(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Write each verdict down as soon as it is found."""
        with self.path.open("a", encoding="utf-8") as file:
            for finding in findings:
                if not isinstance(finding, str):
                    mutant, verdict = finding
                    if verdict not in (Verdict.HUNG, Verdict.CRASHED):
                        print(json.dumps([self.sources, str(mutant), verdict.value]), file=file)
                        file.flush()
                yield finding


def _digest(root: pathlib.Path) -> str:
    """A digest of the package and of the tests, but for this program."""
    ours = pathlib.Path(__file__).parent
    files = sorted(
        path
        for folder in ("milo_schema", "tests")
        for path in (root / folder).rglob("*.py")
        if ours not in path.parents
    )
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
