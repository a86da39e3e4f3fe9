"""Words that most chunks have only affect the order of hits; rarer words find them."""

from __future__ import annotations

import pytest

from rabbithole.kb.store.index.index_terms import telling
from rabbithole.kb.store.index.keyword_files import damaged_file
from rabbithole.kb.store.index.keyword_query import common
from rabbithole.kb.store.index.keywords import KeywordEntry, Keywords, Within

CHUNKS = 3000


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    keywords = Keywords(tmp_path_factory.mktemp("keywords"), create=True)
    entries = (
        KeywordEntry(
            row, row // 10, "c", "de", f"Anlage {'Grenzwert' if row % 3 == 0 else 'Frist'} wort{row % 50} nur{row}"
        )
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
    monkeypatch.setattr("rabbithole.kb.store.index.keywords._LEAST_MATCHES", 10)
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


def test_a_compound_is_found_by_its_parts(tmp_path, monkeypatch):
    texts = ["Das Strahlenschutzregister wird geführt.", "Der Zaun ist grün.", "The fence is green."]
    entries = [KeywordEntry(row, row, "c", "en" if row == 2 else "de", text) for row, text in enumerate(texts)]
    keywords = Keywords(tmp_path / "new", create=True)
    keywords.change(add=entries)
    assert keywords.search("Register", 5)[0] == []
    assert [row for row, _ in keywords.alike("Register", 5)] == [0]
    assert keywords.alike("Register", 5, within=Within((1,), all_but=False, share=0.3)) == []
    assert keywords.alike("fence", 5) == [], "English words are not compounds"
    monkeypatch.setattr("rabbithole.kb.store.index.keywords.MOST_GRAMMED", 2)
    assert keywords.alike("Register", 5) == [], "too many chunks"
    keywords.release()


@pytest.mark.parametrize(("many", "count"), [(2, 1), (1000, 21)])
def test_frequent_grams_are_not_looked_up_among_many_chunks(tmp_path, monkeypatch, many, count):
    monkeypatch.setattr("rabbithole.kb.store.index.keyword_query.MANY", many)
    texts = ["Strahlenschutzregister", *(f"Bereich {number}" for number in range(20))]
    keywords = Keywords(tmp_path / "new", create=True)
    keywords.change(add=[KeywordEntry(row, row, "c", "de", text) for row, text in enumerate(texts)])
    found = keywords.alike("Das Strahlenschutzregister im Bereich", 50)
    keywords.release()
    assert found[0][0] == 0
    assert len(found) == count


def test_grams_that_tell_chunks_apart():
    often = {f"g{number:02}": 100 - number for number in range(20)}
    rarest = [f"g{number:02}" for number in reversed(range(20))]
    assert telling(often, 100) == rarest[:12]
    assert telling(often, 1000) == rarest
    assert telling({"one": 99, "unknown": 0}, 100) == ["one"]


def test_an_index_from_before_grams_opens_and_has_none(tmp_path, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr("rabbithole.kb.store.index.keywords.laid_out_with", lambda folder, field: False)
        older = Keywords(tmp_path, create=True)
        older.change(add=[KeywordEntry(0, 0, "c", "de", "Strahlenschutzregister")])
        older.release()
    keywords = Keywords(tmp_path, create=True)
    keywords.change(add=[KeywordEntry(1, 1, "c", "de", "Register")])
    assert [row for row, _ in keywords.search("Register", 5)[0]] == [1]
    assert not keywords.grammed
    keywords.release()


def test_a_half_written_file_that_was_never_committed_is_no_damage(tmp_path):
    index = Keywords(tmp_path, create=True)
    index.change([KeywordEntry(0, 1, "C", "de", "Die Messung der Dosis.")])
    index.release()
    (tmp_path / f"{'0' * 32}.idx").write_bytes(b"half")  # as kill -9 leaves it
    assert damaged_file(tmp_path) == ""
    committed = next(each for each in tmp_path.glob("*.idx") if not each.name.startswith("000"))
    committed.write_bytes(committed.read_bytes()[:-3])
    assert damaged_file(tmp_path) == committed.name


def test_a_word_is_as_rare_in_one_language_as_in_the_other(tmp_path):
    """A few English pages among German ones are no better for a German question than the German pages."""
    keywords = Keywords(tmp_path / "index", create=True)
    german = (KeywordEntry(row, row, "c", "de", f"Die Quota ist auf dem Server wort{row}") for row in range(60))
    english = (KeywordEntry(60 + row, 60 + row, "c", "en", f"die auf dem Server page{row}") for row in range(2))
    keywords.change(add=[*german, *english])
    hits, _ = keywords.search("Wie ist die Quota auf dem Server?", 62)
    keywords.release()
    assert {row for row, _ in hits[:60]} == set(range(60))


def test_a_collection_in_one_language_is_scored_as_before(index):
    hits, _ = index.search("Grenzwert wort7", 3)
    within, _ = index.search("Grenzwert wort7", 3, within=Within((0, 1, 2), False, 0.01, frozenset({"de"})))
    assert [score for _, score in hits] == pytest.approx([hits[0][1]] * 3)
    assert within


def test_words_one_edit_away_and_the_chunks_with_a_word(index):
    assert index.near("firsten", "de") == {"fristen": CHUNKS - CHUNKS // 3}
    assert "grenzwerte" in index.near("grenzwerze", "de")
    assert index.near("unbekannt", "de") == {}
    assert index.near("fri\u0307sten", "de") == {}
    assert index.chunks_with("Grenzwerten") == CHUNKS // 3
    assert index.chunks_with("unbekannt") == 0
