"""The base of a model's answers, its JSON schema and the most tokens it can take.

``json_schema`` inlines definitions, because small servers do not follow ``$ref``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, Field, create_model


class Shape(BaseModel):
    """Base of all answers. Unknown fields are ignored, so that an answer with extra fields stays usable."""

    model_config = ConfigDict(frozen=True, extra="ignore")


S = TypeVar("S", bound=Shape)


@lru_cache(maxsize=256)
def exactly(shape: type[S], field: str, count: int) -> type[S]:
    """Return the shape with exactly ``count`` entries in a list; small models otherwise give one, or as in the example.

    Only the schema demands this; an answer with fewer entries is still accepted.
    """
    known = shape.model_fields[field]
    most = next(item.max_length for item in known.metadata if isinstance(item, MaxLen))
    bounds = Field(max_length=most, json_schema_extra={"minItems": min(count, most), "maxItems": min(count, most)})
    made: type[S] = create_model(shape.__name__, __base__=shape, **{field: (known.annotation, bounds)})  # type: ignore[call-overload]
    return made


def json_schema(shape: type[Shape]) -> dict[str, Any]:
    """Return the JSON schema with definitions inlined and without parts that a grammar does not use."""
    whole = shape.model_json_schema()
    definitions: Mapping[str, Any] = whole.get("$defs", {})
    inlined: dict[str, Any] = _inline({key: value for key, value in whole.items() if key != "$defs"}, definitions)
    return inlined


def _inline(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _inline(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    plain = {
        key: {name: _inline(value, definitions) for name, value in node[key].items()}
        if key == "properties"
        else _inline(node[key], definitions)
        for key in node
        if key not in ("title", "description", "default")
    }
    if plain.get("type") == "object":
        plain["additionalProperties"] = False
        plain["required"] = list(plain.get("properties", {}))  # the model may leave out fields that are not required
    return plain


def output_tokens(shape: type[Shape]) -> int:
    """Return the output limit of a call: enough tokens for the longest valid answer, at most 4096."""
    return min(4096, 64 + _characters(json_schema(shape)) // 3)


def _characters(schema: Mapping[str, Any]) -> int:
    kind = schema.get("type")
    if kind == "object":
        return sum(len(name) + 6 + _characters(value) for name, value in schema.get("properties", {}).items())
    if kind == "array":
        return int(schema.get("maxItems", 4)) * (_characters(schema["items"]) + 2)
    if kind == "string" and "enum" not in schema:
        return int(schema.get("maxLength", 40)) + 2
    return 12
