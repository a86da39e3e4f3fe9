"""A document goes by one name wherever people read it."""

from __future__ import annotations

from typing import Any

import pytest

from rabbithole.kb.models import Document
from rabbithole.steps.document_names import document_name


@pytest.mark.parametrize(
    ("title", "synonyms", "name"),
    [
        ("Gesetz über Labore (Laborgesetz - LabG)", ("LabG", "Laborgesetz"), "LabG"),
        ("Verordnung über Labore (LabV) vom 3. Mai 2012", ("LabV",), "LabV vom 3. Mai 2012"),
        ("ILA TR-12 Operation of Systems", ("TR-12",), "ILA TR-12"),
        ("Personally Identifiable Information (PII)", ("PII",), "Personally Identifiable Information (PII)"),
        ("Lüftung - Teil 3", ("DIN 98412-3",), "DIN 98412-3"),
        ("Retention of methyl iodide", ("the study",), "Retention of methyl iodide"),
        ("Ageing of beds (a study of LLM) in humid air and other gases of old filters", (), None),
    ],
)
def test_document_name(title: str, synonyms: tuple[str, ...], name: str | None) -> None:
    values: dict[str, Any] = {"id": "d", "title": title, "synonyms": synonyms, "file": "x/file_stem.pdf"}
    document = Document.model_construct(**values)
    assert document_name(document) == (name or title[:70].rsplit(" ", 1)[0] + " …")
