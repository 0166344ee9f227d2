"""The report of ``check --cost``: the cost of each tool in a request, and how to reduce it."""

from __future__ import annotations

from milo_schema.annotations import Any, Mapping
from milo_schema.costs import Cost, cost_of, saved_by_definitions, saved_by_short_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.cli.terminal import Console
    from milo_schema.tools import ToolSchema
else:
    Console = ToolSchema = Any

__all__ = ["print_costs"]


def print_costs(tools: Mapping[str, ToolSchema], console: Console, *, as_json: bool) -> None:
    """Print the costs of tools, the most expensive one first.

    Args:
        tools: The definitions, by their names on the command line.
        console: Where to print.
        as_json: Whether to print JSON.
    """
    costs = {name: cost_of(tool) for name, tool in tools.items()}
    costs = dict(sorted(costs.items(), key=lambda item: -item[1][0].characters))
    total = Cost("total", sum(parts[0].characters for parts in costs.values()))
    savings = {
        "definitions": Cost("", sum(map(saved_by_definitions, tools.values()))),
        "sentences": Cost("", sum(map(saved_by_short_texts, tools.values()))),
    }
    if as_json:
        rows = [_row(name, each, parts) for name, parts in costs.items() for each in parts]
        saved = {name: _numbers(each) for name, each in savings.items()}
        console.write_json({"costs": rows, "total": _numbers(total), "savings": saved})
        return
    _print_table({**costs, "total": [total]}, console)
    for name, saving in savings.items():
        if saving.characters and not console.is_quiet:
            numbers = f"{saving.characters:,} characters ({saving.tokens:,} tokens)"
            console.write(f"{_SAVINGS[name]} would save about {numbers}")


_SAVINGS = {
    "definitions": "shared types in $defs (a profile with inline='auto')",
    "sentences": "descriptions of one sentence each",
}


def _print_table(costs: Mapping[str, list[Cost]], console: Console) -> None:
    names = [
        name if part is parts[0] else f"  {_place(part, parts)}"
        for name, parts in costs.items()
        for part in parts
    ]
    wide = max(map(len, names))
    console.write(f"{'':{wide}}  characters  tokens")
    every = [part for parts in costs.values() for part in parts]
    for name, part in zip(names, every, strict=True):
        padded = f"{name:{wide}}"
        shown = padded if name.startswith(" ") else console.paint(padded, "bold")
        console.write(f"{shown}  {part.characters:>10,}  {part.tokens:>6,}")


def _place(part: Cost, parts: list[Cost]) -> str:
    return part.place.removeprefix(parts[0].place)


def _row(name: str, part: Cost, parts: list[Cost]) -> dict[str, Any]:
    return {"tool": name, "place": _place(part, parts), **_numbers(part)}


def _numbers(cost: Cost) -> dict[str, int]:
    return {"characters": cost.characters, "tokens": cost.tokens}
