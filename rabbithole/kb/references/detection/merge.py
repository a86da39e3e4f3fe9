"""Merges what the grammar detected, the PDF's links and the spans a reasoner found into one list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rabbithole.kb.models import Reference

from .reference_spans import ReferenceSpans

_PLACES = ("section", "legal_section")


def merge(
    detected: Sequence[Reference], links: Iterable[Reference] = (), found: Iterable[Reference] = ()
) -> tuple[Reference, ...]:
    """Return the references in order of appearance, de-duplicated by span and target.

    ``links`` are link annotations (``method="link"``). If one covers a detection with a single target, the two become
    one reference: what the words name, with the link's exact page. A link on one member of a list is kept beside the
    list. On a literature call-out, the words say what is cited and the link only adds the entry. A link to another file
    tells which document "Section 4.2" belongs to. A link to an address repeats a detected address and is dropped.
    ``found`` are spans a reasoner reported (``method="llm"``, verbatim in the text); they are dropped where anything
    else covers the span.
    """
    merged = list(detected)
    spans = ReferenceSpans(merged)
    for link in sorted(links, key=_place):
        under = spans.overlapping(link.start, link.end)
        if not under:
            merged.append(link)
        elif link.page is not None and any(merged[index].kind.startswith("academic") for index in under):
            for index in _cited_by(
                link, [index for index in under if merged[index].kind.startswith("academic")], merged
            ):
                merged[index] = merged[index].model_copy(update={"goal": link.goal})
        elif link.page is not None:
            alone = len(under) == 1
            same = [i for i in under if _same_place(merged[i], link) or (alone and _is_number(merged[i], link))]
            if len(same) == 1 and alone:
                merged[same[0]] = merged[same[0]].model_copy(
                    update={"method": "link", "page": link.page, "goal": link.goal}
                )
            elif not same:
                merged.append(link)
        elif is_relative(link.target):
            for index in under:
                if merged[index].kind in _PLACES and not merged[index].document and _same_place(merged[index], link):
                    merged[index] = merged[index].model_copy(update={"method": "link", "file": link.target})
    covered = ReferenceSpans(merged)
    merged += [each for each in sorted(found, key=_place) if not covered.overlapping(each.start, each.end)]
    unique = {(each.start, each.end, each.target, each.path): each for each in merged}
    return tuple(sorted(unique.values(), key=_place))


def is_relative(target: str) -> bool:
    """Return whether a link's target is another file of the same site: '../rules/a.html#s3'."""
    return bool(target) and not target.startswith(("#", "//")) and ":" not in target.split("/", 1)[0]


def _cited_by(link: Reference, under: Sequence[int], references: Sequence[Reference]) -> list[int]:
    """Return the call-outs under a link: the only one, or those with the link's text as label ('20' in '[16, 20]')."""
    if len(under) == 1:
        return list(under)
    label = link.text.strip("[](),; ")
    return [index for index in under if any(value == label for unit, value in references[index].path if unit == "ref")]


def _place(reference: Reference) -> tuple[int, int]:
    return reference.start, reference.end


def _same_place(detected: Reference, link: Reference) -> bool:
    """Return whether the link covers at least half of the mention, or the word before its number.

    "Section" and "4.2" may be two links where a line ended between them.
    """
    if detected.path and detected.start == link.start and not any(map(str.isdigit, link.text)):
        return True
    overlap = min(detected.end, link.end) - max(detected.start, link.start)
    return overlap * 2 >= detected.end - detected.start


def _is_number(detected: Reference, link: Reference) -> bool:
    """Return whether the link stands on the number that ends the mention: on "4.2" of "Section 4.2"."""
    return bool(detected.path) and detected.end == link.end and link.text.strip() == detected.path[-1][1]
