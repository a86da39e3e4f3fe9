"""A document's headings, tables of contents and captions are not references; mentions in its sentences are."""

from __future__ import annotations

from library import small_document

from rabbithole.kb.references.detection.document_references import references_of
from rabbithole.kb.references.names.name_index import NameIndex

RULES = small_document(
    "Geschaeftsordnung.pdf",
    "Geschäftsordnung",
    {
        "": "Geschäftsordnung des Vorstands\nInhalt\n§ 1 Versammlungsordnung\n| § 2 | Beschlüsse | 4 |",
        "§ 1": "§ 1 Versammlungsordnung\nDer Vorstand tagt nach § 2.\nFIGURE 2.1.\nFigure 3. Ablauf\n"
        "Siehe Abbildung 3.",
        "§ 2": "§ 2 Beschlüsse\n§ 1 gilt entsprechend.",
    },
)


def test_only_sentences_cite() -> None:
    found = references_of(RULES.text, RULES.sections, names=NameIndex(), language="de")
    cited = [(one.text, RULES.text[one.start - 5 : one.start].strip()) for one in found if one.path]
    assert cited == [("§ 2", "nach"), ("Abbildung 3", "iehe"), ("§ 1", "üsse")]


def test_nothing_is_left_out_without_an_outline() -> None:
    found = references_of("Es gilt\n§ 1 Versammlungsordnung", (), names=NameIndex(), language="de")
    assert [one.text for one in found] == ["§ 1 Versammlungsordnung"]
