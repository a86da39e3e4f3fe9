"""The alternatives for comparison: two open-source extractors and the predecessor's seven patterns."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable
from importlib.resources import files

from rabbithole.kb.references.names.name_index import known_laws

Spans = Callable[[str], list[tuple[int, int]]]

_SEVEN = [
    re.compile(pattern)
    for pattern in (
        r"(?:siehe|gemäß|nach|in)\s*§\s*(\d+(?:\s*Abs\.\s*\d+)?)",
        r"§\s*(\d+(?:\s*Abs\.\s*\d+)?)\s*(?:StrlSchV|StrlSchG)",
        r"(?:see|cf\.)\s+section\s+(\d+(?:\.\d+)?)",
        r"(?:siehe|gemäß)\s+(?:Dokument|Unterlage)\s+[\"']?([^\"'\n,]+)[\"']?",
        r"(?:EU|EG)\s*(\d+(?:\.\d+)?)",
        r"(?:see|refer to)\s+document\s+[\"']?([^\"'\n,]+)[\"']?",
        r"(https?://[^\s<>\"]+)",
    )
]


def seven_patterns(text: str) -> list[tuple[int, int]]:
    """Return the matches of the predecessor's documented patterns."""
    return [match.span() for pattern in _SEVEN for match in pattern.finditer(text)]


def refex() -> Spans:
    """Return legal-reference-extraction, with regular expressions only."""
    from refex.orchestrator import CitationExtractor  # noqa: PLC0415  (benchmark-only extra)

    extractor = CitationExtractor()

    def spans(text: str) -> list[tuple[int, int]]:
        return [(each.span.start, each.span.end) for each in extractor.extract(text).citations]

    return spans


def quantlaw(*, our_names: bool = True) -> Spans:
    """Return quantlaw with the book codes that legal-reference-extraction ships.

    ``our_names`` adds the product's abbreviations and short names, because quantlaw depends on its list of names. It
    tries every name at every citation, so the codes alone are faster.
    """
    if "pkg_resources" not in sys.modules:  # quantlaw asks this module for its own version; newer setuptools dropped it
        shim = types.ModuleType("pkg_resources")
        shim.DistributionNotFound = LookupError  # type: ignore[attr-defined]
        shim.get_distribution = lambda name: types.SimpleNamespace(version=name)  # type: ignore[attr-defined]
        sys.modules["pkg_resources"] = shim
    from quantlaw.de_extract.statutes_areas import StatutesExtractor  # noqa: PLC0415  (benchmark-only extra)
    from quantlaw.de_extract.stemming import stem_law_name  # noqa: PLC0415

    codes = (files("refex") / "data" / "law_book_codes.txt").read_text(encoding="utf-8").split("\n")
    if our_names:
        codes += [name for row in known_laws() for name in row[:2] if len(name) < 60]
    extractor = StatutesExtractor({stem_law_name(code): code for code in codes if code.strip()})

    def spans(text: str) -> list[tuple[int, int]]:
        found = []
        for match in extractor.find_all(text):
            if match.has_main_area():
                law = match.suffix_len + match.law_len if match.law_len else 0
                found.append((match.start, match.end + law))
        return found

    return spans


def all_others(*, our_names: bool = True) -> dict[str, Spans]:
    """Return the alternatives by name."""
    return {
        "quantlaw": quantlaw(our_names=our_names),
        "legal-reference-extraction": refex(),
        "seven patterns": seven_patterns,
    }
