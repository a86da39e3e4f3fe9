"""Chooses the reader of law XML by its root: German federal laws, Akoma Ntoso (LegalDocML) or Formex (EUR-Lex)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from lxml import etree

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.formats.blocks import Flow
from rabbithole.kb.ingest.formats.safe_xml import parse_xml
from rabbithole.kb.ingest.formats.size_limit import read_limited

from . import akoma_ntoso, formex, german_law

_READERS: Final[Mapping[str, Callable[[Any, str], Flow | None]]] = {
    german_law.ROOT: german_law.flow_of,
    akoma_ntoso.ROOT: akoma_ntoso.flow_of,
    **dict.fromkeys(formex.ROOTS, formex.flow_of),
}
"""Local name of the root -> reader, which gets the root and the file's name without its suffix."""


def read_law_xml(path: Path) -> Flow:
    """Read a law. Raises IngestError for any other kind of XML."""
    root = parse_xml(read_limited(path, "XML"), path.name)
    reader = _READERS.get(etree.QName(root).localname)
    flow = reader(root, path.stem) if reader else None
    if flow is None:
        raise IngestError(
            f"{path.name} is XML, of which only law formats are read (gesetze-im-internet.de, Akoma Ntoso, Formex); "
            "save it as HTML or PDF."
        )
    return flow
