"""References found in whole documents: codes of controls, superscript footnote numbers, words in brackets, 'ibid.'."""

from __future__ import annotations

import pytest

from rabbithole.kb.ingest.numbers.numbering import split_number
from rabbithole.kb.ingest.outline.sequence import Sequencer
from rabbithole.kb.models import Reference, Section
from rabbithole.kb.references.bibliography.entries import parse_bibliography
from rabbithole.kb.references.detection.document_references import references_of
from rabbithole.kb.references.names.name_index import NameIndex

NAMES = NameIndex()


def found(text: str, numbers: tuple[str, ...] = (), language: str = "en") -> list[Reference]:
    outline = [
        Section(id=n, document="d", index=i, level=0, number=n, start=9000, own_end=9001, end=9001, page=0, last_page=0)
        for i, n in enumerate(numbers)
    ]
    return list(references_of(text, outline, parse_bibliography(text), names=NAMES, language=language))


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("SP 800-53 control AC-2(3)", [("SP 800-53", "AC-2(3)")]),
        ("see NIST SP 800-53 Rev. 4 AC-4, CA-3", [("SP 800-53", "AC-4"), ("SP 800-53", "CA-3")]),
        ("the AC-2 control in NIST SP 800-53", [("SP 800-53", "AC-2")]),
        ("controls SC-7 and SC-8 of SP 800-53", [("SP 800-53", "SC-8")]),
        ("NIST SP 800-53 Appendix F, AC-2", [("SP 800-53", "AC-2")]),
        ("FIPS 202, SHA-3 Standard", []),
        ("in accordance with SC-13 and COVID-19", []),
    ],
)
def test_codes_are_of_the_document_they_are_named_with(text: str, codes: list[tuple[str, str]]) -> None:
    led = [(str(one.document)[-9:], one.text) for one in found(text) if one.path and one.path[0][0] == "control"]
    assert led == codes


def test_a_document_s_own_codes_need_no_word() -> None:
    led = found("Related controls: AC-2, SC-7 (3). See SC-13 and AES-4.", ("AC-1", "AC-2", "SC-7", "SC-13"))
    assert [one.text for one in led] == ["AC-2", "SC-7 (3)", "SC-13"]
    assert led[1].path == (("control", "SC-7"), ("paragraph", "3"))


def test_codes_of_headings_count_up() -> None:
    numbers = Sequencer()
    titles = ("AC-1 POLICY", "AC-2 ACCOUNT MANAGEMENT", "AC-17 REMOTE ACCESS", "AU-1 AUDIT", "COVID-19 RULES")
    assert [numbers.accepts(split_number(title), strong=True) for title in titles] == [True, True, False, True, False]
    assert not Sequencer().accepts(split_number("AC-1 POLICY"), strong=False)


NOTES = "Security matters.¹ It is planned.²\n1 See FIPS 199 for more.\n2 Planning is described elsewhere.\n"
LIST = "References\n1. Miller, A. On security. Journal, 2001.\n2. Smith, B. On planning. Journal, 2002.\n"


@pytest.mark.parametrize(
    ("text", "call_outs"),
    [
        (NOTES, 0),
        (NOTES + LIST, 0),
        ("Security matters.¹ It is planned.²\n" + LIST, 2),
        ("Security matters.¹ It is planned.³\n" + LIST, 1),
        ("Security matters.¹ It is planned.²\n", 0),
    ],
)
def test_raised_numbers_of_footnotes_cite_nothing(text: str, call_outs: int) -> None:
    assert sum(one.kind == "academic_numbered" for one in found(text)) == call_outs


def test_a_list_behind_an_appendix_says_which_words_in_brackets_cite() -> None:
    text = (
        "See [NEED] and [INDIRECT] and [DENN81].\nAPPENDIX C: References\n[NEED] Needham, R. Title one. 1978.\n"
        "[DENN] Denning, D. Title two. 1981.\n[KERB] Miller, S. Title three. 1987.\n"
    )
    assert [one.text for one in found(text)][:2] == ["[NEED]", "[DENN81]"]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("See NIST SP 800-53, Section 2.1. Ibid., p. 44.", "section 2.1 NIST SP 800-53"),
        ("See NIST SP 800-53. Id. at 4.", "NIST SP 800-53"),
        ("vgl. KTA 1404, Abschnitt 3. Ebd., S. 12.", "Abschnitt 3 KTA 1404"),
    ],
)
def test_ibid_is_the_work_cited_last(text: str, target: str) -> None:
    assert [one.target for one in found(text)] == [target, target]


def test_ibid_without_a_work_near_is_nothing() -> None:
    assert not found("Nothing is cited here. Ibid., p. 4.")
    assert len(found("See KTA 1404. " + "Words go on. " * 50 + "Ibid.")) == 1


def test_a_paragraph_belongs_to_the_section_before_it() -> None:
    assert [one.path for one in found("In Section 8.3.5, paragraph 6, it is changed.")] == [
        (("section", "8.3.5"), ("paragraph", "6"))
    ]
