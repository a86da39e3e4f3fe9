"""What a question is about."""

from __future__ import annotations

import pytest

from rabbithole.steps.reasoning.text.aspects import asked_aspects, is_formal, says
from rabbithole.steps.reasoning.text.similarity import coverage, matched, weights
from rabbithole.steps.reasoning.text.terms import concepts, entities, salient, stem_set, stems
from rabbithole.steps.reasoning.text.topic_terms import (
    matter_terms,
    source,
    subject,
    task_matter,
    wanted,
    without_source,
)

QUESTION = (
    "Welche Grenzwerte der effektiven Dosis gelten für beruflich exponierte Personen, "
    "und unter welchen Voraussetzungen darf davon abgewichen werden?"
)


def test_german_concepts_are_noun_phrases() -> None:
    found = concepts(QUESTION, "de")
    assert found == ("Grenzwerte", "effektiven Dosis", "beruflich exponierte Personen", "Voraussetzungen")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Bekomme ich mein Geld zurück?", ("Geld",)),
        ("Brauchen wir für Filter einen Nachweis?", ("Filter", "Nachweis")),
        ("Betreiber müssen Filter prüfen?", ("Betreiber", "Filter")),
    ],
)
def test_a_verb_that_begins_a_question_is_no_noun(question: str, expected: tuple[str, ...]) -> None:
    assert concepts(question, "de") == expected


def test_english_concepts_leave_question_words_out() -> None:
    found = concepts("Which earlier specifications does the downgrade protection depend on?", "en")
    assert "earlier specifications" in found
    assert not any("which" in term.lower() for term in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nach § 27 Abs. 3 AtG und KTA 1401", ("§ 27 Abs. 3 AtG", "KTA 1401")),
        ("abweichend von § 78 Absatz 1, 2 und 4 Satz 1 des Strahlenschutzgesetzes", None),
        ("DIN 25457-4:2013-04 sowie RFC 8446", ("DIN 25457-4:2013-04", "RFC 8446")),
    ],
)
def test_entities_are_names(text: str, expected: tuple[str, ...] | None) -> None:
    found = entities(text)
    if expected is None:
        assert found == ("§ 78 Absatz 1, 2 und 4 Satz 1 des Strahlenschutzgesetzes",)
    else:
        assert found == expected


def test_inflected_forms_share_a_stem() -> None:
    assert stems("Grenzwerte exponierter Personen", "de") == stems("Grenzwert exponierte Person", "de")
    assert stems("protected specifications", "en") == stems("protecting specification", "en")


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("What is an I/O error?", "en", ("i/o", "error")),
        ("Count the I/Os.", "en", ("count", "i/o", "os")),
        ("Was ist ein E/A-Fehler?", "de", ("e/a", "fehl")),
        ("Die Datei-E/A.", "de", ("datei", "e/a")),
        ("n/a or N/A", "en", ("n/a", "n/a")),
        ("support 24/7, at no charge", "en", ("support", "24/7", "24", "charg")),
        ("OS/2 and S/MIME", "en", ("os/2", "os", "s/mime", "mime")),
        ("TCP/IP", "en", ("tcp", "ip")),
        ("read/write access", "en", ("read", "write", "access")),
        ("A und/oder B", "de", ()),
        ("and/or", "en", ()),
        ("50 km/h, 3 mg/l", "de", ("50", "km", "mg")),
        ("on 5/12/2020", "en", ("12", "2020")),
        ("/dev/a, a/b/c.txt, http://a/b", "en", ("dev", "txt", "http")),
        ("a / b, letters i o", "en", ("letter",)),
    ],
)
def test_an_abbreviation_with_a_slash_is_one_word(text: str, language: str, expected: tuple[str, ...]) -> None:
    assert stems(text, language) == expected


def test_an_abbreviation_with_a_slash_is_part_of_what_is_asked() -> None:
    assert dict(wanted("What is an I/O error?", "en")) == {"i/o": 1.0, "error": 1.0}
    assert dict(wanted("Was ist ein E/A-Fehler?", "de")) == {"e/a": 1.0, "fehl": 1.0}
    assert concepts("What is an I/O error?", "en") == ("I/O error",)


def test_parts_of_compounds_count_partly() -> None:
    wanted_stems = stem_set("Verantwortlicher", "de")
    assert 0 < coverage(wanted_stems, stem_set("Strahlenschutzverantwortlicher", "de")) < 1
    assert coverage(wanted_stems, stem_set("Verantwortliche", "de")) == 1
    assert coverage(wanted_stems, stem_set("Messgerät", "de")) == 0
    assert coverage((), frozenset({"x"})) == 0
    assert matched(("dosis", "fehlt"), frozenset({"dosis"})) == ("dosis",)


def test_rare_words_weigh_more() -> None:
    rarity = weights(("Dosis Grenzwert", "Dosis Messung", "Dosis Freigabe"), "de")
    assert rarity["grenzwert"] > rarity["dosis"]


def test_words_that_only_name_an_aspect_weigh_little() -> None:
    weight = dict(wanted(QUESTION, "de"))
    assert weight["voraussetz"] < weight["grenzwert"] == 1.0
    assert "Voraussetzungen" not in matter_terms(QUESTION, "de")


def test_planning_words_of_a_task_are_no_matter() -> None:
    task = "Ausnahmen und Abweichungen zu „Freigabe“ ermitteln: Unter welchen Voraussetzungen, durch wen?"
    assert matter_terms(task, "de") == ("Freigabe",)
    assert "Freigabe" in task_matter(task, "de")
    assert task_matter("ermitteln", "de") == "ermitteln"


def test_the_subject_joins_what_stands_together() -> None:
    assert subject(QUESTION, concepts(QUESTION, "de")) == "Grenzwerte der effektiven Dosis"
    assert subject("Was nun?", ()) == "Was nun"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What does ILA SG-7 require for ventilation?", "ILA SG-7"),
        ("According to RFC 8446, which ciphers are allowed?", "RFC 8446"),
        ("Was verlangt KTA 1404 zur Aufbewahrung?", "KTA 1404"),
        ("Was schreibt die Isotopenlaborverordnung zur Lüftung vor?", "Isotopenlaborverordnung"),
        ("Was sagt das StrlSchG zur Freigabe?", "StrlSchG"),
        ("Worauf ist laut Sicherheitsbericht Birkenfeld zu achten?", "Sicherheitsbericht Birkenfeld"),
        ("Was verlangt § 17 IsoLV?", ""),
        ("What does the KTA 1404 standard specify?", "KTA 1404"),
        ("Does the operator need a licence?", ""),
        ("Does HEPA filtration need approval?", ""),
        ("Was gilt nach Anordnung der Behörde?", ""),
        ("Wie lange gilt die Genehmigung?", ""),
    ],
)
def test_the_document_a_question_asks(question: str, name: str) -> None:
    assert source(question) == name


def test_the_document_that_is_asked_is_not_the_matter() -> None:
    question = "What does ILA SG-7 require for ventilation?"
    weight = dict(wanted(question, "en"))
    assert weight["ila"] < weight["ventil"] == 1.0
    assert without_source(question, concepts(question, "en"), "en") == ("ventilation",)
    assert dict(wanted("What does KTA 1404 require?", "en"))["kta"] == 1.0  # nothing else is asked


@pytest.mark.parametrize(
    ("question", "language", "stems_wanted"),
    [
        ("How old must a member be at least?", "en", {"member"}),
        ("Wie hoch ist der Beitrag höchstens?", "de", {"beitrag"}),
        ("Wie lange gilt der Ausweis?", "de", {"ausweis"}),
        ("How long?", "en", set()),
        ("Is a card still actually free?", "en", {"card", "free"}),
        ("Gilt der Ausweis überhaupt noch?", "de", {"ausweis"}),
    ],
)
def test_words_of_measure_or_emphasis_are_no_subject(question: str, language: str, stems_wanted: set[str]) -> None:
    assert {stem for stem, _ in wanted(question, language)} == stems_wanted
    assert without_source("What does KTA 1404 require?", ("KTA 1404",), "en") == ("KTA 1404",)


def test_aspects_of_question_and_sentence() -> None:
    assert {"values", "exceptions", "conditions"} <= set(asked_aspects(QUESTION))
    assert says("exceptions", "Die Behörde kann im Einzelfall eine höhere Dosis zulassen.")
    assert says("values", "Er beträgt 20 Millisievert im Kalenderjahr.")
    assert not says("exceptions", "Die Messung erfolgt jährlich.")
    assert is_formal("§ 99 Inkrafttreten")
    assert not is_formal("§ 4 Dosisgrenzen")


def test_salient_terms_recur_and_are_new() -> None:
    texts = ("Die Freimessung folgt dem Messplan.", "Der Messplan wird geprüft.", "Ein Messplan und die Dosis.")
    assert salient(texts, "de", ("Dosis",)) == ("Messplan",)


def test_contractions_are_no_words_of_their_own() -> None:
    assert stems("Why won't it start, and isn’t it loud?", "en") == stems("Why not start, and not loud?", "en")
    assert dict(wanted("Why won't it start?", "en")) == {"start": 1.0}
