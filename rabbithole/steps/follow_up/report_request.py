"""A message about the report as a whole: another language, a table, a shorter text, only what concerns someone."""

from __future__ import annotations

from rabbithole.steps.reasoning.text.terms import stem_set

from . import forms
from .context import Context
from .models import FollowUp, Language
from .standalone_question import has_matter, standalone, topics

MOST_PLACES = 3
"""Most passages shown to a question where the answer is written."""
_APPLIES = {"de": "Was gilt für", "en": "What applies to"}


def interpret_report_request(text: str, rest: str, context: Context, language: Language) -> FollowUp | None:
    """Return what a message asks of the report as a whole, or None; ``rest`` is ``text`` without its courtesy."""
    if found := forms.LANGUAGE.search(rest):
        left = rest.replace(found.group(), " ")
        wanted: Language = "en" if found["en"] else "de"
        if not has_matter(forms.EXPLAINS.sub(" ", left), language):
            return FollowUp(
                kind="language", text=text, query=context.query, language=wanted, documents=context.documents
            )
    if not context.points:
        return None
    if forms.WHERE_WRITTEN.match(rest):
        markers = tuple(dict.fromkeys(point.markers[0] for point in context.points[:MOST_PLACES] if point.markers))
        return FollowUp(kind="explain", text=text, language=language, markers=markers, place=context.points[0].place)
    bare = forms.EXPLAINS.sub(" ", rest)
    if forms.TABLE.search(rest) and not has_matter(forms.TABLE.sub(" ", bare), language):
        return FollowUp(kind="table", text=text, language=language)
    if forms.SHORTENS.search(rest) and not has_matter(forms.SHORTENS.sub(" ", bare), language):
        counted = forms.COUNTED.search(rest)
        word = counted["count"].lower() if counted else "einem"
        count = int(word) if word.isdigit() else forms.SENTENCES[word]
        return FollowUp(kind="shorten", text=text, language=language, sentences=count)
    if (only := forms.ONLY.match(rest)) and not rest.rstrip().endswith("?"):
        concern = " ".join(forms.CONCERNS.sub(" ", only["rest"]).strip(" ?.!,").split())
        if stem_set(concern, language):
            about = topics(context)
            return FollowUp(
                kind="only",
                text=text,
                language=language,
                concern=concern,
                documents=context.documents,
                query=standalone(f"{_APPLIES[language]} {concern}", language, about),
                about=about,
            )
    return None
