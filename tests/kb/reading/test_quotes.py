"""Quotations: differences in typesetting are accepted, differences in wording are not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kb_records import knowledge_base, record

from rabbithole.kb.reading.quotation_search import find, reduce

TEXT = (
    "§ 78 Grenzwerte\n(1) Der Grenzwert der effek-\ntiven Dosis beträgt 20 Millisievert im Kalenderjahr.\n"
    "Die „zuständige Behörde“ kann im Einzelfall 50 mSv zulassen; ein eﬃzienter Schutz\u00adraum ist nötig.\n"
    "Der Wert ist 10² und 1.5 für U-235 – nicht 120 mSv."
)


def place(quote, text=TEXT):
    span = find(reduce(text), quote)
    return None if span is None else text[span[0] : span[1]]


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Der Grenzwert der effektiven Dosis", "Der Grenzwert der effek-\ntiven Dosis"),
        ("20 Millisievert im  Kalenderjahr. Die", "20 Millisievert im Kalenderjahr.\nDie"),
        ('Die "zuständige Behörde" kann', "Die „zuständige Behörde“ kann"),
        ("»zuständige Behörde«", "zuständige Behörde"),
        ("effizienter Schutzraum", "eﬃzienter Schutz\u00adraum"),
        ("U-235 - nicht", "U-235 – nicht"),
        ("Der Wert ist 10² und", "Der Wert ist 10² und"),
        ("Behörde\u201c kann", "Behörde“ kann"),
    ],
)
def test_forgiven(quote, found):
    assert place(quote) == found


@pytest.mark.parametrize(
    "quote",
    [
        "Der Grenzwert der effektiven Dosis beträgt 200 Millisievert",
        "Der Grenzwert der effektiven Dosis beträgt 2 Millisievert",
        "der Grenzwert der effektiven Dosen",
        "20 mSv",
        "0 mSv zulassen",
        "Der Wert ist 102 und",
        "für U235",
        "Die zuständigen Behörde",
        "der Grenzwert",
        "",
        "  ",
        '""',
        "15 für U-235",
    ],
)
def test_not_forgiven(quote):
    assert place(quote) is None


def test_a_word_is_not_found_inside_another():
    assert place("zulässig", "Das ist unzulässig.") is None
    assert place("Dosis", "Die Dosisleistung steigt.") is None


@pytest.mark.slow
@given(st.data())
def test_every_run_of_words_is_found_where_it_stands(data):
    words = data.draw(st.lists(st.text("abcäß12.,;()§", min_size=1, max_size=6), min_size=3, max_size=40))
    text = data.draw(st.sampled_from([" ", "\n", "  "])).join(words)
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    quote = " ".join(words[start:end])
    span = find(reduce(text), quote)
    if len(quote.replace(" ", "")) >= 3:
        assert span is not None
        assert text[span[0] : span[1]].split() == words[start:end] or "".join(text[slice(*span)].split()) == "".join(
            words[start:end]
        )


def test_a_long_document_is_searched_fast():
    text = "\n".join(f"Satz {number} über den Schutz vor der schädlichen Wirkung." for number in range(20_000))
    reduced = reduce(text)
    began = time.process_time()
    for number in range(0, 20_000, 1000):
        assert find(reduced, f"Satz {number} über den  Schutz") is not None
    assert time.process_time() - began < 2.0


def test_the_given_page_is_preferred(tmp_path):
    twice = record("a", [("§ 1", "Der Wert ist einzuhalten."), ("§ 2", "Der Wert ist einzuhalten.")])
    with knowledge_base(tmp_path, twice) as kb:
        first, second = (kb.find_quote("a", "Der Wert ist einzuhalten", page=page) for page in (0, 1))
        assert (first.page, first.section, first.page_label) == (0, "a:s0", "1")
        assert (second.page, second.section, second.page_label) == (1, "a:s1", "2")
        assert kb.text("a", second.start, second.end) == "Der Wert ist einzuhalten"
        assert kb.find_quote("a", "Der Wert ist einzuhalten", page=99).page == 0
        assert kb.find_quote("a", "Der Wert ist auszuhalten") is None


def test_a_quotation_with_words_left_out_is_found_by_its_parts(tmp_path):
    text = "Members may:\n• speak\n• vote on all matters\n• leave at any time\nNobody else may."
    with knowledge_base(tmp_path / "kb", record("rules", [("1", text)])) as kb:
        found = kb.find_quote("rules", "Members may: […] • leave at any time […]")
        assert found is not None
        assert kb.text("rules", found.start, found.end) == "Members may:"
        assert kb.find_quote("rules", "Members may: […] • leave at no time") is None
        assert kb.find_quote("rules", "[…]") is None


@pytest.mark.parametrize(
    ("quote", "start"),
    [
        ("2. […] It ends in May.", "It ends"),  # the number of an item is too short to be found by itself
        ("a) […] It ends in May.", None),
        ("It follows: […] It ends in May.", "It follows: 2."),  # above the passage, not where it stands first
    ],
)
def test_what_stands_before_words_left_out_is_looked_for_above_them(tmp_path, quote, start):
    text = "2. A fee.\nIt follows: 1. A fine.\n" + "Nothing else. " * 500 + "\nIt follows: 2. Dues. It ends in May.\n"
    with knowledge_base(tmp_path / "kb", record("rules", [("1", text)])) as kb:
        found = kb.find_quote("rules", quote)
        assert (found is None) == (start is None)
        assert found is None or kb.text("rules")[found.start :].startswith(start)
