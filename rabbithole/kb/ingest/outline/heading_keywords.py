"""Recognises common headings by their words, numbered or not."""

from __future__ import annotations

import re

_WORDS = re.compile(
    r"(?:abstract|zusammenfassung|introduction|einleitung|vorwort|preface|foreword|references|normative references|"
    r"informative references|literatur|literaturverzeichnis|quellen|quellenverzeichnis|bibliography|works cited|"
    r"glossary|glossar|"
    r"abkürzungen|abkürzungsverzeichnis|abbreviations|acknowledge?ments?|danksagung|contributors|conclusions?|fazit|"
    r"authors?['’]?s?['’]? address(?:es)?|security considerations|iana considerations|status of this memo|"
    r"copyright notice|full copyright statement|intellectual property|index|sachverzeichnis|stichwortverzeichnis|"
    r"appendix|appendices|anhang|"
    r"eingangsformel|präambel|schlussformel|schlußformel|executive summary|summary|"
    r"inhalt|inhaltsübersicht|inhaltsverzeichnis|(?:table of )?contents)\.?:?",
    re.IGNORECASE,
)

_OPENING = re.compile(r"(?:abstract|zusammenfassung|status of this memo)\.?:?", re.IGNORECASE)


def is_known_heading(text: str) -> bool:
    """Return whether a line is one of the headings common to many kinds of documents."""
    return bool(_WORDS.fullmatch(text))


def opens_document(text: str) -> bool:
    """Return whether a heading stands at the beginning of a document, before its first chapter."""
    return bool(_OPENING.fullmatch(text))
