"""The ten situations that prompts are judged on (``judged_cases.json``): a question, its answer, and an aside."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from rabbithole.steps.language import identify_language
from rabbithole.steps.models import Anchor, Evidence, Quote, Todo
from rabbithole.steps.reasoning.protocol import Fact, Passage, QualityRequest
from rabbithole.steps.reasoning.text.figure_mismatch import conflicts

CASES = Path(__file__).with_name("judged_cases.json")
KEY, ASIDE_KEY = "e0000001", "e0000002"
_SHORTEST = 25  # characters; the language of a shorter text cannot be detected reliably


class Aside(BaseModel):
    """A passage unrelated to the question, and a reference in it."""

    model_config = ConfigDict(frozen=True)

    where: str
    text: str
    refers: str
    leads: str


class Case(BaseModel):
    """One situation; ``judged_cases.json`` explains its fields."""

    model_config = ConfigDict(frozen=True)

    id: str
    language: Literal["de", "en"]
    question: str
    task: str
    where: str
    text: str
    fact: str
    refers: str
    leads: str
    aside: Aside
    true: str
    false: str
    subject: str
    lacking: str
    remark: str
    remarked: str

    @property
    def anchor(self) -> Anchor:
        return Anchor(query=self.question, language=self.language)

    @property
    def todo(self) -> Todo:
        return Todo(id=1, text=self.task)

    @property
    def passage(self) -> Passage:
        return Passage(key=KEY, where=self.where, text=self.text, score=0.9)

    @property
    def other(self) -> Passage:
        return Passage(key=ASIDE_KEY, where=self.aside.where, text=self.aside.text, score=0.2)

    @property
    def evidence(self) -> Evidence:
        file, section, _ = self.where.split(", ")
        first = self.text.split(". ")[0] + "."
        quotes = (Quote(text=first),)
        return Evidence(
            key=KEY, task=1, document="d", file=file, section_label=section, info=first, quotes=quotes, score=0.9
        )

    @property
    def fact_seen(self) -> Fact:
        return Fact(key=KEY, subquery=self.question, text=self.text, where=self.where)

    def report(self, sentence: str) -> str:
        return f"# {self.question}\n\n## {'Antwort' if self.language == 'de' else 'Answer'}\n\n{sentence} [{KEY}]\n"

    def judged(self, sentence: str, bad: int = 0) -> QualityRequest:
        return QualityRequest(
            anchor=self.anchor,
            markdown=self.report(sentence),
            evidence=(self.evidence,),
            unverified_quotes=bad,
            # counted in the same way as by research
            contradicted=(sentence,) if conflicts(sentence, self.text) else (),
        )

    def has_fact(self, text: str) -> bool:
        return bool(re.search(self.fact, text, re.IGNORECASE))

    def on_subject(self, text: str) -> bool:
        return bool(re.search(self.subject, text, re.IGNORECASE))

    def own_language(self, text: str) -> bool:
        return len(text) < _SHORTEST or identify_language(text) == self.language


def load() -> tuple[Case, ...]:
    """Return the ten situations."""
    situations = json.loads(CASES.read_text(encoding="utf-8"))["situations"]
    return tuple(Case.model_validate(one) for one in situations)
