"""``rabbithole references`` and ``rabbithole resolve``: their JSON, what they show, and bad input."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rabbithole.kb.references.detection.detect import detect
from rabbithole.workflow.cli.commands.references import marked
from rabbithole.workflow.cli.marking import to_html

from .conftest import Cli, complained

TEXT = "Nach § 27 Abs. 3 StrlSchG gilt <b>Anlage 4</b>; siehe Section 5.2 of RFC 9110 und https://example.org/x."


def test_standard_input_gives_the_promised_shape(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    found = json.loads(cli("references", "-", "--json").out)
    assert set(found[0]) == {"start", "end", "text", "kind", "target", "document", "path", "method"}
    assert found[0]["path"] == [["§", "27"], ["Abs", "3"]]
    assert found[0]["document"] == "StrlSchG"
    assert all(TEXT[each["start"] : each["end"]] == each["text"] for each in found)


def test_a_text_file_is_marked_and_a_page_written(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    done = cli("references", "text.txt", "--html", "page.html")
    assert done.code == 0
    assert TEXT.split(";")[0] in done.out
    assert "legal_section" not in done.out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<mark class="legal_section"' in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Es gilt § 27 Abs. 3 StrlSchG für alle.", "1 Verweis: 1 Stelle eines Gesetzes oder genannten Dokuments"),
        ("Nach Absatz 1 und Absatz 2 der Anlage.", "2 Verweise: 2 Stellen desselben Dokuments"),
        (
            "This is in section 5.2 and not at https://a.org/b for us.",
            "2 references: 1 place in the same document, 1 web address",
        ),
        ("There is nothing to be seen in the sentence.", "No references."),
    ],
)
def test_the_sum_is_said_in_words(cli: Cli, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    assert cli("references", "text.txt", "--kb", "nowhere").out.splitlines()[-1].strip() == said


@pytest.mark.slow
def test_registered_names_are_found_with_a_knowledge_base(cli: Cli, sample_database: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Es gilt die Isotopenlaborverordnung.", encoding="utf-8")
    assert json.loads(cli("references", "text.txt", "--kb", "nowhere", "--json").out) == []
    (found,) = json.loads(cli("references", "text.txt", "--kb", sample_database, "--json").out)
    assert found["kind"] == "document_mention"


def test_a_pdf_is_read_as_ingestion_reads_it(cli: Cli, sample_pdfs: Path) -> None:
    found = json.loads(cli("references", sample_pdfs / "IsoLG.pdf", "--kb", "nowhere", "--json").out)
    assert any(each["text"].startswith("§ 17 Absatz 3 Satz 2") for each in found)


def test_what_cannot_be_read(cli: Cli, tmp_path: Path) -> None:
    complained(cli("references", "nowhere.txt"), 2, "nowhere.txt")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    complained(cli("references", "broken.pdf"), 1, "broken.pdf")
    (tmp_path / "empty.txt").write_bytes(b"")
    assert json.loads(cli("references", "empty.txt", "--json").out) == []
    (tmp_path / "noise.txt").write_bytes(bytes(range(256)) * 10)
    assert cli("references", "noise.txt").code == 0


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=60).map(lambda noise: f"{noise} § 5 Abs. 1 StrlSchG {noise}"))
def test_marking_keeps_every_word(text: str) -> None:
    found = detect(text)
    assert "<script" not in to_html(text, found, title=text)
    assert "\x1b" not in marked(text, found).plain


@pytest.mark.slow
def test_resolve_says_where_and_by_which_rule(cli: Cli, sample_database: Path) -> None:
    reference = "§ 17 Absatz 3 Satz 2 der Isotopenlaborverordnung"
    assert json.loads(cli("resolve", reference, "--kb", sample_database, "--json").out) == {
        "status": "resolved",
        "document": "IsoLV.pdf",
        "section": "§ 17",
        "heading": "Besondere Vorhaben",
        "page": 2,
        "page_label": "3",
    }
    shown = cli("resolve", reference, "--kb", sample_database)
    assert "rule:" in shown.out
    assert "p. 3 (PDF 3)" in shown.out


def test_resolve_says_missing_by_the_proper_name(cli: Cli, sample_database: Path) -> None:
    found = json.loads(cli("resolve", "§ 7 AtG", "--kb", sample_database, "--json").out)
    assert found["status"] == "missing"
    assert "Atomgesetz" in found["document"]
    assert found["page"] is None


def test_resolve_reads_relative_references_where_they_stand(cli: Cli, sample_database: Path) -> None:
    found = json.loads(cli("resolve", "§ 12", "--from", "IsoLG.pdf", "--kb", sample_database, "--json").out)
    assert (found["document"], found["heading"]) == ("IsoLG.pdf", "Nachweis der Fachkunde")
    complained(cli("resolve", "§ 12", "--from", "Nichts", "--kb", sample_database), 2, "Nichts")
    complained(cli("resolve", " ", "--kb", sample_database), 2, "empty")


def test_resolve_takes_a_bare_name(cli: Cli, sample_database: Path) -> None:
    assert json.loads(cli("resolve", "ILA SG-7", "--kb", sample_database, "--json").out)["document"] == "ILA SG-7.pdf"
