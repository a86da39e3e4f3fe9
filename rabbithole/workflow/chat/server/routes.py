"""What the browser asks for besides the chat itself: runs, documents by id, exports. All under ``/rabbithole``."""

from __future__ import annotations

import os
import uuid
from collections.abc import Awaitable, Callable
from functools import wraps
from io import BufferedReader
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from rabbithole.kb.files import path_of
from rabbithole.steps.models import Report
from rabbithole.workflow.chat.documents.library import DocumentPanel, ScopeBody
from rabbithole.workflow.chat.documents.rendition import is_pdf
from rabbithole.workflow.chat.documents.served_documents import Documents
from rabbithole.workflow.chat.locales import language_of, texts
from rabbithole.workflow.chat.runs.failures import FAILURES, sentence
from rabbithole.workflow.chat.runs.live import LiveRun
from rabbithole.workflow.chat.runs.manager import RunManager
from rabbithole.workflow.chat.view.present import Presenter, snapshot
from rabbithole.workflow.events import ClarificationAnswered, PlanApproved, ReportReady

from .bodies import AnswerBody, HttpError, PlanBody, read_body
from .exports import export
from .thread_pools import in_long, in_pages, in_ui

Identify = Callable[[Request], Awaitable[str | None]]
Handler = Callable[["Routes", Request, str], Awaitable[Response]]
PREFIX = "/rabbithole"
PICTURE = {"cache-control": "private, max-age=3600", "content-encoding": "identity"}
PLAIN = {"cache-control": "no-store", "content-encoding": "identity"}  # compressing would only cost time here


def guarded(handler: Handler) -> Callable[[Routes, Request], Awaitable[Response]]:
    """Only for people who are logged in, only from our own pages; errors become one sentence."""

    @wraps(handler)
    async def answer(self: Routes, request: Request) -> Response:
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return _error(403, "Requests from other sites are not answered.")
        user = await self.identify(request)
        if user is None:
            return _error(401, "Log in first.")
        try:
            return await handler(self, request, user)
        except HttpError as error:
            return _error(error.status, str(error))
        except FAILURES as error:
            spoken = language_of(request.headers.get("accept-language", "en").split(",")[0])
            return _error(409, sentence(error, spoken))

    return answer


def _error(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence}, status_code=status, headers={"cache-control": "no-store"})


class Routes:
    def __init__(
        self,
        manager: RunManager,
        presenter: Presenter,
        documents: Documents,
        identify: Identify,
        start_screen: Callable[[str, str], Awaitable[dict[str, Any]]],
        leave: Callable[[], Awaitable[None]] | None = None,
        partial: Callable[[str], Awaitable[Report]] | None = None,
        add_sample: Callable[[], Awaitable[bool]] | None = None,
        adopt: Callable[[str, str], Awaitable[str]] | None = None,
        library: DocumentPanel | None = None,
        session_seconds: Callable[[], int] = lambda: 3600,
    ) -> None:
        self.manager = manager
        self.presenter = presenter
        self.documents = documents
        self.identify = identify
        self._start_screen = start_screen
        self._leave = leave
        self._partial = partial
        self._add_sample = add_sample
        self._adopt = adopt
        self._library = library
        self._session_seconds = session_seconds
        self._boot = uuid.uuid4().hex

    def routes(self) -> list[Route]:
        run, document = f"{PREFIX}/runs/{{run}}", f"{PREFIX}/documents/{{document}}"
        return [
            Route(f"{PREFIX}/texts", self.texts),
            Route(f"{PREFIX}/alive", self.alive),
            Route(f"{PREFIX}/start", self.start),
            Route(f"{PREFIX}/sample", self.sample, methods=["POST"]),
            Route(run, self.run),
            Route(f"{run}/answer", self.answer, methods=["POST"]),
            Route(f"{run}/plan", self.approve, methods=["POST"]),
            Route(f"{run}/stop", self.stop, methods=["POST"]),
            Route(f"{run}/continue", self.go_on, methods=["POST"]),
            Route(f"{run}/adopt", self.adopt, methods=["POST"]),
            Route(f"{run}/partial", self.partial, methods=["POST"]),
            Route(f"{run}/export/{{form}}", self.export),
            Route(f"{PREFIX}/threads/{{thread}}/replies/{{item}}", self.reply),
            Route(document, self.document),
            Route(f"{PREFIX}/library", self.library),
            Route(f"{PREFIX}/library/scope", self.choose, methods=["POST"]),
            Route(f"{document}/remove", self.remove, methods=["POST"]),
            Route(f"{document}/file", self.file),
            Route(f"{document}/marked", self.marked),
            Route(f"{document}/pages/{{page:int}}", self.page),
            Route(f"{document}/pages/{{page:int}}.png", self.picture),
            Route(f"{PREFIX}/leave", self.leave, methods=["POST"]),
            Route(f"{PREFIX}/{{rest:path}}", self.nothing),
        ]

    def _run(self, request: Request, user: str) -> LiveRun:
        run = self.manager.get(request.path_params["run"], user)
        if run is None:
            raise HttpError(404, "There is no such run.")
        return run

    async def texts(self, request: Request) -> Response:
        return JSONResponse(texts(language_of(request.query_params.get("lang"))))

    async def alive(self, request: Request) -> Response:
        """Which process answers, and how many seconds it keeps a session without a connection."""
        return JSONResponse({"boot": self._boot, "session": self._session_seconds()}, headers=PLAIN)

    @guarded
    async def start(self, request: Request, user: str) -> Response:
        return JSONResponse(await self._start_screen(user, request.query_params.get("lang", "en")))

    @guarded
    async def sample(self, request: Request, user: str) -> Response:
        return JSONResponse({"added": self._add_sample is not None and await self._add_sample()})

    @guarded
    async def run(self, request: Request, user: str) -> Response:
        run = self._run(request, user)
        after = _number(request.query_params.get("after", "0"))
        if after == run.version:
            return Response(status_code=204)
        changed = await in_ui(snapshot, self.presenter, run, after if after < run.version else 0)
        return Response(changed, media_type="application/json", headers=PLAIN)

    @guarded
    async def answer(self, request: Request, user: str) -> Response:
        body = await read_body(request, AnswerBody)
        event = ClarificationAnswered(id=body.id, answers=body.answers, end=body.end)
        return JSONResponse({"taken": self.manager.answer(self._run(request, user), event)})

    @guarded
    async def approve(self, request: Request, user: str) -> Response:
        body = await read_body(request, PlanBody)
        if not body.todos:
            raise HttpError(422, "A plan has at least one task.")
        event = PlanApproved(id=body.id, todos=body.todos)
        return JSONResponse({"taken": self.manager.answer(self._run(request, user), event)})

    @guarded
    async def stop(self, request: Request, user: str) -> Response:
        return JSONResponse({"stopped": await self.manager.stop(self._run(request, user))})

    @guarded
    async def go_on(self, request: Request, user: str) -> Response:
        return JSONResponse({"continued": self.manager.continue_run(self._run(request, user))})

    @guarded
    async def adopt(self, request: Request, user: str) -> Response:
        """Take a run begun elsewhere into a conversation, and name that."""
        thread = await self._adopt(request.path_params["run"], user) if self._adopt is not None else ""
        if not thread:
            raise HttpError(404, "There is no such run.")
        return JSONResponse({"thread": thread})

    @guarded
    async def partial(self, request: Request, user: str) -> Response:
        """Show what a stopped run found until then, as a report."""
        run = self._run(request, user)
        if run.running or run.view.report is not None or self._partial is None:
            return JSONResponse({"shown": False})
        run.record(ReportReady(report=await self._partial(run.row.id)))
        return JSONResponse({"shown": True})

    @guarded
    async def reply(self, request: Request, user: str) -> Response:
        """What was answered without a search, with the citations of the report it was answered from."""
        thread, item = request.path_params["thread"], request.path_params["item"]
        kept = self.manager.reply(thread, item, user)
        if kept is None:
            raise HttpError(404, "There is no such reply.")
        run = self.manager.get(kept.run, user) if kept.run else None
        return JSONResponse(await in_ui(self.presenter.reply, kept, run.view.report if run else None), headers=PLAIN)

    @guarded
    async def library(self, request: Request, user: str) -> Response:
        """Every document, and what is searched."""
        return JSONResponse(await in_ui(self._held().shown, user), headers=PLAIN)

    @guarded
    async def choose(self, request: Request, user: str) -> Response:
        await in_ui(self._held().choose, user, await read_body(request, ScopeBody))
        return JSONResponse({"taken": True})

    @guarded
    async def remove(self, request: Request, user: str) -> Response:
        await in_long(self._held().remove, self._document(request))
        return JSONResponse({"removed": True})

    def _held(self) -> DocumentPanel:
        if self._library is None:
            raise HttpError(404, "There is no list of documents here.")
        return self._library

    @guarded
    async def export(self, request: Request, user: str) -> Response:
        run = self._run(request, user)
        made = await in_ui(export, run.view, request.path_params["form"], self.presenter.named)
        if made is None:
            raise HttpError(404, "There is nothing to export in this form.")
        headers = {"content-disposition": f'attachment; filename="{made.name}"', "cache-control": "no-store"}
        return Response(made.data, media_type=made.media, headers=headers)

    @guarded
    async def document(self, request: Request, user: str) -> Response:
        found = self._document(request)
        return JSONResponse({"id": found.id, "title": found.title, "file": found.file, "pages": found.pages})

    def _document(self, request: Request) -> Any:
        found = self.documents.find(request.path_params["document"])
        if found is None:
            raise HttpError(404, "There is no such document.")
        return found

    @guarded
    async def file(self, request: Request, user: str) -> Response:
        document = self._document(request)
        return _served(await in_pages(self.documents.open, document), document.file)

    @guarded
    async def marked(self, request: Request, user: str) -> Response:
        document = self._document(request)
        page, quote = _number(request.query_params.get("page", "0")), request.query_params.get("quote", "")
        name = document.file if is_pdf(document) else f"{document.file}.pdf"
        return _served(await in_pages(self.documents.marked, document, page, quote), name)

    @guarded
    async def page(self, request: Request, user: str) -> Response:
        document = self._document(request)
        quote = request.query_params.get("quote", "")
        view = await in_pages(self.documents.page, document, request.path_params["page"], quote)
        return JSONResponse({**view.model_dump(), "title": document.title, "file": document.file})

    @guarded
    async def picture(self, request: Request, user: str) -> Response:
        data = await in_pages(self.documents.picture, self._document(request), request.path_params["page"])
        return Response(
            data,
            media_type="image/png",
            headers={"cache-control": "private, max-age=3600", "content-encoding": "identity"},
        )

    @guarded
    async def leave(self, request: Request, user: str) -> Response:
        if self._leave is None:
            raise HttpError(404, "Others use this server: log out instead.")
        await self._leave()
        return JSONResponse({"left": True})

    async def nothing(self, request: Request) -> Response:
        return _error(404, "There is nothing here.")


def _served(file: BufferedReader, name: str) -> Response:
    """A file, or a part of it: sent from the file that was checked, not from what has its name when it is sent.

    A page of others would run as one of ours: what is no PDF is saved, never shown.
    """
    pdf = name.lower().endswith(".pdf")
    return FileResponse(
        path_of(file),
        media_type="application/pdf" if pdf else "application/octet-stream",
        content_disposition_type="inline" if pdf else "attachment",
        filename=name.split("/")[-1],
        stat_result=os.fstat(file.fileno()),
        background=BackgroundTask(file.close),
    )


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
