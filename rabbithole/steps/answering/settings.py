"""Settings of the answer workflow, read from the environment and ``.env``."""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class AnswerSettings(BaseSettings):
    """Each field is the environment variable of the same name in capitals."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True)

    answer_max_tool_calls: int = Field(
        default=12, ge=1, le=100, description="maximum number of searches, inspections, reads and follows per answer"
    )
    answer_max_sections: int = Field(default=5, ge=1, le=20, description="maximum number of sections read")
    answer_list_length: int = Field(
        default=10, ge=1, le=50, description="number of search results offered to choose from"
    )
    answer_overload: int = Field(
        default=1_000, ge=10, description="ask to narrow the question if more documents than this match"
    )
    answer_section_tokens: int = Field(
        default=1_500, ge=50, description="of a section with more tokens, only the best part is read"
    )
    answer_follow_depth: int = Field(default=2, ge=0, le=5, description="how many references in a row are followed")
