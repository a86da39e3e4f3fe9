"""The state of an answer in the context: the research tree, the last list, the open question."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ..steps.answering.selection import Listing
from ..steps.answering.tree import Tree
from ..steps.models import Anchor


class AnswerState(BaseModel):
    """Replaced as a whole by each step, never changed in place."""

    model_config = ConfigDict(extra="forbid")

    run_id: str = ""
    interactive: bool = False
    tree: Tree | None = None
    anchor: Anchor | None = None
    listing: Listing | None = None
    question: str = Field(default="", description="id of the open question to the person")
    asked: int = 0
    unanswered: Literal["", "no_results", "overload"] = ""
    note: str = Field(default="", description="what is missing, when the answer has to say so")
    total: int = 0
