"""What is bold: one sentence, one item of a list or the figure asked for, and never the marker of an item."""

from __future__ import annotations

import pytest

from rabbithole.steps.models import Evidence
from rabbithole.steps.response.models import QuotedPassage
from rabbithole.steps.response.quoted_lines import item_marker
from rabbithole.steps.response.quoting.answering_words import bold_figure, bold_of_list, with_best_bold
from rabbithole.steps.response.render import quotation
from rabbithole.steps.selection.models import AnswerUnit, RankedUnit, ScoredSpan, UnitKind

EVIDENCE = Evidence(key="e1", info="", document="bees", start=0, end=99, task=0, score=1.0)


def _passage(
    text: str, start: int, kind: UnitKind = "paragraph", bold: tuple[tuple[int, int], ...] = ()
) -> QuotedPassage:
    return QuotedPassage(evidence=EVIDENCE, text=text, start=start, end=start + len(text), kind=kind, bold=bold)


def _best(start: int, end: int) -> RankedUnit:
    unit = AnswerUnit(document="bees", section=None, page=0, start=0, end=99, text="Bees")
    return RankedUnit(unit=unit, score=1.0, probability=0.9, sentences=(ScoredSpan(start=start, end=end, score=0.9),))


def test_one_sentence_is_bold() -> None:
    two = [
        _passage("Bees sleep. They dance.", 0, bold=((0, 11), (12, 23))),
        _passage("Hives stand.", 30, bold=((0, 5),)),
    ]
    assert [one.bold for one in with_best_bold(two, _best(12, 23))] == [((12, 23),), ()]


def test_a_passage_of_one_sentence_is_bold() -> None:
    (one,) = with_best_bold([_passage("Bees sleep.", 0)], _best(0, 11))
    assert quotation((one,)) == "> **Bees sleep.** [e1]\n"


def test_passages_without_the_sentence_and_tables_stay_as_they_are() -> None:
    table = _passage("| Bees | 5 |", 0, "table", bold=((2, 6),))
    assert with_best_bold([table], _best(0, 12)) == [table]
    other = _passage("Bees sleep.", 40, bold=((0, 4),))
    assert with_best_bold([other], _best(0, 12)) == [other]


LIST = "A hive is cleaned thus:\n• smoke the bees\n• lift the lid\n• scrape the frames\nThis takes an hour."


def _bold(text: str, words: list[str], *, listed: bool, kind: UnitKind = "list") -> list[str]:
    spans = tuple((text.index(one), text.index(one) + len(one)) for one in words)
    return [text[a:b] for a, b in bold_of_list(_passage(text, 0, kind, spans), listed=listed)]


@pytest.mark.parametrize(
    ("words", "listed", "shown"),
    [
        (["• smoke the bees", "• lift the lid"], False, []),  # all steps but one
        (["• smoke the bees\n• lift the lid"], False, []),
        (["• lift the lid"], False, ["• lift the lid"]),
        (["A hive is cleaned thus:", "• lift the lid", "This takes an hour."], False, ["• lift the lid"]),
        (["A hive is cleaned thus:", "This takes an hour."], False, ["This takes an hour."]),
        (["A hive is cleaned thus:"], False, []),
        (["• lift the lid"], True, []),  # the whole list is asked for
    ],
)
def test_of_a_list_only_the_item_that_answers_is_bold(words: list[str], listed: bool, shown: list[str]) -> None:
    assert _bold(LIST, words, listed=listed) == shown


def test_other_text_keeps_what_is_bold() -> None:
    text = "Bees sleep. They dance.\nHives stand."
    assert _bold(text, ["They dance.\nHives stand."], listed=True, kind="paragraph") == ["They dance.\nHives stand."]
    assert _bold("| • Bees: | 5 |", ["• Bees:"], listed=True, kind="table") == ["• Bees:"]


def test_where_nothing_is_likely_to_answer_only_the_figure_asked_for_is_bold() -> None:
    text = "Bees sleep. A hive costs 40 euros."
    passage = _passage(text, 0, bold=((0, 11), (12, len(text))))
    assert [text[a:b] for a, b in bold_figure(passage, "money")] == ["A hive costs 40 euros."]
    assert bold_figure(passage, None) == ()


def test_an_article_is_no_number_asked_for() -> None:
    text = "Ein Imker hält sie in einem Kasten. Er hält acht Völker."
    passage = _passage(text, 0, bold=((0, 35), (36, len(text))))
    assert [text[a:b] for a, b in bold_figure(passage, "number")] == ["Er hält acht Völker."]


@pytest.mark.parametrize(
    ("line", "marker"),
    [
        ("5. Bees sleep.", "5. "),
        ("(2) Bees sleep.", "(2) "),
        ("a) Bees sleep.", "a) "),
        ("• Bees sleep.", "• "),
        ("- Bees sleep.", "- "),
        ("o Bees sleep.", "o "),
        ("4.2 Bees sleep.", "4.2 "),
        ("2020 was a good year.", ""),
        ("o sole mio", ""),
        ("A bee sleeps.", ""),
    ],
)
def test_the_marker_of_an_item(line: str, marker: str) -> None:
    assert item_marker(line) == marker
    printed = quotation((_passage(line, 0, "list", bold=((0, len(line)),)),))
    assert f"**{line[len(marker) :]}**" in printed
