"""Finds the table or figure that a question names by its number: "Table 9.2 of the manual", "laut Tabelle 2.2"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Reference
from rabbithole.kb.notation.captions import TABLE
from rabbithole.kb.references.grammar.units import CAPTIONED
from rabbithole.kb.references.resolution.sections.section_parts import is_of_contents

from .held_places import held_place, resolved_in
from .models import NamedPlace

_ANY = re.compile(rf"^(?:{TABLE}|Figure|Fig\.|Abbildung|Abb\.|Bild)[ \u00a0]*[A-Z]?\d", re.MULTILINE)
HITS = 50
"""Number of passages found for the question in whose documents the caption is looked for."""
DOCUMENTS = 10
"""Maximum number of these documents."""
LONGEST = 6000
"""Maximum number of characters from a caption on that belong to its table."""


def is_captioned(reference: Reference) -> bool:
    """Return whether a reference names a table or a figure, which has the number of no section."""
    return bool(reference.path) and reference.path[0][0] in CAPTIONED


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
    hits = kb.search(query, collections, mode="keyword", top_k=HITS, documents=documents).hits
    for document in list(dict.fromkeys(hit.chunk.document for hit in hits))[:DOCUMENTS]:
        found = resolved_in(kb, reference, document)
        if found is None or found.start is None or found.section is None:
            continue
        text = kb.text(document, found.start, found.end)
        caption = text.partition("\n")[0]
        if is_of_contents(caption):
            continue
        following = _ANY.search(text, len(caption))
        length = min(following.start() if following else len(text), LONGEST)
        span = found.start, min(kb.section_by_id(found.section).end, found.start + length)
        return held_place(reference, kb.document(document).title, document, found.section, span, reference.text)
    return None
