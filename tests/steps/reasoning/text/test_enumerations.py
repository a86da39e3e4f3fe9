"""An item is quoted with what introduces it, an introduction with its items."""

from __future__ import annotations

import pytest

from rabbithole.steps.reasoning.text.enumerations import lead_in, with_items

DUTY = "(2) Der Inhaber ist nach dem Eintritt eines Ereignisses verpflichtet,"
ITEMS = [
    "1. dem Ministerium dieses unverzüglich anzuzeigen,",
    "2. die Unterlagen vorzulegen, und zwar\na) die Pläne,\nb) die Berichte,",
    "3. Weisungen zu beachten.",
]
TEXT = "§ 34 Pflichten\n(1) Der Bund stellt frei.\n" + "\n".join([DUTY, *ITEMS]) + "\n(3) Das gilt nicht für Dritte."


@pytest.mark.parametrize(
    ("item", "introduced_by"),
    [
        ("1. dem", DUTY),
        ("3. Weisungen", DUTY),
        ("b) die Berichte", "2. die Unterlagen vorzulegen, und zwar"),
        ("(3) Das gilt", None),
        ("Der Bund", None),
    ],
)
def test_what_introduces_an_item(item: str, introduced_by: str | None) -> None:
    long = TEXT.replace("unverzüglich", "unverzüglich " * 60)  # too long to be one sentence
    span = lead_in(long, long.index(item))
    assert (long[slice(*span)] if span else None) == introduced_by


def test_items_after_a_sentence_that_is_closed_have_no_introduction() -> None:
    text = "Es gilt Folgendes.\n1. Der Plan ist aufzustellen.\n2. Der Plan ist zu prüfen."
    assert lead_in(text, text.index("2. Der")) is None


def test_a_dash_is_an_item() -> None:
    text = "Zu melden ist eine Ableitung, die\n– den Wert überschreitet,\n– nicht genehmigt war.\n" + "Weiter. " * 3
    span = lead_in(text, text.index("– nicht"))
    assert span is not None
    assert text[slice(*span)].startswith("Zu melden ist")


def test_an_introduction_ends_with_its_items() -> None:
    start = TEXT.index(DUTY)
    assert TEXT[start : with_items(TEXT, start, start + len(DUTY))].endswith("Weisungen zu beachten.")


def test_no_more_items_than_fit() -> None:
    start = TEXT.index(DUTY)
    end = with_items(TEXT, start, start + len(DUTY), longest=len(DUTY) + len(ITEMS[0]) + 5)
    assert TEXT[start:end].endswith("unverzüglich anzuzeigen,")


@pytest.mark.parametrize(
    ("words", "ending"),
    [
        ("1. dem Ministerium dieses unverzüglich anzuzeigen,", "unverzüglich anzuzeigen,"),
        ("2. die Unterlagen vorzulegen, und zwar", "b) die Berichte,"),
        ("a) die Pläne,", "a) die Pläne,"),
    ],
)
def test_an_item_goes_on_with_what_belongs_to_it_alone(words: str, ending: str) -> None:
    start = TEXT.index(words)
    assert TEXT[start : with_items(TEXT, start, start + len(words))].endswith(ending)


def test_a_sentence_that_is_closed_stays_as_it_is() -> None:
    words = "(1) Der Bund stellt frei."
    start = TEXT.index(words)
    assert with_items(TEXT, start, start + len(words)) == start + len(words)
