"""A pytest plugin: skip tests that need features that WebAssembly lacks, with the reason."""

import asyncio
import faulthandler
import inspect
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time
import types
from typing import Any, NoReturn

import pytest

LEFT_OUT = {
    "it is nested too deeply]": "the stack of WebAssembly is deep enough",
    "test_the_examples_in_docstrings_run[milo_schema.tools.definition]": "some need an event loop",
    "test_the_examples_in_docstrings_run[milo_schema.tools.toolbox]": "some need an event loop",
}
"""The ends of the names of tests that are skipped, and why."""


def lacking(reason: str) -> Any:
    def leave_out(*_: object, **__: object) -> NoReturn:
        pytest.skip(reason)

    return leave_out


def nothing(*_: object, **__: object) -> None:
    """Timeouts that need a separate thread are disabled."""


def no_event_loop(main: Any, **_: object) -> NoReturn:
    for inner in inspect.getcoroutinelocals(main).values():
        if inspect.iscoroutine(inner):
            inner.close()
    main.close()
    pytest.skip("an event loop cannot be waited for in WebAssembly")


def pytest_ignore_collect(collection_path: pathlib.Path) -> bool | None:
    """The program that makes mutations needs processes that fork, and coverage to import it."""
    return collection_path.name == "test_mutate.py" or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those that take whatever is raised for an outcome would take it that a test is left out."""
    for item in items:
        if item.path.name in ("test_fuzz.py", "test_hostile.py", "test_sweep.py"):
            item.add_marker(pytest.mark.skip(reason="jsonschema_rs judges every schema of it"))
        for end, reason in LEFT_OUT.items():
            if item.name.endswith(end):
                item.add_marker(pytest.mark.skip(reason=reason))


asyncio.run = no_event_loop
os.openpty = lacking("WebAssembly has no terminals")
os.mkfifo = lacking("WebAssembly has no pipes")
socket.socket.bind = lacking("WebAssembly has no sockets")
socket.create_connection = lacking("WebAssembly has no sockets")
subprocess.Popen.__init__ = lacking("WebAssembly has no processes")
threading.Thread.start = lacking("WebAssembly has no threads here")

faulthandler.dump_traceback_later = nothing
faulthandler.cancel_dump_traceback_later = nothing
time.thread_time = time.process_time  # one thread: its time is that of the process
time.thread_time_ns = time.process_time_ns

no_second_judge = lacking("jsonschema_rs has no wheel for WebAssembly: jsonschema judges alone")


class NoSecondJudge:
    """A validator of jsonschema_rs: a module may make one, but no test may make or ask one."""

    def __init__(self, *_: object, **__: object) -> None:
        if "PYTEST_CURRENT_TEST" in os.environ:
            no_second_judge()

    def __getattr__(self, name: str) -> Any:
        return no_second_judge


sys.modules["jsonschema_rs"] = types.SimpleNamespace(  # type: ignore[assignment]
    Draft202012Validator=NoSecondJudge,
    is_valid=no_second_judge,
    validator_for=NoSecondJudge,
    meta=types.SimpleNamespace(is_valid=no_second_judge),
)

# It needs rpds-py, which has no wheel either; the keywords are compared with it when collected.
sys.modules["jsonschema_specifications"] = types.SimpleNamespace(  # type: ignore[assignment]
    REGISTRY=types.SimpleNamespace(
        contents=lambda _: pytest.skip("rpds-py has no wheel", allow_module_level=True)
    )
)
