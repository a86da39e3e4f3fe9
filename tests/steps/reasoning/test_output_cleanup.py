"""Prompt text that a small model copies into its report does not reach the reader."""

from __future__ import annotations

import pytest

from rabbithole.steps.reasoning.llm.output_cleanup import OutputCleaner

QUESTION = "Wie hoch darf die effektive Dosis von Beschäftigten sein?"
TASK = "Ausnahmen vom Grenzwert feststellen."


def tidied(*parts: str) -> str:
    tidy = OutputCleaner("de", [QUESTION, TASK])
    return "".join((*map(tidy.part, parts), tidy.rest()))


@pytest.mark.parametrize(
    "title",
    ["## Quellen", "## Quellen:", "### **Belege**", "## Was nicht in Ihrer Sammlung ist", "## Quellen [e0000001]"],
)
def test_a_list_of_sources_of_the_models_own_is_left_out_to_the_next_section(title: str) -> None:
    found = tidied("# Dosis\n\n", f"{title}\n", "- IsoLG, § 13 [e0000001]\n\n", "noch eine\n\n", "## Antwort\n\nSo.\n")
    assert found == "# Dosis\n\n## Antwort\n\nSo.\n"


def test_the_title_may_be_called_as_a_list_is() -> None:
    assert tidied("# Quellen\n\n", "## Antwort\n\nRadioaktive Quellen.\n") == (
        "# Quellen\n\n## Antwort\n\nRadioaktive Quellen.\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        "- Wie hoch darf die effektive Dosis von Beschäftigten sein?",
        "- Ausnahmen vom Grenzwert",
        "- Gaps: -",
        "Lücken:",
        "-",
    ],
)
def test_what_was_asked_is_no_open_point_of_itself(line: str) -> None:
    real = "- Der Grenzwert für Besucher steht nirgends.\n"
    assert tidied(f"## Offene Punkte\n{line}\n{real}") == f"## Offene Punkte\n{real}"
    assert tidied("## Offene Punkte\n", f"{line}\n") == "## Offene Punkte\nKeine.\n"
    assert tidied("## Antwort\n", f"{line}\n") == f"## Antwort\n{line}\n"


def test_nothing_is_added_where_there_is_something() -> None:
    whole = "## Offene Punkte\n\nKeine.\n\n## Anhang\n\nText.\n"
    assert tidied(whole) == whole
    assert tidied("## Offene Punkte\n", "- Der Grenzwert für Besucher.\n").endswith("Besucher.\n")


def test_a_part_of_the_question_may_be_open() -> None:
    question = "Wie hoch darf die effektive Dosis von Beschäftigten sein, und wann ist eine Überschreitung erlaubt?"
    line = "- Wann eine Überschreitung erlaubt ist.\n"
    tidy = OutputCleaner("de", [question])
    assert tidy.part(f"## Offene Punkte\n{line}") == f"## Offene Punkte\n{line}"


def test_an_emptied_section_says_so_before_the_next_one_too() -> None:
    found = tidied("## Offene Punkte\n- Gaps: -\n\n## Anhang\n\nText.\n")
    assert found == "## Offene Punkte\n\nKeine.\n\n## Anhang\n\nText.\n"
    found = tidied("## Offene Punkte\n- Gaps: -\n\n## Quellen\n\n- IsoLG\n")
    assert found.split() == ["##", "Offene", "Punkte", "Keine."]


@pytest.mark.parametrize("title", ["# (title)", "# (Titel)", "# Title"])
def test_the_title_of_the_output_format_is_left_out(title: str) -> None:
    assert tidied(f"{title}\n## Antwort\nSo.\n") == "## Antwort\nSo.\n"


def test_a_sentence_of_the_answer_is_no_open_point() -> None:
    told = "Die Dosis darf 8 Millisievert nicht überschreiten."
    found = tidied(f"## Antwort\n{told} [e0000001]\n", f"## Offene Punkte\n- {told} [e0000001]\n")
    assert found == f"## Antwort\n{told} [e0000001]\n## Offene Punkte\nKeine.\n"
