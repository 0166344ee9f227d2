"""Put small mistakes into the package, one at a time, and report those that no test notices.

    python -m tests.tools.mutate --since HEAD            each one of the lines that changed
    python -m tests.tools.mutate --sample 300 --seed 1   of lines drawn from the whole package

Files and folders limit both of them, such as milo_schema/nodes.

The exit status is 1 if a mutation survives, hangs or crashes: only a test that fails kills it.
The first run traces which test runs which line, which
takes as long as the test suite; the result is kept in .mutate/, and updated afterwards.
So is each verdict, until the package or a test changes: a run that you interrupt goes on there.
A test that starts another Python counts for what it runs itself. A mutation that changes nothing
that can be observed survives, too: read the report.
"""

import argparse
import collections
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterable

from tests.tools.mutate.code import Mutant, Package, SourceFile
from tests.tools.mutate.kept import Kept
from tests.tools.mutate.run import STORE, Verdict, judge


def main() -> int:
    arguments = parse_arguments()
    root = arguments.root.resolve()
    os.chdir(root)
    sys.path.insert(0, str(root))
    (root / STORE).mkdir(parents=True, exist_ok=True)
    package = Package(root / "milo_schema")
    files = [file for file in package.files.values() if is_within(file, arguments.paths)]
    if arguments.since is not None:
        mutants = changed(files, changed_lines(package, arguments.since))
    else:
        mutants = drawn(files, arguments.sample, arguments.seed)
    if not mutants:
        print("nothing to mutate")
        return 0
    kept = Kept(root)
    unknown = [mutant for mutant in mutants if mutant not in kept]
    found = judge(package, unknown, arguments.jobs, arguments.patience) if unknown else ()
    return report(mutants, itertools.chain(kept.known(mutants), kept.keep(found)))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.mutate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--since", metavar="REV", help="mutate what changed since this commit")
    which.add_argument("--sample", metavar="N", type=int, help="mutate N lines drawn at random")
    parser.add_argument("paths", nargs="*", type=pathlib.Path, help="what to mutate (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default: 0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument(
        "--patience",
        type=int,
        default=20,
        help="a test hangs that takes ten times as long as usual and so many seconds (default: 20)",
    )
    parser.add_argument("--root", type=pathlib.Path, default=".", help="the checkout")
    return parser.parse_args()


# -- which mutations -------------------------------------------------------------------------------


def is_within(file: SourceFile, paths: list[pathlib.Path]) -> bool:
    return not paths or any(file.path.is_relative_to(path.absolute()) for path in paths)


def drawn(files: list[SourceFile], count: int, seed: int) -> list[Mutant]:
    """One mutation for each of so many lines."""
    by_line = collections.defaultdict(list)
    for file in files:
        for mutant in file.mutants:
            by_line[file.name, mutant.lines[0]].append(mutant)
    chance = random.Random(seed)
    lines = chance.sample(list(by_line), len(by_line))
    shuffled = (chance.sample(by_line[line], len(by_line[line])) for line in lines)
    found = (next((m for m in some if m.compiles_to_another()), None) for some in shuffled)
    return list(itertools.islice(filter(None, found), count))


def changed(files: list[SourceFile], lines: dict[str, set[int]]) -> list[Mutant]:
    """Every mutation of these lines."""
    return [
        mutant
        for file in files
        if file.name in lines
        for mutant in file.mutants
        if not lines[file.name].isdisjoint(mutant.lines) and mutant.compiles_to_another()
    ]


def changed_lines(package: Package, revision: str) -> dict[str, set[int]]:
    """The lines of each file that differ from a commit; all those of a file unknown to git."""
    folder = package.folder.name
    lines: dict[str, set[int]] = collections.defaultdict(set)
    diff = git(
        "diff",
        "--unified=0",
        "--find-renames",
        "--no-ext-diff",
        "--relative",
        "--no-prefix",
        revision,
        "--",
        folder,
    )
    for line in diff.splitlines():
        if line.startswith("+++ "):
            name = line.removeprefix("+++ ").rstrip("\t")
        elif match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(match[1]), int(match[2] or 1)
            lines[name].update(range(first, first + count))
    for name in git("ls-files", "--others", "--exclude-standard", "--", folder).splitlines():
        lines[name].update(range(1, 100_000))
    return lines


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        raise SystemExit(2)
    return done.stdout


# -- the report ------------------------------------------------------------------------------------


def report(mutants: list[Mutant], findings: Iterable[tuple[Mutant, Verdict] | str]) -> int:
    start = time.monotonic()
    verdicts = {}
    for finding in findings:
        if isinstance(finding, str):
            print(finding, flush=True)
            continue
        mutant, verdict = finding
        verdicts[mutant] = verdict
        if verdict is not Verdict.KILLED:
            print(f"{mutant}\n    {verdict.value}", flush=True)
        if sys.stderr.isatty():
            print(f"{len(verdicts)} of {len(mutants)}", end="\r", file=sys.stderr)
    for name, group in itertools.groupby(sorted(mutants, key=name_of), key=name_of):
        caught = [verdicts[mutant] is Verdict.KILLED for mutant in group]
        print(f"{name}: {sum(caught)} of {len(caught)} killed")
    count = collections.Counter(verdicts.values())
    killed = count[Verdict.KILLED]
    survived = count[Verdict.SURVIVED] + count[Verdict.UNREACHED]
    print(
        f"{killed} of {len(mutants)} mutations killed ({killed / len(mutants):.1%}); "
        f"{survived} survived, {count[Verdict.HUNG]} hung, {count[Verdict.CRASHED]} crashed; "
        f"{time.monotonic() - start:.0f} s"
    )
    return int(killed < len(mutants))


def name_of(mutant: Mutant) -> str:
    return mutant.file.name


if __name__ == "__main__":
    sys.exit(main())
