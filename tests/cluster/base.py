"""A knowledge base in a cluster: its catalog in PostgreSQL, its index in LanceDB, its documents read by Ray."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from rabbithole.kb import KbSettings, KnowledgeBase

from .nodes import ADDRESS

COMMAND = (sys.executable, "-c", "from rabbithole.workflow.cli import main; main()")


@dataclass(frozen=True)
class Base:
    """A knowledge base in the cluster: its folder, and the environment of every process that uses it."""

    folder: Path
    address: str
    index: str

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {"RABBITHOLE_CATALOG": self.address, "RABBITHOLE_INDEX": self.index}

    def open(self, *, create: bool = False) -> KnowledgeBase:
        settings = KbSettings(
            _env_file=None,
            embedding_model="hash",
            rabbithole_catalog=SecretStr(self.address),
            rabbithole_index=self.index,
        )
        return KnowledgeBase.open(self.folder, settings, create=create)

    def run(self, *arguments: str) -> subprocess.Popen[str]:
        """Start ``rabbithole`` with these arguments."""
        command: Sequence[str] = [*COMMAND, *arguments, "--kb", str(self.folder)]
        return subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def ingest(self, documents: Path, *arguments: str) -> subprocess.Popen[str]:
        """Start an ingestion of a folder on the Ray cluster."""
        return self.run("ingest", str(documents), "-c", "Directives", "--ray", ADDRESS, *arguments)
