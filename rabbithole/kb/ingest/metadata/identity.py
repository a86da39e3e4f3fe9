"""Reads a document's identity (title, designation, edition, date, authors, kind), with source and confidence."""

from __future__ import annotations

import re

from pydantic import Field

from rabbithole.kb.models import Model
from rabbithole.kb.references.names.designations.designation import Designation
from rabbithole.kb.references.names.designations.well_known_series import well_known

from .eu_act import PrintedAct, printed_act
from .front_matter import FrontMatter
from .printed_date import printed_date
from .printed_designation import DOI, YEAR, printed_designation, spellings
from .title import ChosenTitle, choose_title
from .title_text import clean
from .title_words import is_structure, kind_of, people

_TITLE_WORDS = 3
"""Words that are enough for a title without the number before them."""
_ARXIV = re.compile(r"\barXiv:\s?(\d{4}\.\d{4,5})(?:v\d+)?")
_ISBN = re.compile(r"\bISBN(?:-1[03])?:?\s*((?:97[89][- ]?)?\d[\d -]{8,14}[\dX])")
_EDITION = re.compile(
    r"\b(?:(?:Version|Release|Revision|Rev\.?|Fassung)\s+(?P<version>\d{1,3}(?:\.\d{1,3}){0,3}[a-z]?)(?![\d.]*\d)|"
    r"(?P<nth>\d{1,2})(?:st|nd|rd|th)\s+[Ee]dition|(?P<auflage>\d{1,2})\.\s+Auflage|"
    r"[vV](?P<short>\d{1,2}\.\d{1,3}(?:\.\d{1,3})?)(?!\w))",
)
_TYPESET = re.compile(
    r"\b(?:compiled|created|generated|made|prepared|produced|typeset|written)\b.*\b(?:by|in|using|with)\b|"
    r"\b(?:erstellt|erzeugt|gesetzt|geschrieben)\s+(?:in|mit)\b",
    re.I,
)
"""'Compiled using the style file v3.0': the version of a program, not of the document."""
_PROTOCOL = re.compile(r"[^\W\d_]{2,}\s*$")
"""'IP version 6', 'TLS Version 1.2' in a line: the version of the subject, not of the document."""


class Value(Model):
    """One property with its source and its confidence (0-1)."""

    text: str
    source: str
    confidence: float = Field(ge=0.0, le=1.0)


class Identity(Model):
    """What a document says about itself; a property that is not printed is None."""

    title: Value
    designation: Value | None = None
    printed_designations: tuple[str, ...] = Field(default=(), description="its numbers as written on the pages")
    edition: Value | None = None
    date: Value | None = None
    kind: str = ""
    authors: tuple[str, ...] = ()
    identifiers: dict[str, str] = Field(default_factory=dict, description="doi, arxiv, isbn")

    @property
    def year(self) -> int | None:
        return int(self.date.text[:4]) if self.date else None


def identify(front: FrontMatter) -> Identity:
    """Return the identity of a document from its first pages, running lines, PDF properties and file name."""
    act = printed_act(front)
    title = ChosenTitle(act.title, "title page", 1.0) if act else choose_title(front)
    title = title._replace(text=without_number(title.text))
    designation, source, weight = printed_designation(front)
    date = _date(front, act)
    authors = _authors(front, title.text) if designation is None and _has_abstract(front) else ()
    kind = "paper" if authors else kind_of(title.text)
    return Identity(
        title=Value(text=title.text, source=title.source, confidence=title.confidence),
        designation=Value(text=designation.full, source=source, confidence=min(1.0, weight / 8))
        if designation
        else None,
        printed_designations=spellings(designation) if designation else (),
        edition=_edition(front, title.text, designation),
        date=date,
        kind=kind,
        authors=authors,
        identifiers=_identifiers(front),
    )


def _date(front: FrontMatter, act: PrintedAct | None) -> Value | None:
    """Return the date from the best source there is: a law's own data, an act's title, the pages, the file name."""
    if issued := str(front.properties.get("issued") or ""):
        return Value(text=issued, source="the law's own data", confidence=1.0)
    if act:
        return Value(text=act.date, source="title page", confidence=1.0)
    if dated := printed_date(front):
        return Value(text=dated.date, source=dated.source, confidence=min(1.0, dated.weight / 6))
    if years := YEAR.findall(re.sub(r"[_.-]", " ", front.file)):
        return Value(text=years[-1], source="file name", confidence=0.4)
    return None


def without_number(title: str) -> str:
    """Return a title without the document's number before it: 'NIST SP 800-53 Revision 3, Recommended ...'."""
    for end, _ in well_known().at(title, 0):
        rest = re.sub(r"^[\s,:;–—-]+", "", title[end:])
        if len(rest.split()) >= _TITLE_WORDS and rest[:1].isupper():
            return rest
    return title


def _edition(front: FrontMatter, title: str, designation: Designation | None) -> Value | None:
    """Return the revision or version from the designation, else as printed on the title page."""
    if designation is not None and designation.edition:
        return Value(text=designation.edition, source="designation", confidence=0.9)
    first = [line.text for line in front.pages[0]] if front.pages else []
    places = [(title[-14:], "title"), *((text, "title page") for text in first[:40] if len(text) < 70)]
    places += [(text, "running header") for text, pages in front.headers.items() if pages >= 3]
    for text, source in places:
        found = _EDITION.search(text)
        if found and _TYPESET.search(text[: found.start()]):
            continue
        if found and not (source == "title page" and found["version"] and _PROTOCOL.search(text[: found.start()])):
            groups = found.groupdict()
            if version := groups["version"] or groups["short"]:
                kind = "rev" if found[0].casefold().startswith("rev") else "v"
                return Value(text=f"{kind} {version}", source=source, confidence=0.7)
            return Value(text=f"ed {int(groups['nth'] or groups['auflage'])}", source=source, confidence=0.7)
    return None


def _authors(front: FrontMatter, title: str) -> tuple[str, ...]:
    """Return the people named on the first page between title and abstract."""
    found: list[str] = []
    for line in front.pages[0][:60] if front.pages else ():
        if is_structure(line.text) and found:
            break
        if clean(line.text) not in title:
            found += people(line.text)
    return tuple(dict.fromkeys(found))[:30]


def _has_abstract(front: FrontMatter) -> bool:
    return any(
        re.match(r"(?:abstract|zusammenfassung)\b", line.text.strip(), re.I)
        for page in front.pages[:2]
        for line in page
    )


def _identifiers(front: FrontMatter) -> dict[str, str]:
    """Return identifiers of which the first page prints only one; if it prints several, it cites other works."""
    text = "\n".join(line.text for line in front.pages[0]) if front.pages else ""
    found: dict[str, str] = {}
    for name, pattern in (("doi", DOI), ("arxiv", _ARXIV), ("isbn", _ISBN)):
        values = {match[1] if pattern.groups else match[0] for match in pattern.finditer(text)}
        if len(values) == 1:
            found[name] = values.pop()
    return found
