"""The catalog in PostgreSQL: wrong and unreachable databases, two writers, a server that goes away."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest
from forked import Forked
from kb_records import knowledge_base, put, record
from postgres import PostgresServer
from work import commit_at_once

from rabbithole.kb.errors import CatalogAway, KnowledgeBaseError, RabbitholeError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.sql.open_catalog import catalog_exists, open_catalog

pytestmark = pytest.mark.slow

psycopg = pytest.importorskip("psycopg")
postgres = pytest.importorskip("rabbithole.kb.store.sql.postgres")

TITLED = {"title": "Atomgesetz", "file": "AtG.pdf"}
PLAIN = record("act", [("§ 1", "Zweck dieses Gesetzes ist der Schutz."), ("§ 2", "Der Grenzwert beträgt 20 mSv.")])
ACT = PLAIN.model_copy(update={"document": PLAIN.document.model_copy(update=TITLED)})
ORDER = record("order", [("§ 1", "Nach § 2 des Atomgesetzes gilt der Grenzwert.")], metadata={"year": 2018})


def settings_for(address: str) -> KbSettings:
    return KbSettings(embedding_model="hash", vector_index="exact", rabbithole_catalog=address, _env_file=None)


@pytest.fixture
def settings(postgres_address: str) -> KbSettings:
    return settings_for(postgres_address)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://", "RABBITHOLE_CATALOG"),
        ("postgres at home", "no address"),
        ("postgresql://me:secret@127.0.0.1:9/none", "127.0.0.1:9/none"),
        ("postgresql://me:secret@127.0.0.1:port/none", "RABBITHOLE_CATALOG"),
    ],
)
def test_a_wrong_address_is_one_sentence_and_writes_nothing(tmp_path: Path, address: str, said: str) -> None:
    with pytest.raises(RabbitholeError, match=said) as error:
        KnowledgeBase.open(tmp_path / "kb", settings_for(address), create=True)
    assert "secret" not in str(error.value)
    assert not (tmp_path / "kb").exists()


def test_a_database_that_is_not_there_is_named(tmp_path: Path, postgres_server: PostgresServer) -> None:
    with pytest.raises(KnowledgeBaseError, match="none_such"):
        KnowledgeBase.open(tmp_path, settings_for(postgres_server.address("none_such")), create=True)


@pytest.mark.parametrize(("other", "said"), [(99, "newer version"), (0, "too old")])
def test_another_format_is_refused_and_left_alone(
    tmp_path: Path, settings: KbSettings, postgres_address: str, other: int, said: str
) -> None:
    knowledge_base(tmp_path, ACT, settings=settings).close()
    with psycopg.connect(postgres_address) as connection:
        connection.execute("UPDATE rabbithole_tables SET version = %s WHERE part = 'catalog'", (other,))
    for create in (False, True):
        with pytest.raises(KnowledgeBaseError, match=said if not create else "version|too old"):
            KnowledgeBase.open(tmp_path, settings, create=create)
    with psycopg.connect(postgres_address) as connection:
        assert connection.execute("SELECT count(*) FROM rabbithole_catalog.documents").fetchone() == (1,)


def test_tables_of_others_in_the_database_are_left_alone(
    tmp_path: Path, settings: KbSettings, postgres_address: str
) -> None:
    with psycopg.connect(postgres_address) as connection:
        connection.execute("CREATE TABLE documents (id TEXT); INSERT INTO documents VALUES ('mine')")
    with knowledge_base(tmp_path, ACT, settings=settings) as kb:
        assert kb.documents() == (ACT.document,)
    with psycopg.connect(postgres_address) as connection:
        assert connection.execute("SELECT * FROM public.documents").fetchall() == [("mine",)]


def test_two_knowledge_bases_on_one_database(tmp_path: Path, settings: KbSettings) -> None:
    knowledge_base(tmp_path / "one", ACT, settings=settings).close()
    for create in (False, True):
        with pytest.raises(KnowledgeBaseError, match="another knowledge base"):
            KnowledgeBase.open(tmp_path / "two", settings, create=create)
    assert not (tmp_path / "two").exists()
    with KnowledgeBase.open(tmp_path / "one", settings) as kb:
        assert kb.documents() == (ACT.document,)


def test_several_folders_may_use_a_catalog_whose_indexes_are_elsewhere(tmp_path: Path, postgres_address: str) -> None:
    for name in ("one", "two", "two"):
        open_catalog(tmp_path / name, postgres_address, create=True, shared=True).close()
        assert catalog_exists(tmp_path / name)


def test_a_folder_and_a_database_that_do_not_belong_together(
    tmp_path: Path, settings: KbSettings, postgres_server: PostgresServer
) -> None:
    alone = KbSettings(embedding_model="hash", _env_file=None)
    knowledge_base(tmp_path / "here", ACT, settings=alone).close()
    with pytest.raises(KnowledgeBaseError, match="unset it"):
        KnowledgeBase.open(tmp_path / "here", settings)
    knowledge_base(tmp_path / "there", ACT, settings=settings).close()
    with pytest.raises(KnowledgeBaseError, match="name it in RABBITHOLE_CATALOG"):
        KnowledgeBase.open(tmp_path / "there", alone, create=True)
    with pytest.raises(KnowledgeBaseError, match="another database"):
        KnowledgeBase.open(tmp_path / "there", settings_for(postgres_server.new_database()), create=True)


def test_a_user_who_may_only_read_can_read(tmp_path: Path, settings: KbSettings, postgres_address: str) -> None:
    knowledge_base(tmp_path, ACT, settings=settings).close()
    reader = settings_for(f"{postgres_address}&options=-c%20default_transaction_read_only%3Don")
    with KnowledgeBase.open(tmp_path, reader) as kb:
        assert kb.search("Grenzwert").hits[0].chunk.id == "act:c1"
        with pytest.raises(KnowledgeBaseError, match="read"):
            put(kb.store, ORDER)


def test_text_that_postgresql_does_not_take(tmp_path: Path, settings: KbSettings) -> None:
    odd = record("odd", [("§ 1", "Vor\0her \U0001f995 100 % ? sicher.")])
    with knowledge_base(tmp_path, odd, settings=settings) as kb:
        assert kb.text("odd") == odd.text.replace("\0", "\ufffd")
        assert kb.chunks("odd")[0].end == odd.chunks[0].end


def test_a_title_longer_than_an_index_takes(tmp_path: Path, settings: KbSettings) -> None:
    title = " ".join(f"Wort{number}" for number in range(2000))
    long = ACT.model_copy(update={"document": ACT.document.model_copy(update={"title": title})})
    with knowledge_base(tmp_path, long, settings=settings) as kb:
        assert kb.resolve(kb.detect("Nach § 2 der Gefahrstoffverordnung.")[0]).status == "missing"
        assert kb.document("act").title == title


def test_two_committers_of_one_document(tmp_path: Path, settings: KbSettings) -> None:
    with knowledge_base(tmp_path, settings=settings) as kb:
        catalog = kb.store.catalog
        (first,), (second,) = catalog.stage([ACT]), catalog.stage([ACT])
        catalog.publish([second.ordinal])
        generation = catalog.generation
        with pytest.raises(KnowledgeBaseError, match="another process"):
            catalog.publish([first.ordinal])
        assert catalog.generation == generation
        assert catalog.stored("act").ordinal == second.ordinal
        assert [each.ordinal for each in catalog.leftovers()] == [first.ordinal]


@pytest.mark.slow
def test_committers_in_several_processes(tmp_path: Path, settings: KbSettings) -> None:
    knowledge_base(tmp_path, settings=settings).close()
    committers = [Forked(commit_at_once, tmp_path, settings, 8) for _ in range(3)]
    for each in committers:
        each.ready()
    won = [each.result() for each in committers]
    assert sum(won) == 8
    with KnowledgeBase.open(tmp_path, settings) as kb:
        assert len(kb.documents()) == 8


@pytest.mark.slow
def test_the_server_goes_away_and_comes_back(
    tmp_path: Path, postgres_server: PostgresServer, settings: KbSettings
) -> None:
    with knowledge_base(tmp_path, ACT, settings=settings) as kb:
        kb.store.begin()
        postgres_server.stop()
        try:
            with pytest.raises(CatalogAway, match="RABBITHOLE_CATALOG"):
                kb.text("act")
            with pytest.raises(CatalogAway, match="what was stored"):
                put(kb.store, ORDER)
            with pytest.raises(KnowledgeBaseError):
                KnowledgeBase.open(tmp_path, settings)
        finally:
            postgres_server.start()
        assert kb.text("act") == ACT.text
        put(kb.store, ORDER)
        assert kb.check() == []
        assert {document.id for document in kb.documents()} == {"act", "order"}
        assert [each.document for each in kb.cited_by("act")] == ["order"]


@pytest.mark.slow
def test_the_server_goes_away_in_the_middle_of_a_write(
    tmp_path: Path, postgres_server: PostgresServer, settings: KbSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with knowledge_base(tmp_path, ACT, settings=settings) as kb:
        put_vectors = type(kb.store.index).put

        def stopped(*arguments: object) -> None:
            put_vectors(*arguments)
            postgres_server.stop()
            postgres_server.start()

        with monkeypatch.context() as patched:
            patched.setattr(type(kb.store.index), "put", stopped)
            with pytest.raises(KnowledgeBaseError, match="what was stored before"):
                put(kb.store, ORDER)
        assert kb.documents() == (ACT.document,)
        put(kb.store, ORDER)
        assert kb.check() == []
        assert len(kb.documents()) == 2


def test_a_writer_that_lost_its_lock_writes_no_more(
    tmp_path: Path, settings: KbSettings, postgres_address: str
) -> None:
    with knowledge_base(tmp_path, ACT, settings=settings) as kb, KnowledgeBase.open(tmp_path, settings) as other:
        kb.store.begin()
        (place,) = kb.store.catalog.stage([ORDER])
        with psycopg.connect(postgres_address, autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted")
        other.store.begin()  # removes what the first had begun
        with pytest.raises(KnowledgeBaseError, match="what was stored before"):
            kb.store.catalog.publish([place.ordinal])
        assert not kb.store.catalog.lock.held
        with pytest.raises(KnowledgeBaseError, match="removed by another process"):
            kb.store.catalog.publish([place.ordinal])
        put(other.store, ORDER)
        assert len(kb.documents()) == 2


def test_many_threads_each_have_a_connection_and_close_it(
    tmp_path: Path, settings: KbSettings, postgres_address: str
) -> None:
    with (
        knowledge_base(tmp_path, ACT, settings=settings) as kb,
        psycopg.connect(postgres_address, autocommit=True) as connection,
    ):
        for _ in range(20):
            thread = threading.Thread(target=kb.text, args=("act",))
            thread.start()
            thread.join()
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        (open_connections,) = connection.execute(query).fetchone()
        assert open_connections <= 6


def test_names_are_in_the_database_too(tmp_path: Path, settings: KbSettings) -> None:
    with knowledge_base(tmp_path, ACT, ORDER, settings=settings) as kb:
        (found,) = kb.detect("Nach § 2 des Atomgesetzes.")
        assert kb.resolve(found).document == "act"
        assert not (tmp_path / "names.sqlite").exists()
    shutil.copytree(tmp_path, tmp_path.with_name("copy"))
    with KnowledgeBase.open(tmp_path.with_name("copy"), settings) as replica:
        assert replica.resolve(found).document == "act"


def test_settings_for_a_worker_have_the_address(settings: KbSettings, postgres_address: str) -> None:
    passed = KbSettings.model_validate(settings.with_secrets())
    assert passed.rabbithole_catalog is not None
    assert passed.rabbithole_catalog.get_secret_value() == postgres_address
    assert postgres_address not in repr(settings)


def test_translated_tables() -> None:
    assert postgres.translated("CREATE TABLE a (b INTEGER PRIMARY KEY AUTOINCREMENT, c TEXT) WITHOUT ROWID;") == (
        'CREATE TABLE a (b BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, c TEXT COLLATE "C");'
    )
