"""The sentences of an answer that say how sure its quotations are, which a reply about them repeats. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from rabbithole.steps.phrases import phrase, phrases
from rabbithole.steps.report_models import Report

from .context import MARKER

_LEAST_SURE_FIRST = (
    "response.lacks.amount",
    "response.lacks.day",
    "response.lacks.duration",
    "response.lacks.money",
    "response.lacks.number",
    "response.unlikely",
    "response.figures",
    "response.figures_first",
    "response.none",
    "response.closest",
    "response.likely",
)
_PART = re.compile(r"\A\*\*.+\?\*\*\Z")
"""The line above what is quoted for one of several parts of a question."""


def reservation(report: Report, language: str, markers: Collection[str] | None = None) -> str:
    """Return the sentence above the quotations with these markers, all by default; '' if they are without reservation.

    Of several sentences it is the one that is least sure.
    """
    found: list[tuple[str, dict[str, str]]] = []
    current = None
    for block in re.split(r"\n\s*\n", report.answer.text):
        text = block.strip()
        if _PART.match(text):
            current = None
        elif (said := _said(text, report.language)) is not None:
            current = said
        elif current is not None and any(markers is None or one in markers for one in MARKER.findall(text)):
            found.append(current)
    if not found:
        return ""
    key, values = min(found, key=lambda one: _LEAST_SURE_FIRST.index(one[0]))
    return phrase(language, key, **values)


def _said(text: str, language: str) -> tuple[str, dict[str, str]] | None:
    """Return the key of the reservation that a paragraph is, with its values, or None if it is none."""
    matches = ((key, form.fullmatch(text)) for key, form in _forms(language))
    return next(((key, match.groupdict()) for key, match in matches if match), None)


@lru_cache(maxsize=4)
def _forms(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    def form(key: str) -> re.Pattern[str]:
        before, *after = phrases(language)[key].split("{figures}")
        return re.compile(re.escape(before) + "".join(f"(?P<figures>.+?){re.escape(one)}" for one in after))

    return tuple((key, form(key)) for key in _LEAST_SURE_FIRST)
