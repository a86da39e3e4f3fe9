"""The prompts: one Markdown file a purpose, four sections each. A folder of one's own may replace any of them."""

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
    """Reads each prompt once: from ``folder`` where it has a file of that name, else the product's own."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._templates: dict[str, str] = {}

    def template(self, name: str) -> str:
        """The text of a prompt file. A replacement must use the same variables: UsageError otherwise."""
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
        """The prompt with its variables filled in once: braces inside a value are never read as variables."""
        template = self.template(name)
        if variables(template) != set(values):
            raise KeyError(f"{name}: {sorted(variables(template) ^ set(values))}")
        return _VARIABLE.sub(lambda match: values[match.group(1)], template)


@lru_cache(maxsize=64)
def _shipped(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def variables(template: str) -> set[str]:
    """Names of the variables a template uses."""
    return set(_VARIABLE.findall(template))


def names() -> tuple[str, ...]:
    """All prompts there are."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.md")))
