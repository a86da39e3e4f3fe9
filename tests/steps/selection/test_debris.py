"""Lines that say nothing by themselves are told from text that does."""

from __future__ import annotations

import pytest

from rabbithole.steps.selection.units.debris import date_line, is_debris, is_legend, is_title


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4 Bees .......... 12", True),
        ("4 Bees . . . . . . 12", True),
        ("4 Bees ……………. 12", True),
        ("G A Z E T T E of the town, 4 January 2021", True),
        ("Bees sleep ... and dance.", False),
        ("Grades are A B C D E and F.", False),
        ("Bees sleep. A. B. Smith says so.", False),
    ],
)
def test_contents_and_mastheads(text: str, expected: bool) -> None:
    assert is_debris(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Satzung des Imkervereins 19. Februar 2022", True),
        ("Satzung des Imkervereins vom 19. Februar 2022", True),
        ("Satzung des Imkervereins", False),
        ("Beginn der Tracht 19. Februar 2022", False),
        ("Die Satzung gilt ab 19. Februar 2022.", False),
    ],
)
def test_the_title_with_a_date(text: str, expected: bool) -> None:
    assert is_title(text, "Satzung des Imkervereins e. V.") is expected


@pytest.mark.parametrize(
    ("text", "start", "rest"),
    [
        ("24. September 2021 Gemäß § 6 der Satzung werden von allen Mitgliedern Beiträge erhoben.", 40, "Gemäß"),
        ("May 4, 2021 The members of the club have given themselves these rules.", 0, "The members"),
        ("24. September 2021 Gemäß § 6 der Satzung werden von allen Mitgliedern Beiträge erhoben.", 4000, "24."),
        ("1. Oktober 2024 Beginn der Tracht.", 40, "1. Oktober"),
        ("24. September 2021 ist der Tag, an dem die Satzung der Imker in Kraft trat.", 40, "24."),
    ],
)
def test_a_date_line_before_the_first_sentence(text: str, start: int, rest: str) -> None:
    assert text[date_line(text, start) :].startswith(rest)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Erläuterungen: Art des Moduls: SL Seminar P Pflichtmodul WP Wahlpflichtmodul", True),
        ("Legend: H hive, Q queen, D drone", True),
        ("Erläuterung: Der Halter meldet jeden Stand bis zum Ende des Jahres der Behörde.", False),
        ("Die Erläuterungen: siehe unten", False),
    ],
)
def test_the_legend_of_a_table(text: str, expected: bool) -> None:
    assert is_legend(text) is expected
