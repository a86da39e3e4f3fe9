"""Patterns of elliptical follow-ups, which leave out what the question before says: 'And for a hotel?'"""

from __future__ import annotations

import re

ELLIPSIS = re.compile(
    r"\A\W*(?:(?:und|oder|aber|and|or|but)\s+)?(?:(?:what|how) about|was ist mit|was gilt für(?!\s+\w+\s+\w+\s+\w+)|"
    r"wie (?:ist|sieht|verhält|steht) es(?: sich)?(?: aus)?(?= (?:bei|mit|für|um))|(?:und|and|or|"
    r"oder)(?=\s))\s*(?P<rest>[^?.!]{2,80})[?.!\s]*\Z",
    re.IGNORECASE,
)
APPLIES_TOO = re.compile(
    r"\A\W*(?:(?:und|aber|and|but)\s+)?(?:"
    r"(?:gilt|gelten|ist|sind|wäre|war|trifft)\s+(?:das|dies|es|dasselbe|das gleiche)\s+"
    r"(?:(?:genauso|ebenso|auch|denn|so)\s+)*(?P<de>(?:für|bei|beim|in|im|auf)\s+[^?.!]{2,60}?)"
    r"(?:\s+(?:auch|so|genauso|ebenso|anders|zu))*|"
    r"(?:does|do|would|is|was)\s+(?:that|this|it|the same)\s+(?:(?:also|only|the same|true|different|valid)\s+)*"
    r"(?:(?:apply|hold|go|count)\s+)?(?:(?:also|too)\s+)?(?:to|for|in|with)\s+(?P<en>[^?.!]{2,60}?)"
    r"(?:,?\s+(?:too|as well|also))?)\s*[?.!]*\Z",
    re.IGNORECASE,
)
"""Whether the answer before also holds for something else: the question before is asked of that."""
CONDITION = re.compile(
    r"\A(?:wenn|falls|sofern|sobald|if|unless|solange|as long as|in case|"
    r"when(?!\s+(?:is|are|was|were|do|does|did|must|may|can|could|should|shall|will|would|has|have|had)\b))\b",
    re.IGNORECASE,
)
PREPOSITIONS = (
    r"für|bei|beim|mit|ohne|in|im|ins|nach|von|vom|zu[mr]?|auf|aufs|an|am|ans|unter|über|aus|gegen|durch|vor|ab|seit|"
    r"während|innerhalb|außerhalb|"
    r"for|with|without|at|of|on|by|to|under|over|after|before|from|against|during|within|outside|about|regarding|"
    r"concerning"
)
PREPOSITION = re.compile(rf"\A(?P<word>{PREPOSITIONS})\s+", re.IGNORECASE)
OF_SUBJECT = re.compile(
    r"\A\W*(?:(?:und|oder|aber)\s+)?"
    r"(?:was ist mit|wie (?:ist|sieht|verhält|steht) es(?: sich)?(?: aus)?(?= (?:mit|um)))\s",
    re.IGNORECASE,
)
"""Beginnings whose preposition only says what is asked about: 'Wie ist es mit Hotels?'"""
ADVERB = {
    "de": re.compile(r"[a-zäöüß -]+"),
    "en": re.compile(
        r"(?:abroad|overseas|online|offline|(?:in|out)doors|outside|inside|elsewhere|later|afterwards|today|tonight|"
        r"tomorrow|now|(?:part|full)[- ]time|[a-z]{2,}ly)"
    ),
}
"""What needs no preposition behind a question: 'sonntags', 'abroad'."""
