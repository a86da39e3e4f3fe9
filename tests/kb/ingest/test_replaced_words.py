"""What a replaced file had no longer counts: a base whose files changed finds the same as one that never had others."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.index import embedded

SETTINGS = KbSettings(embedding_model="hash", parse_workers=1, _env_file=None)
WORDS = ("dose", "limit", "agency", "request", "deadline", "stamp", "charge", "club", "archive", "ordinance")
QUERY = "Which deadline has the request to the archive, and which dose is allowed?"


def written(folder: Path, seeds: dict[str, int]) -> None:
    """Write files whose sections have words by chance; those of an odd seed have only the first three words."""
    folder.mkdir(exist_ok=True)
    for name, seed in seeds.items():
        chance = random.Random(seed)
        bodies = [
            " ".join(chance.choices(WORDS[: 3 if seed % 2 else None], k=chance.randint(20, 60))) for _ in range(5)
        ]
        parts = [
            f"# {at} Part\n\nThe {body} are what this part of the text is about." for at, body in enumerate(bodies)
        ]
        (folder / f"{name}.md").write_text("\n\n".join(parts), encoding="utf-8")


def found(kb: KnowledgeBase) -> tuple[list[tuple[str, float]], list[float]]:
    hits = kb.search(QUERY, ("files",), mode="keyword", top_k=50).hits
    return [(hit.chunk.id, round(hit.score, 5)) for hit in hits], [kb.rarity(word, "en") for word in WORDS]


KEPT = {f"kept{number}": 2 * number for number in range(6)}
NEW, OLD = {"changed": 100}, {"changed": 101}


def fresh(folder: Path) -> tuple[list[tuple[str, float]], list[float]]:
    written(folder / "fresh", KEPT | NEW)
    with KnowledgeBase.open(folder / "kb-fresh", SETTINGS, create=True) as kb:
        kb.ingest([folder / "fresh"], "files")
        return found(kb)


@pytest.mark.parametrize("gone", [{}, {"gone1": 103, "gone2": 105}], ids=["changed", "changed and removed"])
def test_a_base_whose_files_changed_finds_what_a_fresh_one_does(tmp_path: Path, gone: dict[str, int]) -> None:
    folder = tmp_path / "files"
    written(folder, KEPT | OLD | gone)
    with KnowledgeBase.open(tmp_path / "kb", SETTINGS, create=True) as kb:
        kb.ingest([folder], "files")
        before = found(kb)
        written(folder, NEW)
        for name in gone:
            (folder / f"{name}.md").unlink()
        assert kb.ingest([folder], "files").changed == ("changed.md",)
        after = found(kb)
        assert before != after == fresh(tmp_path)
        assert not kb.check()
    with KnowledgeBase.open(tmp_path / "kb", SETTINGS) as kb:
        assert found(kb) == after


def test_words_that_an_ingestion_left_are_forgotten_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "files"
    written(folder, KEPT | OLD)
    with KnowledgeBase.open(tmp_path / "kb", SETTINGS, create=True) as kb:
        kb.ingest([folder], "files")
        written(folder, NEW)
        with monkeypatch.context() as large:
            large.setattr(embedded, "MOST_FORGOTTEN", 0)
            kb.ingest([folder], "files")
        assert found(kb) != fresh(tmp_path)
    with KnowledgeBase.open(tmp_path / "kb", SETTINGS) as kb:
        kb.ingest([folder], "files")
        assert found(kb) == fresh(tmp_path)
