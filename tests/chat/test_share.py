"""A shared report: the link gives others the report and nothing else of its owner."""

from __future__ import annotations

import asyncio
import io
import zipfile
from typing import Any

import pymupdf
import pytest
from chat.test_manager import ANSWER, approval, begin, until
from chat.test_routes import Client, serving

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.workflow.chat.runs.live import LiveRun
from rabbithole.workflow.chat.runs.manager import RunManager
from rabbithole.workflow.chat.server.cited_pages import with_pages

BOB = {"x-user": "bob"}


async def reported(manager: RunManager) -> LiveRun:
    run = begin(manager)
    await until(lambda: run.view.question)
    manager.answer(run, ANSWER)
    await until(lambda: run.view.plan)
    manager.answer(run, approval(run))
    await until(lambda: run.view.status == "done")
    return run


def test_a_shared_report_is_read_only_and_can_be_withdrawn(
    manager: RunManager, launch: Any, small_kb: KnowledgeBase
) -> None:
    async def play() -> None:
        async with serving(manager, launch, small_kb) as client:
            run = await reported(manager)
            base = f"/rabbithole/runs/{run.row.id}"
            assert (await client.get(f"{base}/link")).json() == {"path": "", "login": True}
            for action in ("share", "unshare"):  # nobody shares or withdraws what is another's
                assert (await client.post(f"{base}/{action}", headers=BOB)).status_code == 404
            path = (await client.post(f"{base}/share")).json()["path"]
            assert len(path.rsplit("/", 1)[1]) >= 32
            assert (await client.post(f"{base}/share")).json()["path"] == path
            await seen_by_others(client, path, run)
            assert (await client.get(path, headers={"x-user": ""})).status_code == 401
            await client.post(f"{base}/unshare")
            assert (await client.get(path, headers=BOB)).status_code == 404
            assert (await client.get(f"{path}/1", headers=BOB)).status_code == 404
            again = (await client.post(f"{base}/share")).json()["path"]
            assert again != path
            await manager.forget(run.row.thread)
            assert (await client.get(again, headers=BOB)).status_code == 404

    asyncio.run(asyncio.wait_for(play(), 60))


async def seen_by_others(client: Client, path: str, run: LiveRun) -> None:
    page = await client.get(path, headers={**BOB, "sec-fetch-site": "cross-site"})  # a link in a message
    assert page.status_code == 200
    assert f'href="{path}/1"' in page.text
    assert "file:" not in page.text
    assert "<script" not in page.text
    assert page.headers["cache-control"] == "no-store"
    cited = await client.get(f"{path}/1", headers=BOB)
    with pymupdf.open(stream=cited.content) as pdf:
        assert pdf.page_count == 1  # of a document of two or more pages: that page alone
    assert (await client.get(f"{path}/2", headers=BOB)).status_code == 404
    for other in (
        f"/rabbithole/runs/{run.row.id}",
        f"/rabbithole/runs/{run.row.id}/export/json",
        f"{path}/export/json",
    ):
        assert (await client.get(other, headers=BOB)).status_code == 404
    token = path.rsplit("/", 1)[1]
    for other in (f"/rabbithole/runs/{token}", f"/rabbithole/runs/{token}/link"):
        assert (await client.get(other, headers=BOB)).status_code == 404


def test_a_bundle_holds_the_report_and_its_cited_pages(
    manager: RunManager, launch: Any, small_kb: KnowledgeBase
) -> None:
    async def play() -> None:
        async with serving(manager, launch, small_kb) as client:
            run = await reported(manager)
            made = await client.get(f"/rabbithole/runs/{run.row.id}/export/zip")
            assert made.headers["content-type"] == "application/zip"
            with zipfile.ZipFile(io.BytesIO(made.content)) as archive:
                assert archive.namelist() == ["report.html", "pages/1.pdf"]
                page = archive.read("report.html").decode()
                assert 'href="pages/1.pdf"' in page
                assert str(small_kb.folder.parent) not in page
                with pymupdf.open(stream=archive.read("pages/1.pdf")) as pdf:
                    assert pdf.page_count == 1

    asyncio.run(asyncio.wait_for(play(), 60))


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('<a href="a.pdf#page=3">[1]</a>', '<a href="pages/1.pdf" target="_blank" rel="noopener">[1]</a>'),
        ('<a href="file:///home/ann/a.pdf">[2]</a>', "[2]"),  # the report has no such citation
        ('<a href="file:///home/ann/a.pdf">a law</a>', "a law"),
        ('<a href="#s1">below</a>', '<a href="#s1">below</a>'),
        ('<a href="https://example.org">there</a>', '<a href="https://example.org">there</a>'),
    ],
)
def test_links_lead_to_cited_pages_only(written: str, shown: str) -> None:
    assert with_pages(written, lambda number: "pages/1.pdf" if number == "1" else "") == shown


@pytest.mark.parametrize("path", ["x", "%25", "' or 1=1 --", "1/../2"])
def test_a_guessed_link_leads_nowhere(manager: RunManager, launch: Any, small_kb: KnowledgeBase, path: str) -> None:
    async def play() -> None:
        async with serving(manager, launch, small_kb) as client:
            await reported(manager)
            for tail in ("", "/1"):
                assert (await client.get(f"/rabbithole/shared/{path}{tail}")).status_code == 404

    asyncio.run(asyncio.wait_for(play(), 60))


def test_where_nobody_logs_in_the_link_is_the_address(
    manager: RunManager, launch: Any, small_kb: KnowledgeBase
) -> None:
    async def play() -> None:
        async with serving(manager, launch, small_kb, alone=True) as client:
            run = await reported(manager)
            base = f"/rabbithole/runs/{run.row.id}"
            assert (await client.get(f"{base}/link")).json() == {"path": f"/thread/{run.row.thread}", "login": False}
            assert (await client.post(f"{base}/share")).status_code == 404

    asyncio.run(asyncio.wait_for(play(), 60))
