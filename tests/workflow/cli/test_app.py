"""The root command: help is cheap, wrong use is one line and exit code 2."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rabbithole.workflow.cli.app import split_debug
from rabbithole.workflow.cli.lazy import COMMANDS

from .conftest import Cli, complained

HEAVY = {"torch", "chromadb", "tantivy", "pymupdf", "llama_index", "workflows", "chainlit", "pydantic", "numpy"}


def test_help_lists_every_command_and_loads_no_heavy_library() -> None:
    code = (
        "import sys; from rabbithole.workflow.cli.app import run; code = run(['--help'])\n"
        "print('LOADED', *sorted({name.split('.')[0] for name in sys.modules}))\n"
        "sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    help_text, loaded = done.stdout.split("LOADED")
    for name in COMMANDS:
        assert f" {name} " in help_text
    assert HEAVY.isdisjoint(loaded.split())


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_loads_and_explains_itself(cli: Cli, name: str) -> None:
    done = cli(name, "--help")
    assert done.code == 0
    assert f"Usage: rabbithole {name}" in done.out


def test_no_arguments_show_the_help(cli: Cli) -> None:
    done = cli()
    assert done.code == 0
    assert "ingest" in done.out


def test_version(cli: Cli) -> None:
    assert cli("--version").out.startswith("rabbithole 0.")


def test_wrong_usage_is_one_line_and_exit_code_2(cli: Cli) -> None:
    complained(cli("serch", "x"), 2, "serch", "Did you mean 'search'")
    complained(cli("search"), 2, "QUERY", "rabbithole search --help")
    complained(cli("search", "x", "--top-k", "many"), 2, "--top-k")
    complained(cli("--nonsense"), 2, "--nonsense")


@pytest.mark.parametrize(
    ("given", "debug", "rest"),
    [
        (["search", "x"], False, ["search", "x"]),
        (["--debug", "search", "x"], True, ["search", "x"]),
        (["search", "x", "--debug"], True, ["search", "x"]),
        (["search", "--", "--debug"], False, ["search", "--", "--debug"]),
    ],
)
def test_debug_may_stand_anywhere_before_the_words(given: list[str], debug: bool, rest: list[str]) -> None:
    assert split_debug(given) == (debug, rest)


def test_an_error_nobody_foresaw_ends_in_one_line() -> None:
    code = (
        "import rabbithole.workflow.cli.app as a\n"
        "a.use_utf8(); a.typer.main.get_command = lambda app: 1 / 0\n"
        "a.run(['search', 'x'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "ZeroDivisionError" in done.stderr
    assert "--debug" in done.stderr
