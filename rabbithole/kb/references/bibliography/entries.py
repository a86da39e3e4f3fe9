"""Parses the entries of a document's bibliography: label, authors, title, year, identifiers."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from rabbithole.kb.models import BibliographyEntry
from rabbithole.kb.references.bibliography.entry_people import people_of

MAX_ENTRY = 2000
"""Maximum number of characters of an entry; anything longer is text that follows the list."""
MAX_ENTRIES = 5000
_BROKEN_OFF = 2 * MAX_ENTRY
"""Characters after the beginning of an entry without another beginning: the list has ended before."""
_TELLING = 3
"""Minimum number of entries that shows the style of a list."""
LAST_ENTRY = 400
"""Longest plausible last entry in characters; a longer one has run into the text after the list."""
_LINE_END = re.compile(r"(?<=[\w)\]/-]{2})\.[ \t]*(?=\n)")
_LEAD = (
    r"^[ \t]*(?:#{1,4}[ \t]*)?(?:(?:APPENDIX|Appendix|ANNEX|Annex|ANHANG|Anhang|ANLAGE|Anlage)[ \t]+"
    r"(?:[A-Z]|\d{1,2}|[IVX]{1,5})(?!\w)[ \t]*[:.–—-]?[ \t]*)?(?:(?:\d{1,2}|[A-Z]|[IVX]{1,5})(?:\.\d{1,2})*\.?[ \t]+)?"
)
_HEADING = re.compile(
    _LEAD + r"(?:(?:(?:Normative|Informative|List of|Cited|Selected|General|Further|Additional|Notes|[A-Z]\w+ments?)"
    r"[ \t]+)(?:(?:and|&)[ \t]+(?:General[ \t]+)?)?){0,2}"
    r"(?:References(?:[ \t]+Cited)?|REFERENCES|Bibliography|BIBLIOGRAPHY|Literature[ \t]+Cited|Works[ \t]+Cited|"
    r"Literatur(?:verzeichnis|angaben|hinweise)?|LITERATUR(?:VERZEICHNIS)?|Quellen(?:verzeichnis|angaben)?|"
    r"Schrifttum(?:sverzeichnis)?)(?:[ \t]+and[ \t]+(?:[Nn]otes|[Ff]urther[ \t]+[Rr]eading))?[ \t]*:?[ \t]*$",
    re.M,
)
_AFTER = re.compile(
    _LEAD + r"(?:Authors?['’]?s?['’]?[ \t]+Address(?:es)?|"
    r"Author Information|Acknowledge?ments?|Appendix\b.*|APPENDIX\b.*|Annex\b.*|Anhang\b.*|Anlage\b.*|Contributors|"
    r"Full Copyright.*|Intellectual Property.*|Index|Glossary|Supplementary.*|Security Considerations|"
    r"Change[ \t]?log.*|Editors?['’]?[ \t]+Address(?:es)?|Abbildungsverzeichnis|Tabellenverzeichnis|"
    r"Stichwortverzeichnis)[ \t]*:?[ \t]*$",
    re.M,
)
_BRACKETED = re.compile(
    r"^[ \t]*(?:\[|<(?=\d))(?P<label>[^\[\]<>\n]{1,40})[\]>](?:[ \t]+|[ \t]*\n[ \t]*)(?=[^\s=])", re.M
)
"""The opening of an entry; "[q, r] = deconv (y, a)" is a line of a program."""
_RUN_ON = re.compile(r"(?<=\S)[ \t]+\[(?P<label>[A-Z][A-Za-z+]{1,8}\d{2,5}[a-z]?|\d{1,3})\][ \t]+(?=[A-Z\"“„h])")
"""An entry that begins in the middle of a line, where lines of a list in columns ran together."""
_NUMBERED = re.compile(r"^[ \t]*\(?(?P<label>\d{1,4})[.)]?[ \t]+(?=[^\W\d_a-z]|[\"“„])", re.M)
_SURNAME = r"(?:(?:[Vv]an|VAN|[Vv]on|VON|[Dd]e|DE|der|DER|den|DEN|di|da|le|la)[ ]){0,3}[A-ZÄÖÜÉÀÈÁÍÓÚØÅ][\w'’-]{1,40}"
_CAPITAL = "[A-ZÄÖÜÉØÅ]"
_INITIALS = rf"(?:(?:{_CAPITAL}\.[ -]?){{1,4}}|{_CAPITAL}{{1,3}}(?=[,.;\s]|$))"
_NAMED = re.compile(
    rf"^[ \t]*(?={_SURNAME},?\s+(?:{_INITIALS}\b|[A-Z][a-z]+)(?:,|\.| and| &| und|\s*\()"
    rf"|(?:{_CAPITAL}\.[ -]?){{1,4}}{_SURNAME}(?:,|\.\s| and| &| und))",
    re.M,
)
_DATED = re.compile(r"(?P<people>[^\"“„\d]{4,400}?)\.\s(?:\()?(?P<year>(?:1[89]|20)\d{2}[a-z]?)\)?\.\s+(?P<rest>\S.+)")
_PEOPLE_AND_YEAR = re.compile(
    r"(?P<people>.{2,300}?)[ ,]{0,3}\((?:[A-Z][a-z]+ )?(?:1[89]|20)\d{2}[a-z]?\)[.,:]?\s+(?P<rest>.+)"
)
_YEAR = re.compile(r"(?<![\d./-])(?:1[89]|20)\d{2}[a-z]?(?![\d/])(?!-\d)")
_PARENTHESISED_YEAR = re.compile(r"\((?:[A-Z][a-z]+\s+)?((?:1[89]|20)\d{2}[a-z]?)\)")
_COMPLETE = re.compile(rf"{_YEAR.pattern}|https?://|\bISBN\b")
_FULL_NAME = re.compile(rf"[A-ZÄÖÜÉ][\w'’-]{{1,40}}(?:\s[A-ZÄÖÜÉ]\.){{0,2}}(?:\s{_SURNAME}){{1,2}}")
_TITLE_WORDS = 3
"""This many words between the names and the year are a title: 'Weber, K.: Title. Journal 4 (2017), pp. 1-9'."""
_QUOTED = re.compile(r"[\"“„”](?P<title>[^\"“”]{3,400}?)[,.]?[\"“”]")
_IDENTIFIERS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("doi", re.compile(r"(?:doi\.org/|\bdoi[:\s]\s*|\bDOI\s+)(10\.\d{4,9}/[^\s<>\"]+)", re.I)),
    ("arxiv", re.compile(r"arXiv(?:\.org/abs/|:)\s*(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+/\d{7})", re.I)),
    ("isbn", re.compile(r"ISBN(?:-1[03])?:?\s*((?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx])", re.I)),
    ("rfc", re.compile(r"(?<![\w-])RFC[ -]?0*(\d{1,5})(?![\w-]*bis)\b")),
    (
        "report",
        re.compile(
            r"(?:^|(?<=[,.;:(]\s)|(?<=\())((?:NUREG(?:/CR)?-\d+|IEN[ -]?\d+|STD[ -]?\d+|BCP[ -]?\d+|FYI[ -]?\d+|"
            r"FIPS(?:[ -]PUB)?[ -]\d+(?:-\d+)?|KTA[ ]?\d{4}|ICRP[ ]Publication[ ]\d+|(?:NIST[ ])?SP[ ]800-\d+|"
            r"IAEA[ ](?:SRS|SSG|GSR|SSR|TECDOC)[ -](?:No\.[ ])?\d+|"
            r"(?:DIN[ ])?(?:EN[ ])?(?:ISO(?:/IEC)?|DIN|IEC)[ ]\d+(?:-\d+)*|[A-Z]{2,6}-TR-\d+(?:-\d+)?))(?![\w])"
        ),
    ),
    ("url", re.compile(r"(https?://[^\s<>\"]+)")),
)


class Region(NamedTuple):
    """A part of the text, given by offsets."""

    start: int
    end: int


def parse_bibliography(text: str) -> tuple[BibliographyEntry, ...]:
    """Return the entries of all bibliographies in a document's text, in order.

    A list begins at its heading ("References", "Literaturverzeichnis") and ends at the next heading that does not
    belong to it.
    """
    entries: list[BibliographyEntry] = []
    for region in bibliography_regions(text):
        entries.extend(parse_entries(text[region.start : region.end]))
    return tuple(entries[:MAX_ENTRIES])


def bibliography_regions(text: str) -> tuple[Region, ...]:
    """Return where the lists are. A heading without an entry after it (a line of a table of contents) is ignored."""
    headings = list(_HEADING.finditer(text))
    ends = [*(found.start() for found in headings[1:]), len(text)]
    regions: list[Region] = []
    for heading, limit in zip(headings, ends, strict=False):
        after = _AFTER.search(text, heading.end(), limit)
        end = after.start() if after else limit
        if parse_entries(text[heading.end() : end]):
            regions.append(Region(heading.end(), end))
    return tuple(regions)


def parse_entries(text: str) -> tuple[BibliographyEntry, ...]:
    """Return the entries of one list; its style (bracketed, numbered, by author) is recognised by how they begin.

    A list in which no entry of usual length has a year, an address or another identifier is not a bibliography:
    "Quellen" also heads other things.
    """
    starts = _unbroken(_starts(text))
    entries: list[BibliographyEntry] = []
    for (start, body, label), (end, _, _) in pairwise([*starts, (len(text), 0, "")]):
        content = " ".join(_first_part(text[body:end], last=end == len(text)).split())
        if len(content) >= 8 and end > start:
            entries.append(parse_entry(label, content))
    telling = (entry for entry in entries if len(entry.text) <= LAST_ENTRY)
    return tuple(entries) if any(entry.year or entry.identifiers for entry in telling) else ()


def _unbroken(starts: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return the beginnings up to the first long gap: what follows it is the text after the list."""
    broken = (at for at, (one, after) in enumerate(pairwise(starts), 1) if after[0] - one[0] > _BROKEN_OFF)
    return starts[: next(broken, len(starts))]


def parse_entry(label: str, text: str) -> BibliographyEntry:
    """Parse one entry; ``text`` is without its label."""
    dated = _DATED.match(text)
    quoted = None if dated else _QUOTED.search(text)
    if dated:
        people, title, year = dated["people"], _sentence(dated["rest"]), dated["year"]
    elif quoted:
        people, title, year = text[: quoted.start()], _clean(quoted["title"]), _year(text, quoted)
    else:
        (people, title), year = _unquoted(text), _year(text, None)
    return BibliographyEntry(
        label=label,
        text=text,
        authors=_authors(people),
        title=title,
        year=year,
        identifiers=_identifiers(label, text, quoted),
    )


def _starts(text: str) -> list[tuple[int, int, str]]:
    """Return (start, start of the content, label) of each entry."""
    named = _with_years(text, [(found.start(), found.end(), "") for found in _NAMED.finditer(text)])
    labelled = _labelled(text)
    # An appendix after a list by names may contain numbered lines, such as a program's output.
    by_names = len(named) >= _TELLING and (not labelled or named[_TELLING - 1][0] < labelled[0][0])
    return named if by_names else labelled or named


def _labelled(text: str) -> list[tuple[int, int, str]]:
    bracketed = [(found.start(), found.end(), found["label"].strip()) for found in _BRACKETED.finditer(text)]
    if bracketed:
        return sorted([*bracketed, *_run_on(text, {label for _, _, label in bracketed})])
    numbered = _sequence([(found.start(), found.end(), found["label"]) for found in _NUMBERED.finditer(text)])
    return numbered if len(numbered) >= 2 else []


def _run_on(text: str, known: set[str]) -> list[tuple[int, int, str]]:
    """Return further entries in the middle of lines, with new labels; a number must follow one that is known."""
    found: list[tuple[int, int, str]] = []
    for match in _RUN_ON.finditer(text):
        label = match["label"]
        fits = str(int(label) - 1) in known if label.isdecimal() else not all(each.isdecimal() for each in known)
        if label not in known and fits:
            known.add(label)
            found.append((match.start(), match.end(), label))
    return found


def _sequence(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return the labels that count up from 1, with gaps of at most one lost entry."""
    kept: list[tuple[int, int, str]] = []
    expected = 1
    for start, body, label in found:
        if expected <= int(label) <= expected + 1:
            kept.append((start, body, label))
            expected = int(label) + 1
    return kept


def _with_years(text: str, found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return author-year entries; one without a year is the continuation of the one before."""
    kept: list[tuple[int, int, str]] = []
    for start, body, label in found:
        if kept and not _YEAR.search(text, kept[-1][0], start):
            continue
        if kept and not re.search(r"[.\])/\d>]\s*$", text[max(0, start - 20) : start]):
            continue
        kept.append((start, body, label))
    return [each for each in kept if _YEAR.search(text, each[0])]


def _first_part(text: str, *, last: bool) -> str:
    """Return the entry itself; the last one ends at an empty line, or at a complete sentence if it is long."""
    if not last:
        return text[:MAX_ENTRY]
    text = re.split(r"\n[ \t]*\n", text.strip("\n"), maxsplit=1)[0]
    ends = (line.end() for line in _LINE_END.finditer(text) if _COMPLETE.search(text, 0, line.end()))
    return text[: min(next(ends, MAX_ENTRY), MAX_ENTRY)] if len(text) > LAST_ENTRY else text


def _identifiers(label: str, text: str, quoted: re.Match[str] | None) -> dict[str, str]:
    outside = text[: quoted.start()] + " " * (quoted.end() - quoted.start()) + text[quoted.end() :] if quoted else text
    after = quoted.end() if quoted else 0
    found: dict[str, str] = {}
    for kind, pattern in _IDENTIFIERS:
        if match := pattern.search(outside, after) or pattern.search(outside):
            found[kind] = re.sub(r"[.,;:)\]]+$", "", match[1])
    if own := re.fullmatch(r"RFC[ -]?0*(\d{1,5})", label):  # the text may name the RFC that it replaces as well
        found["rfc"] = own[1]
    return found


def _year(text: str, quoted: re.Match[str] | None) -> str:
    """Return the year in parentheses, else the last year after the title outside identifiers and addresses."""
    tail = text[quoted.end() :] if quoted else text
    for part in (tail, text):
        if found := _PARENTHESISED_YEAR.search(part):
            return found[1]
        plain = re.sub(r"https?://\S+|10\.\d{4,9}/\S+|\b(?:RFC|STD|BCP|ISO|IEN)[ -]?\d+|draft-\S+|arXiv:\S+", " ", part)
        if years := _YEAR.findall(plain):
            return str(years[-1])
    return ""


def _unquoted(text: str) -> tuple[str, str]:
    """Return authors and title of an entry without quotation marks, split at the year or where the names end."""
    names = people_of(text)
    dated = _PEOPLE_AND_YEAR.match(text)
    between = text[names.end : dated.end("people")] if names and dated else ""
    if dated and len(between.split()) < _TITLE_WORDS:
        return dated["people"], _sentence(dated["rest"])
    if names and names.end < len(text):
        return names.written, _sentence(text[names.end :])
    return "", _sentence(text)


def _sentence(text: str) -> str:
    """Return the text up to the full stop that ends a title."""
    found = re.match(r"(.{10,300}?[^\W\d_]{2,}[?)]?)[.?](?=\s|$)", text)
    return _clean(found[1] if found else text[:300])


def _clean(title: str) -> str:
    return " ".join(title.split()).strip(" ,.;:")


def _authors(people: str) -> tuple[str, ...]:
    """Return the names one by one: 'Bradner, S., and J. Postel (ed.)' -> ('Bradner, S.', 'J. Postel')."""
    plain = re.sub(r"\(?\b[Ee]ds?\b\.?\)?|\(Hrsg\.\)|\bet al\.?", " ", people)
    plain = re.sub(r"\bAND\s", "and ", plain)
    full = [name.strip(" .") for name in re.split(r",\s(?:and\s|und\s|&\s)?|\s(?:and|und|&)\s", plain) if name.strip()]
    if full and all(_FULL_NAME.fullmatch(name) for name in full):
        return tuple(full[:50])
    pattern = rf"({_SURNAME},\s*{_INITIALS}|{_INITIALS}\s?{_SURNAME}|{_SURNAME}\s+[A-Z]{{1,3}}(?=\s*[,.;]|\s*$))"
    names = [" ".join(name.split()).strip(" ,") for name in re.findall(pattern, plain)]
    if names and len(names) > 0.5 * len(re.split(r"[,;]\s|\sand\s|\sund\s", plain, flags=re.I)) - 1:
        return tuple(names[:50])
    whole = _clean(plain)
    named = [name.strip() for name in re.split(r",\s*(?:and\s|und\s|&\s)?|\s(?:and|und|&)\s|;", whole) if name.strip()]
    if len(named) > 1 and all(re.match(rf"{_SURNAME}(?:\s\S{{1,30}}){{1,4}}$", name) for name in named):
        return tuple(named[:50])
    return (whole,) if 2 < len(whole) <= 120 else ()
