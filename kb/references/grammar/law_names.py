"""The law a citation names after its path: "des Strahlenschutzgesetzes", "StrlSchG", "der Verordnung (EU) 2016/679"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .form import WS, WS1, NameHit, Scan


@dataclass(frozen=True, slots=True)
class LawName:
    """A named law; ``relative`` when the text says only "this Act"."""

    end: int
    document: str | None
    canonical: str
    relative: bool = False


_ARTICLE = re.compile(rf"{WS1}(?:des|der|dem|den|vom|von{WS1}der|zum|zur|zu{WS1}de[mnr]){WS1}")
_ADJECTIVES = rf"(?:(?:genannten|vorgenannten|geltenden|bisherigen|jeweiligen|gleichen|neuen|alten|bayerischen|sächsischen){WS1})?"
THIS = re.compile(
    rf"{WS1}(?:(?:dieses|dieser|diesem|des|der|desselben|derselben|des{WS1}gleichen|der{WS1}gleichen|jenes|des{WS1}genannten"
    rf"|der{WS1}genannten|des{WS1}vorliegenden|der{WS1}vorliegenden)){WS1}"
    rf"(?:Gesetzes|Gesetzbuch(?:e?s)?|Verordnung|Richtlinie|Satzung|Abkommens|Übereinkommens|Vertrages|Vertrags|Anlage|Norm|Regel)"
    rf"(?!\w)(?!{WS1}(?:über|zur|zum|vom|zu|betreffend|\(|Nr|des|der|für|[0-9]))(?!{WS}\()"
)
EU_ACT = re.compile(
    rf"(?:(?:(?:Durchführungs|Delegierte[nr]?{WS1}|EU-|EG-|Ausführungs)?(?:[Vv]erordnung(?:en)?|VERORDNUNG|[Rr]ichtlinien?|RICHTLINIE|"
    rf"[Bb]eschluss(?:es)?|Rahmenbeschluss(?:es)?|[Ee]mpfehlung|[Ee]ntscheidung)|VO|RL){WS1}?{WS})"
    rf"(?P<id>(?:[(<]{WS}(?:EU|EG|EWG|Euratom|EGKS|EU,{WS}Euratom|EG,{WS}Euratom){WS}[)>]{WS})?(?:Nr\.?{WS})?\d{{1,4}}{WS}/{WS}\d{{1,4}}"
    rf"(?:{WS}/{WS}(?:EU|EG|EWG|Euratom|JI|GASP|EURATOM))?)(?!\w)"
)
_ISSUER = re.compile(
    rf"{WS1}(?:des{WS1}Europäischen{WS1}Parlaments{WS1}und{WS1}des{WS1}Rates|des{WS1}Rates|der{WS1}Kommission"
    rf"|DES{WS1}EUROPÄISCHEN{WS1}PARLAMENTS{WS1}UND{WS1}DES{WS1}RATES|DER{WS1}KOMMISSION)(?!\w)"
)
LONG = re.compile(
    rf"(?:(?:Ersten|Zweiten|Dritten|Vierten|Fünften|Sechsten){WS1})?(?:Gesetz(?:es)?|Verordnung|Übereinkommens?|Abkommens?|Vertrag(?:e?s)?)"
    rf"{WS1}(?:über|zur|zum|betreffend|zu|für|gegen|vom)(?!\w)[^.;:()<>\n§]{{3,160}}?"
    rf"(?={WS}[.;:()<>,§\n]|{WS1}(?:in{WS1}der|in{WS1}Verbindung|findet|gilt|gelten|bleib|sind|ist|wird|werden|nicht|vom{WS1}\d)|\Z)"
)
_WORD = re.compile(r"[A-ZÄÖÜ0-9][\wÄÖÜäöüß.]*(?:[-/][A-ZÄÖÜa-zäöü][\wäöüß]*)*")
_SHAPE = re.compile(
    r"(?:\w[\w-]*(?:gesetz(?:e?s|en?)?|gesetzbuch(?:e?s)?|verordnung(?:en)?|ordnung|verfassung|richtlinie|satzung|konvention|abkommens?"
    r"|vertrag(?:e?s)?|übereinkommens?|charta|statuts?|vereinbarung|pakts?|protokolls?|kodex|recht)"
    r"|(?:[A-ZÄÖÜ]+[a-zäöüß]+)+[A-ZÄÖÜ]+[\w-]*|[A-ZÄÖÜ][a-zäöüß]+(?:G|V|O|VO|GB|StV)"
    r"|[A-ZÄÖÜ]{2,7}(?:-[A-ZÄÖÜ]\w{0,8})?)\Z"
)
_NOT_A_LAW = frozenset(
    "Absatz Abs Satz Nummer Nr Artikel Art Anlage Anhang Buchstabe Kapitel Teil Abschnitt Tabelle Spalte Seite Rn RdNr Rdnr Rz BGH BVerfG BSG BFH "
    "BAG BVerwG OLG LG AG VG OVG LSG EuGH EGMR NJW NVwZ NZA UA III II IV VI VII VIII IX XI XII IA IE iVm EU EG USA DDR BRD PDF CD".split()
)
_SUFFIX = re.compile(
    rf"(?:{WS1}(?:(?:19|20)\d\d(?![./\d])|[IVX]{{1,5}}(?![\w.]{{2}})|(?:NRW|NW|SH|BW|RP|LSA|MV|SL|HE|BY|SN|TH|NI|HH|BE|BB|HB|Bln|Bbg|Bay|Nds)(?!\w)))?"
    rf"(?:{WS1}(?:[an]\.{WS}F\.|[an]F)(?!\w))?"
)


def law_after(scan: Scan, pos: int) -> LawName | None:
    """The law named right after ``pos``, or None. A word is a law when it is known by name or has the shape of one."""
    text = scan.text
    this = THIS.match(text, pos)
    if this:
        return LawName(this.end(), None, "", relative=True)
    article = _ARTICLE.match(text, pos)
    start = article.end() if article else re.compile(WS).match(text, pos).end()  # type: ignore[union-attr]
    act = EU_ACT.match(text, start)
    if act:
        return eu_act(text, act)
    hit = scan.names.get(start) or _after_adjective(scan, start)
    long = LONG.match(text, start)
    if hit and not (long and long.end() > hit.end + 3):
        return _suffixed(text, hit.end, text[start : hit.end], hit.canonical)
    if long:
        name = " ".join(long[0].split())
        return LawName(long.end(), name, name)
    word = _WORD.match(text, start)
    if not word or start == pos:
        return None
    name = word[0].rstrip(".")
    if name in _NOT_A_LAW or not _SHAPE.match(name) or (not article and name.isupper() and len(name) < 2):
        return None
    if article and name.isupper() and len(name) < 2:
        return None
    return _suffixed(text, start + len(name), name, name)


def _after_adjective(scan: Scan, start: int) -> NameHit | None:
    return None


def _suffixed(text: str, end: int, document: str, canonical: str) -> LawName:
    """Take in the book, the year, the state and the old or new version that belong to the name."""
    suffix = _SUFFIX.match(text, end)
    if suffix and suffix[0]:
        return LawName(suffix.end(), " ".join((document + suffix[0]).split()), canonical)
    return LawName(end, " ".join(document.split()), canonical)


def eu_act(text: str, act: re.Match[str]) -> LawName:
    """An EU act by its number; who issued it belongs to the mention."""
    number = re.sub(r"\s*/\s*", "/", " ".join(act["id"].replace("<", "(").replace(">", ")").split()))
    number = re.sub(r"\(\s*(.*?)\s*\)\s*(?:Nr\.?\s*)?", r"(\1) ", number).strip()
    number = re.sub(r"^Nr\.?\s*", "", number)
    issuer = _ISSUER.match(text, act.end())
    return LawName(issuer.end() if issuer else act.end(), number, number)
