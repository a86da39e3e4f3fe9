"""A form of reference of your own: ``[[IsoLV#17.3]]``, as a wiki might write it, found and resolved.

Run: ``python examples/own_reference_form.py TEXT``; RABBITHOLE_KB names the knowledge base. A form that many documents
use belongs in the grammar instead: CONTRIBUTING.md says how.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

from rabbithole.kb import KnowledgeBase, Reference

FORM = re.compile(r"\[\[(?P<name>[^\]#]+)#(?P<section>\w+)(?:\.(?P<paragraph>\w+))?\]\]")


def own_references(kb: KnowledgeBase, text: str) -> Iterator[tuple[str, Reference]]:
    """Yield each mark of this form with the reference it stands for.

    The mark is rewritten as the documents themselves would cite, then detected like any other reference.
    """
    for mark in FORM.finditer(text):
        paragraph = f" Abs. {mark['paragraph']}" if mark["paragraph"] else ""
        for reference in kb.detect(f"§ {mark['section']}{paragraph} {mark['name']}"):
            yield mark[0], reference


def main() -> None:
    with KnowledgeBase.open(os.environ.get("RABBITHOLE_KB")) as kb:
        for mark, reference in own_references(kb, sys.argv[1]):
            place = kb.resolve(reference)
            heading = kb.section_by_id(place.section).label if place.section else "-"
            print(f"{mark}: {place.status}, {heading}")


if __name__ == "__main__":
    main()
