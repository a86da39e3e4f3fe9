"""Short labels for evidence in prompts: E3 for a piece, E3a for a quotation from it.

Small models miscopy keys of eight digits, which also cost several tokens each. The label of a quotation is later
replaced by its words, so that quotations come from the document and not from the model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from string import ascii_lowercase

from rabbithole.kb.place_names import short_place
from rabbithole.steps.models import Evidence
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.extractive.wording import flat, inner_quotes
from rabbithole.steps.reasoning.text.markdown_tables import one_line as table_line
from rabbithole.steps.reasoning.text.sentences import sentences

from .context_packing import Piece, rank_of
from .prompt_delimiters import as_data, fenced, one_line

UNKNOWN = "e00000000"  # a key of no evidence, counted as unknown when the report is checked
QUOTED = 450  # a second quotation is shown if both together have at most this many characters
INFO_SHOWN = 240  # characters of the extracted information, in whole sentences
PLACE_SHOWN = 120
_ONE_KEY = r"e[0-9a-f]{6,16}"
KEYS = re.compile(rf"\[({_ONE_KEY}(?:\s*[,;]\s*{_ONE_KEY})*)\]")
_ONE = re.compile(r"([Ee]\d{1,3})([a-d]?)\b")
LABELLED = re.compile(r"\[\s*([Ee]\d{1,3}[a-d]?(?:\s*[,;]?\s*[Ee]\d{1,3}[a-d]?)*)\s*\]")
_QUOTED_LABEL = re.compile(r"[„“\"»]\s?(\[[Ee]\d{1,3}[a-d]\])\s?[“”\"«]")
# A line of the evidence copied from the prompt: E3a: "...".
_COPIED = re.compile(r"^(\s*(?:[-*]\s+)?)([Ee]\d{1,3}[a-d]):\s*[\"„“].*[\"“”]\s*$")
_BEGINNING = 60  # first characters by which two texts are compared


class Labels:
    """The labels of one prompt, in the order of its evidence."""

    def __init__(self, evidence: Sequence[Evidence], others: Sequence[str] = ()) -> None:
        places: dict[tuple[str, int, int, str], list[Evidence]] = {}
        for item in evidence:  # a section that several tasks read is shown once
            places.setdefault((item.document, item.start, item.end, item.external), []).append(item)
        merged = [_merged(items) for items in places.values()]
        self.evidence = {item.key: item for item in merged}
        self._keys = {f"E{number}": key for number, key in enumerate(dict.fromkeys((*self.evidence, *others)), start=1)}
        labels = {key: label for label, key in self._keys.items()}
        same = zip(places.values(), merged, strict=True)
        self._of = labels | {item.key: labels[first.key] for items, first in same for item in items}
        self._quoted: set[str] = set()

    @property
    def first(self) -> str:
        """A label to use in an example."""
        return next(iter(self._keys), "E1")

    def of(self, key: str) -> str:
        return self._of[key]

    def key(self, label: str) -> str | None:
        """Return the key of a label, or None if no evidence has it."""
        found = _ONE.search(label)
        return self._keys.get(found.group(1).upper()) if found else None

    def hide(self, text: str) -> str:
        """Replace keys by labels; keys without a label are removed."""

        def put(match: re.Match[str]) -> str:
            known = dict.fromkeys(self._of[key] for key in re.findall(_ONE_KEY, match.group(1)) if key in self._of)
            return f"[{', '.join(known)}]" if known else ""

        return KEYS.sub(put, text)

    def restore(self, text: str, language: str) -> str:
        """Replace labels by keys; the first label of a quotation becomes its words and the key."""
        return "\n".join(self._line(line, language) for line in text.split("\n"))

    def _line(self, line: str, language: str) -> str:
        heading = line.lstrip().startswith("#")

        def put(match: re.Match[str]) -> str:
            found = (one.groups() for one in _ONE.finditer(match.group(1)))
            return " ".join(
                dict.fromkeys(self._put(label.upper(), "" if heading else letter, language) for label, letter in found)
            )

        return LABELLED.sub(put, _QUOTED_LABEL.sub(r"\1", _COPIED.sub(r"\1[\2]", line)))

    def _put(self, label: str, letter: str, language: str) -> str:
        key = self._keys.get(label, UNKNOWN)
        quotes = shown_quotes(self.evidence[key]) if key in self.evidence and letter else ()
        number = ascii_lowercase.index(letter) if letter else 0
        if number >= len(quotes) or f"{label}{letter}" in self._quoted:
            return f"[{key}]"
        self._quoted.add(f"{label}{letter}")
        words = inner_quotes(flat(table_line(quotes[number])), language)
        return f"{phrase(language, 'reasoning.quote', text=words)} [{key}]"

    def words(self, key: str) -> str:
        """Return all text of a piece of evidence that a prompt shows, including its place."""
        item = self.evidence[key]
        return " ".join((_place(item), *self._words(item)))

    def pieces(self) -> list[Piece]:
        """Return the evidence with label, place, tier and text, ranked by tier, score and depth."""
        return [
            Piece(
                text=fenced(self.of(item.key), f"{_place(item)}; {item.tier}", "\n".join(self._words(item))),
                rank=rank_of(item.tier, item.score, item.depth),
            )
            for item in self.evidence.values()
        ]

    def _words(self, item: Evidence) -> list[str]:
        """Return its quotations with their labels, after the extracted information if that differs from them."""
        quotes = shown_quotes(item)
        info = _whole_sentences(as_data(item.info))
        same = any(_begins(quote, item.info) or _begins(info, quote) for quote in quotes)
        label = self.of(item.key)
        marked = [
            f'{label}{ascii_lowercase[number]}: "{table_line(as_data(one))}"' for number, one in enumerate(quotes)
        ]
        return marked if quotes and (same or not info) else [info or "-", *marked]


def _merged(items: Sequence[Evidence]) -> Evidence:
    """Merge the evidence of one place: the best piece, with the quotations of all pieces interleaved."""
    best = min(items, key=lambda item: (rank_of(item.tier, item.score, item.depth), item.key))
    in_turn = (quote for row in zip_longest(best.quotes, *(item.quotes for item in items)) for quote in row if quote)
    quotes = {known_by(quote.text): quote for quote in in_turn}
    return best.model_copy(update={"quotes": tuple(quotes.values())})


def shown_quotes(item: Evidence) -> tuple[str, ...]:
    """Return the quotations a prompt shows: the first and, for primary evidence, a second if both are short."""
    first, *rest = [quote.text for quote in item.quotes] or [""]
    second = [text for text in rest[:1] if item.tier == "primary" and len(first) + len(text) <= QUOTED]
    return (first, *second) if first else ()


def _place(item: Evidence) -> str:
    place = ", ".join((item.short or item.title or item.file, item.section_label))
    return f"{one_line(place, PLACE_SHOWN)}, {short_place(item.page_label, item.page)}"


def _whole_sentences(text: str) -> str:
    """Return the first whole sentences of a text, because a sentence cut in half could change its meaning."""
    kept, left = list[str](), INFO_SHOWN
    for sentence in sentences(text):
        if kept and len(sentence.flat) > left:
            break
        kept.append(sentence.flat)
        left -= len(sentence.flat)
    return " ".join(kept)


def _begins(words: str, text: str) -> bool:
    """Return whether ``text`` contains the beginning of ``words``, so that the two are taken for the same."""
    return bool(words) and known_by(words)[:_BEGINNING] in known_by(text)


def known_by(text: str) -> str:
    """Return a text in the form used for comparison: on one line, case-folded."""
    return " ".join(text.split()).casefold()
