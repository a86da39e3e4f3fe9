"""The question to search for: one that can be understood by itself, with the topics of the previous one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.steps.reasoning.text.terms import concepts, stem_set
from rabbithole.steps.reasoning.text.topic_terms import wanted

from . import ellipsis, forms
from .context import ABOUT, Context
from .models import FollowUp, Language
from .other_name import names_in

MOST_ABOUT = 4
"""Most topics of the previous question that are added to one with words of its own."""


def has_matter(text: str, language: Language) -> bool:
    """Return whether a text has words worth searching for."""
    return bool(stem_set(forms.MATTERLESS.sub(" ", text), language))


def search_request(
    text: str,
    query: str,
    context: Context,
    language: Language,
    *,
    place: str = "",
    document: str = "",
    whom: str = "",
    most: int = MOST_ABOUT,
) -> FollowUp:
    """Return that a question is to be searched for, completed with topics of the previous one.

    ``place`` and ``document`` (an id) are the place and the document meant, ``whom`` the person that 'he' means, and
    ``most`` limits the topics. Without a document, those of the previous answer are searched first.
    """
    about = topics(context, whom, most)
    if place and place not in query:
        about = tuple(dict.fromkeys((place, *(one for one in about if one not in place))))[:MOST_ABOUT]
    documents = (document,) if document else context.documents
    return FollowUp(
        kind="search",
        text=text,
        query=standalone(query, language, about),
        language=language,
        about=about,
        place=place,
        documents=documents,
    )


def topics(context: Context, whom: str = "", most: int = MOST_ABOUT) -> tuple[str, ...]:
    """Return what the previous question was about, at most ``most`` topics; ``whom`` comes first if given."""
    own = _with_whole_names((*concepts(context.question, context.language), *_further(context)), context.question)
    return tuple(dict.fromkeys(one for one in (whom, *own, *context.about) if one))[:most]


def _with_whole_names(topics: tuple[str, ...], question: str) -> tuple[str, ...]:
    """Return topics with the words of a name as one: 'CCC Mannheim' for 'CCC', 'Mannheim'."""
    names = names_in(question)
    whole = (next((name for name in names if topic in name.split()), topic) for topic in topics)
    return tuple(dict.fromkeys(whole))


def _further(context: Context) -> list[str]:
    """Return the words of the question before that matter in full and are in no concept: 'widerrufen', 'nichtig'."""
    known = stem_set(" ".join(concepts(context.question, context.language)), context.language)
    left = {stem for stem, weight in wanted(context.question, context.language) if weight >= 1} - known
    words = re.findall(r"[^\W\d_]+", context.question)
    return [word for word in words if stem_set(word, context.language) & left]


def standalone(query: str, language: Language, about: Sequence[str]) -> str:
    """Return a complete question, followed by those of its topics that it does not mention."""
    asked = " ".join(query.split()).rstrip(" .!")
    asked = asked if asked.endswith("?") else f"{asked}?"
    if ellipsis.CONDITION.match(asked):
        asked = f"{'Was gilt,' if language == 'de' else 'What applies'} {asked[:1].lower()}{asked[1:]}"
    asked = asked[:1].upper() + asked[1:]
    known = stem_set(asked, language)
    new = [one for one in about if not stem_set(one, language) <= known]
    return f"{asked} {ABOUT[language]}{'; '.join(new)}." if new else asked
