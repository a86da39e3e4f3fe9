"""A checked draft as one HTML page: the text with its findings marked, and a table of wrong and open findings."""

from __future__ import annotations

import html

from rabbithole.steps.draft_check.models import DraftCheck, Finding, Paragraph
from rabbithole.steps.phrases import phrase

from .remarks import remark, verdict_words

STYLE = """
body { font: 16px/1.55 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; }
mark { background: none; border-bottom: 3px solid; padding-bottom: 1px; }
.holds { border-color: #2e7d32; } .wrong { border-color: #c62828; background: #fdecea; }
.open { border-color: #b26a00; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .3rem .6rem;
vertical-align: top; border-bottom: 1px solid #ccc; }
"""


def to_html(check: DraftCheck, language: str = "en") -> str:
    """Return the whole page. It loads no other files; text from the draft and from documents is escaped."""
    by_paragraph: dict[int, list[Finding]] = {}
    for finding in check.findings:
        by_paragraph.setdefault(finding.paragraph, []).append(finding)
    body = "\n".join(_paragraph(each, by_paragraph.get(each.index, []), language) for each in check.paragraphs)
    rows = "\n".join(_row(each, language) for each in (*check.wrong, *check.open))
    table = f"<table><tr><th></th><th></th></tr>{rows}</table>" if rows else ""
    title = html.escape(check.name)
    counted = phrase(language, "check.counts", all=len(check.findings), wrong=len(check.wrong), open=len(check.open))
    return (
        f"<!doctype html><html lang='{language}'><meta charset='utf-8'><title>{title}</title><style>{STYLE}</style>"
        f"<h1>{title}</h1><p>{counted}</p>{table}\n{body}\n</html>\n"
    )


def _row(finding: Finding, language: str) -> str:
    words, said = html.escape(finding.text), html.escape(remark(finding, language))
    return f"<tr><td><a href='#f{finding.paragraph}-{finding.start}'>{words}</a></td><td>{said}</td></tr>"


def _paragraph(paragraph: Paragraph, findings: list[Finding], language: str) -> str:
    """Return the paragraph with its findings marked.

    Marks never overlap: figures and claims, which span whole sentences, give way to references and quotations.
    """
    text, out, at = paragraph.text, [], 0
    ranked = sorted(findings, key=lambda one: (one.kind in ("figure", "claim"), one.start))
    kept: list[Finding] = []
    for one in ranked:
        if all(one.end <= other.start or one.start >= other.end for other in kept):
            kept.append(one)
    for one in sorted(kept, key=lambda one: one.start):
        tone = "wrong" if one.is_wrong else "holds" if one.verdict in ("holds", "supported") else "open"
        out.append(html.escape(text[at : one.start]))
        title = html.escape(remark(one, language), quote=True)
        label = html.escape(verdict_words(one, language), quote=True)
        out.append(
            f"<mark class='{tone}' id='f{one.paragraph}-{one.start}' title='{title}' aria-label='{label}'>"
            f"{html.escape(text[one.start : one.end])}</mark>"
        )
        at = one.end
    return f"<p>{''.join(out)}{html.escape(text[at:])}</p>"
