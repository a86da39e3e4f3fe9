"""What a report says was searched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest
from pdfs import write_pdf

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.workflow.report.findings import scope_of
from rabbithole.workflow.run.state import AnswerState

GARBLED = "Xsåtyérëéuçpiêêwé ÉsåçwêêWsÇstsÇr7üêÇwqvs syiééêüiqvëéusé Râüâêwâéçâåréëéu rsåWéwÉsåçwê "
STATE = AnswerState(day="2026-11-25")


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """Fees, a damaged file, a document without readable text, and a readable one of the same name elsewhere."""
    folder: Path = tmp_path_factory.mktemp("kb")
    write_pdf(folder / "club" / "fees.pdf", ["1 Fees\n\nMembers pay 20 euros a year to the club."], title="Fees")
    (folder / "club" / "broken.pdf").write_bytes(b"not a PDF")
    with pymupdf.open() as pdf:
        pdf.new_page().insert_textbox((40, 40, 560, 800), GARBLED * 30)
        pdf.save(folder / "club" / "keys.pdf")
    write_pdf(folder / "house" / "keys.pdf", ["1 Keys\n\nA key of the house costs 5 euros."], title="Keys")
    with KnowledgeBase.open(
        folder / "database", KbSettings(_env_file=None, embedding_model="hash", parse_workers=1), create=True
    ) as opened:
        for collection in ("club", "house"):
            opened.ingest([folder / collection], collection)
        yield opened


@pytest.mark.parametrize(
    ("collections", "searched", "unread"),
    [
        ((), 2, ("broken.pdf", "keys.pdf")),
        (("club",), 1, ("broken.pdf", "keys.pdf")),
        (("house",), 1, ()),  # the file of this name is readable here
        (("club", "house"), 2, ("broken.pdf", "keys.pdf")),
    ],
)
def test_only_readable_documents_count_as_searched(
    kb: KnowledgeBase, collections: tuple[str, ...], searched: int, unread: tuple[str, ...]
) -> None:
    scope = scope_of(kb, STATE, collections)
    assert (scope.searched, scope.unread) == (searched, unread)
    assert scope.collections == (collections or ("club", "house"))


def test_of_chosen_documents_the_files_that_cannot_be_read_are_no_matter(kb: KnowledgeBase) -> None:
    (fees,) = [one.id for one in kb.documents() if one.file == "fees.pdf"]
    scope = scope_of(kb, STATE, ("club",), (fees,))
    assert (scope.searched, scope.unread, len(scope.documents)) == (1, (), 1)
