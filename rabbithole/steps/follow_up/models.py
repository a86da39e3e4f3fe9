"""A follow-up as it is understood."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model

Kind = Literal["courtesy", "explain", "shorten", "table", "only", "language", "ask_back", "search", "new"]


class FollowUp(Model):
    """``query`` stands for itself: what was typed, with what it refers to beside it."""

    kind: Kind
    text: str
    query: str = ""
    language: Literal["de", "en"] = "en"
    about: tuple[str, ...] = Field(default=(), description="what the question before was about, and whom 'he' means")
    place: str = Field(default="", description="the place meant by 'the second point' or 'that section'")
    markers: tuple[str, ...] = Field(default=(), description="numbers of the citations that are explained")
    documents: tuple[str, ...] = Field(default=(), description="ids of the documents that are searched first")
    concern: str = Field(default="", description="what 'only what concerns X' names")
    sentences: int = Field(default=1, description="how many sentences are asked for where the answer is shortened")
    said: str = Field(default="", description="which courtesy, or why it is asked back")

    @property
    def searches(self) -> bool:
        """Whether a search is needed to answer."""
        return self.kind in ("search", "new", "language")
