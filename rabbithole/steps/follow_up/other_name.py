"""The names a question is about, and the same question about another one: 'Und bei Gentoo?', 'And SP 800-53?'."""

from __future__ import annotations

import re

from .context import Context

_LINK = r"bei|beim|in|im|an|am|von|vom|at|with|from|of"
_BEFORE = rf"{_LINK}|des|der"
_WORD = r"(?:[A-ZÄÖÜ][\w-]*|\d[\w.:/-]*\w)"
_NAME = rf"(?!I\b|Sie\b|Ihn)[A-ZÄÖÜ][\w-]*(?:\s+{_WORD})*"
_LINKED = re.compile(rf"\b(?P<link>(?i:{_BEFORE}))\s+(?P<name>{_NAME})")
_ASKED = re.compile(rf"\A(?:(?P<link>(?i:{_LINK}))\s+(?:(?i:der|dem|den|the)\s+)?)?(?P<name>{_NAME})\Z")
_SIGN = r"[A-ZÄÖÜ][\w-]*[A-ZÄÖÜ\d][\w-]*"
_SIGNED = re.compile(rf"(?<!\A)\b{_SIGN}(?:\s+{_WORD})*")
_MATTER = re.compile(r"(?:ung|heit|keit|schaft|zeit|tion|tät|fall|nis|ing|ment)(?:s|en)?\Z")
"""Ends of nouns that are a matter rather than a name: 'bei Teilzeit', 'in Training'."""


def is_name(text: str) -> bool:
    """Return whether a text is surely a name: several words with capitals, or a word with two: 'CCC', 'SP 800-53'."""
    words = text.split()
    capitals = sum(word[:1].isupper() for word in words)
    return bool(re.match(_SIGN, text)) or (capitals > 1 and all(re.fullmatch(_WORD, word) for word in words))


def names_in(question: str) -> list[str]:
    """Return the names that a question is surely about, as written: 'CCC Mannheim' in 'bei CCC Mannheim'."""
    return [found["name"] for found in _LINKED.finditer(question) if is_name(found["name"])]


def about_other_name(before: str, asked: str) -> str:
    """Return a question with the name it is about replaced by the one asked about, or '' if it names none.

    Without grammar, one of two names must be sure; the other stands where a name can stand.
    """
    found = _ASKED.match(asked)
    if found is None or _MATTER.search(found["name"]):
        return ""
    if not found["link"]:
        names = _SIGNED.findall(before) if re.match(_SIGN, asked) else []
        return before.replace(names[0], asked) if len(names) == 1 else ""
    for old in reversed(list(_LINKED.finditer(before))):
        sure = is_name(old["name"]) or is_name(found["name"])
        if sure and not _MATTER.search(old["name"]) and old["name"] != found["name"]:
            return f"{before[: old.start()]}{asked}{before[old.end() :]}"
    return ""


def with_other_name(asked: str, context: Context) -> Context | None:
    """Return the context with the question before asked about another name, or None if that is not asked.

    The documents of the answer before are about the first name, so only those named after the new one still lead.
    """
    before = context.question.rstrip(" ?.!")
    query = about_other_name(before, asked)
    about = tuple(one for one in context.about if not is_name(one))
    if not query and about != context.about and _asks_about_name(asked):
        query = f"{before} {asked}"  # the name was in the question before that one
    if not query:
        return None
    name = asked.split(" ", 1)[-1]
    named = dict.fromkeys(point.document for point in context.points if name in point.name and point.document)
    return context.model_copy(update={"query": f"{query}?", "about": about, "documents": tuple(named)})


def _asks_about_name(asked: str) -> bool:
    """Return whether what is asked ('bei Gentoo') can take the place of a sure name."""
    found = _ASKED.match(asked)
    return found is not None and bool(found["link"]) and not _MATTER.search(found["name"])
