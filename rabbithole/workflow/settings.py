"""All settings of the product, from the environment and ``.env``; wrong or contradictory ones in one sentence."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, ValidationError

from rabbithole.kb.errors import UsageError
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.settings import ResearchSettings


class Settings(BaseModel):
    """One part a layer."""

    model_config = ConfigDict(frozen=True)

    kb: KbSettings
    reasoner: ReasonerSettings
    research: ResearchSettings


def load_settings() -> Settings:
    """Settings of this process. Raises ``UsageError`` naming the variable that is wrong."""
    try:
        return Settings(kb=KbSettings(), reasoner=ReasonerSettings(), research=ResearchSettings())
    except ValidationError as error:
        raise UsageError(sentence(error)) from error


def sentence(error: ValidationError) -> str:
    """The first thing wrong, with the name of its environment variable."""
    first = error.errors()[0]
    name = "_".join(str(part) for part in first["loc"]).upper()
    message = first["msg"].removeprefix("Value error, ")
    more = len(error.errors()) - 1
    text = f"Setting {name}={first['input']!r}: {message}." if name else message
    return text + (f" ({more} more settings are wrong.)" if more else "")
