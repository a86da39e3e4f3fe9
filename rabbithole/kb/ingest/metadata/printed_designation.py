"""Reads the designation of a document by a vote of title page, running headers, properties and file name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rabbithole.kb.references.names.designations.designation import Designation
from rabbithole.kb.references.names.designations.well_known_series import gazettes, well_known

from .front_matter import FrontMatter, despaced
from .title_text import readable_stem

DOI = re.compile(r"\b10\.\d{4,9}/[^\s<>\"]+[^\s<>\".,;)]")
YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_ENOUGH = 3.0
"""Minimum weight for a designation to be the document's own rather than one that its title page mentions."""
_NUMBER_OF_ISSUE = re.compile(r"^(?:.*?\b)?(?:Nr|No|Nummer|Ausgabe|Issue)\b\.?\s*(\d{1,4}(?:/\d{2,4})?)\b")
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


def printed_designation(front: FrontMatter) -> tuple[Designation | None, str, float]:
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
            text = DOI.sub(" ", block.text)
            for offset, designation in series.within(text):
                lead = offset < 3 or block.lines[0].text.strip()[:1] == "["
                short = len(text) < 90
                weight = (4.0 if lead and short else 1.5 if lead else 0.4) * (1.0 if number == 0 else 0.5)
                yield weight, designation, "title page" if number == 0 else "page 2"
            for doi in DOI.findall(block.text)[:2]:
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
    if "/" not in number and (year := next((years[0] for line in lines if (years := YEAR.findall(line))), "")):
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


def spellings(designation: Designation) -> tuple[str, ...]:
    """Return the ways in which the designation may be written."""
    names = [designation.full, designation.name]
    if designation.written:
        names.append(designation.model_copy(update={"written": ""}).full)
    if designation.issuer and designation.series.startswith(f"{designation.issuer} "):
        names += [name.removeprefix(f"{designation.issuer} ") for name in names]
    return tuple(dict.fromkeys(names))


def _bare(text: str) -> str:
    return re.sub(r"[^0-9a-z]", "", text.casefold())
