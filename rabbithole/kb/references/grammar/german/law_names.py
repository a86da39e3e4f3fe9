"""Reads the law named after a path: "des Strahlenschutzgesetzes", "StrlSchG", "der Verordnung (EU) 2016/679"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rabbithole.kb.references.grammar.form import WS, WS1, Scan

from .acts import EU_ACT, ISSUER, LONG, THIS, TITLE


@dataclass(frozen=True, slots=True)
class LawName:
    """A named law; ``relative`` if the text says only "this Act", ``shaped`` if only its letters look like a law."""

    end: int
    document: str | None
    canonical: str
    relative: bool = False
    edition: str | None = None
    shaped: bool = False


_ARTICLE = re.compile(rf"{WS1}(?:des|der|dem|den|dieses|dieser|vom|von{WS1}der|zum|zur|zu{WS1}de[mnr]){WS1}")
# Words before the decisive one: "Hamburgischen Pressegesetzes", "Lebensmittel- und Futtermittelgesetzbuchs".
_BEFORE = re.compile(
    rf"[A-ZÄÖÜ][a-zäöüß]{{2,24}}(?:en|er|em|es){WS1}|[A-ZÄÖÜ][a-zäöüß]{{1,30}}-,?{WS1}(?:(?:und|oder){WS1})?"
)
# Without an article, only a place may come first: "§ 11 Berliner Hochschulgesetz".
_PLACE = re.compile(
    rf"[A-ZÄÖÜ][a-zäöüß]{{2,24}}(?:er|isches){WS1}(?=[A-ZÄÖÜ][a-zäöüß]*(?:gesetz|gesetzbuch)(?:e?s)?(?!\w))"
)
_WORD = re.compile(r"[A-ZÄÖÜ0-9][\wÄÖÜäöüß.]{0,80}(?:[-/][A-ZÄÖÜa-zäöü][\wäöüß]{0,60}){0,5}")
_LAND = (
    r"(?:Baden-Württemberg|Bayern|Berlin|Brandenburg|Bremen|Hamburg|Hessen|Mecklenburg-Vorpommern|Niedersachsen"
    r"|Nordrhein-Westfalen"
    r"|Rheinland-Pfalz|Saarland(?:es)?|Sachsen-Anhalt|Sachsen|Schleswig-Holstein|Thüringen)"
)
_OF_LAND = (
    rf"(?:(?:für{WS1}(?:das{WS1}Land{WS1})?|von{WS1}|des{WS1}Landes{WS1}|des{WS1}Freistaate?s{WS1}"
    rf"|der{WS1}Freien{WS1}(?:und{WS1})?Hansestadt{WS1})?{_LAND}"
    rf"|der{WS1}Republik{WS1}[A-ZÄÖÜ]\w{{2,30}}|für{WS1}die{WS1}Bundesrepublik{WS1}Deutschland)"
)
_SHAPE = re.compile(
    r"(?:\w[\w-]*(?:gesetz(?:e?s|en?)?|gesetzbuch(?:e?s)?|verordnung(?:en)?|ordnung|verfassung|richtlinie|satzung"
    r"|konvention|abkommens?"
    r"|vertrag(?:e?s)?|übereinkommens?|charta|statuts?|vereinbarung|pakts?|protokolls?|kodex|-[Hh]andbuch(?:e?s)?)"
    r"|(?:[A-ZÄÖÜ]+[a-zäöüß]+)+[A-ZÄÖÜ]+[\w-]*|[A-ZÄÖÜ][a-zäöüß]+(?:G|V|O|VO|GB|StV)"
    r"|[A-ZÄÖÜ]{2,7}(?:-[A-ZÄÖÜ]\w{0,8})?|[A-ZÄÖÜ]{3,7}(?:/[A-ZÄÖÜ]{3,7}){1,2})\Z"
)
_NOT_A_LAW = frozenset(
    "Absatz Abs Satz Nummer Nr Artikel Art Anlage Anhang Buchstabe Kapitel Teil Abschnitt Tabelle Spalte Seite Rn "
    "RdNr Rdnr Rz BGH BVerfG BSG BFH BAG BVerwG OLG LG AG VG OVG LSG EuGH EGMR NJW NVwZ NZA UA III II IV VI VII VIII "
    "IX XI XII IA IE iVm EU EG USA DDR BRD PDF CD "
    "Gesetz Gesetzes Gesetze Gesetzen Verordnung Verordnungen Richtlinie Satzung Verfassung Ordnung Vertrag Vertrags "
    "Vertrages "
    "Abkommen Abkommens Übereinkommen Übereinkommens Vereinbarung Protokoll Protokolls Konvention Statut Statuts "
    "Charta Kodex "
    "Pakt Pakts Fahrzeugbesatzung Besatzung Anordnung Rechtsverordnung Allgemeinverfügung Größenordnung Tagesordnung "
    "Zuordnung "
    "MeV keV GeV TeV kWh MWh "
    "UND ODER BIS DES DER DIE DAS ABS SATZ ART".split()
)
_SUFFIX = re.compile(
    rf"(?:{WS1}{_OF_LAND}(?!\w))?"
    rf"(?:{WS1}(?:(?:19|20)\d\d(?![./\d])|[IVX]{{1,5}}(?![\w.]{{2}})"
    rf"|(?:NRW|NW|SH|BW|RP|LSA|MV|SL|HE|BY|SN|TH|NI|HH|BE|BB|HB|Bln|Bbg|Bay|Nds)(?!\w)))?"
    rf"(?P<edition>{WS1}(?:[an]\.{WS}F\.|[an]F)(?!\w))?"
)


_SPACES = re.compile(WS)
# A collective agreement is named after its parties: "TV DRV KBS", "TV EntgO Bund".
_PARTIES = re.compile(rf"(?:{WS1}(?:[A-ZÄÖÜ][\w-]*[A-ZÄÖÜ][\w-]*|Bund|Länder)(?!\w)){{1,3}}")


def law_after(scan: Scan, pos: int) -> LawName | None:
    """Return the law named directly after ``pos``, or None.

    A word counts as a law if its name is known or has the shape of a law's name.
    """
    text = scan.text
    this = THIS.match(text, pos)
    if this:
        return LawName(this.end(), None, "", relative=True)
    article = _ARTICLE.match(text, pos)
    start = (article or _SPACES.match(text, pos)).end()  # type: ignore[union-attr]
    act = EU_ACT.match(text, start)
    if act:
        return eu_act(text, act)
    hit = scan.names.get(start)
    if hit:
        return _suffixed(text, hit.end, text[start : hit.end], hit.canonical)
    long = LONG.match(text, start)
    if long:
        name = " ".join(long[0].split())
        return LawName(long.end(), name, name)
    if start == pos:
        return None
    return _by_shape(text, start, with_adjectives=article is not None)


def _by_shape(text: str, start: int, *, with_adjectives: bool) -> LawName | None:
    """Read a word with the shape of a law's name or abbreviation; adjectives may precede it after an article."""
    at = start
    for _ in range(3):
        word = _WORD.match(text, at)
        name = word[0].rstrip(".") if word else ""
        if name and name not in _NOT_A_LAW and _SHAPE.match(name) and not (at > start and name.isupper()):
            words = text[start : at + len(name)]
            return replace(_suffixed(text, at + len(name), words, " ".join(words.split())), shaped=True)
        before = (_BEFORE if with_adjectives else _PLACE).match(text, at)
        if not before:
            return None
        at = before.end()
    return None


def _suffixed(text: str, end: int, document: str, canonical: str) -> LawName:
    """Add the book, year, state and old or new version that belong to the name."""
    if document == "TV" and (parties := _PARTIES.match(text, end)):
        end, canonical = parties.end(), canonical + parties[0]
        document += parties[0]
    suffix = _SUFFIX.match(text, end)
    if suffix and suffix[0]:
        edition = suffix["edition"] or ""
        name = document + suffix[0].removesuffix(edition)
        return LawName(suffix.end(), " ".join(name.split()), canonical, edition="".join(edition.split()) or None)
    return LawName(end, " ".join(document.split()), canonical)


def eu_act(text: str, act: re.Match[str]) -> LawName:
    """Return an EU act by its number; its issuer belongs to the mention."""
    number = re.sub(r"\s*/\s*", "/", " ".join(act["id"].replace("<", "(").replace(">", ")").split()))
    number = re.sub(r"\(\s*(.*?)\s*\)\s*(?:Nr\.?\s*)?", r"(\1) ", number).strip()
    number = re.sub(r"^Nr\.?\s*", "", number)
    issuer = ISSUER.match(text, act.end())
    end = issuer.end() if issuer else act.end()
    title = TITLE.match(text, end) if issuer else None
    return LawName(title.end() if title else end, number, number)
