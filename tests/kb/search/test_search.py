"""Search through the facade, on real indexes with the hashing embedder."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kb_records import HASH, knowledge_base, put, record

from rabbithole.kb.errors import ModelError, UsageError
from rabbithole.kb.models import Filter
from rabbithole.kb.search.filters import matches, parse_filter
from rabbithole.kb.search.passages import Passages
from rabbithole.kb.store.ports import ChunkKey

WORDS = ["Dosis", "Grenzwert", "Überwachung", "Behörde", "Genehmigung", "Abfall"]


def corpus():
    for number, (first, second) in enumerate(itertools.permutations(WORDS, 2)):
        yield record(
            f"d{number:02}",
            [("§ 1", f"{first} und {second} sind geregelt."), ("§ 2", f"Ausnahmen für {second}, Absatz {number}.")],
            collection="Recht" if number % 2 else "Technik",
            language="de" if number % 3 else "und",
            metadata={"year": 2000 + number} if number % 5 else {},
        )


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    with knowledge_base(tmp_path_factory.mktemp("kb"), *corpus()) as opened:
        yield opened


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_each_mode_finds_and_repeats_itself(kb, mode):
    result = kb.search("Grenzwert der Dosis", mode=mode, top_k=5)
    assert len(result.hits) == 5
    assert result.total >= 5
    assert {"Grenzwert", "Dosis"} <= set(result.hits[0].chunk.text.split())
    assert mode in result.hits[0].scores or "fused" in result.hits[0].scores
    assert kb.search("Grenzwert der Dosis", mode=mode, top_k=5) == result


def test_a_hit_names_its_document(kb):
    hit = kb.search("Abfall Behörde", top_k=1).hits[0]
    document = kb.document(hit.chunk.document)
    assert (hit.title, hit.file) == (document.title, document.file)
    assert "Abfall" in hit.snippet


def test_collections_are_kept_apart(kb):
    for name in ("Recht", "Technik"):
        hits = kb.search("Genehmigung", [name], top_k=50).hits
        assert {kb.document(hit.chunk.document).collection for hit in hits} == {name}
    with pytest.raises(UsageError, match=r"'Rech'.*Recht, Technik"):
        kb.search("Genehmigung", ["Rech"])


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
@pytest.mark.parametrize(
    "conditions",
    [
        ["year>=2015"],
        ["year<2010", "year!=2003"],
        ["year in 2001,2002,2028"],
        ["collection=Recht", "year>2020"],
        ["language=de"],
        ["file=d07.pdf"],
        ["document=d08"],
        ["title!=D01"],
    ],
)
def test_filtering_is_filtering_afterwards(kb, mode, conditions):
    filters = [parse_filter(text) for text in conditions]
    everything = kb.search("Grenzwert für Überwachung", mode=mode, top_k=1000)
    wanted = [
        hit.chunk.id for hit in everything.hits if all(matches(kb.document(hit.chunk.document), f) for f in filters)
    ]
    found = kb.search("Grenzwert für Überwachung", mode=mode, top_k=1000, filters=filters)
    assert sorted(hit.chunk.id for hit in found.hits) == sorted(wanted)
    if mode != "hybrid":  # the scale of fusion depends on what it fuses
        assert [hit.chunk.id for hit in found.hits] == wanted
        assert found.total == len(wanted)


def test_a_passage_is_read_once_in_a_search(kb, monkeypatch):
    catalog, read = kb.store.catalog, []
    chunk_at = catalog.chunk_at
    monkeypatch.setattr(catalog, "chunk_at", lambda *place: read.append(place) or chunk_at(*place))
    found = kb._searcher.search(" ".join([*WORDS, "geregelt", "Ausnahmen"]), top_k=20)
    places = [(entry.ordinal, position) for entry, position in read]
    assert len(places) > len(found.hits) == 20
    assert len(set(places)) == len(places)


def test_passages_that_are_not_visible_are_none(kb):
    view = kb._searcher.view()
    passages = Passages(kb.store.catalog, view)
    (ordinal, *_), *_ = kb.store.catalog.places()
    held = passages.at(ChunkKey(ordinal, 0))
    assert held is not None
    assert held.chunk == kb.store.catalog.chunk_at(held.entry, 0)
    assert passages.at(ChunkKey(ordinal, 10**6)) is None
    assert passages.at(ChunkKey(10**6, 0)) is None


def test_an_unknown_field_is_refused(kb):
    with pytest.raises(UsageError, match=r"'jahr'.*year"):
        kb.search("Dosis", filters=[Filter(field="jahr", operator="=", value=1)])


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_scoped_to_a_document_and_a_section(kb, mode):
    hits = kb.search("Grenzwert", mode=mode, documents=["d00"], top_k=50).hits
    assert {hit.chunk.document for hit in hits} == {"d00"} or mode == "keyword"
    hits = kb.search("Grenzwert Ausnahmen", mode=mode, documents=["d00", "d01.pdf"], section="§ 2", top_k=50).hits
    assert {hit.chunk.id for hit in hits} == {"d00:c1", "d01:c1"}
    hits = kb.search("Ausnahmen", mode=mode, section="d03:s1", documents=["d03"]).hits
    assert [hit.chunk.id for hit in hits] == ["d03:c1"]


def test_section_as_a_filter(kb):
    found = kb.search("Ausnahmen Grenzwert", filters=[parse_filter("section=§ 2")], top_k=1000)
    assert {hit.chunk.section_path for hit in found.hits} == {("§ 2",)}
    found = kb.search("Ausnahmen Grenzwert", filters=[parse_filter("section!=§ 2")], top_k=1000)
    assert {hit.chunk.section_path for hit in found.hits} == {("§ 1",)}


def test_wrong_requests(kb):
    for query in ("", "   ", "\n\t"):
        with pytest.raises(UsageError, match="empty"):
            kb.search(query)
    with pytest.raises(UsageError, match="0"):
        kb.search("Dosis", top_k=0)
    with pytest.raises(UsageError, match="'d99'"):
        kb.search("Dosis", documents=["d99"])
    with pytest.raises(UsageError, match="'§ 77'"):
        kb.search("Dosis", documents=["d00"], section="§ 77")


@pytest.mark.parametrize(
    "query",
    ['"', "a:b", "(((", "x AND OR NOT", "[1 TO", "+-!{}^~*?\\/", "text:", "'Dosis'", "§", "…", "\x00", "🙂",
     "*" * 100_000, "Dosis " * 20_000, "de:Dosis", "-Dosis", "~1 ^2"],
)  # fmt: skip
def test_no_query_breaks_the_search(kb, query):
    for mode in ("keyword", "semantic", "hybrid"):
        assert len(kb.search(query, mode=mode, top_k=3).hits) <= 3


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1, max_size=200).filter(str.strip))
def test_any_query_is_answered(kb, query):
    kb.search(query, top_k=2)


def test_numbers_units_and_standards(tmp_path):
    documents = [
        record("a", [("§ 78", "Der Grenzwert beträgt 20 mSv im Jahr."), ("§ 20", "Siehe die Fristen von 78 Tagen.")]),
        record("b", [("1", "Nach KTA 1404 sind Aufzeichnungen zu führen."), ("2", "Nach KTA 1401 und 1404 Blatt 2.")]),
    ]
    with knowledge_base(tmp_path, *documents) as kb:
        for query, chunk in (("§ 78", "a:c0"), ("§78", "a:c0"), ("20 mSv", "a:c0"), ("KTA 1404", "b:c0")):
            assert kb.search(query, mode="keyword").hits[0].chunk.id == chunk


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("de", "Die Grenzwerte der Strahlenexpositionen", "Grenzwert Strahlenexposition"),
        ("de", "Die Größe der Maßnahmen", "grösse massnahme"),
        ("en", "Exposed workers are monitored", "worker monitoring"),
        ("und", "Les mesures de protection", "mesures"),
    ],
)
def test_stems_and_folding(tmp_path, language, text, query):
    with knowledge_base(tmp_path, record("x", [("1", text)], language=language)) as kb:
        assert kb.search(query, mode="keyword").total == 1


def test_many_documents_past_the_exact_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("rabbithole.kb.store.vectors.matrix.Matrix.exact_limit", 10)
    with knowledge_base(tmp_path, *corpus()) as kb:
        exact = [hit.chunk.id for hit in kb.search("Grenzwert Dosis", mode="semantic", top_k=60).hits]
        assert exact[0] in ("d00:c0", "d05:c0")
        assert len(exact) == 60
        put(kb.store, record("new", [("§ 1", "Grenzwert Dosis Grenzwert Dosis.")]))
        assert "new:c0" in [hit.chunk.id for hit in kb.search("Grenzwert Dosis", mode="semantic", top_k=5).hits]
        filtered = kb.search("Grenzwert", mode="semantic", filters=[parse_filter("year>=2015")], top_k=60)
        assert all(kb.document(hit.chunk.document).metadata["year"] >= 2015 for hit in filtered.hits)


def test_a_reranker_that_is_not_here_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    settings = HASH.model_copy(update={"rerank_model": "nobody/nothing"})
    with (
        knowledge_base(tmp_path / "kb", *corpus(), settings=settings) as kb,
        pytest.raises(ModelError, match=r"'nobody/nothing' is not on this machine"),
    ):
        kb.search("Dosis")
