"""A real server in a process of its own, and a real Chromium that reaches nothing else."""

from __future__ import annotations

import os
import shutil
import socket
import time
import urllib.request
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from chat.browser.serve import serve_chat
from chat.browser.steps import to_start
from forked import fork
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from shared import made_once

from bench.running.chat_pages import written
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.workflow.chat.users import LOCAL_USER

# The first is Debian's Chromium without windows, a sixth cheaper; the tests need no more, and pass with each.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
# Each window makes two pages of its own for the popup of the address bar, which nobody sees here: a second of
# processor time. Chromium takes the last list of features it is given, so those that playwright turns off are here too.
WITHOUT = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
    "AimEnabled", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying",
    "OptimizationHints", "PaintHolding", "PreconnectToSearch",
)  # fmt: skip
# One process less draws the pages, which is a twentieth cheaper.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--in-process-gpu", f"--disable-features={','.join(WITHOUT)}"]
FILES = ("IsoLG.pdf", "IsoLV.pdf", "ILA SG-7.pdf", "ILA TR-12.pdf")
SLOWER = float(os.environ.get("RABBITHOLE_SLOWER", "1"))  # how many times slower than this machine Chromium shall be
LARGE, DEEP = 130, 4  # places of a large research, and how deep they go
LAPTOP, PHONE = (1280, 900), (390, 844)
PATIENCE = 60_000  # ms: a busy machine with two cores
expect.set_options(timeout=PATIENCE)


HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.timeout(300))
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="there is no Chromium"))


OPEN = pytest.StashKey[tuple[Browser, ExitStack]]()
PAGES = pytest.StashKey[list[BrowserContext]]()
LOADED = pytest.StashKey[dict[str, "Tab"]]()
SHOWN = pytest.StashKey[dict[str, "Tab"]]()
FAILED = pytest.StashKey[bool]()
LOGS = pytest.StashKey[list[Path]]()
LOG_LINES = 60


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to the report of a failed test what its pages and servers say, so that one failure is enough to mend it."""
    report = yield
    if report.failed and report.when == "call":
        item.stash[FAILED] = True
        contexts = [*item.stash.get(PAGES, []), *(tab.page.context for tab in item.stash.get(SHOWN, {}).values())]
        for page in (page for context in contexts for page in context.pages):
            try:
                shown = page.locator("body").inner_text(timeout=10_000)
            except PlaywrightError as error:
                shown = f"cannot be read: {error}"
            report.sections.append((f"page {page.url}", shown))
        for log in item.session.stash.get(LOGS, []):
            lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:]
            report.sections.append((f"end of {log}", "\n".join(lines)))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """Close Chromium after the last browser test: while playwright runs, no other test can run an event loop."""
    try:
        return (yield)
    finally:
        stash = item.session.stash
        if OPEN in stash and (nextitem is None or HERE not in nextitem.path.parents):
            stash[OPEN][1].close()
            del stash[OPEN]
            stash.setdefault(LOADED, {}).clear()


@dataclass
class Server:
    """One server process; ``kill`` and ``start`` again keep address and state."""

    kb: Path
    state: Path
    port: int
    extra: dict[str, str] = field(default_factory=dict)
    process: BaseProcess | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Server:
        environment = {
            "REASONER": "extractive", "EMBEDDING_MODEL": "hash", "OMP_NUM_THREADS": "1",
            "RUNS_PATH": str(self.state / "runs.sqlite"), "UPLOAD_FOLDER": str(self.state / "uploads"), **self.extra,
        }  # fmt: skip
        self.process = fork(serve_chat, self.kb, self.state, self.port, environment, daemon=False)
        self._wait(self.process)
        return self

    def _wait(self, process: BaseProcess) -> None:
        for _ in range(1200):
            assert process.is_alive(), (self.state / "server.log").read_text(errors="replace")
            try:
                with urllib.request.urlopen(f"{self.url}/health", timeout=1):
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server did not start")

    def left(self, seconds: float) -> int | None:
        """Return the exit status, or None if the process still runs after this time."""
        assert self.process is not None
        self.process.join(seconds)
        return self.process.exitcode

    def kill(self) -> None:
        """End the server at once, as a crash does."""
        if self.process is not None:
            self.process.kill()
            self.process.join(10)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def part_kb(sample_pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four documents of the sample collection, two in each language."""

    def ingest(folder: Path) -> None:
        settings = KbSettings(_env_file=None, embedding_model="hash")
        with KnowledgeBase.open(folder / "database", settings, create=True) as kb:
            kb.ingest([sample_pdfs / name for name in FILES], "Sample")

    return made_once(tmp_path_factory, "base-browser", ingest) / "database"


Starting = Callable[..., Server]


@pytest.fixture(scope="session")
def serving(
    part_kb: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Starting]:
    """Starts servers, each with a copy of the knowledge base and a state of its own."""
    started: list[Server] = []

    def start(**extra: str) -> Server:
        state = tmp_path_factory.mktemp("state")
        kb = shutil.copytree(part_kb, state / "database")
        request.session.stash.setdefault(LOGS, []).append(state / "server.log")
        started.append(Server(kb, state, free_port(), extra).start())
        return started[-1]

    yield start
    for server in started:
        server.kill()


@pytest.fixture(scope="session")
def server(serving: Starting) -> Server:
    """The server most tests share."""
    return serving()


@pytest.fixture(scope="session")
def without_model(serving: Starting) -> Server:
    """A server whose model does not answer, with a large research in its record."""
    server = serving(REASONER="ollama", OLLAMA_BASE_URL="http://127.0.0.1:9")
    store_research(server, LARGE, DEEP)
    return server


def store_research(server: Server, count: int, columns: int) -> None:
    """Store a finished research with so many places in the record of a server."""
    with KnowledgeBase.open(server.kb, KbSettings(_env_file=None, embedding_model="hash")) as kb:
        written(kb, server.state, LOCAL_USER, count, columns)


@pytest.fixture
def chromium(request: pytest.FixtureRequest) -> Browser:
    """The one Chromium of browser tests that follow one another; each test has contexts of its own."""
    stash = request.session.stash
    if OPEN not in stash:
        closing = ExitStack()
        playwright = closing.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        closing.callback(browser.close)
        stash[OPEN] = browser, closing
    return stash[OPEN][0]


@dataclass
class Tab:
    """A page with what it asked for and what went wrong in it."""

    page: Page
    throttle: CDPSession
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def slow_down(self, rate: float) -> None:
        """Make its processor so many times slower; above 1 the page keeps a processor busy even while it waits."""
        self.throttle.send("Emulation.setCPUThrottlingRate", {"rate": rate})

    def foreign(self, server: Server) -> list[str]:
        own = (server.url, server.url.replace("http", "ws"), "blob:", "data:")
        return [url for url in self.requests if not url.startswith(own)]


Opening = Callable[..., Tab]


def new_context(chromium: Browser, language: str, size: tuple[int, int], dark: bool = False) -> BrowserContext:
    return chromium.new_context(
        locale=language, viewport={"width": size[0], "height": size[1]}, accept_downloads=True,
        color_scheme="dark" if dark else "light", reduced_motion="reduce",
    )  # fmt: skip


def load(context: BrowserContext, url: str, script: str = "") -> Tab:
    """Open an address in a new tab; ``script`` runs in it before those of the page."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    tab = Tab(page, context.new_cdp_session(page))
    if SLOWER != 1:
        tab.slow_down(SLOWER)
    page.on("request", lambda request: tab.requests.append(request.url))
    page.on("websocket", lambda socket_: tab.requests.append(socket_.url))
    page.on("pageerror", lambda error: tab.errors.append(str(error)))
    if script:
        page.add_init_script(script)
    page.goto(url)
    return tab


@pytest.fixture
def open_tab(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Opening]:
    """Opens a page in a browser of the given language and size; tabs of one ``context`` share its login."""
    contexts: list[BrowserContext] = request.node.stash.setdefault(PAGES, [])

    def open_one(
        url: str, language: str = "en-US", *, size: tuple[int, int] = LAPTOP, dark: bool = False,
        context: BrowserContext | None = None, script: str = "",
    ) -> Tab:  # fmt: skip
        if context is None:
            context = new_context(chromium, language, size, dark)
            contexts.append(context)
        return load(context, url, script)

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def at_start(server: Server, chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Opening]:
    """Shows the start screen of the shared server, in a page that is loaded once for each language.

    Loading takes four times the work of a new conversation, and is tested where a test opens a page of its own. A page
    in which a test failed is not used again.
    """
    loaded = request.session.stash.setdefault(LOADED, {})
    shown = request.node.stash.setdefault(SHOWN, {})

    def show(language: str = "en-US", *, size: tuple[int, int] = LAPTOP) -> Tab:
        if language in loaded:
            tab = shown[language] = loaded[language]
            tab.slow_down(SLOWER)
            tab.page.set_viewport_size({"width": size[0], "height": size[1]})
            to_start(tab.page)
            tab.requests.clear()
            tab.errors.clear()
        else:
            tab = shown[language] = loaded[language] = load(new_context(chromium, language, size), server.url)
        return tab

    yield show
    for language, tab in shown.items():
        if request.node.stash.get(FAILED, False):
            del loaded[language]
            tab.page.context.close()
        else:
            tab.page.unroute_all()
            tab.slow_down(1)
