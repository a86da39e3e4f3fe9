"""German verbs with a separable prefix, and the forms that a question and a text may have of one.

A question has 'Wie trete ich aus?' or 'ist abzugeben', the text 'Der Austritt ...' or 'Die Abgabe ...'. Stems do not
bring these together, because the prefix is apart, 'zu' or 'ge' is inside the word, or the vowel changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_APART = (
    "zusammen zurück entgegen herunter heraus herein hinaus hinein vorbei weiter wieder nieder bereit statt teil fest "
    "fort los weg her hin mit nach auf aus bei ein vor ab an um zu"
).split()
_STEMMED = tuple(each.translate(str.maketrans("äöü", "aou")) for each in _APART)
# A form whose vowel changes -> the verb without 'en'. Stems have no umlauts and 'ss' for 'ß'.
_CHANGED = dict(
    pair.split("=")
    for pair in (
        "tritt=tret trittst=tret gibt=geb gibst=geb nimmt=nehm nimmst=nehm fällt=fall hält=halt läuft=lauf lädt=lad "
        "trägt=trag schlägt=schlag fährt=fahr lässt=lass liest=les sieht=seh spricht=sprech bricht=brech wirft=werf "
        "hilft=helf fängt=fang stößt=stoß trifft=treff misst=mess"
    ).split()
)
_NOUNS = {
    "tret": "tritt", "geb": "gabe", "nehm": "nahme", "geh": "gang", "schließ": "schluss", "zieh": "zug",
    "schreib": "schrift", "brech": "bruch", "werf": "wurf", "seh": "sicht", "schneid": "schnitt", "fahr": "fahrt",
}  # fmt: skip
"""A verb without prefix and 'en' -> its noun, where that has another vowel or ending than 'ung'."""
# A noun or participle without prefix, stemmed -> the stem of the verb.
_ROOTS = {noun.removesuffix("e"): verb.replace("ß", "ss") for verb, noun in _NOUNS.items()} | dict(
    pair.split("=")
    for pair in (
        "nomm=nehm schloss=schliess spruch=sprech sproch=sprech zog=zieh schrieb=schreib broch=brech worf=werf "
        "bot=biet wies=weis hob=heb wandt=wend zwung=zwing bund=bind fund=find griff=greif stieg=steig trieb=treib "
        "schob=schieb schub=schieb"
    ).split()
)
_SHORTEST = 3
_NO_VERB = frozenset(
    """
wie wann wo wohin woher was wer wen wem wessen warum wieso weshalb womit wozu wofür ob ich du er sie es wir ihr man
sich mich dich uns euch der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner
dein deine sein seine unser unsere kein keine keinen im in am an auf bei mit nach von vom zu zum zur für gegen ohne
um durch über unter vor bis seit ab aus oft lange viel viele schnell hoch dann denn noch schon auch nicht so und
oder aber genau eigentlich innerhalb spätestens welche welcher welches welchen welchem diese dieser dieses diesen
diesem ist sind war bin wird werden wurde hat haben habe muss müssen darf dürfen kann können soll sollen sollte will
wollen möchte
""".split()
)
_TO = re.compile(r"zu(\w{3,}?)e?n")
_PARTICIPLE = re.compile(r"ge(\w{3,}?)(en|et|t)")
_CLAUSE = re.compile(r"[,;:.?!]|\s(?:und|oder|aber)\s")
_WORD = re.compile(r"[^\W\d_]+")
_FINITE = re.compile(r"(?:e|t|en|st)\Z")
_ENDING = re.compile(r"(?:e?st|et|t|en|e)\Z")


def joined_verbs(question: str) -> dict[str, str]:
    """Return the finite verbs of a German question whose prefix stands at the end of the clause, with the verb joined.

    >>> joined_verbs("Wie trete ich aus dem Verein aus?")
    {'trete': 'austreten'}
    """
    found: dict[str, str] = {}
    for clause in _CLAUSE.split(question):
        words = _WORD.findall(clause)
        if len(words) < _SHORTEST or words[-1].lower() not in _APART:
            continue
        first = next((word for at, word in enumerate(words[:-1]) if _may_be_verb(word, at)), None)
        if first is not None:
            found[first] = f"{words[-1].lower()}{_infinitive(first.lower())}"
    return found


def _may_be_verb(word: str, at: int) -> bool:
    lower = word.lower()
    written_small = word == lower or at == 0
    return written_small and lower not in _NO_VERB and (lower in _CHANGED or _FINITE.search(lower) is not None)


def _infinitive(finite: str) -> str:
    base = _CHANGED.get(finite) or _ENDING.sub("", finite)
    return base + ("n" if base.endswith(("er", "el")) else "en")


def other_forms(question: str) -> tuple[str, ...]:
    """Return forms of the separable verbs in a German question that a text may have instead: verb and noun.

    >>> other_forms("Wann ist die Arbeit abzugeben?")
    ('abgeben', 'Abgabe')
    """
    verbs = [*joined_verbs(question).values(), *filter(None, map(_verb_of, _WORD.findall(question)))]
    found = [form for verb in verbs for form in (verb, _noun(verb)) if form]
    said = question.lower()
    return tuple(form for form in dict.fromkeys(found) if form.lower() not in said)


def _verb_of(word: str) -> str:
    """Return the infinitive for 'abzugeben', 'eingereicht' and 'abgegeben', and for 'Abgabe'; "" for other words."""
    lower = word.lower()
    prefix = _prefix(lower, _APART)
    rest = lower[len(prefix) :]
    if not prefix:
        return ""
    if form := _TO.fullmatch(rest):
        return f"{prefix}{form[1]}en"
    if form := _PARTICIPLE.fullmatch(rest):
        base, ending = form[1], form[2]
        return f"{prefix}{base if ending != 'en' else _ROOTS.get(base, base)}en"
    return next((f"{prefix}{base}en" for base, noun in _NOUNS.items() if rest == noun and word != lower), "")


def _noun(verb: str) -> str:
    """Return the noun 'Austritt' or 'Rückzahlung' of a verb; "" if the noun only has 'ung' for 'en'."""
    prefix = _prefix(verb, _APART)
    base = re.sub(r"e?n\Z", "", verb[len(prefix) :])
    if base not in _NOUNS and (prefix != "zurück" or base.startswith("be")):
        return ""
    return f"{'Rück' if prefix == 'zurück' else prefix.capitalize()}{_NOUNS.get(base, f'{base}ung')}"


def _prefix(word: str, prefixes: Sequence[str]) -> str:
    return next((each for each in prefixes if word.startswith(each) and len(word) >= len(each) + _SHORTEST), "")


@lru_cache(maxsize=1 << 17)
def root(stem: str) -> str:
    """Return what the stems of all forms of a separable verb have in common, or "" for other stems.

    >>> root("austritt") == root("ausgetret") == root("auszutret") == root("austret")
    True
    """
    prefix = "ruck" if stem.startswith("ruck") else _prefix(stem, _STEMMED)
    rest = stem[len(prefix) :]
    if not prefix or len(rest) < _SHORTEST:
        return ""
    inside = next((each for each in ("zu", "ge") if rest.startswith(each) and len(rest) >= len(each) + _SHORTEST), "")
    rest = rest[len(inside) :]
    # A participle ends in 't' as 'eingereicht' does, or its verb does, as 'einrichten': both without it.
    rest = _ROOTS.get(rest, rest).removesuffix("t")
    return f"{'zuruck' if prefix == 'ruck' else prefix} {rest}" if len(rest) >= _SHORTEST else ""
