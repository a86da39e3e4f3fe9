"""A second document with a figure of its own stands beside a sure answer."""

from __future__ import annotations

import pytest
from kb_records import knowledge_base, record

from rabbithole.steps.response.qualifying.conflicts import figures_in, own_rule
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder
from rabbithole.steps.selection import gather, question_part, select

ROWING = record("Rules of the rowing club", [("1", "It is due on admission. The admission fee is 10 euros.")])
CHESS = record("Rules of the chess club", [("1", "The board meets in May. The admission fee is 25 euros.")])
TENNIS = record("Rules of the tennis club", [("1", "Courts are closed in May. The admission fee is EUR 10.00.")])
SAILING = record("Rules of the sailing club", [("1", "The admission fee is set by the board. Boats cost 900 euros.")])


@pytest.mark.parametrize(
    ("others", "question", "found"),
    [
        ([CHESS], "What is the admission fee?", ["25 euros"]),
        ([TENNIS], "What is the admission fee?", []),  # the same one
        ([TENNIS, CHESS], "What is the admission fee?", ["25 euros"]),
        ([SAILING], "What is the admission fee?", []),  # no sentence states it
        ([CHESS], "Who sets the admission fee?", []),  # no figure is asked for
    ],
)
def test_it_has_all_words_of_the_question_and_a_figure(tmp_path, others, question, found) -> None:
    with knowledge_base(tmp_path, ROWING, *others) as kb:
        part = question_part(question, "en")
        selection = select(kb, part, gather(kb, part))
        rowing = [one for one in selection.units if "10 euros" in one.unit.text]
        quoted = own_rule(kb, selection, rowing, PassageBuilder(kb))
    assert [word for one in quoted for word in ("25 euros", "900 euros", "EUR 10.00") if word in one.text] == found


@pytest.mark.parametrize(
    ("sentence", "figures"),
    [
        ("(2) Die Gebühr beträgt € 10,00.", {"10"}),
        ("2. Die Gebühr beträgt EUR 10,00.", {"10"}),
        ("The fee is 10 euros.", {"10"}),
        ("The fee is ten euros.", {"10"}),
        ("Die Gebühr beträgt EUR 10,50.", {"10,50"}),
        ("Die Gebühr beträgt EUR 1.000.", {"1.000"}),
    ],
)
def test_figures_of_a_sentence(sentence: str, figures: set[str]) -> None:
    assert figures_in(sentence) == figures
