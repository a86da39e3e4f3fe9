"""Detects controls, requirements and modules by code: "AC-2", "controls SC-7 and SC-8 of SP 800-53", "ORP.4.A2"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from rabbithole.kb.models import PathElement, Reference, Section

_SHAPE = r"[A-Z]{2,5}-\d{1,3}|[A-Z]{3,5}(?:\.\d{1,2}){1,3}(?:\.A\d{1,3})?"
_OWN = re.compile(_SHAPE)
_CODE = re.compile(
    rf"(?<![\w.-])(?P<code>{_SHAPE})"
    r"(?:[ ]?\((?P<item>\d{1,2})\))?(?![\w-]|\.\d)"
)
_WORD = re.compile(
    r"\b(?:[Cc]ontrols?|[Rr]equirements?|[Mm]odules?|[Ee]nhancements?|[Bb]austeine?n?|[Aa]nforderung(?:en)?|"
    r"[Mm]aßnahmen?)\s$"
)
_JOINT = re.compile(r"[\s,;:()]*(?:(?:and|or|und|oder|bis|to|through)\s+)?(?:security\s+)?")
_OF = re.compile(r",?\s+(?:(?:control|enhancement)s?\s+)?(?:of|in|from|aus|der|des|nach)\s+(?:the\s+)?")
_LEAST = 3
"""Minimum number of sections with a code for a document to count as numbered by codes."""


def with_codes(text: str, outline: Sequence[Section], found: Sequence[Reference]) -> tuple[Reference, ...]:
    """Return the references with codes added; references inside a code ('(3)' in 'SC-7 (3)') are dropped."""
    coded = coded_references(text, outline, found)
    starts = [one.start for one in coded]

    def inside(one: Reference) -> bool:
        place = bisect_right(starts, one.start) - 1
        return place >= 0 and one.end <= coded[place].end

    return (*(one for one in found if not inside(one)), *coded)


def coded_references(text: str, outline: Sequence[Section], found: Sequence[Reference]) -> tuple[Reference, ...]:
    """Return the codes of the document's own sections, and those named together with their document. Linear."""
    starts = {section.number: section.start for section in outline if _OWN.fullmatch(section.number)}
    own = starts if len(starts) >= _LEAST else {}
    named = sorted((one for one in found if one.document), key=lambda one: one.start)
    before = {one.end: one for one in named}
    after = [one.start for one in named]
    taken = sorted((one.start, one.end) for one in found)
    return tuple(_read(text, own, before, (after, named), taken))


def _read(
    text: str,
    own: dict[str, int],
    before: dict[int, Reference],
    after: tuple[list[int], list[Reference]],
    taken: Sequence[tuple[int, int]],
) -> Iterator[Reference]:
    chained: tuple[int, Reference | None] = (-1, None)
    for code in _CODE.finditer(text):
        start, end = code.span()
        place = bisect_left(taken, (start, 0))
        if (place and taken[place - 1][1] > start) or (place < len(taken) and taken[place][0] < code.end("code")):
            continue
        document = _document_of(text, code, before, after, chained)
        if document is not None:
            chained = (end, document)
        elif code["code"] not in own or own[code["code"]] == start:
            continue
        path: tuple[PathElement, ...] = (("control", code["code"]),)
        if code["item"]:
            path += (("paragraph", code["item"]),)
        spelled = code["code"] + (f"({code['item']})" if code["item"] else "")
        yield Reference(
            start=start,
            end=end,
            text=text[start:end],
            kind="section" if document is None else "legal_section",
            target=spelled if document is None else f"{document.document} {spelled}",
            document=None if document is None else document.document,
            edition=None if document is None else document.edition,
            path=path,
            relative=document is None,
        )


def _document_of(
    text: str,
    code: re.Match[str],
    before: dict[int, Reference],
    after: tuple[list[int], list[Reference]],
    chained: tuple[int, Reference | None],
) -> Reference | None:
    """Return the document a code is named with: directly before it, before the codes before it, or after 'of'."""
    at = code.start()
    word = _WORD.search(text, max(0, at - 14), at)
    lead = word.start() if word else at
    for end in range(lead, max(lead - 12, 0), -1):
        if end in before and _JOINT.fullmatch(text, end, lead):
            plain = not text[end:lead].strip()  # "FIPS 202, SHA-3" names no control of FIPS 202
            return before[end] if word or plain or before[end].path else None
    if chained[1] is not None and _JOINT.fullmatch(text, chained[0], lead):
        return chained[1]
    behind = _OF.match(text, code.end())
    if behind is None:
        return None
    starts, named = after
    place = bisect_left(starts, behind.end())
    return named[place] if place < len(starts) and starts[place] == behind.end() else None
