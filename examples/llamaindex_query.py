"""Rabbithole as the query engine of a LlamaIndex program: the answer, how sure it is, and the places it cites.

RABBITHOLE_KB=data/database python examples/llamaindex_query.py "Which doses are allowed?"
Needs no model; if the settings name one, it is used.
"""

from __future__ import annotations

import os
import sys

from llama_index.core.base.response.schema import Response

from rabbithole.kb import KnowledgeBase
from rabbithole.workflow.integrations.llamaindex import RabbitholeQueryEngine


def written(response: Response) -> str:
    """Return the answer, its probability, and one line per place cited."""
    said = response.metadata or {}
    lines = [str(response), "", f"{said['status']}, probability {said['probability']}"]
    for each in response.source_nodes:
        place = each.node.metadata
        verified = "verified" if place["verified"] else "not verified"
        lines.append(
            f"{place['marker']} {place['file']}, {place['section_path']}, p. {place['page_label']} ({verified})"
        )
    return "\n".join(lines)


def main() -> None:
    with KnowledgeBase.open(os.environ.get("RABBITHOLE_KB")) as kb:
        sys.stdout.write(written(RabbitholeQueryEngine(kb).query(sys.argv[1])) + "\n")


if __name__ == "__main__":
    main()
