"""The table of commands; a command's module and its dependencies are imported only when it runs.

This keeps ``rabbithole --help`` under half a second: it reads this table and imports no command.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from rabbithole.kb.errors import UsageError

KNOWLEDGE = "Knowledge base"
QUESTIONS = "Questions"
REFERENCES = "References"
INTERFACES = "Interfaces"
TOOLS = "Tools"


class CommandEntry(NamedTuple):
    """A command: its module in ``commands`` and its line in the list of commands."""

    module: str
    help: str
    panel: str
    app: str = "app"
    extras: str = ""


COMMANDS: dict[str, CommandEntry] = {
    "research": CommandEntry("research", "Research a question and follow the references found.", QUESTIONS),
    "ask": CommandEntry("answer", "Answer one question by reading only the sections that matter.", QUESTIONS),
    "trace": CommandEntry("answer", "Show how an answer was found.", QUESTIONS, "tracing"),
    "resume": CommandEntry("runs", "Continue a run.", QUESTIONS, "resuming"),
    "runs": CommandEntry("runs", "List runs and delete old ones.", QUESTIONS),
    "ingest": CommandEntry("ingest", "Index documents into a collection.", KNOWLEDGE),
    "watch": CommandEntry("watch", "Keep a collection in step with its folder.", KNOWLEDGE),
    "search": CommandEntry("search", "Find passages.", KNOWLEDGE),
    "kb": CommandEntry("kb", "Show statistics, health and names; check, repair, rebuild, copy or remove.", KNOWLEDGE),
    "references": CommandEntry("references", "Detect references in a text, a PDF or standard input.", REFERENCES),
    "resolve": CommandEntry("resolve", "Show where a reference leads, and by which rule.", REFERENCES),
    "cited": CommandEntry("resolve", "List the places that refer to a document or a section.", REFERENCES, "citing"),
    "graph": CommandEntry("graph", "Draw the reference graph of a collection.", REFERENCES),
    "check": CommandEntry("check", "Check the references, quotations and figures of a draft.", QUESTIONS),
    "diff": CommandEntry("diff", "Compare two editions of a document, section by section.", QUESTIONS),
    "verify": CommandEntry("verify", "Check the citations of a report again.", QUESTIONS),
    "ui": CommandEntry("ui", "Open the chat in the browser.", INTERFACES),
    "serve": CommandEntry("servers", "Serve the workflows over HTTP.", INTERFACES, "serving", "server,mcp"),
    "mcp": CommandEntry("servers", "Serve the tools to agents (MCP).", INTERFACES, "tools", "server,mcp"),
    "eval": CommandEntry("evaluate", "Measure retrieval and answers on a question set.", TOOLS),
    "visualize": CommandEntry("visualize", "Draw the workflows, or what one run did.", TOOLS),
    "doctor": CommandEntry("doctor", "Check the installation and suggest how to fix it.", TOOLS),
}


class LazyGroup(TyperGroup):
    """Lists commands from the table, and imports a command's module only to run it or show its help."""

    def __init__(self, **options: Any) -> None:
        listed = {
            name: TyperCommand(name, help=entry.help, rich_help_panel=entry.panel) for name, entry in COMMANDS.items()
        }
        super().__init__(**{**options, "commands": listed})

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> tuple[str | None, Any, list[str]]:  # type: ignore[override]
        name, command, rest = super().resolve_command(ctx, args)
        return name, load(name) if name in COMMANDS else command, rest


def load(name: str) -> Any:
    """Import and return the command of this name. Raises ``UsageError`` if its optional packages are missing."""
    entry = COMMANDS[name]
    try:
        module = import_module(f".commands.{entry.module}", __package__)
    except ModuleNotFoundError as error:
        if not entry.extras:
            raise
        raise UsageError(
            f"`rabbithole {name}` needs optional packages: run `pip install 'rabbithole[{entry.extras}]'`."
        ) from error
    command = typer.main.get_command(getattr(module, COMMANDS[name].app))
    if isinstance(command, TyperGroup) and name in command.commands:
        command = command.commands[name]
    command.name = name
    return command
