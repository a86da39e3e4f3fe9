"""Detect the language of a text: German, English or 'other'.

The detector is lingua, limited to the supported languages (Stahl, lingua-language-detector); models load on first use.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from lingua import Language, LanguageDetector, LanguageDetectorBuilder

from rabbithole.kb.notation.quotation_marks import quoted

Supported = Literal["de", "en"]
LANGUAGE_NAMES: dict[Supported, str] = {"de": "German", "en": "English"}

# Names and citations tell nothing about the language around them: 'KTA 1401', 'StrlSchG', 'TLS 1.3', URLs.
_NAMES = re.compile(r"https?://\S+|\b\w*[A-Z]\w*[A-Z]\w*\b|\b[\w.-]*\d[\w./-]*")
_GERMAN = re.compile(
    r"[äöüß§]|\b(?:der|die|das|den|dem|des|ein|eine|einer|und|oder|ist|sind|wie|was|wer|wo|wann|welche[rsnm]?|gilt|"
    r"gelten|für|nach|von|mit|bei|zu|zum|zur|im|nicht|darf|muss|kann|wird|werden|hat|haben|warum|wieso|abs|absatz|satz|nr)\b",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"\b(?:the|and|or|is|are|how|what|who|where|when|which|why|does|do|of|for|with|by|to|from|not|may|must|can|"
    r"shall|should|has|have|be|on|at|section|under|it)\b",
    re.IGNORECASE,
)
_QUOTES = re.compile(quoted(3, 2000))
_KEYS = re.compile(r"\[[^\]\n]{1,40}\]")
_MARGIN = 0.25
_FUNCTION_SHARE = 0.18  # minimum share of function words in a text of the language; other languages have fewer
_LEAST_WORDS, _CLEARLY = 2, 3
"""Least number of function words that tell the language of a quotation, and how many times those of the other one."""
_OTHERS = (Language.FRENCH, Language.SPANISH, Language.ITALIAN, Language.DUTCH, Language.POLISH, Language.CHINESE)


@lru_cache(maxsize=1)
def _supported() -> LanguageDetector:
    return LanguageDetectorBuilder.from_languages(Language.GERMAN, Language.ENGLISH).build()


@lru_cache(maxsize=1)
def _with_others() -> LanguageDetector:
    return LanguageDetectorBuilder.from_languages(Language.GERMAN, Language.ENGLISH, *_OTHERS).build()


def detect_language(text: str, default: Supported = "de") -> Supported:
    """Return the supported language nearest to ``text``, by its function words or, if they are unclear, the detector.

    ``default`` is returned for text without words. Words in quotation marks count only if there are no others.
    """
    text = _unquoted(text)
    german, english = len(_GERMAN.findall(text)), len(_ENGLISH.findall(text))
    if german != english and min(german, english) == 0:
        return "de" if german > english else "en"
    bare = _NAMES.sub(" ", text).strip()
    if not re.search(r"[^\W\d_]{2,}", bare):
        return default
    share = _supported().compute_language_confidence(bare, Language.GERMAN)
    if abs(2 * share - 1) < _MARGIN and german != english:
        return "de" if german > english else "en"
    return "de" if share >= 0.5 else "en"


def identify_language(text: str) -> Literal["de", "en", "other"]:
    """Return the language as ``detect_language`` does, but 'other' if a text of some length is in a third language."""
    text = _unquoted(text)
    bare = _NAMES.sub(" ", text)
    if len(bare) < 30 and bare.isascii():
        return detect_language(text)
    plain = _by_function_words(bare)
    if plain is not None:
        return plain
    found = _with_others().detect_language_of(bare)
    if found in (Language.GERMAN, Language.ENGLISH):
        return "de" if found == Language.GERMAN else "en"
    if found is None and re.fullmatch(r"[\W\d_]*", bare):
        return detect_language(text)
    return "other"


def _unquoted(text: str) -> str:
    """Return the text without what is in quotation marks, which may be of any language, if words are left then."""
    own = _QUOTES.sub(" ", text)
    return own if re.search(r"[^\W\d_]{2,}", _NAMES.sub(" ", own)) else text


def _by_function_words(text: str) -> Supported | None:
    """Return the language if the function words leave no doubt; this avoids loading the models, which takes seconds."""
    words = text.casefold().split()
    least = max(3.0, _FUNCTION_SHARE * len(words))
    german, english = (sum(bool(form.fullmatch(word)) for word in words) for form in (_GERMAN, _ENGLISH))
    if german >= least and german >= 4 * english:
        return "de"
    return "en" if english >= least and english >= 4 * german else None


def language_of_quotation(text: str, document: str) -> str:
    """Return the language of words quoted from a document: by their function words, else the document's language.

    A German manual may have an English title and English code. A document in a third language is not judged.

    >>> language_of_quotation("Briefe enthalten keine Anrede, und der Gruß ist kurz.", "en")
    'de'
    """
    if document not in LANGUAGE_NAMES and document != "und":
        return document
    german, english = len(_GERMAN.findall(text)), len(_ENGLISH.findall(text))
    if max(german, english) < _LEAST_WORDS or max(german, english) < _CLEARLY * min(german, english):
        return document
    return "de" if german > english else "en"


def own_words(markdown: str) -> str:
    """Return the text without quotations (which keep their own language), keys, code and links."""
    text = re.sub(r"```.*?```", " ", markdown, flags=re.DOTALL)
    text = re.sub(r"^>.*$", " ", text, flags=re.MULTILINE)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return _KEYS.sub(" ", _QUOTES.sub(" ", text))


def split_markdown(markdown: str) -> tuple[tuple[str, str], ...]:
    """Return (heading line or '', body) for every section, in order; joined by newlines they give the whole text."""
    parts: list[tuple[str, str]] = []
    heading, body = "", list[str]()
    for line in markdown.split("\n"):
        if re.match(r"#{1,6}\s", line):
            if heading or body:
                parts.append((heading, "\n".join(body)))
            heading, body = line, []
        else:
            body.append(line)
    parts.append((heading, "\n".join(body)))
    return tuple(parts)


def foreign_sections(markdown: str, language: Supported) -> tuple[int, ...]:
    """Return the positions (in ``split_markdown``) of sections whose heading or own words are not in ``language``.

    Headings of less than two words and bodies of less than forty characters, without quotations, are not judged.
    """
    wrong: list[int] = []
    for index, (heading, body) in enumerate(split_markdown(markdown)):
        title, text = own_words(heading.lstrip("# ")).strip(), own_words(body).strip()
        foreign_title = len(title.split()) >= 2 and _heading_foreign(title, language)
        foreign_text = len(text) >= 40 and identify_language(text) != language
        if foreign_title or foreign_text:
            wrong.append(index)
    return tuple(wrong)


def _heading_foreign(title: str, language: Supported) -> bool:
    """Return whether a heading is clearly in the other language; headings are short and full of names."""
    german, english = len(_GERMAN.findall(title)), len(_ENGLISH.findall(title))
    if german != english:
        return ("de" if german > english else "en") != language
    bare = _NAMES.sub(" ", title).strip()
    if len(bare) < 8:
        return False
    share = _supported().compute_language_confidence(bare, Language.GERMAN)
    return share < 0.1 if language == "de" else share > 0.9
