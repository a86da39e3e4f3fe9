"""Rabbithole: deep research over your own documents that follows the references it finds.

``kb`` holds the documents, ``steps`` the work done on them, ``workflow`` the flows and interfaces. ``workflow`` imports
``steps``, which imports ``kb``; never the other way round.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from . import no_telemetry as no_telemetry  # before any library is imported


def __getattr__(name: str) -> Any:
    """Return ``__version__``, looked up only on access so that importing the package stays cheap."""
    if name == "__version__":
        return import_module(".version", __name__).installed_version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
