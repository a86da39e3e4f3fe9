"""The parts of a question that a follow-up can exchange: phrases with a preposition, nouns and a condition. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from rabbithole.steps.reasoning.text.terms import stem_set

from . import ellipsis
from .models import Language
from .noun_kinds import DETERMINER, NounKind, kind_of, without_determiner

_FAMILY = {
    "im": "in", "ins": "in", "am": "an", "ans": "an", "aufs": "auf", "beim": "bei", "vom": "von", "zum": "zu",
    "zur": "zu",
}  # fmt: skip
"""German prepositions that contain an article, and the prepositions."""
_FUNCTION_WORD = (
    r"(?:and|or|but|if|when|while|that|which|who|whom|whose|what|where|why|how|in|on|at|of|by|to|for|from|with|without|"
    r"within|outside|under|over|after|before|during|against|about|is|are|was|were|am|be|must|may|can|could|should|shall|"
    rf"will|would|do|does|did|has|have|had|not|apply|applies|i|we|you|they|he|she|it|{DETERMINER['en']})\b"
)
_WORD = rf"(?!{_FUNCTION_WORD})[\w'’-]+"
_NOUNS = {
    "en": rf"(?:{DETERMINER['en']}\s+)?{_WORD}(?:\s+{_WORD}){{0,2}}",
    "de": r"(?:(?!(?:und|oder|wenn|falls|ob|dass|zu|ich|er|es|wir|man)\b)[a-zäöüß]+\s+|\d+\.?\s+){0,3}"
    r"[A-ZÄÖÜ][\w-]*(?:\s+\d[\w.]*)?",
}
"""The nouns of a phrase: in German up to the first, in English at most three words."""
_MORE = {
    "en": rf"(?:\s+(?:and|or)\s+(?:{DETERMINER['en']}\s+)?{_WORD}\b)?",
    "de": rf"(?:\s+(?:und|oder)\s+(?:{DETERMINER['de']}\s+)?(?:[a-zäöüß]+(?:e[nmrs]?)\s+)?[A-ZÄÖÜ][\w-]*)?",
}
_PHRASE = {
    language: re.compile(
        rf"\b(?P<word>(?i:{ellipsis.PREPOSITIONS}))\s+(?P<object>{_NOUNS[language]}\b{_MORE[language]})"
        + (rf"(?!\s+{DETERMINER['en']}\b)" if language == "en" else ""),
        re.IGNORECASE if language == "en" else 0,
    )
    for language in ("de", "en")
}
_DETERMINED = {
    "en": re.compile(
        rf"(?<!\w)the\s+{_WORD}(?:\s+{_WORD}){{0,2}}|(?<!\w)(?:an?|my|your|our|this)\s+{_WORD}", re.IGNORECASE
    ),
    "de": re.compile(
        rf"(?<!\A)(?<!\w)(?:{DETERMINER['de']}\s+)?(?:(?!viele|wenige|welche)[a-zäöüß]+(?:e[nmrs]?)\s+)?(?<!\A)\b[A-ZÄÖÜ][\w-]*"
    ),
}
_AUXILIARY = r"(?:do|does|did|must|may|can|could|should|shall|will|would|has|have|had)"
_VERB_TO_COME = re.compile(rf"\b{_AUXILIARY}\s+(?:{DETERMINER['en']}\s+)?[\w-]+\s+\Z", re.IGNORECASE)
"""Before a phrase, with its verb behind it: 'How much does a ticket (for adults cost)?'"""
_MAY_COME = re.compile(r"\A\W*(?:is|are|was|were|when|where|why)\b", re.IGNORECASE)
"""Questions whose predicate may stand behind a phrase: 'Is the pool (for children open)?'"""
_CLAUSE = re.compile(
    r"(?P<comma>,\s*)?\b(?:if|when|wenn|falls|sofern|sobald|in case)\s+(?P<rest>[^,?]+?)"
    r"(?=\s*(?:,|\?|\Z|\s(?:und|and)\s+(?:wer|wie|was|wann|wo|welche\w*|who|how|what|when|where|which)\b))",
    re.IGNORECASE,
)


class Phrase(NamedTuple):
    """A phrase of a question with its preposition, '' for nouns without one. ``sure``: where it ends is certain."""

    word: str
    object: str
    start: int
    end: int
    kind: NounKind
    sure: bool = True

    @property
    def family(self) -> str:
        """The preposition without an article: 'in' for 'im'."""
        return family_of(self.word)


def family_of(word: str) -> str:
    """Return a preposition without the article it may contain: 'in' for 'im'."""
    return _FAMILY.get(word.casefold(), word.casefold())


def phrases(question: str, language: Language) -> list[Phrase]:
    """Return the phrases with a preposition in a question without its mark, in order."""
    found = []
    for match in _PHRASE[language].finditer(question):
        end, sure = _end(question, match, language)
        told = question[match.start("object") : end]
        found.append(Phrase(match["word"], told, match.start(), end, kind_of(told, language), sure))
    return found


def only_noun(question: str, language: Language) -> Phrase | None:
    """Return the only noun, with its article, that stands in no phrase with a preposition; None if there are more."""
    masked = question
    for one in phrases(question, language):
        masked = f"{masked[: one.start]}{';' * (one.end - one.start)}{masked[one.end :]}"
    found = list(_DETERMINED[language].finditer(masked))
    if len(found) != 1:
        return None
    (match,) = found
    end, sure = match.end(), True
    if language == "en":
        words = match.group().split()
        if (
            match.end() == len(question)
            and len(words) > 2
            and re.search(rf"\b{_AUXILIARY}\s+\Z", question[: match.start()])
        ):
            end -= len(words[-1]) + 1
        sure = len(question[match.start() : end].split()) == 2
    told = question[match.start() : end]
    return Phrase("", told, match.start(), end, kind_of(told, language), sure)


def is_noun(text: str, language: Language) -> bool:
    """Return whether a text is nothing but nouns and what stands before them: no 'die Hecke schneiden'."""
    return re.fullmatch(_NOUNS[language] + _MORE[language], text) is not None


def condition(question: str) -> tuple[int, int] | None:
    """Return where the only condition of a question begins and ends, with 'if' or 'wenn' but no comma; None if none."""
    found = [one for one in _CLAUSE.finditer(question) if one.start() or ellipsis.CONDITION.match(question)]
    if len(found) != 1:
        return None
    return found[0].start() + len(found[0]["comma"] or ""), found[0].end()


def same_head(first: str, second: str, language: Language) -> bool:
    """Return whether two phrases end in the same noun: 'im ersten Jahr', 'nach dem zweiten Jahr'."""
    heads = [stem_set(one.split()[-1], language) or {one.split()[-1].casefold()} for one in (first, second)]
    return heads[0] == heads[1]


def _end(question: str, match: re.Match[str], language: Language) -> tuple[int, bool]:
    """Return where a phrase ends, without a verb that ends an English question, and whether that is sure."""
    words = without_determiner(match["object"], "en").split()
    if language == "de" or match.end() < len(question) or len(words) < 2:
        return match.end(), True
    if _VERB_TO_COME.search(question[: match.start()]):
        return match.start("object") + match["object"].rindex(words[-1]) - 1, True
    return match.end(), _MAY_COME.match(question) is None
