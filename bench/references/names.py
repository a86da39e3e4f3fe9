"""Checks whether documents are identified rightly: titles, years, numbers and mentions of three fields.

Run: ``python -m bench.references.names [FIELD...] [--work DIR] [--save FILE] [--against FILE] [--show]`` ingests each
field of ``wild`` (data: ``RABBITHOLE_BENCH_DATA``) and prints shares beside goals, with gains and losses against a
saved run. ``bench.references.names_growth`` measures what names cost as the collection grows.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from bench.figures import note
from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings

from .names_sets import Case, changes, document_cases, mention_cases, shares

DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", Path(__file__).parents[3] / "shared" / "data"))
FIELDS = ("nist", "papers", "ordnungen")
GOALS = {
    "titles": 0.97,
    "years": 0.95,
    "numbers": 0.95,
    "held led right": 0.95,
    "held not called missing": 0.98,
    "held not led elsewhere": 0.98,
    "missing named missing": 0.95,
    "no documents left alone": 0.97,
}


def field_cases(field: str, work: Path) -> list[Case]:
    """Return all cases of a field; its PDFs are ingested, or updated, in ``work``."""
    gold = json.loads((DATA / "wild" / field / "gold.json").read_text(encoding="utf-8"))
    work.mkdir(parents=True, exist_ok=True)
    with KnowledgeBase.open(work / field, KbSettings(), create=True) as kb:
        kb.ingest([DATA / "wild" / field / "pdf"], field)
        return [*document_cases(kb, gold), *mention_cases(kb, gold, field)]


def report(field: str, cases: list[Case]) -> None:
    for group, (right, of) in shares(cases).items():
        goal = GOALS[group]
        share = right / max(1, of)
        print(f"{field:10} {group:26} {right:3}/{of:<3} = {share:.3f}   goal {goal}")
        note(f"names, {field}, {group}", f"{share:.3f}", f">= {goal}", share >= goal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fields", nargs="*", default=[], help=", ".join(FIELDS))
    parser.add_argument("--work", type=Path, default=Path("build/names"))
    parser.add_argument("--save", type=Path, help="keep every case for a later comparison")
    parser.add_argument("--against", type=Path, help="a saved run to compare with, case by case")
    parser.add_argument("--show", action="store_true", help="list what is wrong")
    options = parser.parse_args()
    cases: list[Case] = []
    for field in options.fields or FIELDS:
        found = field_cases(field, options.work)
        report(field, found)
        for case in found:
            if options.show and not case.right:
                print(f"    {case.group}: {case.name} -> {case.came}")
        cases += found
    if options.against:
        gains, losses = changes(cases, options.against)
        print(f"{len(gains)} gains, {len(losses)} losses against {options.against}")
        for title, rows in (("gained", gains), ("lost", losses)):
            for row in rows:
                print(f"  {title} {row}")
    if options.save:
        options.save.write_text(json.dumps(cases, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
