"""How statements stand in a report: quoted, cited, grouped by the place they come from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.text.tables import one_line
from rabbithole.steps.resolution_notes import standing_in

from .ranking import place
from .statements import Followed, Statement, Used

_LONGEST_HEADING = 160
_DEEPEST = 3  # levels below a statement
_LEADING, _BELOW = 0.9, 0.45  # of the best score: statements that lead, places below the others


def paragraphs(chosen: Sequence[Statement], language: str, used: Used, followed: Followed) -> str:
    """A paragraph a place, in the order of the best; under it what the references in its words led to.

    What the leading statements refer to is shown whatever its own words are.
    """
    lines: list[str] = []
    best = max((item.score for item in chosen), default=0.0)
    leads, least = _LEADING * best, _BELOW * best
    for label, items in _by_label(chosen, language, always_via=False).items():
        lines.append(f"**{label}:** {' '.join(_cited(items, language))}\n\n")
        needed = max(item.score for item in items) >= leads
        below = [item for item in followed.of(items, 0.0 if needed else least) if used.take(item)]
        for spot in dict.fromkeys(item.spot for item in below):
            group = [item for item in below if item.spot == spot]
            lines += _led(group, language, used, followed) if needed else [f"{_bullet(group, language)}\n"]
        lines += ["\n"] if below else []
    return "".join(lines)


def _led(items: Sequence[Statement], language: str, used: Used, followed: Followed, level: int = 0) -> list[str]:
    """Statements of a place that a reference led to, and below it, each a level deeper, places it leads on to."""
    onward = followed.onward(items[0]) if level < _DEEPEST else ()
    fresh = [one for one in onward if used.take(one)]
    here = [*items, *(one for one in fresh if one.spot == items[0].spot)]
    lines = [f"{'  ' * level}{_bullet(sorted(here, key=position), language)}\n"]
    for further in fresh:
        if further.spot != items[0].spot:
            lines += _led([further], language, used, followed, level + 1)
    return lines


def bullets(chosen: Sequence[Statement], language: str) -> str:
    """A line a place."""
    return "".join(f"{line}\n" for line in _bullet_lines(chosen, language)) + "\n" if chosen else ""


def _bullet_lines(items: Sequence[Statement], language: str) -> list[str]:
    return [_bullet(own, language) for own in _by_label(items, language, always_via=True).values()]


def _bullet(items: Sequence[Statement], language: str) -> str:
    """One line for statements of one place."""
    return f"- **{_label(items[0], language, via=True)}:** {' '.join(_cited(items, language))}"


def places(items: Sequence[Statement]) -> str:
    """The places of statements, each once."""
    return "; ".join(dict.fromkeys(flat(place(item.evidence)) for item in items))


def _by_label(items: Sequence[Statement], language: str, *, always_via: bool) -> dict[str, list[Statement]]:
    """In the order of their first mention; within a place in the order of the text.

    Which reference led to a place is said where the search did not find it too, or ``always_via``.
    """
    groups: dict[str, list[Statement]] = {}
    for item in items:
        groups.setdefault(_label(item, language, via=always_via or not item.direct), []).append(item)
    return {name: sorted(own, key=position) for name, own in groups.items()}


def position(item: Statement) -> tuple[int, int, str]:
    spots = [
        quote.place.start
        for quote in item.evidence.quotes
        if quote.place is not None and one_line(quote.text) == item.text
    ]
    return min(spots, default=item.evidence.end), item.evidence.start, item.text


def _cited(items: Sequence[Statement], language: str) -> list[str]:
    """Each statement with its key; what introduces an item of an enumeration goes before it, once."""
    cited: list[str] = []
    said = ""
    for item in items:
        if item.lead and item.lead not in said:
            cited.append(f"{phrase(language, 'reasoning.quote', text=inner_quotes(flat(item.lead), language))}")
        cited.append(f"{_words(item, language)} [{item.evidence.key}]")
        said = f"{said} {item.lead} {item.text}"
    return cited


def _label(item: Statement, language: str, *, via: bool) -> str:
    evidence = item.evidence
    label = flat(place(evidence)) or evidence.key
    if evidence.depth and evidence.chain and via:
        way = phrase(language, "reasoning.via", reference=flat(evidence.chain[-1].reference)[:80])
        label = f"{label} ({way})"
    if standing_in(evidence.note):
        label = f"{label} ({phrase(language, 'reasoning.outdated')})"
    return label


def _words(item: Statement, language: str) -> str:
    text = flat(item.text)
    return phrase(language, "reasoning.quote", text=inner_quotes(text, language)) if item.verbatim else text


def inner_quotes(text: str, language: str) -> str:
    """Quotation marks inside a quotation become single ones, so that the outer pair stays readable."""
    if language == "de":
        return re.sub(r"[„\"«]([^“”\"»]*)[“”\"»]", r"‚\1‘", text).replace("“", "‘").replace("„", "‚").replace('"', "'")
    return re.sub(r"[“„\"«]([^”“\"»]*)[”“\"»]", r"'\1'", text).replace('"', "'").replace("”", "'").replace("“", "'")


def flat(text: str) -> str:
    """One line, and no Markdown link or image: whatever a document says, its text stays text."""
    return " ".join(text.split()).replace("](", "] (")


def heading(text: str) -> str:
    """A heading's words: one line, not too long, beginning with a capital, without a full stop."""
    line = flat(text).lstrip("# ").removesuffix(".")
    if len(line) > _LONGEST_HEADING:
        line = line[:_LONGEST_HEADING].rsplit(" ", 1)[0] + " …"
    return line[:1].upper() + line[1:]
