"""Markers of citations in a writer's Markdown: keys of evidence in brackets, and what only looks like them. Pure."""

from __future__ import annotations

import itertools
import re

from .quotations import quotations
from .sentences import sentences

KEY = r"e[0-9a-f]{6,16}"
MARKER = re.compile(rf"[ \t]*\[({KEY}(?:\s*[,;]\s*{KEY})*)\]")
FOREIGN_MARKER = re.compile(r"(?<=[\w.“”\"»)])[ \t]*\[\d{1,3}(?:\s*,\s*\d{1,3})*\](?!\()")
LINK_TARGET = re.compile(r"\[(s\d{1,6})\]")  # what markers link to: written by nobody but this module


def own_markers_only(markdown: str) -> str:
    """The writer's Markdown in which no words, of a document or of a model, can pass for a marker of a citation."""
    return LINK_TARGET.sub(r"\\[\1\\]", markdown)


def ends_with_its_key(lines: list[str]) -> bool:
    """Whether a block's keys stand at its very end and nowhere else."""
    return (
        bool(re.search(rf"\[{KEY}(?:\s*[,;]\s*{KEY})*\]\s*$", lines[-1]))
        and sum(len(MARKER.findall(f" {line}")) for line in lines) == 1
    )


def keys_in(text: str) -> list[str]:
    return [key for group in MARKER.findall(text) for key in re.findall(KEY, group)]


def without_foreign_markers(text: str) -> tuple[str, int]:
    """Remove numbers in brackets the writer made up, outside quotations: they would look like our citations."""
    spans = [(one.start, one.end) for one in quotations(text)]
    removed = 0

    def drop(match: re.Match[str]) -> str:
        nonlocal removed
        if any(start <= match.start() < end for start, end in spans):
            return match.group(0)
        removed += 1
        return ""

    return FOREIGN_MARKER.sub(drop, text), removed


def cited_units(body: str) -> list[str]:
    """Cut a line into sentences, each with the markers that follow it; joined they are the line."""
    protected = [(one.start, one.end) for one in quotations(body)]
    protected += [match.span() for match in MARKER.finditer(body)]
    cuts: list[int] = []
    for match in MARKER.finditer(body):
        rest = body[match.end() :]
        punctuation = re.match(r"[.!?;,]*", rest)
        end = match.end() + (punctuation.end() if punctuation else 0)
        if not MARKER.match(body, end) and not any(start < end < stop for start, stop in protected):
            cuts.append(end)
    masked = list(body)
    for start, end in protected:
        for at in range(start + 1, end - 1):
            masked[at] = "x"
    for sentence in sentences("".join(masked)):
        end = sentence.end
        following = MARKER.match(body, end)
        if following is None and not any(start < end < stop for start, stop in protected):
            cuts.append(end)
    edges = [0, *sorted({cut for cut in cuts if 0 < cut < len(body)}), len(body)]
    return [body[first:last] for first, last in itertools.pairwise(edges) if first < last]
