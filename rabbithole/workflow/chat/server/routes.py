"""The routes besides the chat itself, all under ``/rabbithole``: runs, documents by id, exports."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rabbithole.steps.report_models import Report
from rabbithole.workflow.chat.documents.library import DocumentPanel
from rabbithole.workflow.chat.documents.served_documents import Documents
from rabbithole.workflow.chat.locales import LANGUAGES, texts
from rabbithole.workflow.chat.runs.live import LiveRun
from rabbithole.workflow.chat.runs.manager import RunManager
from rabbithole.workflow.chat.thread_pools import in_long, in_ui
from rabbithole.workflow.chat.view.present import Presenter, snapshot
from rabbithole.workflow.events import ClarificationAnswered, PlanApproved, QuestionsReopened, ReportReady

from .bodies import AnswerBody, BackBody, HttpError, PinBody, PlanBody, read_body
from .cited_pages import bundle
from .document_routes import DocumentRoutes
from .exports import Export, export, stem
from .guarded import PLAIN, PREFIX, Identify, guarded, number, refusal
from .share_routes import ShareRoutes


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
        run_lines: Callable[[str, str], Awaitable[list[dict[str, Any]]]] | None = None,
    ) -> None:
        self.manager = manager
        self.presenter = presenter
        self.identify = identify
        self._files = documents
        self._documents = DocumentRoutes(documents, library, identify)
        self._shares = ShareRoutes(manager, documents, identify, login=leave is None)
        self._start_screen = start_screen
        self._leave = leave
        self._partial = partial
        self._add_sample = add_sample
        self._adopt = adopt
        self._session_seconds = session_seconds
        self._run_lines = run_lines
        self._boot = uuid.uuid4().hex

    def routes(self) -> list[Route]:
        run = f"{PREFIX}/runs/{{run}}"
        return [
            Route(f"{PREFIX}/texts", self.texts),
            Route(f"{PREFIX}/alive", self.alive),
            Route(f"{PREFIX}/start", self.start),
            Route(f"{PREFIX}/sample", self.sample, methods=["POST"]),
            Route(run, self.run),
            Route(f"{run}/answer", self.answer, methods=["POST"]),
            Route(f"{run}/back", self.back, methods=["POST"]),
            Route(f"{run}/plan", self.approve, methods=["POST"]),
            Route(f"{run}/stop", self.stop, methods=["POST"]),
            Route(f"{run}/continue", self.go_on, methods=["POST"]),
            Route(f"{run}/adopt", self.adopt, methods=["POST"]),
            Route(f"{run}/partial", self.partial, methods=["POST"]),
            Route(f"{run}/export/{{form}}", self.export),
            Route(f"{PREFIX}/threads/{{thread}}/replies/{{item}}", self.reply),
            Route(f"{PREFIX}/history", self.history),
            Route(f"{PREFIX}/threads/{{thread}}/pin", self.pin, methods=["POST"]),
            *self._documents.routes(),
            *self._shares.routes(),
            Route(f"{PREFIX}/leave", self.leave, methods=["POST"]),
            Route(f"{PREFIX}/{{rest:path}}", self.nothing),
        ]

    def _run(self, request: Request, user: str) -> LiveRun:
        run = self.manager.get(request.path_params["run"], user)
        if run is None:
            raise HttpError(404, "refused.no_run")
        if request.method == "POST" and self.manager.is_elsewhere(run.row.id):
            raise HttpError(409, "note.elsewhere")
        return run

    async def texts(self, request: Request) -> Response:
        return JSONResponse({language: texts(language) for language in LANGUAGES})

    async def alive(self, request: Request) -> Response:
        """Return which process answers, and how many seconds it keeps a session without a connection."""
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
        after = number(request.query_params.get("after", "0"))
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
    async def back(self, request: Request, user: str) -> Response:
        """Go back to the questions of an earlier round."""
        body = await read_body(request, BackBody)
        event = QuestionsReopened(id=body.id, round=body.round)
        return JSONResponse({"taken": self.manager.answer(self._run(request, user), event)})

    @guarded
    async def approve(self, request: Request, user: str) -> Response:
        body = await read_body(request, PlanBody)
        if not body.todos:
            raise HttpError(422, "refused.no_task")
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
        """Adopt a run started elsewhere into a conversation and return that conversation."""
        thread = await self._adopt(request.path_params["run"], user) if self._adopt is not None else ""
        if not thread:
            raise HttpError(404, "refused.no_run")
        return JSONResponse({"thread": thread})

    @guarded
    async def partial(self, request: Request, user: str) -> Response:
        """Show what a stopped run has found so far, as a report."""
        run = self._run(request, user)
        if run.running or run.view.report is not None or self._partial is None:
            return JSONResponse({"shown": False})
        run.record(ReportReady(report=await self._partial(run.row.id)))
        return JSONResponse({"shown": True})

    @guarded
    async def reply(self, request: Request, user: str) -> Response:
        """Return an answer given without a search, with the citations of the report it came from."""
        thread, item = request.path_params["thread"], request.path_params["item"]
        kept = self.manager.reply(thread, item, user)
        if kept is None:
            raise HttpError(404, "refused.no_reply")
        run = self.manager.get(kept.run, user) if kept.run else None
        return JSONResponse(await in_ui(self.presenter.reply, kept, run.view.report if run else None), headers=PLAIN)

    @guarded
    async def history(self, request: Request, user: str) -> Response:
        """Return the user's runs whose conversation contains every word of ``q``, in questions or reports."""
        wanted = request.query_params.get("q", "")[:200]
        found = await self._run_lines(user, wanted) if self._run_lines is not None else []
        return JSONResponse(found, headers=PLAIN)

    @guarded
    async def pin(self, request: Request, user: str) -> Response:
        thread = self.manager.history.thread(request.path_params["thread"])
        if thread is None or thread.user != user:
            raise HttpError(404, "refused.no_conversation")
        pinned = (await read_body(request, PinBody)).pinned
        await in_ui(self.manager.history.pin, thread.id, pinned)
        return JSONResponse({"pinned": pinned})

    @guarded
    async def export(self, request: Request, user: str) -> Response:
        run = self._run(request, user)
        form, report = request.path_params["form"], run.view.report
        if form == "zip" and report is not None:
            data = await in_long(bundle, report, self._files)
            made: Export | None = Export(name=f"{stem(run.view)}.zip", media="application/zip", data=data)
        else:
            made = await in_ui(export, run.view, form, self.presenter.named)
        if made is None:
            raise HttpError(404, "refused.no_export")
        headers = {"content-disposition": f'attachment; filename="{made.name}"', "cache-control": "no-store"}
        return Response(made.data, media_type=made.media, headers=headers)

    @guarded
    async def leave(self, request: Request, user: str) -> Response:
        if self._leave is None:
            raise HttpError(404, "refused.not_alone")
        await self._leave()
        return JSONResponse({"left": True})

    async def nothing(self, request: Request) -> Response:
        return refusal(404, "There is nothing here.")
