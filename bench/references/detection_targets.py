"""Turns a detected reference into the link that the American sets annotate: "/us/usc/t42/s2011/a/1"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bench.references.detection_sets import Gold
from rabbithole.kb.models import Reference

_LEVELS = {
    "section": "s",
    "part": "p",
    "chapter": "ch",
    "subchapter": "sch",
    "title": "t",
    "subtitle": "st",
    "division": "d",
    "article": "a",
    "appendix": "app",
}


def href_of(reference: Reference) -> str:
    """Return the link of a reference; without a document only the link's end."""
    document = reference.document or ""
    code = re.fullmatch(r"(\d+) (U\.S\.C\.|CFR)", document)
    levels = []
    for unit, value in reference.path:
        levels.append(value if unit == "paragraph" else _LEVELS.get(unit, unit) + value)
    tail = "".join(f"/{level}" for level in levels)
    if code:
        base = f"/us/{'usc' if code[2].startswith('U') else 'cfr'}/t{code[1]}{tail}"
        if reference.target.endswith("App."):
            base += "/app"
        return base + ("/etseq" if reference.following else "")
    for pattern, form in (
        (r"(\d+) FR (\d+)", "/us/fr/{}/{}"),
        (r"(\d+) Stat\. (\d+)", "/us/stat/{}/{}"),
        (r"Pub\. L\. (\d+)-(\d+)", "/us/pl/{}/{}"),
        (r"Executive Order (\d+)", "/us/eo/{}"),
    ):
        match = re.fullmatch(pattern, document)
        if match:
            return form.format(*match.groups()) + tail
    bill = re.fullmatch(r"(.+) (\d+)", document)
    if bill and re.match(r"[HS]\.", document):
        return f"/us/bill/*/{re.sub(r'[^a-z]', '', bill[1].lower())}/{bill[2]}"
    return tail


def _same(mine: str, gold: str) -> bool:
    return re.fullmatch(re.escape(mine).replace(r"\*", r"\d+"), gold) is not None


def right_target(found: Sequence[Reference], gold: Gold) -> str:
    """Return "right", "deeper" or "wrong".

    A range is right if its first member is; a relative path, if the link ends with it.
    """
    wanted = re.sub(r"\s", "", gold.label.replace("–", "-").replace("‑", "-"))
    verdict = "wrong"
    for reference in found:
        mine = href_of(reference).replace("–", "-").replace("‑", "-")
        if _same(mine, wanted) or _same(mine + "/etseq", wanted) or _same(mine.removesuffix("/etseq"), wanted):
            return "right"
        if reference.document is None and mine and wanted.endswith(mine):
            return "right"
        if wanted.startswith(mine + "-") and re.search(r"\d-\w+(?:/etseq)?$", wanted):
            return "right"
        if mine.startswith(wanted + "/"):
            verdict = "deeper"
    return verdict
