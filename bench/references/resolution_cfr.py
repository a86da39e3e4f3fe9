"""Measures resolution of the sections of 27 CFR named in its own text; the number tells which section is meant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bench.figures import report, share
from rabbithole.kb.models import Place, Resolution
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.names.name_index import NameIndex
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.resolver import Resolver

from .resolution_sets import overlapping

_CFR_MENTION = re.compile(
    r"(?:(?<!\d )27 CFR |§§? )(?P<number>\d{2,3}\.\d+[a-z]?)(?P<paragraphs>(?:\([a-zA-Z0-9]{1,4}\))*)"
)


def cfr(reader: CorpusReader, show: int) -> None:
    """Print the figures, and up to ``show`` failures."""
    resolver = Resolver(reader, Registry(reader.documents()))
    numbers = {section.number for document in reader.documents() for section in reader.outline(document.id)}
    counts: Counter[str] = Counter()
    failures: list[tuple[Any, ...]] = []
    for document in reader.documents():
        text = reader.text(document.id)
        headings = {section.start for section in reader.outline(document.id)}
        detected = detect(text, names=NameIndex(resolver.registry.names_in(text)), language="en")
        for found in _CFR_MENTION.finditer(text):
            if found.start() in headings:
                continue
            wanted = f"§ {found['number']}"
            side = "in:" if wanted in numbers else "out:"
            references = [
                each
                for each in overlapping(text, detected, found.start(), found.end())
                if each.path and each.path[0][1] == found["number"]
            ]
            at = Place(document=document.id, offset=found.start())
            resolutions = [resolver.resolve(each, at) for each in references]
            outcome = _cfr_outcome(side, wanted, found["paragraphs"], resolutions)
            counts[outcome] += 1
            if not outcome.endswith("right"):
                failures.append(
                    (outcome, document.file, text[max(0, found.start() - 40) : found.end() + 20], resolutions[:1])
                )
    inside = sum(count for name, count in counts.items() if name.startswith("in:"))
    outside = sum(count for name, count in counts.items() if name.startswith("out:"))
    detected_inside = inside - counts["in: not detected"]
    print(f"27 CFR: {inside + outside} mentions of its sections in its own text")
    right = counts["in: right"] + counts["in: paragraph not found, section right"]
    report(
        [
            ("section right, of those whose target exists", share(right, inside), ">= 0.99"),
            ("section right, of those detected", share(right, detected_inside), ""),
            ("paragraph found too, where one is named", share(counts["in: right"], right), ""),
            ("resolved to a wrong place", str(counts["in: wrong"] + counts["out: wrong"]), "0"),
            ("target does not exist: reported missing", share(counts["out: right"], outside), "all"),
        ]
    )
    print("  ", dict(counts))
    for failure in failures[:show]:
        print("   ", *failure)


def _cfr_outcome(side: str, wanted: str, paragraphs: str, resolutions: Sequence[Resolution]) -> str:
    if not resolutions:
        return f"{side} not detected"
    first = resolutions[0]
    if side == "out:":
        return "out: right" if first.status == "missing" else "out: wrong"
    if first.status != "resolved":
        return f"in: {first.status}"
    if first.number != wanted:
        return "in: wrong"
    return "in: paragraph not found, section right" if paragraphs and "not found" in first.note else "in: right"
