"""Captions of tables: "Table 5.1: Codes", "Tabelle 2. Werte"."""

from __future__ import annotations

import re

TABLE = r"(?:Table|Tabelle|Tab\.)"
"""The word before the number of a table."""
NUMBER = r"(?:[A-Z][.-]?)?\d{1,3}(?:[.-]\d{1,3})*"
"""The number of a table: '3', '5.1', 'B-2'."""
TABLE_CAPTION = re.compile(rf"{TABLE}\s*{NUMBER}(?:\s*[:.|–—-]|\s*\Z)", re.IGNORECASE)
"""The beginning of a caption, which goes on with no sentence."""
