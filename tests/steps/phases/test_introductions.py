"""Quotes out of an enumeration, in a real knowledge base."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.models import Evidence, Quote
from rabbithole.steps.phases.extraction import verified
from rabbithole.steps.reasoning.text.enumerations import introduced

LEAD = "(1) Der Inhaber der Genehmigung ist nach dem Eintritt eines Ereignisses verpflichtet,"
ITEMS = [
    f"{number}. der Behörde {what} und\nauf Verlangen jede Auskunft zu erteilen,\n"
    "die zur Prüfung des Sachverhalts und\nseiner rechtlichen Würdigung erforderlich ist,\n"
    "soweit nicht schon andere dies an ihrer\nStelle und in ihrem Namen getan haben,"
    for number, what in enumerate(("das Ereignis zu melden", "den Ort zu nennen", "die Dosis zu melden"), 1)
]
TEXT = "§ 1 Pflichten\n\n" + "\n".join([LEAD, *ITEMS, "4. Weisungen zu beachten.", "(2) Das Nähere regelt § 2."])


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[KnowledgeBase, Evidence]]:
    folder: Path = tmp_path_factory.mktemp("kb")
    write_pdf(folder / "pdf" / "Gesetz.pdf", [TEXT], toc=[(1, "§ 1 Pflichten", 1)], title="Testgesetz")
    settings = KbSettings(_env_file=None, embedding_model="hash")
    with KnowledgeBase.open(folder / "database", settings, create=True) as kb:
        kb.ingest([folder / "pdf"], "C")
        (document,) = kb.documents()
        section = kb.section(document.id, "§ 1")
        assert section is not None
        evidence = Evidence(
            key="eaaaaaa1",
            task=0,
            document=document.id,
            section=section.id,
            file=document.file,
            title=document.title,
            section_label=section.label,
            page=0,
            page_label="1",
            start=section.start,
            end=section.end,
            info="",
        )
        yield kb, evidence


def quotes(opened: tuple[KnowledgeBase, Evidence], *words: str) -> tuple[Quote, ...]:
    kb, evidence = opened
    found = [verified(kb, evidence, each) for each in words]
    assert all(found)
    return introduced(kb, evidence, [each for each in found if each is not None])


@pytest.mark.slow
def test_an_item_has_what_introduces_it(opened: tuple[KnowledgeBase, Evidence]) -> None:
    (quote,) = quotes(opened, ITEMS[2])
    assert " ".join(quote.lead.split()) == LEAD


@pytest.mark.slow
def test_an_introduction_is_quoted_with_its_items(opened: tuple[KnowledgeBase, Evidence]) -> None:
    (quote,) = quotes(opened, LEAD)
    assert quote.text.startswith(LEAD[:60])
    assert " ".join(quote.text.split()).endswith("Weisungen zu beachten.")
    assert quote.place is not None
    kb, evidence = opened
    assert kb.text(evidence.document, quote.place.start, quote.place.end) == quote.text


def test_what_lies_within_another_quote_is_left_out(opened: tuple[KnowledgeBase, Evidence]) -> None:
    assert len(quotes(opened, LEAD, ITEMS[0])) == 1
    assert len(quotes(opened, LEAD, "(2) Das Nähere regelt § 2.")) == 2
