"""Acts that a text names only as amendments of another act."""

from __future__ import annotations

import pytest

from rabbithole.kb.references.detection.amendment import only_amends


@pytest.mark.parametrize(
    ("before", "mention", "after", "amends"),
    [
        (
            "das zuletzt durch ",
            "Artikel 1 des Gesetzes vom 3. Mai 2021",
            " (BGBl. I S. 3530) geändert worden ist",
            True,
        ),
        ("die durch die ", "Verordnung (EU) 2020/561", " (ABl. L 130 vom 24.4.2020, S. 18) geändert worden ist", True),
        ("die zuletzt durch ", "Artikel 2 der Verordnung vom 6. Juli 2021", " neu gefasst worden ist", True),
        ("Zuletzt geändert durch ", "Artikel 2 der Verordnung vom 14. September 2021", ".", True),
        ("Regulation (EU) 2017/745, as amended by ", "Regulation (EU) 2020/561", ", applies", True),
        ("das durch ", "§ 5 des Atomgesetzes", " ersetzt", False),
        ("Der Schutz wird durch ", "§ 5 des Atomgesetzes", " gewährleistet. Er ist geändert worden.", False),
        ("nach dem ", "Düngegesetz vom 9. Januar 2009", " (BGBl. I S. 54), das geändert worden ist", False),
        ("durch die ", "Genehmigung nach § 7 des Atomgesetzes", " (Anlage 1) wird erlaubt", False),
    ],
)
def test_only_amends(before: str, mention: str, after: str, amends: bool) -> None:
    text = before + mention + after
    assert only_amends(text, len(before), len(before) + len(mention)) is amends
