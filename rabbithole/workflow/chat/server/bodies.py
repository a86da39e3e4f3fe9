"""Validate request bodies from the browser; errors become an HTTP status and one sentence."""

from __future__ import annotations

import json
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request

from rabbithole.steps.models import Answer, Todo

BodyT = TypeVar("BodyT", bound=BaseModel)


class AnswerBody(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: str
    answers: list[Answer] = []
    end: bool = False


class BackBody(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: str
    round: int


class PlanBody(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: str
    todos: list[Todo]


class PinBody(BaseModel):
    model_config = ConfigDict(extra="forbid")
    pinned: bool


class HttpError(Exception):
    """Ends a request with a status and one sentence, given as the key of a chat text and its values."""

    def __init__(self, status: int, key: str, **values: object) -> None:
        super().__init__(key)
        self.status, self.key, self.values = status, key, values


async def read_body(request: Request, kind: type[BodyT]) -> BodyT:
    try:
        return kind.model_validate(await request.json())
    except (ValidationError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise HttpError(422, "refused.form") from error
