"""Run one prompt: render it, fit the material, call the model and check the language of its answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TypeVar

from rabbithole.kb.models import Model
from rabbithole.steps.language import LANGUAGE_NAMES, Supported, identify_language, own_words
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.client.answer_shape import Shape, exactly
from rabbithole.steps.reasoning.client.cache import AnswerCache
from rabbithole.steps.reasoning.client.gateway import CallFailed, Gateway
from rabbithole.steps.reasoning.client.structured import Begun
from rabbithole.steps.reasoning.prompts import Prompts
from rabbithole.steps.reasoning.protocol import Purpose
from rabbithole.steps.reasoning.recorder import Recorder

from .context_packing import Piece, fit
from .prompt_delimiters import one_line

S = TypeVar("S", bound=Shape)
Values = Mapping[str, str]
Material = Mapping[str, Sequence[Piece]]

_LEAST_REASON = 2  # words
_LEAST_CHECKED = 40  # characters; shorter texts are often only names
_SHARE = 0.5  # most of the room left that each material except the last may take
_STRONGER = (
    "\n\n### Language\n\nYour last answer was not in {language}. Answer again, every word of your own in {language}. "
    "Only quotations keep their language."
)


class RenderedPrompt(Model):
    """A rendered prompt and the positions of the pieces of each material in it."""

    prompt: str
    kept: Mapping[str, tuple[int, ...]]


class Talk:
    """One run's access to the model: its own recorder and cache, and the shared gateway."""

    def __init__(self, gateway: Gateway, prompts: Prompts, recorder: Recorder, cache: AnswerCache) -> None:
        self.gateway, self.prompts, self.recorder, self.cache = gateway, prompts, recorder, cache

    def prepare(self, purpose: Purpose, name: str, values: Values, material: Material, answer: int) -> RenderedPrompt:
        """Fill in a prompt; pieces that do not fit are dropped by rank and counted.

        ``answer`` is the number of tokens to keep free. Raises UsageError if the question does not fit.
        """
        fixed = self.prompts.render(name, {**values, **dict.fromkeys(material, "")})
        room = self.gateway.room(purpose, fixed, answer)
        filled: dict[str, str] = {}
        kept: dict[str, tuple[int, ...]] = {}
        counter = self.gateway.counter(purpose)
        for position, (variable, pieces) in enumerate(material.items(), start=1):
            share = room if position == len(material) else int(room * _SHARE)
            fitted = fit(pieces, share, counter)
            filled[variable], kept[variable] = fitted.text or "-", fitted.kept
            room = max(0, room - counter.count(fitted.text))
            if fitted.dropped or fitted.shortened:
                self.recorder.drop(fitted.dropped + fitted.shortened)
        return RenderedPrompt(prompt=self.prompts.render(name, {**values, **filled}), kept=kept)

    async def ask(
        self,
        purpose: Purpose,
        shape: type[S],
        values: Values,
        material: Material | None = None,
        *,
        language: Supported | None = None,
        said: Callable[[S], str] | None = None,
        begun: Begun[S] | None = None,
    ) -> S:
        """Return one structured answer. ``begun`` gets its complete entries while it is streamed.

        With ``said``, which returns the answer's own words, a wrong language leads to one retry, then to a note.
        """
        asked = self.prepare(purpose, purpose, values, material or {}, self.gateway.bound(shape))
        return await self.ask_prepared(purpose, shape, asked.prompt, language=language, said=said, begun=begun)

    async def ask_each(
        self,
        purpose: Purpose,
        shape: type[S],
        field: str,
        values: Values,
        material: Material,
        *,
        language: Supported | None = None,
        said: Callable[[S], str] | None = None,
    ) -> tuple[S, tuple[int, ...]]:
        """Return an answer with one entry in ``field`` per piece of material that fit, and the pieces' positions."""
        asked = self.prepare(purpose, purpose, values, material, self.gateway.bound(shape))
        (kept,) = asked.kept.values()
        counted = exactly(shape, field, len(kept))
        return await self.ask_prepared(purpose, counted, asked.prompt, language=language, said=said), kept

    async def ask_prepared(
        self,
        purpose: Purpose,
        shape: type[S],
        prompt: str,
        *,
        language: Supported | None = None,
        said: Callable[[S], str] | None = None,
        begun: Begun[S] | None = None,
    ) -> S:
        answer = await self.gateway.ask(purpose, prompt, shape, self.recorder, self.cache, begun)
        if language is None or said is None or in_language(said(answer), language):
            return answer
        stronger = prompt + _STRONGER.format(language=LANGUAGE_NAMES[language])
        try:
            again = await self.gateway.ask(purpose, stronger, shape, self.recorder, self.cache)
        except CallFailed:
            again = answer
        if not in_language(said(again), language):
            self.recorder.note(phrase(language, "reasoning.note_language", purpose=purpose))
        return again

    def write(self, purpose: Purpose, prompt: str, answer: int) -> AsyncIterator[str]:
        """Stream prose for a prepared prompt."""
        return self.gateway.write(purpose, prompt, answer, self.recorder, self.cache)

    def degraded(self, purpose: Purpose, language: Supported, error: CallFailed) -> None:
        """Note for the user that an answer was made without the model, and why."""
        self.recorder.note(phrase(language, "reasoning.note_degraded", purpose=purpose, why=str(error)))


def in_language(text: str, language: Supported) -> bool:
    """Return whether the writer's own words are in the language; short texts are assumed to be."""
    own = " ".join(own_words(text).split())
    return len(own) < _LEAST_CHECKED or identify_language(own) == language


def reason_or(reason: str, language: str, instead: str) -> str:
    """Return the model's reason if it is a sentence in the user's language, else ``instead``."""
    line = one_line(reason, 200)
    good = len(line.split()) >= _LEAST_REASON and "<" not in line and in_language(line, supported(language))
    return line if good else instead


def language_name(language: str) -> str:
    """Return the name of a language in prompts: 'German' for 'de'."""
    return LANGUAGE_NAMES["de" if language == "de" else "en"]


def supported(language: str) -> Supported:
    """Return the language as a supported code: 'de', else 'en'."""
    return "de" if language == "de" else "en"


def listed(items: Sequence[str], empty: str = "-") -> str:
    """Return the items as lines with dashes, or ``empty`` if there are none."""
    return "\n".join(f"- {item}" for item in items) or empty
