"""Measures the chat in a browser: first paint, a report of sixty sources, a map of five hundred places.

Called by ``bench.running.chat``, which serves the record that ``written`` makes. Chromium, 1280x720, nothing else open.
"""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from rabbithole.kb import KnowledgeBase
from rabbithole.steps.report_models import Citation, Report, ReportAnswer
from rabbithole.workflow.chat.conversation.composition import base_of
from rabbithole.workflow.chat.runs.codec import StatusChanged, encode
from rabbithole.workflow.chat.runs.history import History
from rabbithole.workflow.chat.runs.run_view import Ask
from rabbithole.workflow.events import ReferenceFollowed, ReportReady, TaskProgress

RUN, THREAD = "benchpages00", "bench-pages"
PLACES, SOURCES, COLUMNS = 500, 60, 20
MOVES = 60
GOALS = {
    "first contentful paint": "(goal < 1.5 s)",
    "report of 60 sources": "(goal < 1 s)",
    "map fitted": "(goal < 0.3 s)",
    "map, frames a second": "(goal >= 50)",
}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FITTED = """() => new Promise((done) => {
  const begun = performance.now();
  document.querySelectorAll('.rh-tool')[2].click();
  requestAnimationFrame(() => requestAnimationFrame(() => done((performance.now() - begun) / 1000)));
})"""
FRAMES = """(moves) => new Promise((done) => {
  const map = document.querySelector('.rh-map'), box = map.getBoundingClientRect();
  const send = (kind, step) => map.dispatchEvent(new PointerEvent(kind, { bubbles: true, button: 0,
    clientX: box.left + 300 - 4 * step, clientY: box.top + 200 - 3 * step }));
  const wheel = (up) => map.dispatchEvent(
    new WheelEvent('wheel', { ctrlKey: true, deltaY: up ? -1 : 1, cancelable: true }));
  let step = 0, begun = 0;
  send('pointerdown', 0);
  const next = (now) => {
    begun = begun || now;
    if (step === moves) { send('pointerup', step); return done(moves / ((now - begun) / 1000)); }
    send('pointermove', ++step);
    if (step % 10 === 0) wheel(step % 20 === 0);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})"""


def written(kb: KnowledgeBase, state: Path, user: str, count: int = PLACES, columns: int = COLUMNS) -> None:
    """Store a finished run with ``count`` places and sixty sources in the record that the server will read."""
    document = max(kb.documents(), key=lambda one: one.pages)
    sections = kb.outline(document.id)
    places = [sections[index % len(sections)] for index in range(count)]
    history = History(state / "chat.sqlite", base_of(kb.folder, state))
    history.open_thread(THREAD, user, "A large research")
    history.add_run(RUN, THREAD, user, "A large research", Ask(query="A large research").model_dump_json())
    history.add_item(THREAD, RUN, "run", RUN)
    seen = [
        ReferenceFollowed(
            task=0, depth=1 + index % columns, text=f"section {index}", kind="legal_section",
            source=f"Document {index // columns}, § {index}",
            target=f"Document {(index + 1) // columns}, § {index + 1}",
            decision="follow", reason="bears on the question", page=places[index].page,
        )
        for index in range(count - 1)
    ]  # fmt: skip
    events = [
        StatusChanged(status="running", at=1.0),
        TaskProgress(task=0, text="A large research", status="done"),
        *seen,
        ReportReady(report=large_report(kb, document.id)),
        StatusChanged(status="done", at=60.0),
    ]
    history.append(RUN, 0, [row for row in map(encode, events) if row is not None])
    history.set_status(RUN, "done")
    history.close()


def large_report(kb: KnowledgeBase, document_id: str) -> Report:
    """Return a report of sixty paragraphs, each with its own citation."""
    document, chunks = kb.document(document_id), kb.chunks(document_id)
    quotes = [" ".join(chunks[index % len(chunks)].text.split()[:30]) for index in range(SOURCES)]
    citations = tuple(
        Citation(
            marker=f"[{index + 1}]", key=f"e{index}", document=document.id, file=document.file, title=document.title,
            section_label=f"§ {index}", page=chunks[index % len(chunks)].page, page_label="1", quote=quote,
            verified=True,
        )
        for index, quote in enumerate(quotes)
    )  # fmt: skip
    parts = [f"## Part {index}\n\n> {quote} [[{index}]][s{index}]\n" for index, quote in enumerate(quotes, 1)]
    text = f"It is said in many places [[{SOURCES}]][s{SOURCES}]."
    return Report(
        run_id=RUN, query="A large research", language="en", markdown="\n".join(parts), body="\n".join([text, *parts]),
        answer=ReportAnswer(status="answered", text=text, citations=citations[-1:]), citations=citations,
    )  # fmt: skip


def measured(url: str) -> dict[str, float]:
    """Return the seconds until each thing is shown, and the frames per second while the map is moved and scaled."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        warm = browser.new_page()  # makes the server load what it loads on first use
        warm.goto(url)
        warm.wait_for_selector(".rh-start h1")
        warm.close()
        page = browser.new_page(locale="en-US", viewport={"width": 1280, "height": 720})
        page.set_default_timeout(60_000)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        begun = time.monotonic()
        page.goto(url)
        page.wait_for_selector(f"[data-sidebar] a[href$='/thread/{THREAD}']")
        figures = {"first contentful paint": painted(page), "first page, with history": time.monotonic() - begun}
        figures["processor, first page"] = worked(session)
        begun = time.monotonic()
        page.locator(f"[data-sidebar] a[href$='/thread/{THREAD}']").first.click()  # in the list on the left
        page.wait_for_selector(f".rh-prose [data-marker='{SOURCES}']")
        figures[f"report of {SOURCES} sources"] = time.monotonic() - begun
        figures["processor, report"] = worked(session) - figures["processor, first page"]
        page.locator("[data-card=map-card] > summary").click()
        page.wait_for_function("(n) => document.querySelectorAll('.rh-node').length >= n", arg=PLACES)
        page.locator(".rh-map").scroll_into_view_if_needed()
        figures["map fitted"] = float(page.evaluate(FITTED))
        page.evaluate("document.querySelectorAll('.rh-tool')[1].click()")
        figures["map, frames a second"] = float(page.evaluate(FRAMES, MOVES))
        browser.close()
    return figures


def worked(session: CDPSession) -> float:
    """Return the seconds the page's main thread has worked; a busy machine changes it less than the clock."""
    known = {one["name"]: float(one["value"]) for one in session.send("Performance.getMetrics")["metrics"]}
    return known["TaskDuration"]


def painted(page: Page) -> float:
    """Return the first contentful paint of the open page in seconds."""
    entry: dict[str, Any] = json.loads(
        page.evaluate("JSON.stringify(performance.getEntriesByName('first-contentful-paint')[0] || {})")
    )
    return float(entry.get("startTime", 0.0)) / 1000


def table(figures: dict[str, float]) -> None:
    print(f"in the browser, a map of {PLACES} places and a report of {SOURCES} sources:")
    for name, value in figures.items():
        print(f"  {name:24} {value:7.3f}  {GOALS.get(name, '')}".rstrip())
