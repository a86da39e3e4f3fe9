"""The routes that the browser can request, and the requests that are refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from chat.scripted import ScriptedLaunch
from chat.test_manager import until
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.workflow.chat.documents.library import DocumentPanel
from rabbithole.workflow.chat.documents.served_documents import Documents
from rabbithole.workflow.chat.locales import texts
from rabbithole.workflow.chat.runs.manager import RunManager
from rabbithole.workflow.chat.runs.run_view import Ask
from rabbithole.workflow.chat.server.offline import Headers, without_hosts
from rabbithole.workflow.chat.server.routes import Routes
from rabbithole.workflow.chat.server.shell import with_shell
from rabbithole.workflow.chat.view.present import Presenter

Client = httpx.AsyncClient


async def by_header(request: Request) -> str | None:
    return request.headers.get("x-user") or None


async def nothing(user: str, language: str) -> dict[str, Any]:
    return {"user": user, "language": language}


@asynccontextmanager
async def serving(
    manager: RunManager, launch: ScriptedLaunch, kb: KnowledgeBase, *, alone: bool = False
) -> AsyncIterator[Client]:
    """``alone``: without logins, so that a request may end the server."""
    documents = Documents(kb)
    panel = DocumentPanel(kb, manager.history, editable=False)
    routes = Routes(
        manager,
        Presenter(kb, launch.read),
        documents,
        by_header,
        nothing,
        manager.stop_all if alone else None,
        library=panel,
    )
    app = Headers(Starlette(routes=routes.routes()))
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type]
    async with Client(transport=transport, base_url="http://test", headers={"x-user": "ann"}) as client:
        yield client
    documents.close()
    await manager.stop_all()


@pytest.fixture
def ask(
    manager: RunManager, launch: ScriptedLaunch, small_kb: KnowledgeBase
) -> Callable[[Callable[[Client], Awaitable[None]]], None]:
    def play(what: Callable[[Client], Awaitable[None]]) -> None:
        async def run() -> None:
            async with serving(manager, launch, small_kb) as client:
                await what(client)

        asyncio.run(asyncio.wait_for(run(), 60))

    return play


def document_id(kb: KnowledgeBase) -> str:
    return next(one.id for one in kb.documents() if one.file == "filters.pdf")


def test_a_run_over_http(ask: Any, manager: RunManager) -> None:
    async def play(client: Client) -> None:
        manager.history.open_thread("t", "ann", "q")
        run = manager.start(Ask(query="filters of laboratories"), user="ann", thread="t")
        seen: dict[str, Any] = {}
        version = 0

        async def look() -> dict[str, Any]:
            nonlocal version
            answer = await client.get(f"/rabbithole/runs/{run}?after={version}")
            if answer.status_code == 200:
                version = answer.json()["version"]
                seen.update(answer.json()["parts"])
            return seen

        async def wait_for(true: Callable[[dict[str, Any]], object]) -> None:
            for _ in range(1000):
                if true(await look()):
                    return
                await asyncio.sleep(0.01)
            raise AssertionError(seen)

        await wait_for(lambda parts: parts.get("question"))
        assert seen["head"]["waiting"]
        assert seen["rounds"][0]["chunks"][0]["text"]
        body = {"id": "q1", "answers": [{"question": "scope", "text": "Filters"}]}
        answers = [await client.post(f"/rabbithole/runs/{run}/answer", json=body) for _ in range(2)]
        assert [one.json()["taken"] for one in answers] == [True, False]
        await wait_for(lambda parts: parts.get("plan"))
        refused = await client.post(f"/rabbithole/runs/{run}/back", json={"id": "q2", "round": 3})
        assert refused.json() == {"taken": False}
        todos = [*seen["plan"]["todos"], {"id": 7, "text": "one more", "origin": "person"}]
        assert (await client.post(f"/rabbithole/runs/{run}/plan", json={"id": "q2", "todos": []})).status_code == 422
        assert (await client.post(f"/rabbithole/runs/{run}/plan", json={"id": "q2", "todos": todos})).json()["taken"]
        await wait_for(lambda parts: parts.get("report"))
        await wait_for(lambda parts: parts["head"]["status"] == "done")
        assert seen["task.7"]["status"] == "done"
        assert seen["task.0"]["evidence"]["primary"][0]["quotes"][0]["verified"] is False
        assert {one["decision"] for one in seen["task.0"]["references"]} == {"follow", "skip", "missing"}
        assert seen["map"]["nodes"]
        assert seen["head"]["missing"] == len(seen["report"]["missing"])
        assert seen["report"]["citations"]["1"]["verified"]
        assert (await client.get(f"/rabbithole/runs/{run}?after={version}")).status_code == 204
        for form, media in {
            "md": "text/markdown",
            "json": "application/json",
            "svg": "image/svg+xml",
            "docx": "application/vnd.",
        }.items():
            made = await client.get(f"/rabbithole/runs/{run}/export/{form}")
            assert made.headers["content-type"].startswith(media)
            assert "attachment" in made.headers["content-disposition"]
        assert (await client.get(f"/rabbithole/runs/{run}/export/exe")).status_code == 404
        other = await client.get(f"/rabbithole/runs/{run}", headers={"x-user": "bob"})
        assert other.status_code == 404

    ask(play)


def test_documents_are_served_by_id_in_ranges(ask: Any, small_kb: KnowledgeBase) -> None:
    async def play(client: Client) -> None:
        base = f"/rabbithole/documents/{document_id(small_kb)}"
        whole = await client.get(f"{base}/file")
        assert whole.content.startswith(b"%PDF")
        part = await client.get(f"{base}/file", headers={"range": "bytes=0-9"})
        assert (part.status_code, part.content) == (206, whole.content[:10])
        page = (await client.get(f"{base}/pages/0?quote=retention of iodine must reach 99 percent in humid")).json()
        assert page["found"] == "exact"
        assert "hu-" in [word["text"] for word in page["words"] if word["marked"]]
        assert (await client.get(f"{base}/pages/0.png")).content.startswith(b"\x89PNG")
        marked = await client.get(f"{base}/marked?page=0&quote=tested once a year")
        assert marked.content != whole.content
        assert (await client.get(f"{base}/pages/99")).status_code == 409
        assert "no page 100" in (await client.get(f"{base}/pages/99")).json()["error"]

    ask(play)


@pytest.mark.parametrize(
    "path",
    [
        "/rabbithole/documents/../../etc/passwd",
        "/rabbithole/documents/..%2f..%2fetc%2fpasswd/file",
        "/rabbithole/documents/%2e%2e/file",
        "/rabbithole/documents//etc/passwd/file",
        "/rabbithole/documents/0000000000000000/file",
        "/rabbithole/documents/filters.pdf/file",
        "/rabbithole/documents/0/pages/-1",
        "/rabbithole/runs/../../../etc/passwd",
        "/rabbithole/runs/nothing",
        "/rabbithole/nothing",
        "/rabbithole/leave",
    ],
)
def test_tricks_find_nothing(ask: Any, path: str) -> None:
    async def play(client: Client) -> None:
        assert (await client.get(path)).status_code in (404, 405)

    ask(play)


def test_nothing_without_a_login_and_nothing_for_other_sites(ask: Any, small_kb: KnowledgeBase) -> None:
    async def play(client: Client) -> None:
        base = f"/rabbithole/documents/{document_id(small_kb)}/file"
        client.headers.pop("x-user")
        assert (await client.get(base)).status_code == 401
        client.headers["x-user"] = "ann"
        assert (await client.get(base, headers={"sec-fetch-site": "cross-site"})).status_code == 403
        assert (await client.get(base)).headers["content-security-policy"].startswith("default-src 'self'")

    ask(play)


def test_nobody_changes_documents_of_others(ask: Any, small_kb: KnowledgeBase) -> None:
    async def play(client: Client) -> None:
        base = f"/rabbithole/documents/{document_id(small_kb)}"
        for action, body in (("remove", {}), ("again", {}), ("correct", {"title": "Mine"})):
            assert (await client.post(f"{base}/{action}", json=body)).status_code == 403
        assert (await client.get("/rabbithole/library")).json()["editable"] is False

    ask(play)


def test_a_broken_form_is_one_sentence(ask: Any, manager: RunManager) -> None:
    async def play(client: Client) -> None:
        run = manager.start(Ask(query="filters"), user="ann", thread="t")
        await until(lambda: (found := manager.get(run, "ann")) and found.view.question)
        for content in (b"{", b"[]", b'{"id": 1, "more": 2}', b"\xff"):
            answer = await client.post(f"/rabbithole/runs/{run}/answer", content=content)
            assert answer.status_code == 422
            assert "form could not be read" in answer.json()["error"]

    ask(play)


def test_texts_are_served_in_both_languages(ask: Any) -> None:
    async def play(client: Client) -> None:
        assert (await client.get("/rabbithole/texts")).json() == {"de": texts("de"), "en": texts("en")}

    ask(play)


def test_the_page_names_no_other_host() -> None:
    page = (
        '<link rel="stylesheet" href="https://cdn.example/katex.css" crossorigin>'
        '<link href="/assets/index.css" rel="stylesheet"><meta property="og:image" content="https://x.example/a.png">'
        '<script src="https://cdn.example/a.js"></script><script src="/assets/a.js"></script>'
    )
    assert without_hosts(page) == (
        '<link href="/assets/index.css" rel="stylesheet"><script src="/assets/a.js"></script>'
    )


def test_the_page_has_outlines_before_scripts_run() -> None:
    page = '<body><div id="root"></div></body>'
    assert '<div id="root"><div class="rh-shell">' in with_shell(page)
    assert with_shell(page).count("</div>") == page.count("</div>") + 3
    assert with_shell("<body>another frame</body>") == "<body>another frame</body>"


@pytest.mark.parametrize(
    ("path", "client", "packed"),
    [
        ("/assets/index.js", "127.0.0.1", False),
        ("/assets/index.js", "::1", False),
        ("/assets/index.js", "192.168.1.7", True),
        ("/rabbithole/texts", "127.0.0.1", True),
    ],
)
def test_scripts_are_packed_for_other_machines_only(path: str, client: str, packed: bool) -> None:
    async def play() -> None:
        async def long(request: Request) -> Response:
            return Response("x" * 5000)

        app = GZipMiddleware(Starlette(routes=[Route("/{path:path}", long)]))
        transport = httpx.ASGITransport(app=Headers(app), client=(client, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://chat") as asking:
            answer = await asking.get(path, headers={"accept-encoding": "gzip"})
        assert (answer.headers.get("content-encoding") == "gzip") is packed
        assert answer.text == "x" * 5000

    asyncio.run(play())
