"""An application that embeds Rabbithole: its own FastAPI app, with research as a stream of server-sent events.

RABBITHOLE_KB=data/database uvicorn examples.fastapi_app:app
curl -N 'http://127.0.0.1:8000/research?question=...'
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
from workflows.events import StartEvent

from rabbithole.kb import KnowledgeBase
from rabbithole.workflow import ResearchRequest, ResearchWorkflow
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.answer_events import AnswerRequest


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    with KnowledgeBase.open(os.environ.get("RABBITHOLE_KB")) as kb:
        app.state.kb = kb
        yield


app = FastAPI(title="My application", lifespan=lifespan)


@app.get("/research")
async def research(request: Request, question: str) -> StreamingResponse:
    """Stream the progress, the references followed and, at the end, the report."""
    workflow = ResearchWorkflow(request.app.state.kb)
    return stream(workflow, ResearchRequest(query=question, auto_approve=True))


@app.get("/answer")
async def answer(request: Request, question: str) -> StreamingResponse:
    """Stream what is searched, selected and read and, at the end, the answer."""
    return stream(AnswerWorkflow(request.app.state.kb), AnswerRequest(question=question))


def stream(workflow: ResearchWorkflow | AnswerWorkflow, start: StartEvent) -> StreamingResponse:
    async def events() -> AsyncIterator[str]:
        handler = workflow.run(start_event=start)
        async for event in handler.stream_events():
            yield f"event: {type(event).__name__}\ndata: {event.model_dump_json()}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")
