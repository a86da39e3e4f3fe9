"""Expand questions on derived figures: the document does not state the ratio asked for, but the items it is made of."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

SHARE = 0.3
"""Weight of the search for a figure's inputs, against that for the question's words."""


def inputs(query: str) -> str:
    """Return the words under which documents give the inputs of the figures in a question; '' if it has none.

    >>> inputs("What was the quick ratio in 2020?").split()[:2]
    ['current', 'assets']
    """
    text = " ".join(query.casefold().split())
    found = (words for term, words in _terms().items() if re.search(rf"\b{re.escape(term)}", text))
    return " ".join(dict.fromkeys(" ".join(found).split()))


@lru_cache(maxsize=1)
def _terms() -> Mapping[str, str]:
    terms: dict[str, str] = json.loads((files(__package__) / "derived_figures.json").read_text(encoding="utf-8"))
    return terms
