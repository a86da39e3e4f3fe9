"""What is read for a hit."""

from __future__ import annotations

from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.models import Section
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.phases.reading_units import is_literature, readings_of_hits, search_all

CLAUSE = "deren Dosis nach dem Stand der Technik\nermittelt und dem Register gemeldet wurde, sowie der Stoffe,\n"


@pytest.mark.slow
def test_a_part_of_a_long_section_is_read_from_the_beginning_of_a_sentence(tmp_path: Path) -> None:
    sentences = [
        f"Die Behörde prüft im Fall {number} die Unterlagen der Personen,\n" + CLAUSE * 6 + "die dort liegen."
        for number in range(1, 7)
    ]
    text = ["§ 1 Prüfung\n\n" + "\n".join(sentences[:3]), "\n".join(sentences[3:])]
    write_pdf(tmp_path / "pdf" / "Gesetz.pdf", text, toc=[(1, "§ 1 Prüfung", 1)], title="Testgesetz")
    settings = KbSettings(_env_file=None, embedding_model="hash", chunk_characters=400, chunk_overlap=60)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        kb.ingest([tmp_path / "pdf"], "C")
        (document,) = kb.documents()
        hits = search_all(kb, ["Unterlagen der Personen", "Register gemeldet"], (), 20)
        readings = readings_of_hits(kb, hits, limit_tokens=50)
        within = [one for one in readings if one.start > kb.section_by_id(one.section or "").start]
        assert len(within) > 3
        assert any(hit.chunk.text[:1].islower() for hit in hits)
        for reading in within:
            assert kb.text(document.id, reading.start, reading.end).startswith("Die Behörde")


@pytest.mark.parametrize(
    ("heading", "above", "literature"),
    [
        ("References", (), True),
        ("Selected Bibliography", (), True),
        ("Acknowledgements and References", (), True),
        ("Literaturverzeichnis", (), True),
        ("NIST Special Publications", ("11 References",), True),
        ("Standards", ("Annex B Normative References",), True),
        ("Weak References", (), False),
        ("References to other acts", (), False),
        ("Scope", ("1 General",), False),
    ],
)
def test_what_is_a_list_of_literature(heading: str, above: tuple[str, ...], literature: bool) -> None:
    section = Section(
        id="s", document="d", index=0, level=0, heading=heading, start=0, own_end=1, end=1, page=0, last_page=0
    )
    assert is_literature(section, above) == literature
