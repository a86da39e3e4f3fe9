"""The process that holds a lease in a file, and whether it still runs."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Final

import psutil

from rabbithole.kb.models import Model

_NAMESPACE: Final = Path("/proc/self/ns/pid")
_SAME_START: Final = 5.0
"""Seconds by which the start of one process may seem to change when the machine's clock is set."""


class Holder(Model):
    """One process: the machine, or container, that counts its number, the number, and when it started."""

    machine: str
    pid: int
    started: float

    def is_gone(self) -> bool:
        """Return whether the process has ended. Ask only for one of this machine."""
        try:
            process = psutil.Process(self.pid)
            return process.status() == psutil.STATUS_ZOMBIE or abs(process.create_time() - self.started) > _SAME_START
        except psutil.NoSuchProcess:
            return True


def this_machine() -> str:
    """Return a name for the set of processes that this one can see: of the machine and, on Linux, of the container."""
    try:
        return f"{platform.node()} {os.readlink(_NAMESPACE)}"
    except OSError:  # another system
        return platform.node()


def this_process() -> Holder:
    return Holder(machine=this_machine(), pid=os.getpid(), started=psutil.Process().create_time())
