"""The content words of a question: stems for comparison, concepts and entities for display.

Stemming and stop words are Tantivy's (Snowball), as in the keyword index.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

# Words that only serve to ask and say nothing about the subject.
_ASKING = {
    "de": """
gelten gilt geltend gibt geben darf dürfen muss müssen kann können soll sollen welche welcher welches welchen
welchem wann warum wieso weshalb worin wodurch wofür wovon womit wie wer wen wem was wo ob bitte frage fragen
lange oft erklären nennen nenne finde suche sagt sagen steht laut gemäß nach unter wird werden wurde sowie
jeweils davon dafür dabei hierzu sei passiert passieren geschieht braucht brauchen benötigt
seien hat haben besteht bestehen insbesondere bezüglich hinsichtlich abs absatz satz nr nummer
verlangt verlangen fordert fordern schreibt schreiben regelt regeln vorsieht vorgeschrieben empfiehlt empfehlen
viel viele vieler vielen beim ins ans zum zur mich mir uns unser unsere unserem unseren unserer mein meine meinem meinen
meiner
dein deine sein seine seinem seinen seiner ihr ihre ihrem ihren ihrer habe hatte hatten bin bist wäre wären würde
würden hätte hätten dort hier dann denn noch schon wieder jemand etwas
""",
    "en": """
does do did which what who whom whose where when why how shall must may might can could should would please explain
tell say says said find according regarding concerning about there any also under apply applies applied against
between into
during before after above below more most other some such only own same so
than too long much many often far very from up down out off over
again further then once here all both each few nor just don its it's happen happens happened need needs needed
require requires prescribe prescribes demand demands specify specifies recommend recommends stipulate stipulates
have has had having been being am were we our ours us me my mine you your yours he him his she her hers they them their
theirs ones someone something anyone anything
""",
}
_PRONOUNS = frozenset("ich du er es sie Sie wir man".split())
_WORD = re.compile(r"[^\W_](?:[\w'’./-]*\w)?")
_SHORT = r"[^\W_]|\d+|[A-ZÄÖÜ][^\W_]*"
SLASHED = rf"(?<![\w/\\.:])(?:[^\W_]/(?:{_SHORT})|(?:{_SHORT})/[^\W_])(?![\w/\\]|[.:]\w)"
"""An abbreviation with a slash, one side of which is a single letter or digit: 'I/O', 'n/a', '24/7', 'OS/2'."""
_SLASHED = re.compile(SLASHED)
_PLURAL = re.compile(r"(?<=/[A-Z])s\Z")
_ENTITY = re.compile(
    r"§§?\s?\d+\w?(?:\s(?:Absatz|Abs\.|Satz|Nummer|Nr\.)\s?\d+\w?(?:(?:,|\sund|\soder|\sbis)\s\d+\w?)*)*"
    r"(?:\s(?:(?:der|des)\s)?(?:[A-ZÄÖÜ]\w*[A-ZÄÖÜ]\w*|[A-ZÄÖÜ]\w+(?:gesetz|gesetzes|buch|buchs|buches|ordnung|verordnung)\b))?"
    r"|\b(?:Art(?:ikel|\.)|Section|Annex|Anlage|Anhang)\s[\dA-Z][\d.\w]*"
    r"|\b[A-ZÄÖÜ][\w-]*[A-ZÄÖÜ]\w*(?:[\s-](?:Nr\.\s|Publication\s|SRS\sNo\.\s)?\d[\d.:/-]*\d|\s\d)?"
    r"|\b[A-Z]{2,}\b"
)
_CONTRACTION = re.compile(r"\b[a-z]+n['’]t\b", re.IGNORECASE)
_PHRASE_BREAK = re.compile(r"[,;:.?!()\[\]„“”\"»«]|\s[-–]\s")
_GERMAN_MODIFIER = re.compile(r"[a-zäöüß]{4,}(?:e|en|em|er|es|lich|isch|ig|bar|iert|ell)$")


@lru_cache(maxsize=8)
def _analyzer(language: str) -> TextAnalyzer:
    name = "english" if language == "en" else "german"
    asking = _ASKING["en" if language == "en" else "de"].split()
    return (
        TextAnalyzerBuilder(Tokenizer.simple())
        .filter(Filter.lowercase())
        .filter(Filter.stopword(name))
        .filter(Filter.custom_stopword(asking))
        .filter(Filter.stemmer(name))
        .build()
    )


@lru_cache(maxsize=65536)
def stems(text: str, language: str) -> tuple[str, ...]:
    """Return the stemmed content words in order, without stop words, asking words and contractions ("won't").

    Of single letters and digits only those of a term with a slash count ('i/o'). It stands before its longer part,
    which is a word as well: 'OS/2' has the stems 'os/2' and 'os'.
    """
    text = without_contractions(text, language)
    if "/" not in text:
        return _plain_stems(text, language)
    found: list[str] = []
    at = 0
    for term in _SLASHED.finditer(text):
        found += [*_plain_stems(text[at : term.start()], language), _PLURAL.sub("", term[0]).lower()]
        at = term.start()
    return (*found, *_plain_stems(text[at:], language))


def _plain_stems(text: str, language: str) -> tuple[str, ...]:
    return tuple(stem for stem in _analyzer(language).analyze(text) if len(stem) > 1)


def without_contractions(text: str, language: str) -> str:
    """Return an English text with "not" for "won't" and "isn’t", which begin with no word of their own."""
    return _CONTRACTION.sub("not", text) if language == "en" and ("'" in text or "’" in text) else text


def stem_set(text: str, language: str) -> frozenset[str]:
    return frozenset(stems(text, language))


def entities(text: str) -> tuple[str, ...]:
    """Return names such as '§ 78 StrlSchG', 'KTA 1401', 'TLS 1.3', in order, once each."""
    return tuple(dict.fromkeys(" ".join(match.group().split()).rstrip(".") for match in _ENTITY.finditer(text)))


def concepts(text: str, language: str, limit: int = 8) -> tuple[str, ...]:
    """Return the salient noun phrases of a question, in order of appearance, once each."""
    phrases = _german_phrases(text) if language == "de" else _english_phrases(text)
    kept: list[str] = []
    for phrase in phrases:
        key = stem_set(phrase, language)
        if key and not any(key <= stem_set(other, language) for other in kept):
            kept = [other for other in kept if not stem_set(other, language) < key]
            kept.append(phrase)
    return tuple(kept[:limit])


def salient(texts: Iterable[str], language: str, exclude: Sequence[str] = (), limit: int = 8) -> tuple[str, ...]:
    """Return noun phrases that occur in several texts, most frequent first, except those with words of ``exclude``."""
    known = frozenset(stem for text in exclude for stem in stems(text, language))
    counts: Counter[str] = Counter()
    for text in texts:
        seen = set(_german_phrases(text) if language == "de" else _english_phrases(text))
        counts.update(phrase for phrase in seen if len(phrase) > 4)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    fresh = (phrase for phrase, count in ranked if count > 1 and not stem_set(phrase, language) & known)
    return tuple(phrase for _, phrase in zip(range(limit), fresh, strict=False))


def _german_phrases(text: str) -> list[str]:
    """Return capitalised nouns with up to two modifiers before them: 'beruflich exponierte Personen'."""
    found: list[str] = []
    for part in _PHRASE_BREAK.split(text):
        words = _WORD.findall(part)
        for position, word in enumerate(words):
            if not word[:1].isupper() or len(word) < 3 or not stems(word, "de") or _initial(words, position, word):
                continue
            first = position
            while first > 0 and position - first < 2 and _modifier(words[first - 1]):
                first -= 1
            found.append(" ".join(words[first : position + 1]))
    return found


def _initial(words: Sequence[str], position: int, word: str) -> bool:
    """Return whether a word may be capitalised only because it begins the sentence: short, or a verb before a pronoun.

    It has no other capitals.
    """
    if position or len(words) < 2 or any(letter.isupper() for letter in word[1:]):
        return False
    return len(word) < 6 or words[1] in _PRONOUNS


def _modifier(word: str) -> bool:
    return word[:1].islower() and bool(_GERMAN_MODIFIER.search(word)) and bool(stems(word, "de"))


def _english_phrases(text: str) -> list[str]:
    """Return runs of content words (Rose et al. 2010, RAKE), at most three words long."""
    found: list[str] = []
    for part in re.split(r"[,;:?!()\[\]„“”\"»«]|\.\s|\s[-–]\s", text):
        run: list[str] = []
        for word in [*_WORD.findall(part), ""]:
            if word and stems(word, "en"):
                run.append(word)
                continue
            if run:
                found.append(" ".join(run[-3:]))
            run = []
    return [phrase for phrase in found if len(phrase) > 2]
