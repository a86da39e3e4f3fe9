"""Asks for sections by their headings, which our own questions never do, and prints how often one leads the answer.

Run: ``python -m bench.answering.headings [COLLECTION ...] [--count N] [--show]`` (knowledge bases in ``build/wild``).
The headings are drawn with a fixed seed from those of two to nine longer words that stand once in the collection, above
at least 250 characters. Every second one is asked as it is, the others within a question.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from pathlib import Path

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Section
from rabbithole.steps.question import understand
from rabbithole.steps.response.choosing import Chooser

COLLECTIONS = ("nist", "papers", "ordnungen", "gesetze", "guides", "handbuch", "rfc", "specs", "werke")
SEED, LEAST_TEXT = 7, 250
_LONGER = re.compile(r"\w{4,}")
_NO_SUBJECT = re.compile(
    r"\b(?:contents|references|introduction|acknowledg\w*|inhalt\w*|literatur\w*)\b", re.IGNORECASE
)
_ASKED = {"de": "Was gilt für: {heading}?", "en": "What does it say about {heading}?"}


def headings(kb: KnowledgeBase, count: int) -> list[tuple[Section, str, str]]:
    """Return sections with their heading and the language of their document."""
    every = [
        (section, " ".join(section.heading.split()), "de" if document.language == "de" else "en")
        for document in kb.documents()
        for section in kb.outline(document.id)
        if section.own_end - section.start > LEAST_TEXT
    ]
    usual = [one for one in every if 2 <= len(_LONGER.findall(one[1])) <= 9 and not _NO_SUBJECT.search(one[1])]
    times = Counter(heading.casefold() for _, heading, _ in usual)
    single = [one for one in usual if times[one[1].casefold()] == 1]
    return random.Random(SEED).sample(single, min(count, len(single)))


def leads(kb: KnowledgeBase, section: Section, question: str, language: str) -> bool | None:
    """Return whether the first passage chosen is in the section; None if the search did not find the section."""
    understood = understand(kb, question, "de" if language == "de" else "en")
    chosen = Chooser(kb, understood, (), (), ()).choose(understood.parts[0])
    inside = [
        one.document == section.document and one.start < section.end and section.start < one.end
        for one in chosen.candidates
    ]
    units = chosen.selection.units
    if not any(inside) or not units:
        return None
    return units[0].unit.document == section.document and section.start <= units[0].unit.start < section.end


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("collections", nargs="*", default=COLLECTIONS)
    parser.add_argument("--count", type=int, default=14, help="headings of each collection")
    parser.add_argument("--show", action="store_true", help="print the headings that do not lead the answer")
    options = parser.parse_args()
    total: Counter[bool | None] = Counter()
    for name in options.collections:
        own: Counter[bool | None] = Counter()
        with KnowledgeBase.open(Path("build/wild") / name) as kb:
            for at, (section, heading, language) in enumerate(headings(kb, options.count)):
                question = heading if at % 2 else _ASKED[language].format(heading=heading)
                led = leads(kb, section, question, language)
                own[led] += 1
                if options.show and not led:
                    print(f"  {'not found' if led is None else 'not first'}: {question}")
        print(f"{name:12} first {own[True]} of {own[True] + own[False]} found, {own[None]} not found", flush=True)
        total += own
    found = total[True] + total[False]
    print(f"{'all':12} first {total[True] / max(found, 1):.3f} of {found} found, {total[None]} not found")


if __name__ == "__main__":
    main()
