"""Finds section numbers in a question that stand without a word such as "section": "What does 2.3.59.4 say?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rabbithole.kb.models import Reference

_NUMBER = re.compile(r"(?<![\w.,:/§-])\d{1,3}(?:\.\d{1,3})+(?![\w:/%-]|[.,]\d)")
_WORD_BEFORE = re.compile(r"([\w’'-]+)[\s(]+\Z")
_VERSION = re.compile(r"(?:version|release|edition|revision|fassung|ausgabe|v|rev)", re.IGNORECASE)
"""A word before a number that is no section's."""
_DOCUMENT_AFTER = re.compile(r"\s+(?:of|in|from|der|des|dem|im|von|aus)\s+\S")
_CERTAIN, _LEAST = 4, 3
"""Parts of a number from which it is a section's whatever stands before, and from which it is one by itself."""


def bare_numbers(
    query: str, found: Sequence[Reference], held: Callable[[str], bool], names: Callable[[str], bool]
) -> list[Reference]:
    """Return references for dotted numbers that are those of sections, in the order of the question.

    A number after a name may be a version ("GCC 4.2.1"), and one with two parts a value ("1.5"): the first must follow
    the name of a document, the second must be followed by one ("6.3 of the manual").

    Args:
        query: the question.
        found: references already detected in it; their words are left alone.
        held: whether a document of the collection has a section with a number.
        names: whether a word is in the name of a document.
    """
    references = []
    for match in _NUMBER.finditer(query):
        number, parts = match[0], match[0].count(".") + 1
        if any(number in one.text for one in found) or not held(number):
            continue
        before = _WORD_BEFORE.search(query[: match.start()])
        called = before[1] if before is not None and before.start() > 0 and not before[1][0].islower() else ""
        if before is not None and _VERSION.fullmatch(before[1]):
            continue
        if parts < _CERTAIN and called and not names(called):
            continue
        if parts < _LEAST and _DOCUMENT_AFTER.match(query, match.end()) is None:
            continue
        references.append(
            Reference(
                start=match.start(), end=match.end(), text=number, kind="section", target=f"section {number}",
                path=(("section", number),),
            )
        )  # fmt: skip
    return references
