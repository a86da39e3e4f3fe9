"""Callouts of papers: "[3, 5-7]", "[Townsend79]", "(Müller et al., 2019)", "Müller und Schmidt (2019a)"."""

from __future__ import annotations

import re

from .form import WS, Form, Found, Scan
from .headings import at_line_start
from .numbers import expand

_DASH = "[-–—‐]"
_NUMBERED = re.compile(
    rf"\[{WS}(?P<list>\d{{1,4}}[a-z]?(?:{WS}(?:[,;]|{_DASH}|and|und){WS}\d{{1,4}}[a-z]?){{0,60}})"
    rf"(?P<place>{WS},{WS}(?:S\.|Seite|p\.|pp\.|Sec\.|Section|Sect\.|Kap\.|Kapitel|Abschn\.|Abschnitt|Ch\.|Chapter|Fig\.|Tab\.|Table|Theorem|Thm\.|§){WS}[^\[\]\n]{{1,40}})?{WS}\]"
)
_ITEM = re.compile(rf"(\d{{1,4}}[a-z]?)(?:{WS}{_DASH}{WS}(\d{{1,4}}[a-z]?))?")
_LABEL = re.compile(
    rf"\[{WS}(?P<label>[A-Za-z][\w.+-]{{1,40}}(?:{WS}[,;]{WS}[A-Za-z][\w.+-]{{1,40}}){{0,12}})(?P<place>{WS},{WS}(?:S\.|p\.|pp\.|Section|Sec\.|§)[^\[\]\n]{{1,40}})?{WS}\]"
)
_RFC = re.compile(r"RFC[-.]?(\d{1,5})\Z", re.IGNORECASE)
_NOT_A_LABEL = frozenset(
    "PDF HTML TODO NOTE SIC TBD XML URL ISBN ISSN DOI USA EU UK US II III IV VI VII VIII IX XI XII IP ID".split()
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUPER = re.compile(r"[¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]{0,3}(?:[,⁻⁾’˒][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}){0,30}")
_MARKED = re.compile(rf"(?:<sup>|\^\{{){WS}(\d{{1,3}}(?:{WS}(?:,|{_DASH}){WS}\d{{1,3}}){{0,30}}){WS}(?:</sup>|\}})")

_PARTICLE = r"(?:(?:[Vv]an|[Vv]on|[Dd]e[rnl]?|[Dd]e[ ]la|[Dd]ella?|[Ll]e|[Ll]a|[Dd][iua]|[Dd]os|[Ee]l|[Aa]l|ter|ten|zu[rm]?|[Ss]t\.)[\s]{1,3}){0,3}"
_WORD = r"[^\W\d_](?:[\w'’´`¨.-]{0,30})"
_NAME = rf"{_PARTICLE}[^\W\d_][\w'’´`¨-]{{0,40}}(?:[ \n]{{1,3}}[A-Z][\w'’´`¨-]{{0,40}}){{0,3}}"
_ETAL = r"et\s{1,3}al(?:ii|\.)?"
_AND = r"(?:and|und|&|et|y|/)"
_AUTHORS = rf"{_NAME}(?:\s{{0,3}},\s{{0,3}}{_NAME}){{0,6}}(?:\s{{0,3}},?\s{{0,3}}(?:{_AND}|u\.)\s{{0,3}}{_NAME})?(?:\s{{0,3}},?\s{{0,3}}(?:{_ETAL}|u\.\s?a\.))?"
_YEAR = r"(?:19|20)\d\d[a-z]?(?!\w)|in press|im Druck|forthcoming|n\.d\."
_YEARS = rf"(?:{_YEAR})(?:\s{{0,3}}[,;&]\s{{0,3}}(?:(?:{_YEAR})|[a-z](?!\w))){{0,8}}"
_LEAD = r"(?:(?:see(?:\s+also)?|cf\.?|e\.g\.,?|i\.e\.,?|vgl\.|siehe(?:\s+auch)?|z\.\s?B\.|compare|following|also|reviewed in|in|for[ ]a[ ]review,?[ ]see)\s{1,3},?\s{0,2}){0,2}"
_PLACE = r"(?:\s{0,3}[,:]\s{0,3}(?:S\.|pp?\.|Kap\.|Tab(?:le|\.)|Fig(?:ure|\.)|Ch(?:apter|\.)|Sec(?:tion|\.|t\.)?|Paper|Rn\.)\s{0,3}[^();\n]{1,30}|\s{0,3}:\s{0,3}\d{1,4}(?:[-–]\d{1,4})?)?"
_ONE = re.compile(rf"(?P<authors>{_AUTHORS})(?:\s{{0,3}},?\s{{1,3}}|\s{{0,3}},\s{{0,3}})(?P<years>{_YEARS}){_PLACE}")
_GAP = re.compile(r"\s{0,3}[;,]\s{0,3}(?:and\s+|und\s+|see also\s+)?")
_OPEN = re.compile(rf"\(\s{{0,2}}{_LEAD}")
_PAREN_YEARS = re.compile(rf"\(\s{{0,2}}(?P<years>{_YEARS}){_PLACE}(?:\s{{0,3}};[^();]{{1,40}})?\s{{0,2}}\)")
_NARRATIVE = re.compile(
    rf"(?P<authors>{_PARTICLE}[^\W\d_][\w'’´`¨-]{{0,40}}(?:\s{{0,3}},\s{{0,3}}[A-Z][\w'’´`¨-]{{0,40}}){{0,4}}(?:\s{{0,3}},?\s{{0,3}}{_AND}\s{{0,3}}{_PARTICLE}[^\W\d_][\w'’´`¨-]{{0,40}})?(?:\s{{0,3}},?\s{{0,3}}{_ETAL})?(?:['’]s?)?)\s{{0,4}}\Z"
)
_BARE = re.compile(rf"\s{{0,3}},?\s{{0,3}}(?P<years>{_YEARS})")
_AUTHOR_END = re.compile(rf"(?P<authors>{_PARTICLE}[A-ZÄÖÜ][\w'’´`¨-]{{0,40}})\s{{0,3}}\Z")
_NO_AUTHOR = frozenset(
    "january february march april may june july august september october november december januar februar märz mai juni juli oktober dezember jan feb mar apr jun jul "
    "aug sep sept oct nov dec in since until from before after by of the and or to on at as seit bis ab vom im am anno stand fassung version edition table figure "
    "fig section chapter equation part year years spring summer autumn fall winter jahr was accessed retrieved updated revised published copyright".split()
)


def parse_bracket(scan: Scan, at: int) -> list[Found]:
    """Square brackets: numbers, a label, an RFC."""
    text = scan.text
    numbered = _NUMBERED.match(text, at)
    if numbered:
        return _numbers(text, at, numbered)
    labelled = _LABEL.match(text, at)
    if labelled:
        return _labels(text, at, labelled)
    authored = re.compile(rf"\[\s{{0,2}}{_LEAD}").match(text, at)
    return _authored(text, at, authored.end(), "]") if authored else []


def _numbers(text: str, at: int, match: re.Match[str]) -> list[Found]:
    if (
        _is_entry(text, at, match.end())
        or text[at - 1 : at] == "]"
        or text[match.end() : match.end() + 1] in ("(", "[")
    ):
        if text[match.end() : match.end() + 1] != "[" and text[at - 1 : at] != "]":
            return []
    if re.search(r"(?<!\d)0", match["list"]):  # "[0, 1]" is an interval, "[0012]" a paragraph of a patent
        return []
    values: list[str] = []
    for item in _ITEM.finditer(match["list"]):
        values += expand(item[1], item[2]) if item[2] else [item[1]]
    numbers = [int(re.sub(r"\D", "", value)) for value in values]
    if not numbers or min(numbers) == 0 or max(numbers) > 1500:
        return []
    return [
        Found(at, match.end(), "academic_numbered", f"[{value}]", None, (("ref", value),))
        for value in dict.fromkeys(values)
    ]


def _is_entry(text: str, at: int, end: int) -> bool:
    """Whether "[12] Müller, A.: ..." opens an entry of a list of literature."""
    if not at_line_start(text, at):
        return False
    before = text[max(0, at - 60) : at].rstrip()
    opens = not before or before[-1] in ".]:/" or len(before) - before.rfind("\n") - 1 < 40
    return opens and bool(re.match(r"[ \t]{1,20}[^\W\d_a-zäöü]", text[end : end + 22]))


def _labels(text: str, at: int, match: re.Match[str]) -> list[Found]:
    if _is_entry(text, at, match.end()) or text[at - 2 : at] == "| ":
        return []
    found: list[Found] = []
    for label in re.split(r"\s*[,;]\s*", match["label"]):
        rfc = _RFC.match(label)
        if rfc:
            name = f"RFC {int(rfc[1])}"
            found.append(Found(at, match.end(), "document_mention", name, label))
            continue
        capitals = sum(char.isupper() for char in label)
        digits = any(char.isdigit() for char in label)
        if label.upper() in _NOT_A_LABEL or not (capitals >= 2 or (capitals and digits)) or label[0].islower():
            return []
        found.append(Found(at, match.end(), "academic_shortform", f"[{label}]", None, (("ref", label),)))
    return found


def parse_superscript(scan: Scan, at: int) -> list[Found]:
    """Superscripts that the text marks: Unicode digits, ``<sup>``, ``^{}``."""
    text = scan.text
    match = _MARKED.match(text, at)
    raw = match[1] if match else ""
    if not match:
        match = _SUPER.match(text, at)
        if (
            not match
            or not text[at - 1 : at]
            or not (text[at - 1].isalpha() or text[at - 1] in '.,;:!?)]”"»')
            or _is_unit(text, at)
        ):
            return []
        raw = match[0].translate(_SUPERSCRIPTS)
    values: list[str] = []
    for item in _ITEM.finditer(raw):
        values += expand(item[1], item[2]) if item[2] else [item[1]]
    return [
        Found(at, match.end(), "academic_numbered", f"[{value}]", None, (("ref", value),))
        for value in dict.fromkeys(values)
    ]


def _is_unit(text: str, at: int) -> bool:
    """Whether a raised digit is an exponent: "cm²", "R²", "10³"."""
    word = re.search(r"[^\W\d_]+\Z", text[max(0, at - 6) : at])
    return bool(word and len(word[0]) <= 3)


def _years(authors: str, years: str) -> list[str]:
    """ "2018a, b" and "2018, 2019" as years of their own."""
    names: list[str] = []
    last = ""
    for year in re.split(r"\s*[,;&]\s*", years):
        last = year if len(year) > 1 else last[:4] + year
        names.append(f"{authors} {last}")
    return names


def _clean(authors: str) -> str:
    return re.sub(r"['’]s?\Z", "", " ".join(authors.split())).rstrip(",")


def _is_author(authors: str) -> bool:
    words = re.findall(r"[^\W\d_]+", authors)
    return (
        bool(words) and words[0].lower() not in _NO_AUTHOR and words[-1].lower() not in _NO_AUTHOR and len(words[0]) > 1
    )


def _authored(text: str, at: int, pos: int, close: str) -> list[Found]:
    """Author-year mentions up to the closing bracket."""
    names: list[str] = []
    while len(names) < 60:
        one = _ONE.match(text, pos)
        if not one or not _is_author(one["authors"]):
            if not names:
                return []
            rest = re.compile(rf"[^()\[\]\n]{{0,80}}\{close}").match(text, pos)
            return _shortforms(at, rest.end(), names) if rest else []
        names += _years(_clean(one["authors"]), one["years"])
        end = re.compile(rf"[\s,;]{{0,3}}\{close}").match(text, one.end())
        if end:
            return _shortforms(at, end.end(), names)
        gap = _GAP.match(text, one.end())
        if not gap:
            rest = re.compile(rf"[^()\[\]]{{0,80}}\{close}").match(text, one.end())
            return _shortforms(at, rest.end(), names) if rest else _shortforms(at, one.end(), names)
        pos = gap.end()
        lead = re.compile(_LEAD).match(text, pos)
        pos = lead.end() if lead else pos
    return _shortforms(at, pos, names)


def _shortforms(start: int, end: int, names: list[str]) -> list[Found]:
    return [Found(start, end, "academic_shortform", name, None, (("ref", name),)) for name in dict.fromkeys(names)]


def parse_paren(scan: Scan, at: int) -> list[Found]:
    """Round brackets: "(Müller et al., 2019; Schmidt, 2018a)", or a year after its authors."""
    text = scan.text
    years = _PAREN_YEARS.match(text, at)
    if years:
        window = text[max(scan.floor, at - 120) : at]
        authors = _narrative(window)
        if not authors:
            return []
        start = at - len(window) + authors.start("authors")
        return _shortforms(start, years.end(), _years(_clean(authors["authors"]), years["years"]))
    opened = _OPEN.match(text, at)
    if not opened or not re.search(r"(?:19|20)\d\d", text[at : at + 160]):
        return []
    return _authored(text, at, opened.end(), ")")


def _narrative(window: str) -> re.Match[str] | None:
    """Authors that end the window; tried from word starts, the longest that reads as authors wins."""
    for start in re.finditer(r"(?<![\w'’-])(?=[^\W\d_])", window):
        match = _NARRATIVE.match(window, start.start())
        if match and _is_author(match["authors"]):
            words = match["authors"]
            if words[0].isupper() or re.match(_PARTICLE, words).end() or re.search(r"et\s+al|&| and | und ", words):  # type: ignore[union-attr]
                return match
    return None


def parse_etal(scan: Scan, at: int) -> list[Found]:
    """ "Kim et al. 2008" without brackets."""
    text = scan.text
    etal = re.compile(_ETAL).match(text, at)
    if not etal:
        return []
    years = _BARE.match(text, etal.end())
    window = text[max(scan.floor, at - 60) : at]
    authors = _AUTHOR_END.search(window)
    if not years or not authors:
        return []
    start = at - len(window) + authors.start("authors")
    return _shortforms(start, years.end(), _years(_clean(text[start : etal.end()]), years["years"]))


FORMS = (
    Form("numbered or labelled callout", ("[",), parse_bracket),
    Form("author and year", ("(",), parse_paren),
    Form("author et al. year", ("et al", "et\nal"), parse_etal),
    Form(
        "superscript callout",
        ("¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "<sup>", "^{"),
        parse_superscript,
        inside_word=True,
    ),
)
