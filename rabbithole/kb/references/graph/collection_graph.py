"""The reference graph of a collection: documents and sections, what leads where, what is broken or missing."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from pydantic import Field, ValidationError

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.models import Document, Model, Place, Reference, ReferenceKind, Resolution
from rabbithole.kb.references.resolution.reader import Reader
from rabbithole.kb.references.resolution.section_index import SectionIndex

from .missing import Mention, Missing, collect_missing, missing_kind

FORMAT = 1
NodeKind = Literal["document", "section", "missing", "broken", "ambiguous"]


class GraphReader(Reader, Protocol):
    """A reader that also gives references and resolves them: the facade."""

    def references(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Reference, ...]: ...

    def resolve(self, reference: Reference, *, at: Place | None = None) -> Resolution: ...


class GraphNode(Model):
    """``broken``: a held document without the section named; ``missing``: a work that is not held."""

    id: str
    kind: NodeKind
    label: str
    document: str | None = Field(default=None, description="id of the document a section belongs to")
    file: str = ""
    page: str = Field(default="", description="label of the page a section begins on")


class GraphEdge(Model):
    source: str
    target: str
    kind: ReferenceKind
    times: int
    text: str = Field(description="one mention as it stands in the text")


class CollectionGraph(Model):
    """Nodes are documents and those sections that refer or are referred to."""

    format: int = FORMAT
    collection: str
    generation: int
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    missing: tuple[Missing, ...] = ()


class _Edge(NamedTuple):
    source: str
    target: str
    kind: ReferenceKind


def build_graph(reader: GraphReader, collection: str) -> CollectionGraph:
    """Resolve every reference of a collection's documents. Linear in their number."""
    nodes: dict[str, GraphNode] = {}
    times: Counter[_Edge] = Counter()
    samples: dict[_Edge, str] = {}
    mentions: list[Mention] = []
    documents = {document.id: document for document in reader.documents()}
    for document in reader.documents(collection):
        nodes[document.id] = _document_node(document)
        index = SectionIndex(reader.outline(document.id))
        for mention, standing in _mentions(reader, document, index):
            target = _target_node(mention, documents)
            if target is None:
                continue
            mentions.append(mention)
            source = standing or nodes[document.id]
            for node in (source, target):
                nodes.setdefault(node.id, node)
            edge = _Edge(source.id, target.id, mention.reference.kind)
            times[edge] += 1
            samples.setdefault(edge, " ".join(mention.reference.text.split())[:200])
    edges = tuple(
        GraphEdge(source=edge.source, target=edge.target, kind=edge.kind, times=count, text=samples[edge])
        for edge, count in times.items()
    )
    return CollectionGraph(
        collection=collection,
        generation=reader.generation,
        nodes=tuple(nodes.values()),
        edges=edges,
        missing=collect_missing(mentions),
    )


def collection_graph(reader: GraphReader, collection: str, folder: Path) -> CollectionGraph:
    """The kept graph, computed anew when the knowledge base has changed since. ``folder`` is the knowledge base's."""
    path = graph_path(folder, collection)
    kept = _read(path)
    if kept is not None and kept.generation == reader.generation and kept.collection == collection:
        return kept
    graph = build_graph(reader, collection)
    _write(path, graph)
    return graph


def graph_path(folder: Path, collection: str) -> Path:
    """Where a collection's graph is kept; the name is made safe for any file system."""
    safe = "".join(letter if letter.isalnum() or letter in "-_" else f"%{ord(letter):x}" for letter in collection)
    return folder / "graphs" / f"{safe}.json"


def _mentions(
    reader: GraphReader, document: Document, index: SectionIndex
) -> Iterator[tuple[Mention, GraphNode | None]]:
    for reference in reader.references(document.id):
        section = index.at(reference.start)
        at = Place(document=document.id, section=section.id if section else None, offset=reference.start)
        resolution = reader.resolve(reference, at=at)
        standing = None
        if section is not None and section.number:
            standing = GraphNode(
                id=section.id,
                kind="section",
                label=section.label,
                document=document.id,
                file=document.file,
                page=section.page_label,
            )
        yield Mention(document.id, document.file, reference, resolution), standing


def _target_node(mention: Mention, documents: dict[str, Document]) -> GraphNode | None:
    """The node a mention leads to; None for addresses and for what cannot be named."""
    resolution = mention.resolution
    if resolution.status == "ambiguous":
        return GraphNode(id=f"ambiguous:{resolution.name}", kind="ambiguous", label=resolution.name)
    if resolution.status == "missing":
        kind = missing_kind(mention.reference, resolution)
        if kind is None:
            return None
        if kind == "section" and resolution.document in documents:
            held = documents[resolution.document]
            return GraphNode(
                id=f"broken:{resolution.name}", kind="broken", label=resolution.name, document=held.id, file=held.file
            )
        return GraphNode(id=f"missing:{resolution.name}", kind="missing", label=resolution.name)
    document = documents[resolution.document or ""]
    if resolution.section is None:
        return _document_node(document)
    label = " ".join(part for part in (resolution.number, resolution.heading) if part)
    return GraphNode(
        id=resolution.section,
        kind="section",
        label=label or document.title,
        document=document.id,
        file=document.file,
        page=resolution.page_label or "",
    )


def _document_node(document: Document) -> GraphNode:
    return GraphNode(id=document.id, kind="document", label=document.title, document=document.id, file=document.file)


def _read(path: Path) -> CollectionGraph | None:
    """A kept graph; one of another format or a damaged one is computed anew."""
    try:
        return CollectionGraph.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
    except OSError as error:
        raise KnowledgeBaseError(f"Cannot read the kept reference graph {path}: {error}") from error


def _write(path: Path, graph: CollectionGraph) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(graph.model_dump_json())
        os.replace(temporary, path)
    except OSError as error:
        raise KnowledgeBaseError(f"Cannot keep the reference graph in {path}: {error}") from error
