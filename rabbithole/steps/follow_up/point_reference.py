"""A message about one point of the answer: 'the second point', '[3]', 'that point'."""

from __future__ import annotations

from . import forms
from .context import Context, Point
from .models import FollowUp, Kind, Language, asked_back
from .standalone_question import has_matter, search_request


def interpret_point_reference(text: str, rest: str, context: Context, language: Language) -> FollowUp | None:
    """Return what a message about one point asks for, or None if it refers to no point.

    ``text`` is the message, ``rest`` the same without its courtesy. If the point does not exist, it is asked back.
    """
    pointed = _pointed(rest, context)
    if pointed is None:
        return None
    found, point = pointed
    if point is None:
        return asked_back(text, "no_point" if context.points else "no_points", language)
    left = rest.replace(found, " ")
    if not has_matter(forms.EXPLAINS.sub(" ", left), language):
        kind: Kind = "shorten" if forms.SHORTENS.search(left) and not forms.EXPLAINS.search(left) else "explain"
        return FollowUp(kind=kind, text=text, language=language, markers=point.markers, place=point.place)
    query = " ".join(rest.replace(found, f"{_article(found)}{point.place or point.name}").split())
    return search_request(text, query, context, language, place=point.place, document=point.document)


def only_point(text: str, context: Context, language: Language) -> FollowUp | None:
    """Return that the only point of the answer is to be explained, or None if it has none or several."""
    if len(context.points) != 1:
        return None
    (point,) = context.points
    return FollowUp(kind="explain", text=text, language=language, markers=point.markers, place=point.place)


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
