"""Keeps PyMuPDF from loading its layout model (3 s and 150 MB a process) where it is not wanted.

Imported by the reader process before anything that imports PyMuPDF; the reader does nothing else that could miss it.
"""

from __future__ import annotations

import os
import sys

LAYOUT_VARIABLE = "RABBITHOLE_READER_LAYOUT"

if not os.environ.get(LAYOUT_VARIABLE):
    for module in ("pymupdf.layout", "pymupdf4llm"):
        sys.modules[module] = None  # type: ignore[assignment]  # how Python marks a module as not to be imported
