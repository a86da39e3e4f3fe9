"""For any filter, both indexes give the same hits as filtering afterwards."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kb_records import knowledge_base, record

from rabbithole.kb.models import Filter
from rabbithole.kb.search.filters import matches

QUERY = "Grenzwert für die Überwachung"
VALUES = [1999, 2004, 2004.0, 2004.5, -1, "2004", "2004-05-01", "2010-01-31", "alt", "neu", "", True, False, None]
FIELDS = ["year", "kind", "seldom", "document", "file", "title", "language", "collection"]
OWN = ["d03", "d07.pdf", "d11.pdf", "D05", "de", "en", "Recht", "Technik"]
scalars = st.sampled_from([*VALUES, *OWN])


def is_allowed(condition: Filter) -> bool:
    """Words are refused where all documents have a number."""
    values = condition.value if isinstance(condition.value, tuple) else (condition.value,)
    words = [one for one in values if isinstance(one, str) and one != "2004"]
    return not (condition.field == "seldom" and words)


conditions = st.one_of(
    st.builds(
        Filter,
        field=st.sampled_from(FIELDS),
        operator=st.sampled_from(["=", "!=", "<", "<=", ">", ">="]),
        value=scalars,
    ),
    st.builds(
        Filter,
        field=st.sampled_from(FIELDS),
        operator=st.just("in"),
        value=st.lists(scalars, max_size=4).map(tuple),
    ),
).filter(is_allowed)


def documents():
    for number in range(40):
        metadata = {"year": VALUES[number % len(VALUES)], "kind": VALUES[(number * 5 + 3) % len(VALUES)]}
        if number % 11 == 0:
            metadata["seldom"] = number
        if number % 13 == 0:
            metadata["language"] = "sonstige"  # metadata stands before what every document has
        yield record(
            f"d{number:02}",
            [("§ 1", f"Der Grenzwert Nummer {number}."), ("§ 2", f"Die Überwachung {number % 7} der Anlage.")],
            collection="Recht" if number % 3 else "Technik",
            language="de" if number % 2 else "en",
            metadata={name: value for name, value in metadata.items() if number % 4 or name == "seldom"},
        )


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    with knowledge_base(tmp_path_factory.mktemp("kb"), *documents()) as opened:
        yield opened


@pytest.fixture(params=[0, 10**6], ids=["bits", "exact"])
def exact_limit(request, monkeypatch):
    """Semantic search by scanning bits, and by the numbers alone."""
    monkeypatch.setattr("rabbithole.kb.store.vectors.matrix.Matrix.exact_limit", request.param)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["keyword", "semantic"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    filters=st.lists(conditions, min_size=1, max_size=3), collections=st.sampled_from([(), ("Recht",), ("Technik",)])
)
def test_filtering_is_filtering_afterwards(kb, exact_limit, mode, filters, collections):
    everything = kb.search(QUERY, collections, mode=mode, top_k=1000).hits
    meeting = {document.id for document in kb.documents() if all(matches(document, condition) for condition in filters)}
    wanted = [hit.chunk.id for hit in everything if hit.chunk.document in meeting]
    found = kb.search(QUERY, collections, mode=mode, filters=filters, top_k=1000)
    assert [hit.chunk.id for hit in found.hits] == wanted
    assert found.total == len(wanted)


@settings(max_examples=30)
@given(filters=st.lists(conditions, min_size=1, max_size=2))
def test_hybrid_search_finds_the_same_chunks(kb, filters):
    wanted = {hit.chunk.id for hit in kb.search(QUERY, top_k=1000).hits}
    wanted &= {
        chunk.id
        for document in kb.documents()
        if all(matches(document, condition) for condition in filters)
        for chunk in kb.chunks(document.id)
    }
    assert {hit.chunk.id for hit in kb.search(QUERY, filters=filters, top_k=1000).hits} == wanted


def test_conditions_that_python_takes_for_equal_are_not_mixed_up(kb):
    """A text is compared with the number's text: '2004-05-01' comes after '2004', and before '2004.0'."""

    def found(value):
        hits = kb.search(QUERY, mode="keyword", filters=[Filter(field="kind", operator=">", value=value)], top_k=1000)
        return {hit.chunk.document for hit in hits.hits}

    dates = {document.id for document in kb.documents() if document.metadata.get("kind") == "2004-05-01"}
    assert dates
    assert not dates & found(2004.0)
    assert dates <= found(2004)


def test_several_collections_at_once(kb):
    one, other = (kb.search(QUERY, [name], mode="keyword", top_k=1000) for name in ("Recht", "Technik"))
    both = kb.search(QUERY, ["Technik", "Recht"], mode="keyword", top_k=1000)
    assert both.total == one.total + other.total
    assert {hit.chunk.id for hit in both.hits} == {hit.chunk.id for hit in (*one.hits, *other.hits)}
    assert both == kb.search(QUERY, mode="keyword", top_k=1000)
