"""Patterns of German acts without a short name: EU acts by number, "Gesetz über ... (Abk)", "dieses Gesetzes"."""

from __future__ import annotations

import re

from rabbithole.kb.references.grammar.form import WS, WS1

_ACTS = (
    r"(?:Gesetzes|Gesetzbuch(?:e?s)?|Verordnung|Richtlinie|Satzung|Abkommens|Übereinkommens|Vertrag(?:e?s)"
    r"|Vereinbarung|Verfassung|Ordnung"
    r"|Anlage|Norm|Regel)"
)
# "des Gesetzes" refers back; "des Gesetzes über ..." or "der Verordnung (EU) ..." names an act.
THIS = re.compile(
    rf"{WS1}(?:dieses|dieser|diesem|jenes|desselben|derselben"
    rf"|(?:des|der)(?:{WS1}(?:gleichen|genannten|vorgenannten|vorliegenden))?){WS1}{_ACTS}"
    rf"(?!\w)(?!{WS1}(?:über|zur|zum|vom|zu|betreffend|\(|Nr|des|der|für|\d))(?!{WS}\()"
)

_BODY = r"EU|EG|EWG|Euratom|EGKS"
EU_ACT = re.compile(
    rf"(?:(?:Durchführungs|Delegierte[nr]?{WS1}|EU-|EG-|Ausführungs)?"
    rf"(?:[Vv]erordnung(?:en)?|VERORDNUNG|[Rr]ichtlinien?|RICHTLINIE|[Bb]eschluss(?:es)?|Rahmenbeschluss(?:es)?"
    rf"|[Ee]mpfehlung|[Ee]ntscheidung)|VO|RL){WS}"
    rf"(?P<id>(?:[(<]{WS}(?:{_BODY})(?:,{WS}Euratom)?{WS}[)>]{WS})?(?:Nr\.?{WS})?"
    rf"\d{{1,4}}{WS}/{WS}\d{{1,4}}(?:{WS}/{WS}(?:{_BODY}|JI|GASP|EURATOM)|{WS1}Euratom)?)(?!\w)"
)
ISSUER = re.compile(
    rf"{WS1}(?:des{WS1}Europäischen{WS1}Parlaments{WS1}und{WS1}des{WS1}Rates|des{WS1}Rates|der{WS1}Kommission"
    rf"|DES{WS1}EUROPÄISCHEN{WS1}PARLAMENTS{WS1}UND{WS1}DES{WS1}RATES|DER{WS1}KOMMISSION)(?!\w)"
)
DATE = rf"vom{WS1}\d{{1,2}}\.{WS}(?:\d{{1,2}}\.|[A-ZJ]\w{{2,9}}){WS}\d{{4}}"
# Date and title of an EU act; the title is included only if a bracket shows its end.
TITLE = re.compile(rf"{WS1}{DATE}(?:{WS1}(?:über|zur|zum|zu|betreffend|für|mit)(?!\w)[^.;()§\n]{{5,240}}?(?={WS}\())?")

# A title in running text: nouns with their articles, prepositions and adjectives; a verb or a new clause ends it.
_ARTICLE = r"(?:der|die|das|des|dem|den)"
_JOIN = (
    r"(?:über|zur|zum|zu|für|gegen|von|vom|betreffend|zwischen|auf|aus|bei|in|im|an|am|nach|vor"
    r"|wegen|unter|und|oder|sowie)"
)
_ADJECTIVE = r"[a-zäöüß]{2,30}(?:en|er|es|em|e)"
NOUN = r"[A-ZÄÖÜ][\wäöüß]{0,60}(?:-[\wäöüß]{0,60}){0,4}"
PHRASE = (
    rf"(?:,?{WS1}{_JOIN}(?!{WS1}ein)|,)?(?:{WS1}{_JOIN})?(?:{WS1}{_ARTICLE})?(?:{WS1}(?!(?:eine"
    rf"|findet|mehrere|einige){WS1}){_ADJECTIVE}){{0,3}}"
    rf"{WS1}(?:{NOUN}|(?:und|oder){WS1}-[a-zäöüß]{{2,40}})"
)
LONG = re.compile(
    rf"(?:[A-ZÄÖÜ][a-zäöüß]{{2,24}}(?:ten|te|tes){WS1})?(?:Gesetz(?:es)?|Verordnung|Übereinkommens?|Abkommens?"
    rf"|Vertrag(?:e?s)?)"
    rf"(?:{WS1}{DATE}(?!\w)"
    rf"|{WS1}(?:über|zur|zum|betreffend|zu|für|gegen"
    rf"|zwischen)(?!\w)(?:{WS1}{_ARTICLE})?(?:{WS1}{_ADJECTIVE}){{0,3}}{WS1}{NOUN}"
    rf"(?:{PHRASE}){{0,12}}"
    rf"(?:{WS}[(<]{WS}[^()<>\n]{{0,60}}?[A-ZÄÖÜ][\wÄÖÜäöüß-]{{1,20}}(?:{WS1}[A-Z]{{2,3}})?{WS}[)>])?(?:{WS1}{DATE})?)"
)
