"""Tells a sentence that derogates from the place it names from one that only refers to it. Pure."""

from __future__ import annotations

import re

_NAMED = (
    r"(?:(?:§{1,2}|Abs\.|Absatz(?:es)?|Absätzen?|Satz(?:es)?|Sätzen?|Nrn?\.|Nummern?|Buchst(?:aben?|\.)|Halbsatz|Art\.|"
    r"Artikel[ns]?|Anlagen?|[Ss]ections?|[Pp]aragraphs?|[Aa]rticles?|[Cc]lauses?|[Rr]ules?|und|oder|sowie|bis|and|or|to|"
    r"of|the|this|des|der|den|dem|die|das|dieser|dieses|\w*[Gg]esetz(?:es|buchs?)?|\w*[Oo]rdnung|\w*[Ss]atzung|RFC|"
    r"\d+(?:\.\d+)*[a-z]?|\[[^\[\]]*\])[\s,]*)*"
)
"""Other places between a cue and a place: 'abweichend von § 3 Absatz 1 und'."""
_RULE = r"(?:(?:der|den|dem) (?:[\w-]+ )?[\w-]+ (?:des|der|in|nach|aus|von|gemäß)\s+|(?:der|den|dem) in\s+)?"
_RULE_OF = r"(?:(?:the|any|all|those|its) )?(?:[\w-]+ ){0,5}?(?:(?:of|in|from|by|under|for)\s+)?"
_BEFORE = (
    re.compile(
        r"\b(?:abweichend von|in Abweichung von|ungeachtet|anstelle(?: von)?|anstatt|an (?:die )?Stelle(?: von)?|"
        rf"ausgenommen von)\s+{_RULE}{_NAMED}\Z",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:notwithstanding|in derogation (?:of|from)|(?:by way of )?derogation from|derogat(?:es?|ing) from|"
        r"in place of|instead of|contrary to|(?:is|are) exempt(?:ed)? from|exceptions? to|overrid(?:es|ing)|"
        rf"supersed(?:es|ing)|replac(?:es|ing)|updat(?:es|ing)|relax(?:es|ing))\s+(?!from|made|to)"
        rf"{_RULE_OF}{_NAMED}\Z",
        re.IGNORECASE,
    ),
)
"""Words before the place: 'abweichend von', 'notwithstanding', 'replaces the requirement of'."""
_AFTER = (
    re.compile(
        rf"\A\s*{_NAMED}(?:(?:gilt|gelten)\s(?:(?:für|auf|bei|gegenüber|in|im|insoweit|hier|jedoch|aber)\b[^.;§]{{0,120}}?)?"
        rf"\s*nicht\b(?! nur| als| allein)|(?:findet|finden)\s[^.;§]{{0,160}}?(?:keine|nicht) ?Anwendung|"
        rf"(?:ist|sind)\b[^.;§]{{0,200}}?\s(?:nicht (?:anzuwenden|anwendbar)|unanwendbar)|"
        rf"(?:gilt|gelten|findet|finden|ist|sind)\s[^.;§]{{0,120}}?mit der Maßgabe)"
    ),
    re.compile(
        rf"\A\s*{_NAMED}(?:(?:does|do|shall|will) (?:not|no longer) (?:apply|be applied)|(?:is|are) not applicable)\b"
    ),
)
"""Words behind it: 'gilt nicht für', 'does not apply'."""
_NO_SUBJECT = re.compile(rf"\b(?:Sinne|Fall(?:e|s)?|Fällen|Zwecke?|Maßgabe|Grund|Wege)\s+(?:des|der|von)\s+{_NAMED}\Z")
"""Before a place that is not itself what does not apply: 'in den Fällen des § 3 gilt ... nicht'."""
_VERB_BEFORE = re.compile(rf"\b(?P<verb>gilt|gelten|findet|finden|ist|sind)\s+{_NAMED}\Z")
_NEGATED = {
    "gilt": re.compile(
        rf"\A\s*{_NAMED}(?:[^.;§]{{0,80}}?\bnicht\b(?! nur| als| allein)|[^.;§]{{0,80}}?mit der Maßgabe)"
    ),
    "finde": re.compile(rf"\A\s*{_NAMED}[^.;§]{{0,160}}?\b(?:keine|nicht) ?Anwendung"),
    "ist": re.compile(rf"\A\s*{_NAMED}[^.;§]{{0,160}}?\b(?:nicht (?:anzuwenden|anwendbar)|mit der Maßgabe)"),
}
"""The verb before the place: 'auf Schulen findet § 3 keine Anwendung'."""
_KINDS = {"gilt": "gilt", "gelten": "gilt", "findet": "finde", "finden": "finde", "ist": "ist", "sind": "ist"}
_FREED = (
    re.compile(rf"(?<!Grund )\b[Vv]on\s+{_RULE}{_NAMED}\Z"),
    re.compile(r"\A\s*(?:(?:sind|ist|werden|wird) )?(?:(?!von\b)[\w-]+ ){0,3}?(?:ausgenommen|befreit|abweichend)\b"),
)
"""'Von der Pflicht nach § 3 sind Schulen befreit.'"""
_CUE = re.compile(
    r"abweich|ungeachtet|anstelle|anstatt|an (?:die )?Stelle|ausgenommen|befreit|nicht|keine Anwendung|mit der Maßgabe|"
    r"notwithstanding|derogat|place of|instead of|contrary|exempt|exception|overrid|supersed|replac|updat|relax|"
    r"not appl|no longer appl",
    re.IGNORECASE,
)


def may_derogate(text: str) -> bool:
    """Return whether a text has any of the words that ``derogates`` looks for."""
    return _CUE.search(text) is not None


def derogates(sentence: str, start: int, end: int) -> bool:
    """Return whether a sentence puts something else in place of the rule named at ``start:end``, or ends it.

    'Abweichend von § 8 beträgt die Frist 30 Tage.' does. 'Except as § 8 provides' and 'unbeschadet des § 8' do not:
    there § 8 is the rule that goes before.
    """
    before, after = (" ".join(text.split()) for text in (sentence[:start], sentence[end:]))
    before = f"{before} " if before else ""
    if any(one.search(before) for one in _BEFORE):
        return True
    if _FREED[0].search(before) and _FREED[1].match(after):
        return True
    if _NO_SUBJECT.search(before):
        return False
    if any(one.match(after) for one in _AFTER):
        return True
    verb = _VERB_BEFORE.search(before)
    return verb is not None and _NEGATED[_KINDS[verb["verb"]]].match(after) is not None
