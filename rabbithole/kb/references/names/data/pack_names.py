"""Make ``laws.json.gz`` (short names of German laws) from an index of their facts.

Run: ``python -m rabbithole.kb.references.names.data.pack_names [laws_index.jsonl]``; without an index only the keys of
the names (``known_works.json.gz``) are made again, as after a change of ``name_keys``. One row in, per law: ``jurabk``,
``amtabk``, ``kurzue``, ``langue``. One row out: abbreviation (canonical), then the other names it goes by.
"""

from __future__ import annotations

import gzip
import html
import json
import re
import sys
from pathlib import Path

from rabbithole.kb.notation.roman import to_roman
from rabbithole.kb.references.names.known_works import KnownWorks
from rabbithole.kb.references.names.name_index import known_laws

OUT = Path(__file__).with_name("laws.json.gz")
WORKS = Path(__file__).with_name("known_works.json.gz")
_YEAR = re.compile(r"\s(?:1[89]|20)\d\d(?:-\d\d)*$")
_NOTE = re.compile(r"\s*\((?:Artikel|Art\.|Bundes|BGBl)[^()]*(?:\([^()]*\)[^()]*)*\)?\s*$")
# Announcements, coin issues, appointments, amending acts: cited by their place of publication, not by name.
_EPHEMERAL = re.compile(
    r"Bek(?:\s|$)|^Münz|Ern(?:An)?[OV]|ÄndG|ÄndV|BestV|WidmV|Vtr|§|/EinigVtr|^EinigVtr.|LuftVODV|Prot|AnpV"
)
_ORDINALS = (
    "Erstes Zweites Drittes Viertes Fünftes Sechstes Siebtes Achtes Neuntes "
    "Zehntes Elftes Zwölftes Dreizehntes Vierzehntes"
).split()


def social_code(number: int) -> list[str]:
    """Return the names of one book of the Social Code."""
    roman, ordinal = to_roman(number), _ORDINALS[number - 1]
    return [
        f"SGB {roman}",
        f"SGB {number}",
        f"{ordinal} Buch Sozialgesetzbuch",
        f"{ordinal} Buch des Sozialgesetzbuchs",
        f"Sozialgesetzbuch {ordinal} Buch",
        f"Sozialgesetzbuch {roman}",
    ]


def names(row: dict[str, str | None]) -> list[str]:
    """Return the canonical abbreviation, then short and long name; empty if nobody cites the law by name."""
    abbreviation = row["amtabk"] or row["jurabk"] or ""
    plain = _YEAR.sub("", row["jurabk"] or "")
    if _EPHEMERAL.search(row["jurabk"] or "") or plain.startswith("SGB "):
        return []
    long = _NOTE.sub("", html.unescape(row["langue"] or "")).strip()
    candidates = [_YEAR.sub("", abbreviation), plain, row["kurzue"] or "", long if len(long) <= 140 else ""]
    return list(dict.fromkeys(name for name in candidates if len(name) > 1))


def main(source: Path) -> None:
    rows = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    laws = {tuple(found) for row in rows if (found := names(row))}
    laws |= {tuple(social_code(number)) for number in range(1, 15)}
    _pack(OUT, sorted(laws))
    sys.stdout.write(f"{len(laws)} laws, {OUT.stat().st_size} bytes\n")
    write_works()


def write_works() -> None:
    """Write all rows with their keys, so that no program has to make these."""
    _pack(WORKS, KnownWorks(known_laws()).data())


def _pack(path: Path, data: object) -> None:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    with path.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as packed:
        packed.write(text.encode())


if __name__ == "__main__":
    main(Path(sys.argv[1])) if len(sys.argv) > 1 else write_works()
