"""Makes the PDFs of the collections ``specs`` and ``werke`` that SOURCES.md calls made or converted.

Run: ``python -m bench.answering.questions.unseen.convert FOLDER PDFS``. It writes PDFS/specs and PDFS/werke from the
packages unpacked in FOLDER; the pages may break elsewhere with other fonts. The packages come from::

    apt-get download doc-debian base-files linux-doc-6.1 aisleriot kalzium-data kmymoney-common wesnoth-1.16-data
    for package in *.deb; do dpkg-deb -x "$package" FOLDER; done
    npm pack spdx-license-list@6.12.0 && tar -xzf spdx-license-list-6.12.0.tgz -C FOLDER
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lxml.etree
import lxml.html
import pymupdf

from bench.answering.annual_reports.printed import browser, print_page

from .plain_text import from_text

SPECS = {
    "debian_governance": (
        "usr/share/doc/debian/{}.txt.gz",
        "constitution social-contract bug-reporting bug-maint-info bug-maint-mailcontrol",
    ),
    "free_licences": ("usr/share/common-licenses/{}", "GPL-3 LGPL-2.1 MPL-2.0 Apache-2.0 CC0-1.0"),
    "kernel_process": (
        "usr/share/doc/linux-doc-6.1/html/process/{}.html",
        "1.Intro 2.Process 3.Early-stage 5.Posting 6.Followthrough submitting-patches code-of-conduct "
        "code-of-conduct-interpretation management-style stable-kernel-rules handling-regressions maintainer-netdev "
        "maintainer-pgp-guide embargoed-hardware-issues license-rules researcher-guidelines "
        "kernel-enforcement-statement deprecated submit-checklist",
    ),
}
WERKE = {
    "aisleriot_patiencen": ("usr/share/help/de/aisleriot/{}.xml", "*"),
    "kalzium_handbuch": ("usr/share/doc/HTML/de/{}/index.cache.bz2", "kalzium"),
    "kmymoney_handbuch": ("usr/share/doc/HTML/de/{}/index.cache.bz2", "kmymoney"),
    "lizenz_cc_by_nc_sa_de": ("package/licenses/{}.json", "CC-BY-NC-SA-3.0-DE"),
    "lizenz_dfsl": ("package/licenses/{}.json", "D-FSL-1.0"),
    "wesnoth_handbuch": ("usr/share/doc/wesnoth-1.16-data/{}.html", "manual.de"),
}
"""PDF -> where its files are in the packages, and their names in the order in which they are set."""

STORY = "body {font-size: 11pt} pre, code {font-family: monospace; font-size: 9pt}"
PRINT = "@page {size: A4; margin: 2cm} .file {break-before: page} td {padding: 2pt 8pt; vertical-align: top}"
JUNK = "//img | //script | //title | //link | //nav | //*[@class='headerlink' or @class='navCenter']"
BARS = "//*[@id='header' or @id='footer']"
BOXES = "//div[@class='note' or @class='tip' or @class='caution']/h3"
HEADINGS = "//h1 | //h2 | //h3 | //h4 | //h5 | //h6"
DOCBOOK = {"para": "p", "informaltable": "table", "row": "tr", "entry": "td", "tbody": "tbody", "listitem": "li"} | {
    "itemizedlist": "ul", "orderedlist": "ol", "term": "b", "emphasis": "em"
}  # fmt: skip
"""Element of DocBook -> element of HTML; the others become ``div``."""


def found(packages: Path, pattern: str) -> list[Path]:
    return sorted(packages.glob(pattern)) or sys.exit(f"{pattern} is in none of the packages in {packages}.")


def page_of(packages: Path, place: str, names: str, body_of: Callable[[Path], str]) -> str:
    """Return the files of a PDF as one HTML element, each as ``body_of`` returns it."""
    files = [file for one in names.split() for file in found(packages, place.format(one))]
    body = "".join(f'<div class="file">{body_of(file)}</div>' for file in files)
    return f"<div>{body}</div>"


def read(file: Path) -> str:
    """Return a file as HTML."""
    unpack = {".gz": gzip.decompress, ".bz2": bz2.decompress}.get(file.suffix, bytes)
    text = unpack(file.read_bytes()).decode("utf8")
    if file.suffix == ".xml":
        return from_docbook(text)
    if file.suffix == ".json":
        return from_text(json.loads(text)["licenseText"])
    return from_html(text) if file.suffix in (".html", ".bz2") else from_text(text)


def from_html(text: str) -> str:
    """Return the text of a web page without its bars. A file of KDE's holds many pages, one within the other."""
    files = text.replace("<FILENAME", '<div class="file"').replace("</FILENAME", "</div")
    page = lxml.html.document_fromstring(files.encode(), lxml.html.HTMLParser(encoding="utf8"))
    for element in page.xpath(f"{JUNK} | {BARS}"):
        element.drop_tree()
    for element in page.xpath(BOXES):  # "Note" is no section
        element.tag = "p"
    anchors = {*page.xpath("//@id | //a/@name")}
    for link in page.xpath("//a[@href]"):
        file, _, anchor = link.attrib.pop("href").partition("#")
        target = anchor or file.removesuffix(".html")
        if file.startswith(("http:", "https:")):
            link.set("href", f"{file}#{anchor}".rstrip("#"))
        elif target in anchors:
            link.set("href", f"#{target}")
    (body,) = page.xpath("//*[@role='main']") or page.xpath("//body")
    body.tag = "div"
    return lxml.html.tostring(body, encoding="unicode")


def from_docbook(text: str) -> str:
    root = lxml.etree.fromstring(text.encode(), lxml.etree.XMLParser(remove_comments=True))
    lxml.etree.strip_elements(root, "mediaobject", with_tail=False)
    for element in root.iter():
        element.attrib.clear()
        depth = sum(1 for _ in element.iterancestors())
        element.tag = f"h{depth}" if element.tag == "title" else DOCBOOK.get(element.tag, "div")
    return lxml.etree.tostring(root, encoding="unicode", method="html")


def set_story(body: str, path: Path) -> list[tuple[int, float]]:
    """Set HTML as a PDF; return the page (counted from 1) of each heading and its distance from the top in points."""
    places: list[tuple[int, float]] = []

    def note(at: Any) -> None:
        if at.heading and at.open_close & 1:
            places.append((at.page_num, at.rect[1]))

    sheet = pymupdf.paper_rect("a4")
    frame = pymupdf.Rect(56, 56, sheet.x1 - 56, sheet.y1 - 56)
    pymupdf.Story(body, STORY).write_with_links(lambda *_: (sheet, frame, None), note).save(path)
    return places


def print_chromium(body: str, path: Path) -> list[tuple[int, float]]:
    """Print HTML to a PDF; return the page (counted from 1) of each heading and its distance from the top in points."""
    program = browser() or sys.exit("Chromium, which prints the PDFs of werke, is missing.")
    page = f"<!doctype html><meta charset=utf-8><style>{PRINT}</style>{body}"
    print_page(page, path, program, "--generate-pdf-document-outline")
    with pymupdf.open(path) as document:
        return [(at, target["to"].y) for _, _, at, target in document.get_toc(simple=False)]


def set_outline(path: Path, body: str, places: list[tuple[int, float]]) -> None:
    """Take the outline's words from the HTML: both programs lose the space where the line of a heading breaks."""
    outline: list[tuple[int, str, int, float]] = []
    for element, place in zip(lxml.html.fromstring(body).xpath(HEADINGS), places, strict=True):
        level = min(int(element.tag[1]), outline[-1][0] + 1 if outline else 1)
        outline.append((level, " ".join(element.text_content().split()), *place))
    with pymupdf.open(stream=path.read_bytes()) as document:
        document.set_toc(outline)
        document.save(path, garbage=3, deflate=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("packages", type=Path, help="folder of the unpacked packages")
    parser.add_argument("pdfs", type=Path, help="folder that gets the folders specs and werke")
    options = parser.parse_args()
    for folder, sources, write in (("specs", SPECS, set_story), ("werke", WERKE, print_chromium)):
        (options.pdfs / folder).mkdir(parents=True, exist_ok=True)
        for name, (place, names) in sources.items():
            path, page = options.pdfs / folder / f"{name}.pdf", page_of(options.packages, place, names, read)
            set_outline(path, page, write(page, path))
            print(path)


if __name__ == "__main__":
    main()
