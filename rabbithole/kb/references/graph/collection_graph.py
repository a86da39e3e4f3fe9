"""The reference graph of a collection: documents, sections, references between them, broken and missing targets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

from pydantic import Field

from rabbithole.kb.models import Document, Model, ReferenceKind, Section
from rabbithole.kb.store.catalog import CatalogReader
from rabbithole.kb.store.reference_rows import ReferenceRow

from .missing import Lack, Missing, collect_missing
from .reference_graph import StoredReferences

FORMAT = 1
NodeKind = Literal["document", "section", "missing", "broken", "ambiguous"]


class CollectionNode(Model):
    """A node. ``broken``: a held document lacks the section named; ``missing``: the work is not held."""

    id: str
    kind: NodeKind
    label: str
    document: str | None = Field(default=None, description="id of the document a section belongs to")
    file: str = ""
    page: str = Field(default="", description="label of the page a section begins on")


class CollectionEdge(Model):
    source: str
    target: str
    kind: ReferenceKind
    times: int
    text: str = Field(description="one mention as it stands in the text")


class CollectionGraph(Model):
    """The graph of a collection. Its nodes are the documents and those sections that refer or are referred to."""

    format: int = FORMAT
    collection: str
    generation: int
    nodes: tuple[CollectionNode, ...]
    edges: tuple[CollectionEdge, ...]
    missing: tuple[Missing, ...] = ()

    @property
    def references(self) -> int:
        """Return how many references there are; an edge stands for all between two places."""
        return sum(edge.times for edge in self.edges)


class _Edge(NamedTuple):
    source: str
    target: str
    kind: ReferenceKind


def _section(catalog: CatalogReader, document: str, position: int | None) -> str:
    """Return the number of the section a reference stands in, or its heading if it has none."""
    outline = catalog.outline(document) if position is not None else ()
    section = outline[position] if position is not None and position < len(outline) else None
    return (section.number or section.heading) if section else ""


def collection_graph(graph: StoredReferences, catalog: CatalogReader, collection: str) -> CollectionGraph:
    """Return the references of a collection's documents as nodes and edges, read from the stored rows."""
    graph.update()
    stored = {entry.ordinal: entry.document for entry in catalog.all_stored()}
    drawing = _Drawing(stored, catalog)
    lacks: list[Lack] = []
    for document in catalog.documents(collection):
        drawing.add(_document_node(document))
    for row in graph.rows.of_collection(collection):
        source = stored[row.source]
        if drawing.refer(row) and row.lacks:
            lacks.append(Lack(row.lacks, row.name, source.id, source.file, _section(catalog, source.id, row.section)))
    return CollectionGraph(
        collection=collection,
        generation=catalog.generation,
        nodes=tuple(drawing.nodes.values()),
        edges=drawing.edges(),
        missing=collect_missing(lacks),
    )


class _Drawing:
    """Collects nodes, each once, and counts how often one refers to another."""

    def __init__(self, documents: Mapping[int, Document], catalog: CatalogReader) -> None:
        self._documents, self._catalog = documents, catalog
        self.nodes: dict[str, CollectionNode] = {}
        self._times: Counter[_Edge] = Counter()
        self._samples: dict[_Edge, str] = {}

    def add(self, node: CollectionNode) -> CollectionNode:
        return self.nodes.setdefault(node.id, node)

    def refer(self, row: ReferenceRow) -> bool:
        """Add a reference; return False if its target cannot be drawn."""
        target = self._target(row)
        if target is None:
            return False
        source = self._section(row.source, row.section) or _document_node(self._documents[row.source])
        edge = _Edge(self.add(source).id, self.add(target).id, row.kind)
        self._times[edge] += 1
        self._samples.setdefault(edge, row.text)
        return True

    def edges(self) -> tuple[CollectionEdge, ...]:
        return tuple(
            CollectionEdge(
                source=edge.source, target=edge.target, kind=edge.kind, times=count, text=self._samples[edge]
            )
            for edge, count in self._times.items()
        )

    def _target(self, row: ReferenceRow) -> CollectionNode | None:
        """Return the node a reference leads to, or None for web addresses and targets without a name."""
        if row.status == "ambiguous":
            return CollectionNode(id=f"ambiguous:{row.name}", kind="ambiguous", label=row.name)
        held = self._documents.get(row.target) if row.target is not None else None
        if row.status == "missing":
            if row.lacks is None:
                return None
            if row.lacks == "section" and held is not None:
                return CollectionNode(
                    id=f"broken:{row.name}", kind="broken", label=row.name, document=held.id, file=held.file
                )
            return CollectionNode(id=f"missing:{row.name}", kind="missing", label=row.name)
        if held is None or row.target is None:
            return None
        return self._section(row.target, row.target_section, numbered=False) or _document_node(held)

    def _section(self, ordinal: int, position: int | None, *, numbered: bool = True) -> CollectionNode | None:
        """Return a section as a node; with ``numbered``, only a section that has a number, else None."""
        document = self._documents[ordinal]
        outline: tuple[Section, ...] = self._catalog.outline(document.id)
        if position is None or position >= len(outline) or (numbered and not outline[position].number):
            return None
        section = outline[position]
        return CollectionNode(
            id=section.id,
            kind="section",
            label=section.label or document.title,
            document=document.id,
            file=document.file,
            page=section.page_label,
        )


def _document_node(document: Document) -> CollectionNode:
    return CollectionNode(
        id=document.id, kind="document", label=document.title, document=document.id, file=document.file
    )
