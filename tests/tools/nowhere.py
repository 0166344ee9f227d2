"""Tests and rows that every run skipped: ``python -m tests.tools.nowhere FOLDER``.

A run of the tests with ``MILO_SCHEMA_RAN=FOLDER`` leaves a file there: each test, and each row of
``@every``, and whether it ran. What ran in no run is listed, and the exit status is 1.
"""

import json
import os
import pathlib
import sys
import uuid
from collections.abc import Iterable
from typing import Any

import pytest

from tests import every

VARIABLE = "MILO_SCHEMA_RAN"


class Record:
    """A plugin of pytest: what ran, and what was skipped, also in the processes of xdist."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.has_run: dict[str, bool] = {}
        self.rows: dict[str, bool] = {}
        every.RECORDERS.append(self.tried)

    def tried(self, row: str, has_run: bool) -> None:
        self.rows[row] = has_run or self.rows.get(row, False)

    def pytest_runtest_setup(self) -> None:
        self.rows = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: Any) -> Any:
        report = yield
        if call.when == "call":
            report.user_properties.append(("rows", self.rows))
        return report

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "teardown":
            return
        if report.when == "call" or report.skipped:
            self.add(report.nodeid, has_run=not report.skipped)
        for name, rows in report.user_properties:
            for row, has_run in rows.items() if name == "rows" else ():
                self.add(f"{report.nodeid} {row}", has_run=has_run)

    def add(self, name: str, *, has_run: bool) -> None:
        self.has_run[name] = has_run or self.has_run.get(name, False)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not hasattr(session.config, "workerinput"):  # this is not a process of xdist
            self.folder.mkdir(parents=True, exist_ok=True)
            file = self.folder / f"{uuid.uuid4().hex}.json"
            file.write_text(json.dumps(self.has_run), encoding="utf-8")


def register(config: pytest.Config) -> None:
    """Record what runs, if the variable asks for it."""
    if folder := os.environ.get(VARIABLE):
        config.pluginmanager.register(Record(pathlib.Path(folder)))


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
