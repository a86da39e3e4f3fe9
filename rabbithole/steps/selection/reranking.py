"""Rereads the best few units with an encoder trained on questions and answers (``kb/store/encoders/answer_reader.py``).

It compares them with the whole question, because the words that a part leaves out decide which passage it means.
Measured in ``bench/answering/selection_train.py``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from rabbithole.kb.store.encoders.answer_reader import AnswerReader

from .models import QuestionPart
from .nearness import Floats
from .sentence_rows import Row
from .units.candidate_units import Opened

READ = 24
"""Units that are reread, ranked by their best sentence."""
USUAL = 1.3
"""Mean of E5's nearness over the question sets."""
_CHARACTERS = 1500
TITLE = 120
"""Maximum number of characters of a document's title above a unit that is read."""


def reread(
    reader: AnswerReader, part: QuestionPart, opened: Sequence[Opened], sentences: Sequence[Row], scores: Floats
) -> Floats:
    """Return for each row how near its unit is to the question; NaN if the unit is not among the first ``READ``."""
    first, question = first_units(sentences, scores), part.whole or part.text
    values = reader.nearness(question, [said(opened[at], question) for at in first])
    near = dict(zip(first, values, strict=True))
    return np.array([near.get(row.opened, np.nan) for row in sentences], dtype=np.float64)


def first_units(sentences: Sequence[Row], scores: Floats, most: int = READ) -> list[int]:
    """Return the units to read, best first."""
    order = np.argsort(-scores, kind="stable")
    return list(dict.fromkeys(sentences[at].opened for at in order))[:most]


def said(one: Opened, question: str) -> str:
    """Return the text of a unit with its document's title, heading and list head, up to 1,500 characters.

    The title tells passages of different documents apart that say the same (docs/rejected.md has it without), and so
    does the name that the question has and the document is about: "The Google File System (GFS)".
    """
    unit, title = one.unit, one.title[:TITLE]
    names = [name for name in one.subjects if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question)]
    own = f"{title} ({', '.join(names)})" if names and not any(name in title for name in names) else title
    return " ".join(f"{own} {one.heading}: {unit.head} {unit.text}".split())[:_CHARACTERS]


def reranked(scores: Floats, read: Floats, weight: float) -> Floats:
    """Return the scores lowered by ``weight`` times what each unit is farther away than the nearest.

    Units that were not reread count as the farthest.
    """
    if not np.isfinite(read).any():
        return scores
    near = np.where(np.isfinite(read), read, np.nanmin(read))
    return np.asarray(scores + weight * (near - near.max()))
