"""Documents over HTTP: list, choose, correct and remove them, and serve their files and pages by id."""

from __future__ import annotations

import os
from collections.abc import Mapping
from io import BufferedReader

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from rabbithole.kb.errors import UsageError
from rabbithole.kb.files import path_of
from rabbithole.kb.models import Document
from rabbithole.workflow.chat.documents.library import CorrectionBody, DocumentPanel, ScopeBody
from rabbithole.workflow.chat.documents.rendition import is_pdf
from rabbithole.workflow.chat.documents.served_documents import Documents
from rabbithole.workflow.chat.thread_pools import in_long, in_pages, in_ui

from .bodies import HttpError, read_body
from .guarded import PLAIN, PREFIX, Identify, guarded, number

PICTURE = {"cache-control": "private, max-age=3600", "content-encoding": "identity"}


class DocumentRoutes:
    def __init__(self, documents: Documents, library: DocumentPanel | None, identify: Identify) -> None:
        self.identify = identify
        self._documents = documents
        self._library = library

    def routes(self) -> list[Route]:
        document = f"{PREFIX}/documents/{{document}}"
        return [
            Route(f"{PREFIX}/library", self.library),
            Route(f"{PREFIX}/library/scope", self.choose, methods=["POST"]),
            Route(document, self.document),
            Route(f"{document}/remove", self.remove, methods=["POST"]),
            Route(f"{document}/correct", self.correct, methods=["POST"]),
            Route(f"{document}/again", self.again, methods=["POST"]),
            Route(f"{document}/file", self.file),
            Route(f"{document}/marked", self.marked),
            Route(f"{document}/pages/{{page:int}}", self.page),
            Route(f"{document}/pages/{{page:int}}.png", self.picture),
        ]

    @guarded
    async def library(self, request: Request, user: str) -> Response:
        """Return every document and the current scope of searches."""
        return JSONResponse(await in_ui(self._held().shown, user), headers=PLAIN)

    @guarded
    async def choose(self, request: Request, user: str) -> Response:
        await in_ui(self._held().choose, user, await read_body(request, ScopeBody))
        return JSONResponse({"taken": True})

    @guarded
    async def remove(self, request: Request, user: str) -> Response:
        await in_long(self._changed().remove, self._document(request))
        return JSONResponse({"removed": True})

    @guarded
    async def correct(self, request: Request, user: str) -> Response:
        body = await read_body(request, CorrectionBody)
        try:
            await in_long(self._changed().correct, self._document(request), body)
        except UsageError as error:
            raise HttpError(409, "documents.correct.refused") from error
        return JSONResponse({"corrected": True})

    @guarded
    async def again(self, request: Request, user: str) -> Response:
        """Read the document's file again and return its id, which is new if the file has changed."""
        try:
            read = await in_long(self._changed().read_again, self._document(request))
        except UsageError as error:
            raise HttpError(409, "documents.again.gone") from error
        if not read.id:
            raise HttpError(409, "documents.again.refused", reason=read.reason)
        return JSONResponse({"id": read.id})

    def _held(self) -> DocumentPanel:
        if self._library is None:
            raise HttpError(404, "refused.no_list")
        return self._library

    def _changed(self) -> DocumentPanel:
        panel = self._held()
        if not panel.editable:
            raise HttpError(403, "refused.documents_of_others")
        return panel

    @guarded
    async def document(self, request: Request, user: str) -> Response:
        found = self._document(request)
        return JSONResponse({"id": found.id, "title": found.title, "file": found.file, "pages": found.pages})

    def _document(self, request: Request) -> Document:
        found = self._documents.find(request.path_params["document"])
        if found is None:
            raise HttpError(404, "refused.no_document")
        return found

    @guarded
    async def file(self, request: Request, user: str) -> Response:
        document = self._document(request)
        return served(await in_pages(self._documents.open, document), document.file)

    @guarded
    async def marked(self, request: Request, user: str) -> Response:
        document = self._document(request)
        page, quote = number(request.query_params.get("page", "0")), request.query_params.get("quote", "")
        name = document.file if is_pdf(document) else f"{document.file}.pdf"
        return served(await in_pages(self._documents.marked, document, page, quote), name)

    @guarded
    async def page(self, request: Request, user: str) -> Response:
        document = self._document(request)
        quote = request.query_params.get("quote", "")
        view = await in_pages(self._documents.page, document, request.path_params["page"], quote)
        return JSONResponse({**view.model_dump(), "title": document.title, "file": document.file})

    @guarded
    async def picture(self, request: Request, user: str) -> Response:
        data = await in_pages(self._documents.picture, self._document(request), request.path_params["page"])
        return Response(data, media_type="image/png", headers=PICTURE)


def served(file: BufferedReader, name: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return a file, or a part of it, from the open handle that was checked; the path might name another file by now.

    Anything but a PDF is sent as a download, because a foreign HTML page would run with our origin.
    """
    pdf = name.lower().endswith(".pdf")
    return FileResponse(
        path_of(file),
        media_type="application/pdf" if pdf else "application/octet-stream",
        content_disposition_type="inline" if pdf else "attachment",
        filename=name.split("/")[-1],
        headers=headers,
        stat_result=os.fstat(file.fileno()),
        background=BackgroundTask(file.close),
    )
