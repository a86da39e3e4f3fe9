"""The installed package is complete, and an application with packages of the same names can embed it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGE = ROOT / "rabbithole"
EMBEDDING = """
import asyncio
import sys

import steps
import workflow
from rabbithole.kb import KnowledgeBase
from rabbithole.workflow import ClarificationRequested, PlanApproved, PlanProposed, ResearchRequest, ResearchWorkflow

assert (steps.NAME, workflow.NAME) == ("the application's steps", "the application's workflow")


async def main() -> None:
    kb = KnowledgeBase.open(sys.argv[1])
    handler = ResearchWorkflow(kb).run(start_event=ResearchRequest(query=sys.argv[2], collections=["sample"]))
    seen = set()
    async for event in handler.stream_events():
        seen.add(type(event).__name__)
        if isinstance(event, ClarificationRequested):
            from rabbithole.workflow import ClarificationAnswered
            handler.ctx.send_event(ClarificationAnswered(id=event.id, end=True))
        elif isinstance(event, PlanProposed):
            handler.ctx.send_event(PlanApproved(id=event.id, todos=event.todos[:1]))
    report = await handler
    assert {"TaskProgress", "RetrievalDone", "ReferenceFollowed", "ReportToken"} <= seen, seen
    print(report.markdown)


asyncio.run(main())
"""


def test_every_folder_of_the_package_says_what_lives_there() -> None:
    for folder in {path.parent for path in PACKAGE.rglob("*.py")}:
        assert (ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or "").strip(), (
            folder
        )


def test_every_kind_of_data_file_is_listed_for_installation() -> None:
    suffixes = {
        Path(pattern).name.removeprefix("*") for pattern in PROJECT["tool"]["setuptools"]["package-data"]["rabbithole"]
    }
    tracked = subprocess.run(["git", "ls-files", "rabbithole"], cwd=ROOT, capture_output=True, text=True, check=False)
    for name in tracked.stdout.split("\n"):
        if name and not name.endswith(".py"):
            assert any(name.endswith(suffix) for suffix in suffixes), name


@pytest.mark.slow
def test_every_library_that_is_imported_is_a_declared_dependency() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    requirements = [
        *PROJECT["project"]["dependencies"],
        *(each for extra in ("layout", "server", "cluster", "mcp", "telemetry") for each in extras[extra]),
    ]
    declared = {re.split(r"[\[<>=]", each)[0].lower() for each in requirements}
    homes = packages_distributions()
    undeclared: dict[str, str] = {}
    for path in PACKAGE.rglob("*.py"):
        for name in imported(path) - set(sys.stdlib_module_names) - {"rabbithole", "llama_index", "pydantic_core"}:
            if not declared & {home.lower().replace("_", "-") for home in homes.get(name, [])}:
                undeclared[name] = str(path.relative_to(ROOT))
    assert not undeclared


def imported(path: Path) -> set[str]:
    """Top-level names of absolute imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names.add(node.module.split(".")[0])
    return names


def test_every_pin_has_its_hashes() -> None:
    """``make lock`` was run after the last change of a pin."""
    locks = [(ROOT / name).read_text(encoding="utf-8") for name in ("requirements.lock", "requirements-build.lock")]
    lock = "\n".join(locks).replace("\\\n", " ")
    lines = [line for line in lock.splitlines() if line and not line.startswith("#")]
    assert all("--hash=sha256:" in line for line in lines)
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    apart = (ROOT / "requirements-torch.txt").read_text(encoding="utf-8").split()[-1]
    assert apart in pins
    canonical = {re.sub(r"[-_.]+", "-", pin.split("==")[0]).lower() + "==" + pin.split("==")[1] for pin in pins}
    assert {line.split()[0] for line in lines} == canonical - {apart}


def test_the_constraints_pin_every_direct_dependency() -> None:
    locked = {line.split("==")[0] for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split()}
    extras = [each for group in PROJECT["project"]["optional-dependencies"].values() for each in group]
    for requirement in (*PROJECT["project"]["dependencies"], *extras):
        name = re.split(r"[\[<>=]", requirement)[0].lower()
        assert name == "rabbithole" or name in locked, f"constraints.txt lacks {name}"


@pytest.mark.slow
def test_an_application_with_its_own_workflow_and_steps_embeds_the_research(
    tmp_path: Path, sample_database: Path
) -> None:
    for name in ("workflow", "steps"):
        package = tmp_path / name
        package.mkdir()
        (package / "__init__.py").write_text(f'NAME = "the application\'s {name}"\n', encoding="utf-8")
    (tmp_path / "app.py").write_text(EMBEDDING, encoding="utf-8")
    question = "Welche Vorgänge hat die Laborleitung der Behörde mitzuteilen?"
    done = subprocess.run(
        [sys.executable, "app.py", str(sample_database), question],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"# {question}")
