"""The contract of each index of chunks."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from chunk_index import CHUNKS, document, documents, everything, only, part, vectors_of
from chunk_index import opened as open_here

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.store.ports import ChunkIndex, ChunkKey

SOME = 30


@pytest.fixture
def opened(tmp_path, settings):
    """Opens the index of a folder, as often as there are processes to stand for."""
    made = []

    def make() -> ChunkIndex:
        made.append(open_here(tmp_path, settings))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def index(opened):
    """An index of thirty documents."""
    written = opened()
    written.put(documents(1, SOME), vectors_of(*range(1, SOME + 1)))
    written.optimise()
    return written


def keys(found):
    return [key for key, _ in found]


def test_words_find_their_chunk_first(index):
    found, total = index.keyword("wort7x2", everything(SOME), 10)
    assert keys(found) == [ChunkKey(7, 2)]
    assert total == 1
    found, total = index.keyword("Grenzwert wort7x2", everything(SOME), 10)
    assert found[0][0] == ChunkKey(7, 2)
    assert len(found) == 10
    assert total == SOME * CHUNKS
    assert found[0][1] > found[1][1]


def test_words_are_found_by_stem_and_numbers_in_pairs(index):
    assert index.keyword("Grenzwerte", everything(SOME), 3)[1] == SOME * CHUNKS
    assert {key.position for key in keys(index.keyword("§ 3", everything(SOME), SOME)[0])} == {3}


def test_a_query_without_words_finds_nothing(index):
    for query in ("", "?!", "zzzz"):
        assert index.keyword(query, everything(SOME), 10) == ([], 0)


def test_letters_find_the_parts_of_a_compound(index):
    assert index.keyword("Grenz", everything(SOME), 5)[0] == []
    assert len(index.alike("Grenz", everything(SOME), 5)) == 5
    assert {key.document for key in keys(index.alike("Grenz", only(3, of=SOME), 5))} == {3}


def test_meaning_finds_the_nearest_with_their_cosines(index):
    given = vectors_of(*range(1, SOME + 1))
    found = index.nearest(given[41], everything(SOME), 10)
    expected = np.argsort(-(given @ given[41]))[:10]
    assert keys(found) == [ChunkKey(1 + at // CHUNKS, at % CHUNKS) for at in expected.tolist()]
    assert np.allclose([cosine for _, cosine in found], given[expected] @ given[41], atol=1e-4)


@pytest.mark.parametrize("all_but", [False, True])
def test_a_search_stays_in_its_documents(index, all_but):
    scope = only(3, 4, 29, of=SOME, all_but=all_but)
    inside = set(scope.documents.tolist())
    found, total = index.keyword("Grenzwert", scope, SOME * CHUNKS)
    assert {key.document for key in keys(found)} == inside
    assert total == len(found) == len(inside) * CHUNKS
    near = index.nearest(vectors_of(3)[0], scope, SOME * CHUNKS)
    assert {key.document for key in keys(near)} == inside
    assert len(near) == len(inside) * CHUNKS


def test_a_search_stays_in_its_section(index):
    scope = part(5, (1, 3), SOME)
    found, total = index.keyword("Grenzwert", scope, 10)
    assert sorted(keys(found)) == [(5, 1), (5, 2)]
    assert total == 2
    assert keys(index.nearest(vectors_of(5)[2], scope, 10)) == [(5, 2), (5, 1)]


def test_vectors_come_back_as_they_were_put(index):
    asked = [ChunkKey(9, 3), ChunkKey(2, 0)]
    assert np.allclose(index.vectors(asked), np.stack([vectors_of(9)[3], vectors_of(2)[0]]), atol=1e-5)
    assert index.sound(9, CHUNKS)
    assert not index.sound(SOME + 1, CHUNKS)


def test_a_vector_that_is_not_there_is_one_sentence(index):
    with pytest.raises(KnowledgeBaseError, match="kb repair"):
        index.vectors([ChunkKey(1999, 0)])


def test_rare_words_are_rarer(index):
    assert index.rarity("wort7x2", "de") == pytest.approx(1.0, abs=0.01)
    assert index.rarity("grenzwert", "de") < 0.3
    assert index.rarity("nowhere", "de") == index.rarity("wort7x2", "de")


def test_removed_documents_are_gone(index):
    index.remove([7, 8])
    left = only(7, 8, of=SOME, all_but=True)
    assert index.keyword("wort7x2 wort8x1", left, 10) == ([], 0)
    assert not {7, 8} & {key.document for key in keys(index.nearest(vectors_of(7)[2], left, 20))}
    assert index.check({n: CHUNKS for n in range(1, SOME + 1) if n not in (7, 8)}) == []
    index.remove([7])  # once more changes nothing


def test_it_goes_on_after_it_was_closed(index, opened):
    index.close()
    for each in (index, opened()):
        assert keys(each.keyword("wort7x2", everything(SOME), 10)[0]) == [(7, 2)]
        assert keys(each.nearest(vectors_of(7)[2], everything(SOME), 1)) == [(7, 2)]


def test_another_one_that_is_open_sees_what_was_written(index, opened):
    reader = opened()
    assert reader.keyword("wort31x0", everything(SOME), 5)[0] == []
    index.put([document(31)], vectors_of(31))
    reader.reload()
    assert keys(reader.keyword("wort31x0", everything(31), 5)[0]) == [(31, 0)]
    assert keys(reader.nearest(vectors_of(31)[0], everything(31), 1)) == [(31, 0)]


def test_what_is_missing_is_said_and_made_again(index):
    class Catalog:
        def chunks(self, ordinal):
            return document(ordinal)

        def vectors(self, ordinal):
            return vectors_of(ordinal)

    held = dict.fromkeys(range(1, SOME + 3), CHUNKS)
    assert index.check(held)
    told = []
    index.repair(held, Catalog(), lambda done, total: told.append((done, total)))
    assert told[-1] == (SOME + 2, SOME + 2)
    assert index.check(held) == []
    assert keys(index.keyword("wort32x1", everything(SOME + 2), 5)[0]) == [(32, 1)]
    assert keys(index.nearest(vectors_of(32)[1], everything(SOME + 2), 1)) == [(32, 1)]


def test_nothing_is_left_when_it_is_destroyed(index, tmp_path):
    index.destroy()
    assert not [path for path in tmp_path.rglob("*") if path.is_dir()]
    index.put(documents(1, 2), vectors_of(1, 2))
    assert keys(index.keyword("wort2x1", everything(2), 5)[0]) == [(2, 1)]


def test_many_threads_read_while_one_writes(index):
    errors = []

    def read():
        for _ in range(10):
            try:
                assert keys(index.keyword("wort7x2", everything(SOME), 5)[0]) == [(7, 2)]
                assert keys(index.nearest(vectors_of(7)[2], everything(SOME), 1)) == [(7, 2)]
            except Exception as error:  # noqa: BLE001
                errors.append(error)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for ordinal in range(SOME + 1, SOME + 4):
        index.put([document(ordinal)], vectors_of(ordinal))
    for thread in threads:
        thread.join()
    assert errors == []
