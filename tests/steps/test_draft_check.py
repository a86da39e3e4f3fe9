"""A draft checked against a small collection: correct statements stay, each planted error is reported."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from kb_records import HASH, knowledge_base, record

from rabbithole.kb import KnowledgeBase
from rabbithole.steps.draft_check.check import check_draft
from rabbithole.steps.draft_check.claimed_figures import contradicted, figures_meant
from rabbithole.steps.draft_check.claims import with_claims
from rabbithole.steps.draft_check.models import Finding, Paragraph
from rabbithole.steps.draft_check.quoted import differences, same_but_marks
from rabbithole.steps.draft_check.splitting import split_text
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner

DUTY = "Der Betreiber hat die Messgeräte alle zwei Jahre durch eine anerkannte Stelle prüfen zu lassen."
REPORT = "Der Betreiber hat der Behörde jede Störung innerhalb von 24 Stunden schriftlich zu melden."
FIRES = "Wer ein Feuer bemerkt, hat unverzüglich die Feuerwehr und die Leitung des Hauses zu verständigen."


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory):
    records = (
        record("MessG", [("§ 1", "Zweck dieses Gesetzes ist die Sicherheit."), ("§ 4", DUTY), ("§ 5", REPORT)]),
        record("BrandO", [("§ 1", "Diese Ordnung gilt im ganzen Haus."), ("§ 2", FIRES)]),
    )
    with knowledge_base(tmp_path_factory.mktemp("kb") / "kb", *records, settings=HASH) as opened:
        yield opened


def findings(kb: KnowledgeBase, *texts: str) -> list[Finding]:
    paragraphs = [Paragraph(index=index, text=text) for index, text in enumerate(texts)]
    return list(check_draft("draft", paragraphs, kb).findings)


def verdicts(kb: KnowledgeBase, *texts: str) -> list[tuple[str, str]]:
    return [(one.kind, one.verdict) for one in findings(kb, *texts)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"§ 4 MessG bestimmt: „{DUTY}“", [("reference", "holds"), ("quotation", "holds")]),
        (f"§ 5 MessG bestimmt: „{DUTY}“", [("reference", "holds"), ("quotation", "elsewhere")]),
        (f"§ 2 BrandO bestimmt: „{DUTY}“", [("reference", "holds"), ("quotation", "elsewhere")]),
        ("§ 44 MessG regelt das.", [("reference", "no_such_place")]),
        ("§ 4 des Quantenfunkgesetzes regelt das.", [("reference", "not_held")]),
        (
            f"§ 4 MessG bestimmt: „{DUTY.replace('anerkannte', 'beliebige')}“",
            [("reference", "holds"), ("quotation", "small_difference")],
        ),
        (
            "§ 4 MessG bestimmt: „Die Geräte sind vom Hersteller monatlich und kostenlos zu warten.“",
            [("reference", "holds"), ("quotation", "nowhere")],
        ),
        (
            "Störungen sind nach § 5 MessG binnen 48 Stunden zu melden.",
            [("figure", "figure_differs"), ("reference", "holds")],
        ),
        (
            "Störungen sind nach dem MessG binnen 48 Stunden zu melden.",
            [("figure", "not_checked"), ("reference", "holds")],
        ),
        ("Störungen sind nach dem MessG binnen 24 Stunden zu melden.", [("reference", "holds")]),
        (
            "Störungen sind nach § 5 MessG binnen 24 Stunden zu melden.",
            [("figure", "holds"), ("reference", "holds")],
        ),
    ],
)
def test_each_fault_has_its_verdict(kb: KnowledgeBase, text: str, expected: list[tuple[str, str]]) -> None:
    assert sorted(verdicts(kb, text)) == sorted(expected)


def test_what_stands_there_is_given_with_its_place(kb: KnowledgeBase) -> None:
    altered = findings(kb, f"§ 4 MessG bestimmt: „{DUTY.replace('anerkannte', 'beliebige')}“")[-1]
    assert altered.verdict == "small_difference"
    assert "[-beliebige-] {+anerkannte+}" in altered.detail
    assert (altered.section, altered.file) == ("§ 4", "MessG.pdf")


def test_a_bare_section_belongs_to_the_document_cited_before(kb: KnowledgeBase) -> None:
    found = findings(kb, "Maßgeblich ist § 4 MessG.", "§ 5 nennt die Frist.")
    assert [(one.verdict, one.section) for one in found] == [("holds", "§ 4"), ("holds", "§ 5")]


def test_an_omission_parts_a_quotation(kb: KnowledgeBase) -> None:
    text = "§ 4 MessG: „Der Betreiber hat die Messgeräte […] durch eine anerkannte Stelle prüfen zu lassen.“"
    assert [one.verdict for one in findings(kb, text) if one.kind == "quotation"] == ["holds", "holds"]


def test_an_uncited_quotation_is_open_when_it_is_not_found(kb: KnowledgeBase) -> None:
    assert verdicts(kb, "Es heißt: „Alles was glänzt, ist noch lange kein Gold.“") == [("quotation", "not_checked")]


@pytest.mark.parametrize(
    ("told", "held", "wrong"),
    [
        ({("48", "hour")}, {("24", "hour")}, {("48", "hour")}),
        ({("2", "day")}, {("24", "hour")}, {("2", "day")}),
        ({("24", "hour")}, {("24", "hour"), ("48", "hour")}, set()),
        ({("7", "bar")}, {("24", "hour")}, set()),
    ],
)
def test_a_figure_is_contradicted_only_by_the_same_unit(told, held, wrong) -> None:
    assert contradicted(frozenset(told), frozenset(held)) == frozenset(wrong)


def test_differences_show_both_sides() -> None:
    assert differences("a b x d", "a b c d") == "a b [-x-] {+c+} d"


def test_figures_of_the_paragraph_and_the_item_cited() -> None:
    text = "(2) The limit is for 1. the lens of the eye 20 mSv,\n2. the skin 500 mSv,\n3. the hands 500 mSv."
    told = frozenset({("500", "msv")})
    assert figures_meant("The limit for the lens of the eye is 500 mSv", told, text, "en") == {("20", "msv")}
    assert ("500", "msv") in figures_meant("The limit for the skin is 500 mSv", told, text, "en")
    assert ("500", "msv") in figures_meant("It is 500 mSv", told, text, "en")


@pytest.mark.parametrize(
    ("said", "held", "same"),
    [
        ("Vermeidung, Verwertung, Beseitigung", "1. Vermeidung, 2. Verwertung, 3. Beseitigung.", True),
        ("Vermeidung und Beseitigung", "Vermeidung, 2. Verwertung, 3. Beseitigung.", False),
        ("vom Juni 2019", "vom 19. Juni 2019", False),
    ],
)
def test_numbers_of_items_are_no_difference(said: str, held: str, same: bool) -> None:
    assert same_but_marks(said, held) is same


def test_a_document_is_found_by_the_beginning_of_its_title(tmp_path: Path) -> None:
    rules = record(
        "Hausordnung des Labors", [("1", "Zutritt hat, wer unterwiesen ist."), ("3", "Die Gebühr beträgt 35 Euro.")]
    )
    with knowledge_base(tmp_path / "kb", rules, settings=HASH) as opened:
        found = verdicts(opened, "Die Gebühr beträgt nach Abschnitt 3 der Hausordnung 45 Euro.")
        assert sorted(found) == [("figure", "figure_differs"), ("reference", "holds")]
        lost = verdicts(opened, "Nach der Gartenordnung, § 3, kostet das nichts.")
        assert all(verdict in ("not_held", "unresolved") for _, verdict in lost)


def test_a_block_quotation_is_checked_like_one_in_marks(kb: KnowledgeBase) -> None:
    own = f"""**MessG, § 4, p. 1:**

> Ältere Geräte […] **{DUTY}** [[1]][s1]

> Das Amt prüft jedes Gerät einmal im Jahr selbst.

## Quellen

- MessG (messg.pdf): [[1]][s1] § 4

[s1]: <../messg.pdf#page=1>
"""
    found = list(check_draft("draft", split_text(own), kb).findings)
    assert [(one.text, one.verdict) for one in found if one.kind == "quotation"] == [
        (DUTY, "holds"),
        ("Das Amt prüft jedes Gerät einmal im Jahr selbst.", "nowhere"),
    ]
    assert all(one.verdict == "holds" for one in found if one.kind == "reference")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A\nB\n\n- C\n- D", [("A B", False), ("- C", False), ("- D", False)]),
        ("A [[1]][s1] [[2]](x.pdf#page=2).\n\n[s1]: <x.pdf>", [("A.", False)]),
        ("A:\n> B\n> C\n>\n> - D\n\nG", [("A:", False), ("B C", True), ("D", True), ("G", False)]),
        ("> 1. **E** f", [("E f", True)]),
        ("5 > 4 and [1] stays", [("5 > 4 and [1] stays", False)]),
    ],
)  # fmt: skip
def test_paragraphs(text: str, expected: list[tuple[str, bool]]) -> None:
    assert [(one.text, one.quoted) for one in split_text(text)] == expected


def test_claims_are_judged_beside_the_findings_and_fail_nothing(kb: KnowledgeBase) -> None:
    text = f"§ 4 MessG bestimmt: {DUTY} Nach § 5 MessG sind Bananen, Äpfel und Birnen immer gelb."
    check = check_draft("draft", [Paragraph(index=0, text=text)], kb)
    judged = asyncio.run(with_claims(check, kb, ExtractiveReasoner()))
    assert [one for one in judged.findings if one.kind != "claim"] == list(check.findings)
    assert [one.verdict for one in judged.findings if one.kind == "claim"] == ["supported", "not_supported"]
    assert judged.wrong == check.wrong
