"""Write down what a run of the tests ran, and what it skipped; see ``tests/tools/nowhere.py``."""

import json
import os
import pathlib
import uuid
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
