"""Citation markers in a writer's Markdown: evidence keys in brackets, and text that only looks like them. Pure."""

from __future__ import annotations

import itertools
import re

from .quotations import quotations
from .sentences import sentences

KEY = r"e[0-9a-f]{6,16}"
MARKER = re.compile(rf"[ \t]*\[({KEY}(?:\s*[,;]\s*{KEY})*)\]")
FOREIGN_MARKER = re.compile(r"(?<=[\w.“”\"»)])[ \t]*\[\d{1,3}(?:\s*,\s*\d{1,3})*\](?!\()")
LINK_TARGET = re.compile(r"\[(s\d{1,6})\]")  # the link targets of our markers


def own_markers_only(markdown: str) -> str:
    """Escape link targets in the writer's Markdown, so that no text can pass for one of our citation markers."""
    return LINK_TARGET.sub(r"\\[\1\\]", markdown)


def ends_with_its_key(lines: list[str]) -> bool:
    """Return whether a block has one group of keys, at its very end."""
    return (
        bool(re.search(rf"\[{KEY}(?:\s*[,;]\s*{KEY})*\]\s*$", lines[-1]))
        and sum(len(MARKER.findall(f" {line}")) for line in lines) == 1
    )


def keys_in(text: str) -> list[str]:
    return [key for group in MARKER.findall(text) for key in re.findall(KEY, group)]


def without_foreign_markers(text: str) -> tuple[str, int]:
    """Remove bracketed numbers outside quotations, which look like our citations; return the text and their number."""
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
    """Split a line into sentences, each with the markers after it; joined they give the line."""
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
