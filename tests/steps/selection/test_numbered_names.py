"""Names with a number or letter: another edition, class or year than the one asked for is something else."""

from __future__ import annotations

import pytest

from rabbithole.steps.selection import question_part
from rabbithole.steps.selection.numbered_names import is_of_another_number, numbered_names, numbers_asked


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Is Garden OS 2.0 slow?", {"os": {"2.0"}}),
        ("Runs on TLS version 1.2 and TLS 1.3.", {"tls": {"1.2", "1.3"}}),
        ("Läuft es auf dem Kiosk 4?", {"kiosk": {"4"}}),
        ("See Section 3, Table 2 and May 5.", {}),
        ("The fee of Room 12.50 euros", {"room": {"12.50"}}),
        ("It grew by Factor 20%.", {}),
        ("Fires of class A or B, not of class F", {"class": {"A", "B", "F"}}),
        ("Führerscheinklasse B, Klassen A bis C", {"führerscheinklasse": {"B"}, "klasse": {"A", "B", "C"}}),
        ("Steuerklasse III, zones 1-3, USB Type-C", {"steuerklasse": {"III"}, "zone": {"1", "2", "3"}, "type": {"C"}}),
        ("Category A1 and categories 2 or 3", {"categor": {"A1", "2", "3"}}),
        ("The type I want is a class of 3 with grade of A. Smith in stage 3%.", {}),
    ],
)
def test_names_with_a_number(text: str, found: dict[str, set[str]]) -> None:
    assert numbered_names(text) == found


@pytest.mark.parametrize(
    ("question", "whole", "text", "another"),
    [
        ("How big is Kiosk 2.0?", "", "Kiosk 1.2 takes 5 megabytes.", True),
        ("How big is Kiosk 2.0?", "", "Kiosk 2.0 takes more than Kiosk 1.2.", False),
        ("How big is Kiosk 2.0?", "", "Kiosk takes 5 megabytes.", False),
        ("How big is it?", "Who wrote Kiosk 2.0, and how big is it?", "Kiosk 1.2 takes 5 megabytes.", True),
        ("How big is the manual?", "Who wrote Kiosk 2.0, and how big is the manual?", "Kiosk 1.2: 5 pages", False),
        ("Which extinguisher for class F?", "", "Foam puts out fires of class A or B.", True),
        ("Which extinguisher for class F?", "", "Foam puts out fires of classes A to F.", False),
        ("Which extinguisher for class F?", "", "Foam puts out fires.", False),
        ("Who led the club in 2018?", "", "Ann led the club from 2009 to 2011.", True),
        ("Who led the club in 2018?", "", "Ann led the club from 2017 until April 2019.", False),
    ],
)
def test_another_edition_or_year(question: str, whole: str, text: str, another: bool) -> None:
    part = question_part(question, "en", whole=whole)
    assert is_of_another_number(part, numbers_asked(part), text) is another
