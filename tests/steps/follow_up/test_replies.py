"""What needs no search is answered from the report, with its own citations and no others."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rabbithole.steps.follow_up import FollowUp, context_of, reply, resolve, suggestions
from rabbithole.steps.follow_up.reservation import reservation
from rabbithole.steps.models import TaskSummary, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.report_models import GraphEdge, GraphNode, ReferenceGraph, Report, TaskReport
from rabbithole.workflow.chat.view.markup import report_html

from .reports import EMERGENCY, HOLIDAY, HOURS, PASSWORDS, report


def answered(text: str, before: Report | None, passage: str = "") -> str | None:
    follow = resolve(text, context_of(before) if before else None)
    return reply(follow, before, lambda citation: passage)


def test_a_point_is_shown_with_its_whole_passage() -> None:
    whole = f"§ 72 Pflichten\n(1) Er sorgt vor.\n(2) {EMERGENCY.citations[1].quote} Das gilt immer."
    shown = answered("Erkläre den zweiten Punkt", EMERGENCY, whole)
    assert shown == (
        "**StrlSchG, § 72 Pflichten, S. 3:**\n\n> § 72 Pflichten\n>\n> (1) Er sorgt vor.\n>\n"
        "> (2) **Der Strahlenschutzbeauftragte teilt Mängel dem Strahlenschutzverantwortlichen mit.** Das gilt immer. "
        "[[2]][s2]"
    )


def test_lines_of_a_program_stay_lines() -> None:
    legs = report(
        "How are legs given?", "en", (("cave", "5 Legs", "We can set it: 2 1 26.60 222 17.5 2 3 10.85 014 7"),)
    )
    whole = "5 Legs\nWe can set it:\n2 1 26.60 222 17.5\n2 3 10.85 014 7\n*begin\n4 5 34.50 - DOWN\n*end"
    shown = answered("Show me the first point in full.", legs, whole)
    assert shown is not None
    assert [line.removeprefix("> ") for line in shown.splitlines()[2:] if line != ">"] == [
        "5 Legs",
        "**We can set it:**",
        "**2 1 26.60 222 17.5**",
        "**2 3 10.85 014 7**",
        "\\*begin",
        "4 5 34.50 - DOWN",
        "\\*end [[1]][s1]",
    ]


def test_a_long_passage_is_shown_around_the_quotation() -> None:
    quote = EMERGENCY.citations[1].quote
    shown = answered("Erkläre den zweiten Punkt", EMERGENCY, "davor " * 900 + quote + " danach" * 900)
    assert shown is not None
    assert quote in shown
    assert len(shown) < 2700


def test_a_passage_that_is_gone_leaves_the_quotation() -> None:
    assert EMERGENCY.citations[0].quote in (answered("Was bedeutet [1]?", EMERGENCY) or "")


def test_as_a_table() -> None:
    assert (answered("Show it as a table", PASSWORDS) or "").splitlines()[:3] == [
        "| What it says | Document | Place |",
        "| --- | --- | --- |",
        "| Memorized secrets SHALL be at least 8 characters in length. [[1]][s1] | SP 800-63B | "
        "5.1.1.1 Memorized Secret Authenticators, p. 2 |",
    ]


def unsure(before: Report, *keys: str) -> Report:
    """The report with these sentences above its quotations: one above all, or one for each part of the question."""
    said = [phrase(before.language, key) for key in keys]
    blocks = re.split(r"\n\n(?=\*\*)", before.answer.text)
    if len(said) > 1:
        blocks = [
            f"**Part {at}?**\n\n{each}\n\n{block}" if each else f"**Part {at}?**\n\n{block}"
            for at, (each, block) in enumerate(zip(said, blocks, strict=False))
        ]
        said = []
    answer = before.answer.model_copy(update={"status": "none", "text": "\n\n".join([*said, *blocks])})
    return before.model_copy(update={"answer": answer})


def test_a_reply_repeats_the_reservation_above_the_answer() -> None:
    probably_not = phrase("en", "response.unlikely")
    before = unsure(PASSWORDS, "response.unlikely")
    table = answered("Show the answer as a table", before) or ""
    assert table.startswith(f"{probably_not}\n\n| What it says")
    whole = answered("Show me the first point in full.", before, f"Some words. {PASSWORDS.citations[0].quote}") or ""
    assert whole.startswith(f"{probably_not}\n\n**SP 800-63B")
    assert "**Memorized secrets" not in whole  # bold is what answers
    assert f"\n\n{probably_not}\n\n" in (answered("only what concerns the verifier", before) or "")
    assert "Probably" not in (answered("Show the answer as a table", PASSWORDS) or "")


def test_the_reservation_is_that_of_the_part_shown() -> None:
    before = unsure(PASSWORDS, "response.likely", "response.none")
    first = answered("Show me the first point in full.", before) or ""
    assert first.startswith(phrase("en", "response.likely"))
    second = answered("Show me the second point in full.", before) or ""
    assert second.startswith(phrase("en", "response.none"))
    assert (answered("Show it as a table", before) or "").startswith(phrase("en", "response.none"))


def test_a_reservation_with_figures_is_said_in_the_language_of_the_message() -> None:
    before = unsure(PASSWORDS, "response.unlikely")
    said = phrase("en", "response.figures", figures="quick ratio")
    text = before.answer.text.replace(phrase("en", "response.unlikely"), said)
    before = before.model_copy(update={"answer": before.answer.model_copy(update={"text": text})})
    assert reservation(before, "de") == phrase("de", "response.figures", figures="quick ratio")


def test_in_two_sentences() -> None:
    shown = answered("Fass das in zwei Sätzen zusammen", EMERGENCY)
    assert shown is not None
    assert shown.startswith("Kurz gefasst:")
    assert shown.count("\n- ") == 2


def test_only_what_concerns_something() -> None:
    shown = answered("Nur was den Tarifvertrag betrifft", HOURS)
    assert shown is not None
    assert "[[2]][s2]" in shown
    assert "[[1]][s1]" not in shown
    assert answered("Nur was Feuerwehr betrifft", HOURS) is None  # nothing in the report: it is searched for
    assert answered("Nur was den Tarifvertrag der Feuerwehr betrifft", HOURS) is None  # one of two words is not enough


@pytest.mark.parametrize(
    ("text", "before", "said"),
    [
        ("Danke", EMERGENCY, "Gern geschehen. Fragen Sie weiter, wenn noch etwas offen ist."),
        ("Thanks", None, "You're welcome. Ask another question if anything is still open."),
        ("Hallo!", None, "Guten Tag. Stellen Sie eine Frage zu Ihren Dokumenten."),
        ("Erkläre den siebten Punkt, also Punkt 7", HOURS,
         "Die Antwort oben hat 2 Punkte: (1) § 3 ArbZG; (2) § 7 ArbZG. Welchen meinen Sie?"),
        ("Erkläre den zweiten Punkt", HOLIDAY, "Die Antwort oben hat einen Punkt: (1) § 3 BUrlG. Meinen Sie den?"),
        ("Und das?", HOURS, "Was möchten Sie wissen, und zu welcher dieser Stellen: (1) § 3 ArbZG; (2) § 7 ArbZG?"),
    ],
)  # fmt: skip
def test_courtesies_and_what_is_asked_back(text: str, before: Report | None, said: str) -> None:
    assert answered(text, before) == said


@pytest.mark.parametrize(
    "text",
    [
        "Hallo, wie lange ist die Arbeitszeit?",
        "Gut gelüftete Räume: welche gelten als solche?",
        "What is a good password?",
    ],
)
def test_a_question_with_a_courtesy_is_a_question(text: str) -> None:
    assert resolve(text, None).kind == "new"


PIECES = ("[1]", "[[1]]", "[s1]", "[[1]][s1]", "\\", "[", "]", " ", "\n", "> ", "`", "|", "*", "words", "(1)")


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PIECES), max_size=10))
def test_no_text_of_a_document_produces_a_chip(parts: list[str]) -> None:
    hostile = "".join(parts)
    before = report("Was gilt?", "de", (("LabG", "§ 1", f"a {hostile} b"),))
    quoted = before.answer.text.count("[[1]][s1]") - hostile.count("[[1]][s1]")
    shown = reply(FollowUp(kind="explain", text="", markers=("1",)), before, lambda _: f"x {hostile} y")
    by_marker = {one.marker: one for one in before.citations}
    assert report_html(shown or "", by_marker).count("rh-chip") <= max(quoted, 1)


def test_what_is_suggested_next() -> None:
    summary = TaskSummary(task=0, text="", gaps=("Zu „Ruhepausen“ sagen die gefundenen Stellen nichts ausdrücklich.",))
    graph = ReferenceGraph(
        nodes=(
            GraphNode(document="ArbZG", section=None, label="Title of ArbZG, § 3 Arbeitszeit"),
            GraphNode(document="JArbSchG", section="s", label="Jugendarbeitsschutz, § 8 Dauer, Pausen", status="known"),
            GraphNode(document=None, section=None, label="BGB", status="missing"),
        ),
        edges=tuple(
            GraphEdge(source=0, target=target, text="§", kind="legal_section", depth=1, task=0, decision=decision)
            for target, decision in ((2, "missing"), (1, "depth"))
        ),
    )  # fmt: skip
    todo = TaskReport(todo=Todo(id=0, text="q"), summary=summary)
    before = HOURS.model_copy(update={"references": graph, "todo": (todo,)})
    names = {"ArbZG": "ArbZG", "JArbSchG": "JArbSchG"}
    assert suggestions(before, names) == (
        "Was steht in den Dokumenten zu Ruhepausen?",
        "Was steht in § 8 JArbSchG dazu?",
        "Welche Ausnahmen gibt es davon?",
    )
    assert all(resolve(one, context_of(before)).kind in ("search", "explain") for one in suggestions(before, names)[1:])


def test_nothing_is_suggested_that_was_just_asked_or_has_nothing_to_do_with_it() -> None:
    def node(document: str, label: str) -> GraphNode:
        return GraphNode(document=document, section=label[:3], label=f"Act, {label}", status="known")

    nodes = (
        GraphNode(document="ArbZG", section=None, label="Title of ArbZG, § 3 Arbeitszeit"),
        GraphNode(document="ArbZG", section="far", label="Title of ArbZG, § 20 Ausnahmen in der Luftfahrt"),
        node("ArbZG", "§ 21 Binnenschifffahrt"),
        node("ArbZG", "§ 22 Arbeitszeit im Krieg"),
        node("ArbZG", "§ 23 Strafen"),
    )
    links = ((1, 2, "depth"), (1, 3, "skip"), (0, 4, "skip"))
    edges = tuple(
        GraphEdge(source=source, target=target, text="§", kind="legal_section", depth=1, task=0, decision=decision)
        for source, target, decision in links
    )
    names = {"ArbZG": "ArbZG"}
    before = HOURS.model_copy(update={"references": ReferenceGraph(nodes=nodes, edges=edges)})
    places = suggestions(before, names)[:2]
    assert places == ("Was steht in § 23 ArbZG dazu?", "Was steht in § 22 ArbZG dazu?")  # from what is cited; its words
    asked = before.model_copy(update={"query": "Welche Ausnahmen gibt es davon? Zu: Arbeitszeit."})
    assert "Welche Ausnahmen gibt es davon?" not in suggestions(asked, names)
    assert "Welche Ausnahmen gibt es davon?" in suggestions(HOURS, names)
    defined = report("What is a tablet?", "en", (("Bigtable", "2 Data model", "Each row range is called a tablet."),))
    assert suggestions(defined, {}) == ("Show me the first point in full.",)  # no rule, no exceptions
