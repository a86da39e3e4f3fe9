"""What derogates from a quoted section stands below it, and an answer that it fits better is no certain one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Evidence
from rabbithole.steps.phrases import phrase
from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from rabbithole.steps.response.models import Block, QuotedPassage, Response
from rabbithole.steps.response.qualifying.derogations import DEROGATED, MOST, derogated
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder
from rabbithole.steps.response.render import beside_markdown
from rabbithole.steps.selection import question_part
from tests.kb_records import knowledge_base, record

RULE = "Der Kunde kann den Vertrag innerhalb von 14 Tagen widerrufen."
LIFE = ("§ 20", "Eine Lebensversicherung wird auf eine Person genommen.")
LONGER = ("§ 21", "Abweichend von § 8 beträgt die Frist zum Widerruf 30 Tage. Sie beginnt mit dem Vertrag.")
ORDINARY = ("§ 9", "Die Frist nach § 8 beginnt mit dem Vertrag über die Lebensversicherung.")
QUESTION = "Wie lange kann man den Vertrag widerrufen?"
ON_LIFE = "Wie lange kann man eine Lebensversicherung widerrufen?"


def law(*others: tuple[str, str]):
    return record("Vertragsgesetz", [("§ 1", "Dieses Gesetz regelt Verträge."), ("§ 8", RULE), *others])


def block(kb: KnowledgeBase, number: str, question: str, probability: float = 0.9) -> Block:
    section = kb.section("Vertragsgesetz", number)
    assert section is not None
    item = Evidence(
        key="e1", task=0, document="Vertragsgesetz", section=section.id, start=section.start, end=section.end, info=""
    )
    passage = QuotedPassage(
        evidence=item, text=kb.text("Vertragsgesetz", section.start, section.end), start=section.start,
        end=section.end, probability=probability,
    )  # fmt: skip
    finding = "answered" if probability > 0.5 else "closest"
    return Block(parts=(question,), finding=finding, probability=probability, passages=(passage,))


def below(kb: KnowledgeBase, question: str, probability: float = 0.9) -> tuple[Block, list[str]]:
    found, passages = derogated(
        kb, block(kb, "§ 8", question, probability), question_part(question, "de"), PassageBuilder(kb)
    )
    return found, [one.evidence.section_label + " from " + one.derogates_from for one in passages]


@pytest.mark.parametrize(
    ("others", "question", "shown", "finding"),
    [
        ([LONGER], QUESTION, ["§ 21 from § 8"], "answered"),
        ([ORDINARY, LONGER], QUESTION, ["§ 21 from § 8"], "answered"),
        ([LIFE, LONGER], ON_LIFE, ["§ 21 from § 8"], "closest"),  # only a section beside it names the matter
        ([ORDINARY], QUESTION, [], "answered"),
        ([LIFE, ORDINARY], ON_LIFE, [], "answered"),
        ([("§ 21", "§ 1 gilt nicht für Schulen.")], QUESTION, [], "answered"),  # another section than the one quoted
    ],
)
def test_derogations_are_found_through_references_to_the_quoted_section(
    tmp_path: Path, others: list[tuple[str, str]], question: str, shown: list[str], finding: str
) -> None:
    with knowledge_base(tmp_path, law(*others)) as kb:
        found, texts = below(kb, question)
    assert (texts, found.finding) == (shown, finding)
    assert found.probability == (0.9 if finding == "answered" else DEROGATED)


def test_of_many_only_those_that_bear_on_the_question_are_shown(tmp_path: Path) -> None:
    many = [(f"§ {at}", f"§ 8 gilt nicht für {what}.") for at, what in enumerate(("Schulen", "Gärten", "Boote"), 30)]
    with knowledge_base(tmp_path, law(*many)) as kb:
        assert below(kb, QUESTION)[1] == []
        found, texts = below(kb, "Wie lange können Schulen den Vertrag widerrufen?")
    assert len(many) > MOST
    assert (texts, found.finding) == (["§ 30 from § 8"], "closest")


def test_nothing_is_looked_up_for_a_passage_that_hardly_answers(tmp_path: Path) -> None:
    with knowledge_base(tmp_path, law(LIFE, LONGER)) as kb:
        found, texts = below(kb, ON_LIFE, 0.2)
    assert (texts, found.probability) == ([], 0.2)


@pytest.mark.parametrize(
    ("question", "shown"), [(ON_LIFE, []), ("Wie lange können Schulen widerrufen?", ["§ 30 from § 8"])]
)
def test_below_what_only_may_answer_a_derogation_needs_a_word_of_the_question(
    tmp_path: Path, question: str, shown: list[str]
) -> None:
    with knowledge_base(tmp_path, law(LIFE, LONGER, ("§ 30", "§ 8 gilt nicht für Schulen."))) as kb:
        assert below(kb, question, 0.3)[1] == shown


def test_another_law_of_other_collections_is_left_out(tmp_path: Path) -> None:
    other = record("Schulgesetz", [("§ 4", "§ 8 des Vertragsgesetzes gilt nicht für Schulen.")], collection="Schule")
    with knowledge_base(tmp_path, law(), other) as kb:
        part, builder, one = question_part(QUESTION, "de"), PassageBuilder(kb), block(kb, "§ 8", QUESTION)
        assert derogated(kb, one, part, builder, ("Recht",))[1] == ()
        (passage,) = derogated(kb, one, part, builder)[1]
    assert passage.derogates_from == "§ 8 des Vertragsgesetzes"


@pytest.mark.parametrize(("language", "note"), [("de", "weicht ab von § 8"), ("en", "derogates from § 8")])
def test_the_report_names_the_reference(tmp_path: Path, language: str, note: str) -> None:
    with knowledge_base(tmp_path, law(LONGER)) as kb:
        _, passages = derogated(kb, block(kb, "§ 8", QUESTION), question_part(QUESTION, "de"), PassageBuilder(kb))
        text = beside_markdown(Response(status="answered", qualifying=passages), language)
    assert text.startswith(f"## {phrase(language, 'response.qualifying')}")
    assert f"§ 21, S. 3 ({note})" in text or f"§ 21, p. 3 ({note})" in text
    assert "> § 21 Abweichend von § 8 beträgt die Frist zum Widerruf 30 Tage." in text


def test_a_later_section_of_an_english_document(tmp_path: Path) -> None:
    rules = record(
        "Rules",
        [
            ("1", "These rules are about bees."),
            ("2", "A keeper reports a hive within 14 days."),
            ("3", "Section 2 does not apply to schools."),
        ],
        language="en",
    )
    with knowledge_base(tmp_path, rules) as kb:
        response = respond(kb, understand(kb, "Within how many days does a keeper report a hive?", "en"))
    assert [one.derogates_from for one in response.qualifying] == ["Section 2"]
