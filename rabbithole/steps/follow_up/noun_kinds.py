"""What a phrase names, as far as its words tell: people, a time, a name or any other matter. Pure."""

from __future__ import annotations

import re
from typing import Literal

from rabbithole.kb.notation.months import MONTH
from rabbithole.steps.reasoning.text.time_words import PERIOD

from .models import Language

NounKind = Literal["people", "time", "name", "matter"]

DETERMINER = {
    "de": r"(?:der|die|das|den|dem|des|(?:k?ein|mein|dein|sein|ihr|unser|euer|eur)(?:e[nmrs]?)?|"
    r"(?:dies|jen|jed|all|manch|solch|welch)e[nmrs]?)",
    "en": r"(?:the|an?|all|any|every|each|no|some|my|your|our|their|his|her|its|this|that|these|those)",
}
_DEFINITE = re.compile(r"\A(?:the|this|that|these|those|der|die|das|den|dem|des|dies\w*|jene\w*)\s", re.IGNORECASE)
_TIME = re.compile(
    rf"(?:{PERIOD}|{MONTH}|(?:19|20)\d\d|"
    r"(?:spring|summer|autumn|winter)(?:s|time)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|"
    r"(?:public |bank )?holidays?|vacations?|nights?|mornings?|afternoons?|evenings?|noon|midnight|christmas|easter|"
    r"(?:Früh|Spät|Hoch)?(?:[Ff]rühling|[Ff]rühjahr|[Ss]ommer|[Hh]erbst|[Ww]inter)s?|\w*(?:[Ff]erien|[Ff]eiertagen?)|"
    r"(?:Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonnabend|Sonntag)\w*|\w*[Ww]ochenenden?|"
    r"(?:Vor|Nach)?[Mm]ittage?s?|Mitternacht|N(?:acht|ächten?)|Abende?s?|Morgen|Weihnachten|Ostern|Pfingsten)",
    re.IGNORECASE,
)
_PEOPLE = {
    "de": re.compile(
        r"(?:Kinder[ns]?|Kind(?:es)?|Erwachsene[nrm]?|Jugendliche[nrm]?|Leute[n]?|Person(?:en)?|Mensch(?:en)?|Fr(?:au|auen)|"
        r"Männer[n]?|Mann(?:es)?|Eltern|Väter[n]?|Vater|Mütter[n]?|Mutter|Senioren|Rentner(?:n|s)?|Schwangere[nr]?|"
        r"Azubis?|Lehrlinge?n?|Gäste[n]?|Gast(?:es)?|Kunden?|Familien?|Paare[n]?|\w*[Mm]itglied(?:er[ns]?)?|Chefs?|"
        r"\w*(?:[Aa]rbeit|[Nn]ehm|[Gg]eb|[Ll]eit|[Mm]iet|[Pp]ächt|[Ss]chül|[Ll]ehr|[Bb]esuch|[Bb]esitz|[Ii]nhab|[Nn]utz|"
        r"[Ff]ahr|[Rr]eit|[Bb]etreib|[Tt]räg|[Ss]chwimm|[Ss]piel|[Kk]äuf|[Hh]elf|[Ee]igentüm|[Pp]artn|[Bb]ewerb|"
        r"[Tt]eilnehm|[Ww]ähl|[Bb]ürg|[Ee]inwohn|[Aa]nwohn|[Hh]alt|[Vv]ertret)er(?:n|s|in|innen)?|"
        r"\w+(?:innen|ling(?:e[ns]?)?|ierende[nr]?|bildende[nr]?|reisende[nr]?|beauftragte[nrm]?|berechtigte[nrm]?|"
        r"pflichtige[nrm]?|angehörige[nrm]?|jährige[nrm]?|stellte[nrm]?|schäftigte[nrm]?|ständige[nrm]?|hinderte[nrm]?|"
        r"studenten?|doktorand(?:en)?|praktikant(?:en)?|beamte[nr]?|professoren|kollegen?)|"
        r"Student(?:en)?|Praktikant(?:en)?|Doktorand(?:en)?|Beamte[nr]?|Angehörige[nrm]?|Selbstständige[nrm]?|Ehrenamtliche[nrm]?)"
    ),
    "en": re.compile(
        r"(?:people|persons?|adults?|child(?:ren)?|kids?|teenagers?|minors?|(?:wo)?m[ae]n|parents?|mothers?|fathers?|"
        r"families|family|couples?|seniors?|pensioners?|guests?|members?|non-members?|staff|colleagues?|apprentices?|"
        r"interns?|trainees?|pupils?|students?|citizens?|residents?|neighbou?rs?|strangers?|disabled|landlords?|tenants?|"
        r"lodgers?|owners?|patients?|clients?|customers?|\w*(?:work|employ|lead|teach|learn|driv|rid|swimm|play|visit|"
        r"travell?|manag|buy|sell|hold|support|us|runn|camp|farm|lectur|administrat|contract|direct|supervis|audit|"
        r"instruct|operat|invest|help|volunt|beginn|foreign|vot|retir|auth|provid|publish|own)"
        r"(?:er|or|ee|eer)s?|representatives?|assistants?|applicants?|participants?|accountants?|agents?)",
        re.IGNORECASE,
    ),
}
_HEAD = {"de": re.compile(r"(?:\d+\.?\s+)?[A-ZÄÖÜ][\w-]*|\b\d{4}\b"), "en": re.compile(r"[\w'’-]+(?=\W*\Z)")}


def kind_of(phrase: str, language: Language) -> NounKind:
    """Return what a phrase without its preposition names, by its head.

    That is the first noun in German and the last word in English. What it does not tell is a matter; German nouns and
    names, which both have capitals, are not told apart.
    """
    bare = without_determiner(phrase.strip(), language)
    found = _HEAD[language].search(bare)
    head = found.group().split()[-1] if found else bare
    if _TIME.fullmatch(head):
        return "time"
    if _PEOPLE[language].fullmatch(head):
        return "people"
    words = bare.split()
    capitals = [word for word in words if word[:1].isupper()]
    return "name" if language == "en" and words and capitals == words else "matter"


def without_determiner(phrase: str, language: Language) -> str:
    """Return a phrase without 'the', 'every', 'my' or the like at its beginning."""
    return re.sub(rf"\A{DETERMINER[language]}\s+", "", phrase, flags=re.IGNORECASE)


def is_definite(phrase: str) -> bool:
    """Return whether a phrase begins with 'the' or another word for something known."""
    return _DEFINITE.match(f"{phrase} ") is not None
