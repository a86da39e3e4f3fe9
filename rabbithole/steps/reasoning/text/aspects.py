"""Recognise what a question asks for (values, exceptions, duties ...), and sentences that state it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

Aspect = Literal["values", "exceptions", "conditions", "duties", "definitions", "procedure", "agents"]

_ASKED: Mapping[Aspect, str] = {
    "values": r"grenzwert|höchst|mindest|wie (?:viel|hoch|lange|oft|weit)|frist|betrag|dauer|anzahl|schwelle|"
    r"freigabewert|"
    r"limit|how (?:many|much|long|often|far|high|large)|threshold|maximum|minimum|deadline|value|number of|when\b|"
    r"wann\b",
    "exceptions": r"ausnahm|abweich|abgewichen|abwich|befrei|entfallen|entbehrlich|nicht gelten|absehen|abgesehen|"
    r"mehr (?:als |ist |wird )?.{0,20}erlaubt|höhere|überschritten werden|more .{0,20}(?:allowed|permitted)|exceed|"
    r"exception|exempt|deviat|waive|derogat|unless|fallback|not required",
    "conditions": r"voraussetz|bedingung|wann\b|darf\b|dürfen|zulässig|zugelassen|unter welchen|erlaubt|"
    r"condition|requirement|prerequisit|allowed|permitted|\bmay\b|depend|under which",
    "duties": r"pflicht|muss\b|müssen|hat .* zu\b|aufgabe|verantwort|zuständig|sorgen|melden|anzeige|"
    r"\bmust\b|shall\b|dut(?:y|ies)|responsib|oblig|required|ensure|report",
    "definitions": r"was (?:ist|sind|bedeutet|versteht|heißt)|begriff|definition|definier|bedeutung|"
    r"what (?:is|are|does .* mean)|defin|meaning of",
    "procedure": r"verfahren|genehmigung|antrag|prüf|nachweis|wie (?:wird|werden|läuft|erfolgt)|ablauf|berechn|mess|"
    r"procedure|process|how (?:is|are|does|do)\b|approval|apply for|verif|measure|calculat|test",
    "agents": r"\bwe[rmn]\b|wessen|welche[rmn]? (?:behörde|stelle|person)|zuständig|"
    r"\bwho(?:m|se)?\b|which (?:authority|body|party|person)|responsib",
}
_SAID: Mapping[Aspect, str] = {
    "values": r"(?:\d+(?:[.,]\d+)?\s*|\b(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|\w+zehn|\w+zig|"
    r"\w*hundert|\w*tausend|two|three|four|five|six|seven|eight|nine|ten|twelve|\w+teen|\w+ty|\w*hundred|\w*thousand)\s)"
    r"(?:%|Prozent|Milli|Mikro|Becquerel|Sievert|[mµ]?Sv|k?Bq|Meter|Tage|Wochen|Monat|Werktag|Minuten|Jahr|Euro|"
    r"Stunden|minutes|hours|days|weeks|months|years|bits?|bytes?|octets|meters?|percent)|beträgt|höchstens|mindestens|"
    r"unverzüglich|spätestens|at (?:most|"
    r"least)|"
    r"not exceed|überschreit",
    "exceptions": r"abweich|ausnahm|ausgenommen|befrei|gilt nicht|gelten nicht|findet keine|bleib\w* unberührt|"
    r"es sei denn|"
    r"im Einzelfall|zulassen|except|unless|does not apply|exempt|however|deviat|may waive",
    "conditions": r"setzt\b.{0,40}\bvoraus\b|"
    r"\b(?:wenn|sofern|soweit|falls|nur|vorausgesetzt|Voraussetzung\w*|if|only|provided|when|where|"
    r"condition\w*)\b",
    "duties": r"\b(?:hat|haben)\b.{0,200}?\bzu\b|\bist\b.{0,120}?\bzu\b|muss\b|müssen|verpflicht|\b(?:MUST|SHALL|"
    r"must|shall)\b|"
    r"required to|responsible|zuständig",
    "definitions": r"im Sinne (?:dieses|dieser|des|der)|\bist (?:ein|eine|der|die|das)\b|bezeichnet|gelten als|"
    r"gilt als|"
    r"Begriffsbestimmung|means\b|is defined as|refers to|denotes|:\s",
    "procedure": r"antrag|genehmig|verfahren|prüf|nachweis|ermittel|bestimm|berechn|schriftlich|unterlagen|appl(?:y|"
    r"ication)|"
    r"procedure|verif|determin|calculat|submitted|test",
    "agents": r"behörde|minister|\bBundes(?:amt|regierung|anstalt)|\bLandes\w+|\bAmt\b|\w+(?:verantwortlich|beauftragt|"
    r"inhaber|leit(?:er|ung)|betreiber|unternehmer|halter)\w*|\bInhaber|\bLeit(?:er|ung)|Betreiber|Antragsteller|"
    r"\b(?:authority|authorities|agency|regulator|licensee|operator|owner|head|manager|registrar|administrator|"
    r"committee|officer|person|group|director|IANA|IESG|IETF)\b",
}
_ASKED_RE = {aspect: re.compile(pattern, re.IGNORECASE) for aspect, pattern in _ASKED.items()}
_SAID_RE = {aspect: re.compile(pattern, re.IGNORECASE | re.DOTALL) for aspect, pattern in _SAID.items()}
_CONDITION = re.compile(r"voraussetz|bedingung|unter welchen|condition|requirement|prerequisit", re.IGNORECASE)
_HOW_MUCH = re.compile(r"\bwie (?:lange|hoch|viele?|oft)\b|\bhow (?:long|much|many|often|high)\b", re.IGNORECASE)
_FORMAL = re.compile(
    r"inkrafttreten|außerkrafttreten|in kraft treten|übergangsvorschrift|bußgeld|ordnungswidrigkeit|änderung (?:des|"
    r"der)|"
    r"bekanntmachung|\bfundstelle|entry into force|acknowledg|authors'? address|full copyright|iana considerations",
    re.IGNORECASE,
)


_CUE_ASPECTS: tuple[Aspect, ...] = ("exceptions", "conditions", "duties", "procedure")


def is_cue(word: str) -> bool:
    """Return whether a word of a question only names the aspect: 'Voraussetzungen', 'abgewichen', 'exceptions'."""
    return any(_ASKED_RE[aspect].match(word) for aspect in _CUE_ASPECTS)


def asked_aspects(text: str) -> tuple[Aspect, ...]:
    """Return the aspects ``text`` asks for, in a fixed order."""
    return tuple(aspect for aspect, pattern in _ASKED_RE.items() if pattern.search(text))


def decisive(text: str) -> tuple[Aspect, ...]:
    """Return the aspects an answer must have.

    'Grenzwert' asks for a value only if nothing else is asked, 'wer darf' for a person and not for a condition,
    'wie lange müssen sie' for a time and not for a duty.
    """
    if _HOW_MUCH.search(text):
        return ("values",)
    asked = asked_aspects(text)
    if "agents" in asked and not _CONDITION.search(text):
        asked = tuple(aspect for aspect in asked if aspect not in ("conditions", "procedure"))
    return tuple(aspect for aspect in asked if aspect != "values") or asked


def names_conditions(text: str) -> bool:
    """Return whether a question itself asks for conditions; 'may' and 'when' alone do not."""
    return bool(_CONDITION.search(text))


def says(aspect: Aspect, sentence: str) -> bool:
    """Return whether a sentence has the typical wording of this aspect."""
    return bool(_SAID_RE[aspect].search(sentence))


def is_formal(label: str) -> bool:
    """Return whether a heading is one most laws have and few questions need: entry into force, amendments, fines."""
    return bool(_FORMAL.search(label))
