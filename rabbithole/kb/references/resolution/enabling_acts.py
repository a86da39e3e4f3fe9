"""Finds the act that an ordinance was made under: the first that its title or its opening names."""

from __future__ import annotations

from functools import lru_cache

from rabbithole.kb.models import Document, Place, Reference
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.grammar.number_keys import number_key
from rabbithole.kb.references.names.name_keys import base_form
from rabbithole.kb.references.names.registry import Registry

from .interpretation import work_of
from .results import CACHED, Resolutions

_OPENING = 3000
"""Characters at the beginning of an ordinance in which it names the act that authorises it."""


class EnablingActs:
    """The acts that ordinances were made under, cached for recent documents."""

    def __init__(self, reader: CorpusReader, registry: Registry, resolutions: Resolutions) -> None:
        self._reader = reader
        self._registry = registry
        self._resolutions = resolutions
        self._act = lru_cache(CACHED)(self._first_act)

    def of(self, document: Document) -> str | None:
        """Return the name of the act that a document was made under as it names it, or None."""
        return self._act(document.id, document.title)

    def _first_act(self, document: str, title: str) -> str | None:
        opening = f"{title}.\n{self._reader.text(document, 0, _OPENING)}"
        acts = [found.document for found in detect(opening, language="de") if found.document]
        return next((act for act in acts if work_of((base_form(act),)) == "act"), None)

    def cited_before_sections(self, own: Document, reference: Reference, at: Place | None) -> bool:
        """Return whether it stands before an ordinance's own § 1, where the sections that authorise it are named."""
        if reference.document or at is None or at.offset is None or not reference.path or reference.path[0][0] != "§":
            return False
        sections = self._resolutions.index(own.id).sections
        first = next((each.start for each in sections if number_key(each.number).kind == "§"), None)
        return first is not None and at.offset < first and work_of(self._registry.names_of(own.id)) == "ordinance"
