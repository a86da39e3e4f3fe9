"""A document's title: from the PDF's properties where they are sane, else the largest text of the first page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from rabbithole.kb.ingest.page.lines import Line

MAX_TITLE = 300
_BAD = re.compile(
    r"(?:microsoft word\b.*|untitled.*|unbenannt.*|ohne titel.*|titel|title|document\d*|dokument\d*|"
    r".*\.(?:docx?|pdf|indd|tex|dvi|qxd|rtf|odt|pptx?|xlsx?|html?)|"
    r"layout \d+|slide \d+|powerpoint.*|\W*|\d+|binder\d*|scan.*|print|druck|main|paper|.{0,2})",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[^\W\d_]")


def choose_title(properties: str, first_page: Sequence[Line], file: str) -> str:
    """The title for people; never empty."""
    given = " ".join(properties.split())
    if given and not _BAD.fullmatch(given) and len(given) <= MAX_TITLE:
        return given
    return largest_text(first_page) or PurePath(file).stem


def largest_text(lines: Sequence[Line]) -> str:
    """Consecutive lines in the largest letters of the page's upper two thirds; "" when nothing stands out."""
    usable = [line for line in lines if len(_LETTER.findall(line.text)) >= 3 and not line.verbatim]
    if not usable:
        return ""
    sizes = sorted({line.size for line in usable}, reverse=True)
    body = max(sizes, key=lambda size: sum(len(line.text) for line in usable if line.size == size))
    for size in sizes:
        if size <= body * 1.05:
            break
        group = [line for line in usable if abs(line.size - size) < 0.3]
        run = [group[0]]
        for line in group[1:]:
            if line.y0 - run[-1].y1 < 1.5 * size and len(run) < 6:
                run.append(line)
            else:
                break
        title = " ".join(line.text for line in run)
        if 4 <= len(title) <= MAX_TITLE:
            return title
    centred = next((line.text for line in usable if line.bold), "")
    return centred if 8 <= len(centred) <= MAX_TITLE else ""
