"""Finds rules that are drawn as images of one dot, stretched: so dvips and older versions of Ghostscript write them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rabbithole.kb.mupdf import pymupdf

from .lines import Box

THIN = 2.5
"""Maximum thickness of a rule, in points."""
MEETING = 1.5
"""Maximum distance of two rules that meet, in points."""
GRID, LONG = 6, 100.0
"""Minimum number of rules of a table that meet, and minimum length of a level rule that may stand alone."""
_INLINE_IMAGE = re.compile(rb"\sBI\s")


def image_rules(page: pymupdf.Page) -> list[Box]:
    """Return the boxes of such rules, from which a table may be read; a frame around a word is none."""
    if _INLINE_IMAGE.search(page.read_contents()) is None:
        return []
    drawn = [box for kind, box in page.get_bboxlog() if kind == "fill-imgmask"]
    return rules_of_tables(box for box in drawn if min(box[2] - box[0], box[3] - box[1]) <= THIN)


def rules_of_tables(rules: Iterable[Box]) -> list[Box]:
    """Return the rules that meet others in a grid, and the long level ones."""
    groups: list[list[Box]] = []
    for rule in rules:
        met = [group for group in groups if any(_meet(rule, other) for other in group)]
        groups = [group for group in groups if group not in met]
        groups.append([rule, *(other for group in met for other in group)])
    return [rule for group in groups for rule in group if len(group) >= GRID or _is_long(rule)]


def _is_long(rule: Box) -> bool:
    return rule[2] - rule[0] >= LONG and rule[3] - rule[1] <= THIN


def _meet(one: Box, other: Box) -> bool:
    return (
        one[0] <= other[2] + MEETING
        and other[0] <= one[2] + MEETING
        and one[1] <= other[3] + MEETING
        and other[1] <= one[3] + MEETING
    )
