"""The prompts: one Markdown file per purpose, with four sections each. A user's folder may replace any of them.

The purposes are listed in ``reasoning/protocol.py``; ``reasoning/llm`` fills a prompt in and reads the answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from rabbithole.kb.errors import UsageError

FOLDER = Path(__file__).parent
SECTIONS = ("Task", "Input", "Rules", "Output format")
_VARIABLE = re.compile(r"\{([a-z_]+)\}")


class Prompts:
    """Reads each prompt once, from ``folder`` if it has a file of that name, else our own."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._templates: dict[str, str] = {}

    def template(self, name: str) -> str:
        """Return the text of a prompt file. Raises UsageError if a replacement uses other variables."""
        if name not in self._templates:
            own = self._folder / f"{name}.md" if self._folder else None
            text = own.read_text(encoding="utf-8") if own is not None and own.is_file() else _shipped(name)
            missing = sorted(variables(_shipped(name)) ^ variables(text))
            if missing:
                raise UsageError(
                    f"The prompt {own} must use the variables of the original; check {', '.join(missing)}."
                )
            self._templates[name] = text
        return self._templates[name]

    def render(self, name: str, values: Mapping[str, str]) -> str:
        """Return the prompt with its variables filled in; braces inside a value are not treated as variables."""
        template = self.template(name)
        if variables(template) != set(values):
            raise KeyError(f"{name}: {sorted(variables(template) ^ set(values))}")
        return _VARIABLE.sub(lambda match: values[match.group(1)], template)


@lru_cache(maxsize=64)
def _shipped(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def variables(template: str) -> set[str]:
    """Return the names of the variables in a template."""
    return set(_VARIABLE.findall(template))


def names() -> tuple[str, ...]:
    """Return the names of all prompts."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.md")))
