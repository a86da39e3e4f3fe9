"""Reads a document's identity (title, designation, edition, date, authors, kind), with source and confidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from pydantic import Field

from rabbithole.kb.models import Model
from rabbithole.kb.references.names.designation import Designation, gazettes, well_known

from .eu_act import PrintedAct, printed_act
from .front_matter import FrontMatter, despaced
from .printed_date import printed_date
from .title import ChosenTitle, choose_title
from .title_text import clean, readable_stem
from .title_words import is_structure, kind_of, people

_ENOUGH = 3.0
"""Minimum weight for a designation to be the document's own rather than one that its title page mentions."""
_TITLE_WORDS = 3
"""Words that are enough for a title without the number before them."""
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s<>\"]+[^\s<>\".,;)]")
_ARXIV = re.compile(r"\barXiv:\s?(\d{4}\.\d{4,5})(?:v\d+)?")
_ISBN = re.compile(r"\bISBN(?:-1[03])?:?\s*((?:97[89][- ]?)?\d[\d -]{8,14}[\dX])")
_NUMBER_OF_ISSUE = re.compile(r"^(?:.*?\b)?(?:Nr|No|Nummer|Ausgabe|Issue)\b\.?\s*(\d{1,4}(?:/\d{2,4})?)\b")
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_CODE = re.compile(
    r"(?<![\w-])(?=[A-Za-z0-9._/-]*\d)(?=[A-Za-z0-9._/-]*[A-Za-z])[A-Za-z0-9]+(?:[._/-][A-Za-z0-9]+){0,5}(?![\w-])"
)
_NUMBERED = re.compile(
    r"^(?P<series>[A-ZÄÖÜ][\w./&-]*(?:\s[A-Za-zÄÖÜäöü][\w./&-]*){0,4}?)\s+(?:No|Nr|Number|"
    r"Nummer)\b\.?\s*:?\s*(?P<number>[A-Z]{0,6}[-/ ]?\d[\w./-]{0,20})$"
)
_SERIAL = re.compile(
    r"^(?P<series>[A-Z]{2,8}(?:[ -][A-Z]{1,6}){0,2})[ -]?(?P<number>(?!(?:19|"
    r"20)\d\d$)\d{1,5}(?:[./-]\d{1,5}){0,3}[A-Z]?)$"
)
_GENERIC_SERIES = re.compile(
    r"^(?:page|seite|order|item|figure|table|phone|tel|fax|p\.?o\.? box|isbn|issn|room|suite|customer|telephone|"
    r"contract|invoice|public law|"
    r"document|doc|dokument|reference|ref|version|release|revision|rev|edition|volume|vol|issue|chapter|section|"
    r"part)\b",
    re.I,
)
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
    designation, source, weight = _designation(front)
    date = _date(front, act)
    authors = _authors(front, title.text) if designation is None and _has_abstract(front) else ()
    kind = "paper" if authors else kind_of(title.text)
    return Identity(
        title=Value(text=title.text, source=title.source, confidence=title.confidence),
        designation=Value(text=designation.full, source=source, confidence=min(1.0, weight / 8))
        if designation
        else None,
        printed_designations=_printed(front, designation) if designation else (),
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
    if years := _YEAR.findall(re.sub(r"[_.-]", " ", front.file)):
        return Value(text=years[-1], source="file name", confidence=0.4)
    return None


def without_number(title: str) -> str:
    """Return a title without the document's number before it: 'NIST SP 800-53 Revision 3, Recommended ...'."""
    for end, _ in well_known().at(title, 0):
        rest = re.sub(r"^[\s,:;–—-]+", "", title[end:])
        if len(rest.split()) >= _TITLE_WORDS and rest[:1].isupper():
            return rest
    return title


def _designation(front: FrontMatter) -> tuple[Designation | None, str, float]:
    """Return the designation with the most weight, with its best edition, its source and its weight."""
    votes: Counter[tuple[str, str]] = Counter()
    found: dict[tuple[str, str], list[tuple[float, Designation, str]]] = {}
    for weight, designation, source in _designations(front):
        key = designation.key, designation.part
        votes[key] += int(100 * weight)
        found.setdefault(key, []).append((weight, designation, source))
    for number, part in list(votes):
        if part and (number, "") in votes:  # "SP 800-57" in a header and "SP 800-57 Part 1" on the title page
            votes[number, part] += votes[number, ""]
            found[number, part] += [each for each in found[number, ""] if not each[1].part]
            votes[number, ""] = 0
    if not votes or max(votes.values()) < 100 * _ENOUGH:
        return None, "", 0.0
    best = max(votes, key=lambda each: votes[each])
    rows = sorted(found[best], key=lambda each: -each[0])
    own = next(each for each in rows if each[1].part == best[1])
    edition = next((each[1] for each in rows if each[1].edition), None)
    designation = own[1]
    if edition is not None and not designation.edition:
        designation = designation.model_copy(update={"edition": edition.edition, "dashed": edition.dashed})
    return designation, own[2], votes[best] / 100


def _designations(front: FrontMatter) -> Iterator[tuple[float, Designation, str]]:
    series = well_known()
    for number, blocks in enumerate(front.blocks[:2]):
        for block in blocks:
            text = _DOI.sub(" ", block.text)
            for offset, designation in series.within(text):
                lead = offset < 3 or block.lines[0].text.strip()[:1] == "["
                short = len(text) < 90
                weight = (4.0 if lead and short else 1.5 if lead else 0.4) * (1.0 if number == 0 else 0.5)
                yield weight, designation, "title page" if number == 0 else "page 2"
            for doi in _DOI.findall(block.text)[:2]:
                if named := series.read(doi.split("/", 1)[1]):
                    yield 2.5 if number == 0 else 1.5, named, "DOI on the title page"
    for header, pages in front.headers.items():
        for offset, designation in series.within(header):
            if pages >= 2:
                yield (2.0 if offset < 3 else 1.0), designation, "running header"
    title = str(front.properties.get("title") or "")
    for offset, designation in series.within(title):
        yield (3.0 if offset < 3 else 1.0), designation, "file properties"
    stem = readable_stem(front.file)
    if own := series.read(stem.replace(" ", "-")) or series.read(stem):
        yield 3.0, own, "file name"
    else:
        for offset, designation in series.within(readable_stem(front.file)):
            yield (3.0 if offset == 0 else 1.0), designation, "file name"
    yield from _issue_of_gazette(front)
    yield from _codes(front)
    yield from _numbered(front)


def _issue_of_gazette(front: FrontMatter) -> Iterator[tuple[float, Designation, str]]:
    """Yield a gazette's issue: 'Amtliches Mitteilungsblatt der HTW Berlin' with 'Nr. 17/14' near it.

    A number without a year takes the year printed on the page.
    """
    if not front.pages:
        return
    lines = [despaced(line.text) for line in front.pages[0][:40]]
    names = tuple(gazettes())
    heads = [line for line in lines if line.casefold().startswith(names)]
    numbers = [found[1] for line in lines if len(line) < 80 and (found := _NUMBER_OF_ISSUE.match(line))]
    if not heads or not numbers:
        return
    head = max(heads, key=len)
    name = max((each for each in gazettes() if head.casefold().startswith(each)), key=len)
    issuer = re.sub(r"^\s*(?:der|des|für|of|the|den)\b\s*", "", head[len(name) :], flags=re.I).strip(" ,.-")
    number = numbers[0]
    if "/" not in number and (year := next((years[0] for line in lines if (years := _YEAR.findall(line))), "")):
        yield 4.0, Designation(series=gazettes()[name], number=f"{year} Nr. {number}"), "title page"
        return
    series = f"{gazettes()[name]} {issuer}".strip() if len(issuer.split()) <= 5 else gazettes()[name]
    yield 4.0, Designation(series=series, number=f"Nr. {number}"), "title page"


def _codes(front: FrontMatter) -> Iterator[tuple[float, Designation, str]]:
    """Yield a code that the pages or properties contain and the file name repeats: 'QM-HB-001', 'I41b2023'."""
    stem = _bare(readable_stem(front.file))
    first = [line.text for line in front.pages[0]] if front.pages else []
    for text in (str(front.properties.get("title") or ""), *front.headers, *first[:60]):
        if len(text) > 160 or text.startswith("http"):
            continue
        for found in _CODE.finditer(text):
            code = _bare(found[0])
            if (
                4 <= len(code) <= 24
                and code in stem
                and not well_known().read(found[0])
                and len(code) >= 0.5 * len(stem)
            ):
                yield 3.2, Designation(series="", number=found[0]), "file name and pages"
                return


def _numbered(front: FrontMatter) -> Iterator[tuple[float, Designation, str]]:
    """Yield numbers of series not in the data file, as the title page shows them: 'Circular No. 5/2020', 'TR-12'."""
    stem = _bare(readable_stem(front.file))
    first = [despaced(line.text) for line in front.pages[0]][:30] if front.pages else []
    for text in (*first, *(header for header, pages in front.headers.items() if pages >= 3)):
        found = _NUMBERED.match(text) or _SERIAL.match(text)
        if found is None or _GENERIC_SERIES.match(found["series"]) or any(True for _ in well_known().within(text)):
            continue
        if any(text.casefold().startswith(name) for name in gazettes()):
            continue
        confirmed = _bare(found["number"]) in stem
        sure = 3.0 if found.re is _NUMBERED else 1.8
        yield (
            sure + (1.5 if confirmed else 0.0),
            Designation(series=found["series"], number=found["number"]),
            "title page",
        )


def _printed(front: FrontMatter, designation: Designation) -> tuple[str, ...]:
    """Return the ways in which the designation may be written."""
    names = [designation.full, designation.name]
    if designation.written:
        names.append(designation.model_copy(update={"written": ""}).full)
    if designation.issuer and designation.series.startswith(f"{designation.issuer} "):
        names += [name.removeprefix(f"{designation.issuer} ") for name in names]
    return tuple(dict.fromkeys(names))


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
    for name, pattern in (("doi", _DOI), ("arxiv", _ARXIV), ("isbn", _ISBN)):
        values = {match[1] if pattern.groups else match[0] for match in pattern.finditer(text)}
        if len(values) == 1:
            found[name] = values.pop()
    return found


def _bare(text: str) -> str:
    return re.sub(r"[^0-9a-z]", "", text.casefold())
