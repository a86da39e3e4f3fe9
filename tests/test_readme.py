"""The commands in the README work, in their order."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from rabbithole.workflow.cli.app import run
from rabbithole.workflow.cli.lazy import COMMANDS

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.M | re.S)
COMMAND_LINES = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
TARGETS = re.findall(r"^([a-z-]+):.* ## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)


@pytest.mark.slow
def test_the_commands_and_the_python_example_run(
    tmp_path: Path, sample_pdfs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(sample_pdfs, tmp_path / "data" / "sample" / "pdf")
    shutil.copytree(ROOT / "kb" / "sample" / "sources", tmp_path / "kb" / "sample" / "sources")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RABBITHOLE_HOME", "data")
    assert len(COMMAND_LINES) >= 8
    for line in COMMAND_LINES:
        program, *arguments = shlex.split(line)
        assert program == "rabbithole"
        assert run(arguments) == 0, line
    assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith("# ")
    (example,) = [text for kind, text in BLOCKS if kind == "python"]
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    done = subprocess.run([sys.executable, "example.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "ReferenceFollowed" in done.stdout
    assert "# Welche Vorgänge" in done.stdout


def test_only_commands_and_targets_that_exist_are_named() -> None:
    for name in re.findall(r"(?:^|`)rabbithole ([a-z]+)", README, re.M):
        assert name in COMMANDS
    for name in re.findall(r"\bmake ([a-z-]+)", README):
        if name not in ("sure",):
            assert name in TARGETS


def test_every_file_the_readme_and_the_docs_link_to_exists() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
