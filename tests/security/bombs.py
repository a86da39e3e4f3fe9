"""Small files that grow without end for whoever reads them."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

TEXT = b"BT /F1 12 Tf 72 720 Td (Every filter is tested once a year under 12 of the Air Act and that is written.) Tj ET"
OTHER = b"BT /F1 12 Tf 90 400 Td (The result of a test is kept for ten years by the owner of the laboratory.) Tj ET"
PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents %d 0 R "
    b"/Resources << /Font << /F1 7 0 R >> /XObject << /X0 8 0 R >> /Pattern << /P0 8 0 R >> >> >>"
)
LETTER = b"[0 0 612 792]"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), entries, data)


def write_objects(path: Path, objects: Sequence[bytes]) -> Path:
    """A PDF of these objects, numbered from 1; the first is the catalog."""
    body, offsets = b"%PDF-1.5\n", []
    for number, each in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer << /Root 1 0 R /Size %d >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(body))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body + table + trailer)
    return path


def two_pages(path: Path, second: bytes, *more: bytes, media: bytes = LETTER, kids: bytes = b"3 0 R 4 0 R") -> Path:
    """The first page holds a sentence; ``second`` is the content of the other one, which may draw ``/X0``."""
    return write_objects(
        path,
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [%s] /Count 2 >>" % kids,
            PAGE % (LETTER, 5),
            PAGE % (media, 6),
            stream(TEXT),
            second,
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            *more,
        ],
    )


def laughing(path: Path) -> Path:
    """Drawings of drawings: 30 ** 8 texts."""
    forms = [
        stream(
            b"/X0 Do " * 30 if number < 8 else b"BT /F1 9 Tf 1 1 Td (ha) Tj ET",
            b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] "
            b"/Resources << /Font << /F1 7 0 R >> /XObject << /X0 %d 0 R >> >>" % (9 + number),
        )
        for number in range(9)
    ]
    return two_pages(path, stream(OTHER + b" /X0 Do"), *forms)


def tiled(path: Path) -> Path:
    """Quick to read; to be drawn with some hundred thousand million tiles."""
    tile = b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 0.001 /YStep 0.001"
    content = OTHER + b" /Pattern cs /P0 scn 0 0 600 700 re f"
    return two_pages(path, stream(content), stream(b"0 0 1 1 re f", tile + b" /Resources << >>"))


def deflated(path: Path) -> Path:
    """Operators without end, compressed twice: two kilobytes for 360 megabytes."""
    packer = zlib.compressobj(9)
    once = b"".join(packer.compress(b"0 0 m\n" * 10**6) for _ in range(60)) + packer.flush()
    return two_pages(path, stream(zlib.compress(once, 9), b"/Filter [/FlateDecode /FlateDecode]"))


def huge_page(path: Path) -> Path:
    return two_pages(path, stream(OTHER), media=b"[0 0 1000000 1000000]")


def huge_image(path: Path) -> Path:
    image = b"/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceRGB /BitsPerComponent 8"
    packed = stream(zlib.compress(bytes(1000)), image + b" /Filter /FlateDecode")
    return two_pages(path, stream(OTHER + b" q 600 0 0 700 0 0 cm /X0 Do Q"), packed)


def circular(path: Path) -> Path:
    return two_pages(path, stream(OTHER), kids=b"3 0 R 2 0 R")


def objects_of_objects(path: Path) -> Path:
    """An object stream that says it holds a thousand million objects and holds itself."""
    inner = b" ".join(b"%d 0" % number for number in range(9, 2000))
    packed = stream(zlib.compress(inner * 100), b"/Type /ObjStm /N 999999999 /First 10 /Filter /FlateDecode")
    return two_pages(path, stream(OTHER), packed)


def nested(path: Path) -> Path:
    return two_pages(path, stream(OTHER), b"[" * 200_000 + b"]" * 200_000)


def write_word(path: Path, body: str, prologue: str = "", size: int = 0) -> Path:
    """A Word document; with ``size``, of so many letters more that are all the same."""
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
    )
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("_rels/.rels", relations)
        with archive.open("word/document.xml", "w") as part:
            part.write(f"{prologue}<w:document {W}><w:body><w:p><w:r><w:t>{body}".encode())
            for _ in range(size // 1_000_000):
                part.write(b"x" * 1_000_000)
            part.write(b"</w:t></w:r></w:p></w:body></w:document>")
    return path
