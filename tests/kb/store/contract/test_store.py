"""The store's contract: a commit is visible as a whole or not at all, and any interruption gives the same result."""

from __future__ import annotations

import shutil
import threading

import numpy as np
import pytest
from kb_records import knowledge_base, put, record

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Reference, UnreadFile
from rabbithole.kb.store.records import UNREADABLE, FileState
from rabbithole.kb.store.store import Store, chunks_of

ACT = record("act", [("§ 1", "Zweck dieses Gesetzes ist der Schutz."), ("§ 2", "Der Grenzwert beträgt 20 mSv.")])
ORDER = record("order", [("§ 1", "Der Überwachungsbereich ist abzugrenzen.")], metadata={"year": 2018})


def lose_vectors(folder):
    for lost in (*folder.glob("vectors-*"), *folder.glob("chroma/"), *folder.glob("index/")):
        shutil.rmtree(lost)


def test_what_was_put_comes_back(tmp_path, settings):
    link = Reference(start=0, end=3, text="§ 1", kind="section", target="§ 1", method="link", page=0)
    stored = ACT.model_copy(update={"links": (link,)})
    with knowledge_base(tmp_path, stored, ORDER, settings=settings) as kb:
        assert kb.documents() == (ACT.document, ORDER.document)
        assert kb.outline("act") == ACT.sections
        assert kb.chunks("act") == ACT.chunks
        assert kb.chunk("act:c1") == ACT.chunks[1]
        assert kb.text("act") == ACT.text
        assert link in kb.references("act")
        assert kb.get_document_metadata("order") == {"year": 2018}
        assert kb.check() == []


def test_a_document_put_again_replaces_the_old_one(tmp_path, settings):
    with knowledge_base(tmp_path, ACT, settings=settings) as kb:
        put(kb.store, record("act", [("§ 1", "Ganz neuer Wortlaut.")]))
        assert [chunk.text for chunk in kb.chunks("act")] == ["§ 1 Ganz neuer Wortlaut."]
        assert kb.search("Grenzwert", mode="keyword").total == 0
        assert kb.search("Wortlaut", mode="keyword").total == 1
        assert kb.check() == []


def test_deleted_documents_leave_nothing_behind(tmp_path, settings):
    with knowledge_base(tmp_path, ACT, ORDER, settings=settings) as kb:
        kb.store.delete("act")
        assert kb.documents() == (ORDER.document,)
        assert {hit.chunk.document for hit in kb.search("Grenzwert Schutz").hits} == {"order"}
        assert kb.check() == []


@pytest.mark.parametrize("reached", ["catalog", "index"])
def test_an_interrupted_put_is_never_visible_and_is_mended(tmp_path, reached, settings):
    with knowledge_base(tmp_path, ACT, settings=settings) as kb:
        store = kb.store
        store.begin()
        (place,) = store.catalog.stage([ORDER])
        vectors = store.embedder.embed([chunk.text for chunk in ORDER.chunks])
        if reached == "index":
            store.index.put([chunks_of(place, ORDER)], vectors)
        assert kb.documents() == (ACT.document,)
        assert all(hit.chunk.document == "act" for hit in kb.search("Überwachungsbereich abzugrenzen").hits)
    with KnowledgeBase.open(tmp_path, settings) as kb:
        kb.store.begin()
        assert kb.check() == []
        put(kb.store, ORDER)
        assert [hit.chunk.document for hit in kb.search("Überwachungsbereich", mode="keyword").hits] == ["order"]


def test_lost_indexes_are_made_again(tmp_path, settings):
    knowledge_base(tmp_path, ACT, ORDER, settings=settings).close()
    lose_vectors(tmp_path)
    with KnowledgeBase.open(tmp_path, settings) as kb:
        assert kb.check()
        kb.repair()
        assert kb.check() == []
        assert kb.search("Grenzwert").hits[0].chunk.id == "act:c1"


def test_one_writer_at_a_time(tmp_path, settings):
    with knowledge_base(tmp_path, ACT, settings=settings) as first, KnowledgeBase.open(tmp_path, settings) as second:
        first.store.begin()
        second.store._lock._timeout = 0.1
        with pytest.raises(KnowledgeBaseError, match="another process is writing"):
            second.store.begin()
        first.store.release()
        second.store.begin()


def test_a_reader_sees_what_another_process_wrote(tmp_path, settings):
    with knowledge_base(tmp_path, ACT, settings=settings) as writer, KnowledgeBase.open(tmp_path, settings) as reader:
        assert reader.search("Überwachungsbereich", mode="keyword").total == 0
        before = reader.generation
        put(writer.store, ORDER)
        assert reader.generation > before
        for mode in ("keyword", "semantic", "hybrid"):
            assert reader.search("Überwachungsbereich abzugrenzen", mode=mode).hits[0].chunk.document == "order"


def test_reading_from_many_threads_while_writing(tmp_path, settings):
    errors = []
    with knowledge_base(tmp_path, ACT, settings=settings) as kb:

        def read():
            for _ in range(20):
                try:
                    assert kb.search("Grenzwert").hits[0].chunk.id == "act:c1"
                    assert kb.text("act") == ACT.text
                except Exception as error:  # noqa: BLE001
                    errors.append(error)

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for number in range(5):
            put(kb.store, record(f"doc{number}", [("§ 9", f"Etwas ganz anderes {number}.")]))
        for thread in threads:
            thread.join()
    assert errors == []


def test_files_are_remembered_and_forgotten(tmp_path, settings):
    with knowledge_base(tmp_path, ACT, settings=settings) as kb:
        state = FileState(collection="Recht", file="act.pdf", path="/x", size=1, mtime_ns=2, document="act")
        kb.store.record_files(state)
        assert kb.store.catalog.files("Recht") == {"act.pdf": state}
        kb.store.rename("act", "neu.pdf", "/x/neu.pdf")
        assert kb.document("act").file == "neu.pdf"
        kb.store.delete("act", forgotten=[("Recht", "act.pdf")])
        assert kb.store.catalog.files("Recht") == {}


def test_files_in_which_nothing_can_be_found_are_named_until_they_are_read_or_gone(tmp_path, settings):
    with knowledge_base(tmp_path, ACT, settings=settings) as kb:
        read = FileState(collection="Recht", file="act.pdf", path="/x", size=1, mtime_ns=2, document="act")
        left = read.model_copy(
            update={"file": "b.pdf", "document": None, "status": "skipped", "reason": "b.pdf: damaged"}
        )
        garbled = read.model_copy(update={"file": "c.pdf", "reason": f"needs OCR on page 2; {UNREADABLE}"})
        odd = read.model_copy(update={"file": "d.pdf", "reason": 'says "status":"skipped" itself'})
        part = read.model_copy(update={"file": "e.pdf", "reason": "needs OCR on pages 2-6"})
        alike = read.model_copy(update={"file": "f.pdf", "status": "skipped", "reason": "it needs OCR"})
        kb.store.record_files(read, garbled, left, odd, part)
        assert [file.file for file in kb.read_in_part()] == ["e.pdf"]
        kb.store.record_files(alike)
        assert [file.file for file in kb.read_in_part(["Recht"])] == ["e.pdf"]
        kb.store.delete(forgotten=[("Recht", "e.pdf"), ("Recht", "f.pdf")])
        assert kb.read_in_part() == ()
        assert [state.file for state in kb.store.catalog.unread("Recht")] == ["b.pdf", "c.pdf"]
        assert kb.unread()[0] == UnreadFile(collection="Recht", file="b.pdf", reason="b.pdf: damaged")
        assert kb.unread(["other"]) == ()
        kb.store.record_files(left.model_copy(update={"status": "taken", "reason": ""}))
        kb.store.delete(forgotten=[("Recht", "c.pdf")])
        assert kb.unread(["Recht"]) == ()


def test_vectors_must_fit_the_chunks(tmp_path, settings):
    with knowledge_base(tmp_path, ORDER, settings=settings) as kb, pytest.raises(KnowledgeBaseError, match="2 chunks"):
        kb.store.put(ACT, np.zeros((3, 256), dtype=np.float32))


def test_no_knowledge_base_there(tmp_path, settings):
    with pytest.raises(KnowledgeBaseError, match="rabbithole ingest"):
        KnowledgeBase.open(tmp_path / "nothing", settings)


def test_lost_vectors_are_one_sentence(tmp_path, settings):
    knowledge_base(tmp_path, ACT, settings=settings).close()
    lose_vectors(tmp_path)
    with KnowledgeBase.open(tmp_path, settings) as kb:
        with pytest.raises(KnowledgeBaseError, match="kb repair"):
            kb.search("Grenzwert", mode="semantic")
        kb.repair()
        assert kb.search("Grenzwert", mode="semantic").hits


def test_another_embedding_model_is_refused_and_rebuild_offered(tmp_path, settings):
    knowledge_base(tmp_path, ACT, settings=settings).close()
    with pytest.raises(KnowledgeBaseError, match=r"'hash'.*kb rebuild"):
        KnowledgeBase.open(tmp_path, settings.model_copy(update={"embedding_model": "use-multilingual"}))
    with KnowledgeBase.open(tmp_path, settings.model_copy(update={"embedding_model": "auto"})) as kb:
        assert kb.embedding_model == "hash"


def test_rebuild_switches_to_new_indexes(tmp_path, settings):
    with knowledge_base(tmp_path, ACT, ORDER, settings=settings) as kb:
        before = kb.search("Grenzwert")
        KnowledgeBase.rebuild(tmp_path, settings)
        assert kb.search("Grenzwert") == before
        assert kb.check() == []
        assert [*tmp_path.glob("*-0"), *tmp_path.glob("index/chunks-0*")] == []


def test_a_read_only_folder_can_be_read(tmp_path, monkeypatch, settings):
    knowledge_base(tmp_path, ACT, settings=settings).close()
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write anywhere, so the system must be made to say no
    with KnowledgeBase.open(tmp_path, settings) as kb:
        assert kb.search("Grenzwert").hits[0].chunk.id == "act:c1"
        with pytest.raises(KnowledgeBaseError, match="read-only"):
            put(kb.store, ORDER)


def test_a_collection_is_removed(tmp_path, settings):
    with knowledge_base(tmp_path, ACT, record("other", [("1", "Text")], collection="Andere"), settings=settings) as kb:
        assert kb.remove("Recht") == 1
        assert [each.name for each in kb.collections()] == ["Andere"]


def test_store_needs_no_model_for_reading(tmp_path, settings):
    knowledge_base(tmp_path, ACT, settings=settings).close()
    store = Store(tmp_path, settings)
    assert store.catalog.text("act", 0, 3) == "§ 1"
    store.close()
