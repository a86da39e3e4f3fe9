"""Patterns of follow-ups in German and English; ``resolve`` interprets them."""

from __future__ import annotations

import re

COURTESIES = {
    "thanks": r"(?:vielen |herzlichen |besten |lieben )?dank(?:e)?(?: dir| ihnen| schön| sehr| vielmals)?|merci|"
    r"(?:many )?thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|cheers",
    "greeting": r"hallo|hi|hey|moin|servus|guten (?:tag|morgen|abend)|grüß gott|hello|good (?:morning|afternoon|"
    r"evening|day)",
    "bye": r"tschüss?|auf wiedersehen|bis (?:bald|später|morgen)|ciao|good ?bye|bye|see you(?: later)?",
    "fine": r"ok(?:ay)?|super|prima|toll|perfekt|gut|alles klar|verstanden|sehr gut|das war(?:'s| alles)|great|"
    r"cool|perfect|"
    r"fine|good|got it|understood|that is all|that's all|nice",
    "yes": r"(?:ja|jawohl|genau|richtig|stimmt|yes|yeah|exactly|right|correct)(?=\s*[,.!;]|\s*\Z)",
    "no": r"(?:nein|nee|no|nope)(?=\s*[,.!;]|\s*\Z)",
}
GERMAN_COURTESY = re.compile(
    r"dank|hallo|moin|servus|guten|grüß|tschüs|wiedersehen|bis |prima|toll|perfekt|gut\b|klar|verstanden|das war|"
    r"\bja\b|jawohl|genau|richtig|stimmt|nein|nee\b",
    re.I,
)
COURTESY = re.compile(
    r"\W*(?:" + "|".join(f"(?P<{name}>{form})" for name, form in COURTESIES.items()) + r")(?=\W|$)", re.IGNORECASE
)
FILLER = re.compile(
    r"\W*(?:für (?:die|ihre|deine) (?:hilfe|antwort|auskunft)|for (?:your|the) (?:help|answer)|"
    r"das hilft(?: mir)?|that helps)\W*",
    re.I,
)

_ORDINALS = {
    1: r"erste[nrsm]?|first|1\.|1st", 2: r"zweite[nrsm]?|second|2\.|2nd", 3: r"dritte[nrsm]?|third|3\.|3rd",
    4: r"vierte[nrsm]?|fourth|4\.|4th", 5: r"fünfte[nrsm]?|fifth|5\.|5th", 6: r"sechste[nrsm]?|sixth|6\.|6th",
    7: r"sieb(?:en)?te[nrsm]?|seventh|7\.|7th", 8: r"achte[nrsm]?|eighth|8\.|8th", 9: r"neunte[nrsm]?|ninth|9\.|9th",
    10: r"zehnte[nrsm]?|tenth|10\.|10th", 11: r"elfte[nrsm]?|eleventh|11\.|11th",
    12: r"zwölfte[nrsm]?|twelfth|12\.|12th",
    -1: r"letzte[nrsm]?|last", -2: r"vorletzte[nrsm]?|penultimate|last but one",
}  # fmt: skip
ORDINALS = tuple((number, re.compile(form, re.I)) for number, form in _ORDINALS.items())
_ORDINAL = "|".join(_ORDINALS.values())
_POINT = (
    r"punkt(?:e?s)?|stelle|aussage|passage|absatz|item|point|paragraph|bullet|finding|statement|answer|antwort|"
    r"schritt|step"
)
_SOURCE = r"fundstelle|quelle|zitat|beleg|source|citation|quotation|quote|reference|fußnote|footnote"
ARTICLE = r"(?:(?:de[nmrs]|die|das|the|zum|zur|im|am|vom|your|ihre[nmr]?|deine[nmr]?)\s+)?"
BY_ORDINAL = re.compile(rf"\b{ARTICLE}(?P<ordinal>{_ORDINAL})\s+(?:{_POINT}|{_SOURCE})\b", re.IGNORECASE)
BY_NUMBER = re.compile(
    rf"\b{ARTICLE}(?:(?P<point>{_POINT})|(?P<source>{_SOURCE}))\s+(?:nr\.?\s*|no\.?\s*|number\s+|"
    rf"nummer\s+)?\[?(?P<number>\d{{1,3}})\]?(?!\w|\.\d)",
    re.IGNORECASE,
)
BARE_ORDINAL = re.compile(
    rf"\A\W*{ARTICLE}(?P<ordinal>{_ORDINAL})(?:\s+(?:one|davon|of (?:them|these|those)))?\W*\Z", re.IGNORECASE
)
"""Nothing but an ordinal, in answer to which point is meant: 'den zweiten', 'the second one'."""
BARE_NUMBER = re.compile(r"\A\W*(?P<number>\d{1,2})\W*\Z")
ORDINAL_ONE = re.compile(rf"\b(?:the\s+)(?P<ordinal>{_ORDINAL})\s+one\b", re.IGNORECASE)
BY_MARKER = re.compile(r"\[(?P<number>\d{1,3})\]")
THIS_POINT = re.compile(
    rf"\b(?:dies(?:e[nmrs]?)?|jene[nmrs]?|die|den|that|this|the)\s+(?:(?:ganze[nrs]?|whole|full|"
    rf"entire)\s+)?(?:(?:{_POINT}|{_SOURCE})\b)",
    re.IGNORECASE,
)
EXPLAINS = re.compile(
    r"\b(?:erklär\w*|erläuter\w*|zeig\w*|zitier\w*|explain|elaborate|expand|show|quote|clarify|"
    r"bedeutet|heißt|mean|means|steht|say|says|sagt|genauer|ausführlich\w*|genau|ganz\w*|vollständig\w*|"
    r"volle[nrs]?|wortlaut|wörtlich|"
    r"details?|mehr|more|full|fully|whole|exactly|wording|context|zusammenhang|kontext|verstehe|understand|"
    r"meint|gemeint|meant|konkret\w*)\b",
    re.IGNORECASE,
)
SHORTENS = re.compile(
    r"\b(?:fass\w*|zusammenfass\w*|kürz\w*|kurz(?:fassung|form)?|knapp\w*|summari[sz]e|summary|shorten|shorter|"
    r"briefly|brief|"
    r"in short|tl;?dr|in (?:einem|zwei|drei|vier|wenigen|one|two|three|four|a few|\d) s[aä]tz\w*|"
    r"in (?:one|two|three|four|a few|\d) sentences?)\b",
    re.IGNORECASE,
)
SENTENCES = {
    "einem": 1, "one": 1, "zwei": 2, "two": 2, "drei": 3, "three": 3, "vier": 4, "four": 4, "wenigen": 3, "a few": 3,
}  # fmt: skip
COUNTED = re.compile(
    r"\bin (?P<count>einem|zwei|drei|vier|wenigen|one|two|three|four|a few|\d) s(?:[aä]tz|entence)", re.I
)
TABLE = re.compile(
    r"\b(?:als|in (?:einer|form einer)|as a|in a|into a)\s+(?:tabelle|übersicht|table)\b|\btabellarisch\b",
    re.I,
)
LANGUAGE = re.compile(
    r"\b(?:auf|ins|in|into|to)\s+(?:(?P<en>englisch\w*|english)|(?P<de>deutsch(?:e[mns]?)?|german))\b", re.I
)
ONLY = re.compile(
    r"\A\W*(?:(?:zeig\w*|nenn\w*|gib|show|give|list|please|bitte|mir|me|und|and)\s+)*(?:nur|lediglich|allein|"
    r"only|just)\b"
    r"(?:\s+(?:das|die|den|alles|the|those|that|what|was|points?|punkte?|stellen|parts?|teile?))*"
    r"(?:\s*,?\s*(?:was|die|das|what|which|that|points?))?\s*(?P<rest>.+)\Z",
    re.IGNORECASE,
)
CONCERNS = re.compile(
    r"\b(?:betrifft|betreffen|concerns?|concerning|about|regarding|relates? to|applies to|apply to|gilt|gelten|"
    r"über|zu[mr]?|für|"
    r"gesagt|wird|steht|on|for|is said|said|bezug auf|hinsichtlich|related)\b",
    re.IGNORECASE,
)
MATTERLESS = re.compile(
    r"\b(?:bitte|please|mir|me|mal|noch|einmal|again|doch|kannst|könnte\w*|können|can|could|you|du|sie|the|"
    r"report|bericht\w*|"
    r"answer|antwort\w*|ergebnis\w*|result\w*|alles|everything|it|es|das|that|this|is|ist|was|what|does|do|"
    r"darin|dort|there|of|von|"
    r"der|die|den|dem|des|in|im|a|an|ein\w*|and|und|zu|zum|zur|gib|give|make|mach\w*|schreib\w*|write|dar|"
    r"übersetz\w*|translate|"
    r"als|as|into|ich|i|nicht|don't|not|satz|sätze\w*|sentences?|kürzer|hier|here|sage?n?|say|tell|words?|"
    r"worten|eine?|bring\w*|"
    r"stell\w*|zusammen|put|form|same|dasselbe|gleiche|section|abschnitt|with|mit|um|about|auf|on)\b",
    re.IGNORECASE,
)
JOINS = re.compile(r"\A\W*(?:und|oder|aber|sondern|also|and|or|but|so|then|dann)\b[\s,]*", re.IGNORECASE)
ASKING = re.compile(
    r"\b(?:welche[rsnm]?|wer|wem|wen|wessen|wie|was|wann|wo|woran|worauf|worin|wofür|wodurch|warum|weshalb|wieso|"
    r"what|which|who|whom|whose|when|where|why|how)\b",
    re.IGNORECASE,
)
HOW_MUCH = re.compile(
    r"\A\W*(?:(?:und|oder|aber|and|or|but)\s+)?"
    r"(?P<asked>wie\s+(?:lange|oft|häufig|viele?|hoch|groß|weit|schnell|teuer)|(?:(?:ab|bis|seit)\s+)?wann|wo|wohin|we[rmn]|"
    r"how\s+(?:long|often|much|many|high|large|far|soon|quickly)|(?:(?:since|until|by)\s+)?when|where|who|whom)"
    r"(?:\s+(?:denn|genau|dann|eigentlich|exactly|then))?\s*[?.!]*\Z",
    re.IGNORECASE,
)
"""Nothing but what is asked of the matter before: 'Und wie lange?'"""
WHERE_WRITTEN = re.compile(
    r"\A\W*(?:(?:und|and)\s+)?(?:wo\s+(?:genau\s+)?(?:steht|stand|finde\s+ich|findet\s+man|ist)\s+(?:das|dies|es)"
    r"(?:\s+(?:denn|genau|geschrieben|geregelt))*|woher\s+(?:stammt|kommt|weißt\s+du)\s+(?:das|dies)|"
    r"(?:auf\s+)?welche[rs]?\s+(?:seite|quelle)(?:\s+(?:ist|steht)\s+das)?|(?:die\s+)?quelle|"
    r"where\s+(?:exactly\s+)?(?:is|was)\s+(?:that|this|it)(?:\s+(?:written|stated|said|from|defined|found))?|"
    r"where\s+(?:exactly\s+)?does\s+(?:it|that|this)\s+(?:say|stand)(?:\s+(?:that|so|this))?|"
    r"where\s+(?:can\s+i|do\s+i)\s+find\s+(?:that|this|it)|(?:on\s+)?(?:what|which)\s+page(?:\s+is\s+(?:that|it))?|"
    r"(?:the\s+)?source)\s*[?.!]*\Z",
    re.IGNORECASE,
)
"""Where the answer before is written: its passages are shown with their places."""
_HE = r"er|ihm|ihn|sein(?:e[rsnm]?)?|he|him|his"
_THEY = (
    r"(?<!^)sie|ihnen|ihr(?:e[rsnm]?)?|deren|she|her|hers|they|them|their|theirs|"
    r"(?:die|den|der) beiden(?!\s+\w)|(?:the|these|those) two(?!\s+\w)"
)
_IMPERSONAL = (
    r"(?:(?:is|be|was|ist|wird|werden)\s+)?(?:not\s+)?(?:necessary|possible|required|allowed|permitted|mandatory|"
    r"sufficient|enough|recommended|important|useful|forbidden|prohibited|gibt|geben|gab|verboten|erlaubt|zulässig|"
    r"nötig|notwendig|möglich|üblich|erforderlich|sich|dazu)"
)
_IT = (
    r"dessen|dafür|davon|dabei|dazu|daran|daraus|darin|damit|darüber|dagegen|dort|hierfür|hiervon|hierzu|"
    rf"its|it(?!\s+(?:(?:is|be|was)|{_IMPERSONAL})\b)|there(?!\s+(?:is|are|was|were|be|a|any)\b)"
)
# What stands before 'it' and 'es' where they can only refer back; 'it is necessary to ...' refers to what follows.
_BEFORE_IT = (
    r"and|but|so|then|how|long|often|much|many|when|where|why|what|who|if|unless|should|must|may|can|could|shall|does|"
    r"will|und|aber|wie|lange|oft|viel|hoch|wann|wo|warum|wer|was|ob|wenn|muss|müsste|darf|dürfte|kann|könnte|soll|"
    r"sollte|wird|hat|gilt"
)
_EARLY_IT = rf"\A\W*(?:(?:{_BEFORE_IT})\s+)*(?:it|es)(?!\s+{_IMPERSONAL}\b)"
HE, THEY, IT = (re.compile(rf"\b(?:{form})\b", re.I) for form in (_HE, _THEY, f"{_IT}|{_EARLY_IT}"))
THIS = re.compile(
    r"\b(?:diese[rsnm]?|dies|jene[rsnm]?|solche[rsnm]?|those|these|such)\b|\b(?:this|that)(?=\s*[?.!,]|\s*\Z|"
    r"\s+(?!\w+\s+\w+))|"
    r"\bdas(?=\s+(?:nicht|auch|so|tut|gilt|heißt|bedeutet|gemacht|getan|passiert|konkret|genau|eigentlich|jetzt)\b|\s*[?.!]|\s*\Z)|\b(?:this|"
    r"that)\s+(?:apply|rule|duty|limit|requirement|obligation|case|happen)",
    re.IGNORECASE,
)
THEN = re.compile(
    r"\A(?!.*\b(?:wenn|falls|sofern|sobald|zuerst|if|when|once|first)\b)"
    r".*?(?:(?<!und )(?<!and )(?<!since )(?<!by )\b(?:dann|then)\b|"
    r"\bin (?:dem|diesem|so einem|solch einem|that|this|such a) (?:falle?|case)\b)",
    re.IGNORECASE | re.DOTALL,
)
"""What follows from the matter before, unless the question has a condition or an order of its own."""
THAT_SECTION = re.compile(
    r"\b(?:dies(?:e[rsnm]?)?|jene[rsnm]?|de[rmn] genannten?|that|this|the same)\s+(?:paragraf\w*|"
    r"paragraph(?:en)?|abschnitt\w*|vorschrift\w*|"
    r"regelung|norm\b|artikel\w*|bestimmung|klausel|kapitel|section|clause|provision|article|chapter|subsection|"
    r"annex|anhang|anlage)",
    re.IGNORECASE,
)
THAT_DOCUMENT = re.compile(
    r"\b(?:dies(?:e[rsnm]?)?|jene[rsnm]?|that|this|the same)\s+(?:gesetz\w*|verordnung|richtlinie|dokument\w*|"
    r"leitfaden\w*|bericht\w*|"
    r"act|law|regulation|standard|document|guide|guideline|paper|publication|study|studie|aufsatz\w*)\b",
    re.IGNORECASE,
)
_NUMBERED = (
    r"\b(?:section|abschnitt|artikel|article|chapter|kapitel|anhang|annex|anlage|appendix)\s+"
    r"(?:\d+(?:\.\d+)*\w?|[A-Z](?:\.\d+)*)\b"
)
BARE_SECTION = re.compile(
    r"(?P<place>§\s*\d+\w?(?:\s+(?:abs(?:atz|\.)|satz|nr\.?)\s*\d+\w?)*|"
    rf"{_NUMBERED})"
    r"(?!\.\d)(?!\s+(?:of|von|des|der|in|(?-i:[A-ZÄÖÜ]\w*[A-ZÄÖÜ\d])))",
    re.IGNORECASE,
)
SECTION = re.compile(
    rf"§\s*\d+\w?|{_NUMBERED}",
    re.IGNORECASE,
)
"""A numbered place, whatever stands behind it."""
NAMES_DOCUMENT = re.compile(
    r"\b[A-ZÄÖÜ]\w*[A-ZÄÖÜ]\w*\b|\b[A-ZÄÖÜ]\w*(?:gesetz|verordnung|ordnung)(?:e?s)?\b|\b(?:of|des|der|von) "
)
AGENTS = {
    "de": re.compile(
        r"\b[A-ZÄÖÜ]\w{3,}(?:er|or|ent|ant|ist|ling|verantwortliche[rn]?|beauftragte[rn]?)\b|\bBehörden?\b"
    ),
    "en": re.compile(
        r"\b(?:operator|employ(?:er|ee)|licensee|manager|officer|owner|controller|processor|verifier|applicant|"
        r"subscriber|"
        r"manufacturer|inspector|worker|author|user|landlord|tenant|carrier|claimant|provider|organi[sz]ation|agency|"
        r"authority)s?\b",
        re.IGNORECASE,
    ),
}
_NO_AGENTS = frozenset(
    "Januar Februar September Oktober November Dezember Wasser Alter Filter Fenster Nummer Fehler "
    "Jeder Dieser Welcher Unter Immer Moment Dokument Element Grundwasser Abwasser Faktor Sektor Motor".split()
)


def agents(text: str, language: str) -> tuple[str, ...]:
    """Return the words of a text that name a person or body who acts, such as 'operator', in order."""
    found = (match.group() for match in AGENTS[language].finditer(text))
    return tuple(dict.fromkeys(one for one in found if one not in _NO_AGENTS and not one.endswith(("filter", "dauer"))))
