"""Measures references of regulations annotated by people (XRefRAG): are they detected and led to the right section?

Run: ``python -m bench.references.units [--show N] [--fold I/K] [--save FILE] [--against FILE]``. Data:
``RABBITHOLE_BENCH_DATA``.

Prints the share detected; of those, the shares with the right and with a wrong section; the pairs of passages that a
question needs and a reference connects; and, for everything found, the number in the words against the number reached.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rabbithole.kb.models import Place, Reference, Resolution
from rabbithole.kb.references.detection.document_references import references_of
from rabbithole.kb.references.names.name_index import NameIndex
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.resolver import Resolver

from .agreement import agreement
from .regulation_sets import Passages, annotated, question_pairs, regulations

_NEAR = 70


class Graph:
    """All references of the documents, detected once."""

    def __init__(self, passages: Passages) -> None:
        self.passages = passages
        reader = passages.reader
        self.registry = Registry(reader.documents())
        self.resolver = Resolver(reader, self.registry)
        self.found: dict[str, tuple[Reference, ...]] = {}
        characters, began = 0, time.process_time()
        for document in reader.documents():
            text = reader.text(document.id)
            characters += len(text)
            names = NameIndex(self.registry.names_in(text))
            self.found[document.id] = references_of(text, reader.outline(document.id), names=names, language="en")
        self.speed = characters / (time.process_time() - began)

    def within(self, document: str, start: int, end: int) -> list[Reference]:
        return [one for one in self.found[document] if one.start < end and one.end > start]

    def resolve(self, document: str, reference: Reference) -> Resolution:
        return self.resolver.resolve(reference, Place(document=document, offset=reference.start))


def occurrences(words: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where annotated words occur in a passage as a whole, ignoring blanks and invisible marks."""
    inner = r"[\s\u200e\u200f]*".join(re.escape(word) for word in re.sub("[\u200e\u200f]", " ", words).split())
    for match in re.finditer(rf"(?<![\w.]){inner}(?![\w]|\.\d)", text):
        yield match.span()


def judged(graph: Graph, row: dict[str, str]) -> tuple[str, str]:
    """Return (verdict, detail) of an annotated reference: right, wrong, missing, unseen or absent."""
    document, start, end, _ = graph.passages.place[row["SourceID"]]
    text = graph.passages.reader.text(document, start, end)
    spans = list(occurrences(row["ReferenceText"], text))
    if not spans:
        return "absent", ""
    context = re.sub(r"\s+", " ", text[max(0, spans[0][0] - _NEAR) : spans[0][1] + _NEAR])
    seen: list[Resolution] = []
    for a, b in spans:
        seen += [graph.resolve(document, one) for one in graph.within(document, start + a, start + b)]
    if not seen:
        return "unseen", context
    reached = " | ".join(
        f"{one.status} {one.document or ''} {one.number or ''} {one.name} ({one.rule})" for one in seen
    )
    if row["ReferenceType"] == "Outsource" or not row["TargetID"]:
        fine = any(one.status == "missing" for one in seen)
        return ("right" if fine else "wrong"), f"{context} => {reached}"
    target = graph.passages.target(row)
    if any(one.section == target[3] for one in seen):
        return "right", ""
    wrong = all(one.status == "resolved" for one in seen)
    return ("wrong" if wrong else "missing"), f"{context} => {reached}"


def connected(graph: Graph, source: str, target: str) -> bool:
    """Return whether a reference of the source leads to the target's section or one around it, not a whole document."""
    document, start, end, _ = graph.passages.place[source]
    held, _, _, section = graph.passages.place[target]
    by_id = {each.id: each for each in graph.passages.reader.outline(held)}
    around = {section}
    at = by_id[section].parent
    while at is not None:
        if by_id[at].level > 1:
            around.add(at)
        at = by_id[at].parent
    return any(graph.resolve(document, one).section in around for one in graph.within(document, start, end))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", type=int, default=0, help="print this many failures of each kind")
    parser.add_argument(
        "--fold", default="0/1", help="I/K: only source documents whose number leaves I when divided by K"
    )
    parser.add_argument("--save", type=Path, help="write each case's verdict")
    parser.add_argument("--against", type=Path, help="print gains and losses against a saved run")
    options = parser.parse_args()
    fold, folds = map(int, options.fold.split("/"))
    graph = Graph(regulations())
    verdicts: dict[str, str] = {}
    details: dict[str, str] = {}
    for index, row in enumerate(annotated()):
        if int(row["SourceDocumentID"]) % folds == fold:
            target = f"{row['TargetDocumentID']} {row['TargetPassageID']}"
            key = f"{index} {row['SourcePassageID']} {row['ReferenceText']} -> {target}"
            verdicts[key], details[key] = judged(graph, row)
    pairs = {f"{source} {target}": connected(graph, source, target) for source, target in question_pairs()}
    _report(graph, verdicts, pairs)
    for kind in ("unseen", "wrong", "missing", "absent"):
        for key in [key for key, verdict in verdicts.items() if verdict == kind][: options.show]:
            print(f"  {kind}: {key}\n      {details[key]}")
    if options.against:
        before = json.loads(options.against.read_text("utf-8"))
        for key, verdict in {**verdicts, **{key: str(value) for key, value in pairs.items()}}.items():
            if key in before and before[key] != verdict and ("right" in (before[key], verdict) or key in pairs):
                print(f"  {before[key]} -> {verdict}: {key} {details.get(key, '')}")
    if options.save:
        everything = {**verdicts, **{key: str(value) for key, value in pairs.items()}}
        options.save.write_text(json.dumps(everything, indent=0), encoding="utf-8")


def _report(graph: Graph, verdicts: dict[str, str], pairs: dict[str, bool]) -> None:
    tally = Counter(verdicts.values())
    annotated_ones = len(verdicts) - tally["absent"]
    seen = annotated_ones - tally["unseen"]
    print(f"annotated references {annotated_ones} ({tally['absent']} whose words are not in the passage)")
    print(f"  seen          {seen / max(1, annotated_ones):.3f}   goal .97")
    print(f"  right section {tally['right'] / max(1, seen):.3f}   of those seen, goal .97")
    print(f"  wrong section {tally['wrong'] / max(1, seen):.3f}   goal .01")
    print(f"  missing       {tally['missing'] / max(1, seen):.3f}")
    joined = sum(pairs.values())
    print(f"question pairs connected {joined}/{len(pairs)} = {joined / len(pairs):.3f}   goal .95")
    print(f"speed {graph.speed / 1e6:.1f} M characters/s")
    everything = ((document, one) for document, found in graph.found.items() for one in found)
    print(agreement((one, graph.resolve(document, one)) for document, one in everything))


if __name__ == "__main__":
    main()
