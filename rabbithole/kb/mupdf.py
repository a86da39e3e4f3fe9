"""PyMuPDF, loaded without its layout model unless that is wanted; all modules import it from here.

If the layout package is installed, importing ``pymupdf`` loads ONNX Runtime: 3 s and 150 MB for each process, and
telemetry unless that is switched off.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

LAYOUT_VARIABLE = "RABBITHOLE_READER_LAYOUT"
LAYOUT_MODULES = ("pymupdf.layout", "pymupdf4llm")
FAULTS = (RuntimeError, ValueError, TypeError, KeyError, IndexError, AttributeError, OSError)
"""Errors that MuPDF and the readers raise for damaged files and exceeded limits; see also ``FzErrorBase``."""


@contextmanager
def _without_layout() -> Iterator[None]:
    """Hide the layout package from PyMuPDF inside the block, unless this process was started to use it."""
    hidden = () if os.environ.get(LAYOUT_VARIABLE) or "pymupdf" in sys.modules else LAYOUT_MODULES
    for module in hidden:
        sys.modules[module] = None  # type: ignore[assignment]  # how Python marks a module as not to be imported
    try:
        yield
    finally:
        for module in hidden:
            sys.modules.pop(module, None)


with _without_layout():
    import pymupdf as pymupdf  # imported by the other modules
