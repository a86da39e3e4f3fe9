"""Decide whether the model thinks before it answers.

Thinking takes most of the time, so it is off if the model allows it. Some server versions, however, ignore the JSON
schema while thinking is off (ollama/ollama#14645); when answers arrive without the shape, thinking is switched on.
"""

from __future__ import annotations

from rabbithole.steps.reasoning.settings import Thinking

RESERVE = 2048  # tokens for thinking before an answer begins
_PATIENCE = 3  # structured answers in a row that needed repair before the setting is changed


class ThinkingPolicy:
    """The setting for one model; ``think`` is None if the model has no such option."""

    def __init__(self, setting: Thinking, *, capable: bool) -> None:
        self._automatic = setting == "auto"
        self._capable = capable
        self._bad = 0
        self.think: bool | None = (setting == "on") if capable else None
        self.switched = False

    @property
    def reserve(self) -> int:
        """Tokens to keep free for thinking."""
        return RESERVE if self.think else 0

    def saw(self, *, strict: bool) -> None:
        """Note whether a structured answer had the requested shape without repair."""
        self._bad = 0 if strict else self._bad + 1
        if self._automatic and self._capable and self.think is False and self._bad >= _PATIENCE:
            self.think, self.switched, self._bad = True, True, 0
