"""Every text of the chat, one file a language. The browser reads the same files."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Literal

Language = Literal["de", "en"]


@cache
def texts(language: Language) -> dict[str, str]:
    """All texts of one language by key."""
    loaded: dict[str, str] = json.loads(
        resources.files(__package__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    )
    return loaded


def language_of(tag: str | None) -> Language:
    """The chat's language for a browser's language tag: German for any German, English for all others."""
    return "de" if (tag or "").strip().lower().startswith("de") else "en"


def say(language: Language, key: str, **values: object) -> str:
    """One text with its ``{names}`` filled in."""
    return texts(language)[key].format(**values)
