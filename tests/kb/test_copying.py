"""Copies of a knowledge base: the same content in every kind of place, never half a copy, the source only read."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from forked import forked
from kb_records import HASH, knowledge_base, put, record
from work import copy_slowly

from rabbithole.kb.copying import Location, copy_knowledge_base
from rabbithole.kb.errors import KnowledgeBaseError, RabbitholeError
from rabbithole.kb.ingest.run.corrections import Correction
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Place
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.copied_documents import parts
from rabbithole.kb.store.ports import ChunkKey
from rabbithole.kb.store.vectors.matrix import Float32

KINDS = ("exact", "chroma", "cluster", "catalog", "index")
"""Where a copy may be; ``cluster`` has catalog and index outside its folder, ``catalog`` and ``index`` one of them."""
CLUSTER = pytest.param("cluster", marks=pytest.mark.slow)
QUERIES = ("Becquerel je Quadratzentimeter", "Grenzwert der effektiven Dosis", "Mitteilung an die Behörde", "records")
TITLED = "Verordnung über Isotopenlaboratorien, berichtigt"
Placing = Callable[[str, str], Location]


@pytest.fixture
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Placing:
    """``place("cluster", "a")`` is a new, empty place."""

    def placed(kind: str, name: str) -> Location:
        settings: dict[str, Any] = {"embedding_model": "hash"}
        if kind in ("exact", "chroma"):
            settings["vector_index"] = kind
        if kind in ("cluster", "catalog"):
            settings["rabbithole_catalog"] = request.getfixturevalue("postgres_server").new_database()
        if kind in ("cluster", "index"):
            pytest.importorskip("lancedb", reason="LanceDB is not installed: pip install 'rabbithole[cluster]'")
            settings["rabbithole_index"] = str(tmp_path / f"{name}-index")
        return Location(name, tmp_path / name / "database", KbSettings(_env_file=None, **settings))

    return placed


@pytest.fixture(scope="module")
def made(sample_pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a knowledge base with a corrected title, a document that was read twice, and gaps in its numbers."""
    home = tmp_path_factory.mktemp("copied")
    with KnowledgeBase.open(home / "database", HASH, create=True) as kb:
        kb.ingest([sample_pdfs], "sample")
        kb.read_again("sample", "IsoLG.pdf")
        kb.name("sample", "IsoLV.pdf", Correction(title=TITLED, aliases=("ILV",)))
        kb.cited_by(kb.documents()[0].id)
    return home


@pytest.fixture
def origin(made: Path, tmp_path: Path) -> Location:
    """A knowledge base of this test's own."""
    shutil.copytree(made, tmp_path / "origin")
    return Location("origin", tmp_path / "origin" / "database", HASH)


def opened(location: Location) -> KnowledgeBase:
    return KnowledgeBase.open(location.folder, location.settings)


def content(kb: KnowledgeBase) -> dict[str, Any]:
    """All that a knowledge base says of itself and its documents."""
    documents = kb.documents()
    mention = kb.detect("Nach § 17 Absatz 3 Satz 2 der Isotopenlaborverordnung und § 3 ILV.")
    return {
        "generation": kb.generation,
        "changed": kb.changed,
        "ordinals": kb.ordinals(),
        "documents": documents,
        "collections": kb.collections(),
        "outlines": [kb.outline(each.id) for each in documents],
        "texts": [kb.text(each.id) for each in documents],
        "pages": [kb.page_of(each.id, 2000) for each in documents],
        "chunks": [kb.chunks(each.id) for each in documents],
        "references": [kb.references(each.id) for each in documents],
        "bibliographies": [kb.bibliography(each.id) for each in documents],
        "files": kb.store.catalog.files("sample"),
        "names": kb.names(),
        "resolved": [kb.resolve(each) for each in mention],
        "beside": kb.resolve(mention[0], at=Place(document=documents[0].id)),
        "graph": kb.collection_graph("sample"),
        "cited": [(kb.cited_by(each.id), kb.times_cited(each.id)) for each in documents],
        "works": kb.works(),
    }


def vectors(kb: KnowledgeBase) -> Float32:
    places = kb.store.catalog.places()
    keys = [ChunkKey(ordinal, position) for ordinal, _, count, *_ in places for position in range(count)]
    return kb.store.index.vectors(keys)


def found(kb: KnowledgeBase) -> list[tuple[str, ...]]:
    return [tuple(hit.chunk.id for hit in kb.search(query, top_k=5).hits) for query in QUERIES]


@pytest.mark.parametrize(
    "kind", ["exact", "chroma", *(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS[2:])]
)
def test_a_copy_is_the_same_there_and_back(
    origin: Location, place: Placing, kind: str, sample_pdfs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, back = place(kind, "there"), place("exact", "back")
    told: list[tuple[int, int]] = []
    with monkeypatch.context() as patched:
        patched.setattr("rabbithole.kb.store.encoders.embeddings.HashEmbedder.embed", None)
        copy_knowledge_base(origin, there, lambda *done: told.append(done))
        copy_knowledge_base(there, back)
    with opened(origin) as first, opened(there) as copy, opened(back) as last:
        assert told[-1] == (first.count(), first.count())
        expected = content(first)
        assert TITLED in {document.title for document in expected["documents"]}
        for kb in (copy, last):
            got = content(kb)
            assert {name: got[name] == value for name, value in expected.items()} == dict.fromkeys(expected, True)
            assert kb.check() == []
        for kb in (copy, last):  # Chroma normalises once more
            np.testing.assert_allclose(vectors(kb), vectors(first), atol=1e-6 if kind == "chroma" else 0)
        assert found(last)[0] == found(first)[0]
        for one, other in zip(found(first), found(copy), strict=True):
            assert one[0] == other[0]
            assert len(set(one) & set(other)) >= 4
        report = copy.ingest([sample_pdfs], "sample")
        assert (report.added, report.changed, report.removed) == ((), (), ())
        assert len(report.unchanged) == first.count()


def test_the_graph_is_not_resolved_anew(origin: Location, place: Placing) -> None:
    copy = place("exact", "copy")
    copy_knowledge_base(origin, copy)
    with opened(copy) as kb:
        assert kb._graph.current


@pytest.mark.parametrize("kind", ["exact", CLUSTER])
def test_a_copy_can_be_written(origin: Location, place: Placing, kind: str) -> None:
    copy = place(kind, "copy")
    copy_knowledge_base(origin, copy)
    with opened(copy) as kb:
        before = max(kb.ordinals())
        put(kb.store, record("new", [("§ 9", "Ein neuer Wortlaut.")]))
        assert max(kb.ordinals()) > before
        assert kb.search("neuer Wortlaut").hits[0].chunk.document == "new"
        assert kb.check() == []


def test_an_empty_knowledge_base(tmp_path: Path, place: Placing) -> None:
    origin, copy = place("exact", "origin"), place("exact", "copy")
    KnowledgeBase.open(origin.folder, origin.settings, create=True).close()
    copy_knowledge_base(origin, copy)
    with opened(copy) as kb:
        assert kb.documents() == ()
        assert kb.check() == []


def test_the_source_is_only_read(origin: Location, place: Placing, monkeypatch: pytest.MonkeyPatch) -> None:
    with KnowledgeBase.open(origin.folder, HASH) as kb:
        kb.store.catalog.checkpoint()
    files = [path for path in origin.folder.rglob("*") if path.is_file()]
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}
    # Root may write anywhere, so the system must be made to say that the disk is read-only.
    monkeypatch.setattr("os.access", lambda path, _: origin.folder not in (path, path.parent))
    copy = place("exact", "copy")
    copy_knowledge_base(origin, copy)
    with opened(copy) as kb:
        assert kb.check() == []
    assert before == {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["exact", "cluster"])
def test_a_copy_that_was_killed_is_no_knowledge_base_and_goes_on(place: Placing, kind: str) -> None:
    origin, copy = place("exact", "origin"), place(kind, "copy")
    records = [record(f"d{number:03}", [("§ 1", f"Wortlaut {number}."), ("§ 2", "Frist.")]) for number in range(100)]
    knowledge_base(origin.folder, *records).close()
    for written in (0, 1, 2):
        with forked(copy_slowly, origin, copy, written):
            pass
        with pytest.raises(KnowledgeBaseError, match=r"unfinished copy of .*origin"):
            opened(copy)
    told: list[int] = []
    copy_knowledge_base(origin, copy, lambda done, _: told.append(done))
    assert told == [100]  # of its four parts only the last was left
    with opened(copy) as kb:
        assert [document.id for document in kb.documents()] == [each.document.id for each in records]
        assert kb.check() == []
        assert kb.search("Wortlaut 77").hits[0].chunk.id == "d077:c0"


@pytest.mark.parametrize("kind", ["exact", CLUSTER])
def test_a_source_that_changed_since_the_interruption_is_copied_from_the_start(
    origin: Location, place: Placing, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = place(kind, "copy")
    with monkeypatch.context() as patched:
        patched.setattr("rabbithole.kb.copying._copy_names", interrupted)
        with pytest.raises(KeyboardInterrupt):
            copy_knowledge_base(origin, copy)
    with opened(origin) as kb:
        kb.remove_files("sample", ["IsoLV.pdf"])
        put(kb.store, record("new", [("§ 9", "Danach.")]))
    copy_knowledge_base(origin, copy)
    with opened(origin) as first, opened(copy) as kb:
        assert kb.ordinals() == first.ordinals()
        assert kb.check() == []
        assert kb.search("Danach").hits[0].chunk.document == "new"


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_source_that_changes_meanwhile(origin: Location, place: Placing) -> None:
    copy = place("exact", "copy")

    def change(*_: int) -> None:
        with opened(origin) as kb:
            put(kb.store, record("new", [("§ 9", "Danach.")]))

    with pytest.raises(KnowledgeBaseError, match="was changed while it was copied"):
        copy_knowledge_base(origin, copy, change)
    with pytest.raises(KnowledgeBaseError, match="unfinished"):
        opened(copy)


def test_damaged_vectors_are_not_copied(origin: Location, place: Placing) -> None:
    (rows,) = origin.folder.glob("vectors-0/rows-*.f32")
    with rows.open("r+b") as file:
        file.write(b"\xff\xff\xff\x00")
        file.seek(-4, 2)
        file.write(b"\xff\xff\xff\x00")
    with pytest.raises(KnowledgeBaseError, match="kb repair"):
        copy_knowledge_base(origin, place("exact", "copy"))


@pytest.mark.parametrize("kind", ["exact", "cluster", "index"])
def test_a_place_that_is_not_empty(origin: Location, place: Placing, kind: str) -> None:
    other = place(kind, "other")
    knowledge_base(other.folder, record("a", [("§ 1", "Text.")]), settings=other.settings).close()
    with pytest.raises(KnowledgeBaseError, match="already"):
        copy_knowledge_base(origin, other)
    with opened(other) as kb:
        assert [document.id for document in kb.documents()] == ["a"]


def test_a_folder_with_other_files(origin: Location, place: Placing) -> None:
    other = place("exact", "other")
    other.folder.mkdir(parents=True)
    (other.folder / "letter.txt").write_text("Dear")
    with pytest.raises(KnowledgeBaseError, match="not empty"):
        copy_knowledge_base(origin, other)
    assert [path.name for path in other.folder.iterdir()] == ["letter.txt"]


def test_an_index_of_another_knowledge_base(origin: Location, place: Placing) -> None:
    other, copy = place("index", "other"), place("index", "copy")
    knowledge_base(other.folder, record("a", [("§ 1", "Text.")]), settings=other.settings).close()
    with pytest.raises(KnowledgeBaseError, match="another knowledge base") as refused:
        copy_knowledge_base(origin, Location("copy", copy.folder, other.settings))
    with opened(other) as kb:
        assert kb.search("Text").hits[0].chunk.document == "a"
    assert refused.tb is not None  # what failed is still held, and keeps no lock
    copy_knowledge_base(origin, copy)  # nothing was begun there


def test_names_of_other_documents(origin: Location, place: Placing) -> None:
    copy = place("exact", "copy")
    copy.registry.parent.mkdir(parents=True)
    copy.registry.write_text('{"collections": {"other": {"documents": [{"filename": "a.pdf"}]}}}')
    with pytest.raises(KnowledgeBaseError, match="move it away"):
        copy_knowledge_base(origin, copy)
    assert not copy.folder.exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"embedding_model": "use-multilingual"}, "built with the embedding model 'hash'"),
        ({"chroma_url": "http://127.0.0.1:9"}, "Chroma server"),
        ({"rabbithole_catalog": "postgresql://me:secret@127.0.0.1:9/none"}, "127.0.0.1:9/none"),
        ({"rabbithole_catalog": "my database"}, "no address"),
    ],
)
def test_a_place_that_cannot_be_used(origin: Location, tmp_path: Path, changes: dict[str, str], said: str) -> None:
    settings = KbSettings(_env_file=None, **{"embedding_model": "hash"} | changes)
    with pytest.raises(RabbitholeError, match=said) as error:
        copy_knowledge_base(origin, Location("copy", tmp_path / "copy", settings))
    assert "secret" not in str(error.value)
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([], []),
        ([10, 0, 10], [[1, 2, 3]]),
        ([8192, 1, 8000, 192, 5], [[1], [2, 3, 4], [5]]),
        ([9000, 9000], [[1], [2]]),
        ([1] * 257, [list(range(1, 257)), [257]]),
    ],
)
def test_documents_written_together(counts: list[int], expected: list[list[int]]) -> None:
    chunks = dict(enumerate(counts, 1))
    assert list(parts(list(chunks), chunks)) == expected


def test_a_source_that_is_none(tmp_path: Path, place: Placing) -> None:
    copy = place("exact", "copy")
    with pytest.raises(KnowledgeBaseError, match="no knowledge base"):
        copy_knowledge_base(place("exact", "none"), copy)
    assert not copy.folder.exists()


def test_another_copy_there_is_left_alone(origin: Location, place: Placing, monkeypatch: pytest.MonkeyPatch) -> None:
    copy, other = place("exact", "copy"), place("exact", "other")
    knowledge_base(other.folder, record("a", [("§ 1", "Text.")])).close()
    with monkeypatch.context() as patched:
        patched.setattr("rabbithole.kb.copying._copy_names", interrupted)
        with pytest.raises(KeyboardInterrupt):
            copy_knowledge_base(other, copy)
    with pytest.raises(KnowledgeBaseError, match=r"unfinished copy of .*other"):
        copy_knowledge_base(origin, copy)
    copy_knowledge_base(other, copy)
    with pytest.raises(KnowledgeBaseError, match="one folder"):
        copy_knowledge_base(copy, copy)
