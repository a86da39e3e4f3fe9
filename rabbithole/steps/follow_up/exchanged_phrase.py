"""The question before with the phrase that an elliptical follow-up takes the place of: 'And for a hotel?' Pure."""

from __future__ import annotations

import re

from . import ellipsis
from .models import Language
from .noun_kinds import is_definite, kind_of, without_determiner
from .question_phrases import Phrase, condition, family_of, is_noun, only_noun, phrases, same_head

_ABOUT = frozenset(("about", "über", "regarding", "concerning"))
"""Prepositions whose nouns are the topic, whatever they name."""
_TOPIC = _ABOUT | {"for", "für", "zu"}
"""Prepositions before what a question is about: what is asked about by itself takes the place of their nouns."""
_DATIVE = re.compile(r"\A(?:der|dem|den|einer|einem)\s+", re.IGNORECASE)


def exchanged(before: str, asked: str, language: Language, *, dative: bool = False) -> str:
    """Return a question without its mark, with ``asked`` in place of what it replaces; '' if that cannot be told.

    A phrase replaces one with the same preposition whose nouns are of the same kind, people, times, names or others, or
    one with another preposition and the same noun ('ohne Hund', 'mit Hund'). Nouns alone replace those of the only
    phrase with nouns of their kind, or the only noun. A condition replaces the condition. ``dative``: the article of
    ``asked`` is left off, since it is in the dative.
    """
    if ellipsis.CONDITION.match(asked):
        return _with_condition(before, asked, language)
    if ellipsis.PREPOSITION.match(asked):
        return _with_preposition(before, asked, language)
    return _by_itself(before, asked, language, dative=dative)


def _with_condition(before: str, asked: str, language: Language) -> str:
    found = condition(before)
    if found is None:
        return ""
    start, end = found
    if start == 0:
        main = before[end:].lstrip(" ,")
        return f"{main[:1].upper()}{main[1:]}{',' if language == 'de' else ''} {asked}" if main else ""
    return f"{before[:start]}{asked}{before[end:]}"


def _with_preposition(before: str, asked: str, language: Language) -> str:
    new = phrases(asked, language)
    if not new or new[0].start:
        return ""
    first, *further = new
    held = phrases(before, language)
    same = [one for one in held if one.family == first.family and _alike(one, first, language)]
    others = [one for one in held if one.kind == first.kind and same_head(one.object, first.object, language)]
    named = [one for one in same if is_definite(one.object) == is_definite(first.object)]
    found = next((some[-1] for some in (named, same, others) if some), None)
    if found is None:
        return ""
    left = before[found.end :]
    for other in further:  # 'for food in France', 'and for hotels in Germany?'
        behind = [one for one in held if one.start >= found.end and one.family == other.family]
        if gone := next((one for one in behind if _alike(one, other, language)), None):
            left = left.replace(f" {before[gone.start : gone.end]}", "", 1)
    return f"{before[: found.start]}{asked}{left}"


def _alike(old: Phrase, new: Phrase, language: Language) -> bool:
    if old.kind != new.kind and old.family not in _ABOUT:
        return False
    return old.sure or same_head(old.object, new.object, language)


def _by_itself(before: str, asked: str, language: Language, *, dative: bool) -> str:
    held = phrases(before, language)
    own = next(iter(phrases(asked, language)), None)
    kind = kind_of(asked[: own.start] if own else asked, language)
    if ellipsis.ADVERB[language].fullmatch(asked):  # 'sonntags' for 'am Samstag'
        times = [one for one in held if kind == one.kind == "time"]
        return f"{before[: times[0].start]}{asked}{before[times[0].end :]}" if len(times) == 1 else ""
    topics = [one for one in held if one.family in _TOPIC]
    if kind == "matter":
        same = [one for one in topics if one.kind == kind and is_definite(one.object) == is_definite(asked)]
    else:
        same = [one for one in held if one.kind == kind]
    told = without_dative(asked) if dative else asked
    if len(same) == 1 and same[0].sure:
        (old,) = same
        if old.word.casefold() != family_of(old.word):  # 'im Winter': the article is in the preposition
            told = without_determiner(told, language)
        return f"{before[: old.end - len(old.object)]}{told}{before[old.end :]}"
    noun = None if topics or not is_noun(asked, language) else only_noun(before, language)
    if noun is None or not noun.sure or noun.kind != kind or is_definite(noun.object) != is_definite(asked):
        return ""
    return f"{before[: noun.start]}{told}{before[noun.end :]}"


def without_dative(asked: str) -> str:
    """Return what stands after 'was ist mit' without an article in the dative: 'Kaution' for 'der Kaution'."""
    return _DATIVE.sub("", asked)
