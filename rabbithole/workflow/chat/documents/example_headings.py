"""Which headings name a subject that a person would ask about; those of a document's frame and of its parts do not."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rabbithole.kb.models import Section

HEADING_LENGTH = range(8, 61)
FRAME = re.compile(
    r"(?i)\b(?:"
    # rights; what a licence grants is told by its words (RIGHTS), because licences may be what a document is about
    r"copyrights?|urheberrecht\w*|(?:public|documentation|software|source) licen[cs]es?|"
    r"licen[cs]e (?:agreement|notice|text)s?|\Alicen[cs](?:e|es|ing)\Z|\Alizenz(?:en|text|bedingungen)?\Z|"
    r"(?:no|limited|of) warrant(?:y|ies)\Z|disclaimers?|haftungsausschluss|trademarks?|warenzeichen|"
    r"legal (?:notices?|information)|rechtliche hinweise|impressum|"
    # versions
    r"change ?logs?|(?:summary|list|record) of changes|release notes|errata|what[’']s new|new (?:in|features)|neu in|"
    r"changes (?:in|from|since|to|between|for) (?:this|version|release|edition|v?\d|the (?:previous|last|document))|"
    r"änderungen (?:seit|gegenüber|in (?:version|dieser))|neuerungen|"
    r"(?:document|version|revision)s? history|history of (?:revisions|versions|this)|"
    r"(?:änderungs|versions|dokument)\w*(?:geschichte|historie|verlauf)|"
    # the text itself
    r"\Aabout (?:this|the) \w+|\Aüber diese[sn]? \w+|"
    r"(?:document|report|guide|manual|paper|thesis|book|publication) (?:structure|organi[sz]ation|outline|conventions)|"
    r"(?:structure|organi[sz]ation|outline|purpose) of (?:this|the) (?:document|report|guide|manual|paper|thesis|book)|"
    r"(?:aufbau|gliederung|gegenstand|zweck) (?:de[rs]|dieser|dieses) "
    r"(?:arbeit|dokument\w*|buch\w*|handbuch\w*|leitfaden\w*|berichts?)|"
    r"how to (?:read|use|cite) this|typogra(?:ph|f)\w* (?:conventions?|konventionen)|conventions used|"
    r"relationship to other (?:\w+ )?(?:documents|publications|standards)|intended audience|documentation sources|"
    r"(?:further|additional|other|more) (?:information|resources|reading|help)\Z|"
    r"mehr hilfe|getting help|hilfe (?:erhalten|bekommen|zu)|weiter\w* (?:informationen|quellen|literatur)\Z|"
    r"\A(?:über (?:den|die) )?(?:verfasser|autor(?:en)?)\Z|citing \w+ in|danksagung\w*|"
    # navigation
    r"table of (?:contents|figures|tables)|see also|siehe auch|related (?:links|topics|pages|documents?)|quick links|"
    r"site ?map|on this page|auf dieser seite|skip to|nach oben"
    r")\b"
)
"""Headings of what is around the matter: rights, versions, the text about itself, navigation."""
PART = re.compile(
    r"(?i)\b(inhalt\w*|\w*verweisung\w*|anwendungsbereich|geltungsbereich|scope|\w*verzeichnis|vorwort|einleitung|"
    r"einführung|zusammenfassung|begriff\w*|literatur|anhang|anlage|allgemein\w*|übersicht|überblick|beispiel\w*|"
    r"hinweis\w*|änderung\w*|schlussbestimmung\w*|inkrafttreten|introduction|abstract|contents|preface|foreword|summary|"
    r"references|bibliography|acknowledge?ments|definitions?|appendix|annex|index|glossary|terminology|acronyms|"
    r"abbreviations|abkürzungen|status of this memo|general|overview|background|related work|future work|"
    r"(?:motivation for )?experimental setup|examples?|notes?|amendments?|chapter|kapitel|faqs?|frequently asked|"
    r"getting started|history|entfällt|weggefallen|aufgehoben|repealed|reserved|i|my|ich|mein\w*)\b"
)
"""Headings of parts that most documents have, which say nothing of what this one is about."""
RIGHTS = re.compile(
    r"(?i)permission (?:is )?(?:hereby )?granted|all rights reserved|alle rechte vorbehalten|without (?:any )?warranty|"
    r"redistributions? (?:of|and use)|free documentation license|creative commons"
)
"""Words of a licence, whatever its heading is."""
_CAPTION = re.compile(r"(?i)\A(?:table|figure|fig\.|listing|box|tabelle|tab\.|abbildung|abb\.)\s*[\dA-Z][\d.\-–:]*\b")
_WORD = re.compile(r"[(„“”\"‘’']*[^\W_](?:[\w’'.+/-]*[^\W_])?[)„“”\"‘’']*[.,:;?]?|[–&/-]")
"""A word as headings have them, or a sign between two; commands, bullets and formulas are none."""
_CUT = re.compile(
    r"(?i)(?:[,:;–&/-]|\b(?:und|oder|der|die|das|des|dem|den|von|vom|zu|zum|zur|für|mit|in|im|bei|and|or|of|the|an?|to|for|in|"
    r"with|by|on))\Z"
)
"""The end of a heading that goes on in the next line."""
_QUESTION = re.compile(r"\A(?:\S+\s+){3,}\S+\?\Z")
_POINTING = re.compile(
    r"(?i)\b(?:above|below|this|these|that|those|it|they|me|we|us|diese\w*|das|davon|es|oben|unten|obige\w*)\b"
)
_FURTHER = re.compile(
    r"(?i)\A(?:other|further|additional|more|various|andere|weitere|sonstige|zusätzliche|verschiedene)[nrs]?\b"
)
"""The beginning of a heading that supposes those before it."""
_SPOKEN = re.compile(r"[^\W\d_A-ZÄÖÜ]{3}")
"""Part of a word that is said; 'I41b_2023_PAP FKR 0702' has none."""


def heading_of(section: Section) -> str:
    """Return the heading in one line, without the dots that lead to a page number."""
    return " ".join(section.heading.split()).rstrip(".| ")


def is_clean(text: str) -> bool:
    """Return whether a text consists of whole words; remains of tables, commands and unreadable pages do not."""
    words = text.split()
    if not words or not all(_WORD.fullmatch(word) for word in words):
        return False
    letters = [word for word in words if len(re.findall(r"[^\W\d_]", word)) > 1]
    return 2 * len(letters) >= len(words) and words[0][0].isalpha() and not _CUT.search(text)


def is_question(heading: str) -> bool:
    """Return whether a heading is a question that can be asked without what stands around it."""
    return bool(_QUESTION.match(heading)) and not _POINTING.search(heading)


def is_telling(heading: str, title: str) -> bool:
    """Return whether the heading names a subject and adds something to the document's title."""
    return (
        len(heading) in HEADING_LENGTH
        and " " in heading
        and not heading.isupper()
        and bool(_SPOKEN.search(heading))
        and is_clean(heading)
        and not PART.search(heading)
        and not _CAPTION.match(heading)
        and not _FURTHER.match(heading)
        and not (heading.endswith("?") and not is_question(heading))
        and heading.casefold() not in title.casefold()
    )


def is_framed(section: Section, outline: Mapping[str, Section], title: str) -> bool:
    """Return whether the section or one above it belongs to the document's frame.

    ``outline`` has the document's sections by id. A document that is named after such a matter is about it: 'Guide to
    copyright'.
    """
    if FRAME.search(title):
        return False
    at: Section | None = section
    while at is not None:
        if FRAME.search(heading_of(at)):
            return True
        at = outline.get(at.parent) if at.parent else None
    return False
