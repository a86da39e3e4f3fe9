"""Reads EPUB books into blocks: the chapters of the spine in order, each an HTML page."""

from __future__ import annotations

import posixpath
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import Any

from ebooklib import epub
from lxml import etree

from rabbithole.kb.errors import IngestError
from rabbithole.kb.models import Scalar

from .archive import require_archive
from .blocks import BlockLink, Flow, SourceBlock
from .encoding import decoded
from .html.html_reader import flow_of_html

_ENCRYPTED = "META-INF/encryption.xml"


def read_epub(path: Path) -> Flow:
    """Read an EPUB. Raises IngestError if it is damaged, protected or too large or has no chapters in its spine."""
    names = require_archive(path, "EPUB")
    book = _opened(path)
    chapters = [item for each in book.spine if (item := book.get_item_with_id(_id(each))) is not None]
    chapters = [item for item in chapters if not isinstance(item, epub.EpubNav)]
    if not chapters:
        raise IngestError(f"{path.name} lists no chapters in its spine, so the order of its text is unknown.")
    if _ENCRYPTED in names and not any(b"<" in (item.content or b"")[:2000] for item in chapters):
        raise IngestError(f"{path.name} is copy-protected and cannot be read.")
    blocks: list[SourceBlock] = []
    said: list[str] = []
    titles = dict(_titles(book.toc))
    for item in chapters:
        text, warning = decoded(item.content or b"", item.file_name)
        if not text.strip():
            continue
        found = flow_of_html(text, f"{path.name}: {item.file_name}").blocks
        title = titles.get(item.file_name, "")
        if title and found and not any(block.level for block in found):
            found = (SourceBlock(title, level=1), *found)
        blocks += _placed(found, item.file_name)
        said += [f"{item.file_name}: {warning}"] if warning else []
    properties = _properties(book)
    if (title := str(properties.get("title") or "")) and not any(title in block.text for block in blocks[:10]):
        blocks.insert(0, SourceBlock(title, level=1))
    return Flow(tuple(blocks), properties, tuple(said[:3]))


def _opened(path: Path) -> Any:
    try:
        with warnings.catch_warnings():  # the library warns about its own future changes
            warnings.simplefilter("ignore")
            return epub.read_epub(str(path), {"ignore_ncx": False})
    except (epub.EpubException, zipfile.BadZipFile, zlib.error, etree.XMLSyntaxError) as error:
        raise IngestError(f"{path.name} is damaged or not an EPUB: {' '.join(str(error).split())[:120]}.") from error
    except (KeyError, AttributeError, TypeError, IndexError, ValueError) as error:
        raise IngestError(f"{path.name} is damaged: its spine (the order of its chapters) cannot be read.") from error


def _id(entry: Any) -> str:
    return str(entry[0] if isinstance(entry, tuple) else entry)


def _titles(toc: Any) -> list[tuple[str, str]]:
    """Return (file, title) of the entries that lead to the beginning of a chapter's file."""
    found: list[tuple[str, str]] = []
    waiting = list(toc) if isinstance(toc, (list, tuple)) else []
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, (list, tuple)):
            waiting += list(entry)
        elif (href := getattr(entry, "href", "")) and "#" not in href and getattr(entry, "title", ""):
            found.append((href, " ".join(str(entry.title).split())))
    return found


def _placed(blocks: tuple[SourceBlock, ...], file: str) -> list[SourceBlock]:
    """Return a chapter's blocks with anchors and links made unique in the book: 'text/ch2.xhtml#note4'."""
    placed: list[SourceBlock] = []
    for index, block in enumerate(blocks):
        anchors = tuple(f"{file}#{name}" for name in block.anchors)
        links = tuple(BlockLink(link.start, link.end, _whole(link.address, file)) for link in block.links)
        placed.append(
            SourceBlock(
                block.text, block.level, block.kind, block.bold, (file, *anchors) if index == 0 else anchors, links
            )
        )
    return placed


def _whole(address: str, file: str) -> str:
    if address.startswith("#"):
        return f"{file}{address}"
    if ":" in address.split("/", 1)[0]:
        return address
    return posixpath.normpath(posixpath.join(posixpath.dirname(file), address))


def _properties(book: Any) -> dict[str, Scalar]:
    found: dict[str, Scalar] = {}
    for tag, name in (("title", "title"), ("creator", "author"), ("subject", "subject"), ("date", "date")):
        values = [str(value[0]).strip() for value in book.get_metadata("DC", tag) if value and value[0]]
        if values:
            found[name] = "; ".join(values)[:300] if name != "date" else values[0][:10]
    return found
