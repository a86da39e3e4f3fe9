"""Turn conditions on documents in the question into filters for every search."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Filter, Scalar
from rabbithole.steps.reasoning.protocol import ConstraintModel

_DATE = re.compile(r"(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})|(?P<d2>\d{1,2})\.(?P<m2>\d{1,2})\.(?P<y2>\d{4})")


def typed(value: str, kind: str) -> Scalar:
    """Return a constraint's value in the type of its field. Raises UsageError if it must be a number but is not."""
    text = value.strip()
    if kind == "number":
        try:
            number = float(text.replace(",", "."))
        except ValueError as error:
            raise UsageError(f"{value!r} is not a number, but the field compares numbers.") from error
        return int(number) if number.is_integer() else number
    if kind == "boolean":
        return text.casefold() in ("true", "yes", "ja", "1", "wahr")
    return text


def filters_of(constraints: Sequence[ConstraintModel], fields: Mapping[str, str]) -> tuple[Filter, ...]:
    """Return the filters for the constraints. Raises UsageError, naming the known fields, for an unknown field."""
    found: list[Filter] = []
    for constraint in constraints:
        kind = fields.get(constraint.field)
        if kind is None:
            known = ", ".join(sorted(fields)) or "none"
            raise UsageError(f"The documents have no field {constraint.field!r}; the known fields are: {known}.")
        if constraint.operator == "in":
            values = tuple(typed(part, kind) for part in constraint.value.split(",") if part.strip())
            found.append(Filter(field=constraint.field, operator="in", value=values))
        else:
            found.append(
                Filter(field=constraint.field, operator=constraint.operator, value=typed(constraint.value, kind))
            )
    return tuple(dict.fromkeys(found))


def check_values(filters: Sequence[Filter], fields: Mapping[str, str]) -> None:
    """Raise UsageError for a value its field cannot have: not a number, or an invalid date ('2024-02-30')."""
    for condition in filters:
        values = condition.value if isinstance(condition.value, tuple | list) else (condition.value,)
        for value in values:
            if not isinstance(value, str):
                continue
            if fields.get(condition.field) == "number":
                raise UsageError(f"{value!r} is not a number, but the field {condition.field!r} contains numbers.")
            if (parts := _DATE.fullmatch(value.strip())) is not None:
                year, month, day = parts.group("y", "m", "d") if parts["y"] else parts.group("y2", "m2", "d2")
                try:
                    date(int(year), int(month), int(day))
                except ValueError as error:
                    raise UsageError(f"{value!r} is not a valid date; write it as 2024-02-29.") from error


def contradiction(filters: Sequence[Filter]) -> str | None:
    """Return the field whose conditions contradict each other ('year >= 2020' and 'year < 2010'), or None."""
    for field in dict.fromkeys(one.field for one in filters):
        own = [one for one in filters if one.field == field]
        equal = {one.value for one in own if one.operator == "="}
        lows = [one.value for one in own if one.operator in (">", ">=") and isinstance(one.value, int | float)]
        highs = [one.value for one in own if one.operator in ("<", "<=") and isinstance(one.value, int | float)]
        if len(equal) > 1:
            return field
        numbers = [value for value in equal if isinstance(value, int | float)]
        low, high = max((*lows, *numbers), default=None), min((*highs, *numbers), default=None)
        if low is not None and high is not None and low > high:
            return field
    return None
