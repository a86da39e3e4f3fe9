"""Ordinary German nouns and names, which both have capitals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.records import IndexedDocument
from rabbithole.steps.question import understand
from rabbithole.steps.question.document_scope import covers
from rabbithole.steps.question.ordinary_nouns import designating, nouns_of
from rabbithole.steps.reasoning.text.terms import stem_set
from tests.kb_records import knowledge_base, record


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("Enthält ein Mietvertrag eine Frist?", "Mietvertrag Frist"),
        ("Sie legt keinen Stempel und jedes neue Formular bei.", "Stempel Formular"),
        ("eines schriftlichen Antrags", "Antrag"),
        ("Mehrere Verträge lagen vor.", "Vertrag"),
        ("Ein Talheimer Verein", ""),  # the capitalised word after it is the noun
        ("die Gebühr an der Akademie Nordheim", ""),
        ("eine HTW, ein NORD-Plan, ein Gentoo-System", ""),
        ("ein schnelles ende", ""),
    ],
)
def test_a_noun_is_one_of_many(text: str, nouns: str) -> None:
    assert nouns_of(text, "de") == stem_set(nouns, "de")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("Was kostet es an der HTW?", "HTW"),
        ("Was regelt Teil B2 des Plans?", "B2"),
        ("Welche Frist gilt laut Satzung?", "Satzung"),
        ("Welche Frist gilt gemäß der Satzung?", "Satzung"),
        ("Was steht in „Neues Wohnen“?", "Neues Wohnen"),
        ("Welche Frist gilt in der Satzung?", ""),
    ],
)
def test_what_cannot_be_an_ordinary_noun(query: str, words: str) -> None:
    assert designating(query, "de") == stem_set(words, "de")


@pytest.mark.parametrize(
    ("title", "query", "named"),
    [
        ("Ordnung des Archivs", "Welche Frist gilt nach der Ordnung des Archivs?", True),
        ("Ordnung des Archivs und der Bibliothek in Talheim", "Welche Ordnung gilt im Archiv?", False),
        ("Mietverträge", "Was enthält ein Mietvertrag?", False),
        ("", "Was enthält ein Mietvertrag?", False),
    ],
)
def test_a_title_is_named_if_most_of_it_is_asked(title: str, query: str, named: bool) -> None:
    assert covers(stem_set(query, "de"), stem_set(title, "de")) is named


def rules(name: str, title: str, text: str) -> IndexedDocument:
    made = record(name, [("1", text)])
    return made.model_copy(update={"document": made.document.model_copy(update={"title": title})})


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    documents = (
        rules("a", "Mietverträge mit Vordruck", "Das Feld des Vordrucks wird ausgefüllt."),
        rules(
            "b",
            "Handbuch",
            "Die Schlüssel liegen bereit. " * 20
            + "Ein Mietvertrag braucht keinen Stempel. Er braucht zwei Unterschriften.",
        ),
        rules("c", "Ordnung für Talheim", "Die Gebühr beträgt 20 Euro."),
        rules("d", "Ordnung für Nordheim", "Die Gebühr beträgt 30 Euro."),
    )
    with knowledge_base(Path(tmp_path_factory.mktemp("nouns")) / "kb", *documents) as opened:
        yield opened


@pytest.mark.parametrize(
    ("query", "preferred"),
    [
        ("Braucht ein Mietvertrag einen Stempel?", ()),
        ("Ist auf dem Mietvertrag ein Stempel?", ()),  # the documents tell it
        ("Welches Feld ist laut Mietvertrag auszufüllen?", ("a",)),
        ("Welches Feld haben Mietverträge mit Vordruck?", ("a",)),
        ("Wie hoch ist die Gebühr in Talheim?", ("c",)),
    ],
)
def test_a_noun_in_a_title_is_no_scope(kb: KnowledgeBase, query: str, preferred: tuple[str, ...]) -> None:
    understood = understand(kb, query, "de")
    assert understood.preferred == preferred
    assert understood.titled == (() if preferred else ("a",))
