"""``make demo``: one German and one English research run on the sample collection, without a model server."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from rich.console import Console

from rabbithole.kb.sample.build import sample_folder

QUESTIONS = {
    "demo-de": "Wie hoch darf die effektive Dosis von Personen sein, die in einem Isotopenlaboratorium beschäftigt "
    "sind, und wann ist mehr erlaubt?",
    "demo-en": "How long may spare filter beds held in reserve remain fit for service?",
}


def main() -> int:
    os.environ["REASONER"] = "extractive"  # so that the demo is the same on every machine
    os.environ["EMBEDDING_MODEL"] = "use-multilingual"
    home = sample_folder()
    database = home / "database"
    os.environ["RUNS_PATH"] = str(home / "runs.sqlite")
    from rabbithole.workflow.cli.app import run  # noqa: PLC0415  settings are read from the environment set above

    console = Console(stderr=True, highlight=False)
    console.rule("Rabbithole: twelve small PDFs that cite each other")
    if run(["ingest", str(home / "pdf"), "--collection", "sample", "--kb", str(database)]):
        return 1
    reports: list[Path] = []
    for name, question in QUESTIONS.items():
        console.rule()
        console.print(question, style="bold")
        out = [home / "reports" / f"{name}.md", home / "reports" / f"{name}.html"]
        files = [argument for path in out for argument in ("--out", str(path))]
        if run(["research", question, "-c", "sample", "--no-input", "--kb", str(database), *files]):
            return 1
        reports += out
    console.rule("Done")
    console.print("Read the reports:")
    for path in reports:
        console.print(f"  {shown(path)}")
    rabbithole = shutil.which("rabbithole", path=str(Path(sys.executable).parent)) or "rabbithole"
    console.print("\nNow your own PDFs:")
    console.print(f"  {shown(Path(rabbithole))} ingest FOLDER --collection NAME")
    console.print(f'  {shown(Path(rabbithole))} research "QUESTION" -c NAME --out report.html')
    return 0


def shown(path: Path) -> Path:
    """Return the path relative to the current folder if it is inside it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


if __name__ == "__main__":
    sys.exit(main())
