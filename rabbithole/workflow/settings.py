"""All settings, from the environment and ``.env``; an invalid one is reported in one sentence."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, ValidationError

from rabbithole.kb.errors import UsageError
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.settings import ResearchSettings


class Settings(BaseModel):
    """The settings of the three layers."""

    model_config = ConfigDict(frozen=True)

    kb: KbSettings
    reasoner: ReasonerSettings
    research: ResearchSettings


def load_settings() -> Settings:
    """Load the settings. Raises ``UsageError`` naming the invalid variable."""
    try:
        return Settings(kb=KbSettings(), reasoner=ReasonerSettings(), research=ResearchSettings())
    except ValidationError as error:
        raise UsageError(sentence(error)) from error


def sentence(error: ValidationError) -> str:
    """Return one sentence on the first error, naming its environment variable."""
    first = error.errors()[0]
    name = "_".join(str(part) for part in first["loc"]).upper()
    message = first["msg"].removeprefix("Value error, ")
    more = len(error.errors()) - 1
    text = f"Setting {name}={first['input']!r}: {message}." if name else message
    return text + (f" ({more} more settings are invalid.)" if more else "")
