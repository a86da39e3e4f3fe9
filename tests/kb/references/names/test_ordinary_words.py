"""A title that is one ordinary word names the document only where the text marks it as a title."""

from __future__ import annotations

import pytest
from library import small_document

from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.names.known_works import KnownWorks
from rabbithole.kb.references.names.name_index import NameIndex
from rabbithole.kb.references.names.ordinary_words import is_ordinary_word
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.names.registry_file import RegistryCollection, RegistryFile, RegistryRow

KNOWN = KnownWorks([("AtG", "Atomgesetz"), ("GG", "Grundgesetz")])


def mentions(title: str, text: str, *, registry_row: RegistryRow | None = None, synonyms: tuple[str, ...] = ()) -> int:
    """Return how often a text mentions the only document held."""
    document = small_document("x1.pdf", title, {"1": "1 Text"}, synonyms=synonyms).document
    rows = (registry_row,) if registry_row else ()
    file = RegistryFile(collections={"C": RegistryCollection(documents=rows)})
    index = NameIndex(Registry([document], file, known=KNOWN).names_in(text))
    return sum(one.kind == "document_mention" for one in detect(text, names=index, language="de"))


@pytest.mark.parametrize(
    ("name", "ordinary"),
    [
        ("Beispiel", True),
        ("Report", True),
        ("Introduction", True),
        ("The Guide", True),
        ("Das Handbuch", True),
        ("Verordnung", True),
        ("LEITFADEN", True),
        ("Übersicht", True),
        ("Hausordnung", False),
        ("Strahlenschutzgesetz", False),
        ("StrlSchG", False),
        ("GDPR", False),
        ("RFC 2119", False),
        ("Debian-Referenz", False),
        ("Debian Reference", False),
    ],
)
def test_ordinary_words(name: str, ordinary: bool) -> None:
    assert is_ordinary_word(name) is ordinary


@pytest.mark.parametrize("text", ["Zum Beispiel gilt das.", "Ein Beispiel: so.", "Das Wort Beispiel steht hier."])
def test_a_word_of_the_sentence_is_no_reference(text: str) -> None:
    assert mentions("Beispiel", text) == 0


@pytest.mark.parametrize("text", ["Siehe „Beispiel“, S. 3.", 'Das steht in "Beispiel".', "Wie in »Beispiel« gezeigt."])
def test_a_word_in_quotation_marks_is_a_title(text: str) -> None:
    assert mentions("Beispiel", text) == 1


def test_a_quoted_title_resolves_to_its_document() -> None:
    document = small_document("x1.pdf", "Beispiel", {"1": "1 Text"}).document
    registry = Registry([document], known=KNOWN)
    assert [entry.document.id for entry in registry.lookup("„Beispiel“").entries] == [document.id]


def test_a_further_name_that_a_person_gave_and_a_known_work_s_count() -> None:
    text = "Das Beispiel und der Leitfaden sind gemeint."
    given = RegistryRow(filename="x1.pdf", synonyms=("Leitfaden",))
    assert mentions("Etwas ganz anderes", text, registry_row=given) == 1
    assert mentions("Etwas ganz anderes", text, synonyms=("Beispiel",)) == 1
    assert mentions("Beispiel", text, registry_row=RegistryRow(filename="x1.pdf", title="Beispiel")) == 0
    assert mentions("Atomgesetz", "Es gilt das Atomgesetz.") == 1
