"""Call-outs by the labels of the document's own list."""

from __future__ import annotations

import re
import time

from rabbithole.kb.ingest.document.bibliography import parse_bibliography
from rabbithole.kb.models import Reference
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
    assert {one.text for one in without_foreign_numbers(found, parse_bibliography(TEXT))} <= {"[ESP]"}
    numbered = parse_bibliography(re.sub(r"\[(?:ESP|Linux|tcp-friendly)\]", "[7]", TEXT))
    assert without_foreign_numbers(found, numbered) == tuple(found)
    assert without_foreign_numbers(found, ()) == tuple(found)


def test_linear() -> None:
    started = time.process_time()
    labelled_callouts("[ESP] [" * 20_000, parse_bibliography(TEXT))
    assert time.process_time() - started < 8
