"""Language of questions and outputs."""

from __future__ import annotations

import pytest

from rabbithole.steps.language import (
    detect_language,
    foreign_sections,
    identify_language,
    language_of_quotation,
    own_words,
    split_markdown,
)
from rabbithole.steps.phrases import LOCALES, counted, phrases

GERMAN = """
Was ist KTA 1401?
Grenzwerte Augenlinse
Wer haftet?
Freigabe
Strahlenschutzbeauftragter Aufgaben
Wann verjährt der Anspruch?
Was sagt § 78 StrlSchG?
§ 27 Abs. 3 AtG
Dosisgrenzwert Augenlinse
Gilt das auch für Auszubildende?
Kündigungsfrist Mietvertrag
Was regelt DIN 25457-4?
Darf die Behörde abweichen?
Genehmigung nach AtG
Rückbau Kosten
Wie hoch ist der Grenzwert?
Freigabewerte Co-60
Wer ist zuständig?
Welche Nachweise braucht man?
Notfallplan Inhalt
Anforderungen an Röntgenräume
Radon am Arbeitsplatz
Was bedeutet ALARA?
Entsorgung
Ist eine Anzeige nötig?
Muss ich TLS 1.3 einsetzen?
Umgang mit Cs-137
Prüffristen Messgeräte
Wo steht das?
Fristen
""".strip().split("\n")
ENGLISH = """
What is KTA 1401?
dose limits
Who is liable?
clearance levels
TLS downgrade
How does TLS 1.3 protect against downgrade?
What does section 4.2 require?
Is approval needed?
radon at workplaces
eye lens dose limit
When must it be reported?
decommissioning costs
RFC 8446 handshake
Which standards apply?
emergency plan contents
safety assessment
Who approves the plan?
certificate verification
What is ALARA?
waste disposal
notice period
May the authority deviate?
Which documents cite ICRP 103?
encryption key length
handling of Cs-137
measuring equipment intervals
Where is it defined?
deadlines
protection of pregnant workers
Does DIN 25457-4 apply?
""".strip().split("\n")
OTHERS = (
    "Quelle est la limite de dose pour les travailleurs exposés ?",
    "¿Cuál es el límite de dosis para los trabajadores?",
    "这个问题的答案是什么，剂量限值是多少？",
    "Il limite di dose per i lavoratori esposti è definito nella legge.",
    "De dosislimiet voor blootgestelde werknemers is vastgelegd in de wet.",
    "Какова предельная доза?",
)


@pytest.mark.slow
@pytest.mark.parametrize("question", GERMAN)
def test_short_german_questions(question: str) -> None:
    assert detect_language(question) == "de"


@pytest.mark.parametrize("question", ENGLISH)
def test_short_english_questions(question: str) -> None:
    assert detect_language(question) == "en"


@pytest.mark.slow
@pytest.mark.parametrize("text", OTHERS)
def test_other_languages_are_told_apart(text: str) -> None:
    assert identify_language(text) == "other"


def test_a_bare_name_takes_the_default() -> None:
    assert detect_language("KTA 1401", default="en") == "en"
    assert detect_language("", default="de") == "de"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Was sagt MiLoG über „An app a day keeps the work away“?", "de"),
        ('Was steht in "Generic Device Drivers"?', "de"),
        ("What does BGB say about “Kündigung des Mietvertrags”?", "en"),
        ("Explain „Zweck der Norm“", "en"),
        ("„What is the catalog?“", "en"),  # there are no other words
        ("„What is the catalog?“ StrlSchG", "en"),
    ],
)
def test_what_is_quoted_is_not_the_language_of_a_question(question: str, language: str) -> None:
    assert detect_language(question) == language
    assert identify_language(question) == language


def test_quotations_keys_and_links_are_not_the_writers_words() -> None:
    text = 'Dazu gilt: "The limit is 20 mSv per year." [e1a2b3c4] ([S. 3](file:///a.pdf))'
    assert "limit" not in own_words(text)
    assert "e1a2b3c4" not in own_words(text)
    assert "file:" not in own_words(text)


def test_sections_in_the_wrong_language_are_found_by_body_and_by_heading() -> None:
    report = "\n".join(
        (
            "# Bericht über die Grenzwerte",
            "",
            "Der Grenzwert beträgt zwanzig Millisievert im Kalenderjahr, wie das Gesetz es sagt.",
            "## Conclusions and open questions",
            "Das ist noch offen und muss weiter untersucht werden, bevor man es sagen kann.",
            "## Ausnahmen",
            "The authority may permit a higher dose in a single year under certain conditions.",
        )
    )
    assert foreign_sections(report, "de") == (1, 2)


def test_a_quotation_in_another_language_is_no_fault() -> None:
    quote = "„Every source shall be registered with the authority.“ [e1a2b3c4]"
    report = f"## Antwort\n\nDie Norm verlangt dazu Folgendes: {quote}"
    assert foreign_sections(report, "de") == ()


def test_splitting_keeps_every_character() -> None:
    report = "vorweg\n# A\n\ntext\n## B\nmehr\n"
    parts = split_markdown(report)
    assert "\n".join("\n".join(part for part in pair if part or pair[0]) for pair in parts).strip() == report.strip()
    assert [heading for heading, _ in parts] == ["", "# A", "## B"]


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("en", 1, "1 task"),
        ("en", 2, "2 tasks"),
        ("de", 1, "1 Aufgabe"),
        ("de", 3, "3 Aufgaben"),
    ],
)
def test_one_thing_has_a_phrase_of_its_own(language, count, said):
    assert counted(language, "report.appendix.count_tasks", count) == said


@pytest.mark.parametrize("language", [path.stem for path in LOCALES.glob("*.json")])
def test_a_phrase_for_one_thing_stands_beside_that_for_several(language):
    keys = phrases(language)
    assert [key for key in keys if key.endswith(".one") and key.removesuffix(".one") not in keys] == []


@pytest.mark.parametrize(
    ("text", "document", "language"),
    [
        ("Briefe enthalten kein Postskriptum. Mit dem Befehl wird ein solches gesetzt.", "en", "de"),
        ("The field is filled in by the sender, and it is not printed.", "de", "en"),
        ("Der Befehl steht in der Präambel, und das Wort on ist ein Schalter.", "en", "de"),
        ("\\opening{Sehr geehrte Frau}", "en", "en"),  # too few words to tell
        ("begin end 12 | 13", "de", "de"),
        ("Der Satz ist kurz and the other one is it.", "en", "en"),  # both
        ("Le texte est dans une autre langue, on or about.", "fr", "fr"),
        ("Die Frist ist kurz.", "und", "de"),
    ],
)
def test_the_language_of_a_quotation_is_that_of_its_words(text: str, document: str, language: str) -> None:
    assert language_of_quotation(text, document) == language
