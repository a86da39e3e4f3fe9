"""Writes the answer as Markdown with evidence keys: quotations as blocks, lists as lists, rows as tables."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.models import LEFT_OUT
from rabbithole.steps.page_names import page_range, section_beside
from rabbithole.steps.phrases import phrase
from rabbithole.steps.quoted_words import escaped
from rabbithole.steps.reasoning.text.markdown_tables import is_row
from rabbithole.steps.resolution_notes import said, validity_in

from .caveat import sentence_above
from .models import Block, QuotedPassage, Response
from .quoted_lines import table, words_of
from .quoting.passage_text import is_item_number

_BREAK = 3
"""Maximum number of characters between items that follow one another."""
_SECTION = 110
"""Maximum number of characters of a section's label: a statement's title follows the name of the company."""


def response_markdown(response: Response, language: str) -> str:
    """Return the text below the answer's heading: the sentences before, a block for each part, and those after."""
    lines = [f"{sentence}\n" for sentence in response.first]
    several = len(response.blocks) > 1
    for block in response.blocks:
        lines += _block(block, language, several=several)
    lines += [f"{sentence}\n" for sentence in response.last]
    return "\n".join(lines).strip() + "\n"


def beside_markdown(response: Response, language: str) -> str:
    """Return what qualifies the answer and what references led to, each under its heading; '' if there is neither."""
    parts = []
    if response.qualifying:
        parts.append(_section("response.qualifying", response.qualifying, language))
    if response.reached:
        parts.append(_section("response.reached", response.reached, language))
    return "\n\n".join(parts)


def _block(block: Block, language: str, *, several: bool) -> list[str]:
    """Return the lines of one block, of ``several`` below its part of the question."""
    lines: list[str] = []
    if several:
        lines.append(f"**{_capital(block.part)}?**\n")
    if not block.passages:
        return [*lines, f"{phrase(language, 'response.nothing')}\n"]
    if block.figures:
        key = "response.figures" if block.rows == len(block.passages) else "response.figures_first"
        lines.append(f"{phrase(language, key, figures=', '.join(block.figures))}\n")
    elif key := sentence_above(block):
        lines.append(f"{phrase(language, key)}\n")
    if block.others:
        own_rule = block.others[0].why == "own rule"
        lines.append(f"{phrase(language, 'response.own_rule' if own_rule else 'response.disagree')}\n")
    above, document = "", ""
    for together in _grouped((*block.passages, *block.others), language):
        first, last = together[0], together[-1]
        full = where(first, language, last)
        if full != above:
            named = first.evidence.document == document
            lines.append(_label(where(first, language, last, named=True) if named else full))
        lines.append(quotation(together, after=full == above))
        above, document = full, first.evidence.document
    return lines


def _grouped(passages: Sequence[QuotedPassage], language: str) -> list[tuple[QuotedPassage, ...]]:
    """Group passages that are printed as one quotation, in text order, at the position of the first.

    These are items of one list, rows of one table, and passages without a lead-in that have the same place above them.
    """
    groups: dict[tuple[str, int | str], list[QuotedPassage]] = {}
    for passage in passages:
        section = passage.evidence.section
        place = f"{section} {_notes(passage, language)}" if section else where(passage, language)
        where_it_is = passage.head_start if passage.head and passage.head_start is not None else place
        groups.setdefault((passage.evidence.document, where_it_is or 0), []).append(passage)
    return [tuple(sorted(group, key=lambda one: one.start)) for group in groups.values()]


def _section(key: str, passages: tuple[QuotedPassage, ...], language: str) -> str:
    lines = [f"## {phrase(language, key)}\n"]
    for passage in passages:
        lines += [_label(where(passage, language)), quotation((passage,))]
    return "\n".join(lines).strip()


def _label(place: str) -> str:
    """Return the line above a quotation, which names its place."""
    return f"**{place}:**\n"


def quotation(passages: Sequence[QuotedPassage], *, after: bool = False) -> str:
    """Return the words as a block quotation that ends with the evidence keys.

    All ``passages`` belong below the same lead-in or table header, which is printed once. ``after``: another quotation
    of the same place stands above.
    """
    first = passages[0]
    body = [*([LEFT_OUT, ""] if after else []), *_head(first)]
    before: QuotedPassage | None = None
    for passage in passages:
        words = words_of(passage)
        row = is_row(words[0])
        if body and body[-1] and not (row and is_row(body[-1])):
            body.append("")
        if row and before and passage.start > before.end + _BREAK:
            body.append(f"| {LEFT_OUT} |" + "  |" * (words[0].count("|") - 2))
        if not row:
            body += _above(passage, before, below_head=bool(body))
            if is_item_number(passage.item):
                words[0] = f"{escaped(passage.item)} {LEFT_OUT} {words[0]}"
            elif passage.begins_within and not passage.item and body[-2:] != [LEFT_OUT, ""]:
                words[0] = f"{LEFT_OUT} {words[0]}"
        body += words
        before = passage
    if before is not None and before.broken_off and not is_row(body[-1]):
        body[-1] = f"{body[-1]} {LEFT_OUT}"
    elif before is not None and before.goes_on:
        body += ["", LEFT_OUT]
    # One group of keys: several would make each line a quotation of its own.
    keys = f"[{', '.join(dict.fromkeys(passage.evidence.key for passage in passages))}]"
    if is_row(body[-1]):
        body += ["", keys]
    else:
        body[-1] = f"{body[-1]} {keys}"
    block = "\n".join(f"> {line}".rstrip() for line in body)
    return f"{block}\n"


def _above(passage: QuotedPassage, before: QuotedPassage | None, *, below_head: bool) -> list[str]:
    """Return the lines between a passage and the one ``before``, or the lead-in: what is left out, and its own rule."""
    item = "" if is_item_number(passage.item) else passage.item
    start = passage.start if passage.item_start is None else passage.item_start
    if before is not None and start < before.end:  # printed in the passage before
        item = ""
    begins = start if item else passage.start
    lines = [LEFT_OUT, ""] if before is not None and begins > before.end + _BREAK else []
    if item:
        lines += [escaped(item), ""]
    return [*lines, LEFT_OUT, ""] if passage.skips and (item or (before is None and below_head)) else lines


def where(passage: QuotedPassage, language: str, last: QuotedPassage | None = None, *, named: bool = False) -> str:
    """Return document, section and pages as people write them, with notes such as the reference that led there.

    ``last`` is the last passage quoted below the label. A document that is already ``named`` is not named again if the
    section has a label.
    """
    last = last or passage
    item = passage.evidence
    title = item.short or item.title or item.file
    section = section_beside(item.section_label, item.title, title)
    page = page_range((passage.page, passage.page_label), (last.last_page, last.last_page_label), language)
    document = phrase(language, "response.same_document") if named and section else title
    label = ", ".join(part for part in (document, _short(section, _SECTION), page) if part)
    notes = _notes(passage, language)
    return " ".join((f"{label} ({notes})" if notes else label).replace("*", "").split())


def _notes(passage: QuotedPassage, language: str) -> str:
    """Return what is noted beside the place of a passage; '' if there is nothing."""
    item, notes = passage.evidence, []
    if passage.why == "reached" and item.chain:
        notes.append(phrase(language, "reasoning.via", reference=_short(" ".join(item.chain[-1].reference.split()))))
    if passage.derogates_from:
        notes.append(phrase(language, "response.derogates", reference=_short(passage.derogates_from)))
    if validity := validity_in(item.note):
        notes.append(said(validity, language).rstrip("."))
    return "; ".join(notes)


def _short(label: str, limit: int = 80) -> str:
    return label if len(label) <= limit else f"{label[:limit].rsplit(' ', 1)[0]} …"


def _head(passage: QuotedPassage) -> list[str]:
    """Return the lines above a list or table: the lead-in, or the header rows with the separator Markdown requires."""
    if not passage.head.strip():
        return []
    lines = [line.strip() for line in passage.head.splitlines() if line.strip()]
    if not any(is_row(line) for line in lines):
        return [*(escaped(line) for line in lines), ""]
    return table(lines)


def _capital(text: str) -> str:
    flat = " ".join(text.split()).replace("*", "")
    return flat[:1].upper() + flat[1:]
