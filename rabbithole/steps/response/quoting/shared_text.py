"""Headings that share the text below the last of them, as questions of an FAQ asked in several ways."""

from __future__ import annotations

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Section

from .passage_text import ends_sentence

_BETWEEN = 8
"""Maximum number of words between two headings that share a text: "Or a variation like ..."."""


def text_end(kb: KnowledgeBase, section: Section) -> int:
    """Return where the text below a heading ends: that of the next section, if there is hardly any before it."""
    own = kb.text(section.document, section.start, section.end).strip()
    unfinished = own.endswith(("...", "…")) or not ends_sentence(own)
    if len(own.split()) - len(section.label.split()) > _BETWEEN or not unfinished:
        return section.end
    following = kb.section_at(section.document, section.end)
    return following.end if following is not None and following.level == section.level else section.end
