"""Word lists for reading title pages: kinds of documents, organisations, people, mastheads, common headings."""

from __future__ import annotations

import re
from functools import lru_cache

from rabbithole.kb.notation.months import MONTH
from rabbithole.kb.references.names.designations.well_known_series import gazettes

from .printed_date import is_date

ASKED_AGAIN = 1024
"""Number of cached texts; each block of a title page is checked several times."""
KINDS: dict[str, str] = {
    "act": r"gesetz|gesetzbuch|verordnung|ordnung|satzung|richtlinie|vorschrift|act|law|statute|code(?!s)|regulation|"
    r"directive|decree|ordinance|bylaws?|charter",
    "standard": r"standard|norm|specification|spezifikation|recommendation|instruction set|protocol",
    "guideline": r"guide|guideline|guidance|leitfaden|leitlinie|leitlinien|handreichung|framework|merkblatt|"
    r"best practices|principles|policy|policies|strategy",
    "report": r"report|bericht|gutachten|study|studie|assessment|review|survey|white paper|opinion|paper",
    "contract": r"contract|agreement|vertrag|vereinbarung|terms (?:and conditions|of \w+)|bestimmungen|"
    r"nutzungsbestimmungen|bedingungen|licen[cs]e|lease",
    "manual": r"manual|handbook|handbuch|anleitung|user'?s? guide|reference|tutorial|betriebsanweisung|"
    r"arbeitsanweisung|library",
    "minutes": r"minutes|protokoll|niederschrift|agenda",
}
_KIND = re.compile(r"(?:\b|(?<=[a-zäöü]))(?:" + "|".join(KINDS.values()) + r")(?:e?s|en|n)?\b", re.I)
CONTINUES = re.compile(
    r"^(?:\(|(?:des|der|dem|den|die|das|für|zur|zum|zu|über|an|am|auf|im|in|mit|nach|und|oder|von|vom|bei|of|"
    r"for|on|to|in|and|with|from|at|under|the)\s)"
)
DANGLING = re.compile(
    r"\b(?:als|an|am|auf|aus|bei|beim|das|dem|den|der|des|die|durch|ein|eine|einer|eines|für|gegen|im|in|mit|nach|oder|"
    r"ohne|über|um|und|unter|vom|von|vor|wie|zu|zum|zur|zwischen|"
    r"a|and|as|at|between|by|for|from|into|of|on|or|the|through|to|towards?|under|with|without|your)$",
    re.I,
)
"""The end of a line that a title goes on after: 'Leitfaden für'."""
_RAISED = re.compile(r"(?<=[^\W\d_]{3})[⁰¹²³⁴-⁹]{1,2}$")
_ISSUED = re.compile(
    rf"(?=.*\d)(?:\W|\b(?:\d{{1,2}}(?:\.|st|nd|rd|th)?\s+)?(?:{MONTH})\s+(?:\d{{1,2}},?\s+)?\d{{4}}\b|"
    r"\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|"
    r"\b(?:version|release|rev(?:ision)?\.?|stand|ver\.?|v\.?)\s?(?:\d+\b)?|\d+(?:\.\d+)+[a-z]?\b)+",
    re.I,
)
"""'2011/12/17 — v1.1d', 'Version 1.2 (24. Mai 2021)': when a document was issued, and in which version."""
_CREDIT = re.compile(
    r"(?:\W*|.{0,40}\b)(?:übersetzt|übertragen|herausgegeben|bearbeitet|verfasst|geschrieben|erstellt|zusammengestellt|"
    r"translated|edited|written|compiled|prepared|revised|maintained|illustrated|submitted)\s+"
    r"(?:(?:and|und)\s+\w+\s+)?(?:von|vom|durch|by)\b",
    re.I,
)
_ORGANISATION = re.compile(
    r"\b(?:universit\w+|hochschule\w*|institut\w*|fakultät\w*|department|faculty|ministry|ministerium|"
    r"bundes(?:amt|ministerium|anstalt)\w*|agency|commission|"
    r"kommission|council|committee|board|authority|behörde|office|bureau|laborator\w+|corporation|corp\.|inc\.?|"
    r"gmbh|ag|ltd\.?|llc|plc|"
    r"e\.\s?v\.|verein|förderverein|association|society|foundation|stiftung|consortium|task force|"
    r"working (?:group|party)|college|school|"
    r"bank|company|group|labs?|center|centre|zentrum|press|verlag|team|government|administration|"
    r"recommendations of the|secretary|director)(?=\W|$)",
    re.I,
)
_STRUCTURE = re.compile(
    r"(?:(?:\d+\.?|[ivx]+\.)?\s*)?(?:executive summary|summary|zusammenfassung|abstract|introduction|einleitung|"
    r"einführung|foreword|preface|vorwort|"
    r"geleitwort|preamble|präambel|table of contents|contents|list of (?:tables|figures|changes)|"
    r"liste der änderungen|inhalt|"
    r"inhaltsverzeichnis|inhaltsübersicht|"
    r"acknowledge?ments?|danksagung|"
    r"disclaimer|notice|note|hinweise?|impressum|imprint|references|bibliography|literatur(?:verzeichnis)?|"
    r"index|appendix(?: \w)?|"
    r"annex(?: \w)?|anlage(?: \w+)?|anhang(?: \w+)?|glossary|abbreviations|abkürzungen|revision history|change history|"
    r"änderungs(?:historie|verzeichnis)|document (?:history|control)|front cover|cover|back cover|title page|"
    r"purpose|scope|overview|background|"
    r"eingangsformel|geltungsbereich|zweck|begriffsbestimmungen|allgemeines|to|from|subject|re|date|an|von|"
    r"betreff|datum|draft|entwurf|final|"
    r"confidential|vertraulich|public|internal|key ?words|general terms|index terms|"
    r"categories and subject descriptors|status of this memo|copyright notice|authors?|editors?|version \S+|"
    r"practice|contributed articles|research highlights|"
    r"turing award lecture|proposed rules|rules and regulations|notices|seite|page|teil|part|vom|nr|no)[\s:.]*(?:\w)?",
    re.I,
)
_MASTHEAD = re.compile(
    r"\b(?:journal of|proceedings of|transactions on|communications of|foundations and trends|lecture notes|"
    r"bulletin of|magazine)\b"
    r"|^(?:technical report|white ?paper|red ?(?:paper|book)|working paper|information security|"
    r"computer security|press release|"
    r"draft(?: standard| guidance)?|joint task force.*|request for comments:?.*|internet[- ]draft|"
    r"network working group)$"
    r"|^(?:generated|produced|created|typeset) (?:by|with|using|on)\b|^(?:erstellt|erzeugt|gesetzt) mit\b"
    r"|^(?:https?:|www\.|doi\b)|available free of charge|all rights reserved|"
    r"\bcopyright\W{0,3}(?:\(c\)|(?:19|20)\d\d|by\b)|©",
    re.I,
)
_PERSON = re.compile(
    r"(?:(?:Dr|Prof|Dipl|Mr|Mrs|Ms)\.?\s+)*(?:[A-ZÀ-Ý][\w'’.-]*\.?\s+){1,3}(?:(?:van|von|de|der|den|di|da|al|el|"
    r"bin|la|le|du)\s+){0,2}[A-ZÀ-Ý][\w'’-]+(?:,? (?:Jr|Sr|PhD|MD|II|III)\.?)?"
)
_AND = re.compile(r"\s*(?:,\s*(?:and|und|&)\s|,|;|\band\b|\bund\b|&|·|\|)\s*")
_AFTER_NAME = re.compile(
    r"[\d¹²³⁴-⁹∗*⋆★☆†‡§¶⁺+]+|\(.*?\)"
    r"|(?<=\w)\s+[a-z](?:\s?,\s?[a-z∗*†])*(?=\s*(?:[,;&]|and\b|und\b|$))"  # affiliations: 'Ada Lovelace a,b,*'
)
_FUNCTION = frozenset(
    "A An The How What Why For On a an the of for in on to with from by at how what why is are as über für der "
    "die das des im zur zum".split()
)
_DESIGNATION = re.compile(
    r"^(?:[A-Z][\w./&-]*\s){0,5}(?:(?:Nr|No|Number|Ref|Doc|Document|Rev|Revision|Version|Release|Edition|Volume|"
    r"Vol|Issue|Part|Teil)\b\.?\s?)?#?:?\s*[A-Z]{0,6}[-. ]?\d[\w./-]*$"
)

_FORM_NAME = re.compile(
    r"(?:(?:manual|policy|internal|external|official|general|change|technical|service|safety|administrative|executive|"
    r"transmittal|memorandum|memo|notice|circular|bulletin|directive|instruction|order|letter|form|"
    r"rundschreiben|mitteilung|bekanntmachung|dienstanweisung|formular|vordruck|rundverfügung)\b\s*){1,3}",
    re.I,
)


def is_form_name(text: str) -> bool:
    """Return whether a text only names a form that an office uses: 'Manual Transmittal', 'MEMORANDUM'."""
    return _FORM_NAME.fullmatch(text.strip(" .:–-")) is not None


@lru_cache(maxsize=ASKED_AGAIN)
def is_kind(text: str) -> bool:
    """Return whether a text names a kind of document: 'Satzung', 'Guidelines on ...'."""
    return _KIND.search(text) is not None


def kind_of(title: str) -> str:
    """Return act, standard, guideline, report, contract, manual or minutes, or '' if the title does not tell."""
    first: tuple[int, str] | None = None
    for kind, pattern in KINDS.items():
        found = re.search(rf"(?:\b|(?<=[a-zäöü]))(?:{pattern})(?:e?s|en|n)?\b", title, re.I)
        if found and (first is None or found.start() < first[0]):
            first = found.start(), kind
    return first[1] if first else ""


def is_organisation(text: str) -> bool:
    """Return whether a line names the issuer of a document rather than the document."""
    return _ORGANISATION.search(text) is not None


def is_structure(text: str) -> bool:
    """Return whether a text is a heading that any document may have: 'Executive Summary', 'To:', 'Inhaltsübersicht'."""
    return _STRUCTURE.fullmatch(text.strip(" .:–-")) is not None


def is_credit(text: str) -> bool:
    """Return whether a line says who made the document: 'übersetzt von ...', 'Edited by ...'."""
    return _CREDIT.match(text) is not None


@lru_cache(maxsize=ASKED_AGAIN)
def is_masthead(text: str) -> bool:
    """Return whether a text names the publication a document appeared in: a gazette, a journal, a programme."""
    folded = text.casefold()
    return _MASTHEAD.search(text) is not None or folded.startswith(tuple(gazettes()))


def is_mark(text: str) -> bool:
    """Return whether a text is only a date, a version, a number, an address or a designation."""
    if is_date(text) or "@" in text or _ISSUED.fullmatch(text):
        return True
    return len(text) < 60 and _DESIGNATION.match(text) is not None


def without_note(title: str) -> str:
    """Return a title without the raised number of a footnote behind its last word: 'A Guide for Authors¹'."""
    return _RAISED.sub("", title)


def names_people(text: str) -> bool:
    """Return whether a line lists only names of two words or more: 'Jeffrey Dean and Sanjay Ghemawat'."""
    return bool(people(text))


def people(text: str) -> tuple[str, ...]:
    """Return the persons a line lists, or () if any part of it is not a person's name."""
    bare = _AFTER_NAME.sub(" ", text)
    parts = [" ".join(part.split()) for part in _AND.split(bare) if part.strip()]
    if not parts or any(not _PERSON.fullmatch(part) or len(part.split()) > 5 for part in parts):
        return ()
    if any(word in _FUNCTION for part in parts for word in part.split()) or is_kind(text) or is_organisation(text):
        return ()
    return tuple(parts)
