"""Share reports by a link: read-only, for users who can log in, until the link is withdrawn.

The link gives access to the report as a page and to each cited page as a single-page PDF, but not to the run, the
conversation or whole documents.
"""

from __future__ import annotations

import html

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from rabbithole.steps.report_models import Report
from rabbithole.workflow.chat.documents.served_documents import Documents
from rabbithole.workflow.chat.locales import say
from rabbithole.workflow.chat.runs.failures import FAILURES, sentence
from rabbithole.workflow.chat.runs.live import LiveRun
from rabbithole.workflow.chat.runs.manager import RunManager
from rabbithole.workflow.chat.thread_pools import in_pages, in_ui
from rabbithole.workflow.chat.view.report_json import cited_by_number
from rabbithole.workflow.report.export.html_page import to_html

from .bodies import HttpError
from .cited_pages import with_pages
from .document_routes import served
from .guarded import PREFIX, Identify, guarded, spoken

SHARED = f"{PREFIX}/shared"
PRIVATE = {"cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex"}


class ShareRoutes:
    """``login``: whether users log in. Without logins there is one user, and the link is just the report's address."""

    def __init__(self, manager: RunManager, documents: Documents, identify: Identify, *, login: bool) -> None:
        self.identify = identify
        self._manager, self._documents, self._login = manager, documents, login

    def routes(self) -> list[Route]:
        run = f"{PREFIX}/runs/{{run}}"
        return [
            Route(f"{run}/share", self.share, methods=["POST"]),
            Route(f"{run}/unshare", self.unshare, methods=["POST"]),
            Route(f"{run}/link", self.link),
            Route(f"{SHARED}/{{token}}", self.report),
            Route(f"{SHARED}/{{token}}/{{number:int}}", self.cited),
        ]

    def _own(self, request: Request, user: str) -> LiveRun:
        run = self._manager.get(request.path_params["run"], user)
        if run is None or run.view.report is None:
            raise HttpError(404, "refused.no_report")
        return run

    @guarded
    async def link(self, request: Request, user: str) -> Response:
        """Return the path of the shared report, or '' if it is not shared."""
        run = self._own(request, user)
        if not self._login:
            return JSONResponse({"path": f"/thread/{run.row.thread}", "login": False})
        token = self._manager.history.share_of(run.row.id)
        return JSONResponse({"path": f"{SHARED}/{token}" if token else "", "login": True})

    @guarded
    async def share(self, request: Request, user: str) -> Response:
        run = self._own(request, user)
        if not self._login:
            raise HttpError(404, "refused.alone")
        return JSONResponse({"path": f"{SHARED}/{self._manager.history.share(run.row.id, user)}"})

    @guarded
    async def unshare(self, request: Request, user: str) -> Response:
        self._manager.history.unshare(self._own(request, user).row.id)
        return JSONResponse({"path": ""})

    async def report(self, request: Request) -> Response:
        """Return the report as a page. Links on other sites may open it, as it has no scripts and changes nothing."""
        language = spoken(request)
        if await self.identify(request) is None:
            return _page(say(language, "shared.login"), 401, link="/login")
        shown = self._shared(request)
        if shown is None:
            return _page(say(language, "shared.gone"), 404)
        page = await in_ui(to_html, shown)
        here, known = f"{SHARED}/{request.path_params['token']}", cited_by_number(shown)
        led = with_pages(page, lambda number: f"{here}/{number}" if number in known else "")
        return HTMLResponse(led, headers=PRIVATE)

    async def cited(self, request: Request) -> Response:
        """Return the page cited by the citation with this number."""
        language = spoken(request)
        if await self.identify(request) is None:
            return _page(say(language, "shared.login"), 401, link="/login")
        shown = self._shared(request)
        citation = cited_by_number(shown).get(str(request.path_params["number"])) if shown else None
        document = self._documents.find(citation.document) if citation else None
        if citation is None or document is None:
            return _page(say(language, "shared.gone" if shown is None else "page.gone"), 404)
        try:
            file = await in_pages(self._documents.cited, document, citation.page, citation.quote)
        except FAILURES as error:
            return _page(sentence(error, language), 409)
        return served(file, f"{document.file.rsplit('/', 1)[-1]}.pdf", PRIVATE)

    def _shared(self, request: Request) -> Report | None:
        run = self._manager.shared(request.path_params["token"])
        return run.view.report if run is not None else None


def _page(said: str, status: int, link: str = "") -> HTMLResponse:
    text = html.escape(said)
    shown = f'<a href="{link}">{text}</a>' if link else text
    body = f'<!DOCTYPE html><meta charset="utf-8"><title>Rabbithole</title><p>{shown}</p>'
    return HTMLResponse(body, status, headers=PRIVATE)
