"""Decodes text files: the declared encoding, else UTF-8, else Windows-1252."""

from __future__ import annotations

import codecs
import re

from rabbithole.kb.errors import IngestError

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(
    rb"<meta[^>]{1,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})|"
    rb"<\?xml[^>]{1,200}?encoding\s*=\s*[\"']([\w.:-]{2,40})",
    re.I,
)
_LOOKED_AT = 4096
_MAX_ODD = 0.02
_ODD = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def decoded(data: bytes, name: str) -> tuple[str, str]:
    """Return the text and a warning ('' if there is none). Raises IngestError for binary data.

    A declared encoding that does not fit the bytes is ignored.
    """
    text, warning = _decoded(data, name)
    if len(_ODD.findall(text[:100_000])) > _MAX_ODD * min(len(text), 100_000):
        raise IngestError(
            f"{name} is not a text file but contains binary data; save it with the suffix of its real format."
        )
    return text, warning


def _decoded(data: bytes, name: str) -> tuple[str, str]:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(encoding, errors="replace"), ""
    match = _DECLARED.search(data, 0, _LOOKED_AT)
    said = (match[1] or match[2]).decode("ascii") if match else ""
    for encoding in dict.fromkeys((_known(said), "utf-8", "cp1252")):
        try:
            text = data.decode(encoding) if encoding else ""
        except UnicodeDecodeError:
            continue
        if encoding:
            wrong = said and _known(said) != encoding
            return text, f"the encoding it declares ({said}) is wrong; it was read as {encoding}" if wrong else ""
    return data.decode("latin-1"), "its encoding is unknown; accented letters may be wrong"


def _known(said: str) -> str:
    """Return the codec of a declared name, '' if it is unknown or cannot be right; Latin-1 means Windows-1252."""
    try:
        codec = codecs.lookup(said).name if said else ""
    except LookupError:
        return ""
    is_text = not codec or getattr(codecs.lookup(codec), "_is_text_encoding", True)
    if not is_text or codec.startswith(("utf-16", "utf-32", "utf-7")):  # the declaration was readable as ASCII
        return ""
    return "cp1252" if codec in ("iso8859-1", "ascii") else codec
