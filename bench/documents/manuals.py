"""Manuals that are split into HTML pages: whether "Section 4.2" is found on the right page without its link.

Run: ``python -m bench.documents.manuals FOLDER... [--misses]``, each folder a manual in HTML, with subfolders.

Such a mention is a link in most manuals, which tells the page that is meant. The pages are copied without these links
and ingested (with the hashing encoder), and each mention is resolved by its words alone. Links within a page, in
contents and in navigation do not count.
"""

from __future__ import annotations

import argparse
import posixpath
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from lxml import etree

from bench.figures import at_least
from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.formats.html.html_reader import parse_html
from rabbithole.kb.models import Place

GOAL = 0.95
_MENTION = re.compile(
    r"(?:Section|Chapter|Appendix|Abschnitt|Kapitel|Anhang)\s+(?P<number>[A-Z\d]+(?:\.\d+)+|\d+|[A-Z])\b", re.I
)
_NAVIGATION = frozenset("breadcrumb docnav list-of-tables navfooter navheader related toc".split())


class Mention(NamedTuple):
    """A mention on a page, and the page its link leads to. ``file`` and ``page`` are relative to the manual."""

    file: str
    words: str
    number: str
    page: str


def without_links(source: Path, copy: Path) -> list[Mention]:
    """Copy the pages without the links on mentions of sections, and return these mentions in order."""
    found: list[Mention] = []
    for path in sorted(each for each in source.rglob("*.html") if each.is_file()):
        file = path.relative_to(source).as_posix()
        try:
            root = parse_html(path.read_text("utf-8", "replace"), file)
        except IngestError:
            continue
        found += _taken_out(root, file)
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        (copy / file).write_bytes(etree.tostring(root, method="html", encoding="utf-8"))
    return found


def _taken_out(root: Any, file: str) -> Iterator[Mention]:
    for link in root.iter("a"):
        href = str(link.get("href") or "")
        mention = _MENTION.match(" ".join("".join(link.itertext()).split()))
        page = posixpath.normpath(posixpath.join(posixpath.dirname(file), unquote(href.partition("#")[0])))
        elsewhere = href and not href.startswith("#") and ":" not in href.split("/")[0] and page != file
        if not (mention and elsewhere) or link.get("accesskey") or _navigates(link):
            continue
        del link.attrib["href"]
        yield Mention(file, mention[0], mention["number"], page)


def _navigates(link: Any) -> bool:
    return any(
        around.tag == "nav" or not _NAVIGATION.isdisjoint((around.get("class") or "").split())
        for around in link.iterancestors()
    )


def judged(kb: KnowledgeBase, mentions: Sequence[Mention]) -> Iterator[tuple[Mention, str]]:
    """Yield each mention with the outcome: section, page (another section of it), wrong, missing, not detected."""
    held = {each.file: each for each in kb.documents()}
    of_file: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        if mention.page in held and mention.file in held:
            of_file[mention.file].append(mention)
    for file, expected in of_file.items():
        references = list(kb.references(held[file].id))
        for mention in expected:
            words = mention.words.casefold()
            reference = next((one for one in references if " ".join(one.text.split()).casefold() == words), None)
            if reference is None:
                yield mention, "not detected"
                continue
            references.remove(reference)
            found = kb.resolve(reference, at=Place(document=held[file].id, offset=reference.start))
            if found.status != "resolved":
                yield mention, "missing"
            elif found.file != mention.page:
                yield mention, "wrong"
            else:
                same = (found.number or "").split()[-1:] == [mention.number]
                yield mention, "section" if same else "page"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--misses", action="store_true", help="print every mention that is not right")
    options = parser.parse_args()
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as made:
            mentions = without_links(folder, Path(made) / "pages")
            settings = KbSettings(_env_file=None, embedding_model="hash")
            with KnowledgeBase.open(Path(made) / "kb", settings, create=True) as kb:
                kb.ingest([Path(made) / "pages"], "manual")
                rows = list(judged(kb, mentions))
        counts = Counter(outcome for _, outcome in rows)
        print(f"{folder}: {len(rows)} mentions: {', '.join(f'{count} {name}' for name, count in counts.most_common())}")
        right = counts["section"] + counts["page"]
        at_least(f"mentions of sections on other pages, {folder.name}: right page", right / max(len(rows), 1), GOAL)
        for mention, outcome in rows if options.misses else ():
            if outcome != "section":
                print(f"  {outcome}: {mention.file}: {mention.words} -> {mention.page}")


if __name__ == "__main__":
    main()
