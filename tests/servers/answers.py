"""Answers made by rule from the prompt itself: valid for any schema, with the keys and sentences the prompt shows."""

from __future__ import annotations

import json
import re
from typing import Any

FENCED = re.compile(r"<<<DOCUMENT (\S+)>>>\s*(.*?)<<<END \1>>>", re.DOTALL)
CANDIDATE = re.compile(r"^(\w+): [^\n]*? -> ([^\n]*?) \| ", re.MULTILINE)
NUMBERED = re.compile(r"^s(\d+): ", re.MULTILINE)
SENTENCE = re.compile(r"[^.!?\n]{25,300}[.!?]")
GERMAN, ENGLISH = "Der Beleg nennt dazu eine Regel mit ihrem Wert.", "The evidence states a rule and its value on this."
FRENCH = "La limite de dose est fixée par la loi et la règle vaut pour tous les travailleurs exposés du pays."


def fenced(prompt: str) -> dict[str, str]:
    """key -> text of every fenced passage of a prompt."""
    return {key: text.strip() for key, text in FENCED.findall(prompt) if key != "..."}


def sentence(text: str, default: str) -> str:
    """The first sentence of a passage, verbatim, without the line that names its place."""
    body = text.split("\n", 1)[1] if text.startswith("(") and "\n" in text else text
    found = SENTENCE.search(body)
    return found.group().strip() if found else default


def answer(prompt: str, schema: dict[str, Any] | None, *, discerning: bool = False) -> str:
    """A text for a prompt: JSON of the schema, or a short report in Markdown.

    ``discerning``: follow a reference only where its context shares a long word with the question.
    """
    own = GERMAN if re.search(r"in German\b", prompt) else ENGLISH
    passages = fenced(prompt)
    if "candidates" in passages:
        passages = dict(CANDIDATE.findall(passages["candidates"]))
    if discerning and schema is not None and "related" in schema.get("properties", {}):
        return json.dumps({"subject": own, "related": _related(prompt, passages)}, ensure_ascii=False)
    if schema is None:
        return _report(prompt, passages, own)
    return json.dumps(_fill(schema, "", 0, passages, own), ensure_ascii=False)


def _related(prompt: str, passages: dict[str, str]) -> list[str]:
    question = re.search(r"^Question: (.*)$", prompt, re.MULTILINE)
    wanted = {word[:8].lower() for word in re.findall(r"\w{8,}", question.group(1) if question else "")}
    return [
        key
        for key, target in passages.items()
        if any(word[:8].lower() in wanted for word in re.findall(r"\w{8,}", target))
    ]


def _report(prompt: str, passages: dict[str, str], own: str) -> str:
    german = own == GERMAN
    keys = [key for key in passages if re.fullmatch(r"E\d+", key)]
    if prompt.startswith("### Task\nSay a part of a report again"):
        return " ".join((own, *re.findall(r"\[e[0-9a-f]{6,16}\]", prompt)))
    lines = [f"# {'Bericht zur gestellten Frage' if german else 'Report on the question'}", ""]
    lines += [f"## {'Die Antwort auf die Frage' if german else 'The answer to the question'}", ""]
    for key in keys[:6]:
        mark = f"[{key}a]" if f"{key}a: " in passages[key] else f"{own} [{key}]"
        said = f"Dazu steht im Dokument: {mark}" if german else f"On this the document says: {mark}"
        lines += [said, ""]
    if not keys:
        lines += [own, ""]
    return "\n".join(lines)


def _fill(schema: dict[str, Any], name: str, index: int, passages: dict[str, str], own: str) -> Any:
    kind = schema.get("type")
    keys = list(passages)
    if "enum" in schema:
        return schema["enum"][0]
    if kind == "object":
        chosen = dict([list(passages.items())[index]]) if name == "passages" and passages else passages
        return {key: _fill(value, key, index, chosen, own) for key, value in schema["properties"].items()}
    if kind == "array":
        if name == "references":
            return []
        if name == "related":
            return keys
        if name == "evidence":
            return [f"E{1 + index % max(1, len(keys))}"]
        if name == "sentences":
            return [int(number) for number in NUMBERED.findall(next(iter(passages.values()), ""))[:2]]
        wanted = {"passages": len(passages), "scores": len(passages), "tasks": 5}.get(name, 2)
        size = min(wanted, schema.get("maxItems", wanted)) or schema.get("minItems", 0)
        return [_fill(schema["items"], name, position, passages, own) for position in range(size)]
    if kind == "boolean":
        return True
    if kind == "integer" and name == "passage":
        return int(keys[0].removeprefix("P")) if keys else 1
    if kind == "integer":
        return min(schema.get("maximum", 80), 80 if schema.get("maximum", 100) >= 80 else 1)
    text = _string(name, index, keys, passages, own)
    return text[: schema.get("maxLength", 10_000)]


def _string(name: str, index: int, keys: list[str], passages: dict[str, str], own: str) -> str:
    if name == "id":
        return keys[0] if keys else ""
    if name == "info":
        return sentence(next(iter(passages.values()), ""), own)
    if name in ("field", "value", "argument", "query", "document"):
        return ""
    return f"{own.rstrip('.')} {index + 1}." if name in ("queries", "tasks", "subqueries", "text") else own
