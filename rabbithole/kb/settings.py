"""Settings of the knowledge base, read from the environment and ``.env``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

QWEN_INSTRUCTION = (
    "Instruct: Given a research question, retrieve passages of documents that answer it or state the rule it asks for\n"
    "Query: "
)


class KbSettings(BaseSettings):
    """Each field is the environment variable of the same name in capitals."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True)

    rabbithole_catalog: SecretStr | None = Field(
        default=None,
        description="postgresql://user:password@host:5432/database, shared by several replicas (needs the extra "
        "`cluster`); None: SQLite files beside the documents",
    )

    embedding_model: str = Field(
        default="auto",
        description="auto: Qwen/Qwen3-Embedding-0.6B when it is in the local cache, else the embedded multilingual "
        "encoder; 'use-multilingual' for that one; 'hash' for tests; else a Hugging Face name or a folder",
    )
    embedding_query_instruction: str | None = Field(
        default=None, description="put before queries (not passages); None: what the model's family asks for"
    )
    embedding_device: str | None = Field(default=None, description="cpu, cuda, mps; None: the best there is")
    embedding_batch_size: int = Field(default=32, ge=1)

    document_registry_path: Path | None = Field(
        default=None, description="the file of document names; None: beside a folder called 'database', else inside"
    )
    registry_threshold: float = Field(
        default=0.7, ge=0.5, le=1.0, description="likeness of a mistyped name's letters; digits are always exact"
    )
    vector_index: Literal["auto", "chroma", "exact"] = Field(
        default="auto",
        description="what holds the vectors; auto: Chroma with CHROMA_URL, else files of its own. "
        "`rabbithole kb rebuild --keep-vectors` moves them",
    )
    chroma_url: str | None = Field(
        default=None, description="http://host:port of a Chroma server; None: Chroma in the folder, where it is wanted"
    )
    rabbithole_index: str | None = Field(
        default=None,
        description="a folder or s3://bucket/path for the index in LanceDB (extra 'cluster'), where several machines "
        "can read it; None: an index in the knowledge base's folder",
    )
    rerank_model: str | None = Field(default=None, description="a cross-encoder for sentence-transformers (untested)")
    answer_rerank: Literal["auto", "off"] = Field(
        default="auto",
        description="auto: where the collection is embedded by the embedded encoder, the passages that may answer are "
        "read again by a better one, in about half a second a part of the question",
    )
    search_candidates: int = Field(default=100, ge=1, description="hits fetched from each side before fusion")
    fusion_weight_semantic: float | None = Field(
        default=None,
        ge=0.0,
        le=1.0,
        description="share of meaning beside keywords; None: as measured for the embedded encoder, by language",
    )

    layout: Literal["auto", "always", "never"] = "never"
    ocr: Literal["auto", "never"] = "auto"
    ocr_languages: str = "deu+eng"
    pdf_password: SecretStr | None = None
    parse_workers: int = Field(
        default=0, ge=0, description="processes that read documents and resolve references; 0: one a core, at most 8"
    )
    parse_timeout_seconds: float = Field(
        default=60.0, gt=0, description="processor time to read a file, 0.25 s more a page; by the clock ten times that"
    )
    parse_memory_mb: int = Field(default=2048, ge=128)
    chunk_characters: int = Field(default=1200, ge=200)
    chunk_overlap: int = Field(default=150, ge=0)

    def with_secrets(self) -> dict[str, Any]:
        """Return the settings as JSON values with their secrets, for a worker process; never to be shown or stored."""
        secrets = {name: value for name, value in self if isinstance(value, SecretStr)}
        return self.model_dump(mode="json") | {name: value.get_secret_value() for name, value in secrets.items()}
