"""``rabbithole ingest``: what became of each file; bad input costs that file only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pdfs import write_pdf

from .conftest import Cli, complained


def folder_with(tmp_path: Path, **pages: str) -> Path:
    folder = tmp_path / "pdfs"
    for name, text in pages.items():
        write_pdf(folder / f"{name}.pdf", [text])
    return folder


@pytest.mark.slow
def test_a_folder_is_taken_and_then_unchanged(cli: Cli, tmp_path: Path) -> None:
    folder = folder_with(tmp_path, one="1 Scope\nThis is about valves.", two="1 Scope\nThis is about pumps.")
    first = cli("ingest", folder, "-c", "C", "--kb", "kb")
    assert first.code == 0
    assert "taken" in first.out
    again = cli("ingest", folder, "-c", "C", "--kb", "kb", "--json")
    report = json.loads(again.out)
    assert sorted(report["unchanged"]) == ["one.pdf", "two.pdf"]
    assert report["added"] == []


@pytest.mark.slow
def test_bad_files_among_good_ones_are_named_and_cost_themselves_only(cli: Cli, tmp_path: Path) -> None:
    folder = folder_with(tmp_path, good="1 Scope\nThis is about valves.")
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nthis is no more a PDF than a shoe")
    done = cli("ingest", folder, "-c", "C", "--kb", "kb")
    assert done.code == 0
    assert "empty.pdf" in done.out
    assert "broken.pdf" in done.out
    assert json.loads(cli("search", "valves", "--kb", "kb", "--json").out)["total"] == 1


@pytest.mark.slow
def test_only_bad_files_is_a_failure(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "pdfs"
    folder.mkdir()
    (folder / "empty.pdf").write_bytes(b"")
    assert cli("ingest", folder, "-c", "C", "--kb", "kb").code == 1


def test_a_path_that_does_not_exist(cli: Cli) -> None:
    complained(cli("ingest", "nowhere", "-c", "C", "--kb", "kb"), 2, "nowhere")


def test_a_folder_without_pdfs(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    complained(cli("ingest", tmp_path / "bare", "-c", "C", "--kb", "kb"), 2, "bare")


def test_a_hint_with_a_name_can_be_copied_into_a_shell(cli: Cli, tmp_path: Path) -> None:
    folder = folder_with(tmp_path, one="1 Scope\nThis is about valves.")
    done = cli("ingest", folder, "-c", "a b/c", "--kb", "kb")
    assert "rabbithole kb health --collection 'a b/c'" in " ".join(done.out.split())


def test_a_collection_must_be_named(cli: Cli, tmp_path: Path) -> None:
    complained(cli("ingest", tmp_path), 2, "--collection")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="permissions of a POSIX file system")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Run as an ordinary user: for root nothing is read-only."""
    folder = folder_with(tmp_path, one="1 Scope\nThis is about valves.")
    locked = tmp_path / "locked"
    locked.mkdir()
    code = (
        "import os, sys\n"
        "from rabbithole.workflow.cli.app import run\n"
        "import rabbithole.workflow.cli.commands.ingest\n"
        "if os.getuid() == 0: os.setgid(65534); os.setuid(65534)\n"
        f"sys.exit(run(['ingest', {str(folder)!r}, '-c', 'C', '--kb', {str(locked / 'kb')!r}]))"
    )
    for path in (tmp_path, *tmp_path.parents):
        if path.owner() == tmp_path.owner() and path != Path("/tmp"):
            path.chmod(0o755)
    locked.chmod(0o555)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert "locked" in done.stderr
    assert list(locked.iterdir()) == []
