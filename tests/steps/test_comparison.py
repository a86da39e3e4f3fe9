"""Two editions compared: which section is which, and which words changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.steps.comparison.align import Part, align
from rabbithole.steps.comparison.compare import compare
from rabbithole.steps.comparison.versions import find_version
from rabbithole.steps.comparison.words import compare_words
from rabbithole.workflow.report.comparison import shortened, to_html

LONG = "The operator measures the dose of every person at the vessel once a month and keeps the record for ten years."
OTHER = "Filters are tested before each campaign; the laboratory writes down the result and the name of the tester."


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a b c", "a  b\nc", [("same", "a b c")]),
        ("limit is 8 mSv a year", "limit is 6 mSv a year",
         [("same", "limit is"), ("removed", "8"), ("added", "6"), ("same", "mSv a year")]),
        ("one two the three four", "one deux the trois four",
         [("same", "one"), ("removed", "two the three"), ("added", "deux the trois"), ("same", "four")]),
        ("", "all new", [("added", "all new")]),
        ("all gone", "", [("removed", "all gone")]),
        ("", "", []),
    ],
)  # fmt: skip
def test_words(old: str, new: str, expected: list[tuple[str, str]]) -> None:
    assert [(each.change, each.text) for each in compare_words(old, new)] == expected


@given(st.lists(st.sampled_from("abcde"), max_size=30), st.lists(st.sampled_from("abcde"), max_size=30))
def test_both_texts_can_be_read_off_the_comparison(old: list[str], new: list[str]) -> None:
    found = compare_words(" ".join(old), " ".join(new))
    assert " ".join(each.text for each in found if each.change != "added").split() == old
    assert " ".join(each.text for each in found if each.change != "removed").split() == new


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([Part("§ 1", "A", "x")], [Part("§ 1", "A", "x")], [(0, 0)]),
        ([Part("§ 1", "A", LONG)], [Part("§ 1", "A", OTHER)], [(0, 0)]),
        ([Part("§ 1", "A", LONG)], [Part("§ 1", "B", OTHER), Part("§ 2", "A", LONG)], [(None, 0), (0, 1)]),
        ([Part("§ 1", "A", LONG), Part("§ 2", "B", OTHER)], [Part("§ 2", "B", OTHER)], [(0, None), (1, 0)]),
        ([Part("§ 1", "A", LONG)], [Part("§ 1", "Z", "Quite another thing.")], [(0, None), (None, 0)]),
        ([Part("Teil 1", "Old", "")], [Part("Teil 1", "New", "")], [(0, 0)]),
        ([Part("", "Title of 2012", "x")], [Part("", "Title", "y")], [(0, 0)]),
        ([], [Part("§ 1", "A", "x")], [(None, 0)]),
        (
            [Part("§ 3", "Dose", LONG), Part("§ 4", "Filters", OTHER)],
            [Part("§ 3", "Filters", OTHER), Part("§ 4", "Dose", LONG.replace("ten", "thirty"))],
            [(1, 0), (0, 1)],
        ),
    ],
)
def test_which_section_is_which(
    old: list[Part], new: list[Part], expected: list[tuple[int | None, int | None]]
) -> None:
    assert align(old, new) == expected


def test_long_stretches_that_are_the_same_are_shortened() -> None:
    text = " ".join(str(number) for number in range(200))
    middle = shortened(text, first=False, last=False)
    assert middle.startswith("0 1 ")
    assert middle.endswith(" 198 199")
    assert "[…]" in middle
    assert shortened("a b", first=True, last=False) == "a b"


OLD = (
    "# Rules of the vessel (2012)\n\n## 1. Scope\n\nAll vessels.\n\n"
    f"## 2. Dose\n\n{LONG}\n\n## 3. Old duty\n\n{OTHER}\n"
)
NEW = (
    "# Rules of the vessel (2017)\n\n## 1. Scope\n\nAll vessels.\n\n"
    f"## 2. Reports\n\nA report is written <b>daily</b>.\n\n## 3. Dose\n\n{LONG.replace('ten', 'thirty')}\n"
)


@pytest.mark.slow
def test_two_editions_of_a_document(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "rules_2012.md").write_text(OLD, encoding="utf-8")
    (folder / "rules_2017.md").write_text(NEW, encoding="utf-8")
    (folder / "metadata.csv").write_text("file,year,synonyms\nrules_2012.md,2012,RuV\nrules_2017.md,2017,RuV\n")
    with KnowledgeBase.open(tmp_path / "kb", KbSettings(embedding_model="hash", parse_workers=1), create=True) as kb:
        kb.ingest([folder], "Rules")
        old, new = (find_version(kb, name).document for name in ("RuV@2012", "RuV@2017"))
        assert (old.file, new.file) == ("rules_2012.md", "rules_2017.md")
        found = compare(kb, old, new)
        assert [(each.change, each.label) for each in found.differing] == [
            ("changed", "Rules of the vessel (2017)"),
            ("added", "2 Reports"),
            ("moved and changed", "3 Dose"),
            ("removed", "3 Old duty"),
        ]
        dose = found.sections[3]
        assert (dose.old.number, dose.new.number) == ("2", "3") if dose.old and dose.new else False
        assert [(each.change, each.text) for each in dose.words][1:3] == [("removed", "ten"), ("added", "thirty")]
        assert [each.label for each in compare(kb, old, new, section="1").sections] == ["1 Scope"]
        page = to_html(found)
        assert "<del>ten</del> <ins>thirty</ins>" in page
        assert "http" not in page
        for name, said in (
            ("RuV@1999", "held: rules_20"),
            ("nothing", "There is no document"),
            ("@2012", "does not name a document"),
        ):
            with pytest.raises(UsageError, match=said):
                find_version(kb, name)
        with pytest.raises(UsageError, match="has a section"):
            compare(kb, old, new, section="77")
