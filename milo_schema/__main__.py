"""The command line: ``python -m milo_schema TARGET`` prints the schema of a function.

Standard output holds JSON only. What the target prints while it is imported goes to standard
error, and so does every error, in one line, with exit status 2.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import json
import sys
import warnings
from pathlib import Path
from typing import Any

from milo_schema import (
    SchemaError,
    SchemaWarning,
    function_to_schema,
    profiles,
    return_to_schema,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.profiles import Profile

PROFILES = {name: getattr(profiles, name) for name in profiles.__all__ if name.isupper()}


class TargetError(Exception):
    """The target cannot be loaded; the message is one line."""


def main(argv: list[str] | None = None) -> int:
    """Run the command line; the exit status is 0, or 2 with one line on standard error."""
    arguments = _parser().parse_args(argv)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", SchemaWarning)  # shown, whatever -W says
            warnings.showwarning = _show_warning
            schema = _schema(_load(arguments.target), arguments)
    except (TargetError, SchemaError) as problem:
        print(f"milo-schema: {' '.join(str(problem).split())}", file=sys.stderr)
        return 2
    print(json.dumps(schema, indent=arguments.indent, ensure_ascii=False, allow_nan=False))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="milo-schema", description="Print the JSON Schema of a Python function."
    )
    parser.add_argument(
        "target", metavar="TARGET", help="package.module:name.attribute or path/to/file.py:name"
    )
    parser.add_argument("--output", action="store_true", help="the schema of what it returns")
    parser.add_argument("--strict", action="store_true", help="what has no schema is an error")
    parser.add_argument(
        "--profile",
        type=lambda name: str(name).upper(),
        choices=PROFILES,
        default="MILO",
        help="what the schema should say (default: %(default)s)",
    )
    parser.add_argument("--indent", type=int, default=2, help="spaces (default: %(default)s)")
    return parser


def _schema(func: Any, arguments: argparse.Namespace) -> dict[str, Any] | None:
    profile: Profile = PROFILES[arguments.profile]
    derive = return_to_schema if arguments.output else function_to_schema
    return derive(func, strict=arguments.strict, profile=profile)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"milo-schema: {' '.join(str(message).split())}", file=sys.stderr)


# -- loading the target ------------------------------------------------------------------------


def _load(target: str) -> Any:
    module_name, _, dotted = target.rpartition(":")
    if not module_name or not dotted:
        raise TargetError(f"{target!r} is no target; write module:function or file.py:function")
    with contextlib.redirect_stdout(sys.stderr):
        found = _import(module_name)
        for name in dotted.split("."):
            try:
                found = getattr(found, name)
            except AttributeError:
                raise TargetError(f"{module_name} has no {dotted}") from None
    return found


def _import(name: str) -> Any:
    try:
        if name.endswith(".py"):
            return _import_file(Path(name))
        sys.path.insert(0, "")
        return importlib.import_module(name)
    except TargetError:
        raise
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - the target's own code
        raise TargetError(f"importing {name} raised {type(problem).__name__}: {problem}") from None


def _import_file(path: Path) -> Any:
    if not path.is_file():
        raise TargetError(f"there is no file {path}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:  # pragma: no cover - it ends in .py
        raise TargetError(f"{path} is no Python file")
    sys.path.insert(0, str(path.parent))
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # where annotations look for their names
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
