"""Options that several commands share, so that they read the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from rabbithole.kb.data_folder import knowledge_base_folder

DEFAULT_KB = Path("data/database")  # as shown in the help; the actual folder depends on RABBITHOLE_HOME


def _folder(context: typer.Context, option: typer.CallbackParam, given: Path) -> Path:
    source = context.get_parameter_source(option.name or "")
    return knowledge_base_folder(None if source is None or source.name == "DEFAULT" else given)


KbOption = Annotated[
    Path,
    typer.Option(
        "--kb",
        envvar="RABBITHOLE_KB",
        metavar="DIR",
        help="Folder of the knowledge base; by default in RABBITHOLE_HOME.",
        callback=_folder,
    ),
]
CollectionsOption = Annotated[
    list[str] | None,
    typer.Option("--collection", "-c", metavar="NAME", help="Use only this collection; may be repeated."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
NoInputOption = Annotated[bool, typer.Option("--no-input", help="Ask no questions and approve the plan.")]
OutOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--out", metavar="FILE", help="Write the report (.md .html .docx .pdf .json) or its sources (.bib .ris .csl)."
    ),
]
LengthOption = Annotated[
    Literal["short", "normal", "full"],
    typer.Option("--length", help="short: answer, sources and checks; full: also tasks and what is missing."),
]
AsOfOption = Annotated[
    str,
    typer.Option("--as-of", metavar="DATE", help="Use only what was in force on that day: 2016-05-01, 2016-05, 2016."),
]
