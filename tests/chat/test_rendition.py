"""Documents without pages of their own open at the place too, on a sheet made of their text."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.workflow.chat.documents.served_documents import Documents
from rabbithole.workflow.chat.documents.uploads import safe_name

pytestmark = pytest.mark.slow

RULES = "<h1>Rules of samples</h1><script>x()</script>" + "".join(
    f"<h2>{number}. Part</h2><p>The limit of part {number} is {number} &lt; 99 mSv.</p>" for number in range(1, 41)
)


def test_a_quote_is_marked_on_the_sheet_of_its_paragraph(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "rules.html").write_text(RULES, encoding="utf-8")
    with KnowledgeBase.open(tmp_path / "kb", KbSettings(embedding_model="hash", parse_workers=1), create=True) as base:
        base.ingest([tmp_path / "docs"], "Rules")
        (document,) = base.documents()
        documents = Documents(base)
        quote = "The limit of part 25 is 25 < 99 mSv."
        place = base.find_quote(document.id, quote)
        assert place is not None
        view = documents.page(document, place.page, quote)
        assert (view.label, view.page, view.pages, view.found) == (place.page_label, place.page, 81, "exact")
        assert " ".join(word.text for word in view.words if word.marked) == quote
        assert documents.picture(document, place.page)[:4] == b"\x89PNG"
        with documents.marked(document, place.page, quote) as marked:
            assert marked.read(5) == b"%PDF-"
        with pytest.raises(KnowledgeBaseError):
            documents.page(document, 81, "")
        documents.close()


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("a.pdf", "a.pdf"), ("../x/A.PDF", "A.pdf"), ("law.html", "law.html"), ("a.b.docx", "a.b.docx"),
        ("a.exe", "a.exe.pdf"), ("...", "document.pdf"), ("..a/..html", "html.pdf"), ("", "document.pdf"),
    ],
)  # fmt: skip
def test_uploads_keep_the_ending_of_their_format(name: str, safe: str) -> None:
    assert safe_name(name) == safe
