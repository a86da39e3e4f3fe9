"""A report's sentence without a source gets the source of the finding it repeats, and no other."""

from __future__ import annotations

import asyncio

import pytest
from servers.model_server import Behaviour, running
from servers.settings import settings_for

from rabbithole.steps.models import Anchor, Evidence, TaskSummary, Todo
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.reasoning.llm.citation_backfill import Credit
from rabbithole.steps.reasoning.protocol import WriteRequest
from rabbithole.steps.reasoning.recorder import Recorder

QUESTION = "Welche Grenzwerte gelten für Beschäftigte?"
LIMIT = "Der Grenzwert beträgt für Beschäftigte 18 Millisievert im Kalenderjahr. [e0000001]"
KEPT = "Die Aufzeichnungen sind zehn Jahre aufzubewahren. [e0000002] [e0000003]"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Für Beschäftigte gelten 18 Millisievert im Kalenderjahr.", " [e0000001]"),
        ("- Die Aufzeichnungen sind zehn Jahre lang aufzubewahren.", " [e0000002] [e0000003]"),
        ("Für Beschäftigte gelten 50 Millisievert im Kalenderjahr.", ""),
        ("Für Beschäftigte gelten keine 18 Millisievert im Kalenderjahr.", ""),
        ("Die Frist für das Aufbewahren der Aufzeichnungen ist 10 Jahre.", " [e0000002] [e0000003]"),
        ("Die Frist für die Aufbewahrung ist zehn Jahre.", " [e0000002] [e0000003]"),
        ("Für Besucher und Schwangere gelten Grenzen von zehn Jahren.", ""),
        ("Die Aufzeichnungen sind ein Jahr lang aufzubewahren.", ""),
        ("Die Aufzeichnungen sind der Behörde auf Verlangen vorzulegen.", ""),
        ("Es geht hier um Grenzwerte für Beschäftigte.", ""),
        ("# Grenzwert für Beschäftigte 18 Millisievert im Kalenderjahr", ""),
        ("| Grenzwert für Beschäftigte | 18 Millisievert im Kalenderjahr |", ""),
        ("18 Millisievert im Kalenderjahr.", " [e0000001]"),
        ("Im Kalenderjahr.", ""),
        ("", ""),
    ],
)
def test_a_sentence_gets_the_source_of_the_finding_it_says_again(line: str, expected: str) -> None:
    assert Credit([LIMIT, KEPT], QUESTION, "de").part(line) == f"{line}{expected}"


def test_each_sentence_of_a_line_without_a_source_gets_its_own() -> None:
    line = "Es gelten 18 Millisievert im Kalenderjahr. Aufzeichnungen sind zehn Jahre aufzubewahren."
    credited = Credit([LIMIT, KEPT], QUESTION, "de").part(line)
    assert credited == (
        "Es gelten 18 Millisievert im Kalenderjahr. [e0000001] "
        "Aufzeichnungen sind zehn Jahre aufzubewahren. [e0000002] [e0000003]"
    )


def test_where_the_model_names_sources_they_are_left_alone() -> None:
    line = "Es gelten 18 Millisievert im Kalenderjahr. Aufzeichnungen sind zehn Jahre aufzubewahren. [e0000003]"
    assert Credit([LIMIT, KEPT], QUESTION, "de").part(line) == line


def test_what_is_said_to_be_open_has_no_source() -> None:
    text = "## Antwort\n\nEs gelten 18 Millisievert im Kalenderjahr.\n\n## Offene Punkte"
    credit = Credit([LIMIT], QUESTION, "de", silent="Offene Punkte")
    assert "[e0000001]" in credit.part(text)
    assert credit.part("- Den Grenzwert von 18 Millisievert im Kalenderjahr klären.").endswith("klären.")


@pytest.mark.parametrize(
    ("said", "by_model"),
    [
        ("Für beruflich exponierte Personen beträgt der Grenzwert der effektiven Dosis 18 Millisievert.", True),
        ("Für beruflich exponierte Personen beträgt der Grenzwert der effektiven Dosis 80 Millisievert.", False),
    ],
)
def test_a_report_without_labels_is_used_where_it_says_what_was_found(
    said: str, by_model: bool, anchor: Anchor, task: Todo, evidence: tuple[Evidence, ...]
) -> None:
    finding = f"{evidence[0].quotes[0].text} [{evidence[0].key}]"
    summary = TaskSummary(task=task.id, text=finding, findings=(finding,))
    chosen = f"> {evidence[0].quotes[0].text} [{evidence[0].key}]"
    request = WriteRequest(anchor=anchor, tasks=(task,), summaries=(summary,), evidence=evidence, answer=chosen)
    report = f"# Grenzwerte der effektiven Dosis\n\n## Antwort\n\n{said}\n"

    async def written(url: str) -> tuple[str, Recorder]:
        recorder = Recorder()
        reasoner = make_reasoner(settings_for(url))
        try:
            return "".join([piece async for piece in reasoner.for_run(recorder).write(request)]), recorder
        finally:
            await reasoner.close()

    with running(Behaviour(fixed_text=report)) as server:
        markdown, recorder = asyncio.run(written(server.url))
    assert (said in markdown) == by_model
    assert bool(recorder.notes) != by_model
    assert f"[{evidence[0].key}]" in markdown
