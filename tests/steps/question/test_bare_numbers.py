import pytest
from kb_records import knowledge_base, record

from rabbithole.steps.question import understand
from rabbithole.steps.question.bare_numbers import bare_numbers

HELD = {"2.3.59.4", "4.2.1", "6.3", "1.5"}


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("What does IRM 2.3.59.4 say about the years?", ["2.3.59.4"]),
        ("What does 4.2.1 say?", ["4.2.1"]),
        ("4.2.1", ["4.2.1"]),
        ("Was steht in 4.2.1?", ["4.2.1"]),
        ("What does 6.3 of the manual require?", ["6.3"]),
        ("Was verlangt 6.3 der Richtlinie?", ["6.3"]),
        ("What does the Weft Manual 4.2.1 say?", ["4.2.1"]),
        ("Was GCC 4.2.1 the last of its line?", []),
        ("Is a factor of 1.5 enough?", []),
        ("Is 6.3 enough?", []),
        ("What listens on 127.0.0.1?", []),
        ("What does 9.9.9 say?", []),
        ("Is v4.2.1 held?", []),
        ("May version 6.3 of the program be sold?", []),
        ("Darf die Fassung 6.3 der Ordnung gelten?", []),
        ("Gilt der Stand vom 4.2.1999?", []),
    ],
)
def test_numbers_of_sections_and_others(query: str, numbers: list[str]) -> None:
    found = bare_numbers(query, (), HELD.__contains__, lambda word: word == "Manual")
    assert [one.text for one in found] == numbers
    assert all(one.path == (("section", one.text),) for one in found)


def test_the_section_is_opened(tmp_path):
    manual = record("The Weft Codec Manual", [("4.2.1", "The encoder writes frames of 20 ms."), ("4.2.2", "None.")])
    with knowledge_base(tmp_path, manual) as kb:
        (found,) = understand(kb, "What does 4.2.1 of the Weft manual say about frames?", "en").opened
        assert kb.section_by_id(found.section).number == "4.2.1"
