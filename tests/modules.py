"""Modules made from source text: for syntax that not every Python reads, and ``__future__``."""

import itertools
import sys
import textwrap
from types import ModuleType
from typing import Any

_numbers = itertools.count(1)


def module_from(text: str, *, future: bool = False, name: str = "", **names: Any) -> ModuleType:
    """A module with this source, imported as any other: it is in ``sys.modules``.

    Args:
        text: The source; it may be indented as a whole.
        future: Whether it begins with ``from __future__ import annotations``.
        name: The name of the module; by default, a unique one.
        names: The names in the module before its source runs.

    Returns:
        The module.
    """
    module = ModuleType(name or f"sample_{next(_numbers)}")
    sys.modules[module.__name__] = module
    vars(module).update(names)
    head = "from __future__ import annotations\n" if future else ""
    code = compile(head + textwrap.dedent(text), f"<{module.__name__}>", "exec", dont_inherit=True)
    exec(code, vars(module))
    return module
