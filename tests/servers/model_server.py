"""A small model server for tests: Ollama's native protocol and OpenAI's, streaming and not, with faults on demand.

Standard library only. Every call is recorded; ``busy`` counts the calls it is working on, so a test can see whether a
cancelled call really stopped.
"""

from __future__ import annotations

import json
import random
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from servers.answers import FRENCH, answer, fenced

FAULTS = (
    "refused",
    "status_500",
    "timeout",
    "hang",
    "truncated",
    "wrong_types",
    "empty",
    "other_language",
    "refusal",
    "repetition",
    "unloaded",
)
DEFAULT_MODEL = "qwen3:14b"


@dataclass
class Behaviour:
    """What the server does. ``script`` names the fault of the next calls, '' for none; then ``rate`` decides."""

    models: list[str] = field(default_factory=lambda: [DEFAULT_MODEL])
    context_length: int = 40_960
    capabilities: list[str] = field(default_factory=lambda: ["completion", "thinking"])
    rate: float = 0.0
    faults: Sequence[str] = FAULTS
    script: list[str] = field(default_factory=list)
    seconds: float = 0.0
    latency: tuple[float, float, float] | None = None  # seconds a call, tokens read and written a second
    pieces: int = 8
    ignores_schema_without_thinking: bool = False
    fixed_text: str | None = None
    slots: int = 64
    discerning: bool = False
    loading: bool = False
    characters_per_token: int = 3
    cuts_off_after: int | None = None  # tokens of a prompt it reads, whatever window was asked for
    holds: Callable[[Recorded, Sequence[Recorded]], bool] | None = None  # whether the last part of a call still waits


@dataclass
class Recorded:
    path: str
    body: dict[str, Any]
    fault: str
    started: float
    ended: float = 0.0


class ModelServer(ThreadingHTTPServer):
    """Listens on a free port of the loopback interface."""

    daemon_threads = True

    def __init__(self, behaviour: Behaviour | None = None, seed: int = 1) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behaviour = behaviour or Behaviour()
        self.calls: list[Recorded] = []
        self.busy = 0
        self.most_busy = 0
        self.lock = threading.Lock()
        self.slots = threading.Semaphore(self.behaviour.slots)
        self.random = random.Random(seed)
        self.stopping = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def fault(self) -> str:
        """The fault of the next call."""
        with self.lock:
            if self.behaviour.script:
                return self.behaviour.script.pop(0)
            if self.random.random() < self.behaviour.rate:
                return self.random.choice(list(self.behaviour.faults))
            return ""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is what many tests are about: no traceback."""


@contextmanager
def running(behaviour: Behaviour | None = None, seed: int = 1) -> Iterator[ModelServer]:
    """The server, listening, until the block ends."""
    server = ModelServer(behaviour, seed)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()


class Gone(Exception):
    """The client closed the connection."""


class Handler(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"
    TEXTS: ClassVar[dict[str, str]] = {
        "empty": "",
        "refusal": "I'm sorry, but I cannot help with that request.",
        "repetition": "und und " * 600,
    }

    def log_message(self, *args: Any) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        names = self.server.behaviour.models
        if self.server.behaviour.loading:
            self._json({"error": {"message": "Loading model", "code": 503}}, 503)
        elif self.path == "/api/tags":
            self._json({"models": [{"name": name, "model": name} for name in names]})
        elif self.path == "/api/version":
            self._json({"version": "0.12.6"})
        elif self.path == "/v1/models":
            length = self.server.behaviour.context_length
            self._json({"object": "list", "data": [{"id": name, "max_model_len": length} for name in names]})
        else:
            self._json({"error": "not found"}, 404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if self.path == "/api/show":
            shown = {"model_info": {"qwen3.context_length": self.server.behaviour.context_length}}
            self._json({**shown, "capabilities": self.server.behaviour.capabilities})
            return
        if self.path not in ("/api/chat", "/v1/chat/completions"):
            self._json({"error": "not found"}, 404)
            return
        record = Recorded(self.path, body, self.server.fault(), time.monotonic())
        with self.server.lock:
            self.server.calls.append(record)
            self.server.busy += 1
            self.server.most_busy = max(self.server.most_busy, self.server.busy)
        try:
            with self.server.slots:
                self._chat(record)
        except (Gone, BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            record.ended = time.monotonic()
            with self.server.lock:
                self.server.busy -= 1

    def _chat(self, record: Recorded) -> None:
        if record.body.get("model") not in self.server.behaviour.models:
            self._json({"error": f"model '{record.body.get('model')}' not found"}, 404)
        elif record.fault == "refused":
            self.close_connection = True
            self.connection.close()
        elif record.fault == "status_500":
            self._json({"error": "internal error"}, 500)
        elif record.fault == "unloaded":
            self._json({"error": "llama runner process no longer running"}, 500)
        elif record.fault == "timeout":
            self._wait(3600)
        else:
            self._answer(record)

    def _answer(self, record: Recorded) -> None:
        prompt = "\n".join(str(message.get("content") or "") for message in record.body["messages"])
        text = self._text(record, prompt)
        finish = "length" if record.fault in ("truncated", "repetition") else "stop"
        size = max(1, -(-len(text) // self.server.behaviour.pieces))
        parts = [text[start : start + size] for start in range(0, len(text), size)] or [""]
        per_token = self.server.behaviour.characters_per_token
        read = min(len(prompt) // per_token, self.server.behaviour.cuts_off_after or len(prompt))
        counts = (read, len(text) // per_token)
        seconds = self._seconds(counts)
        if not record.body.get("stream", self.path == "/api/chat"):
            self._wait(seconds)
            self._json(self._whole(text, finish, counts))
            return
        self._begin()
        for number, part in enumerate(parts):
            self._wait(seconds / len(parts))
            if record.fault == "hang" and number >= len(parts) // 2:
                self._wait(3600)
            while number == len(parts) - 1 and self._held(record):
                self._wait(0.02)
            self._send(self._delta(part))
        self._send(self._last(finish, counts))
        if self.path != "/api/chat":
            self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _held(self, record: Recorded) -> bool:
        with self.server.lock:
            calls = tuple(self.server.calls)
        return self.server.behaviour.holds is not None and self.server.behaviour.holds(record, calls)

    def _seconds(self, counts: tuple[int, int]) -> float:
        if self.server.behaviour.latency is None:
            return self.server.behaviour.seconds
        base, reading, writing = self.server.behaviour.latency
        return base + counts[0] / reading + counts[1] / writing

    def _text(self, record: Recorded, prompt: str) -> str:
        body, behaviour = record.body, self.server.behaviour
        if behaviour.fixed_text is not None:
            return behaviour.fixed_text
        if record.fault == "other_language":
            return " ".join((FRENCH, *(f"[{key}]" for key in list(fenced(prompt))[:1])))
        if record.fault in self.TEXTS:
            return self.TEXTS[record.fault]
        wrapped = (body.get("response_format") or {}).get("json_schema") or {}
        schema = body.get("format") or wrapped.get("schema")
        if behaviour.ignores_schema_without_thinking and body.get("think") is False:
            return "Here is what I think of it, in plain words and without any JSON at all."
        text = answer(prompt, schema, discerning=behaviour.discerning)
        if record.fault == "truncated":
            return text[: len(text) // 2]
        if record.fault == "wrong_types" and schema is not None:
            return json.dumps({key: {"wrong": [1, 2]} for key in schema.get("properties", {})})
        return text

    # --- the two protocols --------------------------------------------------------------------------------------------
    def _whole(self, text: str, finish: str, counts: tuple[int, int]) -> dict[str, Any]:
        if self.path == "/api/chat":
            return {**self._last(finish, counts), "message": {"role": "assistant", "content": text}}
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
        usage = {"prompt_tokens": counts[0], "completion_tokens": counts[1], "total_tokens": sum(counts)}
        return {**self._frame(), "object": "chat.completion", "choices": [choice], "usage": usage}

    def _frame(self) -> dict[str, Any]:
        model = self.server.behaviour.models[0]
        if self.path == "/api/chat":
            return {"model": model, "created_at": "2026-01-01T00:00:00Z"}
        return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": model}

    def _delta(self, text: str) -> dict[str, Any]:
        if self.path == "/api/chat":
            return {**self._frame(), "message": {"role": "assistant", "content": text}, "done": False}
        delta = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
        return {**self._frame(), "choices": [delta]}

    def _last(self, finish: str, counts: tuple[int, int]) -> dict[str, Any]:
        if self.path == "/api/chat":
            message = {"role": "assistant", "content": ""}
            done = {"done": True, "done_reason": finish, "prompt_eval_count": counts[0], "eval_count": counts[1]}
            return {**self._frame(), "message": message, **done}
        usage = {"prompt_tokens": counts[0], "completion_tokens": counts[1], "total_tokens": sum(counts)}
        return {**self._frame(), "choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": usage}

    # --- the wire -----------------------------------------------------------------------------------------------------
    def _begin(self) -> None:
        kind = "application/x-ndjson" if self.path == "/api/chat" else "text/event-stream"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def _send(self, item: dict[str, Any]) -> None:
        text = json.dumps(item, ensure_ascii=False)
        self._chunk((f"{text}\n" if self.path == "/api/chat" else f"data: {text}\n\n").encode())

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _json(self, item: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(item, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _wait(self, seconds: float) -> None:
        """Wait, but notice at once when the client goes away: a real server stops computing then."""
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.connection, selectors.EVENT_READ)
            while not self.server.stopping.is_set():
                left = end - time.monotonic()
                if left <= 0:
                    return
                if selector.select(min(left, 0.02)) and not self.connection.recv(1, socket.MSG_PEEK):
                    raise Gone  # closed by the other side
        raise Gone
