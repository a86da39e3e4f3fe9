"""Writes the reference graph as an HTML page, as GraphML for other tools, or as JSON."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from string import Template

import networkx

from rabbithole.kb.errors import UsageError
from rabbithole.kb.xml_text import xml_characters, xml_text

from .collection_graph import CollectionGraph, CollectionNode

_DRAWN = {"document": 60, "missing": 24, "broken": 8, "ambiguous": 4}
"""Maximum number of nodes of each kind in the picture, best connected first; the lists below it are complete."""
_SIZE = 1000


def write_graph(graph: CollectionGraph, path: Path) -> None:
    """Write the graph in the format of the suffix: .html, .graphml or .json. Raises UsageError."""
    writers = {".html": to_html, ".graphml": to_graphml, ".json": to_json}
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise UsageError(f"{path.name}: a graph can be written as {', '.join(writers)}; choose one of these suffixes.")
    try:
        path.write_text(writer(graph), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror or error}.") from error


def to_json(graph: CollectionGraph) -> str:
    return graph.model_dump_json(indent=1)


def to_networkx(graph: CollectionGraph) -> networkx.MultiDiGraph:
    """Return the graph for networkx: nodes with kind, label, document, file, page; edges with kind, times, text."""
    net = networkx.MultiDiGraph(collection=graph.collection)
    for node in graph.nodes:
        attributes = {
            "kind": node.kind,
            "label": xml_characters(node.label),
            "document": node.document or "",
            "file": xml_characters(node.file),
            "page": xml_characters(node.page),
        }
        net.add_node(xml_characters(node.id), **attributes)
    for edge in graph.edges:
        net.add_edge(
            xml_characters(edge.source),
            xml_characters(edge.target),
            key=edge.kind,
            kind=edge.kind,
            times=edge.times,
            text=xml_characters(edge.text),
        )
    return net


def to_graphml(graph: CollectionGraph) -> str:
    target = BytesIO()
    networkx.write_graphml(to_networkx(graph), target)
    return target.getvalue().decode("utf-8")


def to_html(graph: CollectionGraph) -> str:
    """Return one self-contained page: a picture of the documents and lists of missing, broken and cited places."""
    by_id = {node.id: node for node in graph.nodes}
    page = Template((files(__package__) / "page.html").read_text(encoding="utf-8"))
    kinds = Counter(node.kind for node in graph.nodes)
    return page.substitute(
        title=xml_text(graph.collection),
        documents=kinds["document"],
        sections=kinds["section"],
        references=graph.references,
        broken=kinds["broken"],
        missing=kinds["missing"],
        picture=_picture(graph, by_id),
        missing_rows=_missing_rows(graph),
        broken_rows=_broken_rows(graph, by_id),
        cited_rows=_cited_rows(graph, by_id),
    )


def _document_edges(graph: CollectionGraph, by_id: dict[str, CollectionNode]) -> Counter[tuple[str, str]]:
    """Return edges between documents: sections count as their document, references within a document are left out."""
    edges: Counter[tuple[str, str]] = Counter()
    for edge in graph.edges:
        source, target = (_owner(by_id[end]) for end in (edge.source, edge.target))
        if source != target:
            edges[source, target] += edge.times
    return edges


def _owner(node: CollectionNode) -> str:
    return node.document if node.document and node.kind in ("document", "section") else node.id


def _picture(graph: CollectionGraph, by_id: dict[str, CollectionNode]) -> str:
    edges = _document_edges(graph, by_id)
    weight: Counter[str] = Counter()
    for (source, target), times in edges.items():
        weight[source] += times
        weight[target] += times
    drawn = [
        node.id
        for kind, most in _DRAWN.items()
        for node in sorted((each for each in graph.nodes if each.kind == kind), key=lambda each: -weight[each.id])[
            :most
        ]
    ]
    places = _layout(drawn, edges)
    most = max((times for (source, target), times in edges.items() if source in places and target in places), default=1)
    lines = [
        f'<line x1="{places[source][0]:.0f}" y1="{places[source][1]:.0f}" x2="{places[target][0]:.0f}" '
        f'y2="{places[target][1]:.0f}" stroke-width="{0.6 + 3.4 * math.sqrt(times / most):.1f}" '
        f'data-a="{_number(drawn, source)}" data-b="{_number(drawn, target)}"><title>{times}</title></line>'
        for (source, target), times in edges.items()
        if source in places and target in places
    ]
    heaviest = max(weight.values(), default=1)
    circles = []
    for number, identifier in enumerate(drawn):
        node, (x, y) = by_id[identifier], places[identifier]
        radius = 5 + 15 * math.sqrt(weight[identifier] / heaviest)
        circles.append(
            f'<g class="{node.kind}" data-n="{number}"><circle cx="{x:.0f}" cy="{y:.0f}" r="{radius:.0f}"/>'
            f'<text x="{x:.0f}" y="{y + radius + 12:.0f}">{xml_text(_short(node))}</text>'
            f"<title>{xml_text(node.label)} ({weight[identifier]})</title></g>"
        )
    return "\n".join([*lines, *circles])


def _layout(drawn: list[str], edges: Counter[tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """Return the position of each node in the picture; the same graph always gives the same picture."""
    net = networkx.Graph()
    net.add_nodes_from(drawn)
    shown = set(drawn)
    for (source, target), times in edges.items():
        if source in shown and target in shown:
            net.add_edge(source, target, weight=1 + math.log(times))
    places = networkx.spring_layout(net, seed=7, k=3.0 / math.sqrt(max(len(drawn), 1)), iterations=120)
    across, down = (_spread({each: float(place[axis]) for each, place in places.items()}) for axis in (0, 1))
    return {each: (_SIZE * (0.08 + 0.84 * across[each]), _SIZE * (0.05 + 0.9 * down[each])) for each in drawn}


def _spread(values: dict[str, float]) -> dict[str, float]:
    """Scale values to 0-1 by a mix of value and rank, which spreads crowded nodes and keeps neighbours together."""
    low, high = min(values.values(), default=0.0), max(values.values(), default=1.0)
    ranks = {each: rank for rank, each in enumerate(sorted(values, key=lambda one: (values[one], one)))}
    return {
        each: 0.35 * (value - low) / ((high - low) or 1.0) + 0.65 * ranks[each] / max(len(values) - 1, 1)
        for each, value in values.items()
    }


def _missing_rows(graph: CollectionGraph) -> str:
    return _rows(
        (each.kind, each.name, str(each.times), ", ".join(f"{by.file} ({by.times})" for by in each.cited_by[:8]))
        for each in graph.missing
        if each.kind != "section"
    )


def _broken_rows(graph: CollectionGraph, by_id: dict[str, CollectionNode]) -> str:
    return _rows(
        (_place(by_id[edge.source]), by_id[edge.target].label, edge.text, str(edge.times))
        for edge in graph.edges
        if by_id[edge.target].kind in ("broken", "ambiguous")
    )


def _cited_rows(graph: CollectionGraph, by_id: dict[str, CollectionNode]) -> str:
    """Return the table rows of cited places, most cited first, with the places that refer to them."""
    times: Counter[str] = Counter()
    sources: dict[str, set[str]] = defaultdict(set)
    for edge in graph.edges:
        if by_id[edge.target].kind in ("document", "section"):
            times[edge.target] += edge.times
            sources[edge.target].add(_place(by_id[edge.source]))
    return _rows(
        (_place(by_id[target]), by_id[target].page, str(count), "; ".join(sorted(sources[target])[:12]))
        for target, count in times.most_common(1000)
    )


def _rows(rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join("<tr>" + "".join(f"<td>{xml_text(cell)}</td>" for cell in row) + "</tr>" for row in rows)


def _place(node: CollectionNode) -> str:
    return f"{node.file}: {node.label}" if node.kind == "section" else node.label


def _short(node: CollectionNode) -> str:
    name = node.file.rsplit("/", 1)[-1].removesuffix(".pdf") if node.kind == "document" else node.label
    return name if len(name) <= 28 else name[:27] + "…"


def _number(drawn: list[str], identifier: str) -> int:
    return drawn.index(identifier)
