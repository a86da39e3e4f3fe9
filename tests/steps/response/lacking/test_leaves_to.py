"""Which sentences leave a matter to another document, and which only mention one."""

from __future__ import annotations

import pytest

from rabbithole.steps.response.lacking.lacking_works import left_matter
from rabbithole.steps.response.lacking.leaves_to import leaves_to


@pytest.mark.parametrize(
    ("sentence", "name", "leaves"),
    [
        ("The fee is specified in RFC 20.", "RFC 20", True),
        ("The fee is the one given in Section 3 of [Fees].", "[Fees]", True),
        ("Fees lapse (see also Appendix D of [Fees]).", "[Fees]", True),
        ("[Fees] defines the fee.", "[Fees]", True),
        ("Die Gebühr richtet sich nach der Gebührenordnung.", "Gebührenordnung", True),
        ("Die Gebühr wird nach Maßgabe der Gebührenordnung erhoben.", "Gebührenordnung", True),
        ("Die Gebührenordnung regelt die Höhe der Gebühr.", "Gebührenordnung", True),
        ("Für die Höhe gilt die Gebührenordnung.", "Gebührenordnung", True),
        ("Old keys are removed as in a garbage collection [25].", "[25]", False),
        ("Engines such as Impala [1] resubmit the query.", "[1]", False),
        (
            "Besteht ein Arbeitsverhältnis gemäß § 1a des Rentengesetzes fort, ruht der Vertrag.",
            "Rentengesetzes",
            False,
        ),
        ("| NIST, SP 800-42, Guideline on Testing | http://a.example |", "SP 800-42", False),
    ],
)
def test_whether_a_sentence_leaves_its_matter_to_a_document(sentence: str, name: str, leaves: bool) -> None:
    start = sentence.index(name)
    assert leaves_to(sentence, start, start + len(name)) is leaves


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("Fees are due. A value lapses. See RFC 20 for details.", "A value lapses. See RFC 20 for details."),
        (
            "Fees are due. How a value lapses is defined in RFC 20.",
            "Fees are due. How a value lapses is defined in RFC 20.",
        ),
        ("Fees are due. A value lapses as RFC 20 has it.", ""),
    ],
)
def test_what_is_left_to_a_document(text: str, matter: str) -> None:
    start = text.index("RFC 20")
    assert left_matter(text, start, start + 6) == matter
