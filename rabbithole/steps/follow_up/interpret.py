"""Decide what a follow-up refers to by trying one form after the other, without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from rabbithole.steps.language import detect_language
from rabbithole.steps.reasoning.text.terms import concepts, stem_set
from rabbithole.steps.reasoning.text.topic_terms import wanted

from . import forms
from .context import ABOUT, Context, Point
from .models import FollowUp, Kind
from .named import joined, of_other_name

Language = Literal["de", "en"]
MOST_ABOUT = 4
MOST_WORDS = 8
"""Most topics for a question that has no words of its own, such as 'And how long?'"""
MOST_PLACES = 3
"""Most passages shown to a question where the answer is written."""
_SHORT = 4  # words up to which a question without a verb counts as depending on the previous one
_FEW = 5  # a text with fewer words is too short for language detection
_APPLIES = {"de": "Was gilt für", "en": "What applies to"}
_PHRASE = {
    "de": r"(?:[a-zäöüß]+\s+){0,3}[A-ZÄÖÜ][\w-]*",  # up to the noun: 'für beruflich exponierte Personen'
    "en": r"(?:(?:the|an?|all|any)\s+)?[\w-]+",
}
_POINTING = (
    forms.EXPLAINS, forms.JOINS, forms.HE, forms.THEY, forms.IT, forms.THIS, forms.THIS_POINT, forms.ASKING,
)  # fmt: skip


def resolve(text: str, context: Context | None) -> FollowUp:
    """Interpret a message. ``context`` comes from the previous report and is None for the first question."""
    said, rest = _courtesy(text)
    language = _language(rest or text, context, said)
    if said and not forms.FILLER.sub("", rest).strip(" .,!?"):
        if said == "yes" and context is not None and context.points:
            return _only_point(text, context, language) or _asked_back(text, "which", language)
        return FollowUp(kind="courtesy", text=text, language=language, said=said.replace("yes", "fine"))
    if context is None:
        return FollowUp(kind="new", text=text, query=text.strip(), language=language)
    return (
        _of_point(text, rest, context, language)
        or _of_report(text, rest, context, language)
        or _question(text, rest, context, language)
    )


def _courtesy(text: str) -> tuple[str, str]:
    """Return the kind of courtesy a text begins with ('' for none) and the rest of the text."""
    said, rest = "", text.strip()
    while found := forms.COURTESY.match(rest):
        if not said or found.lastgroup == "thanks":
            said = found.lastgroup or ""
        rest = rest[found.end() :].lstrip(" ,.!;:-–")
        if not rest:
            break
    if said == "fine" and rest and not re.match(r"\W*(?:und|and|aber|but|then|dann)\b", rest, re.IGNORECASE):
        return "", text.strip()  # not a courtesy: 'Gut gelüftete Räume ...'
    return said, rest


def _language(text: str, context: Context | None, said: str) -> Language:
    if said and not text.strip():
        return "de"
    if said and forms.COURTESY.fullmatch(text.strip(" .,!?")):
        return "de" if forms.GERMAN_COURTESY.search(text) else "en"
    short = len(text.split()) < _FEW
    return context.language if short and context is not None else detect_language(text)


# --- a point of the answer ------------------------------------------------------------------------------
def _of_point(text: str, rest: str, context: Context, language: Language) -> FollowUp | None:
    pointed = _pointed(rest, context)
    if pointed is None:
        return None
    found, point = pointed
    if point is None:
        return _asked_back(text, "no_point" if context.points else "no_points", language)
    left = rest.replace(found, " ")
    if not _matter(forms.EXPLAINS.sub(" ", left), language):
        kind: Kind = "shorten" if forms.SHORTENS.search(left) and not forms.EXPLAINS.search(left) else "explain"
        return FollowUp(kind=kind, text=text, language=language, markers=point.markers, place=point.place)
    query = " ".join(rest.replace(found, f"{_article(found)}{point.place or point.name}").split())
    return _search(text, query, context, language, place=point.place, document=point.document)


def _pointed(text: str, context: Context) -> tuple[str, Point | None] | None:
    """Return the words that refer to a point and that point (None if it does not exist), or None for no reference."""
    if found := forms.BY_ORDINAL.search(text) or forms.BARE_ORDINAL.search(text) or forms.ORDINAL_ONE.search(text):
        number = next(value for value, form in forms.ORDINALS if form.fullmatch(found["ordinal"]))
        at = number - 1 if number > 0 else number
        known = context.points
        return found.group(), known[at] if -len(known) <= at < len(known) else None
    if found := forms.BARE_NUMBER.match(text):
        return found.group(), _numbered(int(found["number"]), context)
    found = forms.BY_NUMBER.search(text) or forms.BY_MARKER.search(text)
    if found:
        number = int(found["number"])
        by_source = found.re is forms.BY_MARKER or bool(found["source"])
        return found.group(), _cited(str(number), context) if by_source else _numbered(number, context)
    if (found := forms.THIS_POINT.search(text)) and len(context.points) == 1:
        return found.group(), context.points[0]
    return None


def _only_point(text: str, context: Context, language: Language) -> FollowUp | None:
    """Return that the only point of the answer is to be explained, or None if it has none or several."""
    if len(context.points) != 1:
        return None
    (point,) = context.points
    return FollowUp(kind="explain", text=text, language=language, markers=point.markers, place=point.place)


def _numbered(number: int, context: Context) -> Point | None:
    return context.points[number - 1] if 0 < number <= len(context.points) else None


def _cited(marker: str, context: Context) -> Point | None:
    if marker not in context.markers:
        return None
    own = next((point for point in context.points if marker in point.markers), None)
    return own.model_copy(update={"markers": (marker,)}) if own else Point(text="", markers=(marker,))


def _article(found: str) -> str:
    """Return the preposition in a contraction, to be kept when it is replaced: 'zu ' for 'zum zweiten Punkt'."""
    first = found.split()[0].lower()
    return {"zum": "zu ", "zur": "zu ", "im": "in ", "am": "in ", "vom": "von "}.get(first, "")


# --- the report as a whole ------------------------------------------------------------------------------
def _of_report(text: str, rest: str, context: Context, language: Language) -> FollowUp | None:
    if found := forms.LANGUAGE.search(rest):
        left = rest.replace(found.group(), " ")
        wanted: Language = "en" if found["en"] else "de"
        if not _matter(forms.EXPLAINS.sub(" ", left), language):
            return FollowUp(
                kind="language", text=text, query=context.query, language=wanted, documents=context.documents
            )
    if not context.points:
        return None
    if forms.WHERE_WRITTEN.match(rest):
        markers = tuple(dict.fromkeys(point.markers[0] for point in context.points[:MOST_PLACES] if point.markers))
        return FollowUp(kind="explain", text=text, language=language, markers=markers, place=context.points[0].place)
    bare = forms.EXPLAINS.sub(" ", rest)
    if forms.TABLE.search(rest) and not _matter(forms.TABLE.sub(" ", bare), language):
        return FollowUp(kind="table", text=text, language=language)
    if forms.SHORTENS.search(rest) and not _matter(forms.SHORTENS.sub(" ", bare), language):
        counted = forms.COUNTED.search(rest)
        word = counted["count"].lower() if counted else "einem"
        count = int(word) if word.isdigit() else forms.SENTENCES[word]
        return FollowUp(kind="shorten", text=text, language=language, sentences=count)
    if (only := forms.ONLY.match(rest)) and not rest.rstrip().endswith("?"):
        concern = " ".join(forms.CONCERNS.sub(" ", only["rest"]).strip(" ?.!,").split())
        if stem_set(concern, language):
            about = _about(context, language)
            return FollowUp(
                kind="only",
                text=text,
                language=language,
                concern=concern,
                documents=context.documents,
                query=_standalone(f"{_APPLIES[language]} {concern}", language, about),
                about=about,
            )
    return None


# --- a question that depends on the previous one ------------------------------------------------------------
def _question(text: str, rest: str, context: Context, language: Language) -> FollowUp:
    if place := forms.THAT_SECTION.search(rest):
        if not context.points:
            return _asked_back(text, "no_place", language)
        point = context.points[0]
        query = rest.replace(place.group(), point.place or point.name)
        return _search(text, query, context, language, place=point.place, document=point.document)
    if document := forms.THAT_DOCUMENT.search(rest):
        if not context.points:
            return _asked_back(text, "no_place", language)
        point = context.points[0]
        query = rest.replace(document.group(), point.name)
        return _search(text, query, context, language, place=point.name, document=point.document)
    if (bare := forms.BARE_SECTION.search(rest)) and context.points and not _names_document(rest):
        point = context.points[0]
        named = (
            f"{bare['place']} {point.name}" if bare["place"].startswith("§") else _of(bare["place"], point, language)
        )
        return _search(
            text, rest.replace(bare["place"], named), context, language, place=named, document=point.document
        )
    explained = _only_point(text, context, language) if forms.EXPLAINS.search(rest) else None
    if explained and _only_points(rest, language):
        return explained
    if asked := forms.HOW_MUCH.match(rest):
        return _search(text, asked["asked"], context, language, most=MOST_WORDS)
    if not _matter(rest, language) and not any(form.search(rest) for form in (forms.THIS, forms.IT)):
        return _asked_back(text, "nothing", language)
    if _only_points(rest, language):
        return _asked_back(text, "which" if context.points else "nothing", language)
    if other := of_other_name(_elliptical(rest), context):
        return _search(text, other.query, other, language, most=MOST_WORDS)
    if merged := _merged(rest, context, language):
        return _search(text, merged, context.model_copy(update={"query": merged}), language)
    if _leans(rest, context, language):
        meant = _place_meant(rest, context)
        return _search(text, forms.JOINS.sub("", rest), context, language, place=meant, whom=_whom(rest, context))
    return FollowUp(kind="new", text=text, query=rest, language=language)


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
    if too := forms.APPLIES_TOO.match(rest):
        asked = too["de"] or f"for {too['en']}"
    elif (found := forms.ELLIPSIS.match(rest)) and not forms.ASKING.search(found["rest"]):
        asked = found["rest"]
    else:
        return ""
    new = re.sub(r"\A(?:denn|then|also|auch)\s+", "", asked.strip())
    return "" if len(new.split()) > 2 * _SHORT or _has_verb(new) else new


def _merged(rest: str, context: Context, language: Language) -> str:
    """Return the previous question changed by an elliptical one ('und für Auszubildende?'), or '' if it is none."""
    new = _elliptical(rest)
    if not new:
        return ""
    before = context.question.rstrip(" ?.!")
    preposition = forms.PREPOSITION.match(new)
    if preposition:
        word = re.escape(preposition["word"])
        swapped = re.sub(rf"\b(?i:{word})\s+{_PHRASE[language]}", new, before, count=1)
        return f"{swapped if swapped != before else f'{before} {new}'}?"
    joined = "für" if language == "de" else "for"
    return f"{before} {joined} {new}?" if not re.search(rf"\b{re.escape(new)}\b", before) else ""


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
    points = any(form.search(rest) for form in (forms.HE, forms.THEY, forms.IT, forms.THIS, forms.THEN))
    joins = forms.JOINS.match(rest) is not None
    short = len(rest.split()) <= _SHORT and not _has_verb(rest)
    before = stem_set(f"{context.question} {' '.join(context.about)}", language)
    return points or joins or short or bool(before & stem_set(rest, language))


def _only_points(rest: str, language: Language) -> bool:
    """Return whether a question consists of referring words only: 'Und das?', 'Erkläre das.', 'Warum?'"""
    left = rest
    for form in _POINTING:
        left = form.sub(" ", left)
    return not _matter(left, language)


def _whom(rest: str, context: Context) -> str:
    """Return whom 'he' or 'they' means: an agent of the previous question or, for 'he' only, also of its answer."""
    if not forms.HE.search(rest) and not forms.THEY.search(rest):
        return ""
    asked = (context.question, *context.about)
    told = (*asked, *(point.text for point in context.points)) if forms.HE.search(rest) else asked
    return next((name for text in told for name in forms.agents(text, context.language)), "")


# --- parts ----------------------------------------------------------------------------------------------
def _matter(text: str, language: Language) -> bool:
    """Return whether a text has words worth searching for."""
    return bool(stem_set(forms.MATTERLESS.sub(" ", text), language))


def _about(context: Context, language: Language, whom: str = "", most: int = MOST_ABOUT) -> tuple[str, ...]:
    own = joined((*concepts(context.question, context.language), *_further(context)), context.question)
    return tuple(dict.fromkeys(one for one in (whom, *own, *context.about) if one))[:most]


def _further(context: Context) -> list[str]:
    """Return the words of the question before that matter in full and are in no concept: 'widerrufen', 'nichtig'."""
    known = stem_set(" ".join(concepts(context.question, context.language)), context.language)
    left = {stem for stem, weight in wanted(context.question, context.language) if weight >= 1} - known
    words = re.findall(r"[^\W\d_]+", context.question)
    return [word for word in words if stem_set(word, context.language) & left]


def _search(
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
    about = _about(context, language, whom, most)
    if place and place not in query:
        about = tuple(dict.fromkeys((place, *(one for one in about if one not in place))))[:MOST_ABOUT]
    documents = (document,) if document else context.documents
    return FollowUp(
        kind="search",
        text=text,
        query=_standalone(query, language, about),
        language=language,
        about=about,
        place=place,
        documents=documents,
    )


def _standalone(query: str, language: Language, about: Sequence[str]) -> str:
    """Return a complete question, followed by those of its topics that it does not mention."""
    asked = " ".join(query.split()).rstrip(" .!")
    asked = asked if asked.endswith("?") else f"{asked}?"
    if forms.CONDITION.match(asked):
        asked = f"{'Was gilt,' if language == 'de' else 'What applies'} {asked[:1].lower()}{asked[1:]}"
    asked = asked[:1].upper() + asked[1:]
    known = stem_set(asked, language)
    new = [one for one in about if not stem_set(one, language) <= known]
    return f"{asked} {ABOUT[language]}{'; '.join(new)}." if new else asked


def _asked_back(text: str, why: str, language: Language) -> FollowUp:
    return FollowUp(kind="ask_back", text=text, language=language, said=why)
