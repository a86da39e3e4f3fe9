"""All texts of the chat, one file per language. The browser reads the same files."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Literal

Language = Literal["de", "en"]
LANGUAGES: tuple[Language, ...] = ("de", "en")


@cache
def texts(language: Language) -> dict[str, str]:
    """Return all texts of one language by key."""
    loaded: dict[str, str] = json.loads(
        resources.files(__package__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    )
    return loaded


def language_of(tag: str | None) -> Language:
    """Return the chat's language for a browser's language tag: German for German tags, English for all others."""
    return "de" if (tag or "").strip().lower().startswith("de") else "en"


def say(language: Language, key: str, **values: object) -> str:
    """Return one text with its ``{names}`` filled in."""
    return texts(language)[key].format(**values)
