"""Draws the research flow into docs/architecture.md. Run: ``python -m bench.running.draw_flow``."""

from __future__ import annotations

import re
from pathlib import Path

from rabbithole.workflow.observability.visualize import flow_mermaid

PAGE = Path(__file__).resolve().parents[2] / "docs" / "architecture.md"
DRAWING = re.compile(r"```mermaid\n.*?```", re.DOTALL)


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(DRAWING.sub(lambda _: f"```mermaid\n{flow_mermaid()}```", page, count=1), encoding="utf-8")


if __name__ == "__main__":
    main()
