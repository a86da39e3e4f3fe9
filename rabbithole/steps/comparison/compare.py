"""Compare two documents of a knowledge base as editions of one work."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Section

from .align import Part, align
from .models import Change, Comparison, SectionChange, Side
from .words import compare_words


def compare(
    kb: KnowledgeBase, old: Document, new: Document, *, section: str | None = None, notes: Sequence[str] = ()
) -> Comparison:
    """Compare all sections, or one with its subsections. Raises UsageError if neither edition has the section."""
    before, after = kb.outline(old.id), kb.outline(new.id)
    pairs = align([_part(kb, each) for each in before], [_part(kb, each) for each in after])
    wanted = None if section is None else (_under(kb, old, section), _under(kb, new, section))
    if wanted is not None and not wanted[0] and not wanted[1]:
        raise UsageError(f"Neither {old.file} nor {new.file} has a section {section!r}.")
    changes: list[SectionChange] = []
    for i, j in pairs:
        one, two = before[i] if i is not None else None, after[j] if j is not None else None
        ids = {each.id for each in (one, two) if each is not None}
        if wanted is None or ids & (wanted[0] | wanted[1]):
            changes.append(_change(kb, one, two))
    return Comparison(
        old_file=old.file,
        old_title=old.title,
        new_file=new.file,
        new_title=new.title,
        notes=tuple(notes),
        sections=tuple(changes),
    )


def _under(kb: KnowledgeBase, document: Document, number: str) -> set[str]:
    """Return the ids of the section and its subsections."""
    found = kb.section(document.id, number)
    if found is None:
        return set()
    return {each.id for each in kb.outline(document.id) if found.start <= each.start and each.end <= found.end}


def _change(kb: KnowledgeBase, old: Section | None, new: Section | None) -> SectionChange:
    words = compare_words(_text(kb, old), _text(kb, new))
    change: Change
    if old is None or new is None:
        change = "added" if old is None else "removed"
    else:
        differs = any(each.change != "same" for each in words) or old.heading.split() != new.heading.split()
        moved = old.number != new.number
        change = "moved and changed" if moved and differs else "moved" if moved else "changed" if differs else "same"
    return SectionChange(change=change, old=_side(old), new=_side(new), words=words)


def _part(kb: KnowledgeBase, section: Section) -> Part:
    return Part(section.number, section.heading, _text(kb, section))


def _text(kb: KnowledgeBase, section: Section | None) -> str:
    """Return the section's own text without its heading."""
    if section is None:
        return ""
    text = kb.text(section.document, section.start, section.own_end)
    head = [letter for letter in section.label.casefold() if letter.isalnum()]
    seen = 0
    for place, letter in enumerate(text):
        if seen == len(head):
            return text[place:].lstrip(" .:)")
        folded = letter.casefold()
        if not folded.isalnum():
            continue
        if folded != head[seen]:
            return text
        seen += 1
    return "" if seen == len(head) else text


def _side(section: Section | None) -> Side | None:
    if section is None:
        return None
    return Side(
        section=section.id,
        number=section.number,
        label=section.label,
        page=section.page,
        page_label=section.page_label,
    )
