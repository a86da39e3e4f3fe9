"""British and American spellings are compared as one."""

from __future__ import annotations

import pytest

from rabbithole.kb.notation.spelling_variants import one_spelling
from rabbithole.kb.references.names.name_keys import name_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("licence", "license"),
        ("licences", "licenses"),
        ("centre", "center"),
        ("harbour", "harbor"),
        ("organisation", "organization"),
    ],
)
def test_both_spellings_are_one(one: str, other: str) -> None:
    assert one_spelling(one) == one_spelling(other)


@pytest.mark.parametrize("word", ["hour", "four", "pour", "size", "our", "isation"])
def test_other_words_stay(word: str) -> None:
    assert one_spelling(word) == word


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Harbour Licence", "Harbor License", True),
        ("Programme of Work", "Program of Work", True),
        ("Programs of the Theatre", "Programmes of the Theater", True),
        ("Förderprogramm Programme", "Förderprogramm Programm", True),  # the German plural
        ("Licence 2", "License 3", False),
    ],
)
def test_names_in_both_spellings_are_the_same(one: str, other: str, same: bool) -> None:
    assert (name_key(one) == name_key(other)) is same
