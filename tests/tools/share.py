"""How many parameters of installed packages have a full schema under the profile MCP.

``python -m tests.tools.share httpx flask``

A parameter has one if deriving it gives no warning. Each package has a row:
its annotated parameters, and how many of them have a full schema without and with
``type_checking_imports()``. Then come the reasons for the others, by their codes.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from milo_schema import function_to_schema, profiles, type_checking_imports
from tests.inside import MISSING, read_callable
from tests.tools import sweep

HELP = "Names of packages that are installed."


def lacking(name: str, func: Callable[..., Any], **options: Any) -> dict[str, str]:
    """The parameters without a full schema, each with the code of its first warning."""

    def make(func: Callable[..., Any], **more: Any) -> Any:
        return function_to_schema(func, **more, **options)

    outcome = sweep.derive(name, func, profile=profiles.MCP, strict=False, make=make)
    codes: dict[str, str] = {}
    for each in outcome.warned:
        parameter = each.path.partition("(")[2].partition(")")[0]
        codes.setdefault(parameter, each.code)
    return codes


def annotated(func: Callable[..., Any]) -> list[str]:
    """The names of the parameters with an annotation; none if the callable cannot be read."""
    try:
        parameters = read_callable(func, None).parameters
    except Exception:
        return []
    return [each.name for each in parameters if each.annotation is not MISSING]


def measured(package: str) -> Iterator[tuple[list[str], dict[str, str], dict[str, str]]]:
    """For each callable, its annotated parameters and those without a full schema."""
    names = type_checking_imports()
    for module in sweep.modules_of(package, skip=frozenset({"__main__", "tests", "test"})):
        for name, func in sweep.callables_in(module):
            if parameters := annotated(func):
                yield parameters, lacking(name, func), lacking(name, func, localns=names)


def main(packages: list[str]) -> None:
    """Print the table."""
    print(f"{'package':20} {'parameters':>10} {'without':>14} {'with':>14}")
    total: Counter[str] = Counter()
    reasons: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for package in packages:
        row: Counter[str] = Counter()
        for parameters, *both in measured(package):
            row["parameters"] += len(parameters)
            for key, codes, why in zip(("without", "with"), both, reasons, strict=True):
                row[key] += sum(each not in codes for each in parameters)
                why.update(codes[each] for each in parameters if each in codes)
        total += row
        print(line(package, row))
    print(line("all", total))
    for code in sorted({*reasons[0], *reasons[1]}):
        print(f"  {code:28} {reasons[0][code]:>14,} {reasons[1][code]:>14,}")


def line(package: str, row: Counter[str]) -> str:
    """A row of the table."""
    every = row["parameters"] or 1
    shares = (f"{row[key]:>7,} {row[key] / every:6.1%}" for key in ("without", "with"))
    return f"{package:20} {row['parameters']:>10,} {' '.join(shares)}"


if __name__ == "__main__":
    main(sys.argv[1:] or sys.exit(HELP))
