"""Call-outs by author and year: "(Müller et al., 2019; WHO, 2010)", "Müller und Schmidt (2019a)", "Kim et al. 2008"."""

from __future__ import annotations

import re

from .form import Form, FormMatch, Scan

WINDOW = 120
BRACKET = 600

_YEAR = r"(?:(?:19|20)\d\d(?:[-–](?:1[3-9]|[2-9]\d))?[a-z]?(?!\w)(?!-\d\d)|in press|im Druck|forthcoming)"
_YEARS = re.compile(rf"(?<![\w/.–-]){_YEAR}(?:\s{{0,3}}[,;&]\s{{0,3}}(?:{_YEAR}|[a-z](?![\w.]))){{0,8}}")
_HAS_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d|in press|im Druck|forthcoming")

_PARTICLES = (
    r"(?:[Vv]an|[Vv]on|[Dd]e[rnl]?|[Dd]ella?|[Ll][ea]|[Dd][iua]|[Dd]os|[Ee]l|[Aa]l|[Tt]er|[Tt]en|zu[rm]?|[Ss]t\.)"
)
_WORD = r"[^\W\d_][\w'’´`¨-]{0,40}"
_UPPER = r"[^\W\d_a-zäöüßáéíóúàèâêçñøå][\w'’´`¨-]{0,40}"
_INITIALS = r"(?:[A-Z]\.[ -]?){0,3}"
_NAME = rf"{_INITIALS}(?:{_PARTICLES}\s{{1,3}}){{0,3}}{_UPPER}"
_AND = r"\s{0,3},?\s{0,3}(?:and|und|&|et|y|/)\s{0,3}"
_ETAL = r"\s{0,3},?\s{1,3}(?:et\s{1,3}al(?:ii|\.|(?!\w))|u\.\s?a\.)"
# Names before a year, matched from their beginning; the text must end with them.
_NAMES = re.compile(
    rf"(?:{_NAME}(?:\s{{0,3}},\s{{0,3}}{_NAME}){{0,6}}{_AND}(?:{_PARTICLES}\s){{0,3}}{_WORD}(?:{_ETAL})?"
    rf"|(?:{_PARTICLES}\s{{1,3}}){{0,3}}{_WORD}(?:{_ETAL})"
    rf"|{_NAME}(?:\s{{1,3}}{_UPPER})?)"
    r"(?:['’]s?)?\s{0,3},?\s{0,3}\Z"
)
_LEAD = re.compile(
    r"\s{0,3}(?:(?:see|cf\.?|e\.\s?g\.|i\.\s?e\.|vgl\.|siehe|z\.\s?B\.|compare|following|also|auch|reviewed|in|by"
    r"|from|and|und"
    r"|for|a|review|examples?|but|first|later|recently|after|nach|so)(?![\w]),?\s{0,3}){0,6}",
    re.IGNORECASE,
)
# The label of a bibliography entry, directly before its authors.
_ENTRY = re.compile(r"(?:\A|\n)\s*\[[\w.+-]{1,20}\]\s*\Z")
_EDGES = " \t\n,;:.&"
# Text after the last year in the brackets that still belongs to the call-out: a page, a chapter, a short note.
_PLACE = re.compile(
    r"\s{0,3}(?:[,:;]\s{0,3}(?:S\.|Seite|pp?\.|Kap\.|Tab|Fig|Ch|Sec|Paper|Rn\.|§|n\.|\d)[^();\n]{0,40})?\s{0,3}\Z"
)
# Words before a year that are not the name of an author.
_NO_AUTHOR = frozenset(
    "january february march april may june july august september october november december januar februar märz mai "
    "juni "
    "juli oktober dezember jan feb mar apr jun jul aug sep sept oct nov dec in since until from before after by of the "
    "and or to on at as seit bis ab vom im am anno stand fassung version edition table figure fig section chapter "
    "equation part year years spring summer autumn fall winter jahr was accessed retrieved updated revised published "
    "copyright during between about around approximately reporting fy fiscal vol volume no page nr jahren ende anfang "
    "mitte early late mid aufl auflage urteil beschluss urteile juris seq cfr fr stat usc abs rn rz filed act "
    "law regulation directive richtlinie verordnung gesetz bgbl rgbl gvbl gvobl abl banz gmbl s p pp nr art "
    "iso din iec en conference symposium workshop proceedings congress meeting transactions journal press "
    "university".split()
)
# Words at the beginning of a sentence that are followed by a comma: "Finally, Mazur and Zaborek (2014)".
_OPENER = re.compile(
    r"(?:\w+ly|However|Moreover|Furthermore|Thus|Hence|Here|Later|First|Second|Third|Indeed|Also|Instead|Meanwhile"
    r"|Therefore|Then"
    r"|Overall|Next|Nevertheless|Nonetheless|Similarly|Daher|Außerdem|Ferner|Zudem|Dagegen|Hingegen|Zuerst"
    r"|Schließlich|Jedoch"
    r"|Demnach|Dennoch|Example|Instance|Contrast|Addition|Particular)\s*,\s*"
)


_CONNECTED = re.compile(rf"{_ETAL}\W*\Z|&|\band\b|\bund\b")
_CAPITALS = re.compile(r"\b[A-ZÄÖÜ]{2,}\b")
# Abbreviations of journals, courts or acts rather than names: "NStZ", "BStBl", "EStG", "BFH/NV".
_JOURNAL = re.compile(
    r"\b(?!Mc|Mac|De|Di|Du|La|Le|Van|Von|O['’]|Fitz)[A-ZÄÖÜ]\w*[a-zäöü]\w*[A-ZÄÖÜ]|[A-Z]{2,}/[A-Z]{2}|§|U\.S\."
    r"|\b(?:BGBl|RGBl|GVBl|ABl|BAnz|Fundstelle)\b"
)


def _is_author(authors: str) -> bool:
    words = re.findall(r"[^\W\d_]+", authors)
    if _JOURNAL.search(authors) or (len(words) > 1 and any(len(word) > 1 and word.isupper() for word in words)):
        return False
    return (
        bool(words)
        and len(words) <= 16
        and len(words[0]) > 1
        and words[0].lower() not in _NO_AUTHOR
        and words[-1].lower() not in _NO_AUTHOR
    )


def _whole(segment: str) -> bool:
    """Return whether the whole text before the year in a bracket reads as authors, including institutions."""
    if not _is_author(segment) or re.search(r"[\d()\[\]=<>|]", segment):
        return False
    if _CONNECTED.search(segment):
        return len(segment.split()) <= 14
    words = segment.split()
    capitals = sum(word[0].isupper() for word in words)
    return len(words) <= 2 if not capitals else len(words) <= 7 and words[0][0].isupper() and capitals * 2 >= len(words)


def _authors_before(text: str, start: int, end: int) -> tuple[int, str] | None:
    """Return where the names that end at ``end`` begin, and the names; the longest match wins."""
    window = text[start:end]
    for word in re.finditer(r"(?<![\w'’/-])(?=[^\W\d_])", window):
        match = _NAMES.match(window, word.start())
        if not match or not _is_author(match[0]) or _CAPITALS.search(match[0]):
            continue
        if _ENTRY.search(window[: word.start()]):
            return None
        opener = _OPENER.match(match[0])
        begin = word.start() + (opener.end() if opener else 0)
        names = window[begin:]
        if opener and not _NAMES.match(names):
            continue
        return start + begin, names
    return None


def _clean(authors: str) -> str:
    return re.sub(r"['’]s?\Z", "", " ".join(authors.split()).lstrip(_EDGES).rstrip(" ,;:&"))


def _named(authors: str, years: str) -> list[str]:
    """Return the works of "2018a, b" and "2018, 2019" one by one."""
    works: list[str] = []
    last = ""
    for year in re.split(r"\s*[,;&]\s*", years):
        last = year if len(year) > 1 else last[:4] + year
        works.append(f"{authors} {last}")
    return works


def _found(start: int, end: int, works: list[str]) -> list[FormMatch]:
    return [FormMatch(start, end, "academic_shortform", work, None, (("ref", work),)) for work in dict.fromkeys(works)]


def parse_bracketed(scan: Scan, at: int) -> list[FormMatch]:
    """Read round or square brackets: a year after its authors, or authors and years inside."""
    text = scan.text
    end = text.find(")" if text[at] == "(" else "]", at + 1, at + BRACKET)
    if end < 0 or not _HAS_YEAR.search(text, at, end):
        return []
    content = at + 1
    opening = _YEARS.match(text, content + (len(text[content:end]) - len(text[content:end].lstrip())))
    if opening and text[at] == "(" and (_PLACE.match(text[opening.end() : end]) or text[opening.end()] == ";"):
        before = _authors_before(text, max(scan.floor, at - WINDOW), at)
        return _found(before[0], end + 1, _named(_clean(before[1]), opening[0])) if before else []
    return _inside(text, at, content, end, german=scan.german)


def _inside(text: str, at: int, content: int, end: int, *, german: bool) -> list[FormMatch]:
    """Read authors and years between brackets.

    If there is nothing else, the brackets belong to the call-out.
    """
    works: list[str] = []
    first = last = content
    clean = True
    authors = ""
    for years in _YEARS.finditer(text, content, end):
        segment = text[last : years.start()]
        lead = _LEAD.match(segment)
        body = (segment[lead.end() :] if lead else segment).lstrip(_EDGES).rstrip(" \t\n,;:&")
        comma = segment.rstrip().endswith(",")
        if body and _whole(body) and (comma or not (german and body.isupper())):
            authors = body
            begin = last + segment.index(body)
            clean = clean and not (lead and lead[0].strip(_EDGES))
        elif body:
            before = _authors_before(text, last, years.start())
            if before is None or not (_CONNECTED.search(before[1]) or before[1].rstrip().endswith(",")):
                authors, clean = "", False
                last = years.end()
                continue
            begin, authors = before
            clean = False
        else:
            begin = last
        if authors:
            first = min(begin, first) if works else begin
            works += _named(_clean(authors), years[0])
            last = years.end()
    if not works:
        return []
    if clean and _PLACE.match(text[last:end]):
        return _found(at, end + 1, works)
    return _found(first, last, works)


def parse_etal(scan: Scan, at: int) -> list[FormMatch]:
    """Read "Kim et al. 2008" without brackets."""
    text = scan.text
    etal = re.compile(r"et\s{1,3}al(?:ii|\.|(?!\w))").match(text, at)
    years = re.compile(rf"\s{{0,3}},?\s{{0,3}}({_YEARS.pattern})").match(text, etal.end()) if etal else None
    if not etal or not years:
        return []
    before = _authors_before(text, max(scan.floor, at - WINDOW), etal.end())
    return _found(before[0], years.end(), _named(_clean(before[1]), years[1])) if before else []


FORMS = (
    Form("author and year in brackets", ("(", "["), parse_bracketed),
    Form("author et al. year", ("et al", "et\nal"), parse_etal),
)
