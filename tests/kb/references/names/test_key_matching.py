"""How the keys of two names are compared, word by word."""

from __future__ import annotations

import pytest

from rabbithole.kb.references.names.lookup.key_matching import adopts, contains, is_specific, may_be_shortened
from rabbithole.kb.references.names.name_keys import name_key


@pytest.mark.parametrize(
    ("name", "specific", "shortened"),
    [
        ("Verordnung", False, False),
        ("Report", False, False),
        ("Betriebshandbuch", True, False),  # ends as the name of a law does
        ("Atomgesetz", True, False),
        ("Einleitung", True, True),
        ("AtG", True, False),
    ],
)
def test_what_a_name_is_about(name: str, specific: bool, shortened: bool) -> None:
    key = name_key(name)
    assert (is_specific(key), may_be_shortened(key)) == (specific, shortened)


@pytest.mark.parametrize(
    ("held", "asked", "adopted"),
    [
        ("DIN EN ISO 7503-1", "ISO 7503-1", True),
        ("DIN ISO 7503-2", "ISO 7503-1", False),
        ("ISO 7503-1", "ISO 7503-1", False),
        ("Leitfaden ISO 7503-1", "ISO 7503-1", False),
        ("DIN 25457", "25457", False),
    ],
)
def test_national_edition_of_a_standard(held: str, asked: str, adopted: bool) -> None:
    assert adopts(name_key(held), name_key(asked)) is adopted


@pytest.mark.parametrize(
    ("longer", "shorter", "contained"),
    [
        ("Leitfaden Strahlenschutz Medizin", "Strahlenschutz Medizin", True),
        ("Strahlenschutz Medizin", "Strahlenschutz", True),
        ("Medizin Strahlenschutz", "Strahlenschutz", False),  # a single word must be the first
        ("Leitfaden für die Anwendung ionisierender Strahlung in der Medizin", "der Medizin", False),  # too short
    ],
)
def test_a_name_contains_another(longer: str, shorter: str, contained: bool) -> None:
    assert contains(name_key(longer), name_key(shorter)) is contained
