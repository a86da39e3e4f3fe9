"""Worker processes of our own that talk in lines on standard input and output: how they start, answer and end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TextIO


def command_of(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a module of this package with this interpreter."""
    # -P: no module is taken from the folder the program was started in, which may be the documents' own.
    return (sys.executable, "-P", "-m", module, *arguments)


def start(command: Sequence[str], env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start a worker process with pipes for its lines; what it prints elsewhere is dropped."""
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=env,
        text=True,
        encoding="utf-8",
    )


def stop(process: subprocess.Popen[str]) -> None:
    """Kill a worker process and close its pipes."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()


def answer(serve: Callable[[TextIO, TextIO], None]) -> None:
    """In a worker process: serve standard input, with answers on a copy of standard output.

    Libraries that print do not disturb the protocol: what they print goes to standard error.
    """
    private = os.dup(1)
    os.dup2(2, 1)
    with open(private, "w", encoding="utf-8") as answers:
        serve(sys.stdin, answers)
