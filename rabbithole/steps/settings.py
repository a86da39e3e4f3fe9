"""Settings of research, read from the environment and ``.env``. Contradictions are reported in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from pydantic import BeforeValidator, Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

CitationStyle = Literal["plain", "legal", "ieee", "apa"]
ReportPaths = Literal["relative", "saved", "absolute"]
Redaction = Literal["none", "report", "all"]


def known_style(style: str | Path) -> str | Path:
    """Return one of our own styles, or the path of an existing CSL file. Raises ValueError for anything else."""
    if style in get_args(CitationStyle):
        return style
    path = Path(style).expanduser()
    if path.suffix.lower() != ".csl" or not path.is_file():
        raise ValueError("it must be plain, legal, ieee, apa or an existing .csl file")
    return path


class ResearchSettings(BaseSettings):
    """Each field is the environment variable of the same name in capitals."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True)

    # understand
    hitl_max_iterations: int = Field(default=5, ge=1, description="maximum number of clarification rounds")
    k_results: int = Field(default=3, ge=1, description="passages searched per query in a clarification round")
    hitl_coverage_threshold: float = Field(
        default=0.8, ge=0, le=1, description="clarification ends when coverage is at least this,"
    )
    hitl_dedup_threshold: float = Field(
        default=0.7, ge=0, le=1, description="... the share of passages already known is at least this,"
    )
    hitl_max_gaps: int = Field(default=2, ge=0, description="... and at most this many gaps are left")

    # plan
    initial_todo_items: int = Field(default=5, ge=1, description="tasks proposed in addition to the question itself")
    todo_max_items: int = Field(default=15, ge=1, description="maximum number of tasks, including those added later")
    max_iterations: int = Field(
        default=2, ge=1, description="rounds of research: the plan first, then tasks for the gaps it left"
    )
    spawned_todo_items: int = Field(default=2, ge=0, description="maximum number of tasks added per round for gaps")

    # dig
    m_chunks_per_query: int = Field(default=4, ge=1, description="passages searched per query of a task")
    reference_follow_depth: int = Field(
        default=2, ge=0, le=10, description="how many references in a row are followed; 0: references are only listed"
    )
    reference_token_budget: int = Field(
        default=50_000, ge=0, description="maximum number of tokens a task reads by following references"
    )
    reference_extraction_method: Literal["regex", "llm", "hybrid"] = Field(
        default="hybrid", description="how references are found: by grammar (regex), by the model (llm), or by both"
    )
    reference_relevance_threshold: float = Field(
        default=0.6, ge=0, le=1, description="evidence is kept if it scores at least this"
    )
    reference_min_results: int = Field(
        default=2, ge=0, description="number of results a task keeps whatever they score"
    )
    convergence_same_doc_threshold: int = Field(
        default=3, ge=1, description="following stops after this many references in a row that led to no new section"
    )
    section_read_tokens: int = Field(
        default=1_500, ge=50, description="a section of up to this many tokens is read whole"
    )
    reference_window: int = Field(
        default=8, ge=1, le=64, description="how many batches of eight references are followed at the same time"
    )

    # validate, write, check
    drift_threshold: float = Field(
        default=0.3, ge=0, le=1, description="evidence that scores below this may have drifted from the question"
    )
    drift_warning_share: float = Field(
        default=0.3, ge=0, le=1, description="warn if a larger share of the evidence has drifted"
    )
    quality_threshold: int = Field(
        default=375,
        ge=0,
        le=500,
        description="a report that scores below this, out of 500, is revised",
    )
    max_rewrites: int = Field(default=1, ge=0, le=3, description="maximum number of revisions of a report")
    support_threshold: float = Field(
        default=0.5, ge=0, le=1, description="cited sentences that score below this are listed as weakly supported"
    )

    # beyond
    web_search_url: str | None = Field(
        default=None, description="address of your own SearXNG instance; None: no web search"
    )
    web_search_results: int = Field(default=3, ge=1, description="number of web results per search")
    redact: Redaction = Field(
        default="none", description="remove personal data from reports, or (all) from reports, logs and dumps"
    )
    enable_state_dump: bool = Field(default=False, description="write the state of each run to STATE_DUMP_PATH")
    state_dump_path: Path = Field(default=Path("state_dumps"), description="folder for state dumps")
    report_paths: ReportPaths = Field(
        default="saved",
        description="how reports link to files: from where `--out` saves them (`saved`); by the path in the "
        "collection, for reports to pass on (`relative`); or by the path on this machine, in all reports (`absolute`)",
    )
    citation_style: Annotated[CitationStyle | Path, BeforeValidator(known_style)] = Field(
        default="plain",
        description="footnote style of Word reports; legal: as in German legal writing; or a .csl file such "
        "as Zotero uses",
    )
    markdown_links: Literal["plain", "obsidian"] = Field(
        default="plain", description="how .md reports link to sources; obsidian: [[file.pdf#page=3]]"
    )
    runs_path: Path | None = Field(default=None, description="path of runs.sqlite; None: beside the knowledge base")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.initial_todo_items > self.todo_max_items:
            raise ValueError(
                f"INITIAL_TODO_ITEMS={self.initial_todo_items} is more than TODO_MAX_ITEMS={self.todo_max_items}: "
                "lower the first or raise the second."
            )
        if self.drift_threshold > self.reference_relevance_threshold:
            raise ValueError(
                f"DRIFT_THRESHOLD={self.drift_threshold} is above "
                f"REFERENCE_RELEVANCE_THRESHOLD={self.reference_relevance_threshold}: kept evidence would be dropped."
            )
        return self
