"""Count bytecode instructions: the cost of a call, the same in every run and under every load."""

import gc
import sys
from collections.abc import Callable
from threading import get_ident
from types import FrameType
from typing import Any

TOOL = 4
"""A number of ``sys.monitoring`` that neither coverage nor a debugger has (PEP 669)."""


def instructions(call: Callable[[], object]) -> int:
    """Return how many bytecode instructions *call* needs, including those of Python's modules.

    Instructions inside C functions do not count, nor do those of other threads, and of what earlier
    tests left behind for the garbage collector.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return _traced(call) if sys.version_info < (3, 12) else _monitored(call)
    finally:
        if was_enabled:
            gc.enable()


def _monitored(call: Callable[[], object]) -> int:
    """Count with ``sys.monitoring``, which tells the instructions of every thread."""
    count, thread = 0, get_ident()

    def step(*_: object) -> None:
        nonlocal count
        count += get_ident() == thread

    monitoring: Any = vars(sys)["monitoring"]  # of Python 3.12
    monitoring.use_tool_id(TOOL, "instructions")
    monitoring.register_callback(TOOL, monitoring.events.INSTRUCTION, step)
    monitoring.set_events(TOOL, monitoring.events.INSTRUCTION)
    try:
        call()
    finally:
        monitoring.set_events(TOOL, 0)
        monitoring.free_tool_id(TOOL)
    return count


def _traced(call: Callable[[], object]) -> int:
    """Count without ``sys.monitoring``, which is of 3.12; a trace function misses some there."""
    count = 0

    def step(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "opcode"
        return step

    def enter(frame: FrameType, _event: str, _argument: object) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return step

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        call()
    finally:
        sys.settrace(before)
    return count
