"""Bad files of every format: each is taken, or refused in one sentence; nothing hangs, nothing is fetched."""

from __future__ import annotations

import io
import socket
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from formats import law_xml, write_docx, write_epub, write_odt, write_zip

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.document.pages_without_text import judge_text
from rabbithole.kb.ingest.formats import archive
from rabbithole.kb.ingest.run.pool import ReaderPool

pytestmark = pytest.mark.slow

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000)
BOMB = (
    '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + "]>"
)
CONTENT_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
MACROS = "application/vnd.ms-word.document.macroEnabled.main+xml"
BODY = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{}</w:body></w:document>'
PARAGRAPH = "<w:p><w:r><w:t>Words here.</w:t></w:r></w:p>"

Maker = Callable[[Path, str], object]


def text(content: str | bytes) -> Maker:
    return lambda path, _: path.write_bytes(content.encode() if isinstance(content, str) else content)


def calling(content: str) -> Maker:
    """``URL`` in the content becomes an address on which the test listens."""
    return lambda path, url: path.write_text(content.replace("URL", url), encoding="utf-8")


def word(body: str, kind: str = WORD, **parts: str | bytes) -> Maker:
    return lambda path, url: write_zip(
        path,
        {
            "[Content_Types].xml": CONTENT_TYPES.format(kind=kind),
            "_rels/.rels": RELATIONS,
            "word/document.xml": body.replace("URL", url),
            **{
                name.replace("__", "/").replace("_xml", ".xml").replace("_bin", ".bin"): each
                for name, each in parts.items()
            },
        },
    )


def cut(make: Callable[[Path], Path], share: float) -> Maker:
    def write(path: Path, _: str) -> None:
        whole = make(path).read_bytes()
        path.write_bytes(whole[: int(len(whole) * share)])

    return write


def zipped(parts: dict[str, str | bytes]) -> Maker:
    return lambda path, url: write_zip(
        path, {name: each.replace("URL", url) if isinstance(each, str) else each for name, each in parts.items()}
    )


def encrypted_flag(path: Path, _: str) -> None:
    """A ZIP whose only member says it is encrypted."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive_file:
        archive_file.writestr("content.xml", "x")
    data = bytearray(buffer.getvalue())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)


def simple_docx(path: Path) -> Path:
    return write_docx(path, [("Heading 1", "Scope"), ("Normal", "Words here.")])


def epub_without_spine(path: Path, _: str) -> None:
    write_epub(path, {"a.xhtml": "<p>Words.</p>"})
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    opf = next(name for name in parts if name.endswith(".opf"))
    start, end = parts[opf].index(b"<spine"), parts[opf].index(b"</spine>") + len(b"</spine>")
    write_zip(path, {**parts, opf: parts[opf][:start] + parts[opf][end:]})


BAD: list[tuple[str, Maker, str]] = [
    # name, how it is made, what is said of it ('' when it is taken)
    ("empty.html", text(""), "is empty"),
    ("blank.html", text("<html><body> </body></html>"), "has no text"),
    (
        "images.html",
        calling("<p>Look <img src='URL/a.png'><object data='URL/b'></object><iframe src='URL/c'></iframe></p>"),
        "",
    ),
    ("script.html", text("<script>document.write('no')</script><p>Words here.</p>"), ""),
    (
        "style.html",
        calling("<link rel=stylesheet href='URL/a.css'><style>@import 'URL/b.css'</style><p>Words.</p>"),
        "",
    ),
    ("lists.html", text("<ul><li>" * 10_000 + "deep"), "thousands deep"),
    ("divs.html", text("<p>Words.</p>" + "<div>" * 200_000), "thousands deep"),
    ("tables.html", text("<table><tr><td>" * 300 + "deep"), ""),
    ("latin.html", text("<meta charset=utf-8><p>Prüfung der Größe</p>".encode("latin-1")), ""),
    ("unknown.html", text("<meta charset=x-klingon><p>Words here.</p>"), ""),
    ("utf16.html", text("\ufeff<p>Größe und Maß</p>".encode("utf-16-le")), ""),
    ("binary.html", text(bytes(range(32)) * 500), "binary data"),
    ("pdf.html", text(b"%PDF-1.4\n" + b"x" * 200), "is a PDF with another suffix"),
    ("zip.html", text(b"PK\x03\x04" + bytes(200)), "is an archive (a Word file, an EPUB or a ZIP) with another suffix"),
    ("entities.html", calling('<!DOCTYPE html [<!ENTITY x SYSTEM "URL/e">]><p>Words &x; here.</p>'), ""),
    ("attributes.html", text("<p " + " ".join(f"a{n}='x'" for n in range(10_000)) + ">Words.</p>"), ""),
    ("paragraphs.html", text("<p>x" * 151_000), "more than 150000 paragraphs"),
    ("large.html", text("<p>Words of one paragraph, and more.</p>\n" * 1_300_000), "read up to 25 MB"),
    ("huge.txt", lambda path, _: _sparse(path, 200_000_000), "read up to 20 MB"),
    ("empty.txt", text(""), "is empty"),
    ("nul.txt", text(b"\x00" * 5_000), "binary data"),
    ("line.txt", text("word " * 100_000), ""),
    ("feeds.txt", text("\f" * 20_000), "has no text"),
    ("pages.txt", text(("Words here.\n\n" * 12 + "\f") * 3_000), ""),
    ("empty.md", text("---\ntitle: x\n---\n"), "has no text"),
    ("quotes.md", text("> " * 5_000 + "deep"), "no text"),
    ("brackets.md", text("[" * 20_000 + "x" + "](y)" * 1_000), ""),
    ("raw.md", calling("# Words\n\n<script src='URL/x.js'></script>\n\n![](URL/a.png) more"), ""),
    ("cut.docx", cut(simple_docx, 0.5), "damaged"),
    ("noise.docx", text(b"PK\x03\x04" + bytes(5_000)), "damaged"),
    ("old.docx", text(OLE), "encrypted or in a format from before 2007"),
    ("macros.docx", word(BODY.format(PARAGRAPH), MACROS, word__vbaProject_bin=b"x"), "macros"),
    ("entities.docx", word(BOMB + BODY.format("<w:p><w:r><w:t>&j;</w:t></w:r></w:p>")), "damaged"),
    ("external.docx", word('<!DOCTYPE x [<!ENTITY e SYSTEM "URL/x">]>' + BODY.format(PARAGRAPH + "&e;")), ""),
    ("broken.docx", word(BODY.format(PARAGRAPH)[:-20]), "damaged"),
    ("other.docx", zipped({"xl/workbook.xml": "<x/>"}), "not a Word document"),
    ("bomb.docx", lambda path, _: _zip_bomb(path, "word/document.xml"), "unpacks to"),
    ("cut.odt", cut(lambda path: write_odt(path, "<text:p>Words</text:p>"), 0.6), "damaged"),
    ("locked.odt", encrypted_flag, "encrypted"),
    ("entities.odt", zipped({"content.xml": BOMB + "<x>&j;</x>"}), "entities"),
    ("broken.odt", zipped({"content.xml": "<x><y></x>"}), "damaged"),
    ("sheet.odt", zipped({"content.xml": "<x/>"}), "without text"),
    ("deep.odt", lambda path, _: write_odt(path, "<text:section>" * 5_000), "damaged"),
    ("cut.epub", cut(lambda path: write_epub(path, {"a.xhtml": "<p>Words.</p>"}), 0.7), "damaged"),
    ("spineless.epub", epub_without_spine, "spine"),
    ("other.epub", zipped({"a.txt": "x"}), "damaged"),
    ("bomb.epub", lambda path, _: _zip_bomb(path, "a.xhtml"), "unpacks to"),
    ("foreign.xml", text("<?xml version='1.0'?><feed><entry/></feed>"), "only law formats are read"),
    (
        "entities.xml",
        calling('<!DOCTYPE d [<!ENTITY x SYSTEM "URL/x">]><dokumente><norm>&x;</norm></dokumente>'),
        "entities",
    ),
    ("cut.xml", text(law_xml("G", [("§ 1", "Zweck", "<P>x</P>")])[:-30]), "damaged"),
    ("bare.xml", text("<dokumente><norm/></dokumente>"), ""),
    ("none.xml", text("<akomaNtoso/>"), "only law formats are read"),
    ("deep.xml", text("<akomaNtoso><act>" + "<part>" * 5_000), "damaged"),
]


def _sparse(path: Path, size: int) -> None:
    with path.open("wb") as stream:
        stream.truncate(size)


def _zip_bomb(path: Path, name: str) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bomb, bomb.open(name, "w") as part:
        for _ in range(archive.MAX_PART // 10_000_000 + 1):
            part.write(bytes(10_000_000))


@pytest.fixture(scope="module")
def pool() -> Iterator[ReaderPool]:
    with ReaderPool(1, timeout=240.0) as readers:
        yield readers


@pytest.fixture(scope="module")
def listener() -> Iterator[socket.socket]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        listening.setblocking(False)
        yield listening


@pytest.mark.parametrize(("name", "make", "said"), BAD, ids=[name for name, _, _ in BAD])
def test_a_bad_file_is_taken_or_refused_in_one_sentence(
    name: str, make: Maker, said: str, tmp_path: Path, pool: ReaderPool, listener: socket.socket
) -> None:
    path = tmp_path / name
    make(path, f"http://127.0.0.1:{listener.getsockname()[1]}")
    try:
        parsed = pool.read(path)
        judge_text(parsed, name)
    except IngestError as error:
        sentence = str(error)
        assert said, sentence
        assert said in sentence
        assert sentence.startswith(name)
        assert "\n" not in sentence
        assert sentence.endswith(".")
    else:
        assert not said, f"taken: {parsed.text[:80]!r}"
        assert parsed.text.strip()
        assert "document.write" not in parsed.text
    with pytest.raises(BlockingIOError):
        listener.accept()
