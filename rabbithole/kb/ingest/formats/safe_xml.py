"""Parses XML safely: no entities, no document type, no network, bounded depth."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from rabbithole.kb.errors import IngestError

_ENTITY = re.compile(rb"<!ENTITY\b")
_LOOKED_AT = 100_000


def parse_xml(data: bytes, name: str) -> Any:
    """Return the root element. Raises IngestError for broken XML and for files that declare their own entities."""
    if _ENTITY.search(data, 0, _LOOKED_AT):
        raise IngestError(f"{name} declares its own XML entities, which are not expanded; save it without them.")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        reason = " ".join(str(error).split())[:120]
        raise IngestError(f"{name} is damaged: its XML cannot be read ({reason}).") from error
