"""What changed between two editions, asked as a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.as_of import on_day
from rabbithole.steps.question import understand
from rabbithole.steps.response import Response, respond
from rabbithole.steps.response.changes import asks_for_changes, changed_lines, changed_words

RULES = """# Hausordnung der Muster GmbH

Fassung {year}, in Kraft ab 1. Januar {year}

## § 1 Geltungsbereich

Diese Ordnung gilt für alle Beschäftigten.

## § 2 Meldung

(1) Störungen sind innerhalb von {hours} Stunden zu melden.

(2) Die Meldung ist schriftlich abzugeben.
{more}"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory):
    folder: Path = tmp_path_factory.mktemp("rules")
    more = {2019: "", 2024: "\n## § 3 Zutritt\n\nZutritt hat, wer unterwiesen ist.\n"}
    for year, hours in ((2019, 24), (2024, 48)):
        text = RULES.format(year=year, hours=hours, more=more[year])
        (folder / f"rules_{year}.md").write_text(text, encoding="utf-8")
    settings = KbSettings(embedding_model="hash", _env_file=None)
    with KnowledgeBase.open(folder / "kb", settings, create=True) as opened:
        opened.ingest([folder], "rules")
        yield opened


def asked(kb: KnowledgeBase, query: str) -> Response:
    return respond(kb, understand(kb, query, "de"))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Was hat sich in § 17 geändert?", True),
        ("Was wurde seit 2012 an § 8 IsoLV geändert?", True),
        ("Welche Änderungen brachte die Fassung von 2017?", True),
        ("Was ist neu in der Prüfungsordnung?", True),
        ("Worin unterscheiden sich die Fassungen von 2012 und 2017?", True),
        ("What changed in § 17?", True),
        ("What has changed in section 5 since 2019?", True),
        ("How does the 2012 edition differ from that of 2017?", True),
        ("Wie oft sind Änderungen zu melden?", False),
        ("Wer darf das Passwort ändern?", False),
        ("Which changes must be reported to the authority?", False),
        ("Was unterscheidet eine Störung von einem Unfall?", False),
        ("How often must passwords be changed?", False),
        ("Wie hoch ist die Gebühr?", False),
    ],
)
def test_which_questions_ask_for_changes(query: str, expected: bool) -> None:
    assert asks_for_changes(query) is expected


@pytest.mark.parametrize("query", ["Was hat sich in § 2 der Hausordnung geändert?", "Was hat sich in § 2 geändert?"])
def test_a_section_is_shown_in_both_editions_with_the_words_marked(kb: KnowledgeBase, query: str) -> None:
    found = asked(kb, query)
    assert found.status == "answered"
    assert "2019" in found.first[0]
    assert "2024" in found.first[0]
    new, old = found.passages
    assert [one.text[slice(*one.bold[0])] for one in (new, old)] == ["48", "24"]
    assert "2024" in new.evidence.title
    assert "2019" in old.evidence.title


def test_a_work_is_compared_section_by_section(kb: KnowledgeBase) -> None:
    found = asked(kb, "Was hat sich in der Hausordnung seit 2019 geändert?")
    said = " ".join(found.first)
    assert "Geändert (1): § 2 Meldung" in said
    assert "Neu (1): § 3 Zutritt" in said
    assert len(found.passages) == 3


def test_what_is_the_same_is_said_to_be(kb: KnowledgeBase) -> None:
    found = asked(kb, "Was hat sich in § 1 der Hausordnung geändert?")
    assert "nichts geändert" in found.first[1]
    assert [one.evidence.file for one in found.passages] == ["rules_2024.md"]


def test_as_of_a_day_nothing_is_compared(kb: KnowledgeBase) -> None:
    found = asked(on_day(kb, "2020"), "Was hat sich in § 2 der Hausordnung geändert?")
    assert not any("Verglichen" in one for one in found.first)


def test_lines_and_words_that_differ() -> None:
    assert changed_lines("a\nb c\nd\n", "a\nd\n") == (2, 6)
    assert changed_lines("a\n", "b\na\n") is None
    assert changed_words("within 48 hours of it", "within 24 hours of it") == ((7, 9),)
    assert changed_words("all new words", "nothing") == ()
