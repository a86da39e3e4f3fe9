"""The place that the answering sentence refers to is quoted, followed or read as a search result."""

from __future__ import annotations

from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.phases.reading_units import Reading, open_reading
from rabbithole.steps.question import understand
from rabbithole.steps.response import respond

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
