"""Writes ``docs/cli.md`` and ``.env.example`` from the code: ``python docs/build.py``. A test compares them with it."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic_settings import BaseSettings
from typer.core import TyperArgument, TyperGroup

from rabbithole.kb.data_folder import DataSettings
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.answering.settings import AnswerSettings
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.chat.settings import ChatSettings
from rabbithole.workflow.cli.lazy import COMMANDS, load
from rabbithole.workflow.integrations.serve import ServeSettings

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 110
HIDDEN = {"help", "install_completion", "show_completion"}
CLI_HEAD = """# Command line

Generated from the code by `python docs/build.py`.

Every command exits with 0 on success, 1 on failure and 2 on wrong usage, with one line on standard error; `--debug`,
anywhere on the line, shows the traceback instead. Data goes to standard output, everything said about it to standard
error, so that output can be piped; `--json` prints one JSON document. `rabbithole --install-completion` sets up the
shell's completion.

Pages: `page` in JSON counts from 0 (the physical page), `page_label` is what is printed on the page. In text both are
shown: `p. 217 (PDF 219)`. In documents without pages both name the paragraph: `page` counts paragraphs from 0, and
`page_label` is `¶ 13`, as it is shown.
"""
SHAPES = {
    "search": '{"total", "hits": [{"document", "section", "page", "score", "text"}]}',
    "references": '[{"start", "end", "text", "kind", "target", "document", "path", "method"}]',
    "resolve": '{"status": "resolved|missing|ambiguous", "document", "section", "heading", "page", "page_label"}; '
    "a list of these when the words name several places",
    "research": "the report: markdown, language, query, citations, todo, evidence, references, missing, quality, "
    "warnings, metrics, conversation, run_id",
}
PARTS: tuple[tuple[str, type[BaseSettings]], ...] = (
    ("Data folder", DataSettings),
    ("Knowledge base", KbSettings),
    ("Reasoner", ReasonerSettings),
    ("Research", ResearchSettings),
    ("Answer", AnswerSettings),
    ("Chat", ChatSettings),
    ("HTTP server", ServeSettings),
)
ENV_HEAD = """# Settings of Rabbithole with their defaults. Copy to .env and change what you need. Environment variables
# win over the file. Generated from the code by `python docs/build.py`.
"""


def cli_reference() -> str:
    lines = [CLI_HEAD]
    for panel in dict.fromkeys(entry.panel for entry in COMMANDS.values()):
        lines.append(f"## {panel}\n")
        for name, entry in COMMANDS.items():
            if entry.panel == panel:
                lines.extend(command_lines(f"rabbithole {name}", load(name)))
                if name in SHAPES:
                    lines.append(f"`--json` prints `{SHAPES[name]}`\n")
    return "\n".join(lines).rstrip() + "\n"


def command_lines(path: str, command: Any) -> Iterator[str]:
    arguments = [each for each in command.params if isinstance(each, TyperArgument)]
    options = [each for each in command.params if not isinstance(each, TyperArgument) and each.name not in HIDDEN]
    named = "".join(f" {each.metavar or (each.name or '').upper()}" for each in arguments)
    if not isinstance(command, TyperGroup) or command.invoke_without_command:
        yield f"### `{path}{named}`\n"
        yield f"{(command.help or '').strip()}\n"
        if arguments or options:
            yield "| | |\n|---|---|"
        for each in arguments:
            yield f"| `{each.metavar or each.name}` | {cell(each.help)} |"
        for each in options:
            metavar = "" if each.is_flag else f" {each.metavar or choices(each)}"
            yield f"| `{', '.join(each.opts)}{metavar}` | {cell(each.help)}{default(each)} |"
        yield ""
    if isinstance(command, TyperGroup):
        for name, child in command.commands.items():
            yield from command_lines(f"{path} {name}", child)


def choices(option: Any) -> str:
    """The words to choose from, else what is expected: TEXT, INTEGER."""
    wanted = option.type_descriptor.annotation
    words = [each for each in get_args(wanted) if isinstance(each, str)]
    return "\\|".join(words) or {"int": "INTEGER", "float": "NUMBER"}.get(getattr(wanted, "__name__", ""), "TEXT")


def default(option: Any) -> str:
    value = option.default
    text = " Required." if option.required else ""
    if not option.required and not option.is_flag and value not in (None, "", ()) and not callable(value):
        text = f" Default: `{value}`."
    return text + (f" Environment: `{option.envvar}`." if option.envvar else "")


def cell(text: str | None) -> str:
    return (text or "").replace("|", "\\|")


def env_example() -> str:
    lines = [ENV_HEAD]
    for title, part in PARTS:
        lines.append(f"# --- {title} ---")
        for name, field in part.model_fields.items():
            if field.description:
                lines.extend(
                    textwrap.wrap(
                        field.description,
                        WIDTH,
                        initial_indent="# ",
                        subsequent_indent="# ",
                        break_on_hyphens=False,
                    )
                )
            lines.append(f"#{variable(part, name)}={written(field.get_default(call_default_factory=True))}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def variable(part: type[BaseSettings], name: str) -> str:
    return f"{part.model_config.get('env_prefix', '')}{name}".upper()


def written(value: object) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value) if isinstance(value, dict | list | tuple) else str(value)


def main() -> None:
    (ROOT / "docs" / "cli.md").write_text(cli_reference(), encoding="utf-8")
    (ROOT / ".env.example").write_text(env_example(), encoding="utf-8")
    sys.stdout.write("docs/cli.md and .env.example are written.\n")


if __name__ == "__main__":
    main()
