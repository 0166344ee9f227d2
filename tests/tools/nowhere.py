"""Tests and rows that every run skipped: ``python -m tests.tools.nowhere FOLDER``.

A run of the tests with ``MILO_SCHEMA_RAN=FOLDER`` leaves a file there: each test, and each row of
``@every``, and whether it ran. What ran in no run is listed, and the exit status is 1.
"""

import json
import pathlib
import sys
from collections.abc import Iterable


def nowhere(runs: Iterable[dict[str, bool]]) -> list[str]:
    """What was skipped, and ran in none of these."""
    found: dict[str, bool] = {}
    for run in runs:
        for name, has_run in run.items():
            found[name] = has_run or found.get(name, False)
    return sorted(name for name, has_run in found.items() if not has_run)


def main(folder: str) -> int:
    """List what ran nowhere; the exit status is 1 if there is anything, or nothing was recorded."""
    files = sorted(pathlib.Path(folder).glob("*.json"))
    names = nowhere(json.loads(file.read_text(encoding="utf-8")) for file in files)
    for name in names:
        print(f"ran nowhere: {name}")
    print(f"{len(names)} tests and rows ran in none of {len(files)} runs")
    return int(bool(names) or not files)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
