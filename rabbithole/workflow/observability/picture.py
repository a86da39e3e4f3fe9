"""A diagram of nodes and arrows as one self-contained HTML page without scripts, fonts or links.

A node's column is its distance from the start nodes (breadth first, which also handles loops). Within a column, nodes
are ordered by the mean row of their predecessors (the barycentre method: Sugiyama, Tagawa and Toda 1981).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

import networkx

from rabbithole.kb.models import Model
from rabbithole.kb.xml_text import xml_text

COLUMN, ROW, WIDTH, HEIGHT, MARGIN = 250, 46, 190, 30, 20
LETTERS = 28
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ margin: 0; background: #fff; overflow: auto }}
text {{ font: 12px system-ui, sans-serif; fill: #1c1917; text-anchor: middle }}
text.line {{ font-size: 10px; fill: #57534e; stroke: #fff; stroke-width: 3px; paint-order: stroke }}
path.line {{ fill: none; stroke: #78716c; stroke-width: 1.2; marker-end: url(#head) }}
path.dashed {{ stroke-dasharray: 4 3 }}
path.back {{ stroke: #d6d3d1 }}
</style></head><body>
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img"><title>{title}</title>
<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0L8 4L0 8z" fill="#78716c"/></marker></defs>
{parts}
</svg></body></html>
"""


class Spot(Model):
    """A node of a diagram. ``colour`` is a constant of ours, never text from a document."""

    id: str
    label: str
    colour: str
    box: bool = False


class Arrow(Model):
    """An edge of a diagram."""

    source: str
    target: str
    label: str = ""
    dashed: bool = False


def picture(title: str, spots: Sequence[Spot], lines: Sequence[Arrow]) -> str:
    """Return the page. Titles and labels are escaped and shown as text."""
    places = laid_out([spot.id for spot in spots], [(line.source, line.target) for line in lines])
    width = max((x for x, _ in places.values()), default=0) + WIDTH + MARGIN
    height = max((y for _, y in places.values()), default=0) + HEIGHT + 3 * MARGIN
    parts = [*(_line(line, places) for line in lines), *(_spot(spot, places[spot.id]) for spot in spots)]
    return PAGE.format(title=xml_text(title), width=width, height=height, parts="\n".join(parts))


def laid_out(ids: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """Return the upper left corner of every node in pixels. The layout is deterministic."""
    net = networkx.DiGraph()
    net.add_nodes_from(ids)
    net.add_edges_from(edges)
    depths = _depths(net, ids)
    rows: dict[str, float] = {}
    places: dict[str, tuple[int, int]] = {}
    for depth in range(max(depths.values(), default=-1) + 1):
        column = [one for one in ids if depths[one] == depth]
        wished = {
            one: fmean(known)
            for one in column
            if (known := [rows[before] for before in net.predecessors(one) if before in rows])
        }
        for row, one in enumerate(sorted(column, key=lambda one: wished.get(one, float("inf")))):
            rows[one] = row
            places[one] = (MARGIN + depth * COLUMN, MARGIN + row * ROW)
    return places


def _depths(net: networkx.DiGraph, ids: Sequence[str]) -> dict[str, int]:
    """Return the column of every node. A loop that no start node leads to starts at its first node."""
    depths: dict[str, int] = {}
    waiting = [[one for one in ids if net.in_degree(one) == 0], *([one] for one in ids)]
    for begins in waiting:
        fresh = [one for one in begins if one not in depths]
        for depth, layer in enumerate(networkx.bfs_layers(net, fresh) if fresh else ()):
            for one in layer:
                depths.setdefault(one, depth)
    return depths


def _line(line: Arrow, places: Mapping[str, tuple[int, int]]) -> str:
    x1, y1 = places[line.source][0] + WIDTH, places[line.source][1] + HEIGHT / 2
    x2, y2 = places[line.target][0], places[line.target][1] + HEIGHT / 2
    kind = "line dashed" if line.dashed else "line"
    if x2 > x1:
        middle = (x1 + x2) / 2
        path = f"M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}"
    else:  # a backward edge: from bottom to bottom, below the nodes in between
        kind += " back"
        start, end, low = x1 - WIDTH / 2, x2 + WIDTH / 2, max(y1, y2) + 65
        path = f"M{start} {y1 + HEIGHT / 2}C{start} {low} {end} {low} {end} {y2 + HEIGHT / 2}"
    drawn = f'<path class="{kind}" d="{path}"/>'
    if not line.label:
        return drawn
    text = f'<text class="line" x="{(x1 + x2) / 2}" y="{(y1 + y2) / 2 - 3}">{xml_text(_clipped(line.label))}</text>'
    return f"<g><title>{xml_text(line.label)}</title>{drawn}{text}</g>"


def _spot(spot: Spot, place: tuple[int, int]) -> str:
    x, y = place
    return (
        f'<g><title>{xml_text(spot.label)}</title><rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" '
        f'rx="{4 if spot.box else HEIGHT // 2}" fill="{spot.colour}"/>'
        f'<text x="{x + WIDTH // 2}" y="{y + 19}">{xml_text(_clipped(spot.label))}</text></g>'
    )


def _clipped(text: str) -> str:
    return text if len(text) <= LETTERS else f"{text[: LETTERS - 1].rstrip()}…"
