"""A question about one code is answered by its row, not by the list it stands in or by a list without it."""

from __future__ import annotations

import pytest
from kb_records import HASH, knowledge_base, record

from rabbithole.kb import KnowledgeBase
from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from rabbithole.steps.selection.units.code_rows import is_code_list

TOWNS = ("Brake", "Rastede", "Elsfleth", "Edewecht", "Berne", "Wardenburg", "Hude", "Jever", "Zetel", "Varel")
NORTH = "\n".join([*(f"0 44 {at:02} {town}" for at, town in enumerate(TOWNS, 1)), "04 41 Oldenburg", "0 44 21 Emden"])
SOUTH = "\n".join(f"0 89 {at:02} {town} am Berg" for at, town in enumerate(TOWNS, 1))
RULES = "Die Vorwahl einer Stadt wird weggelassen, wenn der Anruf aus der Stadt selbst kommt."


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory):
    held = record("Vorwahlen", [("1", f"Regeln\n{RULES}"), ("2", f"Norden\n{NORTH}"), ("3", f"Süden\n{SOUTH}")])
    with knowledge_base(tmp_path_factory.mktemp("kb") / "kb", held, settings=HASH) as opened:
        yield opened


@pytest.mark.parametrize("code", ["0441", "04 41"])
def test_the_row_alone_is_quoted(kb: KnowledgeBase, code: str) -> None:
    answer = respond(kb, understand(kb, f"Welche Stadt hat die Vorwahl {code}?", "de"))
    quoted = [passage.text for block in answer.blocks for passage in block.passages]
    assert "04 41 Oldenburg" in quoted
    assert not [text for text in quoted if "Brake" in text or "Berg" in text]


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        (NORTH, True),
        ("04 41 Oldenburg", True),
        ("26121 Oldenburg", True),
        ("3 Towns have no code of their own.", False),
        (RULES, False),
        (f"{RULES}\n{RULES}\n04 41 Oldenburg", False),
        ("", False),
    ],
)
def test_what_is_a_list_of_codes(text: str, listed: bool) -> None:
    assert is_code_list(text) is listed
