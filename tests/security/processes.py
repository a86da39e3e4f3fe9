"""Servers in processes of their own, by the command a person starts them with, and requests made byte by byte."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path

from forked import fork

from rabbithole.workflow.cli import main

COMMAND = (sys.executable, "-c", "from rabbithole.workflow.cli import main; main()")
START_SECONDS = 90


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(folder: Path, arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Iterator[int]:
    """``rabbithole ARGUMENTS --port PORT`` in ``folder`` until the block ends; gives the port."""
    port = free_port()
    log = folder / f"{arguments[0]}-{port}.log"
    surroundings = {**os.environ, "OMP_NUM_THREADS": "1", "RABBITHOLE_HOME": str(folder / "kb"), **(environment or {})}
    process = fork(_command, folder, [*arguments, "--port", str(port)], surroundings, log, daemon=False)
    try:
        _await(port, process, log)
        yield port
    finally:
        if process.is_alive() and process.pid is not None:
            os.kill(process.pid, signal.SIGINT)
        process.join(20)
        process.kill()
        process.join()


def _command(folder: Path, arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for standard in (1, 2):
        os.dup2(written, standard)
    os.chdir(folder)
    os.environ.update(environment)
    sys.argv = ["rabbithole", *arguments]
    main()


def _await(port: int, process: BaseProcess, log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        assert process.is_alive(), log.read_text(errors="replace")
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"the server did not start: {log.read_text(errors='replace')}")


def say(port: int, data: bytes, seconds: float = 10) -> bytes:
    """What a server answers to these bytes until it closes the connection, or falls silent."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        connection.settimeout(seconds)
        received = b""
        try:
            connection.sendall(data)
            while part := connection.recv(65536):
                received += part
        except (TimeoutError, ConnectionError):
            pass
        return received


def status(answer: bytes) -> int:
    """The HTTP status of an answer; 0 for none."""
    words = answer.split(b"\r\n", 1)[0].split()
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
