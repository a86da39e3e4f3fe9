"""Parse a model's text into a validated shape: strip text around the JSON, validate, repair, validate again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import json_repair
from pydantic import ValidationError

from .answer_shape import Shape

S = TypeVar("S", bound=Shape)

_DECODER = json.JSONDecoder()
_OBJECT = re.compile(r"[\s,]*\{")
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```(?:json)?\s*(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Begun(Generic[S]):
    """A subscription to the entries of the list ``field`` while the answer is streamed."""

    field: str
    tell: Callable[[S], None]

    def watch(self, shape: type[S]) -> Callable[[str], None]:
        """Return a function to call with the text so far; it calls ``tell`` whenever more entries are complete."""
        known = 0

        def heard(text: str) -> None:
            nonlocal known
            entries = complete(text, shape, self.field)
            if entries is not None and len(getattr(entries, self.field)) > known:
                known = len(getattr(entries, self.field))
                self.tell(entries)

        return heard


def complete(text: str, shape: type[S], field: str) -> S | None:
    """Return the shape with the complete entries of its list in an unfinished answer, or None if it is not valid."""
    opened = re.search(rf'"{field}"\s*:\s*\[', text)
    entries, at = [], opened.end() if opened else len(text)
    while start := _OBJECT.match(text, at):
        try:
            entry, at = _DECODER.raw_decode(text, start.end() - 1)
        except ValueError:
            break
        entries.append(entry)
    try:
        return shape.model_validate({field: entries})
    except ValidationError:
        return None


class InvalidAnswer(Exception):
    """The answer does not have the requested shape; the message says what is wrong, for the retry."""


def parse(text: str, shape: type[S]) -> tuple[S, bool]:
    """Return the answer and whether it had to be repaired. Raises InvalidAnswer."""
    body = plain(text)
    if not body:
        raise InvalidAnswer("the answer was empty")
    try:
        return shape.model_validate_json(body), body != text.strip()
    except ValidationError as error:
        first = error
    found = _FENCED.search(body)
    candidate = found.group(1) if found else body
    start = candidate.find("{")
    if start < 0:
        raise InvalidAnswer("the answer holds no JSON object")
    repaired = json_repair.loads(candidate[start:])
    if not isinstance(repaired, dict):
        raise InvalidAnswer("the answer is no JSON object")
    try:
        return shape.model_validate(_bounded(repaired, shape)), True
    except ValidationError:
        raise InvalidAnswer(_in_words(first)) from first


def plain(text: str) -> str:
    """Return the text without the model's thinking."""
    return _THINKING.sub("", text).strip()


def _bounded(value: dict[str, Any], shape: type[Shape]) -> dict[str, Any]:
    """Cut strings, lists and numbers to their bounds, so that a good answer is not lost for being too long."""
    schema = shape.model_json_schema()
    definitions = schema.get("$defs", {})

    def cut(item: Any, node: dict[str, Any]) -> Any:
        if "$ref" in node:
            node = definitions[node["$ref"].rsplit("/", 1)[-1]]
        kind = node.get("type")
        if kind == "object" and isinstance(item, dict):
            known = node.get("properties", {})
            return {key: cut(inner, known[key]) for key, inner in item.items() if key in known}
        if kind == "array" and isinstance(item, list):
            return [cut(inner, node["items"]) for inner in item[: node.get("maxItems", len(item))]]
        if kind == "string" and isinstance(item, str):
            return item[: node.get("maxLength", len(item))]
        if kind == "integer" and isinstance(item, (int, float)) and not isinstance(item, bool):
            return min(max(round(item), node.get("minimum", 0)), node.get("maximum", round(item)))
        return item

    bounded: dict[str, Any] = cut(value, schema)
    return bounded


def _in_words(error: ValidationError) -> str:
    """Return the first three errors, each with its place."""
    faults = error.errors(include_url=False, include_input=False, include_context=False)[:3]
    return "; ".join(f"{'.'.join(str(part) for part in fault['loc']) or 'answer'}: {fault['msg']}" for fault in faults)
