"""Splits a question into its parts: sentences that ask, and coordinated clauses that ask on their own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.steps.reasoning.text.terms import stem_set

MOST = 6
"""Most parts of a question; what is asked beyond stays in the last one."""
_MOST_THINGS = 4
LONG = 1200
"""In a question longer than this many characters, only the sentences that ask count as the question."""
_SHORTEST = 2  # words
_MARKS = " ,;.?"
_ASKS = (
    r"(?:welche[rsnm]?|wer|wem|wen|wessen|wie|was|wann|wo(?:ran|rauf|rin|für|von|mit|zu|durch|her|hin)?|warum|weshalb|"
    r"wieso|ob|what|which|who|whom|whose|when|where|why|how|whether)"
)
_BEFORE = (
    r"(?:(?:in|at|by|for|from|of|on|to|with|until|within|after|under|against|against|an|auf|aus|bei|für|mit|nach|von|zu|"
    r"um|bis|seit|innerhalb|unter|gegen|(?:if|wenn|falls)\s+(?:not|so|yes|no|nicht|ja|nein),?)\s+)?"
)
_VERB = (
    r"(?:may|must|can|could|should|shall|does|do|did|is|are|was|were|will|would|has|have|muss|müssen|darf|dürfen|kann|"
    r"können|soll|sollen|gilt|gelten|ist|sind|war|wird|werden|hat|haben|gibt|braucht)"
)
_SUBJECT = (
    r"(?:the|a|an|it|they|we|you|he|she|there|this|that|these|those|users?|one|its?|their|our|der|die|das|den|dem|diese[rsnm]?|"
    r"eine?[rsnm]?|ich|man|wir|es|sie|er|ihr|auch|dafür|davon|dabei|dazu|dort|dann)"
)
_INVERTED = r"(?!(?:welche|diese|jene|eine|keine)\b)[a-zäöüß]{3,}(?:e\s+ich|en\s+wir|t\s+(?:man|er|ihr)|st\s+du)\b"
"""Any German verb before its pronoun: 'bekomme ich', 'zahlt man'."""
_PRONOUN = r"(?:er|sie|es|man|ich|wir|du|ihr|das|dies)"
_BEFORE_PRONOUN = (
    r"(?:(?:wann|wo\w*|warum|weshalb|wieso|wer|wem|wen|was)|wie\s+\w+)\s+"
    rf"(?!{_PRONOUN}\b)[a-zäöüß]{{2,}}(?:t|en)\s+{_PRONOUN}\b"
)
"""A German question by the order of its words, whatever its verb: 'wann beginnt er', 'wie lange dauert sie'."""
_JOINS = r"(?:und|sowie|oder|aber|bzw\.|and|or|but|as well as)"
_CLAUSE = re.compile(
    rf",?\s+{_JOINS}\s+(?={_BEFORE}{_ASKS}\b)"
    rf"|,\s+{_JOINS}\s+(?={_VERB}\s+\w)"
    rf"|,?\s+{_JOINS}\s+(?={_VERB}\s+{_SUBJECT}\b|{_INVERTED})"
    rf"|[;,]\s+(?={_BEFORE}{_ASKS}\b(?:\s+\w+)?\s+{_VERB}\b)"
    rf"|[;,]\s+(?={_BEFORE_PRONOUN})"
    rf"|[;,]\s+(?={_VERB}\s+{_SUBJECT}\b)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"(?<=[?!])\s+|(?<=[^\W\d_]{3}[.])\s+(?=[A-ZÄÖÜ„\"])|\n+"
    rf"|(?<=\d[.])\s+(?=[A-ZÄÖÜ])(?=(?i:{_BEFORE}(?:{_ASKS}|{_VERB}|{_SUBJECT}))\s)"  # not before "20. Mai"
)
_ASKING = re.compile(rf"\?\s*\Z|\A\W*(?:{_BEFORE}(?:{_ASKS}|{_VERB})\b|{_INVERTED})", re.IGNORECASE)
TELLING = re.compile(
    r"\A\W*(?:(?:and|und|please|bitte|also|auch)\s+)*(?:(?:nenne?|erkläre?|erläutere?|beschreibe?|zeige?|sage?|fasse)\b|gib\b|"
    r"liste\s+(?:alle|die|mir|bitte)\b|(?:nennen|erklären|erläutern|beschreiben|zeigen|sagen|geben)\s+Sie\b|"
    r"(?:tell|show|give)\s+(?:me|us)\b|(?:explain|describe|summari[sz]e)\b|(?:list|name)\s+(?:the|all|every|each|any)\b)|"
    r"\b(?:I|we)(?:\s+would|['’]d)?\s+(?:want|need|like|wish)\s+to\s+know\b|"
    r"\b(?:ich|wir)\b[^.?!]*\bwissen\b|\b(?:ich\s+wüsste|wüsste\s+ich)\s+gern",
    re.IGNORECASE,
)
"""Sentences that ask without a question: 'Nenne die Gebühren.', 'I want to know the fee.'"""
_IF_SO = re.compile(
    r"\A\W*(?:(?:and|und|but|aber)\s+)?(?:if|wenn|falls)\s+(?:not|so|yes|no|nicht|ja|nein)\b\W*", re.IGNORECASE
)
"""A condition that is the answer to the part before; it belongs to what follows and says nothing by itself."""
_ADVERBIAL = re.compile(r"(?:how|when|where|why|wie|wann|wo\w*|warum|weshalb|wieso)\b", re.IGNORECASE)
_SUBJECT_ASKED = re.compile(r"(?:who|what|which|wer|was|welche[rs]?)\b", re.IGNORECASE)
_FRAGMENT = re.compile(rf"\b{_ASKS}\b", re.IGNORECASE)
_HAS_VERB = re.compile(rf"\b{_VERB}\b", re.IGNORECASE)
_INSERTED = re.compile(rf"\A\W*{_BEFORE}{_ASKS}\b(?!.*\b{_VERB}\b)[^,;]*,[^,;]*\Z", re.IGNORECASE)
"""A question up to the verb, with an insertion: 'How large a buffer, in kilobytes' before ', must it have?'"""
# "When training an encoder, does ..." states a condition; "When must ..." asks.
_CONDITION = re.compile(rf"\A\W*(?:when|where|wo)\s+(?!{_VERB}\b)", re.IGNORECASE)
_SEVERAL = re.compile(
    r"\A(?P<lead>.*?\b(?:about|regarding|on|concerning|zu|zur|zum|über|für)\s+)"
    r"(?P<items>(?:[^,?]{3,60},\s+)+(?:and|und|sowie|or|oder)?\s*[^,?]{3,60}?(?:\s+(?:and|und)\s+[^,?]{3,60}))\s*\?*\Z",
    re.IGNORECASE,
)


_PRICES = re.compile(r"\A(?P<lead>(?:was|wie\s?viel)\s+kosten\s+)(?P<items>[^?]+)\Z", re.IGNORECASE)
_COST = re.compile(r"\A(?P<lead>(?:what|how\s+much)\s+do\s+)(?P<items>[^?]+?)(?P<tail>\s+cost)\Z", re.IGNORECASE)
_LISTS = ((_PRICES, 2), (_COST, 2), (_SEVERAL, 3))
"""Forms of questions about several things, with the least number of things to split them into."""

_DIFFER = re.compile(
    r"\A\W*(?:what\s+(?:is|are)\s+the\s+differences?\s+between\s+(?P<a>[^?]+)"
    r"|(?:how|in\s+what\s+way)\s+(?:does|do)\s+(?P<b>[^?]+?)\s+differ(?:\s+from\s+(?P<from>[^?]+?))?"
    r"|(?:was\s+ist|worin\s+besteht|welchen)\s+(?:der\s+)?Unterschied\s+(?:gibt\s+es\s+)?zwischen\s+(?P<c>[^?]+)"
    r"|(?:wie|worin|wodurch)\s+unterscheide(?:t|n)\s+sich\s+(?P<d>[^?]+))\W*\Z",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\s+(?:and|und|von|sowie|from)\s+")
_ARTICLE = re.compile(r"\A(?:the|der|die|das|den|dem|des|eine?[rsnm]?|vo[mn]|zwischen)\s+", re.IGNORECASE)
_MEANS = {"de": "Was bedeutet {}", "en": "What is {}"}


_QUOTED = re.compile(r"“[^“”]{1,200}”|„[^“”„]{1,200}[“”]|\"[^\"]{1,200}\"|«[^«»]{1,200}»|»[^«»]{1,200}«")
_HIDDEN = {ord(sign): chr(0xE000 + at) for at, sign in enumerate(" ?!.,;:\n")}
_SHOWN = {ord(hidden): chr(sign) for sign, hidden in _HIDDEN.items()}


def question_parts(question: str, language: str) -> tuple[str, ...]:
    """Return the parts of a question, in order; a single question is returned whole.

    Sentences that only tell something are dropped if another sentence asks: they are context. What asks is never
    dropped: 'And how long?' and what exceeds ``MOST`` parts stay with the part before.
    """
    return tuple(part.translate(_SHOWN) for part in _parts(_QUOTED.sub(_hidden, question), language))


def _hidden(match: re.Match[str]) -> str:
    """Return quoted words as one word, which is not split."""
    return match[0].translate(_HIDDEN)


def _parts(question: str, language: str) -> tuple[str, ...]:
    sentences = [one.strip() for one in _SENTENCE.split(question.strip()) if one.strip()]
    asking = [one for one in sentences if _ASKING.search(one) or TELLING.search(one)]
    chosen = asking or sentences[-1:] or [question.strip()]
    parts: list[str] = []
    for sentence in _with_fragments(chosen, language):
        for clause in _clauses(sentence, language):
            parts += _several(clause, language)
    unique = tuple(dict.fromkeys(part for part in parts if _tells(part, language)))
    if len(unique) <= 1 and len(sentences) == 1:
        return (question.strip().rstrip(" ?"),)
    if len(unique) > MOST:
        unique = (*unique[: MOST - 1], "; ".join(unique[MOST - 1 :]))
    return unique or (question.strip().rstrip(" ?"),)


def _with_fragments(sentences: Sequence[str], language: str) -> list[str]:
    """Return sentences, those that ask but say nothing by themselves joined to the one before: 'And how long?'

    One that is first is joined to the next.
    """
    found: list[str] = []
    for sentence in sentences:
        short = [one for one in (*found[-1:], sentence) if _FRAGMENT.search(one) and not _tells(one, language)]
        if found and short:
            found[-1] = f"{found[-1].rstrip(_MARKS)}, {sentence[:1].lower()}{sentence[1:]}"
        else:
            found.append(sentence)
    return found


def is_compared(part: str, question: str, language: str) -> bool:
    """Return whether a part asks for one of two things the question compares; the other would lead it astray."""
    sentences = _SENTENCE.split(question.strip())
    return any(part in _compared(clause, language) for one in sentences for clause in _clauses(one.strip(), language))


def asks(text: str) -> bool:
    """Return whether a text begins like a question."""
    return re.match(rf"\W*{_BEFORE}(?:{_ASKS}|{_VERB})\b", text, re.IGNORECASE) is not None


def _clauses(sentence: str, language: str) -> list[str]:
    """Split a sentence where a conjunction begins a new question; a cut that would leave a fragment is ignored."""
    cuts = [found.span() for found in _CLAUSE.finditer(sentence) if not _interrupted(sentence, found)]
    ends = [(first, last) for first, last in zip([0, *(e for _, e in cuts)], [*(s for s, _ in cuts), len(sentence)],
                                                 strict=True) if sentence[first:last].strip(_MARKS)]  # fmt: skip
    found: list[tuple[int, int]] = []
    pending: int | None = None
    before = 0
    for first, last in ends:
        piece, start = sentence[first:last].strip(_MARKS), first if pending is None else pending
        if pending is not None and found and _SUBJECT_ASKED.match(piece) and _ADVERBIAL.search(sentence[pending:first]):
            found[-1] = (found[-1][0], before)  # "how long, and who elects it": the first belongs to the part before
            start, pending = first, None
        asking = _ASKING.search(piece) is not None and not (_CONDITION.match(piece) and last != ends[-1][1])
        if asking and _tells(sentence[start:last], language):
            found.append((start, last))
            pending = None
        elif asking and found and _HAS_VERB.search(piece):  # "how long must it be" continues the question before
            found[-1] = (found[-1][0], last)
            pending = None
        elif asking or not found or _IF_SO.fullmatch(piece):  # "until when" and text before a question belong to it
            pending = start
        else:  # "when it is late" belongs to the question before
            found[-1] = (found[-1][0], last)
            pending = None
        before = last
    if pending is not None and found:
        found[-1] = (found[-1][0], ends[-1][1])
    return [sentence[start:end].strip(_MARKS) for start, end in found] or [sentence.strip(_MARKS)]


def _interrupted(sentence: str, cut: re.Match[str]) -> bool:
    """Return whether a comma only ends an insertion, and the verb of the same question follows."""
    goes_on = cut[0].strip() == "," and re.match(_VERB + r"\b", sentence[cut.end() :], re.IGNORECASE) is not None
    return goes_on and _INSERTED.match(sentence[: cut.start()]) is not None


def _several(clause: str, language: str) -> list[str]:
    """Split a list: 'What does X say about length, rules and changes' asks three things, 'What do A and B cost' two."""
    if compared := _compared(clause, language):
        return compared
    found, least = next(((match, least) for form, least in _LISTS if (match := form.match(clause))), (None, 0))
    if found is None:
        return [clause]
    items = [
        item.strip()
        for item in re.split(r",\s+(?:(?:and|und|sowie|or|oder)\s+)?|\s+(?:and|und|sowie)\s+", found["items"])
    ]
    named = all(stem_set(item, language) and len(item.split()) <= 5 for item in items)
    if not named or not least <= len(items) <= _MOST_THINGS:
        return [clause]
    tail = found.groupdict().get("tail", "")
    return [f"{found['lead']}{item}{tail}" for item in items]


def _compared(clause: str, language: str) -> list[str]:
    """Return what is asked of each of two things that are compared; [] if none are.

    A document rarely says how two things differ; it says what each is.
    """
    match = _DIFFER.match(clause)
    if match is None:
        return []
    things = next(filter(None, (match[name] for name in "abcd"))) + (f" from {match['from']}" if match["from"] else "")
    items = [_ARTICLE.sub("", item.strip(_MARKS)) for item in _BOTH.split(things)]
    if len(items) != 2 or not all(stem_set(item, language) and len(item.split()) <= 6 for item in items):
        return []
    return [_MEANS["de" if language == "de" else "en"].format(item) for item in items]


def _tells(part: str, language: str) -> bool:
    """Return whether a part has a content word and more than one word, besides "if so"."""
    return len(part.split()) >= _SHORTEST and bool(stem_set(_IF_SO.sub("", part), language))
