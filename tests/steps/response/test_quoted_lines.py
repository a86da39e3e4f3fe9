"""Lists in quotations are lists, in Markdown and where it is shown as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.steps.models import Evidence
from rabbithole.steps.phases.attribute import Attributor
from rabbithole.steps.quoted_words import unescaped
from rabbithole.steps.response.models import QuotedPassage
from rabbithole.steps.response.quoted_lines import words_of
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder
from rabbithole.steps.response.render import quotation
from rabbithole.steps.selection.models import AnswerUnit, RankedUnit, UnitKind
from tests.kb_records import knowledge_base, record

EVIDENCE = Evidence(key="e1", info="", document="bees", start=0, end=99, task=0, score=1.0)


def _lines(text: str, kind: UnitKind = "list", bold: tuple[tuple[int, int], ...] = ()) -> list[str]:
    return words_of(QuotedPassage(evidence=EVIDENCE, text=text, start=0, end=len(text), kind=kind, bold=bold))


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("* Bees sleep.\n* They dance.", "list", ["* Bees sleep.", "", "* They dance."]),
        ("* An attacker who can spoof a redirect takes the whole hive.", "paragraph", None),
        ("* p < 0.05", "paragraph", ["\\* p < 0.05"]),  # a note below a table
        ("o Bees sleep.", "list", ["o Bees sleep."]),
        ("- Bees sleep.", "list", ["- Bees sleep."]),
        ("1. Bees sleep.\n2. They dance.", "paragraph", ["1. Bees sleep.", "", "2. They dance."]),
        ("1. Bees sleep.\n3. They dance.", "list", ["1. Bees sleep.", "", "3\\. They dance."]),
        ("Whoever 1. keeps bees,\n2. hides them", "list", ["Whoever", "", "1. keeps bees,", "", "2. hides them"]),
        ("Whoever a) keeps bees,\nb) hides them", "list", ["Whoever", "", "a) keeps bees,", "", "b) hides them"]),
        ("7. Terms:\n1. One year.\n2. No more.\n8. Fees", "list",
         ["7. Terms:", "", "   1. One year.", "", "   2. No more.", "", "8. Fees"]),
        ("12. Bees sleep.\n1. In May.\n13. They dance.", "list",
         ["12. Bees sleep.", "", "    1. In May.", "", "13. They dance."]),
        ("12. Bees sleep.\n1. In May.", "list", ["12. Bees sleep.", "", "1\\. In May."]),
        ("Version 1. is old.\nVersion 2. is new.", "list", ["Version 1. is old.", "", "Version 2. is new."]),
    ],
)  # fmt: skip
def test_lists(text: str, kind: UnitKind, expected: list[str] | None) -> None:
    assert _lines(text, kind) == (expected or [text])


def test_what_is_set_apart_is_found_in_the_document() -> None:
    text = "Whoever 1. keeps bees,\n2. hides them"
    assert unescaped("\n".join(_lines(text))).split() == text.split()


def test_bold_stays_in_place() -> None:
    text = "Whoever 1. keeps bees,\n2. hides them"
    assert _lines(text, bold=((11, 22),)) == ["Whoever", "", "1. **keeps bees,**", "", "2. hides them"]


def test_sentences_in_bold_that_follow_one_another_are_one() -> None:
    text = "Bees sleep. They dance. They fly."
    assert _lines(text, bold=((0, 11), (12, 23))) == ["**Bees sleep. They dance.** They fly."]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "The keeper of a hive:\n* Never opens it in the rain.\n* Counts the bees in May.",
            "> * Never opens it in the rain.",
        ),
        (
            "6. A keeper may leave.\n7. Term limit:\n1. A keeper stays for a year.\n2. Nobody stays for longer.",
            ">    2. Nobody stays for longer. [[1]][s1]",
        ),
    ],
)
def test_items_are_still_verbatim(tmp_path: Path, text: str, shown: str) -> None:
    with knowledge_base(tmp_path, record("bees", [("4", f"Keeping\n{text}")], language="en")) as kb:
        start = kb.text("bees").index(text)
        section = kb.outline("bees")[0].id
        unit = AnswerUnit(
            document="bees", section=section, page=0, start=start, end=start + len(text), text=text, kind="list"
        )
        passage = PassageBuilder(kb).passage(RankedUnit(unit=unit, score=1.0, probability=0.9))
        done = Attributor(kb, {passage.evidence.key: passage.evidence}, "en").run(quotation((passage,)))
    assert shown in done.markdown.splitlines()
    assert done.quotations == 1
    assert not done.unverified
