from __future__ import annotations

import pytest

from rabbithole.kb.references.detection.document_references import references_of
from rabbithole.kb.references.names.name_index import NameIndex


def names_in(text: str, *, names: NameIndex | None = None) -> list[str]:
    return [one.text for one in references_of(text, (), names=names or NameIndex(), language="de")]


@pytest.mark.parametrize(
    "text", ["Das Format ist SVG, auch PNG.", "Der Stil Van der Waals (AO) zeigt Schatten.", "Mit GnuPG signiert."]
)
def test_an_acronym_in_a_text_without_law_is_no_law(text: str) -> None:
    assert names_in(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Es gilt § 3 StrlSchG. Näheres sagt die AO.", "AO"),
        ("Die Abgabenordnung (AO) regelt das. Nach der AO gilt es.", "AO"),
        ("Näheres sagt das Atomgesetz.", "Atomgesetz"),
        ("Neben dem Atomgesetz gilt das LAbfUmG.", "LAbfUmG"),
    ],
)
def test_a_name_in_a_text_about_law_counts(text: str, name: str) -> None:
    assert name in names_in(text)


def test_the_name_of_a_held_document_counts_everywhere() -> None:
    assert names_in("Das Format ist SVG.", names=NameIndex([("SVG", "SVG")])) == ["SVG"]
