"""Search by resolved references: places that good hits are tied to move up, hubs and wide places little or not."""

from __future__ import annotations

import pytest
from kb_records import knowledge_base, record

from rabbithole.kb.models import Filter
from rabbithole.kb.search.reference_ranking import Tied, Way, lifted, ways
from rabbithole.kb.search.weights import ReferenceWeights, reviewed
from rabbithole.kb.store.ports import ChunkKey
from rabbithole.kb.store.reference_rows import Tie

WEIGHTS = ReferenceWeights(share=0.5, seeds=2, pool=3, outside=0.5, widest=4, hub=4, everywhere=20)
NONE = Tied((), ())


def key(position):
    """A chunk of the one document of these tests."""
    return ChunkKey(1, position)


def places(*runs):
    return [Tie(1, first, count) for first, count in runs]


def scored(*pairs):
    return [(key(position), score) for position, score in pairs]


def reached(ranked, ties, holds=lambda position: True):
    """The gains by position; ``ties``: position -> (runs it refers to, runs that refer to it)."""
    tied = {key(of): Tied(places(*forward), places(*back)) for of, (forward, back) in ties.items()}
    found = ways(scored(*ranked), lambda of: tied.get(of, NONE), lambda of: holds(of.position), WEIGHTS)
    return {to.position: (way.seed.position, way.forward, way.gain) for to, way in found.items()}


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ({1: ([(3, 1)], [])}, {3: (1, True, 0.5)}),
        ({1: ([], [(3, 1)])}, {3: (1, False, 0.5)}),
        ({1: ([(9, 1)], [])}, {9: (1, True, 0.25)}),  # outside the list: half
        ({1: ([(2, 4)], [])}, {2: (1, True, 0.25), 3: (1, True, 0.25), 4: (1, True, 0.125),
                               5: (1, True, 0.125)}),  # by the root of the place's passages
        ({1: ([(2, 5)], [])}, {}),  # too wide a place
        ({1: ([(1, 1)], [])}, {}),  # itself
        ({3: ([(1, 1)], [])}, {}),  # not among the first two
        # a hub
        ({1: ([], [(row, 1) for row in range(10, 26)])}, dict.fromkeys(range(10, 26), (1, False, 0.125))),
        ({1: ([], [(row, 1) for row in range(10, 30)])}, {}),  # cited everywhere
        ({1: ([(3, 1)], []), 2: ([(3, 1)], [])}, {3: (1, True, 0.5)}),  # the largest gain counts
        ({1: ([(2, 1)], []), 2: ([(1, 1)], [])}, {2: (1, True, 0.5), 1: (2, True, 0.4)}),  # a cycle
    ],
)  # fmt: skip
def test_gains(ties, expected) -> None:
    assert reached([(1, 1.0), (2, 0.8), (3, 0.2)], ties) == expected


def test_a_place_in_another_document_gains() -> None:
    found = ways(scored((1, 1.0)), lambda of: Tied([Tie(2, 1, 1)], []), lambda of: True, WEIGHTS)
    assert found == {ChunkKey(2, 1): Way(key(1), True, 0.25)}


def test_a_hub_cited_ten_thousand_times_gives_nothing_and_takes_one_gain() -> None:
    crowd = [(row, 1) for row in range(10, 10_010)]
    assert reached([(1, 1.0)], {1: ([], crowd)}) == {}
    ties = {row: ([(5, 1)], []) for row in range(10, 10_010)}
    assert reached([(row, 1.0) for row in range(10, 10_010)], ties) == {5: (10, True, 0.25)}


def test_what_may_not_be_shown_gains_nothing() -> None:
    assert reached([(1, 1.0)], {1: ([(3, 1)], [])}, holds=lambda position: position != 3) == {}


def test_lifted_chunks_are_in_order() -> None:
    gains = {key(2): Way(key(1), True, 0.7), key(3): Way(key(1), True, 0.1)}
    assert lifted(scored((1, 1.0), (2, 0.5)), gains) == scored((2, 1.2), (1, 1.0), (3, 0.1))


def test_the_figures_that_come_with_the_package_are_read() -> None:
    assert reviewed().semantic("use-multilingual", "en") < reviewed().semantic("use-multilingual", "de")
    assert reviewed().semantic("another", "en") == reviewed().meaning_otherwise


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    act = record(
        "Strahlenschutzgesetz",
        [
            ("§ 1", "Die Freigabe bedarf einer Genehmigung nach § 3."),
            ("§ 2", "Fahrräder sind abzustellen."),
            ("§ 3", "Der Antrag ist schriftlich zu stellen; Unterlagen liegen bei."),
            *((f"§ {number}", "Tiere sind zu füttern.") for number in range(4, 30)),
        ],
    )
    with knowledge_base(tmp_path_factory.mktemp("kb"), act) as opened:
        yield opened


def test_what_the_best_hit_refers_to_is_found_and_says_why(kb) -> None:
    hits = kb.search("Freigabe Genehmigung", top_k=3).hits
    named = next(hit for hit in hits if hit.chunk.section.endswith(":s2"))
    assert named.reasons == ("named by § 1 STRAHLENSCHUTZGESETZ",)
    assert named.scores["references"] > 0
    assert hits[0].reasons == ()


def test_what_refers_to_the_best_hit_is_found_and_says_why(kb) -> None:
    hits = kb.search("Antrag schriftlich Unterlagen", top_k=3).hits
    citing = next(hit for hit in hits if hit.chunk.section.endswith(":s0"))
    assert citing.reasons == ("refers to § 3 STRAHLENSCHUTZGESETZ",)


def test_a_filter_holds_for_what_references_lead_to(kb) -> None:
    scoped = kb.search("Freigabe Genehmigung", filters=[Filter(field="section", operator="=", value="§ 1")]).hits
    assert [hit.chunk.section for hit in scoped] == ["Strahlenschutzgesetz:s0"]


def test_one_side_alone_knows_no_references(kb) -> None:
    assert all("references" not in hit.scores for hit in kb.search("Freigabe", mode="keyword").hits)
