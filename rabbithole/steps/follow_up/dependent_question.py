"""A question that depends on the previous one: 'And for apprentices?', 'How long does it take?', 'What about § 5?'."""

from __future__ import annotations

import re

from rabbithole.steps.question.place_phrases import without_place
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.reasoning.text.topic_terms import wanted

from . import ellipsis, forms
from .context import Context, Point
from .exchanged_phrase import exchanged, without_dative
from .models import FollowUp, Language, asked_back
from .other_name import with_other_name
from .point_reference import only_point
from .standalone_question import has_matter, search_request

MOST_WORDS = 8
"""Most topics for a question that has no words of its own, such as 'And how long?'"""
_SHORT = 4  # words up to which a question without a verb counts as depending on the previous one
_SUBJECT = 4
"""Content words before its first pronoun from which on a question says itself what the pronoun means."""
_POINTING = (
    forms.EXPLAINS, forms.JOINS, forms.HE, forms.THEY, forms.IT, forms.THIS, forms.THIS_POINT, forms.ASKING,
)  # fmt: skip


def interpret_question(text: str, rest: str, context: Context, language: Language) -> FollowUp:
    """Return the question of a message, completed from the previous one if it depends on it, else as a new one.

    ``rest`` is ``text`` without its courtesy. What cannot be completed is asked back.
    """
    if place := forms.THAT_SECTION.search(rest):
        if not context.points:
            return asked_back(text, "no_place", language)
        point = context.points[0]
        query = rest.replace(place.group(), point.place or point.name)
        return search_request(text, query, context, language, place=point.place, document=point.document)
    if document := forms.THAT_DOCUMENT.search(rest):
        if not context.points:
            return asked_back(text, "no_place", language)
        point = context.points[0]
        query = rest.replace(document.group(), point.name)
        return search_request(text, query, context, language, place=point.name, document=point.document)
    if (bare := forms.BARE_SECTION.search(rest)) and context.points and not _names_document(rest):
        point = context.points[0]
        named = (
            f"{bare['place']} {point.name}" if bare["place"].startswith("§") else _of(bare["place"], point, language)
        )
        return search_request(
            text, rest.replace(bare["place"], named), context, language, place=named, document=point.document
        )
    explained = only_point(text, context, language) if forms.EXPLAINS.search(rest) else None
    if explained and _only_points(rest, language):
        return explained
    if asked := forms.HOW_MUCH.match(rest):
        return search_request(text, asked["asked"], context, language, most=MOST_WORDS)
    if not has_matter(rest, language) and not any(form.search(rest) for form in (forms.THIS, forms.IT)):
        return asked_back(text, "nothing", language)
    if _only_points(rest, language):
        return asked_back(text, "which" if context.points else "nothing", language)
    if _reworded(rest, context, language):
        return FollowUp(kind="new", text=text, query=rest, language=language)
    if other := with_other_name(_elliptical(rest), context):
        return search_request(text, other.query, other, language, most=MOST_WORDS)
    if merged := _merged(rest, context, language):
        if any(form.search(rest) for form in (forms.HE, forms.THEY, forms.IT)):  # 'And if I break it?'
            return search_request(text, merged, context, language, whom=_whom(rest, context))
        return search_request(text, merged, context.model_copy(update={"query": merged}), language)
    if _leans(rest, context, language):
        meant = _place_meant(rest, context)
        return search_request(
            text, forms.JOINS.sub("", rest), context, language, place=meant, whom=_whom(rest, context)
        )
    return FollowUp(kind="new", text=text, query=rest, language=language)


def _reworded(rest: str, context: Context, language: Language) -> bool:
    """Return whether a question is the previous one with other words for those that stood in no document."""
    missed = stem_set(" ".join(context.absent), language)
    kept = stem_set(context.question, language) - missed
    again = stem_set(rest, language)
    return bool(missed) and not missed & again and bool(again - kept) and kept <= again


def _place_meant(rest: str, context: Context) -> str:
    """Return the place that 'davon', 'it' or 'these' refers to: the one named before, with its document if answered."""
    if not any(form.search(rest) for form in (forms.IT, forms.THIS, forms.THEY)) or forms.BARE_SECTION.search(rest):
        return ""
    named = next((one for one in (context.question, *context.about) if forms.SECTION.search(one)), "")
    if not named:
        places = {point.place for point in context.points}
        return places.pop() if len(places) == 1 and context.points[0].place != context.points[0].name else ""
    place = forms.SECTION.search(named)
    if place is None:
        return ""
    key = _plain(place.group())
    answered = next((point.place for point in context.points if _plain(point.place).startswith(f"{key} ")), "")
    return answered or place.group()


def _plain(place: str) -> str:
    return " ".join(place.casefold().replace("§", "§ ").split())


def _names_document(text: str) -> bool:
    """Return whether a text names a document as well: '§ 5 des Atomgesetzes', 'section 3 of RFC 8446'."""
    return forms.NAMES_DOCUMENT.search(text) is not None


def _of(place: str, point: Point, language: Language) -> str:
    return f"{place} {'von' if language == 'de' else 'of'} {point.name}"


def _elliptical(rest: str) -> str:
    """Return what an elliptical question ('und für Auszubildende?') names, or '' if it is a whole one."""
    if too := ellipsis.APPLIES_TOO.match(rest):
        asked = too["de"] or f"for {too['en']}"
    elif found := ellipsis.ELLIPSIS.match(rest):
        asked = found["rest"]
    else:
        return ""
    new = re.sub(r"\A(?:denn|then|also|auch)\s+", "", asked.strip())
    if ellipsis.CONDITION.match(new):
        return new
    return "" if len(new.split()) > 2 * _SHORT or forms.ASKING.search(new) or _has_verb(new) else new


def _merged(rest: str, context: Context, language: Language) -> str:
    """Return the previous question changed by an elliptical one ('und für Auszubildende?'), or '' if it is none."""
    new = _elliptical(rest)
    if not new:
        return ""
    before = context.question.rstrip(" ?.!")
    if _asks_for_place(before, language):  # what is new need not stand there
        return f"{'Was gilt' if language == 'de' else 'What applies'} {new}?"
    of_subject = ellipsis.OF_SUBJECT.match(rest) is not None
    bare = re.sub(r"\A(?:mit|um)\s+|\s+aus\Z", "", new) if of_subject else new
    query = exchanged(before, new, language) if bare != new else ""
    if query := query or exchanged(before, bare, language, dative=of_subject):
        return f"{query}?"
    if ellipsis.CONDITION.match(new):
        return ""
    if ellipsis.PREPOSITION.match(new) or ellipsis.ADVERB[language].fullmatch(new):
        return f"{before} {new}?"
    joined = "für" if language == "de" else "for"
    told = without_dative(bare) if of_subject else bare
    return f"{before} {joined} {told}?" if not re.search(rf"\b{re.escape(told)}\b", before) else ""


def _asks_for_place(question: str, language: Language) -> bool:
    """Return whether a question asks for the text of a place and nothing else: 'Was steht in § 8 der Satzung?'."""
    place = forms.SECTION.search(question)
    left = wanted(without_place(question, place.group()), language) if place else ()
    return place is not None and not any(weight >= 1 for _, weight in left)


def _has_verb(text: str) -> bool:
    return bool(
        re.search(
            r"\b(?:ist|sind|war|wird|werden|hat|haben|muss|müssen|darf|dürfen|kann|können|soll|gilt|gelten|droht|drohen|"
            r"is|are|was|were|has|have|must|may|can|should|does|do|shall|apply|applies)\b",
            text,
            re.IGNORECASE,
        )
    )


def _leans(rest: str, context: Context, language: Language) -> bool:
    """Return whether a question continues the previous one: by pronoun, conjunction, brevity or shared words."""
    found = [match for form in (forms.HE, forms.THEY, forms.IT, forms.THIS, forms.THEN) if (match := form.search(rest))]
    said = stem_set(rest[: min(match.start() for match in found)], language) if found else frozenset()
    points = bool(found) and len(said) < _SUBJECT
    joins = forms.JOINS.match(rest) is not None
    short = len(rest.split()) <= _SHORT and not _has_verb(rest)
    before = stem_set(f"{context.question} {' '.join(context.about)}", language)
    return points or joins or short or bool(before & stem_set(rest, language))


def _only_points(rest: str, language: Language) -> bool:
    """Return whether a question consists of referring words only: 'Und das?', 'Erkläre das.', 'Warum?'"""
    left = rest
    for form in _POINTING:
        left = form.sub(" ", left)
    return not has_matter(left, language)


def _whom(rest: str, context: Context) -> str:
    """Return whom 'he' or 'they' means: an agent of the previous question or, for 'he' only, also of its answer."""
    if not forms.HE.search(rest) and not forms.THEY.search(rest):
        return ""
    asked = (context.question, *context.about)
    told = (*asked, *(point.text for point in context.points)) if forms.HE.search(rest) else asked
    return next((name for text in told for name in forms.agents(text, context.language)), "")
