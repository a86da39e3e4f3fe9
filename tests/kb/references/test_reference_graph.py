"""The table of resolved references: updating it per document gives the same rows as building it anew."""

from __future__ import annotations

import io
import json
import logging
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from kb_records import knowledge_base, put, record

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.reference_worker import serve
from rabbithole.kb.references.graph import reference_graph
from rabbithole.kb.references.graph.reference_graph import StoredReferences
from rabbithole.kb.store.records import IndexedDocument

pytestmark = pytest.mark.slow

ACTS = {
    "Strahlenschutzgesetz": "StrlSchG",
    "Atomgesetz": "AtG",
    "Düngegesetz": "DüngG",
    "Tierschutzgesetz": "TierSchG",
    "Waffengesetz": "WaffG",
}


def act(title: str, *bodies: str) -> IndexedDocument:
    made = record(ACTS[title], [(f"§ {number}", body) for number, body in enumerate(bodies, 1)])
    return made.model_copy(update={"document": made.document.model_copy(update={"title": title})})


def rows(kb: KnowledgeBase) -> list[tuple[object, ...]]:
    """Return the content of the rows, without the numbers that differ between two builds."""
    names = {entry.ordinal: entry.document.id for entry in kb.store.catalog.all_stored()}
    return [
        (names[row.source], *row[1:9], names.get(row.target or -1), *row[10:])
        for row in kb._graph.rows.of_collection("Recht")
    ]


def anew(kb: KnowledgeBase) -> list[tuple[object, ...]]:
    """Return the rows after building the graph anew."""
    with kb.store.catalog.engine.transaction() as transaction:
        for table in ("resolved_references", "graph_documents", "graph_names"):
            transaction.run(f"DELETE FROM {table}")
        transaction.run("DELETE FROM meta WHERE key = 'graph_mark'")
    kb._graph.update()
    return rows(kb)


def test_only_what_a_change_touches_is_resolved_again(tmp_path: Path) -> None:
    others = [act(title, "Es gilt § 1.", "Rest.") for title in list(ACTS)[2:]]
    citing = act("Strahlenschutzgesetz", "Nach § 2 des Atomgesetzes.", "Rest.")
    with knowledge_base(tmp_path, citing, *others) as kb:
        assert kb._graph.update() == 4
        assert kb._graph.update() == 0
        assert [row[6] for row in rows(kb) if row[0] == "StrlSchG"] == ["missing"]
        put(kb.store, act("Atomgesetz", "Zweck.", "Genehmigung."))
        assert kb._graph.update() == 2
        assert [row[6] for row in rows(kb) if row[0] == "StrlSchG"] == ["resolved"]
        kb.store.delete("AtG")
        assert kb._graph.rows.leading_to(0) == []
        assert kb._graph.update() == 1
        assert [row[6] for row in rows(kb) if row[0] == "StrlSchG"] == ["missing"]


@pytest.mark.parametrize("seed", range(3))
def test_any_row_of_changes_gives_the_rows_of_a_first_building(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    titles = list(ACTS)

    def made(title: str) -> IndexedDocument:
        named = draw.sample(titles, 2)
        return act(title, f"Nach § {draw.randint(1, 4)} des {named[0]}es gilt § 2.", f"Siehe § 1 {ACTS[named[1]]}.")

    with knowledge_base(tmp_path, *(made(title) for title in titles[:4])) as kb:
        kb._graph.update()
        for _ in range(5):
            changed = draw.choice(titles)
            if draw.random() < 1 / 3:
                kb.store.delete(ACTS[changed])
            else:
                put(kb.store, made(changed))
            kb._graph.update()
        found = rows(kb)
        assert found == anew(kb)


def test_cycles_and_references_to_themselves(tmp_path: Path) -> None:
    with knowledge_base(
        tmp_path,
        act("Atomgesetz", "Es gilt § 1 des Strahlenschutzgesetzes und § 1 AtG.", "Rest."),
        act("Strahlenschutzgesetz", "Es gilt § 1 des Atomgesetzes.", "Rest."),
    ) as kb:
        assert [each.document for each in kb.cited_by("AtG")] == ["StrlSchG"]
        assert kb.times_cited("AtG") == {"AtG:s0": 1}
        assert {hit.chunk.document for hit in kb.search("Atomgesetzes Strahlenschutzgesetzes").hits} == {
            "AtG",
            "StrlSchG",
        }


def test_a_removed_document_is_shown_nowhere_before_the_graph_is_brought_up_to_date(tmp_path: Path) -> None:
    citing = act("Strahlenschutzgesetz", "Nach § 1 des Atomgesetzes.")
    with knowledge_base(tmp_path, citing, act("Atomgesetz", "Zweck.")) as kb:
        kb._graph.update()
        ordinal = kb.store.catalog.stored("StrlSchG").ordinal
        assert len(kb._graph.rows.named_by(ordinal, 0, 10)) == 1
        kb.store.delete("AtG")
        assert kb._graph.rows.named_by(ordinal, 0, 10) == []


def test_an_interrupted_building_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with knowledge_base(tmp_path, *(act(title, "Es gilt § 1.") for title in ACTS)) as kb:
        stopping(monkeypatch, kb, after=3)
        with pytest.raises(KeyboardInterrupt):
            kb._graph.update()
        monkeypatch.undo()
        assert kb._graph.update() == 2
        assert rows(kb) == anew(kb)


def stopping(monkeypatch: pytest.MonkeyPatch, kb: KnowledgeBase, after: int) -> None:
    real: Callable[..., object] = kb._graph._resolved
    done: list[object] = []

    def resolved(*given: object) -> object:
        if len(done) == after:
            raise KeyboardInterrupt
        done.append(real(*given))
        return done[-1]

    monkeypatch.setattr(kb._graph, "_resolved", resolved)


NO_WORKER = ((sys.executable, "-c", "pass"), "{}")
ELSEWHERE = ((sys.executable, "-c", "import sys\nfor line in sys.stdin: print('null', flush=True)"), "{}")


@pytest.mark.parametrize("worker", [None, NO_WORKER, ELSEWHERE], ids=["works", "dies", "sees another state"])
def test_several_processes_find_what_one_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worker: object) -> None:
    citing = (act(title, *(f"Es gilt § {at} des Atomgesetzes." for at in range(9))) for title in ACTS)
    others = [record(f"Regel{at}", [("§ 1", "Nach § 2 des Düngegesetzes.")]) for at in range(40)]
    with knowledge_base(tmp_path, *citing, *others) as kb:
        kb._graph.update()
        alone = anew(kb)
        monkeypatch.setattr(reference_graph, "_ALONE", 1)
        monkeypatch.setattr(os, "cpu_count", lambda: 2)
        if worker is not None:
            monkeypatch.setattr(kb._graph, "_worker", worker)
        assert anew(kb) == alone
        assert len(alone) > 80


def test_a_worker_answers_for_the_state_it_is_asked_about_only(tmp_path: Path) -> None:
    with knowledge_base(tmp_path, act("Atomgesetz", "Es gilt § 2.", "Zweck.")) as kb:
        kb._graph.update()
        assert kb._graph._worker is not None
        mark, ordinal = kb._graph.rows.mark(), kb.store.catalog.stored("AtG").ordinal
        asked = [(mark, ordinal), ("another", ordinal), (mark, ordinal + 1)]
        lines = [json.dumps({"mark": one, "documents": [document]}) for one, document in asked]
        answers = io.StringIO()
        serve(io.StringIO("\n".join([kb._graph._worker[1], *lines])), answers)
        opened, found, *others = map(json.loads, answers.getvalue().splitlines())
        assert opened == []
        assert found == [[list(row) for row in kb._graph.rows.of_collection("Recht")]]
        assert others == [None, None]


def test_a_search_does_not_wait_for_many_passages(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with knowledge_base(tmp_path, act("Atomgesetz", "Es gilt § 2.", "Zweck.")) as kb:
        with caplog.at_level(logging.WARNING):
            kb._graph.update_if_small(most=1)
            kb._graph.update_if_small(most=1)
        assert [record.message[:34] for record in caplog.records] == ["The references of 2 passages are n"]
        assert not kb._graph.current
        kb._graph.update_if_small(most=2)
        assert not kb._graph.current, "what was put off once is not looked at again"
        kb._graph.update()
        assert kb._graph.current


def test_a_place_cited_everywhere(tmp_path: Path) -> None:
    hub = act("Atomgesetz", "Es gilt § 3.", "Rest.", *("Dies regelt § 2 Absatz 1 im Einzelnen." for _ in range(1_000)))
    with knowledge_base(tmp_path, hub) as kb:
        assert len(kb.cited_by("AtG", "AtG:s1")) == 1_000
        assert len(kb._graph.rows.naming(kb.store.catalog.stored("AtG").ordinal, 1, 12, 64)) == 64
        assert kb.search("Rest").hits[0].chunk.section == "AtG:s1"


def test_a_place_cited_ten_thousand_times(tmp_path: Path) -> None:
    hub = act("Atomgesetz", "Es gilt § 3.", "Rest der Welt.", "Dies regelt § 2 Absatz 1 im Einzelnen.")
    with knowledge_base(tmp_path, hub) as kb:
        kb._graph.update()
        graph, ordinal = kb._graph.rows, kb.store.catalog.stored("AtG").ordinal
        (one,) = [row for row in graph.of_collection("Recht") if row.passage == 2]
        entry = kb.store.catalog.stored("AtG")
        graph.write(graph.mark(), [(entry, [one._replace(position=at) for at in range(10_000)])])
        assert kb.times_cited("AtG") == {"AtG:s1": 10_000}
        assert len(graph.naming(ordinal, 1, 12, 64)) == 1, "the same passage once"
        hits = kb.search("Rest der Welt").hits
        assert hits[0].chunk.section == "AtG:s1"
        assert len({hit.chunk.id for hit in hits}) == len(hits)


def test_an_older_generation_shows_nothing_wrong(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    citing = act("Strahlenschutzgesetz", "Die Freigabe richtet sich nach § 1 des Atomgesetzes.")
    with knowledge_base(tmp_path, citing, act("Atomgesetz", "Zweck dieses Werkes.")) as kb:
        kb._graph.update()
        assert {hit.chunk.document for hit in kb.search("Freigabe").hits} == {"StrlSchG", "AtG"}
        kb.store.delete("AtG")
        put(kb.store, act("Düngegesetz", "Dünger wird gestreut."))
        with caplog.at_level(logging.WARNING):
            kb._graph.update_if_small(most=0)  # as where too many passages wait
        assert not kb._graph.current
        hits = kb.search("Freigabe").hits
        assert hits[0].chunk.document == "StrlSchG"
        assert not any(hit.reasons for hit in hits)
        assert {hit.chunk.document for hit in hits} <= {"StrlSchG", "DüngG"}


def test_only_one_of_several_threads_builds(tmp_path: Path) -> None:
    with knowledge_base(tmp_path, act("Atomgesetz", "Es gilt § 1.")) as kb:
        graph: StoredReferences = kb._graph
        assert [graph.update(), graph.update()] == [1, 0]
