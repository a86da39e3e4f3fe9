"""Measures whether references lead to the right place: German laws, RFC citations, sections of 27 CFR.

Run: ``python -m bench.references.resolution [laws|rfc|cfr]... [--show N]``. Data: ``RABBITHOLE_BENCH_DATA``. Documents
come from the data set's plain text, or with ``--kb DIR`` from a knowledge base into which ``gesetze/pdf`` and
``rfc/pdf`` were ingested (``rabbithole ingest``); the mentions are the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings

from .resolution_cfr import cfr
from .resolution_laws import laws
from .resolution_rfc import rfc
from .resolution_sets import SmallLibrary, cfr_from_text, laws_from_text, rfcs_from_text


def opened(folder: Path | None, otherwise: Callable[[], SmallLibrary]) -> Any:
    """Return the documents: from a knowledge base of the ingested PDFs, else from the data set's plain text."""
    if folder is None:
        return otherwise()
    return KnowledgeBase.open(folder, KbSettings())


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
