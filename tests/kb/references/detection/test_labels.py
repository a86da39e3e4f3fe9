"""Call-outs by the labels of the document's own list."""

from __future__ import annotations

import time

import pytest

from rabbithole.kb.models import Reference
from rabbithole.kb.references.bibliography.entries import parse_bibliography
from rabbithole.kb.references.detection.bibliography_labels import labelled_callouts, without_foreign_numbers
from rabbithole.kb.references.detection.detect import detect

TEXT = """See [ESP], [Linux; tcp-friendly] and [sic] or [Linux, sic].
References
[ESP]  Kent, S., "Encapsulating Security Payload", RFC 2406, 1998.
[Linux]  The Linux people, "Kernel", 2003.
[tcp-friendly]  Floyd, S., "A model of friendliness", 1999.
"""


def test_only_labels_of_the_list_count_and_entries_are_no_call_outs() -> None:
    found = labelled_callouts(TEXT, parse_bibliography(TEXT))
    assert [(one.text, one.target) for one in found] == [
        ("[ESP]", "[ESP]"),
        ("[Linux; tcp-friendly]", "[Linux]"),
        ("[Linux; tcp-friendly]", "[tcp-friendly]"),
    ]
    assert all(TEXT[one.start : one.end] == one.text for one in found)


def test_what_is_detected_already_is_left_alone() -> None:
    known = Reference(start=4, end=9, text="[ESP]", kind="academic_shortform", target="[ESP]", path=(("ref", "ESP"),))
    assert [one.target for one in labelled_callouts(TEXT, parse_bibliography(TEXT), [known])] == [
        "[Linux]",
        "[tcp-friendly]",
    ]


def test_no_list_no_call_outs() -> None:
    assert labelled_callouts(TEXT, ()) == ()


def test_numbers_cite_nothing_where_the_list_has_other_labels() -> None:
    found = detect("As in [ESP], opaque Random[32]; and [2, 3].", language="en")
    assert {one.text for one in without_foreign_numbers("", found, parse_bibliography(TEXT))} <= {"[ESP]"}
    numbered = parse_bibliography(TEXT.replace("[ESP]  K", "[1]  K").replace("[Linux]  ", "[2]  "))
    cited = [one for one in found if one.text == "[2, 3]"]
    assert without_foreign_numbers("", cited[:1], numbered) == tuple(cited[:1])


NOTES = "\nNotes\n[1] See the first annex.\n[2] As reported by the office.\n"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("As said in [1] and again in [2].", ()),
        (f"As said in [1] and again in [2].{NOTES}", ("[1]", "[2]")),
        ("The vector [3, 5, 7] and job[2] are printed.\n[1] 0.25\n[2] 0.5\n", ()),
        (f"x = [3, 5, 7], y = [4, 6, 9]; as said in [1].{NOTES}", ()),
    ],
)
def test_a_number_is_a_call_out_only_with_a_list_of_its_own(text: str, kept: tuple[str, ...]) -> None:
    found = [one for one in detect(text, language="en") if one.kind == "academic_numbered"]
    assert tuple(one.target for one in without_foreign_numbers(text, found, ())) == kept


def test_linear() -> None:
    started = time.process_time()
    labelled_callouts("[ESP] [" * 20_000, parse_bibliography(TEXT))
    assert time.process_time() - started < 8
