"""One German and one English research on the sample collection, without a model server: what ``make demo`` runs."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from rich.console import Console

HERE = Path(__file__).resolve().parents[2] / "kb" / "sample"
KB = HERE / "database"
REPORTS = Path("reports")
QUESTIONS = {
    "demo-de": "Wie hoch darf die effektive Dosis von Personen sein, die in einem Isotopenlaboratorium beschäftigt "
    "sind, und wann ist mehr erlaubt?",
    "demo-en": "How long may spare filter beds held in reserve remain fit for service?",
}


def main() -> int:
    os.environ["REASONER"] = "extractive"  # the demo is the same on every machine, whatever runs there
    os.environ["EMBEDDING_MODEL"] = "use-multilingual"
    os.environ["RUNS_PATH"] = str(HERE / "runs.sqlite")
    from rabbithole.workflow.cli.app import run  # noqa: PLC0415  settings are read from the environment set above

    console = Console(stderr=True, highlight=False)
    console.rule("Rabbithole: twelve small PDFs that cite each other")
    if run(["ingest", str(HERE / "pdf"), "--collection", "sample", "--kb", str(KB)]):
        return 1
    reports: list[Path] = []
    for name, question in QUESTIONS.items():
        console.rule()
        console.print(question, style="bold")
        out = [REPORTS / f"{name}.md", REPORTS / f"{name}.html"]
        files = [argument for path in out for argument in ("--out", str(path))]
        if run(["research", question, "-c", "sample", "--no-input", "--kb", str(KB), *files]):
            return 1
        reports += out
    console.rule("Done")
    console.print("Read the reports:")
    for path in reports:
        console.print(f"  {path}")
    rabbithole = shutil.which("rabbithole", path=str(Path(sys.executable).parent)) or "rabbithole"
    shown = Path(rabbithole).relative_to(Path.cwd()) if Path(rabbithole).is_relative_to(Path.cwd()) else rabbithole
    console.print("\nNow your own PDFs:")
    console.print(f"  {shown} ingest FOLDER --collection NAME")
    console.print(f'  {shown} research "QUESTION" -c NAME --out report.html')
    return 0


if __name__ == "__main__":
    sys.exit(main())
