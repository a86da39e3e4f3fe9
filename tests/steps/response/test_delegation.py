"""The place that the answering sentence refers to is quoted, followed or read as a search result."""

from __future__ import annotations

from pathlib import Path

import pytest
from kb_records import knowledge_base, record
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.phases.reading_units import Reading, open_reading
from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from rabbithole.steps.response.delegation import announced_table
from rabbithole.steps.selection.models import AnswerUnit

PAGES = [
    "§ 1 Anzeige\n\nWer Bienen hält, zeigt dies der Behörde vor Ablauf der in § 2 genannten Frist schriftlich an.",
    "§ 2 Dauer\n\nEs gilt:\n\n§ 2.1 Ende\n\nSie endet nach 14 Tagen, bei Schulen nach 30 Tagen.",
]
TOC = [(1, "§ 1 Anzeige", 1), (1, "§ 2 Dauer", 2), (2, "§ 2.1 Ende", 2)]


@pytest.mark.parametrize(("number", "read"), [("§ 2", True), ("§ 2.1", True), ("§ 2", False)])
def test_a_place_read_before_the_reference_was_met_is_quoted(tmp_path: Path, number: str, read: bool) -> None:
    write_pdf(tmp_path / "pdf" / "BienG.pdf", PAGES, toc=TOC, title="Bienengesetz (BienG)")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        kb.ingest([tmp_path / "pdf"], "C")
        (document,) = kb.documents()
        section = next(each for each in kb.outline(document.id) if each.label.startswith(f"{number} "))
        place = Reading(document=document.id, section=section.id, start=section.start, end=section.end, score=1.0)
        evidence, _ = open_reading(kb, 0, place)
        question = understand(kb, "Vor welcher Frist zeigt man der Behörde schriftlich an, dass man Bienen hält?", "de")
        response = respond(kb, question, evidence=(evidence,) if read else ())
    passages = [one for block in response.blocks for one in block.passages]
    assert "schriftlich an" in passages[0].text
    assert ("reached" in [one.why for one in passages]) is read


def test_a_table_that_the_answering_sentence_announces_is_quoted(tmp_path: Path) -> None:
    announced = "Table 2 lists the obstacles to growth of clouds. They are ranked by users."
    cells = "Table 2. Obstacles.\nRank\n1 Availability\n2 Lock-in\n3 Audits"
    prose = (
        "Clouds are rented by the hour. A user pays for what is used, and the provider buys machines in large numbers."
    )
    sections = [("1", announced), ("2", prose), ("3", f"{prose}\n{cells}\nTable 2 is by hand.")]
    with knowledge_base(tmp_path, record("Clouds", sections)) as kb:
        response = respond(kb, understand(kb, "What are the obstacles to growth of clouds?", "en"))
    assert any("2 Lock-in" in one.text for one in response.passages)


@pytest.mark.parametrize(
    ("announced", "others", "caption"),
    [
        ("Table 2 lists the obstacles.", ["Table 2. Obstacles\nRank"], "Table 2. Obstacles"),
        ("The obstacles are listed in Table B-2.", ["Table B-2 - Obstacles\nRank"], "Table B-2 - Obstacles"),
        ("Tabelle 2 zeigt die Fristen.", ["Tab. 2: Fristen\nTag"], "Tab. 2: Fristen"),
        ("Table 2 lists the obstacles.", ["| Table 2: Obstacles |\n| --- |"], "| Table 2: Obstacles |"),
        ("Table 2 lists the obstacles.", ["Table 2 and others are old.", "Table 2: Obstacles"], "Table 2: Obstacles"),
        (
            "Table 2 lists the obstacles.",
            ["Table 2. Obstacles ........ 9", "Table 2. Obstacles\nRank"],
            "Table 2. Obstacles",
        ),
        ("Table 1 lists the obstacles.", ["Table 12. Prices", "Table 1.2. Rates"], None),
        ("Table 2 of RFC 20 lists the obstacles.", ["Table 2. Prices\nRank"], None),
        ("Table 2 is large.", ["Table 2. Obstacles\nRank"], None),
    ],
)
def test_only_a_caption_in_the_same_document_is_the_table_announced(
    tmp_path: Path, announced: str, others: list[str], caption: str | None
) -> None:
    held = record("Clouds", [("", text) for text in (announced, *others)])
    unit = AnswerUnit(document="Clouds", section=None, page=0, start=0, end=len(announced), text=announced)
    with knowledge_base(tmp_path, held) as kb:
        found = [kb.text(one.document, one.start, one.end) for one in announced_table(kb, unit, announced)]
    assert [text.partition("\n")[0] for text in found] == ([caption] if caption else [])
