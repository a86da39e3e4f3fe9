"""Measures resolution of cross references in German laws: the law and section each leads to."""

from __future__ import annotations

import re
import time
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

from bench.figures import report, share
from rabbithole.kb.models import Place, Reference, Resolution
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.names.name_index import NameIndex
from rabbithole.kb.references.names.name_keys import name_key
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.resolver import Resolver

from .resolution_sets import overlapping, rows


def laws(reader: CorpusReader, show: int) -> None:
    """Print the figures for xrefs_silver (the law and section each mention leads to), and up to ``show`` failures."""
    started = time.perf_counter()
    registry = Registry(reader.documents())
    resolver = Resolver(reader, registry)
    built = time.perf_counter() - started
    texts = {(row["slug"], row["enbez"]): row["text"] for row in rows("gesetze/norms.jsonl")}
    detected = {
        key: detect(text, names=NameIndex(registry.names_in(text)), language="de") for key, text in texts.items()
    }
    by_slug = {Path(document.file).stem: document.id for document in reader.documents()}
    counts: Counter[str] = Counter()
    placed: Counter[bool] = Counter()
    failures: list[tuple[Any, ...]] = []
    spent = 0.0
    for row in rows("gesetze/xrefs_silver.jsonl"):
        references = overlapping(
            texts[row["src_slug"], row["src_enbez"]],
            detected[row["src_slug"], row["src_enbez"]],
            row["start"],
            row["end"],
        )
        at = Place(document=by_slug[row["src_slug"]])
        started = time.perf_counter()
        resolutions = [resolver.resolve(each, at) for each in references]
        spent += time.perf_counter() - started
        outcome = _law_outcome(row, references, resolutions, by_slug)
        counts[outcome] += 1
        if outcome == "in: right" and row["section_exists"]:
            spot = next(each for each in resolutions if (each.number or "").lstrip("§ ") == row["section"])
            wording = texts[row["target_slug"], f"§ {row['section']}"]
            if _letters(wording)[:80] in _letters(reader.text(spot.document or "")):
                placed[_found_there(reader, spot, wording)] += 1
                if not _found_there(reader, spot, wording):
                    failures.append(
                        ("wording elsewhere", row["mention"], row["target_slug"], spot.number, wording[:80])
                    )
        if not outcome.endswith("right"):
            failures.append(
                (
                    outcome,
                    row["mention"],
                    row["target_slug"],
                    [(r.document, r.path) for r in references][:2],
                    [(r.status, r.document, r.number, r.name, r.rule) for r in resolutions][:2],
                )
            )
    inside = sum(count for name, count in counts.items() if name.startswith("in:"))
    outside = sum(count for name, count in counts.items() if name.startswith("out:"))
    total = inside + outside
    print(f"German laws: {total} cross references; registry {built:.2f} s, {1e6 * spent / total:.0f} us a mention")
    report(
        [
            ("document and section right, of those held", share(counts["in: right"], inside), ">= 0.99"),
            ("resolved to a wrong document", str(counts["in: wrong document"] + counts["out: wrong document"]), "0"),
            ("its wording stands there, where the PDF holds it at all", share(placed[True], placed.total()), ""),
            ("wrong section of the right document", str(counts["in: wrong section"]), ""),
            ("not held: reported missing by name", share(counts["out: right"], outside), ">= 0.95"),
        ]
    )
    print("  ", dict(counts))
    for failure in failures[:show]:
        print("   ", *failure)


def _found_there(reader: CorpusReader, found: Resolution, wording: str) -> bool:
    """Return whether the published beginning of the section is in the section found, ignoring white space."""
    section = next(each for each in reader.outline(found.document or "") if each.id == found.section)
    text = reader.text(section.document, section.start, section.end)
    return _letters(wording)[:80] in _letters(text)


@lru_cache(maxsize=64)
def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())


def _law_outcome(
    row: dict[str, Any], references: list[Reference], resolutions: list[Resolution], by_slug: dict[str, str]
) -> str:
    side = "in:" if row["in_set"] else "out:"
    expected = by_slug.get(row["target_slug"] or "")
    chosen = [
        resolution
        for reference, resolution in zip(references, resolutions, strict=True)
        if reference.path and reference.path[0] == ("§", row["section"])
    ]
    if not chosen:
        return f"{side} not detected"
    if any(each.status == "resolved" and each.document != expected for each in chosen):
        return f"{side} wrong document"
    first = chosen[0]
    if not row["in_set"]:
        asked = "".join(name_key(row["law_surface"]))
        named = first.status == "missing" and asked in "".join(name_key(first.name))
        return f"{side} right" if named else f"{side} not by name"
    if not row["section_exists"]:
        return (
            f"{side} right" if first.status == "missing" and first.document == expected else f"{side} section invented"
        )
    if first.status != "resolved":
        return f"{side} {first.status}"
    return f"{side} right" if re.sub(r"\W", "", first.number or "") == row["section"] else f"{side} wrong section"
