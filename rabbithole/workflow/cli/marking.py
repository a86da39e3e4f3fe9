"""Show detected references: in colour in the terminal, or as a self-contained HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from rabbithole.kb.models import Reference, ReferenceKind
from rabbithole.steps.phrases import counted, phrase

STYLES: Mapping[ReferenceKind, str] = {
    "legal_section": "bold green",
    "section": "green",
    "document": "bold cyan",
    "document_mention": "cyan",
    "academic_numbered": "magenta",
    "academic_shortform": "bold magenta",
    "external": "blue underline",
}
_COLOURS: Mapping[str, str] = {
    "legal_section": "#b7e4c7",
    "section": "#d8f3dc",
    "document": "#a2d2ff",
    "document_mention": "#cfe8ff",
    "academic_numbered": "#f3d1f4",
    "academic_shortform": "#e2c6f7",
    "external": "#fde2a7",
}
_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; }}
pre {{ font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }}
mark {{ padding: 0 .15em; border-radius: .2em; color: inherit; }}
{rules}
</style></head><body>
<h1>{title}</h1>
<p>{legend}</p>
<pre>{body}</pre>
</body></html>
"""


def to_html(text: str, found: Sequence[Reference], *, title: str, language: str = "en") -> str:
    """Return the text as a page; hovering over a mark shows the target. ``found`` is in order of appearance."""
    body: list[str] = []
    at = 0
    for start, end in dict.fromkeys((each.start, each.end) for each in found):
        if start < at:
            continue
        here = [each for each in found if (each.start, each.end) == (start, end)]
        about = "; ".join(each.target for each in here)
        body.append(escape(text[at:start]))
        body.append(f'<mark class="{here[0].kind}" title="{escape(about)}">{escape(text[start:end])}</mark>')
        at = end
    body.append(escape(text[at:]))
    rules = "\n".join(f"mark.{kind} {{ background: {colour}; }}" for kind, colour in _COLOURS.items())
    counts = Counter(each.kind for each in found)
    kinds = [
        f'<mark class="{kind}">{escape(counted(language, f"cli.detected.{kind}", counts[kind]))}</mark>'
        for kind in STYLES
        if counts[kind]
    ]
    many = counted(language, "cli.detected", len(found))
    legend = f"{many}: {' '.join(kinds)}" if found else phrase(language, "cli.detected.none")
    return _PAGE.format(title=escape(title), language=escape(language), rules=rules, legend=legend, body="".join(body))
