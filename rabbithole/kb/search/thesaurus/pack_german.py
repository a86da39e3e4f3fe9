"""Make ``german.json.gz`` (groups of German words of the same meaning) from a thesaurus in the MyThes format.

Run: ``python -m rabbithole.kb.search.thesaurus.pack_german th_de_DE_v2.dat``. The file is that of OpenThesaurus
(openthesaurus.de, LGPL 2.1 or later) as packaged by Debian (``mythes-de``). Kept are single words; broader and narrower
terms, antonyms and associations are left out, and so are large groups, which are topics rather than meanings.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

OUT = Path(__file__).with_name("german.json.gz")
_OTHER_RELATION = re.compile(r"\((?:Oberbegriff|Unterbegriff|Assoziation|Antonym)\)")
_NOTE = re.compile(r"\s*\([^()]*\)")
_WORD = re.compile(r"[^\W\d_]{3,}(?:-[^\W\d_]+)*")
_LARGEST = 25


def meanings(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the terms of each meaning.

    A MyThes file has an encoding, then for each entry "word|number of meanings" and a line for each meaning.
    """
    rest = iter(lines)
    next(rest)
    for entry in rest:
        for _ in range(int(entry.rpartition("|")[2])):
            yield next(rest).split("|")[1:]


def group(terms: Iterable[str]) -> tuple[str, ...]:
    """Return the single words among the terms of a meaning, sorted, without notes such as "(ugs.)"."""
    plain = (_NOTE.sub("", term).strip() for term in terms if not _OTHER_RELATION.search(term))
    return tuple(sorted({word for word in plain if _WORD.fullmatch(word)}))


def main(source: Path) -> None:
    groups = {group(terms) for terms in meanings(source.read_text(encoding="utf-8").splitlines())}
    kept = sorted(each for each in groups if 1 < len(each) <= _LARGEST)
    text = json.dumps(["|".join(each) for each in kept], ensure_ascii=False, indent=0)
    OUT.write_bytes(gzip.compress(text.encode(), mtime=0))
    sys.stdout.write(f"{len(kept)} groups, {OUT.stat().st_size} bytes\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
