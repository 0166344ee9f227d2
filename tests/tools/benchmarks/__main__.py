"""Time the library beside its floors and its peers, and print the tables.

Run as `python -m tests.tools.benchmarks`. Nothing is asserted: what a figure has to be is printed
beside it.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.tools.benchmarks import reports
from tests.tools.benchmarks.reports import Options, Report
from tests.tools.benchmarks.tables import spread, table

PARTS: dict[str, tuple[str, Callable[[Options], Report]]] = {
    "imports": ("Imports", reports.imports),
    "peers": ("Peers", reports.peers_in_turns),
}


def tables(found: dict[str, Report], options: Options) -> Iterator[str]:
    """The results, one after the other: all figures first, then the details."""
    figures = [figure for report in found.values() for figure in report.figures]
    today = datetime.datetime.now(datetime.UTC).date()
    yield (
        f"CPython {platform.python_version()} on {platform.system()}, {platform.machine()}, "
        f"{os.cpu_count()} processors, {options.rounds} rounds, {today}.\n"
    )
    rows = [[figure.what, *spread(figure.value), figure.most] for figure in figures]
    yield table(["figure", "median", "quartiles", "at most"], rows)
    for title, report in found.items():
        yield f"### {title}\n\n{report.details}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.benchmarks", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all if none is named"
    )
    parser.add_argument("--rounds", type=int, default=20, help="samples of each (%(default)s)")
    parser.add_argument(
        "--chart", type=Path, metavar="FILE", help="an SVG file to draw the peers in"
    )
    asked = parser.parse_args()
    if unknown := set(asked.parts) - PARTS.keys():
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    options = Options(asked.rounds)
    parts = map(PARTS.__getitem__, asked.parts or PARTS)
    found = {title: report(options) for title, report in parts}
    print("\n".join(tables(found, options)))
    if asked.chart:
        asked.chart.write_text("".join(each.chart for each in found.values()), encoding="utf-8")


if __name__ == "__main__":
    main()
