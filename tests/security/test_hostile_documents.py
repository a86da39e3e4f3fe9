"""Titles, bookmarks, file names and text of documents whose author is hostile, wherever they are shown."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pdfs import write_pdf

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.workflow.chat.view.graph_layout import GraphLayout, MapEdge, MapNode
from rabbithole.workflow.chat.view.graph_svg import to_svg
from rabbithole.workflow.cli.app import run
from rabbithole.workflow.observability.picture import Arrow, Spot, picture

pytestmark = pytest.mark.slow

ESCAPE = "\x1b[2J\x1b]0;owned\x07"
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>"
LINK = "[click](javascript:alert(3))"
TEXT = (
    f"1 Filters\n\nEvery filter {ESCAPE} is tested once a year under § 12 of the Air Act.\n"
    "<script>alert(1)</script> is tested once a year.\n<img src=x onerror=alert(2)> is a filter.\n"
    f"The filter {LINK} is tested once a year."
)
NAME = f"filters {ESCAPE}<img src=x onerror=alert(4)>\n.pdf".replace("/", "_")
SHAPES = {"svg", "title", "style", "defs", "marker", "g", "rect", "path", "text"}
COMMANDS = [
    ["search", "filter tested", "-c", "Rules"],
    ["ask", "How often is a filter tested?", "-c", "Rules", "--no-input"],
    ["research", "How often is a filter tested?", "-c", "Rules", "--no-input"],
    ["kb", "stats"],
    ["kb", "check"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hostile")
    outline = [(1, f"1 Filters {MARKUP}{ESCAPE}", 1)]
    write_pdf(made / "pdf" / NAME, [TEXT, TEXT], title=f"Manual {ESCAPE}{MARKUP}", toc=outline)
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(made / "database", settings, create=True) as kb:
        report = kb.ingest([made / "pdf"], "Rules")
        assert report.pages == 2
    return made


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_nothing_of_a_document_moves_the_terminal(
    folder: Path, command: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNS_PATH", str(folder / "runs.sqlite"))
    run([*command, "--kb", str(folder / "database")])
    said = "".join(capfd.readouterr())
    assert said
    controls = {character for character in said if unicodedata.category(character) == "Cc"} - set("\n\r\t")
    assert not controls, controls


@pytest.mark.parametrize("form", ["report.html", "report.md", "graph.html"])
def test_nothing_of_a_document_becomes_markup(folder: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNS_PATH", str(folder / "runs.sqlite"))
    out = folder / form
    words = ["graph"] if form.startswith("graph") else ["research", "How often is a filter tested?", "--no-input"]
    assert run([*words, "-c", "Rules", "--kb", str(folder / "database"), "--out", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert not re.search(r"<img[^>]+onerror", page, re.IGNORECASE)
    assert not re.search(r"""(?:href=["']|\]\()\s*javascript:""", page, re.IGNORECASE)
    assert "\x1b" not in page


HOSTILE = [
    MARKUP,
    ESCAPE,
    LINK,
    '"/><script>x</script>',
    "]]><script>",
    "&lt;script&gt;",
    "\x00\ud800",
    "<!DOCTYPE x>",
    "'",
]


@pytest.mark.parametrize("title", HOSTILE)
def test_a_drawing_shows_titles_as_text(title: str) -> None:
    """The chat's map and the drawing of a run; an XML parser sees what a browser would."""
    node = MapNode(document="a", section="b", label=f"{title}, {title}", status="read", depth=0)
    edge = MapEdge(
        source=0, target=1, text=title, decision="follow", line="follow", reason=title, task=0, depth=1
    )  # fmt: skip
    burrow = GraphLayout(nodes=(node, node), edges=(edge,), width=9, height=9, full_height=9)
    spots = [Spot(id=one, label=title, colour="#fff") for one in "ab"]
    page = picture(title, spots, [Arrow(source="a", target="b", label=title)])
    for drawn in (to_svg(burrow, title), page[page.index("<svg") : page.index("</body>")]):
        elements = list(ElementTree.fromstring(drawn).iter())
        assert {one.tag.rpartition("}")[2] for one in elements} <= SHAPES
        assert not [name for one in elements for name in one.attrib if name.startswith("on") or "href" in name]
        assert any("script" in (one.text or "") for one in elements) == ("script" in title)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_in_either_form_of_unicode_is_one_document(tmp_path: Path, form: str) -> None:
    name = unicodedata.normalize(form, "Prüfung.pdf")
    write_pdf(tmp_path / "pdf" / name, ["1 Prüfung\n\nDie Prüfung findet jährlich statt und wird geschrieben."])
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        kb.ingest([tmp_path / "pdf"], "Rules")
        kb.ingest([tmp_path / "pdf"], "Rules")
        assert len(kb.documents()) == 1
