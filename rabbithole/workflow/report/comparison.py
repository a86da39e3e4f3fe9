"""A comparison of two editions as one HTML page: a table of changed sections, then each with the changes marked."""

from __future__ import annotations

import html

from rabbithole.kb.place_names import short_place
from rabbithole.steps.comparison.models import Comparison, SectionChange, Side, Words

SHOWN_SAME = 40
"""Unchanged words shown on each side of a change; an ellipsis replaces the rest."""
STYLE = """
body { font: 16px/1.55 system-ui, sans-serif; max-width: 54rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; }
ins { background: #e3f4e3; text-decoration: underline; } del { background: #fdecea; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #ccc; }
h2 { font-size: 1.1rem; margin-bottom: .2rem; } .where { color: #555; font-size: .9rem; margin-top: 0; }
"""


def to_html(found: Comparison) -> str:
    """Return the whole page. It loads no other files, and text from documents is escaped."""
    title = f"{found.old_file} → {found.new_file}"
    differing = found.differing
    rows = "".join(
        f"<tr><td><a href='#c{number}'>{html.escape(each.label or '(no heading)')}</a></td><td>{each.change}</td></tr>"
        for number, each in enumerate(differing)
    )
    parts = "".join(_section(number, each) for number, each in enumerate(differing))
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in found.notes)
    counted = f"{len(differing)} of {len(found.sections)} sections differ."
    return (
        f"<!doctype html><html><meta charset='utf-8'><title>{html.escape(title)}</title><style>{STYLE}</style>"
        f"<h1>{html.escape(title)}</h1><p>{html.escape(found.old_title)}<br>{html.escape(found.new_title)}</p>{notes}"
        f"<p>{counted}</p><table>{rows}</table>{parts}</html>\n"
    )


def _section(number: int, change: SectionChange) -> str:
    words = "".join(_words(each, first=index == 0, last=index == len(change.words) - 1)
                    for index, each in enumerate(change.words))  # fmt: skip
    return (
        f"<h2 id='c{number}'>{html.escape(change.label or '(no heading)')}</h2>"
        f"<p class='where'>{html.escape(where(change))}</p><p>{words}</p>"
    )


def where(change: SectionChange) -> str:
    """Return the kind of change and both places: 'moved: § 3, p. 2 → § 4, p. 3'."""
    sides = " → ".join(_place(each) if each is not None else "–" for each in (change.old, change.new))
    return f"{change.change}: {sides}"


def _place(side: Side) -> str:
    return ", ".join(part for part in (side.number, short_place(side.page_label, side.page)) if part)


def _words(words: Words, *, first: bool, last: bool) -> str:
    if words.change != "same":
        tag = "ins" if words.change == "added" else "del"
        return f"<{tag}>{html.escape(words.text)}</{tag}> "
    return f"{html.escape(shortened(words.text, first=first, last=last))} "


def shortened(text: str, *, first: bool, last: bool) -> str:
    """Shorten unchanged text to the words next to a change.

    ``first``: it comes before the first change, so its beginning is cut; ``last``: after the last one, so its end is.
    """
    words = text.split()
    if len(words) <= SHOWN_SAME * (1 if first or last else 2):
        return text
    head = [] if first else words[:SHOWN_SAME]
    tail = [] if last else words[-SHOWN_SAME:]
    return " ".join([*head, "[…]", *tail])
