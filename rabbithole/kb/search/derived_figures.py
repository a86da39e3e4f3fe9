"""Expand questions on derived figures: the document does not state the ratio asked for, but the items it is made of.

Some figures stand in statements under another name only ("capex", "EPS", "buyback"); their items are that name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

SHARE = 0.3
"""Weight of the search for a figure's inputs, against that for the question's words."""
_WHOLE = 4
"""Maximum number of characters of a term that must be a whole word: "EPS" is not the beginning of "epsilon"."""


def inputs(query: str) -> str:
    """Return the words under which documents give the inputs of the figures in a question; '' if it has none.

    >>> inputs("What was the quick ratio in 2020?").split()[:2]
    ['current', 'assets']
    """
    words = " ".join(item for items in figures(query).values() for item in items)
    return " ".join(dict.fromkeys(words.split()))


def figures(query: str) -> Mapping[str, tuple[str, ...]]:
    """Return the figures that a question asks for, each with the items it is made of or that stand for it.

    >>> figures("What was the current ratio?")["current ratio"]
    ('total current assets', 'total current liabilities', 'balance sheet')
    """
    text = " ".join(query.casefold().split())
    return {term: items for term, items in _terms().items() if re.search(_pattern(term), text)}


def _pattern(term: str) -> str:
    return rf"\b{re.escape(term)}" + (r"\b" if len(term) <= _WHOLE else "")


@lru_cache(maxsize=1)
def _terms() -> Mapping[str, tuple[str, ...]]:
    terms: dict[str, list[str]] = json.loads((files(__package__) / "derived_figures.json").read_text(encoding="utf-8"))
    return {term: tuple(items) for term, items in terms.items()}
