"""Search from hit to hit: it follows names, covers the question and stays in scope."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kb_records import knowledge_base, record

from rabbithole.kb.models import Filter
from rabbithole.kb.search.coverage import COVERAGE, REPEATED, Candidate, choose
from rabbithole.kb.search.entities import contains, entities, near, plain, telling, title_forms
from rabbithole.kb.store.ports import ChunkKey

PASSAGES = {
    "Web of Suspicion": "Web of Suspicion is a 1959 British crime film directed by Max Varnel with Philip Friend.",
    "Max Varnel": "Max Varnel (21 March 1925) was a French-born Australian television maker who worked in Sydney.",
    "Philip Friend": "Philip Friend (20 February 1915) was a British stage performer from Horsham in Sussex.",
    "Web": "A web is made by a spider to catch flies and other insects in summer.",
    "Suspicion": "Suspicion is a feeling that something is wrong with somebody.",
    "Born to be wild": "When it was born, the calf was small; the herd was born to be wild in the steppe.",
    "Nanda Devi": "Nanda Devi is the second highest mountain of India.",
    "Nanda Devi National Park": "Nanda Devi National Park lies around Nanda Devi, a higher mountain of India.",
    "Nanda Kot": "Nanda Kot is a mountain beside Nanda Devi in India, one of the higher mountains near Nanda Devi.",
    "Broad Peak": "Broad Peak, first climbed in 1957, stands on the border of Pakistan.",
}


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    records = []
    for number, (title, text) in enumerate(PASSAGES.items()):
        one = record(f"d{number:02}", [("", text)], collection="A" if number < 6 else "B", language="en")
        records.append(one.model_copy(update={"document": one.document.model_copy(update={"title": title})}))
    with knowledge_base(tmp_path_factory.mktemp("kb"), *records) as opened:
        yield opened


def titles(result):
    return [hit.title for hit in result.hits]


def test_a_name_beside_the_words_of_the_question_leads_on(kb):
    found = titles(kb.search_linked("When was the director of Web of Suspicion born?", top_k=2))
    assert set(found) == {"Web of Suspicion", "Max Varnel"}


def test_what_the_others_leave_open_is_covered(kb):
    assert set(titles(kb.search_linked("Which is higher, Nanda Devi or Broad Peak?", top_k=2))) == {
        "Nanda Devi",
        "Broad Peak",
    }


def test_hits_repeat_themselves_and_scores_fall(kb):
    first = kb.search_linked("Who directed Web of Suspicion?", top_k=5)
    assert first == kb.search_linked("Who directed Web of Suspicion?", top_k=5)
    scores = [hit.score for hit in first.hits]
    assert scores == sorted(scores, reverse=True)
    assert len({hit.chunk.id for hit in first.hits}) == len(first.hits)
    assert {"fused", "linked"} <= set(first.hits[0].scores)


def test_one_search_follows_names_among_short_documents_with_titles(kb):
    question = "When was the director of Web of Suspicion born?"
    assert kb.search(question, top_k=5) == kb.search_linked(question, top_k=5)
    assert set(titles(kb.search(question, top_k=2))) == {"Web of Suspicion", "Max Varnel"}


def test_among_few_documents_names_are_not_followed(kb):
    scores = [hit.scores for hit in kb.search("Nanda Devi or Broad Peak", ["B"]).hits]
    assert scores
    assert not any("linked" in each for each in scores)


def test_it_stays_where_it_may_look(kb):
    assert {hit.chunk.document for hit in kb.search_linked("Nanda Devi director", ["A"]).hits} <= {
        f"d{number:02}" for number in range(6)
    }
    condition = Filter(field="file", operator="=", value=kb.document("d06").file)
    assert titles(kb.search_linked("Nanda Devi or Broad Peak", filters=[condition])) == ["Nanda Devi"]


def test_nothing_matching_is_an_empty_result(kb):
    condition = Filter(field="file", operator="=", value="no such file")
    assert kb.search_linked("Nanda Devi", filters=[condition]).hits == ()


def test_names_are_found_by_their_capitals():
    assert entities("In 1959 the film was directed by Max Varnel of Paris.") == ("1959", "max varnel of paris")
    assert title_forms("Per Blom (canoeist)") == ("per blom", "per blom canoeist")
    assert telling(plain("Who was the director of Anton?")) == ["director", "anton"]
    assert contains("the max varnel film", "max varnel")
    assert not contains("the max varnelly film", "max varnel")


def test_words_beside_a_name_count_once():
    text = plain("A film directed by Max Varnel, and later the director Varnel again.")
    assert near(text, "max varnel", {"director": 0.7, "born": 0.3}) == pytest.approx(0.7)
    assert near(text, "nobody", {"director": 0.7}) == 0.0


def test_choosing_prefers_what_is_new():
    words = {"nanda": 0.3, "devi": 0.3, "broad": 0.2, "peak": 0.2}
    same = [Candidate(ChunkKey(row, 0), 0.9, 0.0, None, frozenset({"nanda", "devi"})) for row in (1, 2)]
    other = Candidate(ChunkKey(3, 0), 0.7, 0.0, None, frozenset({"broad", "peak"}))
    chosen = choose([*same, other], words, 3)
    assert [one.key.document for one, _ in chosen] == [1, 3, 2]
    gains = [gain for _, gain in chosen]
    assert gains == sorted(gains, reverse=True)


def chosen_anew(candidates, weights, count):
    """Choose as ``choose`` does, but compute every gain before each choice."""
    waiting = sorted(candidates, key=lambda one: (-round(one.base + one.linked, 6), one.key))
    left, used, chosen = set(weights), Counter(), []
    while waiting and len(chosen) < count:
        gains = [
            one.base
            + one.linked * (REPEATED ** used[one.seed] if one.seed is not None else 1.0)
            + COVERAGE * sum(weights[word] for word in one.covered & left)
            for one in waiting
        ]
        best = max(range(len(waiting)), key=lambda at: (round(gains[at], 6), -at))
        chosen.append((waiting[best], pytest.approx(gains[best])))
        one = waiting.pop(best)
        left -= one.covered
        if one.seed is not None and one.linked > one.base:
            used[one.seed] += 1
    return chosen


shares = st.sampled_from([0.0, 0.125, 0.25, 0.5])


@given(
    st.lists(st.tuples(shares, shares, st.sampled_from([None, 1, 2]), st.frozensets(st.sampled_from("abcd")))),
    st.integers(0, 12),
)
def test_only_gains_that_have_changed_are_computed_again(rows, count):
    weights = {"a": 0.5, "b": 0.25, "c": 0.125, "d": 0.125}
    candidates = [
        Candidate(ChunkKey(number, 0), base, linked, None if seed is None else ChunkKey(seed, 0), covered)
        for number, (base, linked, seed, covered) in enumerate(rows)
    ]
    assert choose(candidates, weights, count) == chosen_anew(candidates, weights, count)


def test_ways_from_one_seed_count_less_each_time():
    reached = [
        Candidate(ChunkKey(row, 0), 0.0, 1.0 - row / 100, ChunkKey(seed, 0), frozenset())
        for row, seed in ((1, 8), (2, 8), (3, 9))
    ]
    assert [one.key.document for one, _ in choose(reached, {}, 3)] == [1, 3, 2]
