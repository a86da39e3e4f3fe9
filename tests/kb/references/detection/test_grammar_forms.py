"""The form table: every row of ``forms.json`` with span, kind, document, path, edition and flags, in order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rabbithole.kb.models import Reference
from rabbithole.kb.references.detection.detect import detect

ROWS = json.loads(Path(__file__).with_name("forms.json").read_text(encoding="utf-8"))


def spelled(reference: Reference) -> str:
    path = "".join(f"[{unit} {value}]" for unit, value in reference.path)
    flags = [flag for flag, on in (("following", reference.following), ("relative", reference.relative)) if on]
    columns = (reference.document, path, reference.edition, " ".join(flags))
    return " | ".join([reference.text, reference.kind, *(column or "-" for column in columns)])


@pytest.mark.parametrize("row", ROWS, ids=[row["text"][:60] for row in ROWS])
def test_form(row: dict) -> None:
    assert [spelled(reference) for reference in detect(row["text"])] == row["expected"]


@pytest.mark.parametrize("row", ROWS, ids=[row["text"][:60] for row in ROWS])
def test_form_in_the_middle_of_a_page(row: dict) -> None:
    before = "Zuvor steht hier ein Satz ohne Bezug.\n"
    language = "de" if any(word in row["text"] for word in (" der ", " die ", "Das ", "Nach ", "Die ")) else None
    alone = detect(row["text"], language=language)
    shifted = detect(before + row["text"], language=language)
    assert [(each.start + len(before), each.target) for each in alone] == [
        (each.start, each.target) for each in shifted
    ]
