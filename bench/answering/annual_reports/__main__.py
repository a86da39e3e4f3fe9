"""Measures answers from tables of figures, on three annual reports that are made here.

Run: ``python -m bench.answering.annual_reports [--show]``. The reports are built once in ``build/annual_reports``, two
printed with Chromium and one drawn; their pages may break elsewhere with other fonts. They are ingested at every run.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from rabbithole.kb.knowledge_base import KnowledgeBase

from .drawn import draw_report
from .measure import line, questions, scored, summary
from .printed import browser, print_report
from .reports import reports

BUILD = Path("build/annual_reports")


def build(folder: Path) -> None:
    """Make the PDFs that are missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for report in reports():
        path = folder / report.file
        if path.exists():
            continue
        if report.style == "drawn":
            draw_report(report, path)
        elif (program := browser()) is not None:
            print_report(report, path, program)
        else:
            sys.exit("Chromium, which prints two of the three reports, is missing: install the package chromium.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--show", action="store_true", help="print a line for each question")
    options = parser.parse_args()
    build(BUILD / "pdf")
    shutil.rmtree(BUILD / "kb", ignore_errors=True)  # what reads tables is measured too
    with KnowledgeBase.open(BUILD / "kb", create=True) as kb:
        kb.ingest([BUILD / "pdf"], "reports")
        rows = [scored(kb, one) for one in questions()]
    if options.show:
        print("\n".join(map(line, rows)))
    print(summary(rows))


if __name__ == "__main__":
    main()
