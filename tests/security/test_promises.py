"""docs/security.md names the code and the test of each promise; both exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ROOT

PAGE = ROOT / "docs" / "security.md"
ROWS = [
    [cell.strip() for cell in line.strip("| ").split(" | ")]
    for line in PAGE.read_text(encoding="utf-8").partition("## Promises")[2].partition("\n## ")[0].splitlines()
    if line.startswith("| ") and not line.startswith("| promise")
]


def test_there_are_promises() -> None:
    assert len(ROWS) >= 10
    assert all(len(row) == 3 for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_promise_names_tests_that_exist(row: list[str]) -> None:
    named = re.findall(r"`((?:tests/)?[\w/]+\.py)`", row[2])
    assert named
    for name in named:
        path = ROOT / name if name.startswith("tests/") else Path(__file__).with_name(name)
        assert re.search(r"^(?:async )?def test_", path.read_text(encoding="utf-8"), re.MULTILINE), name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_a_promise_rests_on_is_there(row: list[str]) -> None:
    for name in re.findall(r"`([\w/]+\.py)`", row[1]):
        roots = (ROOT, ROOT / "rabbithole", ROOT / "rabbithole" / "workflow")
        assert any((root / name).is_file() for root in roots), name


def test_every_file_of_attacks_proves_a_promise() -> None:
    proofs = " ".join(row[2] for row in ROWS)
    files = {path.name for path in Path(__file__).parent.glob("test_*.py")} - {Path(__file__).name}
    assert not {name for name in files if name not in proofs}
