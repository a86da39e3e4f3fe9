"""Checks questions that name a place: is it opened and quoted first, and is a place that is not held called missing?

Run: ``python -m bench.answering.answers_named [--kb FIELD=FOLDER] [--show] [--mode ask|research|both]``. Thirty
questions are made from the outlines of German laws, RFCs and NIST publications (seeded); ten name a document or a
section that is not held. Data: ``RABBITHOLE_BENCH_DATA`` (default ``../shared/data``).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.models import Document, Section
from rabbithole.steps.report_models import Report
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow import ReportReady, ResearchRequest, ResearchWorkflow, RunStore, SqliteRunStore
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.answer_events import AnswerRequest

DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", "../shared/data"))
FIELDS = {"gesetze": DATA / "gesetze" / "pdf", "rfc": DATA / "rfc" / "pdf", "nist": DATA / "wild" / "nist" / "pdf"}
SEED = 20
HELD = 10  # questions of each field
_ABSENT = ("§ 43 IfSG", "§ 823 BGB", "§ 15 AufenthG", "§ 3 SchulG", "RFC 8446", "RFC 9110", "SP 800-207", "FIPS 140-3")


@dataclass(frozen=True)
class Case:
    """A question and the section it names; ``section`` is None if that is not held."""

    field: str
    question: str
    name: str
    document: str = ""
    section: str | None = None


def cases(bases: Mapping[str, KnowledgeBase]) -> list[Case]:
    draw = random.Random(SEED)
    found: list[Case] = []
    for field, kb in bases.items():
        places = list(named_sections(kb, field))
        draw.shuffle(places)
        taken: set[str] = set()
        for document, section, name in places:
            if document.id in taken or len(taken) == HELD:
                continue
            taken.add(document.id)
            found.append(Case(field, asked(draw, field, section, name), name, document.id, section.id))
    for name in _ABSENT:
        german = name.startswith("§")
        question = f"Was regelt {name}?" if german else f"What does {name} require?"
        found.append(Case("gesetze" if german else "nist" if "RFC" not in name else "rfc", question, name.split()[-1]))
    found.append(Case("gesetze", "Was steht in § 999 AtG?", "§ 999"))
    found.append(Case("rfc", "What does section 77.3 of RFC 2119 say?", "77.3"))
    return found


def named_sections(kb: KnowledgeBase, field: str) -> Iterator[tuple[Document, Section, str]]:
    """Yield sections that have text, a unique number and a document with a common name."""
    for document in kb.documents(field):
        name = document_name(document, field)
        if not name:
            continue
        numbers = [section.number for section in kb.outline(document.id)]
        for section in kb.outline(document.id):
            pattern = r"§ \d+[a-z]?" if field == "gesetze" else r"\d+(?:\.\d+){0,3}"
            said = len(kb.section_text(section.id).split()) > 25
            if re.fullmatch(pattern, section.number) and numbers.count(section.number) == 1 and said:
                yield document, section, name


def document_name(document: Document, field: str) -> str:
    if field == "rfc":
        found = re.match(r"rfc(\d+)", document.file)
        return f"RFC {found.group(1)}" if found else ""
    if field == "nist":
        found = re.match(r"SP(800-\d+[A-C]?)(?:r\d+)?\.pdf$", document.file)
        return f"NIST SP {found.group(1)}" if found else ""
    short = [name for name in document.synonyms if re.fullmatch(r"[A-ZÄÖÜ][A-Za-zÄÖÜäöü]{1,11}", name)]
    return min(short, key=len, default="")


def asked(draw: random.Random, field: str, section: Section, name: str) -> str:
    number = section.number
    matter = " ".join(re.findall(r"[^\W\d_][\w-]+", section.heading)[:5])
    if field == "gesetze":
        forms = (f"Was regelt {number} {name}?", f"Was sagt {number} {name} zu {matter or 'dieser Frage'}?")
    else:
        about = f" about {matter.lower()}" if matter else ""
        forms = (f"What does section {number} of {name} say{about}?", f"What is in {name} section {number}?")
    return draw.choice(forms)


def right(kb: KnowledgeBase, case: Case, report: Report) -> bool:
    if case.section is None:
        head = report.answer.text.split("\n> ")[0]
        absent = re.search(
            r"nicht in der Sammlung|enthält aber|keine Stelle|not in the collection|has no|no place", head, re.I
        )
        return report.answer.status == "none" and case.name in head and absent is not None
    first = next(iter(report.answer.citations), None)
    if first is None or first.document != case.document or first.section is None:
        return False
    wanted, cited = kb.section_by_id(case.section), kb.section_by_id(first.section)
    return wanted.start <= cited.start and cited.end <= wanted.end


async def researched(kb: KnowledgeBase, runs: RunStore, case: Case) -> Report:
    handler = ResearchWorkflow(kb, ResearchSettings(), runs=runs).run(
        start_event=ResearchRequest(query=case.question, collections=[case.field], auto_approve=True)
    )
    ready: ReportReady = await handler
    return ready.report


async def answered(kb: KnowledgeBase, runs: RunStore, case: Case) -> Report:
    workflow = AnswerWorkflow(kb, research=ResearchSettings(), runs=runs)
    ready: ReportReady = await workflow.run(start_event=AnswerRequest(question=case.question, collections=[case.field]))
    await workflow.settled()
    return ready.report


def measure(bases: Mapping[str, KnowledgeBase], chosen: Sequence[Case], modes: Sequence[str], *, show: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        runs = SqliteRunStore(Path(folder) / "runs.sqlite")
        for mode in modes:
            began = time.perf_counter()
            tally = {True: [0, 0], False: [0, 0]}
            for case in chosen:
                run = researched if mode == "research" else answered
                kb = bases[case.field]
                report = asyncio.run(run(kb, runs, case))
                good = right(kb, case, report)
                counts = tally[case.section is not None]
                counts[0] += good
                counts[1] += 1
                if show and not good:
                    print(f"   {case.question}  {json.dumps(report.answer.text[:200], ensure_ascii=False)}", flush=True)
            held, absent = tally[True], tally[False]
            print(
                f"{mode:<9} place named quoted first {held[0]}/{held[1]} (goal all); "
                f"place not held said first {absent[0]}/{absent[1]} (goal all); {time.perf_counter() - began:.0f} s",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument(
        "--kb", action="append", default=[], metavar="FIELD=FOLDER", help="a base that is there already"
    )
    parser.add_argument("--mode", choices=("ask", "research", "both"), default="both")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", help="a field")
    options = parser.parse_args()
    os.environ.setdefault("REASONER", "extractive")
    folders = {field: Path("build/named") / field for field in FIELDS}
    folders |= {field: Path(folder) for field, folder in (one.split("=", 1) for one in options.kb)}
    with ExitStack() as opened:
        bases = {
            field: opened.enter_context(KnowledgeBase.open(folder, KbSettings(), create=True))
            for field, folder in folders.items()
            if options.only in (None, field)
        }
        for field, kb in bases.items():
            if field not in {info.name for info in kb.collections()}:
                kb.ingest([FIELDS[field]], field)
        chosen = [case for case in cases(bases) if case.field in bases]
        modes = ("ask", "research") if options.mode == "both" else (options.mode,)
        measure(bases, chosen, modes, show=options.show)


if __name__ == "__main__":
    main()
