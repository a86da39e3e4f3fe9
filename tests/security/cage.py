"""Runs a command without a network and records whom it tries to reach and which files it writes.

The command runs under ``strace``, which sees libraries in C++ as well, in a network namespace with only a loopback
interface, so that nothing is sent even where a test fails. ``python cage.py RECORD VISIT PORT COMMAND...`` is the part
inside the namespace; ``VISIT`` is the name of a function of ``visits.py`` that calls at a server, or "-".
"""

from __future__ import annotations

import fcntl
import importlib
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CALLS = "connect,sendto,sendmsg,sendmmsg,open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,symlink"
STRACE = ("strace", "-f", "-qq", "--seccomp-bpf", "-s", "300", "-e", f"trace={CALLS}", "-e", "signal=none", "-o")
ADDRESS = re.compile(r'sin_addr=inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')
PORT = re.compile(r"sin6?_port=htons\((\d+)\)")
RESOLVER = re.compile(r'sun_path="[^"]*(?:systemd/resolve|resolved)[^"]*"')
WRITTEN = re.compile(
    r'\b(?:open(?:at)?\((?:AT_FDCWD, )?"(?P<opened>[^"]+)", [A-Z_|]*O_(?:WRONLY|RDWR|CREAT)'
    r'|(?:creat|mkdir)\("(?P<made>[^"]+)"|mkdirat\(AT_FDCWD, "(?P<made_at>[^"]+)").*\) = \d'
)
IFF_UP, SIOCGIFFLAGS, SIOCSIFFLAGS = 1, 0x8913, 0x8914
WAIT = 60.0


@dataclass(frozen=True)
class Seen:
    """What a command did: how it ended, what it said, whom it tried to reach, what it wrote."""

    returncode: int
    output: str
    foreign: tuple[str, ...]
    written: tuple[str, ...]


def why_not() -> str:
    """Why commands cannot be watched here, in a sentence; '' where they can."""
    if shutil.which("strace") is None:
        return "strace is not installed: connections of libraries in C++ cannot be watched"
    if shutil.which("unshare") is None or not _namespace():
        return "this system allows no network namespace: nothing is run that might reach the network"
    record = subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "true"], capture_output=True)
    return "" if record.returncode == 0 else "this system does not let strace watch processes"


def _namespace() -> tuple[str, ...]:
    """The command that opens a namespace: with root's rights, or with a user namespace; () where neither works."""
    for command in (("unshare", "-n"), ("unshare", "-r", "-n")):
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return command
    return ()


def watch(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    *,
    visit: str = "-",
    port: int = 0,
    seconds: float = 100,
) -> Seen:
    """Run a command in ``folder`` to its end; with ``visit``, call at the server it starts at ``port`` and stop it."""
    record = folder / "strace.txt"
    inside = [sys.executable, __file__, str(record), visit, str(port), *command]
    home = folder / "home"
    home.mkdir(exist_ok=True)
    (folder / "tmp").mkdir(exist_ok=True)
    done = subprocess.run(
        [*_namespace(), *inside],
        cwd=folder,
        env={
            "RABBITHOLE_HOME": str(folder / "kb"),
            **environment,
            "HOME": str(home),
            "PYTHONDONTWRITEBYTECODE": "1",
            "TMPDIR": str(folder / "tmp"),
        },
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    lines = record.read_text(errors="replace").splitlines()
    written = {
        str((folder / next(filter(None, match.groups()))).resolve())
        for line in lines
        if (match := WRITTEN.search(line))
    }
    return Seen(
        done.returncode,
        done.stdout + done.stderr,
        tuple(dict.fromkeys(line for line in lines if is_foreign(line))),
        tuple(sorted(path for path in written if not path.startswith(("/dev/", "/proc/")))),
    )


def is_foreign(line: str) -> bool:
    """Whether a line of the record reaches beyond this machine, or looks up a name."""
    if RESOLVER.search(line):
        return True
    found = ADDRESS.search(line)
    if found is None:
        return False
    port = PORT.search(line)
    address = found[1] or found[2]
    return port is not None and (port[1] == "53" or not (address.startswith("127.") or address in ("::1", "0.0.0.0")))


def main() -> int:
    record, visit, port, *command = sys.argv[1:]
    _loopback_up()
    process = subprocess.Popen([*STRACE, record, *command])
    if visit == "-":
        return process.wait()
    try:
        _await(int(port), process)
        importlib.import_module("security.visits").__dict__[visit](int(port))
    finally:
        for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
            os.kill(int(child), signal.SIGINT)
        process.wait(WAIT)
    return 0


def _loopback_up() -> None:
    with socket.socket() as any_socket:
        flags = fcntl.ioctl(any_socket, SIOCGIFFLAGS, struct.pack("16sh14x", b"lo", 0))
        up = struct.unpack("16sh14x", flags)[1] | IFF_UP
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", up))


def _await(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + WAIT
    while time.monotonic() < end and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")


if __name__ == "__main__":
    sys.exit(main())
