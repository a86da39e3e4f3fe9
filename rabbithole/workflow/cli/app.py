"""The root command: runs the command asked for, and turns every error into one line and an exit code."""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Annotated

import typer

import rabbithole
from rabbithole.kb.errors import RabbitholeError, shortage

from .console import complain, use_utf8
from .lazy import COMMANDS, LazyGroup

DEBUG_HELP = "Show the traceback of an error; works anywhere on the line."
app = typer.Typer(
    cls=LazyGroup,
    help="Local deep research over your own PDFs: follows the references it finds, and verifies every citation.",
    rich_markup_mode="rich",
)


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rabbithole {rabbithole.__version__}")
        raise typer.Exit


@app.callback()
def root(
    _version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
    _debug: Annotated[bool, typer.Option("--debug", help=DEBUG_HELP)] = False,
) -> None:
    """Local deep research over your own PDFs: follows the references it finds, and verifies every citation."""


def split_debug(arguments: Sequence[str]) -> tuple[bool, list[str]]:
    """Return whether ``--debug`` is given, before or after the command, and the other arguments.

    Arguments after ``--`` are left alone.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = [argument for argument in arguments[:end] if argument != "--debug"]
    return len(options) < end, [*options, *arguments[end:]]


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    debug, rest = split_debug(arguments)
    if not debug:
        sys.excepthook = _one_line
    try:
        result = typer.main.get_command(app).main(rest or ["--help"], prog_name="rabbithole", standalone_mode=False)
    except typer.TyperException as error:
        complain(f"{error.format_message()} See rabbithole {_command(rest)}--help.")
        return error.exit_code
    except RabbitholeError as error:
        if debug:
            raise
        complain(shortage(error) or str(error))
        return error.exit_code
    except sqlite3.DatabaseError as error:
        if debug:
            raise
        complain(shortage(error) or f"A database is damaged ({error}): run `rabbithole kb check` to see what is wrong.")
        return 1
    except typer.Abort:
        complain("Stopped.")
        return 130
    except OSError as error:
        if error.errno == errno.EPIPE:  # the reader of the pipe has exited: `rabbithole search ... | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        if debug:
            raise
        complain(shortage(error) or _describe(error))
        return 1
    return result if isinstance(result, int) else 0


def main() -> None:
    use_utf8()
    sys.exit(run(sys.argv[1:]))


def _command(arguments: Sequence[str]) -> str:
    return f"{arguments[0]} " if arguments and arguments[0] in COMMANDS else ""


def _describe(error: OSError) -> str:
    where = f" {error.filename}" if error.filename else ""
    reasons = {
        errno.EROFS: "the disk is read-only; choose another place with --kb or --out",
        errno.EACCES: "permission denied; choose another place or change its permissions",
    }
    return f"Cannot use{where}: {reasons.get(error.errno or 0, error.strerror or str(error))}."


def _one_line(kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
    """Print an unexpected error as one line; the interpreter then exits with 1."""
    complain(
        shortage(error)
        or f"Unexpected {kind.__name__}: {' '.join(str(error).split())} (run again with --debug for details)"
    )
