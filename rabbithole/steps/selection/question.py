"""Analyses the words of a question: its terms, names, expected type of answer and negation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.steps.reasoning.text.measure_words import asks_for
from rabbithole.steps.reasoning.text.separable_verbs import joined_verbs, other_forms
from rabbithole.steps.reasoning.text.terms import entities, stem_set, stems
from rabbithole.steps.reasoning.text.topic_terms import wanted

from .models import AnswerType, QuestionPart, Term

_COUNTED = (
    r"(?:three|four|five|six|seven|eight|nine|ten|twelve|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|\d{1,2})"
)
ENUMERATED = (
    rf"\b(?:what|which|was|welche) (?:(?:are|sind) )?(?:the |die )?{_COUNTED} \w+|\A\W*(?:list|name|nenne\w*)\b"
)
"""Questions that ask for three things or more, one by one: 'What are the five types?', 'List the fields'."""
PLURAL = (
    r"\b(?:what|which) (?:\w+ )?\w{2,}(?<![su])(?<!i)s (?:does|do|did|has|have|exist|apply)\b|"
    r"\bwelche (?:\w+en )?\w{3,}en (?:hat|haben|trifft|treffen|gelten|enthält|enthalten|umfasst|umfassen|bestehen)\b"
)
"""Questions for several things by their plural: 'Which duties does it have?', 'Welche Pflichten hat er?'."""
_MEASURE = (
    r"(?:size|length|width|height|depth|weight|value|ratio|rate|limit|threshold|timeout|interval|percentage|frequency|"
    r"capacity|speed|bandwidth|latency|delay|lifetime|temperature|distance|overhead|accuracy|größe|länge|breite|höhe|"
    r"tiefe|gewicht|wert|grenzwert|abstand|geschwindigkeit|temperatur|anteil|quote)"
)
"""Nouns that ask for a number: "What is the size of a chunk?"."""
_SEVERAL_THINGS = (
    r"(?:steps|conditions|reasons|requirements|prerequisites|types|kinds|criteria|duties|advantages|disadvantages|"
    r"Schritte|Bedingungen|Gründe|Voraussetzungen|Anforderungen|Arten|Kriterien|Pflichten|Vorteile|Nachteile)"
)
_ASKING = r"(?: (?:is|are|was|were|do|does|did|has|have|had|can|could|may|must|shall|should|will|would)\b|\W*\Z)"
"""What follows "when" and "where" in a question: "when several apply" asks for no date."""
_TYPES: tuple[tuple[AnswerType, str], ...] = (
    ("list", ENUMERATED),
    ("list", rf"\A\W*(?:the |die )?{_SEVERAL_THINGS}\b"),
    ("list", PLURAL),
    (
        "procedure",
        r"\b(?:what|which) order\b|\bwelche[rn]? reihenfolge\b|"
        r"\bwhat (?:exactly )?(?:must|should|shall|do) (?:i|we|you) (?:(?:have|need) to )?do\b|"
        r"\bwie gehe?n? (?:ich|wir|man)\b.{0,30}\bvor\b|"
        r"\bwas (?:genau )?(?:muss|müssen|soll|sollen) (?:ich|wir|man) (?:tun|machen)\b|"
        r"\bwhat happens\b|\bwas (?:passiert|geschieht)\b",
    ),
    ("date", r"\b(?:by|until) when\b|\bbis wann\b"),
    ("list", r"\b(?:what|which) (?:costs|fees|prices)\b|\bwelche (?:kosten|gebühren|preise)\b"),
    ("times", asks_for("times") + r"|\bwie ?viel ?mal\b"),
    (
        "duration",
        asks_for("duration") + r"|\bwie viel zeit\b|"
        r"\A\W*(?!.*\b(?:w(?:er|ie|as|ann|arum|o|elche\w*)|ist|sind|hat|kann|muss|darf)\b)(?:[\w-]+ ){0,3}[\w-]*"
        r"(?:frist|dauer)(?: [\w-]+){0,3}\W*\Z|"
        r"\bfrist\b|\bdeadline\b|\bdauer\w*|\bwithin what\b|\binnerhalb welcher\b",
    ),
    (
        "amount",
        asks_for("amount") + r"|\bhow much\b|\bwhat (?:does|do|is the) .{0,40}(?:cost|price|fee)|\bkost\w*|"
        r"\bwhat (?:does|do|did|will|would|can) .{0,40}\b(?:earn|get paid)\b|\bwas verdien\w*|"
        r"\bgebühr\w*|"
        r"\bbetrag\b|\bwie viel\b|\bwieviel\b|\bbezahlen\b|\bzu zahlen\b|\bpreis\b|\bprice\b|\bfees?\b|\bto pay\b",
    ),
    (
        "number",
        asks_for("number") + r"|\bhow many\b|\bwie viele\b|\bwieviele\b|\banzahl\b|\bnumber of\b|\bwhat percentage\b|"
        r"\bminimum\b|\bmaximum\b|\bmindest\w*|\bhöchst\w*|"
        r"\b(?:what|which) (?:size|length|value|ratio|rate|limit|share|fraction|proportion)\b|"
        r"\b(?:what|which|was|welche[rs]?) (?:is|are|was|were|ist|sind|war) (?:the|an?|its|their|der|die|das) "
        rf"(?:[\w-]+ ){{0,3}}?{_MEASURE}(?: (?:of|for|in|on|between|zwischen|allowed|recommended|required|used|by|per|"
        rf"von|für|des|der|eines|einer|bei|im)\b|\W*\Z)|\A\W*(?:[\w-]+ ){{1,4}}{_MEASURE}\W*\Z|"
        r"\bwelche[rnms]? (?:größe|länge|mehrheit|note|grenze|anteil|prozentsatz)\b",
    ),
    (
        "date",
        rf"\bwhen{_ASKING}|\bwann\b|"
        r"\b(?:which|what|in welchem|welches) (?:year|date|day|month|century|jahr|datum|tag|monat)\b|"
        r"\bseit wann\b|\bsince when\b",
    ),
    ("person", r"\bwho\b|\bwhom\b|\bwhose\b|\bwe[rmn]\b|\bwessen\b|\bwelche[rs]? (?:behörde|stelle|person|organ)\b"),
    ("place", rf"\bwhere{_ASKING}|\bwo\b|\bwoher\b|\bwohin\b|"
              r"\b(?:which|what) (?:city|country|place|location|state|region)\b|"
              r"\bwelche[rsm]? (?:stadt|land|ort|region)\b"),
    ("definition", r"\bwhat (?:is|are) (?:an?\s|the\s)?[\w -]{2,40}(?:\?|\Z)|\bwhat does .{2,40} mean\b|\bdefin\w*|"
                   r"\bwas (?:ist|sind|"
                   r"bedeutet|heißt|versteht)\b|\bbegriff\b|\bmeaning of\b"),
    ("list", r"\bwhich .{0,30}s\b (?:are|must|may|can|should)|\bwhat (?:are|kinds|types|factors|steps|"
             r"requirements|conditions|"
             r"criteria)\b|\bwelche [\w-]+(?:en|er|e)? (?:sind|müssen|dürfen|können|gibt)\b|\blist\b|"
             r"\bname the\b|\bnenne\b|"
             r"\bvoraussetzungen\b"),
    ("procedure", r"\bhow (?:do|does|can|should|is|are|to)\b|\bwie (?:wird|werden|kann|muss|soll|geht|läuft|"
                  r"erfolgt|macht)\b|"
                  r"\bprocedure\b|\bablauf\b"),
)  # fmt: skip
_YES_NO = {
    "de": r"\A\W*(?:ist|sind|war|waren|gilt|gelten|muss|müssen|darf|dürfen|kann|können|soll|sollen|sollte|hat|haben|"
    r"wird|werden|gibt es|braucht|reicht|zählt|verlangt)\b",
    "en": r"\A\W*(?:is|are|was|were|do|does|did|may|must|can|could|should|shall|will|would|has|have|had)\b",
}
_YES_NO_RE = {language: re.compile(pattern, re.IGNORECASE) for language, pattern in _YES_NO.items()}
_TYPE_RE = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _TYPES)
_CAPITAL = re.compile(r"(?<![.?!:]\s)(?<!\A)\b[A-Z][\w-]*\w")
_REFERS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|this|that|these|those|er|sie|es|ihn|ihm|ihr\w*|sein\w*|dies\w*|davon|darin|dafür|dazu)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|cannot|nicht|kein\w*|nie|niemals|ohne)\b|n['’]t\b|\b(?:un|non-)(?=successful|genügend)",
    re.IGNORECASE,
)


def refers_back(text: str) -> bool:
    """Return whether a part of a question refers to what stands before it: 'How big is it?'"""
    return _REFERS_BACK.search(text) is not None


def answer_type(text: str, language: str) -> AnswerType:
    """Return the expected type of answer; a question that begins with its verb and has no question word is yes/no."""
    plain = " ".join(text.split())
    if _YES_NO_RE["de" if language == "de" else "en"].match(plain) and not re.search(
        r"\b(?:how|wie|when|wann|who|wer|which|welche\w*)\b", plain, re.I
    ):
        return "yes_no"
    return next((kind for kind, pattern in _TYPE_RE if pattern.search(plain)), "open")


def is_negated(text: str) -> bool:
    """Return whether a text contains a negation."""
    return _NEGATION.search(text) is not None


def _names(text: str, language: str) -> tuple[str, ...]:
    """Return proper names in the text; in English also capitalised words inside a sentence."""
    capital = _CAPITAL.findall(text) if language == "en" else []
    every = [name for name in dict.fromkeys((*entities(text), *capital)) if stem_set(name, language)]
    return tuple(name for name in every if not any(name != other and name in other.split() for other in every))


def question_part(
    text: str, language: str, *, whole: str = "", documents: Sequence[str] = (), queries: Sequence[str] = ()
) -> QuestionPart:
    """Return a part of a question, analysed.

    ``whole`` is the question it is part of, used for what the part leaves out. ``documents`` are the ids it is limited
    to; ``queries`` the search queries (by default the text itself).
    """
    own = dict(wanted(_joined(text, language), language))
    terms = tuple(Term(stem=stem, weight=weight) for stem, weight in own.items())
    around = dict(wanted(_joined(whole, language), language)) if whole else {}
    context = tuple(Term(stem=stem, weight=weight) for stem, weight in around.items() if stem not in own)
    if not terms:
        terms = tuple(Term(stem=stem) for stem in dict.fromkeys(stems(text, language)))
    return QuestionPart(
        text=text,
        language=language,
        terms=terms,
        context=context,
        whole=whole,
        names=_names(text, language),
        answer_type=answer_type(text, language),
        negated=is_negated(text),
        documents=tuple(documents),
        queries=tuple(_with_forms(query, language) for query in queries or (text,)),
    )


def _joined(text: str, language: str) -> str:
    """Return a text with German verbs whose prefix is apart as one word."""
    for verb, joined in joined_verbs(text).items() if language == "de" else ():
        text = re.sub(rf"\b{verb}\b", joined, text)
    return text


def _with_forms(query: str, language: str) -> str:
    """Return a query with the forms of its separable verbs that a text may have instead."""
    return " ".join((query, *other_forms(query))) if language == "de" else query
