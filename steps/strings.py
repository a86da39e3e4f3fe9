"""Words the product itself puts into a report, per language: ``locales/<language>.json``, flat dotted keys."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

Language = Literal["de", "en"]
LOCALES = Path(__file__).parent / "locales"


@cache
def strings(language: Language) -> Mapping[str, str]:
    """All strings of one language."""
    loaded: dict[str, str] = json.loads((LOCALES / f"{language}.json").read_text(encoding="utf-8"))
    return loaded


def text(language: Language, key: str, **values: object) -> str:
    """One string with its ``{placeholders}`` filled. A missing key is a programming error (KeyError)."""
    template = strings(language)[key]
    return template.format(**values) if values else template
