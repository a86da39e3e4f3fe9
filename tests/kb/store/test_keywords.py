"""Words that most chunks have: they count for the order, the rarer ones find."""

from __future__ import annotations

import pytest

from rabbithole.kb.store.keywords import Entry, Keywords, Within, common

CHUNKS = 3000


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    keywords = Keywords(tmp_path_factory.mktemp("keywords"), create=True)
    entries = (
        Entry(row, row // 10, "c", "de", f"Anlage {'Grenzwert' if row % 3 == 0 else 'Frist'} wort{row % 50} nur{row}")
        for row in range(CHUNKS)
    )
    keywords.change(add=entries)
    yield keywords
    keywords.release()


def test_which_words_are_common():
    found = {("de", "anlage"): 900, ("de", "frist"): 60, ("de", "selten"): 3}
    assert common(found, 1000, 3) == {("de", "anlage"), ("de", "frist")}
    assert common(found, 1000, 4) == frozenset()
    assert common({("de", "anlage"): 900}, 1000, 1) == frozenset()


def test_common_words_change_the_score_but_find_nothing(index, monkeypatch):
    everything, total = index.search("Grenzwert Anlage wort7", 5000)
    assert total == CHUNKS
    monkeypatch.setattr("rabbithole.kb.store.keywords._LEAST_MATCHES", 10)
    rarer, fewer = index.search("Grenzwert Anlage wort7", 20)
    assert fewer == CHUNKS // 50
    assert rarer == everything[:20]
    assert index.search("Anlage", 20)[1] == CHUNKS


@pytest.mark.parametrize("all_but", [False, True])
def test_within_documents_and_all_but_them(index, all_but):
    within = Within((3, 4, 299), all_but, 0.01)
    found, total = index.search("Grenzwert", 5000, within=within)
    assert {row // 10 in (3, 4, 299) for row, _ in found} == {not all_but}
    assert total == len(found)
    whole, _ = index.search("Grenzwert", 5000)
    assert len(found) == sum((row // 10 in (3, 4, 299)) != all_but for row, _ in whole)
