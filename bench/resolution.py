"""Does a reference lead to the right place? Cross references of German laws, RFC citations, sections of 27 CFR.

Run: ``python -m bench.resolution [laws|rfc|cfr]... [--show N]``. Data: ``RABBITHOLE_BENCH_DATA``.
Documents come from the data set's plain text, or with ``--kb DIR`` from a knowledge base into which ``gesetze/pdf`` and
``rfc/pdf`` were ingested (``rabbithole ingest``); the mentions asked about are the same.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.ingest.bibliography import parse_bibliography
from rabbithole.kb.models import BibliographyEntry, Document, Place, Reference, Resolution, Section
from rabbithole.kb.references.completion import names_in_opening
from rabbithole.kb.references.detect import detect
from rabbithole.kb.references.labels import labelled_callouts
from rabbithole.kb.references.names import NameIndex
from rabbithole.kb.references.naming import name_key
from rabbithole.kb.references.reader import Reader
from rabbithole.kb.references.registry import Registry
from rabbithole.kb.references.resolve import Resolver
from rabbithole.kb.settings import KbSettings

DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", "../shared/data"))


@dataclass(frozen=True)
class Held:
    """One document in memory."""

    document: Document
    text: str
    sections: tuple[Section, ...]
    bibliography: tuple[BibliographyEntry, ...] = ()
    page_starts: tuple[int, ...] = (0,)
    page_labels: tuple[str, ...] = ("1",)


class MemoryReader:
    """The reading side of a knowledge base, in memory."""

    generation = 1

    def __init__(self, held: Iterable[Held]) -> None:
        self.held = {each.document.id: each for each in held}

    def documents(self, collection: str | None = None) -> tuple[Document, ...]:
        return tuple(each.document for each in self.held.values() if collection in (None, each.document.collection))

    def outline(self, document_id: str) -> tuple[Section, ...]:
        return self.held[document_id].sections

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        return self.held[document_id].text[start:end]

    def page_of(self, document_id: str, offset: int) -> tuple[int, str]:
        held = self.held[document_id]
        page = max(0, bisect_right(held.page_starts, offset) - 1)
        return page, held.page_labels[page]

    def page_span(self, document_id: str, page: int) -> tuple[int, int]:
        held = self.held[document_id]
        return held.page_starts[page], [*held.page_starts, len(held.text)][page + 1]

    def bibliography(self, document_id: str) -> tuple[BibliographyEntry, ...]:
        return self.held[document_id].bibliography


def rows(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / path).read_text(encoding="utf-8").splitlines()]


def report(figures: Sequence[tuple[str, str, str]]) -> None:
    for name, figure, goal in figures:
        print(f"  {name:<62} {figure:>22}   goal {goal}")


def share(part: int, whole: int) -> str:
    return f"{part / whole:.4f} ({part}/{whole})" if whole else "none"


def build(identifier: str, collection: str, title: str, parts: Sequence[tuple[str, str, str]], **more: Any) -> Held:
    """A document from (number, heading, text) of its sections."""
    text, sections = "", []
    for index, (number, heading, content) in enumerate(parts):
        body = " ".join(part for part in (number, heading) if part) + "\n" + content
        sections.append(
            Section(
                id=f"{identifier}:s{index}",
                document=identifier,
                index=index,
                level=1,
                number=number,
                heading=heading,
                start=len(text),
                own_end=len(text) + len(body),
                end=len(text) + len(body),
                page=0,
                last_page=0,
            )
        )
        text += body + "\n"
    document = Document(
        id=identifier, collection=collection, file=f"{identifier}.pdf", path="", title=title, pages=1, **more
    )
    return Held(document, text, tuple(sections))


def laws_from_text() -> MemoryReader:
    """The 27 laws from their sections, with the opening lines that their PDFs print."""
    index = {row["slug"]: row for row in rows("gesetze/laws_index.jsonl")}
    parts: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for row in rows("gesetze/norms.jsonl"):
        parts[row["slug"]].append((row["enbez"] or "", row["titel"] or "", row["text"]))
    held = []
    for slug, sections in parts.items():
        law = index[slug]
        opening = f"{law['langue']}\n({law['kurzue'] or ''} - {law['amtabk'] or law['jurabk']})\nAusfertigungsdatum: x"
        held.append(build(slug, "laws", law["langue"], sections, synonyms=names_in_opening(opening), language="de"))
    return MemoryReader(held)


def _gold(text: str, found: Sequence[Reference], start: int, end: int) -> list[Reference]:
    return [each for each in found if each.start < end and start < each.end]


def laws(reader: Reader, show: int) -> None:
    """xrefs_silver: the law and section each mention leads to."""
    started = time.perf_counter()
    registry = Registry(reader.documents())
    resolver = Resolver(reader, registry)
    names = NameIndex(registry.names())
    built = time.perf_counter() - started
    texts = {(row["slug"], row["enbez"]): row["text"] for row in rows("gesetze/norms.jsonl")}
    detected = {key: detect(text, names=names, language="de") for key, text in texts.items()}
    by_slug = {Path(document.file).stem: document.id for document in reader.documents()}
    counts: Counter[str] = Counter()
    placed: Counter[bool] = Counter()
    failures: list[tuple[Any, ...]] = []
    spent = 0.0
    for row in rows("gesetze/xrefs_silver.jsonl"):
        references = _gold(
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


def _found_there(reader: Reader, found: Resolution, wording: str) -> bool:
    """Whether the beginning of the section as published stands in the section found, white space aside."""
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


def rfcs_from_text() -> MemoryReader:
    """The RFCs from their plain text; pages' headers and footers left out as the parser does."""
    held = []
    for path in sorted((DATA / "rfc/txt").glob("*.txt")):
        raw = path.read_text(encoding="utf-8", errors="replace").replace("\f", "")
        text = re.sub(r"\n*[^\n]*\[Page \d+\]\s*\n+[^\n]*\n", "\n", raw)
        document = Document(
            id=path.stem,
            collection="rfc",
            file=f"{path.stem}.pdf",
            path="",
            title=path.stem,
            synonyms=names_in_opening(text.lstrip()),
            pages=1,
            language="en",
        )
        held.append(Held(document, text, (), parse_bibliography(text)))
    return MemoryReader(held)


def rfc(reader: Reader, show: int) -> None:
    """Mentions in RFCs, through the citing document's own bibliography."""
    resolver = Resolver(reader, Registry(reader.documents()))
    names = NameIndex(resolver.registry.names())
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
        found = detect(text, names=names, language="en")
        detected[source] = [*found, *labelled_callouts(text, reader.bibliography(by_file[f"rfc{source}"]), found)]
    for row in mentions:
        references = _gold(texts[row["src"]], detected[row["src"]], row["start"], row["end"])
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


def cfr_from_text() -> MemoryReader:
    """27 CFR, a document a part."""
    parts: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for row in rows("refs/cfr27_sections.jsonl"):
        number = row["identifier"].rsplit("/s", 1)[1]
        text = row["text"].removeprefix(f"§ {number}").strip().removeprefix(row["heading"]).strip()
        parts[row["part"].rsplit("/p", 1)[1]].append((f"§ {number}", row["heading"], text))
    return MemoryReader(
        [
            build(f"27cfr{part}", "cfr", f"27 CFR Part {part}", sections, language="en")
            for part, sections in parts.items()
        ]
    )


_CFR_MENTION = re.compile(
    r"(?:(?<!\d )27 CFR |§§? )(?P<number>\d{2,3}\.\d+[a-z]?)(?P<paragraphs>(?:\([a-zA-Z0-9]{1,4}\))*)"
)


def cfr(reader: Reader, show: int) -> None:
    """Sections of 27 CFR named in its own text; the number says which section is meant."""
    resolver = Resolver(reader, Registry(reader.documents()))
    names = NameIndex(resolver.registry.names())
    numbers = {section.number for document in reader.documents() for section in reader.outline(document.id)}
    counts: Counter[str] = Counter()
    failures: list[tuple[Any, ...]] = []
    for document in reader.documents():
        text = reader.text(document.id)
        headings = {section.start for section in reader.outline(document.id)}
        detected = detect(text, names=names, language="en")
        for found in _CFR_MENTION.finditer(text):
            if found.start() in headings:
                continue
            wanted = f"§ {found['number']}"
            side = "in:" if wanted in numbers else "out:"
            references = [
                each
                for each in _gold(text, detected, found.start(), found.end())
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


def opened(folder: Path | None, otherwise: Callable[[], MemoryReader]) -> Any:
    """The documents: of a knowledge base into which the PDFs were ingested, else from the data set's plain text."""
    if folder is None:
        return otherwise()
    return KnowledgeBase.open(folder, KbSettings(embedding_model="hash"))


BENCHES: dict[str, Callable[[argparse.Namespace], None]] = {
    "laws": lambda options: laws(opened(options.kb, laws_from_text), options.show),
    "rfc": lambda options: rfc(opened(options.kb, rfcs_from_text), options.show),
    "cfr": lambda options: cfr(cfr_from_text(), options.show),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=[], help=", ".join(BENCHES))
    parser.add_argument("--show", type=int, default=0, help="print this many failures")
    parser.add_argument("--kb", type=Path, help="a knowledge base with gesetze/pdf and rfc/pdf ingested")
    options = parser.parse_args()
    for name in options.what or list(BENCHES):
        BENCHES[name](options)


if __name__ == "__main__":
    main()
