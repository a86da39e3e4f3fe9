"""Recognises the kind of answer a question asks for: a number, a date, a duration, a person, ..."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rabbithole.kb.notation.months import MONTH
from rabbithole.steps.reasoning.text.measures import states_measure
from rabbithole.steps.reasoning.text.time_words import HOW_OFTEN, NUMERAL, PERIOD, SOME

from .models import AnswerType, Figure, QuestionPart
from .question import ENUMERATED

_DIGIT = r"(?<![\w-])\d"
"""A figure, and no part of a name as in '-rc6' or 'X.509'."""
_MONTH = rf"(?:{MONTH})"
_YEAR_OR_MONTH = rf"\b(?:1[0-9]|20)\d\d\b|\b{_MONTH}\b"
_CURRENCY = r"(?:[€$£¥]|\b(?:EUR|USD|CHF|Euros?|Cents?|dollars?|pounds?)\b)"
_SIGNS: Mapping[AnswerType, str] = {
    "number": rf"{_DIGIT}|\b{NUMERAL}\b|\b\w+(?:zigste|zehnte)[nrs]?\b",
    "date": rf"{_YEAR_OR_MONTH}|\b{NUMERAL} (?:\w+ )?{PERIOD}\b|"
    rf"\d{{1,2}}\.\d{{1,2}}\.|\b(?:spätestens|until|before|after|"
    rf"nach|vor|bis|"
    rf"sobald|as soon as|if|wenn|sofern|soweit|falls|unless|provided that|in case of|century|Jahrhundert|when|during|"
    rf"während)\b",
    "duration": rf"\b{SOME} {PERIOD}\b|\b{NUMERAL}[\s-]*(?:\([^)]*\)\s*)?(?:\w+\s)?{PERIOD}\b|"
    rf"\b(?:unverzüglich|immediately|annual\w*|monthly|"
    rf"weekly|daily|yearly|jährlich|monatlich|wöchentlich|täglich|without undue delay|promptly|halbjährlich|quarterly|"
    rf"einmal|once|twice|from \d{{4}} to \d{{4}}|von \d{{4}} bis \d{{4}})\b",
    "times": HOW_OFTEN,
    "amount": rf"{_CURRENCY}|{_DIGIT}",
    "person": r"\b(?!(?:The|This|Der|Die|Das|Den|Dem|Des|Dies\w*|Ein\w*|Im|Am|Zur|Zum|Bei|Für|Nach|Satz|Absatz)\b)"
    r"(?:[A-ZÄÖÜ][\w'’.-]+\s+){1,3}[A-ZÄÖÜ][\w'’-]+|\b(?:Behörde|Minister\w*|Präsident\w*|Vorstand\w*|"
    r"Ausschuss\w*|Leit\w+|Beauftragte\w*|Dekan\w*|Vorsitzende\w*|Mitglied\w*|\w*amt|\w*rat|\w*kommission|"
    r"Arbeitgeber\w*|Person(?:en)?|[Jj]ede[rm]?|[Ww]er|\w+nehmer\w*|\w*[Ii]nhaber\w*|\w*[Bb]etreiber\w*|Antragsteller\w*|"
    r"authority|authorities|officer|manager|director|committee|board|owner|president|king|queen|agency|department|team|"
    r"employer|supervisor|administrator|official|chair|commission|secretary|persons?|people|anyone|everyone|whoever|users?|"
    r"employees?|members?|applicants?|operators?)\b",
    "place": r"\b(?:in|at|near|from|on|to|im|am|bei|aus|nach|zu|of|von)\s+(?:(?:the|der|dem|den)\s+)?[A-ZÄÖÜ]\w+",
    "yes_no": r"\b(?:must|may|shall|should|can|cannot|not|no|never|only|allowed|permitted|prohibited|required|"
    r"muss|müssen|"
    r"darf|dürfen|kann|können|soll|nicht|kein\w*|nur|zulässig|unzulässig|erlaubt|verboten|ist|sind|is|are)\b",
    "list": r"(?:^|\n)\s*(?:[•*–-]|\(?\w{1,3}[.)])\s|,[^,]+,[^,]*\b(?:and|or|und|oder|sowie)\b|:\s*$|;",
    "procedure": r"\b(?:by|using|through|first|then|must|shall|should|is|are|durch|mittels|zunächst|"
    r"anschließend|hat|ist|"
    r"wird|werden|erfolgt|sind|steps?|Schritte?)\b",
    "definition": r"\b(?:means|is (?:an?|the)|are|refers to|defined as|denotes|called|known as|im Sinne|"
    r"(?:ist|sind) (?:ein|eine|der|die|das|jede\w?|alle)|bezeichnet|bedeutet|gilt als|gelten als|genannt)\b",
}
_SIGNS_RE = {
    kind: re.compile(pattern, re.IGNORECASE if kind not in ("person", "place") else 0)
    for kind, pattern in _SIGNS.items()
}
_PLACE = r"(?:sub)?(?:section|chapter|appendix|annex|document|paper|guide|page|table|figure|clause)s?"
_SAYS = (
    r"(?:describe|discuss|provide|present|explain|give|contain|define|list|outline|summari[sz]e|show|address|cover|"
    r"introduce|specif)\w*"
)
_STELLE = r"(?:Abschnitt|Kapitel|Anhang|Anlage|Tabelle|Abbildung|Dokument)\w*"
_ANNOUNCES = re.compile(
    rf"\b(?:this|these|the (?:following|next|remaining|rest of this))\s+(?:\w+\s+)?{_PLACE}\s+(?:\w+ly\s+)?{_SAYS}\b"
    r"|\b(?:section|chapter|appendix|annex|table|figure|box|listing)s?\s+(?:[A-Z]\.?)?\d*(?:\.\d+)*(?<=[A-Z\d])\s+"
    rf"(?:\w+ly\s+)?{_SAYS}\b(?!\s+that\b)"
    rf"|\b{_STELLE}\s+\d+[a-z]?(?:\.\d+)*\s+(?:zeig|enthäl|enthalt|beschreib|erläuter|gib|fass|list|nenn|stell)\w*\b"
    r"(?!,?\s+dass\b)"
    rf"|\b(?:is|are)\s+(?:further\s+)?{_SAYS}\s+in\s+(?:more detail\s+in\s+)?{_PLACE}\b"
    rf"|\b(?:dieser?|diese[ms]?|der (?:folgende|nächste)|die folgenden)\s+{_STELLE}\s+"
    r"(?:beschreib|erläuter|enthält|enthalten|behandel|zeig|definier|gib)\w*"
    rf"|\b(?:wird|werden|ist|sind)\s+in\s+{_STELLE}\s+\S+\s+(?:näher\s+)?"
    r"(?:beschrieben|erläutert|geregelt|dargestellt|aufgeführt)",
    re.IGNORECASE,
)
_ENDS_ASKING = re.compile(r"\?[\"'”“»«)]*(?:\s+[^.!?\n]{0,60}(?:\.\.\.|…))?\Z")
"""A question at the end, also with 'Or a variation like...' after it."""
_LONGEST_QUESTION = 60
"""Maximum number of words of a text that ends with a question and says nothing else: a heading of a FAQ."""
_PURPOSE = re.compile(
    r"\b(?:aim|purpose|objective|goal)s?\s+of\s+(?:this|the|our)\s+(?:\w+\s+)?"
    r"(?:study|paper|work|article|thesis|research|report|document|guide|manual)\b"
    r"|\b(?:Ziel|Zweck|Anliegen)\s+(?:diese[rs]|der|des|unserer?s?)\s+(?:\w+\s+)?"
    r"(?:Arbeit|Studie|Untersuchung|Dokument\w*|Handbuch\w*|Bericht\w*|Leitfaden\w*)\b",
    re.IGNORECASE,
)
"""What a text is meant for, which is not what it found."""
_ASKS_PURPOSE = re.compile(
    r"\b(?:aims?|purpose|objectives?|goals?|why|intended|meant|Ziele?|Zweck\w*|Anliegen|warum|wozu|wofür|soll)\b",
    re.IGNORECASE,
)
_DEFINED = re.compile(
    r"\W*(?:[\w’'-]+\s){1,5}?(?:is|are|means|ist|sind|bezeichnet|bedeutet)\s"
    r"(?:an?|the|one|all|ein|eine|der|die|das)\s",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"\n|\b(?:must|should|shall|first|then|use|using|run|click|select|choose|open|enter|type|set|send|write|"
    r"file|by \w+ing|"
    r"muss|müssen|soll\w*|zuerst|zunächst|dann|indem|klick\w*|wähl\w*|öffn\w*|geben|drück\w*|stell\w*|schreib\w*)\b",
    re.IGNORECASE,
)
"""Words of instructions."""
_ASKS_MONEY = re.compile(
    r"\b(?:costs?|price|fees?|to pay|paid|earn|money|salar(?:y|ies)|wages?|dollars?|euros?|cents?|"
    r"kost(?:en|et)|teuer|gebühr\w*|beitrag|preis\w*|bezahl\w*|zu zahlen|verdien\w*|\w*geld(?:e[rs])?|lohn|gehalt|"
    r"vergütung|entgelt|betrag)\b",
    re.IGNORECASE,
)
_MONEY = re.compile(rf"{_CURRENCY}|[%|]|\b(?:percent|per cent|Prozent|v\. ?H\.)(?!\w)", re.IGNORECASE)
"""A currency, a rate, or the edge of a table's cell: a table has its currency in the header."""
_LENGTH = re.compile(
    rf"{_DIGIT}[\d.,]*[\s-]*(?:characters?|letters?|words?|bytes?|bits?|octets?|lines?|pages?|digits?|tokens?|Zeichen|"
    r"Buchstaben|Wörter\w*|Zeilen|Seiten|Ziffern|Stellen|(?:milli|centi|kilo|zenti)?met(?:re|er)s?|mm|cm|km|m|inch(?:es)?|feet|"
    r"miles?)\b",
    re.IGNORECASE,
)
_ASKS_PAST = re.compile(
    r"\b(?:when (?:was|were|did|has|have)|"
    r"wann (?:war|waren|wurde|wurden|erschien|fand|begann|entstand|trat|hat|haben))\b",
    re.IGNORECASE,
)
_DAY = re.compile(rf"{_YEAR_OR_MONTH}|(?<![\w.])\d{{1,2}}\.\d{{1,2}}\.(?!\d)", re.IGNORECASE)
_ENUMERATED = re.compile(ENUMERATED, re.IGNORECASE)
_ITEM_NUMBER = re.compile(r"^[ \t]*(?:\|[ \t]*)?\(?\d{1,2}[.)](?=\s)", re.MULTILINE)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-ZÄÖÜ][\w-]{2,}")


def holds(kind: AnswerType, text: str) -> bool:
    """Return whether a text looks like an answer of this kind; for open questions every text does."""
    pattern = _SIGNS_RE.get(kind)
    return pattern is None or pattern.search(text) is not None


def figure_asked(part: QuestionPart) -> Figure | None:
    """Return the figure that a part of a question asks for: a day of what happened once, money of a price."""
    if _ASKS_PAST.search(part.text):
        return "day"
    kind = part.answer_type
    if kind == "amount" and _ASKS_MONEY.search(part.text):
        return "money"
    if _ENUMERATED.search(part.text) or kind not in ("number", "amount", "duration", "times", "date"):
        return None
    return kind


def figure_needed(part: QuestionPart) -> Figure | None:
    """Return the figure that an answer to a part must state; "when" is also answered by a condition."""
    figure = figure_asked(part)
    return None if figure == "date" else figure


def states_figure(figure: Figure, text: str, question: str = "") -> bool:
    """Return whether a text states a figure of this kind that the question does not have itself.

    "The years of life lost for a 50-year old person" does not say how many years a 50-year old loses. The numbers of a
    list's items and a table's rows are no figures. What happened once has a year or a day, money a currency, outside of
    tables, and a number of pages the word "pages" or "Seiten".
    """
    known = set(_FIGURE.findall(question))
    if known:
        text = _FIGURE.sub(lambda one: " " if one[0] in known else one[0], text)
    if figure == "day":
        return _DAY.search(text) is not None
    text = _ITEM_NUMBER.sub(" ", text)
    if figure in ("number", "amount") and not states_measure(text, question):
        return False
    if figure == "money":
        return _MONEY.search(text) is not None and holds("amount", text)
    if figure == "amount":
        return any(holds(kind, text) for kind in ("amount", "number", "duration"))
    if figure == "duration":  # "How long may a name be?"
        return holds("duration", text) or _LENGTH.search(text) is not None
    if figure == "times" and "|" in text:  # a column "Every" or "Interval" has nothing but lengths of time
        return holds("times", text) or holds("duration", text)
    return holds(figure, text)


def may_answer(part: QuestionPart, text: str) -> bool:
    """Return whether a text can answer.

    A text without a figure does not answer a question for a figure, nor one that lists nothing a question for several
    things one by one. A question answers nothing, the purpose of a study is not its result, and what something is does
    not say how to do it.
    """
    if only_asks(text) or states_purpose(text, part.text):
        return False
    if part.answer_type == "procedure" and _DEFINED.match(text.strip()) and not _DOES.search(text):
        return False
    figure = figure_asked(part)
    if figure is not None and not states_figure(figure, text, part.text):
        return False
    return not _ENUMERATED.search(part.text) or holds("list", text)


def announces(text: str) -> bool:
    """Return whether a sentence only announces what another place says: 'The following subsections discuss ...'."""
    return _ANNOUNCES.search(text) is not None


def only_asks(text: str) -> bool:
    """Return whether a text is a question, perhaps with the story before it: a heading of a FAQ."""
    return len(text.split()) <= _LONGEST_QUESTION and _ENDS_ASKING.search(text.strip()) is not None


def states_purpose(text: str, question: str) -> bool:
    """Return whether a text states the purpose of a study or document, and the question does not ask for it."""
    return _PURPOSE.search(text) is not None and _ASKS_PURPOSE.search(question) is None


def new_figures(question: str, text: str) -> int:
    """Return how many distinct figures of a text are not already in the question."""
    return len(set(_FIGURE.findall(text)) - set(_FIGURE.findall(question)))


def new_names(question: str, text: str) -> int:
    """Return how many distinct capitalised words inside a text's sentences are not already in the question."""
    known = question.casefold()
    return sum(name.casefold() not in known for name in set(_NAME.findall(text)))
