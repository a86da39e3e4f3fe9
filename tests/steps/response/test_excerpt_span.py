"""Which sentences of a passage are shown when it is cut: its rule and exceptions, and none that dangles."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.models import LEFT_OUT
from rabbithole.steps.response.quoting.dangling import dangles
from rabbithole.steps.response.quoting.excerpt_span import (
    CONTINUED,
    around_best,
    belonging_after,
    is_exception,
    is_rule,
)
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder
from rabbithole.steps.response.quoting.passage_text import begins_within, rest_of_line
from rabbithole.steps.response.render import quotation
from rabbithole.steps.selection.models import AnswerUnit, RankedUnit, ScoredSpan
from tests.kb_records import knowledge_base, record


@pytest.mark.parametrize(
    ("text", "before", "known", "expected"),
    [
        ("Entsprechendes gilt für Gäste.", "", "", True),
        ("Dies gilt nicht für Gäste.", "", "", True),
        ("Further suppose that a bee is set free.", "", "", True),
        ("Also, bees sleep.", "", "", True),
        ("The keeper will not tell these bees from wild ones.", "One bee was lost.", "", True),
        ("The keeper will not tell these bees from wild ones.", "It was lost.", "", False),  # would not help
        ("The keeper will not tell these bees from wild ones.", "They have one bee.", "", False),
        ("The keeper of bees can tell these bees from wild ones.", "One bee was lost.", "", False),
        ("The keeper can tell these bees from wild ones.", "One bee was lost.", "4 Bees", False),
        ("Der Verein haftet für diese Schäden.", "Schäden sind zu melden.", "", True),
        ("Schäden sind zu melden, wenn der Verein diese Schäden zahlt.", "Es gab Schäden.", "", False),
        ("Der Vorstand beschließt nach dieser Satzung.", "Er tagt im Mai.", "", False),
        ("Guests may speak. This is new.", "", "", False),
        ("If not, then the keeper is told.", "A bee may be lost.", "", True),
        ("If nothing is said, the keeper is told.", "A bee may be lost.", "", False),
        ("Falls nicht, ist der Imker zu fragen.", "Bienen sind zu melden.", "", True),
        ("Otherwise, the hive stays.", "", "", True),
        ("2. If such a swarm leaves, it is lost.", "1. Whoever sees a swarm may catch it.", "", True),
    ],
)
def test_a_sentence_that_dangles(text: str, before: str, known: str, expected: bool) -> None:
    assert dangles(text, before, known) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(2) Bienen dürfen nicht gehalten werden, soweit sie stören.", True),
        ("Das Betreten ist verboten.", True),
        ("Der Halter hat den Stand zu melden.", True),
        ("Bees must not be kept here.", True),
        ("Bees may only be kept outside.", True),
        ("Bees may differ in size.", False),
        ("Bees sleep at night.", False),
        ("Bienen schlafen nachts.", False),
        ("Bees must sleep " + "very " * 60 + "long.", False),
    ],
)
def test_a_rule(text: str, expected: bool) -> None:
    assert is_rule(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dies gilt nicht für Gäste.", True),
        ("Satz 1 gilt nicht im Winter.", True),
        ("Ausgenommen sind Imker.", True),
        ("Abweichend davon darf der Imker bleiben.", True),
        ("Die Behörde kann die Breite abweichend von Satz 1 festsetzen.", True),
        ("This does not apply to guests.", True),
        ("Except in winter, bees fly.", True),
        ("Bees fly in summer.", False),
        ("Der Stand gilt als gemeldet.", False),
    ],
)
def test_an_exception(text: str, expected: bool) -> None:
    assert is_exception(text) is expected


def test_exceptions_of_the_same_paragraph_are_added_as_far_as_they_fit() -> None:
    after = " Dies gilt nicht für Gäste. Ausgenommen sind Imker. Bienen schlafen.\nDies gilt nicht im Winter."
    assert belonging_after(after, 20) == " Dies gilt nicht für Gäste. Ausgenommen sind Imker."
    assert belonging_after(after, 6) == " Dies gilt nicht für Gäste."
    assert belonging_after(after, 2) == ""
    assert belonging_after("\nDies gilt nicht im Winter.", 20) == ""


@pytest.mark.parametrize(
    ("after", "shown"),
    [
        (" For example, ten hives do. Bees sleep.", " For example, ten hives do."),
        (" Moreover, bees dance. Otherwise, they sleep.", " Moreover, bees dance. Otherwise, they sleep."),
        (" Zum Beispiel tanzen sie.", " Zum Beispiel tanzen sie."),
        (" Sonstige Bienen schlafen.", ""),
        (" For example, you might see:", ""),
        (f" For example, {'very ' * CONTINUED}many hives do.", ""),
        ("\nFor example, ten hives do.", ""),  # of another paragraph
    ],
)
def test_what_goes_on_with_the_same_thing_is_added(after: str, shown: str) -> None:
    assert belonging_after(after, 0) == shown


RULE = "(2) Hives must not be moved where bees have settled."
LONG = "The hives stand in rows along the fence by the old mill, where the river bends and the willows grow."
EXCEPTION = "Nobody can invoke this who has lured the bees."


def _ranked(text: str, best: str, start: int = 0, section: str = "d:s0") -> RankedUnit:
    at = start + text.index(best)
    unit = AnswerUnit(document="d", section=section, page=0, start=start, end=start + len(text), text=text, kind="item")
    span = ScoredSpan(start=at, end=at + len(best), score=0.9)
    return RankedUnit(unit=unit, score=1.0, probability=0.3, sentences=(span,), candidate=0)


@pytest.mark.parametrize(
    ("text", "best", "words", "shown", "rule"),
    [
        (f"{RULE} {EXCEPTION} {LONG}", EXCEPTION, 20, f"{RULE} {EXCEPTION}", ""),  # later sentences are dropped
        (f"{RULE} {LONG} {LONG} {LONG} Bees sleep.", "Bees sleep.", 10, "Bees sleep.", RULE),
        (f"{LONG} {LONG} Bees sleep.", "Bees sleep.", 10, "Bees sleep.", ""),  # no rule
        (f"{RULE}\n(3) {LONG} Bees sleep.", "Bees sleep.", 10, "Bees sleep.", ""),  # of another paragraph
        (f"{LONG} Bees sleep. Also, they dance.", "Also, they dance.", 10, "Bees sleep. Also, they dance.", ""),
        (f"{LONG} Bees must sleep. This does not apply to queens. {LONG}", "Bees must sleep.", 10,
         "Bees must sleep. This does not apply to queens.", ""),
    ],
)  # fmt: skip
def test_what_is_shown_of_a_passage(text: str, best: str, words: int, shown: str, rule: str) -> None:
    found = around_best(_ranked(text, best), words)
    assert text[found.start : found.end] == shown
    assert (text[slice(*found.rule)] if found.rule else "") == rule


@pytest.mark.parametrize(
    ("before", "label", "expected"),
    [
        ("Bees sleep. ", "4bees", True),
        ("Bees sleep.\n", "4bees", False),
        ("(2) ", "4bees", False),
        ("• ", "4bees", False),
        ("4 Bees ", "4bees", False),
        ("", "", False),
    ],
)
def test_a_passage_that_begins_within_its_paragraph(before: str, label: str, expected: bool) -> None:
    assert begins_within(before, label) is expected


def test_the_rest_of_a_line_has_words() -> None:
    assert rest_of_line(" Bees sleep.\nThey dance.")
    assert not rest_of_line(" 12\nThey dance.")


def test_cuts_are_marked_on_both_sides_and_the_rule_stays(tmp_path: Path) -> None:
    text = f"{RULE} {LONG} {LONG} {LONG} Bees sleep at night. {LONG} {LONG} {LONG}"
    with knowledge_base(tmp_path / "kb", record("d", [("4", f"Hives\n{text}")], language="en")) as kb:
        start = kb.text("d").index(text)
        section = kb.outline("d")[0].id
        ranked = _ranked(text, "Bees sleep at night.", start, section)
        passage = PassageBuilder(kb).excerpt(ranked, 50)
        assert passage.item == RULE
        printed = quotation((passage,))
        assert printed.startswith(f"> {RULE}\n>\n> {LEFT_OUT}\n>\n> ")
        assert printed.endswith(f"{LEFT_OUT} [{passage.evidence.key}]\n")
        quoted = printed.replace("> ", "").replace(">", "").rpartition(" [")[0]
        assert kb.find_quote("d", " ".join(quoted.split())) is not None


def test_a_paragraph_cut_at_its_beginning_is_marked_there(tmp_path: Path) -> None:
    text = f"{LONG} {LONG} {LONG} Bees sleep at night in their hives by the river."
    with knowledge_base(tmp_path / "kb", record("d", [("4", f"Hives\n{text}")], language="en")) as kb:
        start = kb.text("d").index(text)
        ranked = _ranked(text, "Bees sleep at night in their hives by the river.", start, kb.outline("d")[0].id)
        ranked = ranked.model_copy(update={"unit": ranked.unit.model_copy(update={"kind": "paragraph"})})
        passage = PassageBuilder(kb).passage(ranked, cut=True)
        key = passage.evidence.key
        assert quotation((passage,)) == f"> {LEFT_OUT} Bees sleep at night in their hives by the river. [{key}]\n"
