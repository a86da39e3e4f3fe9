"""A process that resolves the references of documents for another one: one JSON request and answer a line.

The first line says which knowledge base to open: {"folder", "settings"}; the answer is []. Each other line is {"mark",
"documents"}: the state of the knowledge base and the ordinals of documents; the answer is the rows of each, or null if
the knowledge base is in another state.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TextIO

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer requests until the input ends."""

    def send(answer: object) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    opening = json.loads(requests.readline())
    settings = KbSettings.model_validate(opening["settings"])
    with KnowledgeBase.open(Path(opening["folder"]), settings) as kb:
        send([])
        for line in requests:
            request = json.loads(line)
            send(kb.reference_rows(request["mark"], request["documents"]))


def main() -> None:
    private = os.dup(1)  # libraries that print must not disturb the protocol
    os.dup2(2, 1)
    with open(private, "w", encoding="utf-8") as answers:
        serve(sys.stdin, answers)


if __name__ == "__main__":
    main()
