"""Finds the table or figure that a question names by its number: "Table 9.2 of the manual", "laut Tabelle 2.2"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Reference

from .models import NamedPlace

_KINDS = {
    "table": r"(?:Table|Tabelle|Tab\.)",
    "tabelle": r"(?:Table|Tabelle|Tab\.)",
    "figure": r"(?:Figure|Fig\.|Abbildung|Abb\.|Bild)",
    "abbildung": r"(?:Figure|Fig\.|Abbildung|Abb\.|Bild)",
}
_ANY = re.compile(r"^(?:Table|Tabelle|Tab\.|Figure|Fig\.|Abbildung|Abb\.|Bild)[ \u00a0]*[A-Z]?\d", re.MULTILINE)
_OF_CONTENTS = re.compile(r"(?:\.[ .]{3,}|\s\d{1,4}$)")
"""What a line of a list of tables ends in or contains: leader dots, a page."""
HITS = 50
"""Number of passages found for the question in whose documents the caption is looked for."""
DOCUMENTS = 10
"""Maximum number of these documents."""
LONGEST = 6000
"""Maximum number of characters from a caption on that belong to its table."""


def is_captioned(reference: Reference) -> bool:
    """Return whether a reference names a table or a figure, which has the number of no section."""
    return bool(reference.path) and reference.path[0][0].casefold() in _KINDS


def captioned_place(
    kb: KnowledgeBase, reference: Reference, query: str, collections: Sequence[str], documents: Sequence[str] = ()
) -> NamedPlace | None:
    """Return the place from the caption on, in the document that the search finds first; None if it stands in none.

    Args:
        kb: the knowledge base.
        reference: a reference for which ``is_captioned`` is true.
        query: the question.
        collections: the collections that are searched.
        documents: ids of the documents that the question names, if it names any.
    """
    unit, number = reference.path[0]
    caption = re.compile(rf"^{_KINDS[unit.casefold()]}[ \u00a0]*{re.escape(number)}(?![\w]|[.-]\d).*$", re.MULTILINE)
    hits = kb.search(query, collections, mode="keyword", top_k=HITS, documents=documents).hits
    for document in list(dict.fromkeys(hit.chunk.document for hit in hits))[:DOCUMENTS]:
        text = kb.text(document)
        found = next((one for one in caption.finditer(text) if not _OF_CONTENTS.search(one[0])), None)
        section = kb.section_at(document, found.start()) if found is not None else None
        if found is None or section is None:
            continue
        following = _ANY.search(text, found.end())
        ends = (section.end, found.start() + LONGEST, following.start() if following else len(text))
        return NamedPlace(
            text=reference.text,
            name=kb.document(document).title,
            status="held",
            document=document,
            section=section.id,
            start=found.start(),
            end=min(ends),
            asked=reference.text,
        )
    return None
