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
        default="auto", description="auto: Ollama if it answers and has the model, else extractive (no model)"
    )

    ollama_base_url: str = Field(
        default="http://localhost:11434",
        validation_alias=AliasChoices("OLLAMA_BASE_URL", "OLLAMA_HOST"),
        description="address of the Ollama server",
    )
    ollama_model: str = Field(default="qwen3:14b", description="model that Ollama runs")
    ollama_fallback_model: str = Field(default="qwen3:8b", description="used if OLLAMA_MODEL is not installed")
    ollama_num_ctx: int = Field(default=32_768, ge=512, description="context window requested, in tokens")
    ollama_safe_limit: float = Field(
        default=0.9, gt=0.1, le=1.0, description="share of the context window that a call may fill"
    )
    ollama_keep_alive: str = Field(default="30m", description="how long Ollama keeps the model loaded")
    ollama_thinking: Thinking = Field(
        default="auto", description="auto: off, unless the server then ignores the JSON schema"
    )

    openai_base_url: str = Field(
        default="http://localhost:8080/v1",
        description="address of an OpenAI-compatible server: llama.cpp, vLLM, LM Studio",
    )
    openai_model: str = Field(default="", description="empty: the first model the server lists")
    openai_api_key: str = Field(default="local", description="key sent to the server")
    openai_num_ctx: int | None = Field(
        default=None, ge=512, description="context window in tokens; None: as the server reports, else OLLAMA_NUM_CTX"
    )

    llm_concurrency: int = Field(
        default=2, ge=1, le=64, description="simultaneous calls; should match OLLAMA_NUM_PARALLEL"
    )
    llm_temperature: float = Field(
        default=0.0, ge=0, le=2, description="sampling temperature; 0 gives the most repeatable answers"
    )
    llm_seed: int = Field(default=7, description="seed for sampling")
    llm_first_token_timeout: float = Field(
        default=300.0, gt=0, description="seconds to wait for the first token, including the time to load the model"
    )
    llm_idle_timeout: float = Field(default=60.0, gt=0, description="maximum seconds between two tokens")
    llm_total_timeout: float = Field(default=900.0, gt=0, description="maximum seconds for one call")
    llm_attempts: int = Field(default=3, ge=1, le=10, description="maximum attempts at one call if the server fails")
    llm_models: dict[Purpose, str] = Field(
        default_factory=dict, description='other models for single purposes, as JSON: {"gate": "qwen3:8b"}'
    )
    llm_passages_per_call: int = Field(
        default=12, ge=1, le=16, description="maximum number of passages that one extraction call reads"
    )
    prompts_dir: Path | None = Field(
        default=None, description="folder with files that replace the prompts of the same name"
    )

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
