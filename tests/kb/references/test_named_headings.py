"""Sections named by their headings in plain words, and words that only look so."""

from __future__ import annotations

import pytest
from library import SmallLibrary, small_document

from rabbithole.kb.models import Place
from rabbithole.kb.references.detection.document_references import references_of
from rabbithole.kb.references.names.name_index import NameIndex
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.resolver import Resolver


def manual(sentence: str) -> dict[str, str]:
    return {
        "1": f"1 Start\n{sentence}",
        "2": '2 "Soft" Meter Adjustment\nTurn it.',
        "3": "3 Storage of Spare Cells (SSC)\nKeep them cool.",
        "4": "4 Ergänzungen\nMehr.",
        "5": "5 Dining costs\nA sum.",
        "6": "6 Testing Old Serial-Line Meters\nPlug it in.",
    }


def named(sentence: str, language: str = "en") -> list[tuple[str, str]]:
    """Return the words and the heading of each reference to a section in the sentence."""
    document = small_document("m.pdf", "Meters", manual(sentence))
    resolver = Resolver(SmallLibrary([document]), Registry([document.document], text=lambda identifier: document.text))
    found = references_of(document.text, document.sections, names=NameIndex(), language=language)
    resolved = [
        (each, resolver.resolve(each, Place(document=document.document.id, offset=each.start))) for each in found
    ]
    return [(each.text, to.heading or to.status) for each, to in resolved if each.kind == "section"]


@pytest.mark.parametrize(
    ("sentence", "words", "heading"),
    [
        ('Do the "Soft" Meter Adjustment section below.', '"Soft" Meter Adjustment section', '"Soft" Meter Adjustment'),
        ("As explained in the Dining costs section, it is little.", "Dining costs section", "Dining costs"),
        ("The Dining costs section below says so.", "Dining costs section", "Dining costs"),
        ("See the section Dining costs.", "section Dining costs", "Dining costs"),
        ("See the section on dining costs for more.", "section on dining costs", "Dining costs"),
        (
            "See the chapter on Storage of Spare Cells.",
            "chapter on Storage of Spare Cells",
            "Storage of Spare Cells (SSC)",
        ),
        (
            "See section Testing Serial-Line Meters.",
            "section Testing Serial-Line Meters",
            "Testing Old Serial-Line Meters",
        ),
    ],
)
def test_words_of_a_heading_name_its_section(sentence: str, words: str, heading: str) -> None:
    assert named(sentence) == [(words, heading)]


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Siehe den Abschnitt Ergänzungen weiter unten.", "Abschnitt Ergänzungen"),
        ("Näheres im Kapitel „Ergänzungen“.", "Kapitel „Ergänzungen“"),
    ],
)
def test_german_headings(sentence: str, words: str) -> None:
    assert named(sentence, "de") == [(words, "Ergänzungen")]


@pytest.mark.parametrize(
    "sentence",
    [
        "The next section tells of dining costs.",
        "Every section start is marked.",
        "A new Dining costs section was added.",
        "The Dining costs section of expense reports is long.",
        "See the section Dining costs of the traveller's manual.",
        "See the Advanced Dining costs section.",
        "Such a report should say so in its Dining costs section.",
        "Every claim goes into the Dining costs section.",
        "See the section on dining costs accounting.",
        "Siehe Abschnitt Ergänzungen der Gemeindeordnung.",
        "Siehe Abschnitt Ergänzungen speichern.",
        "See the section Start.",
    ],
)
def test_other_words_name_none(sentence: str) -> None:
    assert named(sentence, "de" if sentence.startswith("Siehe") else "en") == []
