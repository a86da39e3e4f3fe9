"""The reference graph: nodes, edges, broken and missing ones, kept by generation, written as three formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx
import pytest
from library import SmallDocument, SmallLibrary, small_document

from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Place, Reference, Resolution
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.graph.collection_graph import CollectionGraph, build_graph, collection_graph, graph_path
from rabbithole.kb.references.graph.export import to_graphml, to_html, write_graph
from rabbithole.kb.references.names.known_works import KnownWorks
from rabbithole.kb.references.names.name_index import NameIndex
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.resolve import Resolver

KNOWN = KnownWorks([("AtG", "Atomgesetz"), ("AtEV", "Atomrechtliche Entsorgungsverordnung"), ("DüngG", "Düngegesetz")])


class LinkedLibrary(SmallLibrary):
    """A small library that detects and resolves."""

    def __init__(self, documents: list[SmallDocument], generation: int = 1) -> None:
        super().__init__(documents)
        self.generation = generation
        registry = Registry(self.documents(), known=KNOWN)
        self._names = NameIndex(registry.names())
        self._resolver = Resolver(self, registry)
        self.asked = 0

    def references(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Reference, ...]:
        return tuple(detect(self.text(document_id), names=self._names, language="de"))

    def resolve(self, reference: Reference, *, at: Place | None = None) -> Resolution:
        self.asked += 1
        return self._resolver.resolve(reference, at)


def library(generation: int = 1) -> LinkedLibrary:
    return LinkedLibrary(
        [
            small_document(
                "AtG.pdf",
                "Gesetz <script>alert(1)</script> (Atomgesetz - AtG)",
                {"§ 1": "§ 1 Zweck\nEs gilt § 2 der Atomrechtlichen Entsorgungsverordnung.", "§ 2": "§ 2 Rest\nText."},
            ),
            small_document(
                "AtEV.pdf",
                "Verordnung (Atomrechtliche Entsorgungsverordnung - AtEV)",
                {
                    "§ 1": "§ 1 Anwendung\nNach § 2 AtG und § 77 AtG sowie § 3 des Düngegesetzes und § 5 DüngG.",
                    "§ 2": "§ 2 Begriffe\nText\x01.",
                },
            ),
        ],
        generation,
    )


def graph() -> CollectionGraph:
    return build_graph(library(), "C")


def test_nodes_and_edges() -> None:
    built = graph()
    kinds = {node.id: node.kind for node in built.nodes}
    edges = {(edge.source, edge.target): edge for edge in built.edges}
    assert kinds["C-AtG.pdf"] == "document"
    assert edges["C-AtG.pdf:s0", "C-AtEV.pdf:s1"].text.startswith("§ 2 der Atomrechtlichen")
    assert kinds[next(target for source, target in edges if "§ 77" in target)] == "broken"
    missing = [edge for edge in built.edges if kinds[edge.target] == "missing"]
    assert [(edge.source, edge.times) for edge in missing] == [("C-AtEV.pdf:s0", 2)]


def test_missing_says_what_by_whom_and_how_often() -> None:
    work = next(each for each in graph().missing if each.kind == "law")
    assert (work.name, work.times) == ("Düngegesetz (DüngG)", 2)
    assert [(by.file, by.times) for by in work.cited_by] == [("AtEV.pdf", 2)]
    assert any(each.kind == "section" and each.name == "AtG § 77" for each in graph().missing)


def test_kept_until_the_generation_changes(tmp_path: Path) -> None:
    reader = library()
    first = collection_graph(reader, "C", tmp_path)
    asked = reader.asked
    assert collection_graph(reader, "C", tmp_path) == first
    assert reader.asked == asked
    assert collection_graph(library(generation=2), "C", tmp_path).generation == 2
    graph_path(tmp_path, "C").write_text("{", encoding="utf-8")
    assert collection_graph(reader, "C", tmp_path) == first


def test_collection_names_stay_in_the_folder(tmp_path: Path) -> None:
    assert graph_path(tmp_path, "../../etc").parent == tmp_path / "graphs"


def test_page_is_self_contained_and_escapes_what_documents_say() -> None:
    page = to_html(graph())
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "Düngegesetz" in page
    assert "AtG § 77" in page


def test_graphml_is_read_by_other_tools() -> None:
    net: Any = networkx.parse_graphml(to_graphml(graph()))
    assert net.nodes["C-AtEV.pdf"]["kind"] == "document"
    assert any(data["kind"] == "missing" for _, data in net.nodes(data=True))


def test_written_by_suffix(tmp_path: Path) -> None:
    for suffix in (".html", ".graphml", ".json"):
        write_graph(graph(), tmp_path / f"graph{suffix}")
    assert json.loads((tmp_path / "graph.json").read_text(encoding="utf-8"))["collection"] == "C"
    with pytest.raises(UsageError, match="suffix"):
        write_graph(graph(), tmp_path / "graph.docx")


def test_empty_collection() -> None:
    assert to_html(build_graph(LinkedLibrary([]), "none"))
