"""Settings of the reasoner, read from the environment and ``.env``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import AliasChoices, Field, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from .protocol import Purpose

Choice = Literal["auto", "ollama", "openai", "extractive"]
Thinking = Literal["auto", "on", "off"]


class ReasonerSettings(BaseSettings):
    """Each field is the environment variable of the same name in capitals."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True, populate_by_name=True)

    reasoner: Choice = Field(
        default="auto", description="auto: Ollama when it answers and has the model, else extractive"
    )

    ollama_base_url: str = Field(
        default="http://localhost:11434", validation_alias=AliasChoices("OLLAMA_BASE_URL", "OLLAMA_HOST")
    )
    ollama_model: str = "qwen3:14b"
    ollama_fallback_model: str = Field(default="qwen3:8b", description="taken when OLLAMA_MODEL is not there")
    ollama_num_ctx: int = Field(default=32_768, ge=512, description="context window asked for, in tokens")
    ollama_safe_limit: float = Field(default=0.9, gt=0.1, le=1.0, description="share of the window a call may fill")
    ollama_keep_alive: str = "30m"
    ollama_thinking: Thinking = Field(default="auto", description="auto: off, unless that switches the schema off")

    openai_base_url: str = Field(default="http://localhost:8080/v1", description="llama.cpp, vLLM, LM Studio")
    openai_model: str = Field(default="", description="empty: the first model the server names")
    openai_api_key: str = "local"
    openai_num_ctx: int | None = Field(
        default=None, ge=512, description="None: what the server says, else OLLAMA_NUM_CTX"
    )

    llm_concurrency: int = Field(default=2, ge=1, le=64, description="calls at once; match OLLAMA_NUM_PARALLEL")
    llm_temperature: float = Field(default=0.0, ge=0, le=2)
    llm_seed: int = 7
    llm_first_token_timeout: float = Field(default=300.0, gt=0, description="seconds; covers loading the model")
    llm_idle_timeout: float = Field(default=60.0, gt=0, description="seconds between two tokens")
    llm_total_timeout: float = Field(default=900.0, gt=0, description="seconds for one call")
    llm_attempts: int = Field(default=3, ge=1, le=10, description="tries of one call when the server fails")
    llm_models: dict[Purpose, str] = Field(
        default_factory=dict, description='other models for single purposes, as JSON: {"gate": "qwen3:8b"}'
    )
    llm_passages_per_call: int = Field(default=12, ge=1, le=16, description="passages one extraction call reads")
    prompts_dir: Path | None = Field(default=None, description="folder whose files replace prompts of the same name")

    @field_validator("ollama_base_url", "openai_base_url")
    @classmethod
    def _address(cls, value: str) -> str:
        """Add a missing scheme, and replace '0.0.0.0', which is an address to listen on, by '127.0.0.1'."""
        address = value.strip().rstrip("/").replace("//0.0.0.0", "//127.0.0.1")
        if "://" not in address:
            address = f"http://{address.replace('0.0.0.0', '127.0.0.1')}"
        return address

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.llm_idle_timeout > self.llm_total_timeout:
            raise ValueError(
                f"LLM_IDLE_TIMEOUT={self.llm_idle_timeout} is longer than LLM_TOTAL_TIMEOUT={self.llm_total_timeout}."
            )
        if self.prompts_dir is not None and not self.prompts_dir.is_dir():
            raise ValueError(f"PROMPTS_DIR={self.prompts_dir} is not a folder.")
        return self
