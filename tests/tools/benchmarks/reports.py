"""The reports of each part of the benchmarks: figures, and a table with the details."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from typing import NamedTuple

from milo_schema import profiles
from tests.tools.benchmarks import cold, docstrings, growth, peers, processes
from tests.tools.benchmarks.adapters import ADAPTERS
from tests.tools.benchmarks.chart import bars
from tests.tools.benchmarks.samples import SOURCES
from tests.tools.benchmarks.tables import number, spread, table
from tests.tools.benchmarks.turns import Spread, ratio

DOCUMENTED = "plain, documented"
REALISTIC = "realistic, documented"
SIMPLE = "simple, documented, with outputs"
PROCESSES = {REALISTIC: 1.4, SIMPLE: 1.6, DOCUMENTED: 1.5, "plain": 1.5}
"""The tools of whole processes, and their highest ratio that is good."""


class Options(NamedTuple):
    """The arguments of the command line."""

    rounds: int
    only: str


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


FLOORS: dict[str, tuple[str, str, float | str]] = {
    "evaluated": ("signature", "`inspect.signature`", 2.0),
    "string": ("signature + hints", "(`inspect.signature` + `get_type_hints`)", 1.0),
    "deferred": ("signature", "`inspect.signature`", ""),
}
"""The comparisons of a cold tool: the other side, its name, and the highest ratio that is good."""


def cold_tools(options: Options) -> Report:
    rows, figures = [], []
    for shape, mode, times in cold.measure(options.rounds):
        floor, written, most = FLOORS[mode]
        value = ratio(times["milo_schema"], times[floor])
        medians = [median(taken, 1e3) for taken in times.values()]
        rows.append([f"{shape}, {mode}", *medians, *spread(value)])
        what = f"cold tool, {shape}, {mode} / {written}"
        figures.append(Figure(what, value, most if shape == "plain" else ""))
    heads = ["µs", "`function_to_schema`", "the same again", "`signature`"]
    heads += ["`signature` + `get_type_hints`", "by hand", "of its floor", "quartiles"]
    return Report(figures, table(heads, rows))


def docstrings_alone(options: Options) -> Report:
    figures = [
        Figure(
            "a docstring of five plain entries / the function without it, in instructions",
            Spread.of([docstrings.instructions()]),
            1.7,
        )
    ]
    times = docstrings.measure(options.rounds)
    rows = [[name, median(taken, 1e6)] for name, taken in times.items()]
    if theirs := times.get(docstrings.PEER):
        what = f"`parse_docstring` / `{docstrings.PEER}`, docstrings of installed packages"
        figures.append(Figure(what, ratio(times["milo_schema"], theirs), 0.25))
    return Report(figures, table(["ms for 500 docstrings of installed packages", "median"], rows))


def whole_processes(options: Options) -> Report:
    rows, figures = [], []
    with tempfile.TemporaryDirectory() as folder:
        interpreters = processes.Interpreters(Path(folder))
        kinds = itertools.product(PROCESSES, ("", "import typing"), (1, 50, 500))
        for shape, before, count in kinds:
            head = f"{before}\n{interpreters.write_tools(shape, count)}"
            derive = processes.DERIVE_BOTH if shape == SIMPLE else processes.DERIVE
            times = processes.processor_times(interpreters, options.rounds, head, derive)
            value = ratio(times["derive"], times["define"])
            name = f"{count} {shape}" + (f", after `{before}`" if before else "")
            rows.append([name, *(median(each, 1e6) for each in times.values()), *spread(value)])
            if count == 50:
                what = f"whole process, {name} / the same without derivation"
                figures.append(Figure(what, value, PROCESSES[shape]))
        head = interpreters.write_tools(REALISTIC, 1)
        first = processes.first_derivation(interpreters, options.rounds, head)
    what = f"first derivation after the imports, {REALISTIC}, in ms"
    figures.append(Figure(what, Spread.of([each / 1e6 for each in first]), 4.5))
    heads = ["processor time in ms", "defined", "and derived", "ratio", "quartiles"]
    return Report(figures, table(heads, rows))


def memory(options: Options) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        interpreters = processes.Interpreters(Path(folder))
        head = interpreters.write_tools(DOCUMENTED, 500)
        found = processes.peaks(interpreters, options.rounds, head)
    rounds = list(zip(*found.values(), strict=True))
    beyond_bare = [derive - bare - (load - define) for bare, define, load, derive in rounds]
    beyond_all = [derive - load for _, _, load, derive in rounds]
    figures = [
        Figure(f"peak of 500 tools, {DOCUMENTED}, beyond {what}, in MiB", mebibytes(taken), 4)
        for what, taken in {
            "a bare interpreter and the schemas": beyond_bare,
            "a process with the functions and the schemas": beyond_all,
        }.items()
    ]
    rows = [[name, *spread(mebibytes(taken))] for name, taken in found.items()]
    return Report(figures, table(["peak in MiB", "median", "quartiles"], rows))


def mebibytes(kibibytes: list[float]) -> Spread:
    return Spread.of([each / 1024 for each in kibibytes])


def growth_along_axes(options: Options) -> Report:
    axes = {name: axis for name, axis in growth.AXES.items() if options.only in name}
    rounds = max(3, options.rounds // 4)
    rows, slopes = [], {}
    for name, axis in axes.items():
        least, most = axis.sizes[0], axis.sizes[-1]
        row = [f"{name}, {least} to {most:,}"]
        for profile in ("MILO", "MCP"):
            found = growth.measure(axis, rounds, getattr(profiles, profile))
            slopes[f"{name}, {profile}"] = found.slope
            row += [number(found.times[size] / 1e3) for size in (least, most)] + spread(found.slope)
        rows.append(row)
    worst = max(slopes, key=lambda name: slopes[name].median)
    figures = [Figure(f"worst growth along any axis ({worst})", slopes[worst], 1.3)]
    heads = ["axis", *("µs, least", "µs, most", "slope", "quartiles") * 2]
    return Report(figures, table([*heads[:5], *(f"{head}, `MCP`" for head in heads[5:])], rows))


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
