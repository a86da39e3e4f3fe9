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
        description="auto: Qwen/Qwen3-Embedding-0.6B if it is in the local cache, else the embedded "
        "multilingual encoder; use-multilingual: always that encoder; hash: for tests; or a "
        "Hugging Face name or a folder",
    )
    embedding_query_instruction: str | None = Field(
        default=None, description="text put before queries, not before passages; None: the model's own"
    )
    embedding_device: str | None = Field(default=None, description="cpu, cuda or mps; None: the best available")
    embedding_batch_size: int = Field(default=32, ge=1, description="passages embedded per batch")

    document_registry_path: Path | None = Field(
        default=None,
        description="file of document names; None: beside a folder named 'database', else inside the folder",
    )
    registry_threshold: float = Field(
        default=0.7,
        ge=0.5,
        le=1.0,
        description="minimum similarity of letters for a mistyped name to match; digits must match exactly",
    )
    vector_index: Literal["auto", "chroma", "exact"] = Field(
        default="auto",
        description="where vectors are stored; auto: in LanceDB with RABBITHOLE_INDEX, in Chroma with CHROMA_URL, "
        "else in files. `rabbithole kb rebuild --keep-vectors` moves them",
    )
    chroma_url: str | None = Field(
        default=None,
        description="http://host:port of a Chroma server; None: with VECTOR_INDEX=chroma, a Chroma folder is used",
    )
    rabbithole_index: str | None = Field(
        default=None,
        description="a folder or s3://bucket/path for the index in LanceDB (extra 'cluster'), where several machines "
        "can read it; None: an index in the knowledge base's folder",
    )
    rabbithole_originals: str | None = Field(
        default=None,
        description="a folder or s3://bucket/path (extra 'cluster') where ingestion keeps a copy of every file, so "
        "that other machines can show its pages; None: files are read where they were ingested",
    )
    rerank_model: str | None = Field(
        default=None, description="a cross-encoder for sentence-transformers; re-ranks the first 20 hits of a search"
    )
    search_rerank: Literal["auto", "off"] = Field(
        default="auto",
        description="auto: the first 20 hits of a hybrid search are ranked again by a better encoder if the knowledge "
        "base has no more than 100,000 passages; it takes a second or two. Not with RERANK_MODEL",
    )
    answer_rerank: Literal["auto", "off"] = Field(
        default="auto",
        description="auto: hits and passages that may answer are ranked again by a better encoder, which takes a "
        "second or two per part of the question",
    )
    search_candidates: int = Field(default=100, ge=1, description="hits fetched from each index before fusion")
    fusion_weight_semantic: float | None = Field(
        default=None,
        ge=0.0,
        le=1.0,
        description="weight of semantic search against keyword search; None: the measured weight for the "
        "embedded encoder and language",
    )

    layout: Literal["auto", "always", "never"] = Field(
        default="never",
        description="use the layout model for pages with columns or tables (auto), for all pages, or never",
    )
    ocr: Literal["auto", "never"] = Field(
        default="auto", description="auto: read pages without text by OCR if it is installed"
    )
    ocr_languages: str = Field(default="deu+eng", description="Tesseract languages, joined by +")
    pdf_password: SecretStr | None = Field(default=None, description="password tried on encrypted PDFs")
    parse_workers: int = Field(
        default=0, ge=0, description="processes that read documents and resolve references; 0: one per core, at most 8"
    )
    parse_timeout_seconds: float = Field(
        default=60.0,
        gt=0,
        description="processor time allowed per file, plus 0.25 s per page; elapsed time may be ten times as long",
    )
    parse_memory_mb: int = Field(default=2048, ge=128, description="memory a reading process may use, in MB")
    chunk_characters: int = Field(default=1200, ge=200, description="maximum length of a passage, in characters")
    chunk_overlap: int = Field(default=150, ge=0, description="characters that consecutive passages share")

    def with_secrets(self) -> dict[str, Any]:
        """Return the settings as JSON values with their secrets, for a worker process; never to be shown or stored."""
        secrets = {name: value for name, value in self if isinstance(value, SecretStr)}
        return self.model_dump(mode="json") | {name: value.get_secret_value() for name, value in secrets.items()}
