"""Settings of research, read from the environment and ``.env``. Contradictions are reported in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from pydantic import BeforeValidator, Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

CitationStyle = Literal["plain", "legal", "ieee", "apa"]
ReportPaths = Literal["relative", "absolute"]


def known_style(style: str | Path) -> str | Path:
    """Return one of our own styles, or the path of an existing CSL file. Raises ValueError for anything else."""
    if style in get_args(CitationStyle):
        return style
    path = Path(style).expanduser()
    if path.suffix.lower() != ".csl" or not path.is_file():
        raise ValueError("it is none of plain, legal, ieee and apa, and no .csl file that is there")
    return path


class ResearchSettings(BaseSettings):
    """Each field is the environment variable of the same name in capitals."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True)

    # understand
    hitl_max_iterations: int = Field(default=5, ge=1, description="rounds of clarification at most")
    k_results: int = Field(default=3, ge=1, description="chunks per query in a round of clarification")
    hitl_coverage_threshold: float = Field(default=0.8, ge=0, le=1, description="converged: coverage at least this")
    hitl_dedup_threshold: float = Field(default=0.7, ge=0, le=1, description="... and share of known chunks this")
    hitl_max_gaps: int = Field(default=2, ge=0, description="... and at most this many gaps")

    # plan
    initial_todo_items: int = Field(default=5, ge=1, description="tasks proposed beside the question itself")
    todo_max_items: int = Field(default=15, ge=1, description="tasks at most, spawned ones included")
    max_iterations: int = Field(default=2, ge=1, description="rounds of digging: the plan, then tasks from gaps")
    spawned_todo_items: int = Field(default=2, ge=0, description="tasks a round of gaps may add")

    # dig
    m_chunks_per_query: int = Field(default=4, ge=1, description="chunks per query of a task")
    reference_follow_depth: int = Field(default=2, ge=0, le=10, description="0: references are listed, not followed")
    reference_token_budget: int = Field(default=50_000, ge=0, description="tokens read by following, per task")
    reference_extraction_method: Literal["regex", "llm", "hybrid"] = "hybrid"
    reference_relevance_threshold: float = Field(default=0.6, ge=0, le=1, description="kept at this score or better")
    reference_min_results: int = Field(default=2, ge=0, description="kept per task whatever they score")
    convergence_same_doc_threshold: int = Field(
        default=3, ge=1, description="stop when this many follows in a row brought no section not yet seen"
    )
    section_read_tokens: int = Field(default=1_500, ge=50, description="a section up to this size is read whole")
    reference_window: int = Field(default=8, ge=1, le=64, description="batches of eight references followed at once")

    # validate, write, check
    drift_threshold: float = Field(default=0.3, ge=0, le=1, description="evidence scoring below may have drifted")
    drift_warning_share: float = Field(default=0.3, ge=0, le=1, description="warn above this share of drifted evidence")
    quality_threshold: int = Field(default=375, ge=0, le=500, description="below: accept, or one focused rewrite")
    max_rewrites: int = Field(default=1, ge=0, le=3)
    support_threshold: float = Field(default=0.5, ge=0, le=1, description="cited sentences below are listed as weak")

    # beyond
    web_search_url: str | None = Field(default=None, description="a SearXNG instance of your own; None: no web")
    web_search_results: int = Field(default=3, ge=1)
    redact: Literal["none", "report", "all"] = Field(
        default="none", description="personal data out of reports, or of reports, logs and dumps"
    )
    enable_state_dump: bool = False
    state_dump_path: Path = Path("state_dumps")
    report_paths: ReportPaths = Field(
        default="relative",
        description="how reports name PDFs: by their place in the collection, or with the paths of this machine",
    )
    citation_style: Annotated[CitationStyle | Path, BeforeValidator(known_style)] = Field(
        default="plain",
        description="footnotes of Word reports; legal: as German lawyers cite; else a .csl file, as Zotero keeps them",
    )
    markdown_links: Literal["plain", "obsidian"] = Field(
        default="plain", description="how .md files link to sources; obsidian: [[file.pdf#page=3]]"
    )
    runs_path: Path | None = Field(default=None, description="runs.sqlite; None: beside the knowledge base")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.initial_todo_items > self.todo_max_items:
            raise ValueError(
                f"INITIAL_TODO_ITEMS={self.initial_todo_items} is more than TODO_MAX_ITEMS={self.todo_max_items}: "
                "lower the one or raise the other."
            )
        if self.drift_threshold > self.reference_relevance_threshold:
            raise ValueError(
                f"DRIFT_THRESHOLD={self.drift_threshold} is above "
                f"REFERENCE_RELEVANCE_THRESHOLD={self.reference_relevance_threshold}: what is kept would be dropped."
            )
        return self
