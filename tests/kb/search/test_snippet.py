"""The part of a passage that is shown, and where it stands."""

from __future__ import annotations

import pytest

from rabbithole.kb.search.snippet import shown_from, snippet

LONG = "Zweck der  Klasse.\n\n" + "Sie erzeugt ein Dokument. " * 30 + "\nDer Mindestlohn beträgt 8,50 Euro pro Stunde."


@pytest.mark.parametrize(
    ("text", "query", "word"),
    [
        (LONG, "Mindestlohn 8,50", "Mindestlohn"),
        (LONG, "Urlaub", "Zweck"),
        ("  Der Mindestlohn.", "mindestlohn", "Mindestlohn"),
        ("  (Mindestlohn)", "mindestlohn", "(Mindestlohn)"),
        ("", "x", ""),
    ],
)
def test_the_place_shown_is_that_of_the_words_of_the_query(text: str, query: str, word: str) -> None:
    assert text[shown_from(text, query) :].startswith(word)
    assert word in snippet(text, query)
