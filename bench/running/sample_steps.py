"""Measures which steps of the sample gold detection and resolution alone can take, without any reasoner.

Run: ``python -m bench.running.sample_steps [--kb DIR] [--show]``. For each step of a chain, a reference in the upper
place must resolve to the lower one. Prints counts by depth, references that lead to a place listed as wrong, and
missing documents that are not named as missing. ``--show`` prints every reference of a place from which a step fails.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rabbithole.kb import KnowledgeBase, Reference, Resolution, Section
from rabbithole.kb.models import Document, Place
from rabbithole.kb.sample.build import sample_folder

SAMPLE = Path(__file__).resolve().parents[2] / "kb" / "sample"
PDFS = sample_folder() / "pdf"


def load_gold() -> list[dict[str, Any]]:
    questions: list[dict[str, Any]] = json.loads((SAMPLE / "gold.json").read_text(encoding="utf-8"))["questions"]
    return questions


class Steps:
    """The sample collection, examined place by place."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self.kb = kb
        self.documents: dict[str, Document] = {document.file: document for document in kb.documents()}

    def section(self, place: dict[str, Any]) -> Section:
        found = self.kb.section(self.documents[place["file"]].id, place["section"])
        if found is None:
            raise SystemExit(f"{place['file']} has no section {place['section']}: ingest data/sample/pdf first")
        return found

    def leads(self, section: Section) -> Iterator[tuple[Reference, Resolution]]:
        for reference in self.kb.references(section.document, section.start, section.end):
            at = Place(document=section.document, section=section.id, offset=reference.start)
            yield reference, self.kb.resolve(reference, at=at)


def measure(kb: KnowledgeBase, *, show: bool) -> None:
    steps = Steps(kb)
    taken: Counter[int] = Counter()
    wanted: Counter[int] = Counter()
    wrong = unsaid = named = 0
    for question in load_gold():
        missing: set[str] = set()
        for place in question["chain"]:
            for reference, lead in steps.leads(steps.section(place)):
                if lead.status == "missing":
                    missing.add(f"{lead.name} {reference.target}".lower())
                if any(is_place(lead, other) for other in question["wrong"]):
                    wrong += 1
                    print(f"  {question['id']} wrong: {reference.text!r} leads to {lead.file} {lead.number}")
        for name in question["missing"]:
            named += 1
            if not any(name.lower() in said for said in missing):
                unsaid += 1
                print(f"  {question['id']} not said missing: {name}")
        for place in question["chain"]:
            if place["depth"] == 0:
                continue
            wanted[place["depth"]] += 1
            source = question["chain"][place["from"]]
            leads = list(steps.leads(steps.section(source)))
            if any(is_place(lead, place) for _, lead in leads):
                taken[place["depth"]] += 1
                continue
            ends = f"{source['file']} {source['section']} -> {place['file']} {place['section']}"
            print(f"  {question['id']} not reached: {ends}")
            for reference, lead in leads if show else ():
                print(f"      {reference.text!r} {lead.status}: {lead.file} {lead.number} ({lead.rule})")
    for depth in sorted(wanted):
        print(f"depth {depth}: {taken[depth]} of {wanted[depth]} steps lead to the right section")
    print(f"wrong places: {wrong} (goal 0); missing documents named: {named - unsaid} of {named}")


def is_place(lead: Resolution, place: dict[str, Any]) -> bool:
    return lead.file == place["file"] and place.get("section") in (None, lead.number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kb", type=Path, help="an existing knowledge base of the sample; made anew when not given")
    parser.add_argument("--show", action="store_true", help="print the references of places from which a step fails")
    options = parser.parse_args()
    if options.kb is not None:
        with KnowledgeBase.open(options.kb) as kb:
            measure(kb, show=options.show)
        return
    with tempfile.TemporaryDirectory() as folder, KnowledgeBase.open(folder, create=True) as kb:
        kb.ingest([PDFS], "sample")
        measure(kb, show=options.show)


if __name__ == "__main__":
    main()
