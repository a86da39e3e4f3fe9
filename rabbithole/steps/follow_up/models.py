"""The interpretation of a follow-up message."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model

Language = Literal["de", "en"]
Kind = Literal["courtesy", "explain", "shorten", "table", "only", "language", "ask_back", "search", "new"]


class FollowUp(Model):
    """A follow-up. ``query`` can be searched by itself: the references in the typed ``text`` are spelled out."""

    kind: Kind
    text: str
    query: str = ""
    language: Language = "en"
    about: tuple[str, ...] = Field(default=(), description="what the question before was about, and whom 'he' means")
    place: str = Field(default="", description="the place meant by 'the second point' or 'that section'")
    markers: tuple[str, ...] = Field(default=(), description="numbers of the citations that are explained")
    documents: tuple[str, ...] = Field(default=(), description="ids of the documents that are searched first")
    concern: str = Field(default="", description="what 'only what concerns X' names")
    sentences: int = Field(default=1, description="how many sentences are asked for where the answer is shortened")
    said: str = Field(default="", description="which courtesy it is, or why a question is asked back")

    @property
    def searches(self) -> bool:
        """Return whether the answer needs a search."""
        return self.kind in ("search", "new", "language")


def asked_back(text: str, why: str, language: Language) -> FollowUp:
    """Return that a message cannot be interpreted; ``why`` names the question that is asked back (see ``reply``)."""
    return FollowUp(kind="ask_back", text=text, language=language, said=why)
