"""Find titles of documents in texts: in a question, to know its documents, and in a passage, to follow it to others."""

from __future__ import annotations

import math

import ahocorasick

from rabbithole.kb.search.entities import title_forms
from rabbithole.kb.search.scope import View

_SHORT, _SHORT_LENGTH = 0.6, 8  # certainty of a single short word, which often is not the name of a document


class Titles:
    """All titles of one generation of the catalog, in every form a text may use."""

    def __init__(self, view: View) -> None:
        self.generation = view.generation
        self._documents: dict[str, tuple[int, ...]] = {}
        found: dict[str, list[int]] = {}
        for entry in view.stored:
            if entry.chunk_count:
                for form in title_forms(entry.document.title):
                    found.setdefault(f" {form} ", []).append(entry.ordinal)
        self._automaton = ahocorasick.Automaton() if found else None
        if self._automaton is not None:
            for form, ordinals in found.items():
                self._documents[form] = tuple(ordinals)
                self._automaton.add_word(form, form)
            self._automaton.make_automaton()

    def inside(self, text: str) -> dict[str, tuple[int, ...]]:
        """Return the forms of titles in a plain text -> ordinals of the documents with that title."""
        if self._automaton is None:
            return {}
        forms = dict.fromkeys(form for _, form in self._automaton.iter(f" {text} "))
        return {form.strip(): self._documents[form] for form in forms}

    def named(self, question: str) -> dict[str, tuple[int, ...]]:
        """Do as ``inside`` does, but keep only the longest of overlapping forms: not 'John' in 'John Lennon'."""
        if self._automaton is None:
            return {}
        text = f" {question} "
        spans = sorted(
            ((end - len(form) + 1, end + 1, form) for end, form in self._automaton.iter(text)),
            key=lambda span: (span[0] - span[1], span[0]),
        )
        taken: list[tuple[int, int]] = []
        found: dict[str, tuple[int, ...]] = {}
        for start, end, form in spans:
            if not any(start < other_end - 1 and other < end - 1 for other, other_end in taken):
                taken.append((start, end))
                found[form.strip()] = self._documents[form]
        return found


def certainty(form: str, documents: int) -> float:
    """Return how certainly a form means one document, 0-1: less if it is short or several documents have it."""
    weight = 1.0 if " " in form or len(form) > _SHORT_LENGTH else _SHORT
    return weight / math.sqrt(max(documents, 1))
