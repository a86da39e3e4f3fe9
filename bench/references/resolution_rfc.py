"""Measures resolution of citations in RFCs through the citing document's own bibliography."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.figures import report, share
from rabbithole.kb.models import Place, Resolution
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.detection.bibliography_labels import labelled_callouts
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.names.name_index import NameIndex
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.resolver import Resolver

from .resolution_sets import DATA, overlapping, rows


def rfc(reader: CorpusReader, show: int) -> None:
    """Print the figures, and up to ``show`` failures."""
    resolver = Resolver(reader, Registry(reader.documents()))
    by_file = {
        Path(document.file).stem: document.id for document in reader.documents() if document.file.startswith("rfc")
    }
    number_of = {identifier: int(stem.removeprefix("rfc")) for stem, identifier in by_file.items()}
    counts: Counter[str] = Counter()
    failures: list[tuple[Any, ...]] = []
    spent, mentions = 0.0, rows("rfc/mentions.jsonl")
    texts = {row["src"]: "" for row in mentions}
    for source in texts:
        texts[source] = (DATA / f"rfc/txt/rfc{source}.txt").read_text(encoding="utf-8", errors="replace")
    detected = {}
    for source, text in texts.items():
        found = detect(text, names=NameIndex(resolver.registry.names_in(text)), language="en")
        detected[source] = [*found, *labelled_callouts(text, reader.bibliography(by_file[f"rfc{source}"]), found)]
    for row in mentions:
        references = overlapping(texts[row["src"]], detected[row["src"]], row["start"], row["end"])
        at = Place(document=by_file[f"rfc{row['src']}"])
        started = time.perf_counter()
        resolutions = [resolver.resolve(each, at) for each in references]
        spent += time.perf_counter() - started
        expected = row["target_rfc"] if f"rfc{row['target_rfc']}" in by_file else None
        reached = {number_of[each.document] for each in resolutions if each.status == "resolved" and each.document}
        outcome = _rfc_outcome(row, expected, reached, resolutions)
        counts[outcome] += 1
        if not outcome.endswith("right"):
            failures.append(
                (
                    outcome,
                    row["src"],
                    row["mention"],
                    row["target_rfc"],
                    [(r.text, r.document) for r in references],
                    [(r.status, r.file, r.name[:90], r.rule) for r in resolutions],
                )
            )
    inside = sum(count for name, count in counts.items() if name.startswith("in:"))
    outside = sum(count for name, count in counts.items() if name.startswith("out:"))
    print(f"RFCs: {len(mentions)} mentions, {1e6 * spent / len(mentions):.0f} us a mention")
    report(
        [
            ("document right, of those that lead to an RFC of the set", share(counts["in: right"], inside), ">= 0.97"),
            ("resolved to a wrong document", str(counts["in: wrong document"] + counts["out: wrong document"]), "0"),
            ("the rest reported missing", share(counts["out: right"], outside), "all"),
        ]
    )
    print("  ", dict(counts))
    for failure in failures[:show]:
        print("   ", *failure)


def _rfc_outcome(
    row: dict[str, Any], expected: int | None, reached: set[int], resolutions: Sequence[Resolution]
) -> str:
    side = "in:" if expected is not None else "out:"
    if not resolutions:
        return f"{side} not detected"
    if reached - {expected}:
        return f"{side} wrong document"
    if expected is not None:
        return f"{side} right" if reached else f"{side} {resolutions[0].status}"
    return (
        f"{side} right" if all(each.status == "missing" for each in resolutions) else f"{side} {resolutions[0].status}"
    )
