"""The knowledge base: documents, their references, and search.

``ingest`` turns files into documents, ``reading`` gives their text and sections, ``references`` detects and resolves
references, ``search`` finds passages, ``store`` keeps all of it, ``sample`` is a collection to try. ``knowledge_base``
is the one object others use. Names are loaded on first use, so that importing the package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .errors import RabbitholeError
    from .knowledge_base import KnowledgeBase
    from .models import Chunk, Document, Filter, Hit, Reference, Resolution, SearchResult, Section
    from .settings import KbSettings

_HOMES = {
    "Chunk": "models",
    "Document": "models",
    "Filter": "models",
    "Hit": "models",
    "KbSettings": "settings",
    "KnowledgeBase": "knowledge_base",
    "RabbitholeError": "errors",
    "Reference": "models",
    "Resolution": "models",
    "SearchResult": "models",
    "Section": "models",
}

__all__ = [
    "Chunk",
    "Document",
    "Filter",
    "Hit",
    "KbSettings",
    "KnowledgeBase",
    "RabbitholeError",
    "Reference",
    "Resolution",
    "SearchResult",
    "Section",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
