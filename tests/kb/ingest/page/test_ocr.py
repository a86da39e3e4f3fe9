"""Pages without text: read by OCR where it is installed, from encrypted files too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.document.pages_without_text import unreadable_layer
from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.document.pdf_file import save_unlocked
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.ocr import INSTALL, Recognised, ocr_available
from rabbithole.kb.ingest.page.ocr_lines import steadied
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.ingest.run.pool import ReaderPool
from rabbithole.kb.ingest.run.worker import answer
from rabbithole.kb.mupdf import pymupdf

GARBLED = "Xsåtyérëéuçpiêêwé ÉsåçwêêWsÇstsÇr7üêÇwqvs syiééêüiqvëéusé Råâüâêwâéçâåréëéu rsåWéwÉsåçwê " * 9
WORDS = "The permit holder shall keep the records\nof the measurements for thirty years."


def encrypted(source: Path, target: Path, password: str) -> Path:
    with pymupdf.open(source) as document:
        document.save(target, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=password, owner_pw="owner")
    return target


def scan(folder: Path, pages: int = 1) -> Path:
    """Pictures of printed pages."""
    printed = write_pdf(folder / "printed.pdf", [WORDS] * pages)
    with pymupdf.open(printed) as document, pymupdf.open() as copy:
        for page in document:
            picture = page.get_pixmap(dpi=150).tobytes("png")
            copy.new_page(width=page.rect.width, height=page.rect.height).insert_image(page.rect, stream=picture)
        copy.set_metadata({"creationDate": "D:20010203040506Z"})
        copy.save(folder / "scan.pdf")
    return folder / "scan.pdf"


def test_a_copy_without_encryption(tmp_path: Path) -> None:
    locked = encrypted(write_pdf(tmp_path / "a.pdf", [WORDS]), tmp_path / "locked.pdf", "secret")
    with pytest.raises(IngestError, match="needs a password"):
        save_unlocked(locked, [], tmp_path / "copy.pdf")
    request = {"path": str(locked), "passwords": ["secret"], "unlocked": str(tmp_path / "copy.pdf")}
    assert answer(request, lambda stage, page: None) == {"unlocked": str(tmp_path / "copy.pdf")}
    copy = parse_pdf(tmp_path / "copy.pdf")
    assert "thirty years" in copy.text
    assert not copy.encrypted


def test_a_file_with_an_empty_password_counts_as_encrypted(tmp_path: Path) -> None:
    plain = write_pdf(tmp_path / "a.pdf", [WORDS])
    assert not parse_pdf(plain).encrypted
    assert parse_pdf(encrypted(plain, tmp_path / "owner.pdf", "")).encrypted


def test_sizes_guessed_by_ocr_make_no_headings() -> None:
    sizes = [9.0, 10.0, 11.0, 10.5, 9.5, 18.0]
    lines = [
        TextLine(0, "so many letters", 72, 20.0 * n, 300, 20.0 * n + 10, 20.0 * n + 9, size, font="GlyphLessFont")
        for n, size in enumerate(sizes)
    ]
    assert [line.size for line in steadied(lines)] == [10.0] * 5 + [18.0]
    printed = [TextLine(0, "so many letters", 72, 0, 300, 10, 9, size, font="Times") for size in sizes]
    assert steadied(printed) == printed


@pytest.mark.parametrize(
    ("parsed", "expected"),
    [
        ({}, f"the text layer is unreadable and needs OCR; install it with `{INSTALL}` and ingest again"),
        ({"ocr_done": True}, "the text layer is unreadable, even after OCR"),
        ({"paged": False}, "the text layer is unreadable"),
    ],
)
def test_what_helps_against_an_unreadable_text_layer(parsed: Mapping[str, bool], expected: str) -> None:
    document = ParsedDocument(title="", text=GARBLED, page_starts=(0,), page_labels=("1",), sections=(), **parsed)
    assert unreadable_layer(document) == expected


def test_all_pages_of_an_unreadable_text_layer_are_read_by_ocr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    starts, labels = (0, 40), ("1", "2")
    garbled = ParsedDocument(title="", text=GARBLED, page_starts=starts, page_labels=labels, sections=())
    asked: list[list[int]] = []

    def recognised(path: Path, pages: Sequence[int], languages: str, folder: Path) -> Recognised:
        asked.append(list(pages))
        return Recognised(path, tuple(pages))

    monkeypatch.setattr("rabbithole.kb.ingest.run.pool.recognise", recognised)
    with ReaderPool(1, ocr_languages="deu") as readers:
        monkeypatch.setattr(readers, "_read", lambda path, passwords: garbled)
        found = readers.read(tmp_path / "a.pdf")
    assert asked == [[0, 1]]
    assert found.ocr_done
    assert found.warnings == ("pages 1-2 read by OCR",)


@pytest.mark.slow
@pytest.mark.skipif(not ocr_available(), reason="OCRmyPDF and Tesseract are not installed")
@pytest.mark.parametrize("password", [None, "", "secret"])
def test_a_scan_is_read(tmp_path: Path, password: str | None) -> None:
    path = scan(tmp_path)
    if password is not None:
        path = encrypted(path, tmp_path / "locked.pdf", password)
    with ReaderPool(1, ocr_languages="eng") as pool:
        found = pool.read(path, ["secret"] if password else [])
    assert "shall keep the records" in found.text
    assert found.ocr_done
    assert not found.drawn_pages
    assert found.properties["created"] == "2001-02-03"
    assert any("read by OCR" in warning for warning in found.warnings)
