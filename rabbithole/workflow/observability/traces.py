"""Traces of answers: one JSON file a run, written as the run goes, read by ``rabbithole trace``."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from rabbithole.kb.errors import RabbitholeError, UsageError
from rabbithole.kb.files import private_folder
from rabbithole.steps.answering.tree import Tree
from rabbithole.steps.models import Report

_RUN_ID = re.compile(r"[\w-]{1,64}")


class TraceStore:
    """A folder of traces."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def beside(cls, knowledge_base: Path, runs_path: Path | None) -> TraceStore:
        """The folder ``traces`` beside the run store."""
        return cls((runs_path.parent if runs_path else knowledge_base.parent) / "traces")

    def save(self, run_id: str, tree: Tree, report: Report | None = None) -> None:
        """Replace the run's trace as a whole; a reader never sees half of one."""
        path = self._path(run_id)
        content = {
            "run_id": run_id,
            "question": tree.question,
            "subqueries": tree.subqueries,
            "filters": [one.model_dump() for one in tree.filters],
            "queries": tree.queries,
            "tool_calls": tree.calls,
            "shown_tokens": tree.shown_tokens,
            "steps": [entry.model_dump() for entry in tree.trace],
            "facts": [
                {
                    "key": node.evidence.key,
                    "subquery": node.subquery,
                    "file": node.evidence.file,
                    "section": node.evidence.section_label,
                    "page": node.evidence.page + 1,
                    "confidence": node.confidence,
                    "via": node.via,
                    "pruned": node.pruned,
                }
                for node in tree.nodes
            ],
            "report": report.model_dump(mode="json") if report else None,
            "tree": tree.model_dump(mode="json"),
        }
        try:
            private_folder(self.folder)
            temporary = path.with_suffix(".part")
            temporary.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
            os.replace(temporary, path)
        except OSError as error:
            raise RabbitholeError(
                f"The trace cannot be written to {path}: {error}; set RUNS_PATH elsewhere."
            ) from error

    def load(self, run_id: str) -> dict[str, Any]:
        """A run's trace. Raises UsageError naming the known runs when there is none."""
        path = self._path(run_id)
        if not path.is_file():
            known = ", ".join(self.runs()[:10]) or "none yet"
            raise UsageError(f"There is no trace of a run {run_id!r}; the latest are: {known}.")
        loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return loaded

    def tree(self, run_id: str) -> Tree:
        """The research tree of a run as it was saved last."""
        return Tree.model_validate(self.load(run_id)["tree"])

    def runs(self) -> list[str]:
        """Ids of runs with a trace, the latest first."""
        if not self.folder.is_dir():
            return []
        files = sorted(self.folder.glob("*.json"), key=lambda path: (-path.stat().st_mtime, path.name))
        return [path.stem for path in files]

    def _path(self, run_id: str) -> Path:
        if not _RUN_ID.fullmatch(run_id):
            raise UsageError(f"{run_id!r} is not the id of a run.")
        return self.folder / f"{run_id}.json"
