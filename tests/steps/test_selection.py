"""Only a document picked from the last list and inspected can be read."""

from __future__ import annotations

import pytest

from rabbithole.kb.models import Chunk, Filter, Hit, Section
from rabbithole.steps.answering.constraints import contradiction, filters_of
from rabbithole.steps.answering.selection import Inspected, Listing, SelectionError, two_lines
from rabbithole.steps.reasoning.protocol import ConstraintModel


def hit(number: int) -> Hit:
    chunk = Chunk(id=f"d:c{number}", document="d", section="d:s0", page=0, start=0, end=4, text="long text " * 80)
    return Hit(chunk=chunk, score=1.0, title="Act", file="act.pdf")


@pytest.mark.parametrize("number", [0, 3, -1, 99])
def test_a_number_out_of_range_is_refused(number: int) -> None:
    with pytest.raises(SelectionError, match="1 to 2"):
        Listing(id=1, query="q", total=2, hits=(hit(1), hit(2))).pick(number, "why")


def test_a_list_shows_two_lines_and_never_the_text() -> None:
    (candidate,) = Listing(id=1, query="q", total=1, hits=(hit(1),)).candidates()
    assert len(candidate.snippet) <= 200
    assert candidate.number == 1


def test_picked_results_are_not_shown_again() -> None:
    listing = Listing(id=1, query="q", total=2, hits=(hit(1), hit(2)))
    assert [one.number for one in listing.candidates(without=("d:c1",))] == [2]


def test_only_sections_of_the_outline_can_be_chosen() -> None:
    section = Section(id="d:s0", document="d", index=0, level=1, start=0, own_end=4, end=4, page=0, last_page=0)
    picked = Listing(id=1, query="q", total=1, hits=(hit(1),)).pick(1, "why")
    inspected = Inspected(picked=picked, lead="", sections=(section,), snippets=("",))
    assert inspected.choose(1).section == section
    with pytest.raises(SelectionError):
        inspected.choose(2)


def test_two_lines_are_one_flat_text() -> None:
    assert two_lines("a\n b\tc") == "a b c"


def test_constraints_become_typed_filters() -> None:
    constraints = [ConstraintModel(field="year", operator=">=", value="2020")]
    assert filters_of(constraints, {"year": "number"}) == (Filter(field="year", operator=">=", value=2020),)


@pytest.mark.parametrize(
    ("filters", "field"),
    [
        ([("year", ">=", 2020), ("year", "<", 2010)], "year"),
        ([("year", "=", 2020), ("year", "=", 2021)], "year"),
        ([("year", ">=", 2020), ("year", "<=", 2021)], None),
        ([("type", "=", "act"), ("year", "=", 2021)], None),
    ],
)
def test_contradicting_conditions_are_seen(filters: list[tuple[str, str, object]], field: str | None) -> None:
    conditions = [
        Filter.model_validate({"field": name, "operator": operator, "value": value})
        for name, operator, value in filters
    ]
    assert contradiction(conditions) == field
