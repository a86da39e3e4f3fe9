"""Fixed sentences of reports and decisions, in the person's language: ``locales/{de,en}.json``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

LOCALES = Path(__file__).parent / "locales"
DEFAULT_LANGUAGE = "en"


@lru_cache(maxsize=8)
def phrases(language: str) -> Mapping[str, str]:
    """All phrases of a language, key -> text; English when the language has no file."""
    path = LOCALES / f"{language}.json"
    if not path.is_file():
        path = LOCALES / f"{DEFAULT_LANGUAGE}.json"
    loaded: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


@lru_cache(maxsize=8)
def _own(language: str) -> re.Pattern[str]:
    """Matches what ``phrase`` can have produced."""
    fixed = [text for text in phrases(language).values() if len(re.sub(r"{\w+}", "", text).split()) >= 3]
    parts = ["(?:.+)".join(re.escape(piece) for piece in re.split(r"{\w+}", text)) for text in fixed]
    return re.compile("|".join(parts))


def is_own_phrase(language: str, sentence: str) -> bool:
    """Whether a sentence is one of the product's own (about the research, not about the world)."""
    return _own(language).fullmatch(" ".join(sentence.split())) is not None


def phrase(language: str, key: str, /, **values: object) -> str:
    """One phrase with its ``{names}`` filled in. A missing key is a programming error: KeyError."""
    text = phrases(language)[key]
    return text.format(**values) if values else text
