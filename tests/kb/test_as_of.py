"""The knowledge base as of a day: what was in force then, and where references lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.as_of import on_day
from rabbithole.kb.editions_in_force import DatedEdition, not_in_force, parsed_day
from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Reference

W = frozenset({"w"})


@pytest.mark.parametrize(
    ("documents", "day", "hidden"),
    [
        ([DatedEdition("a", "2012-05-03")], "2012-05-02", {"a"}),
        ([DatedEdition("a", "2012-05-03")], "2012-05-03", set()),
        ([DatedEdition("a", "")], "1900-01-01", set()),
        ([DatedEdition("a", "2012-01-01", works=W), DatedEdition("b", "2021-01-01", works=W)], "2016-05-01", {"b"}),
        ([DatedEdition("a", "2012-01-01", works=W), DatedEdition("b", "2021-01-01", works=W)], "2022-05-01", {"a"}),
        ([DatedEdition("a", "2012-01-01", works=W), DatedEdition("b", "2012-01-01", works=W)], "2022-05-01", set()),
        ([DatedEdition("a", "", works=W), DatedEdition("b", "2021-01-01", works=W)], "2022-05-01", set()),
        ([DatedEdition("a", "2012-01-01", until="2015-12-31")], "2016-01-01", {"a"}),
        (
            [DatedEdition("a", "1999-06-01", replaced_by=frozenset({"b"})), DatedEdition("b", "2014-06-01")],
            "2014-05-31",
            {"b"},
        ),
        (
            [DatedEdition("a", "1999-06-01", replaced_by=frozenset({"b"})), DatedEdition("b", "2014-06-01")],
            "2014-06-01",
            {"a"},
        ),
        ([DatedEdition("a", "1999-06-01", replaced_by=frozenset({"b"})), DatedEdition("b", "")], "2014-06-01", set()),
    ],
)
def test_what_was_in_force(documents: list[DatedEdition], day: str, hidden: set[str]) -> None:
    assert not_in_force(documents, day) == hidden


@pytest.mark.parametrize(
    ("text", "day"), [("2016-05-01", "2016-05-01"), ("2016-05", "2016-05-01"), ("2016", "2016-01-01")]
)
def test_days(text: str, day: str) -> None:
    assert parsed_day(text) == day
    for wrong in ("yesterday", "2016-13", "1.5.2016", ""):
        with pytest.raises(UsageError, match="is not a date"):
            parsed_day(wrong)


@pytest.mark.slow
def test_two_days_give_two_editions(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for year, limit in ((2012, 8), (2017, 6)):
        (folder / f"rules_{year}.md").write_text(
            f"# Rules of the vessel ({year})\n\n## 1. Scope\n\nAll.\n\n## 2. Dose\n\nThe limit is {limit} mSv.\n",
            encoding="utf-8",
        )
    (folder / "metadata.csv").write_text(
        "file,synonyms,in_force_from\nrules_2012.md,RuV,2012-05-03\nrules_2017.md,RuV,2017-10-01\n", encoding="utf-8"
    )
    reference = Reference(
        start=0, end=13, text="section 2 RuV", kind="section", target="RuV 2", document="RuV", path=(("section", "2"),)
    )
    with KnowledgeBase.open(tmp_path / "kb", KbSettings(embedding_model="hash", parse_workers=1), create=True) as kb:
        kb.ingest([folder], "Rules")
        assert on_day(kb, "") is kb
        for day, file, limit in (("2016-05-01", "rules_2012.md", "8"), ("2018", "rules_2017.md", "6")):
            then = on_day(kb, day)
            assert {hit.file for hit in then.search("limit of the dose").hits} == {file}
            found = then.resolve(reference)
            assert (found.status, found.file, found.number) == ("resolved", file, "2")
            assert f"The limit is {limit} mSv." in then.text(found.document or "", found.start or 0, found.end)
            assert then.day is not None
            assert len(then.day.left_out) == 1
        early = on_day(kb, "2001")
        assert early.search("limit").total == 0
        assert early.resolve(reference).status == "missing"
        assert kb.day is None
        assert len(kb.documents()) == 2
