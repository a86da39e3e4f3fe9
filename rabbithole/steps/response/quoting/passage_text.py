"""Where a quoted passage begins and ends, which of its words are bold, and whether it can stand alone. Pure."""

from __future__ import annotations

import re

from rabbithole.kb.notation.raised_digits import RAISED
from rabbithole.steps.page_names import letters_of
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.selection import RankedUnit
from rabbithole.steps.selection.units.item_markers import NUMBERED, marker_of

_CLOSED = re.compile(r"[.!?][\"”“»)]*\Z")
_LEAST_WORDS = 3
_ALSO = 0.5  # a sentence with at least this share of the best sentence's score is set in bold too
_MOST_BOLD = 2
HEADING = 90
"""Maximum number of characters of a heading, a caption or a signature at the end of a passage."""
_BEFORE_HEADING = 3
"""Maximum number of words before a heading on its line: its number, and the date of its last change."""
_ARTICLE = re.compile(r"\Aart(?=\d)")
_SENTENCE_ENDS = ".!?…;,)]}\"”“»'’"
LEAD = 25
"""Maximum number of words of a lead-in; of a longer one, only the last sentences are shown."""


def ends_sentence(text: str) -> bool:
    """Return whether a text ends with the end of a sentence."""
    return _CLOSED.search(text) is not None


def ends_open(text: str) -> bool:
    """Return whether a passage ends with a lead-in, a heading, a caption or a signature.

    The raised number of a footnote behind the full stop does not count.
    """
    line = text.strip().rpartition("\n")[2].strip().rstrip(RAISED)
    if line.endswith(":"):
        return True
    plain = marker_of(line) is None and not line.startswith("|")
    return plain and len(line) <= HEADING and line[-1:] not in _SENTENCE_ENDS


def goes_on(text: str, after: str) -> bool:
    """Return whether a passage ends within a list: its last item goes on, or another item follows.

    One item by itself looks like no whole list, unless a line above it introduces more. Numbered paragraphs that end a
    sentence, as "(1)" and "(2)" of a section, are no such items.
    """
    lines = text.strip().splitlines()
    marker = marker_of(lines[-1]) if lines else None
    introduced = any(line.rstrip().endswith(":") for line in lines[:-1])
    alone = not introduced and sum(marker_of(line) == marker for line in lines) == 1
    if marker is None or alone or (marker in NUMBERED and ends_sentence(lines[-1])):
        return False
    rest, _, below = after.partition("\n")
    return bool(rest.strip()) or marker_of(below.strip()) == marker


def rest_of_line(after: str) -> bool:
    """Return whether words follow a passage on its last line: the paragraph goes on."""
    return any(map(str.isalpha, after.partition("\n")[0]))


def begins_within(before: str, label: str) -> bool:
    """Return whether words stand before a passage on its first line that are neither its number nor its heading.

    ``before`` is the text before it, and ``label`` that of its section, both with nothing else before the line;
    ``label`` as ``letters_of`` gives it.
    """
    line = before.rpartition("\n")[2].strip()
    if not any(map(str.isalpha, line)) or is_item_number(line):
        return False
    return not is_heading_line(letters_of(line), label)


def lead_in(head: str) -> str:
    """Return the lead-in of a list; of a long paragraph, only its last sentences, up to ``LEAD`` words."""
    if len(head.split()) <= LEAD or "|" in head:
        return head
    every = sentences(head)
    first = len(every) - 1
    while first > 0 and len(head[every[first - 1].start :].split()) <= LEAD:
        first -= 1
    return head[every[first].start :] if every else head


def item_lead(text: str, at: int) -> str:
    """Return what must stand before the words of an item of a list from ``at`` on: its first line, or its number.

    Without it they seem to belong to the item quoted before. Returns '' if they begin with the number, if there is
    none, as of bullets, or if no space stands before them: what is set solid after an item ("... is due.The board")
    was a paragraph of its own below the list, and belongs to no item.
    """
    line = text.partition("\n")[0].strip()
    if at <= 0 or marker_of(line) is None or not text[at - 1].isspace():
        return ""
    before = len(text) - len(text.lstrip()) + len(line) <= at
    if before and len(line.split()) <= LEAD:
        return line
    number = line.split()[0]
    return number if is_item_number(number) else ""


def is_item_number(lead: str) -> bool:
    """Return whether the lead of an item is nothing but its number or letter: "(3)", "2.", "a)"."""
    return len(lead.split()) == 1 and any(map(str.isalnum, lead)) and (lead[-1] in ".)" or lead[0].isdigit())


def bold_spans(ranked: RankedUnit) -> tuple[tuple[int, int], ...]:
    """Return the spans of the sentences that answer, or () if the unit is a table or a single sentence."""
    unit = ranked.unit
    if unit.kind == "table" or len(ranked.sentences) < 2:
        return ()
    best = ranked.sentences[0].score
    first, *others = ranked.sentences[:_MOST_BOLD]
    chosen = [first, *(one for one in others if one.score >= _ALSO * best and _says(ranked.words_of(one)))]
    spans = sorted((one.start - unit.start, one.end - unit.start) for one in chosen)
    inside = tuple((start, end) for start, end in spans if 0 <= start < end <= len(unit.text))
    return inside if sum(end - start for start, end in inside) < 0.85 * len(unit.text) else ()


def _says(sentence: str) -> bool:
    """Return whether a sentence has enough words to say something: not '4. deleted'."""
    return len(sentence.split()) >= _LEAST_WORDS


def is_heading_line(words: str, label: str) -> bool:
    """Return whether a line is the section's own heading, as ``letters_of`` gives both; "Art 5" is "Artikel 5"."""
    return bool(words) and any(_ARTICLE.sub(word, words) in label for word in ("art", "artikel", "article"))


def is_heading_of(line: str, label: str, heading: str) -> bool:
    """Return whether the first line of a section is its heading, also with a date or another number before it.

    "2.3.59.5 (01-16-2020) Restoring Modules" is "2.3.59.5 Restoring Modules", and "SIX LOCKOUT" is "Chapter 6 LOCKOUT".
    """
    words, title = letters_of(line), letters_of(heading)
    before = len(line.split()) - len(heading.split())
    dated = bool(title) and words.endswith(title) and before <= _BEFORE_HEADING
    return dated or is_heading_line(words, letters_of(label))
