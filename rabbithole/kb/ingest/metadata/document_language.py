"""Detects the language of a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lingua import LanguageDetector

SAMPLE = 300
"""Characters of each sample."""
SAMPLES = 12
"""Number of samples: a licence, a list of literature or a foreword in another language fills a few of them."""
MIN_LETTERS = 20
MIN_CONFIDENCE = 0.6
MIN_SHARE = 0.5
"""Minimum share of the samples that are in the language of the text."""
MIN_OWN = 2000
"""Minimum number of characters of the document's own sections for them to decide."""
_OF_OTHERS = re.compile(
    r"\b(?:literatur(?:verzeichnis|hinweise|liste)?|quellen(?:verzeichnis)?|bibliogra(?:phy|phie|fie)|(?<!cross-)references|"
    r"works cited|further reading|licen[cs]es?|lizenz(?:en|text|bedingungen)?|copying)\b",
    re.IGNORECASE,
)
"""Headings of texts that may be in another language than the document: licences and lists of literature."""


def texts_of_others(sections: Sequence[tuple[str, int, int]]) -> list[tuple[int, int]]:
    """Return the spans of licences and lists of literature; ``sections`` are (heading, start, end)."""
    return [(start, end) for heading, start, end in sections if _OF_OTHERS.search(heading)]


def own_text(text: str, left_out: Sequence[tuple[int, int]]) -> str:
    """Return the text without the spans ``left_out``, or all of it if little else is left."""
    parts: list[str] = []
    place = 0
    for start, end in sorted(left_out):
        parts.append(text[place : max(start, place)])
        place = max(end, place)
    own = " ".join((*parts, text[place:]))
    return own if len(own) >= MIN_OWN else text


def detect_language(text: str) -> str:
    """Return "de" or "en", another language's code, or "und" if the text is too short or the result unsure.

    A long text is judged by samples from all of it, each by itself.
    """
    found = [language for sample in samples(text) if (language := _language_of(sample))]
    return most_of(found)


def samples(text: str) -> list[str]:
    """Return pieces that are spread evenly over a text; a short text is one piece."""
    if len(text) <= SAMPLES * SAMPLE:
        return [text]
    starts = [place * (len(text) - SAMPLE) // (SAMPLES - 1) for place in range(SAMPLES)]
    return [text[start : start + SAMPLE] for start in starts]


def most_of(languages: list[str]) -> str:
    """Return the language that at least half of the samples are in, or "und". "und" is a vote, too."""
    best, count = Counter(languages).most_common(1)[0] if languages else ("und", 0)
    return best if count >= MIN_SHARE * len(languages) else "und"


def _language_of(sample: str) -> str:
    """Return the code of a sample's language, "und" if that is unsure, or "" if it has hardly any letters."""
    if sum(map(str.isalpha, sample)) < MIN_LETTERS:
        return ""
    best = _detector().compute_language_confidence_values(sample)[0]
    code: str = best.language.iso_code_639_1.name.lower()
    return code if best.value >= MIN_CONFIDENCE else "und"


@lru_cache(maxsize=1)
def _detector() -> LanguageDetector:
    # Imported here because its models take half a second, which a run over unchanged files does not need.
    from lingua import Language, LanguageDetectorBuilder  # noqa: PLC0415

    languages = (Language.GERMAN, Language.ENGLISH, Language.FRENCH, Language.SPANISH, Language.ITALIAN, Language.DUTCH)
    return LanguageDetectorBuilder.from_languages(*languages).with_low_accuracy_mode().build()
