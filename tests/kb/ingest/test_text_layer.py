"""Text layers that nobody can read, and languages with other letters."""

from __future__ import annotations

import pytest

from rabbithole.kb.ingest.document.text_layer import is_unreadable


@pytest.mark.parametrize(
    ("text", "unreadable"),
    [
        ("Xsåtyérëéuçpiêêwé ÉsåçwêêWsÇstsÇr7üêÇwqvs syiééêüiqvëéusé Råâüâêwâéçâåréëéu rsåWéwÉsåçwê " * 9, True),
        ("Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. " * 9, False),
        ("Все люди рождаются свободными и равными в своем достоинстве и правах. " * 9, False),
        ("Všichni lidé se rodí svobodní a sobě rovní co do důstojnosti a práv. " * 9, False),
        ("Die Promotionsordnung gilt für alle Fakultäten. LaTeX und GmbH sind keine Zeichen dafür. " * 9, False),
        ("", False),
    ],
)
def test_garbled_letters_are_told_from_foreign_ones(text: str, unreadable: bool) -> None:
    assert is_unreadable(text) is unreadable
