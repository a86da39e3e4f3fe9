"""Checks in any collection, without gold, whether literature call-outs reach a bibliography entry.

Run: ``python -m bench.references.literature KB_FOLDER [--show N] [--save FILE] [--against FILE]``.

Prints, for all documents of the knowledge base, how many call-outs reached an entry, and how many led to the citing
paper itself. Numbers are checked by ``bench.references.follows``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.models import Document, Place, Reference, Resolution
from rabbithole.kb.settings import KbSettings


def follows(kb: KnowledgeBase) -> list[tuple[Document, Reference, Resolution]]:
    """Return every reference of every document, with where it leads in the document's collection."""
    found: list[tuple[Document, Reference, Resolution]] = []
    for document in kb.documents():
        for one in kb.references(document.id):
            place = Place(document=document.id, offset=one.start)
            found.append((document, one, kb.resolve(one, at=place, collections=[document.collection])))
    return found


def reached_entry(resolution: Resolution) -> bool:
    """Return whether a call-out found its entry, held or missing."""
    return "bibliography entry" in resolution.rule or "identifier" in resolution.rule


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kb", type=Path)
    parser.add_argument("--show", type=int, default=0, help="print this many failures of each kind")
    parser.add_argument("--save", type=Path, help="write where each follow led")
    parser.add_argument("--against", type=Path, help="print what led elsewhere in a saved run")
    options = parser.parse_args()
    with KnowledgeBase.open(options.kb, KbSettings()) as kb:
        found = follows(kb)
    for style in ("academic_numbered", "academic_shortform"):
        cited = [(document, one, resolution) for document, one, resolution in found if one.kind == style]
        good = sum(reached_entry(resolution) for _, _, resolution in cited)
        itself = [each for each in cited if each[2].document == each[0].id]
        print(f"{style}: reached an entry {good}/{len(cited)}; led to the citing paper itself {len(itself)}   goal 0")
        lost = [each for each in cited if not reached_entry(each[2])]
        for document, one, resolution in lost[: options.show]:
            print(f"  no entry: {document.file} {one.text!r} {resolution.rule}")
    led = {f"{document.file} {one.start} {one.text} {one.target}": _spoken(to) for document, one, to in found}
    if options.against:
        before = json.loads(options.against.read_text("utf-8"))
        changed = [key for key, value in led.items() if before.get(key, value) != value]
        print(f"led elsewhere than before: {len(changed)}; new {len(led.keys() - before.keys())}")
        print("\n".join(f"  {key}: {before[key]} -> {led[key]}" for key in changed[: options.show]))
    if options.save:
        options.save.write_text(json.dumps(led, ensure_ascii=False, indent=0), encoding="utf-8")


def _spoken(resolution: Resolution) -> str:
    return f"{resolution.status} {resolution.file} {resolution.number} p. {resolution.page}"


if __name__ == "__main__":
    main()
