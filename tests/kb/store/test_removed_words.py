"""What was removed no longer counts: the same documents have the same scores, whatever was beside them before."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.index import embedded
from rabbithole.kb.store.index.keywords import KeywordEntry
from rabbithole.kb.store.records import IndexedDocument
from tests.kb_records import knowledge_base, put, record

WORDS = ("Dosis", "Grenzwert", "Behörde", "Antrag", "Frist", "Stempel", "Gebühr", "Verein", "Archiv", "Ordnung")
QUERY = "Welche Frist hat der Antrag beim Archiv, und welche Dosis gilt?"


def documents(collection: str, words: tuple[str, ...], count: int) -> list[IndexedDocument]:
    chance = random.Random(count)
    return [
        record(
            f"{collection}{number}",
            [(f"§ {at}", " ".join(chance.choices(words, k=chance.randint(4, 30)))) for at in range(5)],
            collection=collection,
        )
        for number in range(count)
    ]


KEPT, OTHER = documents("kept", WORDS, 12), documents("other", WORDS[:3], 11)


def found(kb: KnowledgeBase) -> list[tuple[str, float, dict[str, float]]]:
    hits = kb.search(QUERY, ("kept",), top_k=20).hits
    return [
        (hit.chunk.id, round(hit.score, 5), {side: round(score, 4) for side, score in hit.scores.items()})
        for hit in hits
    ]


@pytest.mark.parametrize("together", [True, False])
def test_a_collection_added_and_removed_leaves_the_scores_of_the_others(tmp_path: Path, *, together: bool) -> None:
    with knowledge_base(tmp_path / "fresh", *KEPT) as kb:
        fresh = found(kb)
    with knowledge_base(tmp_path / "kb", *KEPT, *(OTHER if together else ())) as kb:
        if not together:
            put(kb.store, *OTHER)
        assert found(kb) != fresh
        assert kb.remove("other") == len(OTHER)
        assert found(kb) == fresh
        assert not kb.check()
        kb.store.release()
        put(kb.store, *OTHER)  # can still be written to
        assert found(kb) != fresh


def test_a_large_index_is_not_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "MOST_FORGOTTEN", 0)
    with knowledge_base(tmp_path / "kb", *KEPT, *OTHER) as kb:
        kb.remove("other")
        assert kb.store.index.keywords.removed == 5 * len(OTHER)
        assert len(found(kb)) == 20


def test_words_stay_if_writing_them_anew_fails(tmp_path: Path) -> None:
    def failing() -> Iterator[KeywordEntry]:
        yield KeywordEntry(0, 0, "kept", "de", "Frist")
        raise OSError

    with knowledge_base(tmp_path / "kb", *KEPT) as kb:
        kb.store.begin()
        fresh, keywords = found(kb), kb.store.index.keywords
        with pytest.raises(OSError):  # noqa: PT011  as raised above
            keywords.write_anew(failing())
        keywords.change()
        assert found(kb) == fresh
