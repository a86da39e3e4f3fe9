"""Tells which of two documents is the newer edition of the same work, by their titles and dates. Pure."""

from __future__ import annotations

import re

from rabbithole.kb.models import Document

_DATED = re.compile(
    r"\s*(?:\b(?:vom|in der Fassung|i\. ?d\. ?F\.|of|dated|as of|Ausgabe|Stand|edition)\b[^()]*\d{4}.*"
    r"|[_(\s-]*(?:19|20)\d{2}\)?)$",
    re.IGNORECASE,
)


def is_newer(other: Document, one: Document) -> bool:
    """Return whether ``other`` is a later edition of the work that ``one`` is an edition of."""
    return bool(dated(one)) and dated(other) > dated(one) and bool(_names(one) & _names(other))


def dated(document: Document) -> str:
    """Return the date of an edition as far as it is known, '2014-05-07' or '2014', or ''."""
    return str(document.metadata.get("date") or document.metadata.get("year") or "")


def _names(document: Document) -> frozenset[str]:
    """Return the names that editions of one work share: title and synonyms without dates and years."""
    return frozenset(
        bare
        for name in (document.title, *document.synonyms)
        if len(bare := _DATED.sub("", name).strip().casefold()) > 1
    )
