"""The reference graph: nodes, edges, broken and missing ones, kept by generation, written as three formats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx
import pytest
from kb_records import knowledge_base, record

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Reference, Resolution
from rabbithole.kb.references.graph.collection_graph import CollectionGraph
from rabbithole.kb.references.graph.export import to_graphml, to_html, write_graph
from rabbithole.kb.references.graph.missing import missing_kind
from rabbithole.kb.store.records import IndexedDocument


def law(name: str, title: str, *sections: tuple[str, str]) -> IndexedDocument:
    made = record(name, sections, collection="C")
    return made.model_copy(update={"document": made.document.model_copy(update={"title": title})})


LAWS = (
    law(
        "AtG",
        "Gesetz <script>alert(1)</script> (Atomgesetz - AtG)",
        ("§ 1", "Zweck\nEs gilt § 2 der Atomrechtlichen Entsorgungsverordnung."),
        ("§ 2", "Rest\nText."),
    ),
    law(
        "AtEV",
        "Verordnung (Atomrechtliche Entsorgungsverordnung - AtEV)",
        ("§ 1", "Anwendung\nNach § 2 AtG und § 77 AtG sowie § 3 des Düngegesetzes und § 5 DüngG."),
        ("§ 2", "Begriffe\nText\x01."),
    ),
)


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with knowledge_base(tmp_path_factory.mktemp("graph"), *LAWS) as opened:
        yield opened


@pytest.fixture(scope="module")
def graph(kb: KnowledgeBase) -> CollectionGraph:
    return kb.collection_graph("C")


def test_nodes_and_edges(graph: CollectionGraph) -> None:
    kinds = {node.id: node.kind for node in graph.nodes}
    edges = {(edge.source, edge.target): edge for edge in graph.edges}
    assert kinds["AtG"] == "document"
    assert edges["AtG:s0", "AtEV:s1"].text.startswith("§ 2 der Atomrechtlichen")
    assert kinds[next(target for source, target in edges if "§ 77" in target)] == "broken"
    missing = [edge for edge in graph.edges if kinds[edge.target] == "missing"]
    assert [(edge.source, edge.times) for edge in missing] == [("AtEV:s0", 2)]


def test_missing_says_what_by_whom_and_how_often(graph: CollectionGraph) -> None:
    work = next(each for each in graph.missing if each.kind == "law")
    assert (work.name, work.times) == ("Düngegesetz (DüngG)", 2)
    assert [(by.file, by.times) for by in work.cited_by] == [("AtEV.pdf", 2)]
    assert any(each.kind == "section" and each.name == "AtG § 77" for each in graph.missing)


def test_page_is_self_contained_and_escapes_what_documents_say(graph: CollectionGraph) -> None:
    page = to_html(graph)
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "Düngegesetz" in page
    assert "AtG § 77" in page


def test_graphml_is_read_by_other_tools(graph: CollectionGraph) -> None:
    net: Any = networkx.parse_graphml(to_graphml(graph))
    assert net.nodes["AtEV"]["kind"] == "document"
    assert any(data["kind"] == "missing" for _, data in net.nodes(data=True))


def test_written_by_suffix(graph: CollectionGraph, tmp_path: Path) -> None:
    for suffix in (".html", ".graphml", ".json"):
        write_graph(graph, tmp_path / f"graph{suffix}")
    assert json.loads((tmp_path / "graph.json").read_text(encoding="utf-8"))["collection"] == "C"
    with pytest.raises(UsageError, match="suffix"):
        write_graph(graph, tmp_path / "graph.docx")


def test_a_collection_without_references(kb: KnowledgeBase) -> None:
    assert to_html(CollectionGraph(collection="none", generation=1, nodes=(), edges=()))
    with pytest.raises(UsageError, match="no collection"):
        kb.collection_graph("none")


def test_who_refers_to_a_section(kb: KnowledgeBase) -> None:
    (to_paragraph,) = kb.cited_by("AtG", "AtG:s1")
    assert (to_paragraph.file, to_paragraph.label, to_paragraph.to) == ("AtEV.pdf", "§ 1", "§ 2")
    assert kb.cited_by("AtG", "AtG:s0") == ()
    assert [each.section for each in kb.cited_by("AtEV")] == ["AtG:s0"]
    assert kb.times_cited("AtEV") == {"AtEV:s1": 1}


def test_a_quoted_word_of_a_sentence_is_no_missing_document() -> None:
    reference = Reference(start=0, end=15, text='document "free"', kind="document", target="free", document="free")
    absent = Resolution(status="missing", rule="no document goes by this name", name="free")
    assert missing_kind(reference, absent) is None
    assert missing_kind(reference, absent.model_copy(update={"name": "Free Works"})) == "document"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("https://example.org/impala", None),
        ("A. Doe. Private Communication.", None),
        ("Müller, A.: Mündliche Mitteilung, 1986", None),
        ("Doe, A., Private communications networks, 1986, https://example.org", "literature"),
        ("Doe, A., Address Allocation for Private Internets", "literature"),
    ],
)
def test_an_address_or_what_somebody_said_is_no_missing_document(name: str, kind: str | None) -> None:
    reference = Reference(start=0, end=3, text="[6]", kind="academic_numbered", target="6")
    assert missing_kind(reference, Resolution(status="missing", rule="not held", name=name)) == kind
