"""Nothing leaves the machine: every command runs without a network, and its attempts to connect are recorded."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT
from security.cage import Seen, is_foreign, watch, why_not
from security.processes import COMMAND, free_port

from rabbithole.no_telemetry import OFF
from rabbithole.workflow.cli.lazy import COMMANDS as CLI

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

QUESTION = "Wie hoch darf die effektive Dosis beruflich exponierter Personen sein?"
COMMANDS = [
    ["research", QUESTION, "--no-input", "--out", "out/r.pdf", "--out", "out/r.md", "--out", "out/r.json"],
    ["ask", QUESTION, "--no-input"],
    ["runs"],
    ["trace", "ANSWER"],
    ["resume", "RESEARCH", "--no-input"],
    ["verify", "out/r.json"],
    ["check", "out/r.md", "-c", "sample", "--out", "out/check.html"],
    ["diff", "IsoLV@2012", "IsoLV@2021", "--out", "out/diff.html"],
    ["search", QUESTION],
    ["graph", "-c", "sample", "--out", "out/graph.html"],
    ["references", "out/r.md"],
    ["resolve", "§ 27 IsoLG"],
    ["cited", "IsoLV"],
    ["kb", "check"],
    ["kb", "health"],
    ["eval", "sample", "--kb", "data/database", "--sample-size", "1", "--out", "out/eval"],
    ["visualize", "--out", "out/flow.html"],
    ["doctor"],
]
SERVERS = ("ui", "serve", "mcp")
# Settings of the tests themselves must not hide what a person's machine would do.
KEPT = ("PATH", "LANG", "PYTHONPATH", "VIRTUAL_ENV")


def environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    paths = [str(ROOT), str(ROOT / "tests"), kept.get("PYTHONPATH", "")]
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "EMBEDDING_MODEL": "use-multilingual"}


def seen(
    folder: Path,
    *arguments: str,
    command: tuple[str, ...] = COMMAND,
    visit: str = "-",
    port: int = 0,
) -> Seen:
    """Run the command, which must succeed and contact no other host."""
    done = watch([*command, *arguments], folder, environment(), visit=visit, port=port, seconds=250)
    assert done.returncode == 0, done.output[-3000:]
    assert done.foreign == (), "\n".join(done.foreign)
    return done


def elsewhere(done: Seen, folder: Path) -> list[str]:
    """Return the files written outside the folders for data, output and temporary files."""
    own = tuple(f"{folder.resolve()}/{part}" for part in ("data", "out", "tmp"))
    return [path for path in done.written if not path.startswith(own)]


@pytest.fixture(scope="module")
def base(sample_pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a knowledge base of the sample in ``data/database``, which the demo made under watch."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("caged")
    (folder / "out").mkdir()
    sample = folder / "data" / "sample"
    shutil.copytree(sample_pdfs, sample / "pdf")
    done = seen(folder, command=(sys.executable, "-m", "rabbithole.workflow.cli.demo"))
    assert elsewhere(done, folder) == []
    (sample / "database").rename(folder / "data" / "database")
    return folder


@pytest.mark.parametrize(
    "line",
    [
        'connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.2")}, 16) = -1 ENETUNREACH',
        'connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0',
        'sendto(3, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("1.2.3.4")}, 16) = 1',
        'connect(3, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", &s)}, 28) = 0',
        'connect(3, {sa_family=AF_UNIX, sun_path="/run/systemd/resolve/io.systemd.Resolve"}, 42) = 0',
    ],
)
def test_what_counts_as_leaving(line: str) -> None:
    assert is_foreign(line)


@pytest.mark.parametrize(
    "line",
    [
        'connect(3, {sa_family=AF_INET, sin_port=htons(11434), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
        'connect(3, {sa_family=AF_INET6, sin6_port=htons(0), inet_pton(AF_INET6, "::1", &sin6_addr)}, 28) = 0',
        'connect(3, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT',
    ],
)
def test_what_stays(line: str) -> None:
    assert not is_foreign(line)


def test_the_cage_sees_a_look_up(tmp_path: Path) -> None:
    """What proves the rest: a name that is looked up is recorded."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    code = "import socket, contextlib\nwith contextlib.suppress(OSError): socket.getaddrinfo('example.org', 80)"
    done = watch([sys.executable, "-c", code], tmp_path, environment())
    assert done.foreign


TOGETHER = f"""
import os, runpy, signal, sys
from rabbithole.workflow.cli.app import run
from rabbithole.workflow.cli.commands import watch
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore
for line in {COMMANDS!r}:
    runs = SqliteRunStore("data/runs.sqlite")
    ids = {{one.mode.upper(): one.id for one in runs.list()}}
    runs.close()
    code = run([ids.get(word, word) for word in line])
    if code and line[0] != "check":
        sys.exit(f"{{line}} ends with {{code}}")
told = watch.summary
def once(report):
    os.kill(os.getpid(), signal.SIGINT)  # the folder is as the collection: a person ends it
    return told(report)
watch.summary = once
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
code = run(["watch", "papers", "-c", "watched", "--kb", "data/watched"])
if code not in (0, 130):
    sys.exit(f"watch ends with {{code}}")
sys.argv = ["build", "out/sample"]
runpy.run_module("rabbithole.kb.sample.build", run_name="__main__")
"""


def test_every_command_is_watched() -> None:
    assert {line[0] for line in COMMANDS} | {"ingest", "watch", *SERVERS} == set(CLI)


def test_commands_reach_nobody(base: Path, sample_pdfs: Path) -> None:
    """In one process, so that it costs one start: the commands, watching a folder, and building the sample."""
    papers = base / "papers"
    papers.mkdir()
    (papers / "IsoLV.pdf").symlink_to(sample_pdfs / "IsoLV.pdf")
    done = seen(base, command=(sys.executable, "-c", TOGETHER))
    assert elsewhere(done, base) == []
    assert list((base / "out" / "sample").glob("*.pdf"))


def test_the_layout_model_reaches_nobody(base: Path, sample_pdfs: Path) -> None:
    pytest.importorskip("pymupdf.layout")
    one = base / "one"
    one.mkdir()
    (one / "IsoLV.pdf").symlink_to(sample_pdfs / "IsoLV.pdf")
    done = seen(base, "ingest", str(one), "-c", "layout", "--layout", "always", "--kb", "data/layout")
    assert elsewhere(done, base) == []


@pytest.mark.parametrize("door", SERVERS)
def test_a_server_reaches_nobody(base: Path, door: str) -> None:
    port = free_port()
    more = {"ui": ["--no-browser"], "serve": [], "mcp": ["--transport", "http"]}[door]
    done = seen(base, door, "--port", str(port), *more, visit=door, port=port)
    assert elsewhere(done, base) == []


def test_the_demo_reaches_nobody(base: Path) -> None:
    """It ingests, and researches in two languages."""
    assert len(list((base / "data" / "sample" / "reports").glob("demo-*.html"))) == 2


def test_importing_any_part_switches_telemetry_off() -> None:
    code = f"import os, rabbithole.kb\nassert {OFF!r}.items() <= os.environ.items()"
    asked_for = {name: "1" if value.lower() == "false" else "0" for name, value in OFF.items()}
    subprocess.run([sys.executable, "-c", code], env={**os.environ, **asked_for}, check=True)


def test_pymupdf_is_loaded_without_its_layout_model_everywhere() -> None:
    """Importing it otherwise loads ONNX Runtime into the process."""
    package = ROOT / "rabbithole"
    found = [
        path.relative_to(ROOT)
        for path in package.rglob("*.py")
        if re.search(r"^\s*(import|from) (pymupdf|fitz)\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert found == [Path("rabbithole/kb/mupdf.py")]


def test_a_host_program_can_still_load_the_layout_model() -> None:
    pytest.importorskip("pymupdf4llm")
    code = "import rabbithole.kb.mupdf, sys\nassert 'onnxruntime' not in sys.modules\nimport pymupdf4llm"
    subprocess.run([sys.executable, "-c", code], check=True)
