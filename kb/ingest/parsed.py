"""What reading a PDF gives: plain data that a worker process can hand back."""

from __future__ import annotations

from collections.abc import Mapping

from ..models import Model, Scalar
from .sections import ParsedSection


class ParsedLink(Model):
    """A link annotation: its words are text[start:end]."""

    start: int
    end: int
    uri: str = ""
    file: str = ""
    page: int | None = None


class ParsedDocument(Model):
    """Text and structure of one PDF, without ids. Offsets are into ``text``; pages count from 0.

    ``drawn_pages`` show something but hold no text.
    """

    title: str
    text: str
    page_starts: tuple[int, ...]
    page_labels: tuple[str, ...]
    sections: tuple[ParsedSection, ...]
    links: tuple[ParsedLink, ...] = ()
    outline_source: str = ""
    properties: Mapping[str, Scalar] = {}
    warnings: tuple[str, ...] = ()
    drawn_pages: tuple[int, ...] = ()
    unsure_pages: tuple[int, ...] = ()
