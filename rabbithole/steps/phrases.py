"""Fixed sentences of reports and decisions, in the user's language: ``locales/{de,en}.json``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

LOCALES = Path(__file__).parent / "locales"
DEFAULT_LANGUAGE = "en"


@lru_cache(maxsize=8)
def phrases(language: str) -> Mapping[str, str]:
    """Return all phrases of a language by key; the English ones if the language has no file."""
    path = LOCALES / f"{language}.json"
    if not path.is_file():
        path = LOCALES / f"{DEFAULT_LANGUAGE}.json"
    loaded: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


@lru_cache(maxsize=8)
def _own(language: str) -> re.Pattern[str]:
    """Return a pattern that matches any sentence ``phrase`` can produce, of three or more fixed words."""
    fixed = [text for text in phrases(language).values() if len(re.sub(r"{\w+}", "", text).split()) >= 3]
    parts = ["(?:.+)".join(re.escape(piece) for piece in re.split(r"{\w+}", text)) for text in fixed]
    return re.compile("|".join(parts))


def is_own_phrase(language: str, sentence: str) -> bool:
    """Return whether a sentence is one of our fixed phrases, which are about the research and claim no facts."""
    return _own(language).fullmatch(" ".join(sentence.split())) is not None


def phrase(language: str, key: str, /, **values: object) -> str:
    """Return a phrase with its ``{names}`` filled in. Raises KeyError for an unknown key, a programming error."""
    text = phrases(language)[key]
    return text.format(**values) if values else text


def filled_in(language: str, key: str, said: str, /) -> str | None:
    """Return what a phrase with a single ``{name}`` was filled in with, or None if it is another sentence."""
    before, _, after = re.sub(r"{\w+}", "{}", phrases(language)[key]).partition("{}")
    found = re.fullmatch(f"{re.escape(before)}(.+?){re.escape(after)}", said.strip())
    return found[1] if found else None


def counted(language: str, key: str, count: int, /, **values: object) -> str:
    """Return a phrase about so many things: ``key`` with ``{count}`` filled in, or ``key.one`` for a single one."""
    return phrase(language, f"{key}.one" if count == 1 else key, count=count, **values)


def share(language: str, key: str, part: int, whole: int, /) -> str:
    """Return a phrase about ``part`` of ``whole`` things.

    ``key`` has ``{part}`` and ``{whole}``; ``key.one`` is for one of several, ``key.only`` and ``key.only_not`` for the
    only thing there is, ``key.none`` if there is nothing.
    """
    if whole == 0:
        form = ".none"
    elif whole == 1:
        form = ".only" if part else ".only_not"
    else:
        form = ".one" if part == 1 else ""
    return phrase(language, key + form, part=part, whole=whole)


def listed(language: str, items: Sequence[str]) -> str:
    """Return several things as a list in a sentence: 'a, b and c'."""
    *first, last = items
    return phrase(language, "list.last", first=", ".join(first), last=last) if first else last
