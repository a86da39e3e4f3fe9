"""The words for numbers, lengths of time and how often, as parts of patterns to be matched without regard to case."""

from __future__ import annotations

from typing import Final

NUMERAL: Final = (
    r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|"
    r"hundred|thousand|million|billion|half|quarter|third|once|twice|ein(?:e[mnrs]?)?|zwei\w{0,2}|drei\w{0,2}|"
    r"vier\w{0,2}|"
    r"fünf\w{0,2}|sechs|sieben|acht|neun|zehn|elf|zwölf|\w*zehn|\w+zig|\w*hundert|\w*tausend|Million\w*|Milliarde\w*|"
    r"hälfte|viertel\w?|drittel\w?|einmal|zweimal|dreimal|\w+mal)"
)
PERIOD: Final = (
    r"(?:(?:milli|micro|nano)?seconds?|[mµn]?s|secs?|mins?|hrs?|minutes?|hours?|days?|weeks?|months?|years?|decades?|"
    r"centur(?:y|ies)|semesters?|quarters?|\w*[Ss]ekunden?|Minuten?|\w*stunden?|\w*[Tt]age[ns]?|\w*[Tt]ag|\w*wochen?|\w*monat\w*|\w*jahr(?:e[ns]?|s)?|Jahrzehnt\w*|"
    r"\w*semester\w*|Quartal\w*|business days?)"
)
SOME: Final = r"(?:an?|few|several|couple of|einige[nr]?|mehrere[nr]?|wenige[nr]?|paar)"
"""How many of a period, where no figure says it: "up to a month", "a few weeks", "mehrere Tage"."""
_TRY = r"(?:\w*versuche?n?|\w*wiederholung(?:en)?|attempts?|tries|retries|retakes?|repetitions?)"
_TIMES = (
    r"\b(?:once|twice|thrice|mehrmals|mehrfach|never|nie(?:mals)?|unlimited|unbegrenzt\w*|beliebig oft)\b|"
    rf"\b{NUMERAL}[\s-]*(?:more |further |additional )?times\b|\b(?:second|third|fourth|fifth|\d+(?:nd|rd|th)) time\b|"
    r"(?:\b(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)|\b(?:\d+|n)[\s-]?)(?:mal|fach)(?:ig\w*)?\b|"
    rf"\b{NUMERAL} (?:weitere[ns]? )?Male?\b|\b(?:zweite|dritte|vierte|fünfte|weitere|\d+\.)[snm]* Male?\b|"
    rf"\b{NUMERAL} (?:\w+ )?{_TRY}\b"
)
"""How many times: "twice", "dreimal", "at most three times", "ein zweites Mal", "two attempts"."""
_RATE = (
    rf"\b(?:every|each|per|alle|jede[nmrs]?|je|pro) (?:(?:other|{NUMERAL}|\w+(?:nd|rd|th|te[nmrs]?)) )?"
    rf"(?:(?:to|bis|or|oder|and|und) {NUMERAL} )?(?:\w+ )?{PERIOD}\b|"
    r"\b(?:(?:(?:bi|semi)-?)?(?:annual(?:ly)?|monthly|weekly|yearly)|biennial(?:ly)?|daily|hourly|nightly|quarterly)\b|"
    r"\w*(?:jähr|monat|wöchent|täg|stünd)lich\w*\b|"
    r"\b(?:intervals?|frequency|cycle|\w*abst[aä]nde?n?|turnus|rhythmus|\w*intervalle?n?|zyklus)\b"
    rf"[^.\n]{{0,40}}?\b{NUMERAL}[\s-]*(?:\w+ )?{PERIOD}\b|"
    rf"\b{NUMERAL}[\s-]*{PERIOD}[\s-](?:intervals?|cycles?|turnus|rhythmus)\b"
)
"""How often in a time: "every two years", "jährlich", "at intervals of five minutes"."""
HOW_OFTEN: Final = f"{_TIMES}|{_RATE}"
"""What answers "how often": a number of times, or one time in each period."""
