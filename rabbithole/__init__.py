"""Rabbithole: deep research over your own documents that follows the references it finds.

``kb`` is what is known, ``steps`` what is done, ``workflow`` how it flows; imports go from the last to the first.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from . import no_telemetry as no_telemetry  # before any library is imported


def __getattr__(name: str) -> Any:
    """``__version__``, looked up when it is asked for, so that importing the package stays cheap."""
    if name == "__version__":
        return import_module(".version", __name__).installed_version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
