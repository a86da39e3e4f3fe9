"""A part of a question that leaves its subject to another is answered about that subject, and no part is lost."""

from __future__ import annotations

from typing import Literal

import pytest
from kb_records import knowledge_base, record

from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from rabbithole.steps.response.choosing import Chooser

RULES = record(
    "Garden rules",
    [
        ("1", "Leases\nA lease is a contract by which a member uses a garden. A lease expires after three years."),
        ("2", "Permits\nA permit is a written consent of the council. A permit expires on 31 December."),
        ("3", "Board\nThe president chairs the board for a term of four years. The auditor serves two years."),
        ("4", "Fees\nThe fee for a garden is 80 euros a year. The fee is due on 1 March and paid by transfer."),
        ("5", "Pool\nThe pool opens on 1 May. Admission to the pool costs 4 euros."),
        ("6", "Sauna\nThe sauna opens on 1 October. Admission to the sauna costs 9 euros."),
    ],
    language="en",
)
ORDNUNG = record(
    "Gartenordnung",
    [
        ("1", "Pacht\nEin Pachtvertrag ist die Überlassung eines Gartens. Der Pachtvertrag läuft nach drei Jahren ab."),
        ("2", "Genehmigung\nEine Genehmigung ist eine Zustimmung. Die Genehmigung läuft am 31. Dezember ab."),
        ("3", "Vorstand\nDie Präsidentin leitet den Vorstand vier Jahre lang. Der Kassenprüfer amtiert zwei Jahre."),
        ("4", "Kurse\nDer Tanzkurs kostet 60 Euro. Der Tanzkurs beginnt im Juni und dauert zehn Stunden."),
    ],
)


@pytest.mark.parametrize(
    ("question", "language", "parts", "said"),
    [
        ("What is a lease and when does it expire?", "en", 2, ("contract", "three years")),
        ("What is a permit and when does it expire?", "en", 2, ("consent", "31 December")),
        ("Who chairs the board and how long?", "en", 1, ("president", "four years")),
        ("Who chairs the board? And how long?", "en", 1, ("president", "four years")),
        ("Tell me the fee. When is it due?", "en", 2, ("80 euros", "1 March")),
        ("When does the sauna open? What does it cost? How?", "en", 2, ("1 October", "9 euros")),
        ("When does the pool open, and if so, what does it cost?", "en", 2, ("1 May", "4 euros")),
        ("Was ist ein Pachtvertrag und wann läuft er ab?", "de", 2, ("Überlassung", "drei Jahren")),
        ("Was ist eine Genehmigung und wann läuft sie ab?", "de", 2, ("Zustimmung", "31. Dezember")),
        ("Wer leitet den Vorstand? Wie lange?", "de", 1, ("Präsidentin", "vier Jahre")),
        ("Was kostet der Tanzkurs, wann beginnt er und wie lange dauert er?", "de", 3, ("60 Euro", "Juni", "zehn")),
        ("Nenne die Kosten für den Tanzkurs. Wann beginnt er?", "de", 2, ("60 Euro", "Juni")),
    ],
)
def test_every_part_is_answered(
    tmp_path, question: str, language: Literal["de", "en"], parts: int, said: tuple[str, ...]
) -> None:
    with knowledge_base(tmp_path, RULES if language == "en" else ORDNUNG) as kb:
        understood = understand(kb, question, language)
        response = respond(kb, understood)
    assert len(understood.parts) == parts
    assert tuple(part for block in response.blocks for part in block.parts) == understood.parts
    quoted = " ".join(passage.text for block in response.blocks for passage in block.passages)
    assert all(one in quoted for one in said), quoted


def test_a_part_chosen_for_by_itself_keeps_its_subject(tmp_path) -> None:
    with knowledge_base(tmp_path, RULES) as kb:
        understood = understand(kb, "What is a permit and when does it expire?", "en")
        chooser = Chooser(kb, understood, (), (), ())
        found = chooser.alone_about(understood.parts[1])
        assert chooser.alone_about(understood.parts[0]) is None
    assert found is not None
    part = found.selection.part
    assert [one.stem for one in part.context] == ["permit"]
    assert part.queries == ("when does it expire (permit)",)
