"""The ledger in memory: entries being worked on are whole, all others packed to a few hundred bytes.

So the memory of a research is bound by what is in flight, and grows with what was met only by a tenth of it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from rabbithole.kb.models import Reference, Resolution
from rabbithole.steps.phases.references import Mention

from .ledger import LedgerEntry, entry_key

WHOLE: Final = ("running", "resolved")


class PackedLedger(Mapping[str, LedgerEntry]):
    """Entries by key; ``put`` is for the one who made this copy."""

    def __init__(self, entries: Mapping[str, LedgerEntry] | None = None) -> None:
        self._rows: dict[str, LedgerEntry | bytes] = {}
        if isinstance(entries, PackedLedger):
            self._rows = dict(entries._rows)
            return
        for entry in (entries or {}).values():
            self.put(entry)

    def put(self, entry: LedgerEntry) -> None:
        self._rows[entry.key] = entry if entry.status in WHOLE else pack(entry)

    def __getitem__(self, key: str) -> LedgerEntry:
        row = self._rows[key]
        return unpack(row) if isinstance(row, bytes) else row

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def keys_of(ledger: Iterable[str], task: int) -> list[str]:
    """Keys of one task's entries in canonical order."""
    prefix = entry_key(task, 0, 0)[:5]
    return sorted(key for key in ledger if key.startswith(prefix))


def pack(entry: LedgerEntry) -> bytes:
    packer = zlib.compressobj(1, zdict=_COMMON)
    return packer.compress(entry.model_dump_json().encode()) + packer.flush()


@lru_cache(maxsize=128)
def unpack(packed: bytes) -> LedgerEntry:
    return LedgerEntry.model_validate_json(zlib.decompressobj(zdict=_COMMON).decompress(packed))


def _common() -> bytes:
    """What all entries have in common: the names of their fields."""
    reference = Reference(start=0, end=1, text="§", kind="legal_section", target="§")
    resolution = Resolution(status="resolved", rule="key")
    mention = Mention(reference=reference, source="e", context="", resolution=resolution, place="", label="")
    entry = LedgerEntry(
        key=entry_key(0, 1, 0), task=0, depth=1, order=0, mention=mention, status="settled", decision="follow"
    )
    return entry.model_dump_json().encode()


_COMMON: Final = _common()
