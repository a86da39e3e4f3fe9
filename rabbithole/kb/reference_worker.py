"""A process that resolves the references of documents for another one: one JSON request and answer a line.

The first line says which knowledge base to open: {"folder", "settings"}; the answer is []. Each other line is {"mark",
"documents"}: the state of the knowledge base and the ordinals of documents; the answer is the rows of each, or null if
the knowledge base is in another state.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TextIO

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.worker_process import answer


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer requests until the input ends."""

    def send(message: object) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    opening = json.loads(requests.readline())
    settings = KbSettings.model_validate(opening["settings"])
    with KnowledgeBase.open(Path(opening["folder"]), settings) as kb:
        send([])
        for line in requests:
            request = json.loads(line)
            send(kb.reference_rows(request["mark"], request["documents"]))


if __name__ == "__main__":
    answer(serve)
