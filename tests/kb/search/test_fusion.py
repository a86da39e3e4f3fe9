"""How the lists of a search are fused, and that a list says nothing about a text it cannot hold."""

from __future__ import annotations

import pytest
from kb_records import knowledge_base, record

from rabbithole.kb.search.fusion import fuse, fuse_where

WORDS = [(1, 10.0), (2, 5.0)]
LETTERS = [(2, 8.0), (3, 4.0)]


@pytest.mark.parametrize(
    ("lettered", "expected"),
    [
        ({1, 2, 3}, {1: 0.5, 2: 0.75, 3: 0.25}),
        ({2, 3}, {1: 1.0, 2: 0.75, 3: 0.25}),  # 1 has no letters: only its words count
        ({1, 3}, {1: 0.5, 2: 0.75, 3: 0.25}),  # found by letters all the same
        (set(), {1: 1.0, 2: 0.75, 3: 0.25}),
    ],
)
def test_a_text_without_letters_is_judged_by_its_words(lettered: set[int], expected: dict[int, float]) -> None:
    found = fuse_where(LETTERS, WORDS, 0.5, lettered.__contains__)
    assert dict(found) == expected
    assert [score for _, score in found] == sorted(expected.values(), reverse=True)


def test_where_every_text_has_letters_it_is_plain_fusion() -> None:
    assert fuse_where(LETTERS, WORDS, 0.5, lambda _: True) == fuse(LETTERS, WORDS, 0.5)


@pytest.mark.parametrize("language", ["de", "en", "und", "fr"])
def test_a_sentence_is_found_before_pages_of_a_document_whose_title_has_a_word_of_it(tmp_path, language: str) -> None:
    """A document in another language, or taken for one, is not indexed by letters."""
    titled = record(
        "Mietverträge mit Vordruck",
        [(f"{number}", f"Das Feld {number} des Vordrucks wird ausgefüllt.") for number in range(1, 7)],
    )
    other = record(
        "Handbuch",
        [("1", "Der Schlüssel liegt bereit."), ("2", "Mietverträge brauchen keinen Stempel."), ("3", "Ende.")],
        language=language,
    )
    with knowledge_base(tmp_path / "kb", titled, other) as kb:
        for query in ("Mietverträge brauchen keinen Stempel", "Braucht ein Mietvertrag einen Stempel?"):
            assert "Stempel" in kb.search(query).hits[0].chunk.text
