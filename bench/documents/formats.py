"""Compares the same documents in several formats: sections and references against those of the PDF, and the speed.

Run: ``RABBITHOLE_BENCH_DATA=... python -m bench.documents.formats [--laws 8] [--rfcs 100] [--pages 1000] [--misses]``.

RFCs: the published text beside the published PDF, and that text as an HTML page in one ``<pre>`` (made here). Laws: the
published PDF beside HTML and XML **made here** from the list of their sections, in the shape of the official ones;
parts and chapters are not in that list, so only sections are compared. Sections are judged by number and heading,
against the PDF (RFCs) or the list (laws); references by where each section's mentions lead. Speed: ingestion of small
HTML pages, one for each section, against embedding their chunks alone.
"""

from __future__ import annotations

import argparse
import html
import json
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from bench import figures
from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.models import Document, Place
from rabbithole.steps.draft_check.check import check_draft
from rabbithole.steps.draft_check.models import Paragraph

from .ingest import embedding
from .structure import DATA, heading_of, number_of, squeeze

GOAL_SECTIONS = 0.995
SLACK = 60
"""Letters by which the texts of a section may differ, such as its heading or a footnote."""
GOAL_SHARE = 0.8
GOAL_CHECK = 10.0
PAGE_LETTERS, DRAFT_PAGES = 2_500, 40
Row = Mapping[str, str | None]
Outcomes = Counter[tuple[str, str, str, str, str]]


def law_rows() -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = defaultdict(list)
    with (DATA / "gesetze" / "norms.jsonl").open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if (DATA / "gesetze" / "pdf" / f"{row['slug']}.pdf").is_file():
                rows[row["slug"]].append(row)
    return rows


def as_html(title: str, rows: Sequence[Row]) -> str:
    """Return a law as the official pages show it: a heading for each section, a paragraph for each line."""
    parts = [f"<html><head><meta charset='utf-8'><title>{html.escape(title)}</title></head><body>"]
    parts.append(f"<h1>{html.escape(title)}</h1>")
    for row in rows:
        number, heading = html.escape(row["enbez"] or ""), html.escape(row["titel"] or "")
        parts.append(
            f"<div class='jnnorm'><div class='jnheader'><h3><span class='jnenbez'>{number}</span>&#160;"
            f"<span class='jnentitel'>{heading}</span></h3></div><div class='jnhtml'>"
        )
        parts += [f"<div class='jurAbsatz'>{html.escape(line)}</div>" for line in (row["text"] or "").split("\n")]
        parts.append("</div></div>")
    return "".join([*parts, "</body></html>"])


def as_xml(title: str, rows: Sequence[Row]) -> str:
    """Return a law in the shape of the official XML."""
    parts = [f"<norm><metadaten><jurabk>{html.escape(str(rows[0]['law']))}</jurabk>"
             f"<langue>{html.escape(title)}</langue></metadaten></norm>"]  # fmt: skip
    for row in rows:
        lines = "".join(f"<P>{html.escape(line)}</P>" for line in (row["text"] or "").split("\n"))
        parts.append(
            f"<norm><metadaten><jurabk>{html.escape(str(row['law']))}</jurabk><enbez>{html.escape(row['enbez'] or '')}"
            f"</enbez><titel>{html.escape(row['titel'] or '')}</titel></metadaten>"
            f"<textdaten><text format='XML'><Content>{lines}</Content></text></textdaten></norm>"
        )
    return f"<?xml version='1.0' encoding='UTF-8'?><dokumente>{''.join(parts)}</dokumente>"


def as_preformatted(text: str) -> str:
    return "".join(f"<pre>{html.escape(page)}</pre>" for page in text.split("\f")).join(
        ("<html><body>", "</body></html>")
    )


def folder_of(work: Path, kind: str, contents: Mapping[str, str]) -> Path:
    folder = work / kind
    folder.mkdir()
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def sections(kb: KnowledgeBase, document: Document) -> set[tuple[str, str]]:
    return {(each.number, squeeze(each.heading)) for each in kb.outline(document.id) if each.number}


def texts(kb: KnowledgeBase, document: Document) -> dict[str, str]:
    """Return the text of each section number, without spaces and punctuation."""
    found: dict[str, str] = {}
    for section in kb.outline(document.id):
        if section.number:
            own = squeeze(kb.text(document.id, section.start, section.own_end))
            found[section.number] = found.get(section.number, "") + own
    return found


def led_to(kb: KnowledgeBase, document: Document) -> Outcomes:
    """Return where the mentions of each numbered section lead: (section, words, status, document, number)."""
    found: Outcomes = Counter()
    outline = kb.outline(document.id)
    for section in outline:
        if not section.number:
            continue
        for reference in kb.references(document.id, section.start, section.own_end):
            if reference.method == "link":
                continue
            led = kb.resolve(reference, at=Place(document=document.id, section=section.id, offset=reference.start))
            target = Path(led.file).stem if led.file else ""
            found[section.number, squeeze(reference.text), led.status, target, led.number or ""] += 1
    return found


def by_stem(kb: KnowledgeBase) -> dict[str, Document]:
    return {Path(document.file).stem: document for document in kb.documents()}


def compare(name: str, pdf: KnowledgeBase, other: KnowledgeBase, truth: Mapping[str, set[tuple[str, str]]] | None,
            misses: bool) -> bool:  # fmt: skip
    """Print the shares of sections and mentions that agree; return whether the sections reach the goal."""
    mine, theirs = by_stem(other), by_stem(pdf)
    same = whole = extra = agree = mentions = alike = of_alike = 0
    for stem, document in sorted(mine.items()):
        expected = truth[stem] if truth is not None else sections(pdf, theirs[stem])
        found = sections(other, document)
        same, whole, extra = same + len(found & expected), whole + len(expected), extra + len(found - expected)
        here, there = led_to(other, document), led_to(pdf, theirs[stem])
        agree, mentions = agree + (here & there).total(), mentions + there.total()
        written, printed = texts(other, document), texts(pdf, theirs[stem])
        equal = {number for number, text in printed.items() if abs(len(text) - len(written.get(number, ""))) <= SLACK}
        here, there = (Counter({key: n for key, n in one.items() if key[0] in equal}) for one in (here, there))
        alike, of_alike = alike + (here & there).total(), of_alike + there.total()
        if misses and found != expected:
            print(f"    {stem}: missing {sorted(expected - found)[:5]}, more {sorted(found - expected)[:5]}")
        if misses and here != there:
            print(
                f"    {stem}: only PDF {list((there - here).items())[:3]}, only here {list((here - there).items())[:3]}"
            )
    print(f"{name}: sections {same}/{whole} = {same / whole:.4f} ({extra} more), goal {GOAL_SECTIONS}")
    print(f"{name}: mentions that lead where the PDF's do {agree}/{mentions} = {agree / max(mentions, 1):.4f}")
    print(f"{name}: of these, in sections whose text is as long in both (some PDFs lack whole paragraphs) "
          f"{alike}/{of_alike} = {alike / max(of_alike, 1):.4f}")  # fmt: skip
    figures.at_least(f"{name}: sections of the same documents", same / whole, GOAL_SECTIONS)
    figures.note(f"{name}: mentions that lead to the same place as in the PDF", f"{agree / max(mentions, 1):.4f}")
    figures.note(f"{name}: the same where the PDF has the whole text", f"{alike / max(of_alike, 1):.4f}")
    return same >= GOAL_SECTIONS * whole


def ingested(work: Path, kind: str, sources: Iterable[Path]) -> KnowledgeBase:
    kb = KnowledgeBase.open(work / f"kb-{kind}", KbSettings(embedding_model="hash", _env_file=None), create=True)
    began = time.perf_counter()
    report = kb.ingest(list(sources), kind)
    print(f"  {kind}: {len(report.added)} files, {report.chunks} chunks in {time.perf_counter() - began:.1f} s; "
          f"not taken: {[each.reason for each in report.skipped]}")  # fmt: skip
    return kb


def laws(work: Path, count: int, misses: bool) -> bool:
    rows = law_rows()
    chosen = sorted(rows, key=lambda slug: -len(rows[slug]))[:count]
    pdf = ingested(work, "laws-pdf", (DATA / "gesetze" / "pdf" / f"{slug}.pdf" for slug in chosen))
    titles = {Path(each.file).stem: each.title for each in pdf.documents()}
    truth = {
        slug: {(number, squeeze(heading_of(dict(row)))) for row in rows[slug] if (number := number_of(row["enbez"]))}
        for slug in chosen
    }
    passed = True
    forms: dict[str, tuple[str, Callable[[str, Sequence[Row]], str]]] = {
        "laws-html": (".html", as_html), "laws-xml": (".xml", as_xml),
    }  # fmt: skip
    for kind, (suffix, make) in forms.items():
        made = {f"{slug}{suffix}": make(titles[slug], rows[slug]) for slug in chosen}
        with ingested(work, kind, [folder_of(work, kind, made)]) as other:
            passed &= compare(f"{kind} (made from the list of sections)", pdf, other, truth, misses)
    checking(pdf)
    pdf.close()
    return passed


def rfcs(work: Path, count: int, misses: bool) -> bool:
    chosen = sorted((DATA / "rfc" / "txt").glob("*.txt"))[:count]
    pdf = ingested(work, "rfc-pdf", (DATA / "rfc" / "pdf" / f"{path.stem}.pdf" for path in chosen))
    with ingested(work, "rfc-txt", chosen) as other:
        passed = compare("rfc-txt (published text)", pdf, other, None, misses)
    made = {f"{path.stem}.html": as_preformatted(path.read_text("utf-8", errors="replace")) for path in chosen}
    with ingested(work, "rfc-html", [folder_of(work, "rfc-html", made)]) as other:
        compare(
            f"rfc-html ({len(made)}, the text in <pre>, made here; the others are not held)", pdf, other, None, misses
        )
    pdf.close()
    return passed


def checking(kb: KnowledgeBase) -> None:
    """Measure the check of a forty-page draft without a model: the first pages of a held law."""
    document = max(kb.documents(), key=lambda each: each.pages)
    text = kb.text(document.id, 0, PAGE_LETTERS * DRAFT_PAGES)
    paragraphs = [Paragraph(index=index, text=line) for index, line in enumerate(text.split("\n")) if line.strip()]
    began = time.perf_counter()
    checked = check_draft("draft", paragraphs, kb, [kb.collections()[0].name])
    seconds = time.perf_counter() - began
    print(f"check of a draft of {DRAFT_PAGES} pages ({document.title[:40]}): {len(checked.findings)} findings in "
          f"{seconds:.1f} s, goal {GOAL_CHECK:g}")  # fmt: skip
    figures.at_most(f"check of a draft of {DRAFT_PAGES} pages", seconds, GOAL_CHECK, " s")


def speed(work: Path, pages: int, model: str) -> bool:
    """Return whether ingesting small pages reaches the goal relative to embedding the same chunks alone."""
    rows = [row for each in law_rows().values() for row in each if row["text"]][:pages]
    made = {f"{count:04}.html": as_html(f"{row['law']} {row['enbez']}", [row]) for count, row in enumerate(rows)}
    folder = folder_of(work, "pages", made)
    return embedding(folder, KbSettings(embedding_model=model, _env_file=None), work, GOAL_SHARE) >= GOAL_SHARE


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--laws", type=int, default=8, help="how many laws, the longest first; 0 for none")
    parser.add_argument("--rfcs", type=int, default=100)
    parser.add_argument("--pages", type=int, default=1000, help="HTML pages for the speed; 0 for none")
    parser.add_argument("--model", default="use-multilingual")
    parser.add_argument("--misses", action="store_true", help="print what differs")
    given = parser.parse_args()
    passed = True
    work = Path(tempfile.mkdtemp(prefix="formats-"))
    try:
        passed &= laws(work, given.laws, given.misses) if given.laws else True
        passed &= rfcs(work, given.rfcs, given.misses) if given.rfcs else True
        passed &= speed(work, given.pages, given.model) if given.pages else True
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
