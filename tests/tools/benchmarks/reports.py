"""The reports of each part of the benchmarks: figures, and a table with the details."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.tools.benchmarks import peers, processes
from tests.tools.benchmarks.adapters import ADAPTERS
from tests.tools.benchmarks.chart import bars
from tests.tools.benchmarks.samples import SOURCES
from tests.tools.benchmarks.tables import number, spread, table
from tests.tools.benchmarks.turns import Spread, ratio

REALISTIC = "realistic, documented"


class Options(NamedTuple):
    """The arguments of the command line."""

    rounds: int


class Figure(NamedTuple):
    """A line of the first table: the two sides of a comparison, and the highest good ratio."""

    what: str
    value: Spread
    most: float | str = ""


class Report(NamedTuple):
    """The results of a part of the benchmarks: figures, a table with the details, and a chart."""

    figures: list[Figure]
    details: str
    chart: str = ""


def median(samples: list[float], unit: float) -> str:
    return number(Spread.of(samples).median / unit)


def imports(options: Options) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        found = processes.imports(processes.Interpreters(Path(folder)), options.rounds)
    ratios = {name: ratio(taken, found["import typing"]) for name, taken in found.items()}
    rows = [[f"`{name}`", median(found[name], 1e6), *spread(ratios[name])] for name in found]
    figures = [
        Figure("`import milo_schema` / `import typing`", ratios["import milo_schema"], 1.15),
        Figure(
            "`from milo_schema import function_to_schema` / `import typing`",
            ratios["from milo_schema import function_to_schema"],
        ),
    ]
    return Report(figures, table(["processor time", "ms", "of `typing`", "quartiles"], rows))


def peers_in_turns(options: Options) -> Report:
    rounds = max(3, options.rounds // 2)
    with tempfile.TemporaryDirectory() as folder:
        interpreters = processes.Interpreters(Path(folder))
        found = [peers.against(name, interpreters, rounds) for name in ADAPTERS]
    rows = [[peer.name, *(cell(peer, kind) for kind in peers.KINDS)] for peer in found]
    figures = []
    for shape in SOURCES:
        ratios = {peer.name: ratio(*peer.times[shape]) for peer in found if shape in peer.times}
        equals = [peer.name for peer in found if shape in peer.times and not peer.lacks[shape]]
        best = max(equals, key=lambda name: ratios[name].median, default="")
        for name, most in {best: 0.35, found[0].name: 0.03}.items():
            if name in ratios:
                of = f"the best peer, {name}" if name == best else name
                figures.append(Figure(f"cold tool, {shape} / {of}", ratios[name], most))
    details = table(["ours, of theirs", *peers.KINDS], rows)
    return Report(figures, f"{details}\n{notes(found)}", chart_of(found))


CHART = "Microseconds for the first schema of a realistic, documented function"


def chart_of(found: list[peers.Peer]) -> str:
    """The time of each peer for a realistic tool, and our time."""
    times = {peer.name: peer.times[REALISTIC] for peer in found if REALISTIC in peer.times}
    if not times:
        return ""
    values = {name: Spread.of(theirs).median for name, (_, theirs) in times.items()}
    values["milo_schema"] = min(Spread.of(ours).median for ours, _ in times.values())
    micros = {name.replace("`", ""): value / 1e3 for name, value in values.items()}
    return bars(CHART, micros, "milo_schema")


def cell(peer: peers.Peer, kind: str) -> str:
    if kind not in peer.times:
        return "none"
    ours, theirs = peer.times[kind]
    mark = "\\*" if peer.lacks.get(kind) else ""
    whole, unit = (1e6, "ms") if kind == peers.FROM_THE_START else (1e3, "µs")
    return f"**{number(ratio(ours, theirs).median)}** of {median(theirs, whole)} {unit}{mark}"


def notes(found: list[peers.Peer]) -> str:
    """The gaps of those with a mark, and the reasons."""
    shapes: dict[str, list[str]] = {}
    for peer in found:
        for shape, lack in peer.lacks.items():
            if lack:
                shapes.setdefault(f"{peer.name} {lack}", []).append(shape)
    return "".join(f"- {note} ({'; '.join(each)})\n" for note, each in shapes.items())
