"""The subject of a question or task, without the words that only say what is wanted."""

from __future__ import annotations

import re
from functools import lru_cache

from rabbithole.steps.phrases import phrases

from .aspects import is_cue
from .measure_words import ALL_WORDS
from .terms import SLASHED, concepts, stem_set, without_contractions

_GAP = 12  # characters between two concepts that belong together: 'Grenzwerte der effektiven Dosis'
_CUE_WEIGHT = 0.35
_POINTING = re.compile(
    r"\b(?:davon|dafür|dabei|dazu|darüber|darin|hiervon|hierzu|hierfür|that|this|it|them|these|those)\b", re.IGNORECASE
)
_NAME = (
    r"(?P<name>[A-ZÄÖÜ][\w-]*[A-ZÄÖÜ\d][\w-]*(?:[ -](?:[A-ZÄÖÜ][\w-]*[A-ZÄÖÜ\d][\w-]*|\d[\w.:/-]*\w|\d))*"
    r"|(?!(?:An|Zu|Un|Ein|Rang)ordnung\b)"
    r"[A-ZÄÖÜ]\w*(?:gesetz|ordnung|richtlinie|satzung|bericht|buch|norm)\b(?: [A-ZÄÖÜ]\w+)?)"
)
_SAYS = (
    r"(?:say|state|require|prescribe|demand|specify|recommend|stipulate|define|provide|contain|regulate|mention|"
    r"describe)"
)
_SOURCE = re.compile(
    rf"\b(?:(?i:does)\s+(?:the\s+)?(?=(?:\S+\s+){{1,6}}?{_SAYS}\b)|(?i:according to|pursuant to)\s+(?:the\s+)?"
    rf"|(?i:laut|nach|gemäß)\s+(?:(?:der|dem)\s+)?"
    rf"|(?i:verlangt|fordert|regelt|schreibt|bestimmt|sagt|empfiehlt|unterstellt|enthält)\s+(?:(?:das|die|der)\s+)?){_NAME}"
)
_MEASURE = re.compile(
    rf"(?P<how>\b(?:how|wie) )(?:{ALL_WORDS})\b|"
    r"\b(?:at (?:the )?(?:most|least|earliest|latest)|höchstens|mindestens|maximal|minimal|wenigstens|frühestens|"
    r"spätestens|still|already|anymore|really|actually|currently|today|nowadays|now|yet|exactly|"
    r"noch|schon|bereits|überhaupt|eigentlich|wirklich|heute|derzeit|genau|mal)\b",
    re.IGNORECASE,
)
"""Words that only ask for a measure, or bound it, because the answer states it in figures, and words of emphasis."""
_WORD = re.compile(rf"{SLASHED}|[^\W_][\w-]*")
_JOINING = re.compile(r"\s(?:(?:der|des|die|das|von|vom|zur|zum|für|of|the|for|in|im|an?)\s)*")


@lru_cache(maxsize=4)
def _planning_words(language: str) -> frozenset[str]:
    """Return the stems of the fixed words in generated tasks: 'Ausnahmen und Abweichungen zu ... ermitteln'."""
    fixed = (text for key, text in phrases(language).items() if key.startswith("reasoning.task_"))
    return frozenset().union(*(stem_set(re.sub(r"\{\w+\}", " ", text), language) for text in fixed))


def source(question: str) -> str:
    """Return the document whose content a question asks for: 'KTA 1404' in 'Was verlangt KTA 1404 ...?'; '' if none."""
    found = _SOURCE.search(question)
    return found["name"] if found else ""


@lru_cache(maxsize=4096)
def wanted(text: str, language: str) -> tuple[tuple[str, float], ...]:
    """Return (stem, weight) of the content words; words that name an aspect or the source document have low weight."""
    weights: dict[str, float] = {}
    text = without_contractions(text, language)
    matter = _MEASURE.sub(lambda found: found["how"] or "", text)
    for word in _WORD.findall(matter if stem_set(matter, language) else text):
        for stem in stem_set(word, language):
            weights[stem] = max(weights.get(stem, 0.0), _CUE_WEIGHT if is_cue(word) else 1.0)
    asked = stem_set(source(text), language)
    if not weights.keys() <= asked:
        weights |= {stem: _CUE_WEIGHT for stem in asked if stem in weights}
    return tuple(sorted(weights.items()))


def without_source(question: str, terms: tuple[str, ...], language: str) -> tuple[str, ...]:
    """Return the concepts of a question except the name of its source document; all if there are no others."""
    asked = stem_set(source(question), language)
    return tuple(term for term in terms if not stem_set(term, language) <= asked) or terms


def task_matter(text: str, language: str) -> str:
    """Return the task without planning words: the words to find in a text."""
    words = [word for word in text.split() if not stem_set(word, language) <= _planning_words(language)]
    return " ".join(words) or text


def matter_terms(text: str, language: str) -> tuple[str, ...]:
    """Return the concepts of a question or task that a text can be expected to contain."""
    planning = _planning_words(language)
    return tuple(
        term
        for term in concepts(text, language)
        if not stem_set(term, language) <= planning and not all(is_cue(word) for word in term.split())
    )


def is_name(term: str, text: str) -> bool:
    """Return whether a term of a text is a name or a German noun: it has a figure, or a capital inside a sentence."""
    if any(character.isdigit() for character in term) or re.search(r"\w[A-ZÄÖÜ]", term):
        return True
    if not re.search(r"\b[A-ZÄÖÜ]", term):
        return False
    quotes = r"[\"'„“»«‚(]*"
    return re.search(rf"[^\s.?!:]{quotes}\s+{quotes}{re.escape(term)}", text) is not None


def points(text: str) -> bool:
    """Return whether a part of a question has a word that points to its subject: 'dafür', 'davon', 'that', 'it'."""
    return bool(_POINTING.search(text))


def subject(question: str, terms: tuple[str, ...]) -> str:
    """Return the subject of a question: its first concept, with the second if they are next to each other."""
    if not terms:
        return question.strip().rstrip("?")
    start = question.find(terms[0])
    if len(terms) > 1 and start >= 0:
        second = question.find(terms[1], start)
        between = question[start + len(terms[0]) : second] if second >= 0 else ","
        if len(between) <= _GAP and _JOINING.fullmatch(between):
            return question[start : second + len(terms[1])]
    return terms[0]
