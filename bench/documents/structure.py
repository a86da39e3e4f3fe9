"""Compares the sections of German federal laws found by ingestion with the list of their sections.

Run: ``RABBITHOLE_BENCH_DATA=... python -m bench.documents.structure [--pdfs] [--misses]``.

A section counts as found if its number, heading, first and last page agree with the truth. The true pages are
determined from the PDF itself, independently of the product, by searching the plain text of the pages for the section's
first words and for the last word before the next section. ``--pdfs`` also reads the good and the bad PDFs (without OCR)
and prints what became of each.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from bench import figures
from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.document.pages_without_text import judge_text
from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.parsed import ParsedDocument, ParsedSection
from rabbithole.kb.ingest.run.pool import ReaderPool
from rabbithole.kb.mupdf import pymupdf

DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", Path(__file__).parents[3] / "shared" / "data"))
GOLD = Path(__file__).with_name("outlines.json")
GOAL = 0.995
GOAL_SECONDS = 60.0
"""Longest time for any PDF, however bad."""
GOAL_PAGE = 10.0
"""Milliseconds for a page."""
SHOWN, COMPARED = 48, 36
_SQUEEZE = re.compile(r"[\W_]+")


def squeeze(text: str) -> str:
    return _SQUEEZE.sub(
        "", text.replace("ﬀ", "ff").replace("ﬁ", "fi").replace("ﬂ", "fl").replace("ﬃ", "ffi")
    ).casefold()


def number_of(enbez: str | None) -> str:
    """Return a section's number from the list in the outline's normal form, or ''."""
    name = re.sub(r"^\(X+\)\s*", "", enbez or "")
    name = re.sub(r"^Art\b", "Artikel", name)
    return name if re.match(r"(§|Artikel|Anlage|Anhang)", name) else ""


def heading_of(row: dict[str, str | None]) -> str:
    number = number_of(row["enbez"])
    return " ".join(part for part in ((row["enbez"] or "") if not number else "", row["titel"] or "") if part)


def page_truth(pages: list[str], rows: list[dict[str, str | None]]) -> list[tuple[int, int] | None]:
    """Return first and last page of each section (None if not found), searching for the headings in order."""
    text = "".join(pages)
    bounds, total = [], 0
    for page in pages:
        bounds.append(total)
        total += len(page)

    def page_at(offset: int) -> int:
        return max(index for index, bound in enumerate(bounds) if bound <= offset)

    starts: list[int | None] = []
    position = 0
    for row in rows:
        head, body = squeeze(f"{row['enbez'] or ''} {row['titel'] or ''}"), squeeze(row["text"] or "")
        found = next((at for length in (60, 20, 0) if (at := text.find(head + body[:length], position)) >= 0), -1)
        starts.append(found if head and found >= 0 else None)
        position = max(position, found + len(head) + len(body) // 2)
    spans: list[tuple[int, int] | None] = []
    for start, following in zip(starts, [*starts[1:], total], strict=True):
        spans.append(None if start is None or following is None else (page_at(start), page_at(following - 1)))
    return spans


def plain_pages(path: Path) -> list[str]:
    """Return the squeezed text of each page without the running header (the top 50 points)."""
    with pymupdf.open(path) as document:
        result = []
        for page in document:
            clip = pymupdf.Rect(0, 50, page.rect.width, page.rect.height)
            result.append(squeeze(page.get_text(clip=clip)))
        return result


def judge(section: ParsedSection | None, row: dict[str, str | None], span: tuple[int, int] | None) -> str:
    """Return "" if the section is right, else what is wrong."""
    if section is None:
        return "not found"
    if squeeze(section.heading) != squeeze(heading_of(row)):
        return f"heading {section.heading[-60:]!r} instead of {heading_of(row)[-60:]!r}"
    if span is not None and (section.page, section.last_page) != span:
        return f"pages {section.page}-{section.last_page} instead of {span[0]}-{span[1]}"
    return ""


def match(sections: list[ParsedSection], row: dict[str, str | None], used: set[int]) -> ParsedSection | None:
    wanted, heading = number_of(row["enbez"]), squeeze(heading_of(row))
    for index, section in enumerate(sections):
        if index not in used and section.number == wanted and (wanted or squeeze(section.heading) == heading):
            used.add(index)
            return section
    return None


def laws(show: bool) -> float:
    by_law: dict[str, list[dict[str, str | None]]] = defaultdict(list)
    with (DATA / "gesetze" / "norms.jsonl").open(encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            by_law[row["slug"]].append(row)
    total = right = numbered = 0
    seconds = pages = 0.0
    for slug, rows in sorted(by_law.items()):
        path = DATA / "gesetze" / "pdf" / f"{slug}.pdf"
        began = time.perf_counter()
        parsed = parse_pdf(path)
        seconds += time.perf_counter() - began
        pages += len(parsed.page_starts)
        spans = page_truth(plain_pages(path), rows)
        sections, used, wrong = list(parsed.sections), set[int](), []
        for row, span in zip(rows, spans, strict=True):
            section = match(sections, row, used)
            numbered += section is not None
            if problem := judge(section, row, span):
                wrong.append(f"    {row['enbez']}: {problem}")
        total += len(rows)
        right += len(rows) - len(wrong)
        print(f"{slug:16} {len(rows) - len(wrong):4} of {len(rows):4}   sections found in all: {len(sections)}")
        if show:
            print("\n".join(wrong[:12]))
    print(f"sections right (number, heading, pages): {right}/{total} = {right / total:.4f}   goal {GOAL}")
    print(f"found by number alone: {numbered}/{total} = {numbered / total:.4f}")
    print(f"reading: {1000 * seconds / pages:.1f} ms a page over {pages:.0f} pages")
    figures.at_least(f"sections of laws right with number, heading and pages, of {total}", right / total, GOAL)
    figures.at_most("reading a page of laws the fast way", 1000 * seconds / pages, GOAL_PAGE, " ms")
    return right / total


Key = tuple[int, str, str]


def _with_parents(rows: Sequence[tuple[int, int, str, str]]) -> list[tuple[Key, Key | None]]:
    """Return page, number and first letters of each heading, with those of its parent heading."""
    stack: list[tuple[int, Key]] = []
    result: list[tuple[Key, Key | None]] = []
    for page, level, number, heading in rows:
        key = (page + 1, number, squeeze(heading[:SHOWN])[:COMPARED])
        while stack and stack[-1][0] >= level:
            stack.pop()
        result.append((key, stack[-1][1] if stack else None))
        stack.append((level, key))
    return result


def outlines(show: bool) -> tuple[float, float]:
    """Return precision and recall of the sections of real PDFs against hand-checked outlines (``outlines.json``).

    A section is right if number, page and the heading's first letters agree. Run-in heads of paragraphs do not count as
    headings; the section before the first heading is ignored.
    """
    gold: dict[str, list[tuple[int, int, str, str]]] = json.loads(GOLD.read_text(encoding="utf-8"))
    print(f"\n{'outlines checked by hand':36} headings found precision recall parents")
    hits = wanted_all = found_all = 0
    for name, rows in gold.items():
        path = DATA / "pdfs" / name
        if not path.exists():
            continue
        parsed = parse_pdf(path)
        sections = [s for n, s in enumerate(parsed.sections) if n or s.number or s.heading != parsed.title]
        wanted = _with_parents([(page - 1, level, number, heading) for page, level, number, heading in rows])
        found = _with_parents([(s.page, s.level, s.number, s.heading) for s in sections])
        missed = Counter(key for key, _ in wanted) - Counter(key for key, _ in found)
        extra = Counter(key for key, _ in found) - Counter(key for key, _ in wanted)
        right = len(rows) - missed.total()
        nested = (Counter(wanted) & Counter(found)).total()
        print(
            f"{name:36} {len(rows):8} {len(sections):5} {right / max(len(sections), 1):9.3f} "
            f"{right / max(len(rows), 1):6.3f} {nested / max(right, 1):7.3f}"
        )
        if show:
            print("\n".join(f"    missed {key}" for key in missed))
            print("\n".join(f"    not there {key}" for key in extra))
        hits, wanted_all, found_all = hits + right, wanted_all + len(rows), found_all + len(sections)
    precision, recall = hits / max(found_all, 1), hits / max(wanted_all, 1)
    print(f"all outlines: precision {precision:.4f}, recall {recall:.4f} over {wanted_all} headings")
    figures.note(f"outlines of {len(gold)} real PDFs, {wanted_all} headings: precision", f"{precision:.3f}")
    figures.note("the same: recall", f"{recall:.3f}")
    return precision, recall


def outcome(pool: ReaderPool, path: Path, defect: str) -> figures.Outcome:
    began = time.perf_counter()
    taken = True
    try:
        parsed: ParsedDocument = pool.read(path)
        warnings = judge_text(parsed, path.name)
        said = f"pages {len(parsed.page_starts)}, characters {len(parsed.text)}, sections {len(parsed.sections)}"
        said += f" ({parsed.outline_source})" + (f"; {'; '.join(warnings)}" if warnings else "")
    except IngestError as error:
        taken, said = False, str(error)
    return figures.Outcome(path.parent.name, path.name, defect, time.perf_counter() - began, taken, said)


def pdfs() -> None:
    """Print what becomes of the good and of the bad PDFs."""
    with ReaderPool(1) as pool:
        for folder in ("pdfs", "nasty_pdfs"):
            manifest = json.loads((DATA / folder / "manifest.json").read_text(encoding="utf-8"))
            known = {row["file"]: row.get("defect") or row.get("note", "") for row in manifest}
            print(f"\n{folder}")
            slowest = 0.0
            for path in sorted((DATA / folder).glob("*.pdf")):
                found = outcome(pool, path, known.get(path.name, ""))
                figures.outcome(found)
                slowest = max(slowest, found.seconds)
                print(
                    f"{found.seconds:6.1f} s  {found.file}: {'taken' if found.taken else 'left'}    {found.said}",
                    flush=True,
                )
            figures.at_most(f"slowest file of {folder}", slowest, GOAL_SECONDS, " s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true", help="list what is wrong")
    parser.add_argument("--pdfs", action="store_true", help="read the good and the bad PDFs too")
    arguments = parser.parse_args()
    share = laws(arguments.misses)
    outlines(arguments.misses)
    if arguments.pdfs:
        pdfs()
    return 0 if share >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
