"""Leaves out the "No," with which a quotation answers another question than the one asked. Pure.

An entry of a list of questions and answers that begins with it reads as the answer to the person's question, and may
mean the opposite.
"""

from __future__ import annotations

import re

from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.selection import QuestionPart

_ANSWER = re.compile(r"\A\s*(?:Yes|No|Nope|Ja|Nein|Doch)\s*[,.;:!–—-]+\s+(?=\S)")
_MOSTLY = 0.5
"""Minimum share of the words of a part of the question that the heading has if it asks the same."""


def answer_to_another(text: str, heading: str, part: QuestionPart) -> int:
    """Return the length of the "No," or "Yes," with which a text answers the question of its heading; 0 if none.

    It is 0, too, if the heading has most of the words of the part asked: then the answer is to this question.
    """
    found = _ANSWER.match(text)
    if found is None or "?" not in heading or not part.terms:
        return 0
    asked = {term.stem for term in part.terms}
    same = len(asked & stem_set(heading, part.language)) >= _MOSTLY * len(asked)
    return 0 if same else found.end()
