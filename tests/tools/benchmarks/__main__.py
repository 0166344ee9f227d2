"""Time the library beside its floors and its peers, and print the tables.

Run as `python -m tests.tools.benchmarks`. Nothing is asserted: what a figure has to be is printed
beside it. `--write PAGE` puts the tables of this Python between the marks of a page instead.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.tools.benchmarks import reports
from tests.tools.benchmarks.reports import Options, Report
from tests.tools.benchmarks.tables import spread, table, write

VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
PARTS: dict[str, tuple[str, Callable[[Options], Report]]] = {
    "imports": ("Imports", reports.imports),
    "cold": ("One function", reports.cold_tools),
    "docstrings": ("Docstrings", reports.docstrings_alone),
    "processes": ("A whole process", reports.whole_processes),
    "memory": ("Memory", reports.memory),
    "growth": ("Growth", reports.growth_along_axes),
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
    parser.add_argument("--only", default="", help="only axes of growth with this in their name")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="the page to put the tables in")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - PARTS.keys():
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    options = Options(asked.rounds, asked.only)
    parts = map(PARTS.__getitem__, asked.parts or PARTS)
    found = {title: report(options) for title, report in parts}
    text = "\n".join(tables(found, options))
    if asked.write:
        chart = "".join(report.chart for report in found.values())  # the peers have one
        write(asked.write, VERSION, shown(chart, asked.write) + text)
    else:
        print(text)


def shown(chart: str, page: Path) -> str:
    """Write a chart beside a page, and return the text that shows it there."""
    if not chart:
        return ""
    file = page.with_name(f"{page.stem}-{VERSION}.svg")
    file.write_text(chart, encoding="utf-8")
    return f"![{reports.CHART}]({file.name})\n\n"


if __name__ == "__main__":
    main()
