"""Headings that example questions are made of."""

from __future__ import annotations

import pytest

from rabbithole.kb.models import Section
from rabbithole.workflow.chat.runs.example_headings import is_clean, is_framed, is_telling


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Bestellung einer Vertreterin", True),
        ("Why don’t the pathnames match the package?", True),
        ("Network access (HPC) via TCP/IP", True),
        ("Förderverein Musik e. V. – Satzung", True),
        ("SP 800-223", True),
        ("\\mkblockquote – – – – • • • –", False),
        ("Rå�iüpsÇ E7ÇÇusüswésç", False),
        ("(h) Airplane Flight Manual", False),
        ("Änderung der Wahlverordnung für", False),
        ("x = y + 1", False),
        ("3 4 5 Semester", False),
        ("", False),
    ],
)
def test_only_whole_words_make_a_clean_heading(text: str, clean: bool) -> None:
    assert is_clean(text) is clean


@pytest.mark.parametrize(
    ("heading", "telling"),
    [
        ("Pflichten der Mitglieder", True),
        ("How is the catalog saved?", True),
        ("Backing up the database", True),
        ("WM_NAME Property", True),
        ("Table 3-2: Recommended algorithms", False),
        ("Abbildung 4 Aufbau der Anlage", False),
        ("Other encodings", False),
        ("Weitere Aufgaben des Schatzmeisters", False),
        ("I41b_2023_PAP FKR 0702", False),
        ("Acronyms and Abbreviations", False),
        ("Related Work", False),
        ("entfällt (Übergangsbestimmungen)", False),
        ("Why is it so slow here?", False),
        ("User manual", False),
    ],
)
def test_a_telling_heading_names_a_subject(heading: str, telling: bool) -> None:
    assert is_telling(heading, "The user manual") is telling


def section(name: str, parent: str | None = None) -> Section:
    span = {"start": 0, "own_end": 1, "end": 1, "page": 0, "last_page": 0}
    return Section(id=name, document="d", index=0, parent=parent, level=1, heading=name, **span)


@pytest.mark.parametrize(
    ("heading", "framed"),
    [
        ("GNU Free Documentation License", True),
        ("Copyright and permissions", True),
        ("Changes from version 2.44 to 3.1", True),
        ("Änderungen gegenüber der Vorauflage", True),
        ("Document history", True),
        ("Release notes for 2.9", True),
        ("Über dieses Handbuch", True),
        ("Aufbau der Arbeit", True),
        ("Structure of this document", True),
        ("Related topics in the manual", True),
        ("Changes of address", False),
        ("Ausschluss von Mitgliedern", False),
        ("Change of control", False),
        ("Changes to the contract", False),
        ("Representations and warranties", False),
        ("Licence conditions", False),
        ("Revision der Anlage", False),
        ("Information about the controller", False),
        ("Aufbau der Anlage", False),
        ("The structure of a package", False),
    ],
)
def test_what_frames_a_document_is_not_asked_about(heading: str, framed: bool) -> None:
    above, below = section(heading), section("Combining several documents", heading)
    outline = {one.id: one for one in (above, below)}
    assert is_framed(above, outline, "A manual") is framed
    assert is_framed(below, outline, "A manual") is framed
    assert not is_framed(below, outline, "Guide to copyright")
