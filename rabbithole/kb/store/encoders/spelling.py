"""How much a word looks like one of the languages, by the vocabulary of the built-in encoder.

Its 128,000 pieces were learned from texts in 16 languages (SentencePiece; Kudo and Richardson, 2018). A word that is
spelled right is one or two frequent pieces; a mistyped one falls into more and rarer ones.
"""

from __future__ import annotations

from .multilingual import vocabulary


def likelihood(word: str) -> float:
    """Return the logarithm of a word's probability as a sequence of pieces, written small or as a noun.

    >>> likelihood("mitgliedschaft") > likelihood("mitgleidschaft") + 10
    True
    """
    pieces = vocabulary()
    forms = (word, word[:1].upper() + word[1:])
    return max(sum(map(pieces.get_score, pieces.encode(form))) for form in forms)
