"""Returns the text below a passage that must be quoted with it: the rest of its paragraph, and what it announces."""

from __future__ import annotations

import re

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.response.informs import informs
from rabbithole.steps.selection.units.unit_lines import FOOTNOTE, ORDINAL, WHOLE, announces_several, only_counts
from rabbithole.steps.selection.units.unit_splitting import split

from .excerpt_span import belonging_after
from .passage_text import ends_open

ANNOUNCED = 120
"""Maximum number of words shown of what a passage announces that ends in a colon."""
_ANNOUNCES = re.compile(
    r"\b(?:(?:the|as) (?:following|follows)|following \w+|(?:next|following|below) (?:list|table)|(?:list|table) below|"
    r"(?:der|die|das|den|dem|des) (?:nach)?folgende[rnsm]?|folgende[rnsm]? \w+|wie folgt|Tabelle|Liste)\b",
    re.IGNORECASE,
)
_TAIL = 500
"""Characters at the end of a passage in which it may announce the list or table below it."""
_WORD = re.compile(r"\w+")


def belonging(kb: KnowledgeBase, section: str | None, end: int, text: str, words: int) -> str:
    """Return what belongs to a passage behind it in its paragraph; exceptions make it ``words`` long at most."""
    if section is None:
        return ""
    whole = kb.section_by_id(section)
    added = belonging_after(kb.text(whole.document, end, whole.own_end), words - len(text.split()))
    return added if informs(added) else ""


def announced(kb: KnowledgeBase, section: str | None, end: int, text: str) -> str:
    """Return what stands below a passage that cannot stand alone: it ends in a colon, with a heading, or announces.

    That is the table, list, program or paragraph after it, up to a length; after words such as "the following", only a
    list or a table; and where it counts several things, paragraphs that begin with "First", "The other".
    """
    is_open = ends_open(text)
    if text.lstrip().startswith("|"):  # the row of a table
        return ""
    counts = any(only_counts(one.text) for one in sentences(text))
    if section is None or not (is_open or counts or _ANNOUNCES.search(text[-_TAIL:]) or announces_several(text)):
        return ""
    whole = kb.section_by_id(section)
    after = kb.text(whole.document, end, min(whole.own_end, end + 2 * WHOLE))
    units = split(after)
    is_list = bool(units) and units[0].kind in ("list", "item", "steps", "table")
    last = 0
    for unit in units if is_open or counts or is_list else ():
        if counts and FOOTNOTE.match(after[unit.start : unit.end]):
            continue
        numbered = ORDINAL.match(after[unit.start : unit.end]) is not None
        belongs = numbered if counts and not is_list and not is_open else unit.block == units[0].block
        if not belongs or len(_WORD.findall(after[: unit.end])) > ANNOUNCED:
            break
        last = unit.end
    return after[:last]
