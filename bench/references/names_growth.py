"""Measures what names cost as the collection grows: memory, opening, and the first references after a commit.

Run: ``python -m bench.references.names_growth [--documents 100000] [--keep FOLDER]`` builds a synthetic catalog of this
many documents and a small one. For a process that reads them it prints bytes for each document (what the large catalog
takes beyond the small one), and milliseconds of processor time to read and resolve the references of the first
document, of the others, and of one after another process's commit. Titles have four to fourteen words by Zipf's law;
one in five bears a standard's number, one in fifty an acronym.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

import psutil

from bench.figures import at_most
from rabbithole.kb import KnowledgeBase
from rabbithole.kb.models import BibliographyEntry, Document, Place, Section
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.index.index_choice import FORMAT, META
from rabbithole.kb.store.records import IndexedDocument

SMALL = 1000
READ, COMMITS = 100, 5
BYTES, MILLISECONDS = 1000, 100
_SYLLABLES = "an ber con de el fa gen hy in ka lo men no or pra qua ren sta ti um ver wa".split()
_VOCABULARY, _BATCH = 40_000, 1000
_SMALL_WORDS = "of the and for in on to with under from".split()
_SETTINGS = KbSettings.model_validate({"embedding_model": "hash"})


class Titles:
    """Synthetic documents by number, each always the same."""

    def __init__(self) -> None:
        draw = random.Random(0)
        self._words = ["".join(draw.choices(_SYLLABLES, k=draw.randint(2, 4))) for _ in range(_VOCABULARY)]
        self._shares = list(accumulate(1 / rank for rank in range(10, _VOCABULARY + 10)))

    @lru_cache(maxsize=200_000)  # noqa: B019
    def title(self, number: int) -> str:
        draw = random.Random(number)
        words = draw.choices(self._words, cum_weights=self._shares, k=draw.randint(4, 14))
        for place in range(2, len(words) - 1, 3):
            words[place] = draw.choice(_SMALL_WORDS)
        title = " ".join([words[0].capitalize(), *words[1:]])
        if number % 50 == 0:
            title += f" ({''.join(draw.choices('ABCDEFGHIKLMNOPRSTUVW', k=4))})"
        return f"ISO {number}-{1 + number % 9}:{1990 + number % 30} {title}" if number % 5 == 0 else title

    def document(self, number: int, count: int) -> IndexedDocument:
        """Return a document whose text and bibliography name others of the ``count`` documents."""
        draw = random.Random(-number)
        others = [self.title(draw.randrange(count)) for _ in range(6)]
        named = [f"It is done as described in {other}, and as {self.title(number)} says." for other in others[:3]]
        filler = [" ".join(draw.choices(self._words, cum_weights=self._shares, k=60)) for _ in range(2)]
        cited = "See [1], [2] and [3], ISO 20-3 and § 27 StrlSchG."
        text = "\n".join([self.title(number), *named, *filler, cited])
        name = f"{number:016x}"
        document = Document(
            id=name,
            collection=f"made{number % 5}",
            file=f"{number:06}.pdf",
            path=f"/{number:06}.pdf",
            title=self.title(number),
            language="en",
            pages=1,
            metadata={"year": 1990 + number % 30},
        )
        section = Section(
            id=f"{name}:s0", document=name, index=0, level=0, number="1", heading="", start=0, own_end=len(text),
            end=len(text), page=0, last_page=0, page_label="1",
        )  # fmt: skip
        entries = tuple(
            BibliographyEntry(label=str(place), text=f"A. Author, {title}, 2001.", title=title)
            for place, title in enumerate(others[3:], 1)
        )
        return IndexedDocument(
            document=document, text=text, page_starts=(0,), page_labels=("1",), sections=(section,), chunks=(),
            bibliography=entries,
        )  # fmt: skip


def build(folder: Path, titles: Titles, count: int) -> float:
    """Build or complete a catalog of ``count`` documents with their names; return processor seconds for the names."""
    with KnowledgeBase.open(folder, _SETTINGS, create=True) as kb:
        kb.store.begin()
        catalog = kb.store.catalog
        meta = {"embedding_model": "hash", "embedding_dimension": "64", "index_format": FORMAT}
        catalog.set_meta({**meta, META: kb.store.vector_kind})
        for first in range(kb.count(), count, _BATCH):
            records = [titles.document(number, count) for number in range(first, min(first + _BATCH, count))]
            catalog.publish([place.ordinal for place in catalog.stage(records)])
        kb.store.release()
        began = time.process_time()
        kb.resolve(kb.detect("ISO 20-3")[0])
        return time.process_time() - began


def commit(folder: Path, titles: Titles, count: int) -> None:
    """Add one more document, as another process would."""
    with KnowledgeBase.open(folder, _SETTINGS) as kb:
        kb.store.begin()
        catalog, record = kb.store.catalog, titles.document(kb.count(), count)
        catalog.publish([each.ordinal for each in catalog.stage([record])])
        kb.store.release()


def read(folder: Path, count: int, emit: Iterator[str]) -> None:
    """Run the reading process: print figures as JSON lines and read again for each input line."""
    draw = random.Random(1)
    numbers = [draw.randrange(count) for _ in range(READ + 1)]
    with KnowledgeBase.open(folder, _SETTINGS) as kb:
        opened = _seconds(kb, numbers[0])
        spent = [_seconds(kb, number) for number in numbers[1:]]
        _say(opened=opened, each=statistics.median(spent), resident=_resident(), private=_private())
        for _ in emit:
            _say(after=_seconds(kb, draw.randrange(count)), resident=_resident(), private=_private())


def _seconds(kb: KnowledgeBase, number: int) -> float:
    """Return the processor seconds to detect and resolve all references of one document."""
    began = time.process_time()
    name = f"{number:016x}"
    for reference in kb.references(name):
        kb.resolve(reference, at=Place(document=name, offset=reference.start))
    return time.process_time() - began


def _resident() -> int:
    return int(psutil.Process().memory_info().rss)


def _private() -> int:
    """Return the bytes of this process alone: without the pages of mapped files, which all processes share."""
    memory = psutil.Process().memory_info()
    return int(memory.rss - memory.shared)


def _say(**figures: float) -> None:
    print(json.dumps(figures), flush=True)


def measure(folder: Path, titles: Titles, count: int) -> dict[str, float]:
    """Return the figures that a process which reads the catalog reports."""
    command = [sys.executable, "-m", "bench.references.names_growth", "--read", str(folder), "--documents", str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        found: dict[str, float] = json.loads(process.stdout.readline())
        after = []
        for _ in range(COMMITS):
            commit(folder, titles, count)
            process.stdin.write("again\n")
            process.stdin.flush()
            said = json.loads(process.stdout.readline())
            after.append(said["after"])
            found |= {"resident after": said["resident"], "private after": said["private"]}
        process.stdin.close()
    return found | {"after": statistics.median(after), "worst": max(after)}


def compare(work: Path, count: int) -> None:
    titles = Titles()
    figures = []
    for size in (SMALL, count):
        folder = work / str(size)
        seconds = build(folder, titles, size)
        mega = (folder / "names.sqlite").stat().st_size / 1e6
        disk = f"{1e6 * mega / size:.0f} bytes a document on disk"
        print(f"{size} documents: names made in {seconds:.1f} s of the processor, {disk}", flush=True)
        figures.append(measure(folder, titles, size))
    small, large = figures
    for label, after in (("read", ""), ("read, after commits", " after")):
        grown, alone = (
            (large[f"{kind}{after}"] - small[f"{kind}{after}"]) / (count - SMALL) for kind in ("resident", "private")
        )
        whole = f"resident {large[f'resident{after}'] / 1e6:.0f} MB"
        print(f"bytes a document and process, {label}: {grown:.0f} (goal {BYTES}), {alone:.0f} private; {whole}")
        at_most(f"names, bytes a document and process, {label}", grown, BYTES)
    for label, key in (("first document after opening", "opened"), ("a document", "each")):
        print(f"{label}: {1000 * large[key]:.1f} ms ({1000 * small[key]:.1f} among {SMALL})")
    said = f"{1000 * large['after']:.1f} ms, at worst {1000 * large['worst']:.1f} (goal {MILLISECONDS})"
    print(
        f"after a commit until the references of a document are read: {said}; {1000 * small['after']:.1f} among {SMALL}"
    )
    at_most("names, first references after a commit", 1000 * large["after"], MILLISECONDS, " ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="where the catalogs are made (default: a folder that is removed)")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        read(options.read, options.documents, iter(sys.stdin))
    elif options.keep:
        compare(options.keep, options.documents)
    else:
        with tempfile.TemporaryDirectory() as folder:
            compare(Path(folder), options.documents)


if __name__ == "__main__":
    main()
