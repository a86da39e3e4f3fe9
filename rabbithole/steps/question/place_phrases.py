"""The words around a place in a question that name its document: "section 9.2 of the KiCad calculator manual"."""

from __future__ import annotations

import re

from rabbithole.kb.references.names.file_parts import KIND_OF_DOCUMENT

_VERBS = (
    r"says?|states?|requires?|defines?|contains?|describes?|means?|covers?|recommends?|specif(?:y|ies|ied)|tells?|provides?|"
    r"prescribes?|lets?|asks?|allows?|permits?|obliges?|forbids?|prohibits?|demands?|needs?|wants?|gives?|grants?|makes?|"
    r"appl(?:y|ies)|mentions?|leaves?|expects?|protects?|treats?|happens?|do(?:es)?|did|is|are|was|were|be|has|have|had|can|"
    r"could|must|shall|should|will|would|might|steht|stehen|sagt|regelt|bestimmt|enthält|beschreibt|empfiehlt|verlangt|"
    r"schreibt|ist|sind|war|waren|hat|haben|gilt|gelten|darf|dürfen|muss|müssen|kann|können|soll|sollen|wird|werden|erlaubt|"
    r"verbietet|fordert|nennt|gibt|macht|lässt|meint|bedeutet|heißt"
)
"""Forms of verbs that end the name of a document, unless a word for one follows: "the grant agreement"."""
_ABOUT = (
    rf"(?:(?:{_VERBS}|I)(?!\s+{KIND_OF_DOCUMENT}(?!\w))|about|on|regarding|concerning|for|über|zu[mr]?|für|bei|vor|hinsichtlich|bezüglich|"
    r"(?:my|our|your|his|her|its|their|mein|dein|sein|ihr|unser|euer|eur)(?:e[mnrs]?)?|"
    r"me|we|us|you|he|him|she|it|they|them|this|that|these|those|who|what|which|when|where|if|whether|how|why|may|"
    r"ich|mich|mir|du|dich|dir|er|sie|es|ihn|ihm|wir|uns|euch|man|wer|was|wenn|ob|wann|wie|wo|dass|welche[mnrs]?)(?![\w’'-])"
)
"""Words at which the name of a document ends: prepositions, finite verbs, pronouns; possessives begin no name."""
_IN = r"\s+(?:der|des|dem|im|(?:in|aus) (?:der|dem)|von|of|in|from)\b"
_ABBREVIATED = r"(?:St|Dr|Prof|Nr|No|Vol|Bd|Inc|Ltd|Co)\."
_NAME = rf"(?:\s+(?!{_ABOUT})(?:{_ABBREVIATED}|[\w’'/-]+(?:\.[\w’'/-]+)*)){{0,6}}"
"""Up to six words of one sentence."""
_UNFINISHED = re.compile(
    r"(?:\s+(?:of|in|from|to|and|or|the|a|an|with|by|der|des|dem|den|die|das|und|oder|im|von|aus|mit))+\s*\Z"
)
"""Small words that are left where a name ends: "the constitution of" in "the constitution of our club"."""


def without_place(text: str, place: str) -> str:
    """Return a text without a place and the words after it that name its document."""
    return re.sub(re.escape(place) + _named(place), " ", text)


def document_words(text: str, place: str) -> str:
    """Return the words after a place that name its document; empty if it stands alone."""
    match = re.search(re.escape(place) + f"({_named(place)})", text)
    return _UNFINISHED.sub("", match[1]).strip() if match and match[1] else ""


def _named(place: str) -> str:
    return _NAME if re.search(_IN, place) else f"(?:{_IN}{_NAME})?"
