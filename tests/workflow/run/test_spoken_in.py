"""The language a question is answered in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.workflow.run.start import spoken_in

RULES = ["1 Keys\n\nThe key of the shed is returned to the office of the club within seven days of the loan."]
FRENCH = "Quand faut-il rendre la clé de la cabane du club après le prêt ?"


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("kb")
    write_pdf(folder / "pdf" / "rules.pdf", RULES, title="Rules of the club")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(folder / "database", settings, create=True) as opened:
        opened.ingest([folder / "pdf"], "club")
        yield opened


@pytest.mark.parametrize(
    ("question", "wanted", "language", "warned"),
    [
        ("When must the key be returned?", "auto", "en", False),
        ("Wann muss der Schlüssel zurück sein?", "auto", "de", False),
        ("When must the key be returned?", "de", "de", False),
        (FRENCH, "auto", "en", True),
        (FRENCH, "de", "de", True),
        ("\N{SLIGHTLY SMILING FACE}", "auto", "en", False),
        ("Danke", "auto", "de", False),
    ],
)
def test_a_question_in_a_third_language_is_answered_in_that_of_the_documents_and_said_to_be_one(
    kb: KnowledgeBase, question: str, wanted: Literal["de", "en", "auto"], language: str, warned: bool
) -> None:
    spoken, notes = spoken_in(kb, question, ("club",), wanted)
    assert spoken == language
    assert bool(notes) is warned
