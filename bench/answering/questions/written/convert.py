"""Makes the PDFs of the collections ``standards`` and ``hilfen`` from texts in Debian packages, as SOURCES.md says.

Run: ``python -m bench.answering.questions.written.convert FOLDER PDFS``, with the packages unpacked in FOLDER. It
writes PDFS/standards and PDFS/hilfen; the pages may break elsewhere with other fonts.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import lxml.etree
import lxml.html

from ..unseen.convert import HEADINGS, page_of, print_chromium, read, set_outline, set_story

LICENCES: Final = (
    "EUPL-1.2 ODbL-1.0 CDDL-1.1 CECILL-2.1 ESA-PL-strong-copyleft-2.4 CAL-1.0 APSL-2.0 RPL-1.5 LPPL-1.3c GFDL-1.3 "
    "CERN-OHL-S-2.0 TAPR-OHL-1.0 CDLA-Sharing-1.0 Hippocratic-2.1 NASA-1.3 OSET-PL-2.1 PPL Community-Spec-1.0 "
    "Watcom-1.0 Aladdin Artistic-2.0 IPA CPOL-1.02 Motosoto OCLC-2.0"
)
ADMIN: Final = (
    "bcache cgroup-v2 dynamic-debug-howto init initrd iostats md module-signing perf-security ramoops ras "
    "reporting-issues reporting-regressions security-bugs sysfs-rules sysrq tainted-kernels thunderbolt ext4 xfs "
    "bug-bisect bug-hunting lockup-watchdogs binfmt-misc edid java ldm nfs/nfs-rdma hw-vuln/spectre hw-vuln/l1tf "
    "mm/hugetlbpage mm/memory-hotplug mm/numa_memory_policy mm/userfaultfd pm/cpufreq pm/cpuidle pm/sleep-states"
)
SQLITE: Final = (
    "about appfileformat arch asyncvfs atomiccommit autoinc backup chronology copyright cpu crew deterministic "
    "different eqp faq fileformat2 flextypegood foreignkeys fts3 gencol howtocorrupt inmemorydb "
    "intern-v-extern-blob isolation json1 lang_aggfunc lang_altertable lang_createtable lang_transaction "
    "lang_upsert limits lockingv3 lts malloc mmap nulls optoverview partialindex pragma privatebranch psow quirks "
    "recovery rowvalue rtree security sharedcache shortnames stricttables tempfiles testing th3 threadsafe "
    "transactional unlock_notify uri wal whentouse whyc withoutrowid zeroconf"
)
STANDARDS: Final = {
    **{f"licence_{name.lower().replace('.', '_')}": ("package/licenses/{}.json", name) for name in LICENCES.split()},
    "linux_administration": ("usr/share/doc/linux-doc-6.1/html/admin-guide/{}.html", ADMIN),
    "sqlite": ("usr/share/doc/sqlite3/{}.html", SQLITE),
    "exim_specification": ("usr/share/doc/exim4-doc-html/spec_html/ch{}.html", "*"),
    "anarchism_faq": ("usr/share/doc/anarchism/html/{}.html", "secA[1-5] secB* secG[1-7] secI[1-8] secJ[1-7]"),
}
HILFEN: Final = {
    "debian_administration": ("usr/share/doc/debian-handbook/html/de-DE/{}.html", "foreword preface sect.*"),
    "debian_sicherheit": ("usr/share/doc/harden-doc/html/de-DE/{}.html", "*"),
    "gimp": ("usr/share/gimp/2.0/help/de/{}.html", "gimp-[a-i]* gimp-l* gimp-p* gimp-s* gimp-t*"),
    "gnome": ("usr/share/help/de/gnome-help/{}.page", "*"),
    "gnome_verwaltung": ("usr/share/help/de/system-admin-guide/{}.page", "*"),
    "evolution": ("usr/share/help/de/evolution/{}.page", "*"),
    "orca": ("usr/share/help/de/orca/{}.page", "*"),
    "brasero": ("usr/share/help/de/brasero/{}.page", "*"),
    "gnumeric": ("usr/share/help/de/gnumeric/{}.xml", "gnumeric"),
    "tabellen": ("usr/share/libreoffice/help/de/text/scalc/guide/{}.html", "*"),
    "textverarbeitung": ("usr/share/libreoffice/help/de/text/swriter/guide/{}.html", "*"),
    "buero": ("usr/share/libreoffice/help/de/text/shared/guide/{}.html", "*"),
    **{name: (f"usr/share/doc/HTML/de/{name}/{{}}.bz2", "index.cache") for name in (
        "kmail2 korganizer kaddressbook kontact krusader okular marble skrooge umbrello kexi kate katepart lokalize "
        "step kdenlive konsole kig kbibtex ktouch gwenview dolphin rocs cantor ktimetracker kgeography khangman"
    ).split()},
}  # fmt: skip
"""PDF -> where its files are in the packages, and their names in the order in which they are set."""

MALLARD: Final = {"list": "ul", "steps": "ol", "item": "li"} | {name: name for name in ("table", "tr", "td", "p", "em")}
"""Element of Mallard -> element of HTML; the others become ``div``, or ``span`` within a paragraph."""
UNSHOWN: Final = ("info", "media", "links", "comment")
BARS: Final = (
    "//*[@id='banner' or @id='title' or @id='Top'] | //ul[contains(@class, 'docnav')] | //form"
    " | //*[contains(@class, 'navheader') or contains(@class, 'navfooter') or @class='breadcrumbs' or @class='fancy']"
    " | //header | //footer | //aside | //*[@class='navbar' or @class='toc']"
)


def from_mallard(text: str) -> str:
    root = lxml.etree.fromstring(text.encode(), lxml.etree.XMLParser(remove_comments=True))
    for element in list(root.iter()):
        element.tag = lxml.etree.QName(element).localname
    lxml.etree.strip_elements(root, *UNSHOWN, with_tail=False)
    for element in root.iter():
        depth = 1 + sum(1 for one in element.iterancestors() if one.get("class") == "section")
        heading, inside = element.tag == "title", any(one.tag == "p" for one in element.iterancestors())
        tag = MALLARD.get(element.tag, "span" if inside else "div")
        kind = "section" if element.tag == "section" else ""
        element.attrib.clear()
        parent = element.getparent()
        whole = parent is root or (parent is not None and parent.get("class") == "section")
        element.tag = (f"h{depth}" if whole else "p") if heading else tag
        if kind:
            element.set("class", kind)
    return lxml.etree.tostring(root, encoding="unicode", method="html")


def body_of(file: Path) -> str:
    """Return a file as HTML, without bars of navigation."""
    if file.suffix == ".page":
        return from_mallard(file.read_text("utf8"))
    page = lxml.html.fromstring(f"<div>{read(file)}</div>")
    for element in page.xpath(BARS):
        if element.getparent() is not None:
            element.drop_tree()
    return lxml.html.tostring(page, encoding="unicode")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("packages", type=Path, help="folder of the unpacked packages")
    parser.add_argument("pdfs", type=Path, help="folder that gets the folders standards and hilfen")
    options = parser.parse_args()
    for folder, sources in (("standards", STANDARDS), ("hilfen", HILFEN)):
        (options.pdfs / folder).mkdir(parents=True, exist_ok=True)
        for name, (place, names) in sources.items():
            path, whole = options.pdfs / folder / f"{name}.pdf", page_of(options.packages, place, names, body_of)
            write = set_story if name.startswith("licence_") else print_chromium
            places = write(whole, path)
            if len(places) == len(lxml.html.fromstring(whole).xpath(HEADINGS)):  # Chromium leaves out empty headings
                set_outline(path, whole, places)
            print(path)


if __name__ == "__main__":
    main()
