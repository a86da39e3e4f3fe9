"""A part of a question that names no place, beside one that names a section."""

from __future__ import annotations

import pytest
from kb_records import knowledge_base, record

from rabbithole.steps.question import understand
from rabbithole.steps.response import respond

ACT = record(
    "Filtergesetz (FiltG)",
    [
        ("§ 12", "Nachweis\nDer Betreiber braucht eine Bescheinigung. Die Bescheinigung gilt fünf Jahre."),
        ("§ 30", "Prüfung\nDie Filter prüft die Aufsichtsbehörde einmal im Jahr vor der Heizperiode."),
    ],
)


@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("Was steht in § 12 FiltG, und wer prüft die Filter?", "Aufsichtsbehörde"),
        ("Was steht in § 12 FiltG, und wie lange gilt die Bescheinigung?", "fünf Jahre"),
    ],
)
def test_it_is_answered_where_it_is_likelier(tmp_path, question: str, second: str) -> None:
    with knowledge_base(tmp_path, ACT) as kb:
        response = respond(kb, understand(kb, question, "de"))
    assert "Bescheinigung" in response.blocks[0].passages[0].text
    assert second in " ".join(one.text for one in response.blocks[-1].passages)


def test_what_stands_elsewhere_does_not_make_the_named_section_unsure(tmp_path) -> None:
    with knowledge_base(tmp_path, ACT) as kb:
        response = respond(kb, understand(kb, "Was steht in § 12 FiltG, und wer prüft die Filter?", "de"))
    assert response.blocks[0].finding == "answered"
    assert len(response.blocks) == 2
