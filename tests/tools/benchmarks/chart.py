"""A chart as SVG, which a page shows without any program or network."""

from __future__ import annotations

from html import escape

from tests.tools.benchmarks.tables import number

ROW, LABELS, BARS, VALUES = 26, 150, 150, 64
"""Pixels: the height of a row, and the widths of its three parts."""

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>{title}</title>
<style>
text {{ font: 14px sans-serif; fill: #59636e }}
rect {{ fill: #8c959f }}
.ours {{ fill: #0969da }}
@media (prefers-color-scheme: dark) {{ text {{ fill: #a3abb4 }} .ours {{ fill: #4c9cff }} }}
</style>
<text x="8" y="18">{title}</text>
"""
BAR = """<text x="{label}" y="{text}" text-anchor="end">{name}</text>
<rect x="{start}" y="{top}" width="{width:.1f}" height="18" rx="3"{ours}/>
<text x="{end:.1f}" y="{text}">{value}</text>
"""


def bars(title: str, values: dict[str, float], ours: str) -> str:
    """A title, and a bar for each value, the shortest first; that of *ours* has another color."""
    longest = max(values.values())
    svg = HEAD.format(
        title=escape(title), width=LABELS + BARS + VALUES, height=ROW * (len(values) + 1) + 4
    )
    for at, name in enumerate(sorted(values, key=values.__getitem__), start=1):
        width = BARS * values[name] / longest
        svg += BAR.format(
            name=escape(name),
            value=number(values[name]),
            label=LABELS - 8,
            start=LABELS,
            end=LABELS + width + 6,
            width=max(width, 1),
            top=ROW * at + 4,
            text=ROW * at + 18,
            ours=' class="ours"' if name == ours else "",
        )
    return f"{svg}</svg>\n"
