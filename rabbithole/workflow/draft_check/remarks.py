"""The findings of a draft in words, in the user's language."""

from __future__ import annotations

from rabbithole.kb.place_names import is_paragraph
from rabbithole.steps.draft_check.models import Finding, Verdict
from rabbithole.steps.phrases import phrase

VERDICTS: dict[str, dict[Verdict, str]] = {
    "en": {
        "holds": "holds",
        "small_difference": "words differ",
        "elsewhere": "found elsewhere",
        "nowhere": "not found",
        "no_such_place": "no such place",
        "outdated": "not in force",
        "figure_differs": "figure differs",
        "not_held": "not in the collection",
        "unresolved": "cannot be resolved",
        "not_checked": "not checked",
        "supported": "supported (model)",
        "not_supported": "not supported (model)",
        "stale": "relies on something no longer in force",
    },
    "de": {
        "holds": "stimmt",
        "small_difference": "Wortlaut weicht ab",
        "elsewhere": "steht an anderer Stelle",
        "nowhere": "nicht gefunden",
        "no_such_place": "Stelle gibt es nicht",
        "outdated": "nicht mehr in Kraft",
        "figure_differs": "Zahl weicht ab",
        "not_held": "nicht in der Sammlung",
        "unresolved": "nicht auflösbar",
        "not_checked": "nicht geprüft",
        "supported": "gestützt (Modell)",
        "not_supported": "nicht gestützt (Modell)",
        "stale": "stützt sich auf nicht mehr Geltendes",
    },
}

THERE = {"en": "there", "de": "dort"}


def verdict_words(finding: Finding, language: str = "en") -> str:
    return VERDICTS.get(language, VERDICTS["en"])[finding.verdict]


def place_words(finding: Finding, language: str = "en") -> str:
    """Return the place a finding was checked against, such as "StrlSchG, § 78, p. 48", or '' if there is none."""
    page = finding.page_label
    if page and not is_paragraph(page):
        page = phrase(language, "report.page", page=page)
    return ", ".join(part for part in (finding.title or finding.file, finding.section, page) if part)


def remark(finding: Finding, language: str = "en") -> str:
    """Return one line: the verdict, the reason, the figure in the source if it differs, and the place."""
    parts = [verdict_words(finding, language)]
    parts += [finding.detail] if finding.detail else []
    parts += (
        [f"{THERE.get(language, THERE['en'])}: {finding.expected}"]
        if finding.expected and finding.verdict == "figure_differs"
        else []
    )
    place = place_words(finding, language)
    return ": ".join(parts) + (f" ({place})" if place else "")
