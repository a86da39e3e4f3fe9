"""A question with an abbreviation such as "I/O" is answered by the passage that has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from kb_records import knowledge_base, record

from rabbithole.steps.question import understand
from rabbithole.steps.response import respond

OTHERS = (
    "Clouds are rented by the hour, and a user pays for what is used.",
    "The provider buys machines in large numbers, and I think it sells them.",
    "A disk holds data in blocks of the same size.",
    "The manual names all commands.",
)
GERMAN = (
    "Wolken werden nach Stunden gemietet, und ein Nutzer zahlt, was er braucht.",
    "Der Anbieter kauft Maschinen in großer Zahl.",
    "Eine Platte hält Daten in Blöcken derselben Größe.",
    "Das Handbuch nennt alle Befehle.",
)


@pytest.mark.parametrize(
    ("language", "question", "wrong", "right", "others"),
    [
        (
            "en",
            "What is an I/O error?",
            "An error is a result that differs from what was expected, and the error is shown on the screen.",
            "An I/O error occurs when the device cannot transfer data to the disk.",
            OTHERS,
        ),
        (
            "de",
            "Was ist ein E/A-Fehler?",
            "Der Fehler wird vom Programm gemeldet und ist ein Mangel.",
            "Ein E/A-Fehler entsteht, wenn das Gerät keine Daten übertragen kann.",
            GERMAN,
        ),
    ],
)
def test_the_passage_with_the_abbreviation_comes_first(
    tmp_path: Path, language: str, question: str, wrong: str, right: str, others: tuple[str, ...]
) -> None:
    texts = (wrong, *others, right)
    held = record("Handbook", [(str(at), text) for at, text in enumerate(texts, 1)], language=language)
    with knowledge_base(tmp_path, held) as kb:
        response = respond(kb, understand(kb, question, language))
    assert right in response.passages[0].text


def test_an_abbreviation_is_as_rare_as_its_rarest_part(tmp_path: Path) -> None:
    texts = ("I said so.", "I say I/O.", "I know.", "None.")
    with knowledge_base(tmp_path, record("Talk", [("", text) for text in texts], language="en")) as kb:
        assert kb.rarity("i", "en") < kb.rarity("i/o", "en") == kb.rarity("o", "en")
