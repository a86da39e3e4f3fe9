"""Quotation marks, German and English: „...“, “...”, «...», »...« and "..."."""

from __future__ import annotations

_ANY = '„“”"»«'


def quoted(least: int, most: int | None = None) -> str:
    """Return the pattern of so many characters in quotation marks, which are its only group."""
    return rf"[„“\"»«]([^{_ANY}]{{{least},{'' if most is None else most}}})[“”\"«»]"
