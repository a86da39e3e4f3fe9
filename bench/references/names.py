"""Checks whether documents are identified: titles, years, numbers and mentions of three fields; look-ups in 100,000.

Run: ``python -m bench.references.names [FIELD...] [--work DIR] [--save FILE] [--against FILE] [--show]`` ingests each
field of ``wild`` (data: ``RABBITHOLE_BENCH_DATA``) and prints shares beside goals, with gains and losses against a
saved run. ``python -m bench.references.names --scale [N]`` measures the first resolution after a commit among N
synthetic documents.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import tempfile
import time
from pathlib import Path

from bench.figures import note
from rabbithole.kb import KnowledgeBase
from rabbithole.kb.models import Document, Reference
from rabbithole.kb.references.names.snapshot import Naming
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
MILLISECONDS, MEGABYTES = 50, 100
_WORDS = (
    "guidance management systems safety security reporting accounting assessment transport storage clinical energy "
    "water identity privacy supply measurement design operation maintenance inspection quality emission training"
).split()


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


class MadeUp:
    """The reading interface of a knowledge base of synthetic documents, with one more after every commit."""

    changed = ""

    def __init__(self, count: int) -> None:
        draw = random.Random(count)
        self._all = [self._document(number, draw) for number in range(1, count + 1)]
        self._by_id = {each.id: each for each in self._all}
        self.generation = 1

    @staticmethod
    def _document(number: int, draw: random.Random) -> Document:
        title = " ".join(draw.sample(_WORDS, 4)).capitalize() + f" {number:x}"
        designation = f"ISO {number}-{1 + number % 9}:{1990 + number % 30}"
        return Document(
            id=f"d{number}",
            collection="made",
            file=f"{number:06}.pdf",
            path="",
            title=title,
            synonyms=(designation,),
            pages=1,
            metadata={"designation": designation, "year": 1990 + number % 30},
        )

    def commit(self) -> None:
        """Add one more document."""
        self._all.append(self._document(len(self._all) + 1, random.Random(self.generation)))
        self._by_id[self._all[-1].id] = self._all[-1]
        self.generation += 1

    def ordinals(self, after: int = 0) -> dict[int, str]:
        return {number: each.id for number, each in enumerate(self._all[after:], after + 1)}

    def count(self) -> int:
        return len(self._all)

    def held(self, document_id: str) -> Document | None:
        return self._by_id.get(document_id)

    def documents(self, collection: str | None = None) -> tuple[Document, ...]:
        return tuple(self._all)

    def outline(self, document_id: str) -> tuple[()]:
        return ()

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        return ""

    def page_of(self, document_id: str, offset: int) -> tuple[int, str]:
        return 0, "1"

    def page_span(self, document_id: str, page: int) -> tuple[int, int]:
        return 0, 0

    def bibliography(self, document_id: str) -> tuple[()]:
        return ()


def scale(count: int) -> None:
    """Measure the first resolution after a commit: its time, and the memory added."""
    reader = MadeUp(count)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "registry.json"
        began = time.perf_counter()
        writer = Naming(reader, path, folder=Path(folder))
        writer.current()
        print(f"{count} documents entered in {time.perf_counter() - began:.1f} s")
        naming = Naming(reader, path, folder=Path(folder))
        asked = [
            Reference(start=0, end=1, text="x", kind="document_mention", target=name, document=name)
            for name in (
                f"ISO {count // 2}-{1 + (count // 2) % 9}",
                "ISO 99999999",
                reader.documents()[count // 3].title,
            )
        ]
        naming.current().resolver.resolve(asked[0])
        worst = 0.0
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(5):
            reader.commit()
            began = time.perf_counter()
            for reference in asked:
                naming.current().resolver.resolve(reference)
            worst = max(worst, time.perf_counter() - began)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        naming.close()
        writer.close()
    cost = f"{1000 * worst:.1f} ms (goal {MILLISECONDS}), {grown:.0f} MB more (goal {MEGABYTES})"
    print(f"first resolutions after a commit: {cost}")
    note(
        "names, first resolution after a commit",
        f"{1000 * worst:.1f} ms",
        f"< {MILLISECONDS} ms",
        1000 * worst < MILLISECONDS,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fields", nargs="*", default=[], help=", ".join(FIELDS))
    parser.add_argument("--work", type=Path, default=Path("build/names"))
    parser.add_argument("--save", type=Path, help="keep every case for a later comparison")
    parser.add_argument("--against", type=Path, help="a saved run to compare with, case by case")
    parser.add_argument("--show", action="store_true", help="list what is wrong")
    parser.add_argument("--scale", type=int, nargs="?", const=100_000, help="look-ups among so many made-up documents")
    options = parser.parse_args()
    if options.scale:
        scale(options.scale)
        return
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
