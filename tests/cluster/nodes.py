"""Ray nodes for tests, each a raylet with an address of its own on loopback.

Ray listens on every network it finds, and by default without authentication. So nodes are started only where there is
no other network: ``make test-cluster`` runs them in a network namespace that has loopback alone.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

HEAD = "127.0.0.1"
ADDRESS = f"{HEAD}:6399"
OBJECT_STORE_BYTES = 100_000_000
ENVIRONMENT = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "1",  # else a second node on loopback is refused
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",  # by default 15, which on a busy machine is twenty times slower
}
SET_FLAGS, UP_AND_RUNNING = 0x8914, 0x1 | 0x40


def only_loopback() -> bool:
    """Whether this process has no network but loopback, which is then turned on."""
    if [name for _, name in socket.if_nameindex()] != ["lo"]:
        return False
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sH14x", b"lo", UP_AND_RUNNING))
    return True


class RayNodes:
    """A head without processors, and workers with one processor each."""

    def __init__(self) -> None:
        assert only_loopback()
        self._folder = tempfile.mkdtemp(prefix="rabbithole-ray-", dir="/tmp")  # sockets there have a short name only
        port = ADDRESS.rpartition(":")[2]
        self._start("--head", f"--port={port}", "--include-dashboard=false", f"--temp-dir={self._folder}", host=HEAD)

    def start_worker(self, number: int) -> None:
        """Start the worker with this number, from 1."""
        self._start(f"--address={ADDRESS}", host=_host(number), processors=1)

    def raylet(self, number: int) -> psutil.Process:
        """The raylet of a worker."""
        (found,) = [
            one for one in self._processes() if one.name() == "raylet" and _host(number) in " ".join(one.cmdline())
        ]
        return found

    def tasks(self, number: int) -> list[psutil.Process]:
        """The processes of a worker that do tasks now."""
        return [one for one in self.raylet(number).children() if one.cmdline()[:1] in (["ray::read"], ["ray::embed"])]

    def remove(self) -> None:
        """Kill every process that was started; ``ray stop`` would end those of others too."""
        for process in self._processes():
            process.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self, *arguments: str, host: str, processors: int = 0) -> None:
        command = [
            str(Path(sys.executable).with_name("ray")), "start", *arguments, f"--node-ip-address={host}",
            f"--num-cpus={processors}", f"--object-store-memory={OBJECT_STORE_BYTES}", "--disable-usage-stats",
        ]  # fmt: skip
        done = subprocess.run(command, env=os.environ | ENVIRONMENT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def _processes(self) -> list[psutil.Process]:
        """All processes of this cluster: Ray passes its folder to each of them."""
        found = []
        for process in psutil.process_iter():
            try:
                if any(self._folder in argument for argument in process.cmdline()):
                    found += [process, *process.children(recursive=True)]
            except psutil.Error:
                continue
        return list(dict.fromkeys(found))


def _host(number: int) -> str:
    return f"127.0.0.{number + 1}"


@contextmanager
def ray_nodes(workers: int) -> Iterator[RayNodes]:
    """A head and ``workers`` nodes, until the block ends."""
    nodes = RayNodes()
    try:
        for number in range(1, workers + 1):
            nodes.start_worker(number)
        yield nodes
    finally:
        nodes.remove()
