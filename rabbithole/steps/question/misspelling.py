"""Decides which word of the collection a word that no passage has was meant to be.

Most words that no passage has are words of the language all the same ("verklagen" where the documents have
"verlagern"), so that a near word alone says little. A mistyped word looks less like a word than the one that was meant.
The limits were chosen on 2,022 cases in which a collection in the same language does not have a word of our questions
(three are read wrongly; 214 by the near word alone), and on 1,282 words with one random edit, not of the first letter
(half are recognised, one of 160 is read as another word).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

from rabbithole.kb.models import Model

Edit = Literal["slip", "left out", "other"]
SHORTEST, LONGEST = 5, 40
"""Letters of the words that may be read as others; what is tried grows with the square of a word's length."""
_SLIP, _LEFT_OUT, _OTHER = 2.0, 6.0, 8.0
"""How much more likely than the word written the word meant must be (natural logarithm), by kind of edit."""
_LONG = 9
"""Number of letters from which on a word that lacks one is seldom another word."""
_NO_WORD = -24.0
"""A word more likely than this may be one by itself; only slips of the fingers are mended in it."""
_CLEARLY = 3
"""How many times as many chunks the word meant must be in as the next one."""


class NearWord(Model):
    """A word of the collection one edit away: its stem, the chunks with it, and how much it looks like a word."""

    word: str
    stem: str
    chunks: int
    likelihood: float


def plausible(written: str, likelihood: float, near: str, near_likelihood: float) -> bool:
    """Return whether one may have meant ``near`` and written ``written``; the likelihoods are logarithms."""
    gain = near_likelihood - likelihood
    edit = _edit(written, near)
    if edit == "slip":
        return gain >= _SLIP
    if edit == "left out" and len(written) >= _LONG:
        return gain >= _LEFT_OUT
    return gain >= _OTHER and likelihood <= _NO_WORD


def meant(near: Sequence[NearWord]) -> str:
    """Return the word meant among the plausible ones: the only one, or the one that is clearly most frequent, else ''.

    Forms of one word count as one.
    """
    ordered = sorted(near, key=lambda one: (-one.chunks, one.stem, -one.likelihood))
    words = [next(forms) for _, forms in groupby(ordered, key=lambda one: one.stem)]
    if not words or (len(words) > 1 and words[0].chunks < _CLEARLY * words[1].chunks):
        return ""
    return words[0].word


def _edit(written: str, near: str) -> Edit:
    """Return the kind of edit.

    A "slip" is two letters swapped, one of two equal letters left out, or one doubled. These seldom make another word.
    "left out" is any other letter that is missing in what is written.
    """
    if len(written) == len(near):
        at = next((at for at, pair in enumerate(zip(written, near, strict=True)) if pair[0] != pair[1]), 0)
        return "slip" if written[at : at + 2] == near[at : at + 2][::-1] else "other"
    longer, shorter = sorted((written, near), key=len, reverse=True)
    doubled = (at for at in range(1, len(longer)) if longer[at] == longer[at - 1])
    if any(longer[:at] + longer[at + 1 :] == shorter for at in doubled):
        return "slip"
    return "left out" if longer == near else "other"
