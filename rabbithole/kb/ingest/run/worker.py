"""The process that reads documents: one JSON request a line on standard input, JSON answers on standard output.

Run as ``python -m rabbithole.kb.ingest.run.worker MEMORY_MB``, with ``mupdf.LAYOUT_VARIABLE`` set for the layout model.
It reports its position before every step that may hang, so that its parent knows what to skip after killing it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from rabbithole.kb import worker_process
from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.document.pdf_file import free_memory, save_unlocked
from rabbithole.kb.ingest.document.read_options import ReadOptions
from rabbithole.kb.ingest.formats.reader_choice import parse_file
from rabbithole.kb.mupdf import FAULTS, LAYOUT_VARIABLE

if sys.platform != "win32":
    import resource


def limit_memory(megabytes: int) -> None:
    """Cap the address space, on systems that support it."""
    if sys.platform != "win32" and megabytes > 0:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = megabytes * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))


def answer(request: dict[str, Any], tell: Callable[[str, int], None]) -> dict[str, Any]:
    """Answer one request {"path", "passwords", "layout", "avoid"} with {"document"} or {"error"}.

    If the request contains "unlocked", an unencrypted copy is written to that path and nothing is read. The answer is
    {"memory"} if memory ran out.
    """
    options = ReadOptions(
        passwords=tuple(map(str, request.get("passwords", ()))),
        layout=request.get("layout", "never"),
        avoid=frozenset((str(stage), int(page)) for stage, page in request.get("avoid", ())),
    )
    try:
        if target := request.get("unlocked"):
            save_unlocked(Path(request["path"]), options.passwords, Path(target))
            return {"unlocked": target}
        parsed = parse_file(Path(request["path"]), options, tell)
    except IngestError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"memory": True}
    except FAULTS as error:
        said = " ".join(str(error).split())[:160]
        return {"error": f"{Path(request['path']).name} cannot be read ({type(error).__name__}: {said})."}
    return {"document": parsed.model_dump(mode="json")}


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer requests until the input ends."""

    def send(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message, ensure_ascii=True) + "\n")
        answers.flush()

    send({"ready": os.getpid(), "layout": bool(os.environ.get(LAYOUT_VARIABLE))})
    for line in requests:
        send(answer(json.loads(line), lambda stage, page: send({"at": [stage, page]})))
        free_memory()


def main() -> None:
    if len(sys.argv) > 1:
        limit_memory(int(sys.argv[1]))
    worker_process.answer(serve)


if __name__ == "__main__":
    main()
