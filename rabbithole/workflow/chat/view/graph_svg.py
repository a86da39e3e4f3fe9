"""The map as one self-contained SVG file without scripts, fonts or links."""

from __future__ import annotations

from rabbithole.kb.xml_text import xml_text

from .graph_layout import HEIGHT, WIDTH, GraphLayout, MapEdge, MapNode

STYLE = """
text { font: 12px system-ui, sans-serif; fill: #1c1917 } .section { font-size: 11px; fill: #57534e }
rect { fill: #ffffff; stroke: #0f766e; stroke-width: 1.5 } .known rect { stroke: #a8a29e }
.answers rect { fill: #d9eeeb; stroke-width: 2.5 } .answers text { font-weight: 600 }
.missing rect { stroke: #b45309; stroke-dasharray: 5 3 }
path { fill: none; stroke-width: 1.5 } .follow { stroke: #0f766e } .skip { stroke: #a8a29e; stroke-dasharray: 2 3 }
.missing-line { stroke: #b45309; stroke-dasharray: 5 3 }
"""
LABEL_CHARACTERS = 27
DOCUMENT_SIZE, SECTION_SIZE, PADDING = 12, 11, 10
_NARROW, _USUAL, _WIDE = 0.36, 0.62, 0.86
"""Widths of letters as shares of the font size."""


def curve(source: MapNode, target: MapNode) -> str:
    """Return the SVG path from the right edge of one node to the left edge of the other; backward edges bend below."""
    x1, y1 = source.x + WIDTH, source.y + HEIGHT / 2
    x2, y2 = target.x, target.y + HEIGHT / 2
    if x2 > x1:
        middle = (x1 + x2) / 2
        return f"M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}"
    x2 = target.x + WIDTH
    bend = max(x1, x2) + 40
    return f"M{x1} {y1}C{bend} {y1} {bend} {y2} {x2} {y2}"


def split_label(label: str) -> tuple[str, str]:
    """Return document and section of a label such as 'StrlSchG, § 78 Grenzwerte'."""
    document, _, section = label.partition(", ")
    return document, section


def halves(node: MapNode) -> tuple[str, str]:
    """Return the two lines of a node's label; the name of a missing document uses both."""
    if node.document is not None:
        return split_label(node.label)
    if len(node.label) <= LABEL_CHARACTERS:
        return node.label, ""
    end = node.label.rfind(" ", 0, LABEL_CHARACTERS + 1)
    return (node.label, "") if end < 0 else (node.label[:end], node.label[end:].strip())


def clipped(text: str, size: int) -> str:
    """Return as much of a text as a box holds in this font size; widths are those of a wide sans-serif."""
    if _width(text, size) <= WIDTH - 2 * PADDING:
        return text
    end = next(
        end for end in range(len(text), -1, -1) if _width(f"{text[:end].rstrip()}…", size) <= WIDTH - 2 * PADDING
    )
    return f"{text[:end].rstrip()}…"


def _width(text: str, size: int) -> float:
    return size * sum(
        _NARROW if one in "ijltfrI.,:;'()-– " else _WIDE if one in "mwMW" or one.isupper() else _USUAL for one in text
    )


def to_svg(layout: GraphLayout, title: str) -> str:
    """Return the whole map in light colours on white, so that it prints well."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{layout.width}" height="{layout.full_height}" '
        f'viewBox="0 0 {layout.width} {layout.full_height}" role="img"><title>{xml_text(title)}</title>'
        f"<style>{STYLE}</style>"
        f'<rect width="100%" height="100%" style="fill:#fff;stroke:none"/>',
        *(_edge(edge, layout) for edge in layout.edges),
        *(_node(node) for node in layout.nodes),
        "</svg>",
    ]
    return "\n".join(parts)


def _edge(edge: MapEdge, layout: GraphLayout) -> str:
    path = curve(layout.nodes[edge.source], layout.nodes[edge.target])
    name = "missing-line" if edge.line == "missing" else edge.line
    note = xml_text(" – ".join(part for part in (edge.text, edge.decision, edge.reason) if part))
    return f'<path class="{name}" d="{path}"><title>{note}</title></path>'


def _node(node: MapNode) -> str:
    document, section = halves(node)
    return (
        f'<g class="{"answers" if node.answers else node.status}"><title>{xml_text(node.label)}</title>'
        f'<rect x="{node.x}" y="{node.y}" width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
        f'<text x="{node.x + 10}" y="{node.y + 18}">{xml_text(clipped(document, DOCUMENT_SIZE))}</text>'
        f'<text class="section" x="{node.x + 10}" y="{node.y + 34}">'
        f"{xml_text(clipped(section, SECTION_SIZE))}</text></g>"
    )
