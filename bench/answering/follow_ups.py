# ruff: noqa: E501 - a dialogue is a line
"""Checks follow-up questions: are they answered from the right document, within the conversation and on their own?

Run: ``python -m bench.answering.follow_ups --kb FIELD=FOLDER [--kb ...] [--show]`` for the fields ``gesetze``,
``nist``, ``papers`` (knowledge bases of their documents). Each dialogue asks a question and a follow-up; the follow-up
is answered twice, as part of the conversation and as it stands. An answer is right if the first place quoted is in the
document meant. Without a model, mode ``plain``.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.steps.document_names import document_name
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.report_models import Report
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow import ReportReady, ResearchRequest, ResearchWorkflow, RunStore, SqliteRunStore


class Dialogue(NamedTuple):
    """A dialogue. ``document`` holds words of the title of the document the follow-up must be answered from."""

    field: str
    question: str
    follow_up: str
    document: str


DIALOGUES = (
    Dialogue("gesetze", "Wer muss einen radiologischen Notfall melden?", "Und welche Bußgelder drohen, wenn er das nicht tut?", "Strahlenschutz"),
    Dialogue("gesetze", "Welcher Grenzwert der effektiven Dosis gilt für beruflich exponierte Personen?", "Und für Auszubildende?", "Strahlenschutzgesetz"),
    Dialogue("gesetze", "Wer braucht eine Genehmigung nach § 7 AtG?", "Wann kann sie widerrufen werden?", "Atomgesetz"),
    Dialogue("gesetze", "Welche Pflichten hat der Betreiber eines Medizinprodukts?", "Wie lange muss er die Unterlagen aufbewahren?", "Medizinprodukte"),
    Dialogue("gesetze", "Wann ist eine Umweltverträglichkeitsprüfung durchzuführen?", "Und wer wird dabei beteiligt?", "Umweltverträglichkeitsprüfung"),
    Dialogue("gesetze", "Was ist bei der Benutzung eines Gewässers erlaubnispflichtig?", "Welche Ausnahmen gibt es davon?", "Wasserhaushalt"),
    Dialogue("gesetze", "Wann muss der Versicherungsnehmer eine Gefahrerhöhung anzeigen?", "Was passiert, wenn er das versäumt?", "Versicherungsvertrag"),
    Dialogue("gesetze", "Welche Abfälle müssen getrennt gesammelt werden?", "Und für Bauabfälle?", "Gewerbeabfall"),
    Dialogue("nist", "How long must a memorized secret chosen by the subscriber be?", "And if it is chosen by the verifier?", "Authentication and Lifecycle"),
    Dialogue("nist", "Which cipher suites must a TLS server support?", "And which extensions must it support?", "Transport Layer Security"),
    Dialogue("nist", "What are the phases of the incident response life cycle?", "Who should be on the team?", "Incident Handling"),
    Dialogue("nist", "Which methods of media sanitization are there?", "And for flash memory devices?", "Media Sanitization"),
    Dialogue("nist", "What must a log management infrastructure do?", "How long should they be kept?", "Log Management"),
    Dialogue("nist", "How is cloud computing defined?", "Which deployment models does it have?", "Definition of Cloud"),
    Dialogue("papers", "How does Dynamo partition data?", "And how does it handle temporary failures?", "Dynamo"),
    Dialogue("papers", "What is the role of the master in the Google File System?", "What happens if it fails?", "Google File System"),
    Dialogue("papers", "How does Raft elect a leader?", "How long do they wait before that?", "Understandable Consensus"),
    Dialogue("papers", "What is a tablet in Bigtable?", "How are they located?", "Bigtable"),
    Dialogue("papers", "How does MapReduce handle stragglers?", "And worker failures?", "MapReduce"),
    Dialogue("papers", "How does Chord find the node of a key?", "And when nodes join?", "Chord"),
)  # fmt: skip


async def asked(workflow: ResearchWorkflow, query: str, run: str, parent: str = "") -> Report:
    request = ResearchRequest(query=query, mode="plain", auto_approve=True, run_id=run, parent_run=parent)
    ready: ReportReady = await workflow.run(start_event=request)
    return ready.report


def right(kb: KnowledgeBase, report: Report, wanted: str) -> bool:
    """Return whether the first place quoted is in the document meant."""
    first = next(iter(report.answer.citations), None)
    if first is None:
        return False
    document = kb.document(first.document)
    known = " ".join((document.title, document.file, *document.synonyms)).casefold()
    return wanted.casefold() in known


async def measure(bases: Mapping[str, KnowledgeBase], runs: RunStore, *, show: bool) -> None:
    settings = ResearchSettings()
    found: dict[str, list[tuple[bool, bool]]] = {}
    for number, one in enumerate(DIALOGUES):
        kb = bases.get(one.field)
        if kb is None:
            continue
        workflow = ResearchWorkflow(kb, settings, make_reasoner(ReasonerSettings(reasoner="extractive"), kb), runs)
        before = await asked(workflow, one.question, f"{number}-1")
        within = await asked(workflow, one.follow_up, f"{number}-2", before.run_id)
        alone = await asked(workflow, one.follow_up, f"{number}-3")
        scores = right(kb, within, one.document), right(kb, alone, one.document)
        found.setdefault(one.field, []).append(scores)
        if show:
            named = [
                document_name(kb.document(report.answer.citations[0].document)) if report.answer.citations else "-"
                for report in (before, within, alone)
            ]
            print(f"{one.follow_up}\n  {within.query}\n  {' | '.join(named)} {scores}")
    print(f"{'field':10} {'dialogues':>9} {'in the conversation':>20} {'as it stands':>13}")
    for field, all_scores in found.items():
        within_right, alone_right = (sum(one[at] for one in all_scores) for at in (0, 1))
        print(f"{field:10} {len(all_scores):9} {within_right:20} {alone_right:13}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kb", action="append", required=True, metavar="FIELD=FOLDER")
    parser.add_argument("--show", action="store_true", help="print each dialogue")
    options = parser.parse_args()
    folders = dict(pair.split("=", 1) for pair in options.kb)
    bases = {field: KnowledgeBase.open(Path(folder), KbSettings()) for field, folder in folders.items()}
    with tempfile.TemporaryDirectory() as folder:
        runs = SqliteRunStore(Path(folder) / "runs.sqlite")
        asyncio.run(measure(bases, runs, show=options.show))
        runs.close()
    for kb in bases.values():
        kb.close()


if __name__ == "__main__":
    main()
