"""Filters on metadata: parse 'year>=2020', check it against the known fields, and evaluate it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, get_args

from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Document, Filter, Operator, Scalar

OWN_FIELDS: Final = ("document", "file", "title", "language", "collection", "section")
"""Fields that every document has besides its metadata. ``document``: id or file name; ``section``: section number."""

_PARTS: Final = re.compile(
    r"\s*(?P<field>[^<>=!\s][^<>=!]*?)\s*(?:(?P<op><=|>=|!=|==|=|<|>)|\s(?P<word>in)\s)\s*(?P<value>.*)", re.S
)
_ORDER: Final[Mapping[str, Callable[[int], bool]]] = {
    "<": lambda sign: sign < 0,
    "<=": lambda sign: sign <= 0,
    ">": lambda sign: sign > 0,
    ">=": lambda sign: sign >= 0,
}


def parse_filter(text: str) -> Filter:
    """Parse 'year>=2020', 'type = norm', 'year in 2019,2020' or 'file!="a, b.pdf"'. Raises UsageError."""
    match = _PARTS.fullmatch(text)
    operators = " ".join(get_args(Operator))
    if match is None:
        raise UsageError(
            f"The filter {text!r} must have the form FIELD OPERATOR VALUE with one of the operators {operators}."
        )
    operator: Operator = "in" if match["word"] else _operator(match["op"])
    raw = match["value"].strip()
    if operator == "in":
        items = [item.strip() for item in raw.strip("()[]").split(",")]
        return Filter(field=match["field"].strip(), operator="in", value=tuple(map(typed, filter(None, items))))
    return Filter(field=match["field"].strip(), operator=operator, value=typed(raw))


def typed(text: str) -> Scalar:
    """Return the text as a number, true, false or null if it reads so; quoted text stays text."""
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    named: dict[str, Scalar] = {"true": True, "false": False, "null": None, "none": None}
    if text.lower() in named:
        return named[text.lower()]
    if re.fullmatch(r"[+-]?\d{1,18}", text):
        return int(text)
    if re.fullmatch(r"[+-]?\d{1,18}[.]\d{1,18}", text):
        return float(text)
    return text


def check_fields(filters: Iterable[Filter], known: Mapping[str, str]) -> None:
    """Raise UsageError, naming the known fields, if a filter uses another, and for words where numbers are compared.

    Args:
        filters: the conditions.
        known: name of each metadata field -> number, text, boolean or mixed.
    """
    names = sorted({*known, *OWN_FIELDS})
    for condition in filters:
        if condition.field not in names:
            raise UsageError(f"There is no field {condition.field!r}; the known fields are: {', '.join(names)}.")
        if condition.operator == "in" and not isinstance(condition.value, tuple):
            raise UsageError(f"The filter on {condition.field!r} with 'in' needs a list of values.")
        if condition.operator != "in" and isinstance(condition.value, tuple):
            raise UsageError(f"The filter on {condition.field!r} with {condition.operator!r} needs one value.")
        if known.get(condition.field) == "number" and (word := _no_number(condition.value)) is not None:
            raise UsageError(
                f"{condition.field!r} is a number in all documents and cannot be compared with {word!r}; "
                f"write a number, as in '{condition.field}>=2020'."
            )


def matches(document: Document, condition: Filter) -> bool:
    """Return whether a document meets a condition (``section`` is evaluated per chunk, not here).

    Numbers compare as numbers, everything else as text (so ISO dates compare by date). A value given as text is
    converted to the type of the document's value if possible. A document without the field meets only ``!=``.
    """
    return value_matches(field_values(document, condition.field), condition)


def value_matches(values: Sequence[Scalar], condition: Filter) -> bool:
    """Return whether any of a field's values meets a condition (for ``!=``: whether none is equal)."""
    if condition.operator == "!=":
        return not any(_equal(value, condition.value) for value in values)
    if condition.operator == "=":
        return any(_equal(value, condition.value) for value in values)
    if condition.operator == "in":
        wanted = condition.value if isinstance(condition.value, tuple) else (condition.value,)
        return any(_equal(value, item) for value in values for item in wanted)
    holds = _ORDER[condition.operator]
    signs = (_compare(value, condition.value) for value in values)
    return any(sign is not None and holds(sign) for sign in signs)


def split_sections(filters: Sequence[Filter]) -> tuple[list[Filter], list[Filter]]:
    """Return the conditions on documents and the conditions on sections."""
    on_sections = [condition for condition in filters if condition.field == "section"]
    return [condition for condition in filters if condition.field != "section"], on_sections


def _operator(text: str) -> Operator:
    operators: dict[str, Operator] = {"==": "=", "=": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
    return operators[text]


def field_values(document: Document, field: str) -> tuple[Scalar, ...]:
    """Return the values of a field, empty if it is missing; ``document`` has two, the id and the file name."""
    if field in document.metadata:
        return (document.metadata[field],)
    own: dict[str, tuple[Scalar, ...]] = {
        "document": (document.id, document.file),
        "file": (document.file,),
        "title": (document.title,),
        "language": (document.language,),
        "collection": (document.collection,),
    }
    return own.get(field, ())


def _equal(value: Scalar, wanted: Scalar | tuple[Scalar, ...]) -> bool:
    return not isinstance(wanted, tuple) and (value is wanted or _compare(value, wanted) == 0)


def _compare(value: Scalar, wanted: Scalar | tuple[Scalar, ...]) -> int | None:
    """Return -1, 0 or 1, or None if the two cannot be compared."""
    if value is None or wanted is None or isinstance(wanted, tuple):
        return None
    if isinstance(value, bool) or isinstance(wanted, bool):
        return (0 if value == wanted else None) if isinstance(value, bool) and isinstance(wanted, bool) else None
    if isinstance(value, str) and isinstance(wanted, str):
        return (value > wanted) - (value < wanted)
    left, right = _number(value), _number(wanted)
    if left is not None and right is not None:
        return (left > right) - (left < right)
    first, second = str(value), str(wanted)
    return (first > second) - (first < second)


def _no_number(value: Scalar | tuple[Scalar, ...]) -> str | None:
    """Return the first value that is a word and no number, or None."""
    values = value if isinstance(value, tuple) else (value,)
    return next((one for one in values if isinstance(one, str) and _number(one) is None), None)


def _number(value: str | float) -> int | float | None:
    if not isinstance(value, str):
        return value
    number = typed(value.strip())
    return number if isinstance(number, int | float) and not isinstance(number, bool) else None
