"""The cost of a whole process: its imports, and its processor time.

Each process is a new interpreter without ``PYTHON*`` variables. Bytecode is kept in a folder of
its own, and written by a first process that is not measured.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.tools.benchmarks.samples import source_of
from tests.tools.benchmarks.turns import Sampler, in_turns

ROOT = Path(__file__).parents[3]
DERIVE = (
    "from milo_schema import function_to_schema;schemas = [function_to_schema(f) for f in tools]"
)
CLOCK = """
import time
begin = time.process_time_ns()
{statement}
print(time.process_time_ns() - begin)
"""


class Interpreters:
    """New interpreters that find the library, and modules with many functions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def command(self, code: str) -> list[str]:
        options = ["-I", "-X", f"pycache_prefix={self.folder / 'bytecode'}"]
        head = f"import sys;sys.path[:0] = [{str(self.folder)!r}, {str(ROOT)!r}]\n"
        return [sys.executable, *options, "-c", head + code]

    def printed(self, code: str) -> str:
        command = self.command(code)
        done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
        return done.stdout

    def processor_time(self, code: str) -> Sampler:
        """A sampler of a process, from its start to its end, in nanoseconds of the processor."""
        command = self.command(code)
        subprocess.run(command, check=True)

        def sample() -> float:
            process = subprocess.Popen(command)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                raise subprocess.CalledProcessError(process.returncode, command)
            return (used.ru_utime + used.ru_stime) * 1e9

        return sample

    def number(self, code: str) -> Sampler:
        """A sampler of the output of a process."""
        self.printed(code)
        return lambda: float(self.printed(code))

    def write_tools(self, shape: str, count: int) -> str:
        """Write a module with so many functions of a kind, and return code that imports them."""
        name = f"{re.sub(r'[^a-z]+', '_', shape)}_{count}"
        source = "".join(source_of(shape, i) for i in range(count))
        listed = ", ".join(f"tool_{i}" for i in range(count))
        (self.folder / f"{name}.py").write_text(f"{source}\ntools = [{listed}]\n")
        return f"from {name} import tools"


def imports(interpreters: Interpreters, rounds: int) -> dict[str, list[float]]:
    """The processor time of imports in nanoseconds, each in a separate interpreter."""
    statements = [
        "import typing",
        "import milo_schema",
        "from milo_schema import function_to_schema",
        "import inspect",
    ]
    samplers = {each: interpreters.number(CLOCK.format(statement=each)) for each in statements}
    return in_turns(samplers, rounds)
