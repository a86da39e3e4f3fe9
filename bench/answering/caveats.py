"""Measures how often passages answer the question, for each sentence that stands above them.

Run: ``python -m bench.answering.caveats [FIELD ...]``. Only questions with one block are counted, because the gold of a
question is not divided among its parts. "First right" means that the first passage has every statement that an answer
must have; "right" means that the passages shown have them together.
"""

from __future__ import annotations

import argparse
from collections import Counter

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from rabbithole.steps.response.caveat import caveat

from .selection_sets import REAL, UNSEEN, Asked
from .selection_sets import load as load_set
from .wild_answers import says

LEVELS = ("", "response.likely", "response.closest", "response.none", "response.unlikely")

COUNTED = ("questions", "first right", "right", "in part", "unanswerable")


def counted(kb: KnowledgeBase, asked: Asked) -> tuple[str, Counter[str]] | None:
    """Return the sentence's key and what the passages below it say; None if the answer has not exactly one block."""
    response = respond(kb, understand(kb, asked.text, "de" if asked.language == "de" else "en"))
    if len(response.blocks) != 1 or not response.blocks[0].passages:
        return None
    block = response.blocks[0]
    texts = [f"{one.head} {one.text}" for one in block.passages]
    found = Counter(questions=1)
    if not asked.answerable:
        return caveat(block), found + Counter(unanswerable=1)
    first, shown = says(texts[0], asked.musts), says(" ".join(texts), asked.musts)
    return caveat(block), found + Counter({"first right": all(first), "right": all(shown), "in part": any(shown)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("fields", nargs="*", default=(*REAL, *UNSEEN), help="collections; all where none is named")
    table: dict[str, Counter[str]] = {level: Counter() for level in LEVELS}
    for field in parser.parse_args().fields:
        kb, questions = load_set(field)
        with kb:
            for one in questions:
                if (row := counted(kb, one)) is not None:
                    table.setdefault(row[0], Counter()).update(row[1])
    for level, found in table.items():
        said = "  ".join(
            f"{key} {found[key]:3}" for key in ("questions", "first right", "right", "in part", "unanswerable")
        )
        print(f"{level.removeprefix('response.') or 'no caveat':10} {said}", flush=True)


if __name__ == "__main__":
    main()
