"""The process in which code_mode.py runs code: each call of a function is a line on a pipe."""

import contextlib
import io
import json
import sys
from collections.abc import Callable
from typing import Any

pipe = sys.stdout


def calling(name: str) -> Callable[..., Any]:
    """Return a function that asks the parent process to call a tool."""

    def function(*args: Any, **kwargs: Any) -> Any:
        print(json.dumps([name, args, kwargs]), flush=True, file=pipe)
        kind, value = json.loads(sys.stdin.readline())
        if kind == "error":
            raise RuntimeError(value)
        return value

    return function


names, code = json.loads(sys.stdin.readline())
with contextlib.redirect_stdout(io.StringIO()) as said:
    exec(code, {name: calling(name) for name in names})  # noqa: S102 - that is what it is for
print(json.dumps(said.getvalue()), flush=True, file=pipe)
