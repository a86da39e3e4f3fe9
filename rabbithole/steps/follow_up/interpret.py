"""Decide what a follow-up refers to by trying one form after the other, without a model."""

from __future__ import annotations

import re

from rabbithole.steps.language import detect_language

from . import forms
from .context import Context
from .dependent_question import interpret_question
from .models import FollowUp, Language, asked_back
from .point_reference import interpret_point_reference, only_point
from .report_request import interpret_report_request

_FEW = 5  # a text with fewer words is too short for language detection


def resolve(text: str, context: Context | None) -> FollowUp:
    """Interpret a message. ``context`` comes from the previous report and is None for the first question."""
    said, rest = _courtesy(text)
    language = _language(rest or text, context, said)
    if said and not forms.FILLER.sub("", rest).strip(" .,!?"):
        if said == "yes" and context is not None and context.points:
            return only_point(text, context, language) or asked_back(text, "which", language)
        return FollowUp(kind="courtesy", text=text, language=language, said=said.replace("yes", "fine"))
    if context is None:
        return FollowUp(kind="new", text=text, query=text.strip(), language=language)
    return (
        interpret_point_reference(text, rest, context, language)
        or interpret_report_request(text, rest, context, language)
        or interpret_question(text, rest, context, language)
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
