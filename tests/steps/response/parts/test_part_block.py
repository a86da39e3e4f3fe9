"""What is quoted for each part of a question: the passage above again, another part's passage never, how sure it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Evidence
from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from rabbithole.steps.response.choosing import Chooser, Chosen
from rabbithole.steps.response.models import Block, Finding, QuotedPassage
from rabbithole.steps.response.part_block import PART_OF_LIST, closest, part_block, says_the_same
from rabbithole.steps.response.quotable import quotable
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder
from rabbithole.steps.selection import RankedUnit
from rabbithole.steps.selection.models import AnswerUnit, ScoredSpan, SelectionStatus
from tests.kb_records import knowledge_base, record

CORNERS = "\n".join(f"• corner {n} of the yard with many small things in it, among them old ones." for n in range(20))
CLUB = record(
    "Club",
    [
        ("1", "Fees\nMembers pay a yearly fee of 20 euros to the club."),
        ("2", "Keys\nFor a key of the club members pay a deposit of 5 euros."),
        ("3", "Guests\nGuests of the club pay nothing on their first day."),
        ("4", "Notice\nA member of the club leaves it with a notice of four weeks in writing."),
        ("5", "Board\nThe tasks of the board are:\n• the budget\n• the rules\n• the house\nThe board pays no fees."),
        ("6", f"Yard\nThe yard is open. It has these corners:\n{CORNERS}"),
        ("8", "Ponds\nThere are two ponds with fish in the garden of the club, a short walk away."),
        ("7", "Boats\nI have a boat of my own. May I bring the boat to the pond of the club?"),
    ],
    language="en",
)


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with knowledge_base(Path(tmp_path_factory.mktemp("club")) / "kb", CLUB) as opened:
        yield opened


def block_of(
    kb: KnowledgeBase,
    question: str,
    status: SelectionStatus = "none",
    before: tuple[Block, ...] = (),
    first: str = "",
) -> Block:
    """The block for the last part of a question, with a unit of section ``first`` as its best if that is given."""
    understood = understand(kb, question, "en")
    chosen = Chooser(kb, understood, (), (), ()).choose(understood.parts[-1])
    units = sorted(chosen.selection.units, key=lambda one: not (first and one.unit.section == section(kb, first)))
    update = {"status": status, "probability": 0.9, "units": tuple(units)}
    chosen = replace(chosen, selection=chosen.selection.model_copy(update=update))
    ordered = quotable(kb, chosen.selection, understood)
    return part_block(kb, understood, chosen, ordered, PassageBuilder(kb), before, (), lambda part, candidates: [])


def section(kb: KnowledgeBase, number: str) -> str:
    found = kb.section(CLUB.document.id, number)
    assert found is not None
    return found.id


def quoted(passages: tuple[QuotedPassage, ...]) -> str:
    return "\n".join(one.text for one in passages)


def test_a_part_whose_best_passage_stands_above_is_answered_there(kb: KnowledgeBase) -> None:
    (block,) = respond(kb, understand(kb, "How does a member leave the club, and is it in writing?", "en")).blocks
    assert block.parts == ("How does a member leave the club", "is it in writing")
    leaving = [passage for passage in block.passages if "a notice of four weeks in writing" in passage.text]
    assert leaving == [block.passages[0]]


@pytest.mark.parametrize(("probability", "bold"), [(0.9, 1), (0.6, 1), (0.59, 0), (0.05, 0)])
def test_one_sentence_is_bold_where_a_passage_is_likely_to_answer(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, probability: float, bold: int
) -> None:
    def rated(self: Chooser, text: str) -> Chosen:
        found = choose(self, text)
        return replace(
            found, selection=found.selection.model_copy(update={"status": "partly", "probability": probability})
        )

    choose = Chooser.choose
    monkeypatch.setattr(Chooser, "choose", rated)
    (block,) = respond(kb, understand(kb, "How does a member leave the club?", "en")).blocks
    assert block.probability == probability
    best = block.passages[0]
    assert [best.text[slice(*one)] for one in best.bold] == [
        "A member of the club leaves it with a notice of four weeks in writing."
    ] * bold


@pytest.mark.parametrize("status", ["none", "partly"])
def test_the_passage_above_is_quoted_again_as_it_is_and_alone(kb: KnowledgeBase, status: SelectionStatus) -> None:
    above = block_of(kb, "How does a member leave the club?", "answered")
    same = block_of(kb, "Is the notice of a member in writing?", status, (above,))
    assert same.passages == above.passages[:1]
    assert block_of(kb, "What do guests of the club pay?", status, (above,)).passages[0] != above.passages[0]


def test_only_the_first_passage_above_is_quoted_again(kb: KnowledgeBase) -> None:
    """Further passages of a part are there for that part."""
    above = block_of(kb, "How does a member leave the club?", "answered")
    (notice,) = above.passages
    (fee,) = block_of(kb, "How much is the yearly fee of members?", "answered").passages
    both = above.model_copy(update={"passages": (fee, notice)})
    assert notice not in block_of(kb, "Is the notice of a member in writing?", "none", (both,), first="4").passages


def test_what_another_part_quotes_as_its_best_is_not_quoted_beside_the_best_of_this_one(kb: KnowledgeBase) -> None:
    question = "What fee do members pay to the club, and what deposit do they pay for a key?"
    fee, deposit = respond(kb, understand(kb, question, "en")).blocks
    assert ("20 euros" in quoted(fee.passages), "5 euros" in quoted(fee.passages)) == (True, False)
    assert "5 euros" in quoted(deposit.passages)


def ranked(at: int) -> RankedUnit:
    unit = AnswerUnit(document="d", section="s", page=0, start=10 * at, end=10 * at + 5, text=f"Word {at}")
    return RankedUnit(unit=unit, score=4.0 - at / 9, probability=0.3)


@pytest.mark.parametrize(("reserved", "shown"), [((), (0, 1, 2)), ((1,), (0, 2)), ((0, 1), (0, 2)), ((1, 2), (0,))])
def test_reserved_units_are_left_to_their_parts_but_for_the_best(
    reserved: tuple[int, ...], shown: tuple[int, ...]
) -> None:
    units = [ranked(at) for at in range(3)]
    assert closest(units, (), [units[at].unit for at in reserved]) == [units[at] for at in shown]


@pytest.mark.parametrize(
    ("quoted", "shown"),
    [
        ("Two weeks before. […] It may meet again.", (0, 1)),
        ("Two weeks before. A seventh must come. It may meet again.", (0,)),
    ],
)
def test_what_a_cut_left_out_of_a_passage_above_is_quoted(quoted: str, shown: tuple[int, ...]) -> None:
    text = "A seventh must come. It may meet again."
    unit = AnswerUnit(document="d", section="s", page=0, start=20, end=20 + len(text), text=text)
    inside = RankedUnit(unit=unit, score=3.9, probability=0.3, sentences=(ScoredSpan(start=20, end=40, score=0.9),))
    evidence = Evidence(key="e1", info="", document="d", start=0, end=99, task=0, score=1.0)
    above = QuotedPassage(evidence=evidence, text=quoted, start=0, end=99)
    units = [ranked(11).model_copy(update={"score": 4.0}), inside]
    assert closest(units, [above]) == [units[at] for at in shown]


@pytest.mark.parametrize(
    ("question", "finding", "probability"),
    [
        ("List the tasks of the board", "answered", 0.9),
        ("List the corners of the yard", "closest", PART_OF_LIST),  # what is left out may be what is asked for
    ],
)
def test_the_beginning_of_a_list_is_no_sure_answer(
    kb: KnowledgeBase, question: str, finding: Finding, probability: float
) -> None:
    block = block_of(kb, question, "answered")
    assert (block.finding, block.probability) == (finding, probability)
    assert block.passages[0].goes_on is (finding == "closest")


def test_the_list_asked_for_takes_the_place_of_what_it_contains(kb: KnowledgeBase) -> None:
    passages = block_of(kb, "List the tasks of the board", "none").passages
    assert quoted(passages).count("• the rules") == 1
    assert passages[0].text == "The tasks of the board are:\n• the budget\n• the rules\n• the house"


@pytest.mark.parametrize(("first", "finding"), [("7", "closest"), ("", "answered")])
def test_a_rating_holds_only_for_the_passage_it_is_of(kb: KnowledgeBase, first: str, finding: Finding) -> None:
    """A question in a document is rated best but is not quoted first."""
    block = block_of(kb, "What do guests of the club pay on their first day?", "answered", first=first)
    assert block.passages[0].text.endswith("Guests of the club pay nothing on their first day.")
    assert block.finding == finding
    assert (block.probability < 0.9) is (finding == "closest")


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("Every link in the Internet has an MTU of 1280 octets or greater.", True),
        ("²⁰ Every link in the internet has an MTU of 1280 octets or greater.³", True),  # the numbers of notes differ
        ("Every link in the internet has an MTU of 1500 octets or greater.", False),
        ("Every link in the internet has no MTU at all in that version.", False),
    ],
)
def test_a_paragraph_of_two_editions_is_shown_once_unless_a_figure_differs(other: str, same: bool) -> None:
    assert says_the_same("Every link in the internet has an MTU of 1280 octets or greater.", other) is same


def test_short_texts_are_never_the_same() -> None:
    assert not says_the_same("20 euros", "20 euros")


def test_a_sentence_that_only_counts_is_no_certain_answer(kb: KnowledgeBase) -> None:
    block = block_of(kb, "Which ponds with fish does the garden of the club have?", "answered", first="8")
    assert (block.finding, block.probability <= PART_OF_LIST) == ("closest", True)


def test_a_section_asked_for_by_its_heading_is_quoted_from_its_beginning(tmp_path: Path) -> None:
    waste = "Wood goes into the brown bin.\n\nThe workshop has waste of all kinds.\n\nPaint is taken back by the shop."
    made = record("Shop", [("1", waste), ("2", "The workshop is open on Mondays.")], language="en")
    headed = made.sections[0].model_copy(update={"heading": "Waste of the workshop"})
    with knowledge_base(tmp_path, made.model_copy(update={"sections": (headed, *made.sections[1:])})) as kb:
        (passage, *_) = block_of(kb, "What about the waste of the workshop?", "answered").passages
    assert "Wood goes into the brown bin." in passage.text
    assert "Paint is taken back by the shop." in passage.text


FAQ = "No, you must test the patches yourself before you send them. The machine is slow."


@pytest.mark.parametrize(
    ("question", "status", "begins"),
    [
        ("Do I have to send all the patches again after a small change?", "none", "you must test"),
        ("Can the machine test my patches?", "none", "No, you must"),  # the heading asks the same
        ("Do I have to send all the patches again after a small change?", "answered", "No, you must"),
    ],
)
def test_a_no_to_another_question_is_left_out(
    tmp_path: Path, question: str, status: SelectionStatus, begins: str
) -> None:
    heading = "May I let the machine test my patches?"
    made = record("Patches", [("1", f"{heading}\n{FAQ}"), ("2", "The kernel is free.")], language="en")
    sections = (made.sections[0].model_copy(update={"heading": heading}),)
    with knowledge_base(tmp_path, made.model_copy(update={"sections": (*sections, *made.sections[1:])})) as kb:
        (passage, *_) = block_of(kb, question, status).passages
        assert passage.text.startswith(begins)
        assert passage.begins_within is (begins == "you must test")
        assert kb.text("Patches", passage.start, passage.end) == passage.text
