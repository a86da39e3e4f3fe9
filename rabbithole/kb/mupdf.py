"""PyMuPDF, loaded without its layout model where that is not asked for: every part takes it from here.

Importing ``pymupdf`` where its layout package is installed loads ONNX Runtime: 3 s and 150 MB a process, and telemetry
unless that is switched off.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

LAYOUT_VARIABLE = "RABBITHOLE_READER_LAYOUT"
LAYOUT_MODULES = ("pymupdf.layout", "pymupdf4llm")
FAULTS = (RuntimeError, ValueError, TypeError, KeyError, IndexError, AttributeError, OSError)
"""What MuPDF and the readers raise for damaged files and for limits that are reached; see also ``FzErrorBase``."""


@contextmanager
def _without_layout() -> Iterator[None]:
    """PyMuPDF finds no layout package inside the block, unless this process was started to use it."""
    hidden = () if os.environ.get(LAYOUT_VARIABLE) or "pymupdf" in sys.modules else LAYOUT_MODULES
    for module in hidden:
        sys.modules[module] = None  # type: ignore[assignment]  # how Python marks a module as not to be imported
    try:
        yield
    finally:
        for module in hidden:
            sys.modules.pop(module, None)


with _without_layout():
    import pymupdf as pymupdf  # offered to the other modules
