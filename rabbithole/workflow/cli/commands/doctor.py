"""``rabbithole doctor``: check the installation and say how to fix what is wrong."""

from __future__ import annotations

import typer
from rich.text import Text

from rabbithole.steps.reasoning.text.check_result import CheckResult
from rabbithole.workflow.cli.console import OUT, one_line, print_json
from rabbithole.workflow.cli.options import DEFAULT_KB, JsonOption, KbOption
from rabbithole.workflow.observability.doctor import examine
from rabbithole.workflow.settings import load_settings

app = typer.Typer(add_completion=False)
MARKS = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "red")}


@app.command()
def doctor(kb: KbOption = DEFAULT_KB, as_json: JsonOption = False) -> None:
    """Check the model server, model, structured output, context window, embeddings, knowledge base and OCR."""
    findings: list[CheckResult] = []
    for finding in examine(load_settings(), kb):
        findings.append(finding)
        if not as_json:
            show(finding)
    if as_json:
        print_json([finding.model_dump(mode="json") for finding in findings])
    if any(finding.status == "fail" for finding in findings):
        raise typer.Exit(1)


def show(finding: CheckResult) -> None:
    mark, style = MARKS[finding.status]
    line = Text(f"{mark} ", style=style).append(f"{finding.name}: ", style="bold").append(one_line(finding.detail))
    OUT.print(line, soft_wrap=True)
    if finding.remedy:
        OUT.print(Text(f"    fix: {one_line(finding.remedy)}", style="cyan"), soft_wrap=True)
