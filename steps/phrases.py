"""Fixed sentences of reports and decisions, in the person's language: ``locales/{de,en}.json``."""

from __future__ import annotations

import json
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


def phrase(language: str, key: str, /, **values: object) -> str:
    """One phrase with its ``{names}`` filled in. A missing key is a programming error: KeyError."""
    text = phrases(language)[key]
    return text.format(**values) if values else text
