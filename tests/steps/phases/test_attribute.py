from pathlib import Path

import pytest
from kb_records import knowledge_base, record
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.citation_links import link
from rabbithole.steps.models import Evidence
from rabbithole.steps.page_names import cited_pages, page_name
from rabbithole.steps.phases.attribute import Attributor
from rabbithole.steps.phases.quoted_places import last_page, through
from rabbithole.steps.phases.verify import verify_report
from rabbithole.steps.report_models import Report

FIRST = "§ 1 Grenzwerte\n\n(1) Der Grenzwert beträgt 20 Millisievert im Kalenderjahr.\n(2) Er gilt für alle Personen."
SECOND = "§ 2 Ausnahmen\n\nDie Behörde kann im Einzelfall Ausnahmen von § 1 zulassen, wenn sie begründet sind."

THIRD = "Sie gelten ein Jahr."


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kb")
    labels = [{"startpage": 0, "prefix": "", "style": "D", "firstpagenum": 217}]
    toc = [(1, "§ 1 Grenzwerte", 1), (1, "§ 2 Ausnahmen", 2)]
    write_pdf(folder / "pdf" / "Gesetz.pdf", [FIRST, SECOND, THIRD], toc=toc, title="Testgesetz", labels=labels)
    settings = KbSettings(_env_file=None, embedding_model="hash")
    with KnowledgeBase.open(folder / "database", settings, create=True) as opened:
        opened.ingest([folder / "pdf"], "C")
        yield opened


@pytest.fixture(scope="module")
def evidence(kb):
    (document,) = kb.documents()
    found = {}
    for key, number in (("eaaaaaa1", "§ 1"), ("ebbbbbb2", "§ 2")):
        section = kb.section(document.id, number)
        found[key] = Evidence(
            key=key,
            task=0,
            document=document.id,
            section=section.id,
            file=document.file,
            title=document.title,
            section_label=section.label,
            page=section.page,
            page_label=section.page_label,
            start=section.start,
            end=section.end,
            info="",
        )
    return found


def attribute(kb, evidence, markdown):
    return Attributor(kb, evidence, "de").run(markdown)


@pytest.mark.slow
def test_keys_become_numbers_with_page_and_label(kb, evidence):
    done = attribute(kb, evidence, "Es gilt: „Der Grenzwert beträgt 20 Millisievert im Kalenderjahr.“ [eaaaaaa1]\n")
    assert done.markdown == "Es gilt: „Der Grenzwert beträgt 20 Millisievert im Kalenderjahr.“ [[1]][s1]\n"
    (citation,) = done.citations
    assert citation.verified
    assert (citation.page, citation.page_label) == (0, "217")
    assert link(citation, "/a b/Gesetz.pdf") == "file:///a%20b/Gesetz.pdf#page=1"
    assert link(citation, "a b/Gesetz: neu.pdf") == "./a%20b/Gesetz%3A%20neu.pdf#page=1"


@pytest.mark.slow
def test_two_quotations_before_one_key_are_cited_on_the_page_of_each(kb, evidence):
    both = {"eaaaaaa1": evidence["eaaaaaa1"].model_copy(update={"end": evidence["ebbbbbb2"].end, "section": None})}
    lead, item = "(1) Der Grenzwert beträgt 20 Millisievert im Kalenderjahr.", "wenn sie begründet sind."
    done = attribute(kb, both, f"„{lead}“ „{item}“ [eaaaaaa1]\n")
    assert done.markdown == f"„{lead}“ „{item}“ [[1]][s1] [[2]][s2]\n"
    assert [citation.page for citation in done.citations] == [0, 1]


OVER = "Er gilt für alle Personen. § 2 Ausnahmen Die Behörde kann im Einzelfall Ausnahmen von § 1 zulassen"


def test_a_quotation_that_runs_over_two_pages_names_both_and_links_to_the_first(kb, evidence):
    both = {"eaaaaaa1": evidence["eaaaaaa1"].model_copy(update={"end": evidence["ebbbbbb2"].end, "section": None})}
    done = attribute(kb, both, f"Es gilt: „{OVER}“ [eaaaaaa1]\n")
    (citation,) = done.citations
    assert citation.verified
    assert (citation.page, citation.last_page, citation.last_page_label) == (0, 1, "218")
    assert cited_pages(citation, "de") == "S. 217–218 (PDF 1–2)"
    assert link(citation, "Gesetz.pdf") == "./Gesetz.pdf#page=1"


@pytest.mark.parametrize(
    ("quote", "page", "last"),
    [
        ("Der Grenzwert beträgt 20 Millisievert", 0, (None, "")),
        (OVER, 0, (1, "218")),
        ("Die Behörde kann im Einzelfall\n[…]\nSie gelten ein Jahr.", 1, (2, "219")),
        ("Der Grenzwert beträgt 20 Millisievert\n[…]\nEr gilt für alle", 0, (None, "")),
        ("Der Grenzwert beträgt 20 Millisievert\n[…]\nwenn sie begründet sind.", 0, (None, "")),  # of another section
    ],
)
def test_where_a_quotation_ends(kb, quote, page, last):
    (document,) = kb.documents()
    place = kb.find_quote(document.id, quote, page=page)
    assert last_page(kb, place, quote) == last


def test_lines_quoted_together_end_on_the_page_of_the_last(kb):
    (document,) = kb.documents()
    first, last = (kb.find_quote(document.id, words) for words in ("Der Grenzwert beträgt", "wenn sie begründet sind."))
    assert through(first, (last,)) == first
    same = last.model_copy(update={"section": first.section})
    assert through(first, (first, same)).end == last.end


@pytest.mark.slow
def test_one_place_has_one_number_and_groups_are_taken_apart(kb, evidence):
    text = "Das eine und das andere gilt hier. [eaaaaaa1, ebbbbbb2] Und noch einmal das eine hier. [eaaaaaa1]"
    done = attribute(kb, evidence, text)
    assert "[[1]][s1] [[2]][s2]" in done.markdown
    assert done.markdown.count("[[1]][s1]") == 2
    assert [one.marker for one in done.citations] == ["[1]", "[2]"]


def test_unknown_keys_are_removed_and_counted(kb, evidence):
    done = attribute(kb, evidence, "Das steht so im Gesetz geschrieben. [edeadbee, eaaaaaa1] Und dies auch. [e0000000]")
    assert done.unknown_keys == 2
    assert "edeadbee" not in done.markdown
    assert "e0000000" not in done.markdown


def test_a_quotation_that_does_not_stand_there_is_marked(kb, evidence):
    done = attribute(kb, evidence, "Es heißt „Der Grenzwert beträgt 50 Millisievert im Jahr.“ [eaaaaaa1]")
    assert done.unverified == ("Der Grenzwert beträgt 50 Millisievert im Jahr.",)
    assert "[Wortlaut nicht bestätigt]" in done.markdown


def test_a_number_cut_out_of_a_longer_one_is_no_quotation(kb, evidence):
    done = attribute(kb, evidence, "Es heißt „beträgt 0 Millisievert im Kalenderjahr“ [eaaaaaa1]")
    assert done.unverified


def test_an_uncited_quotation_is_cited_where_it_stands(kb, evidence):
    done = attribute(kb, evidence, "Denn „Die Behörde kann im Einzelfall Ausnahmen von § 1 zulassen“ heißt es.")
    assert [one.key for one in done.citations] == ["ebbbbbb2"]
    assert done.citations[0].page_label == "218"


def test_headings_are_never_cited(kb, evidence):
    done = attribute(kb, evidence, "## Grenzwerte [eaaaaaa1]\n\nDer Grenzwert steht im ersten Paragraphen. [eaaaaaa1]")
    assert done.markdown.startswith("## Grenzwerte\n")


def test_a_statement_without_source_is_marked_as_reasoning(kb, evidence):
    done = attribute(kb, evidence, "Der Grenzwert gilt wohl auch für Besucher. Das folgt aus § 1. [eaaaaaa1]\n\nDazu:")
    assert done.uncited == ("Der Grenzwert gilt wohl auch für Besucher.",)
    assert "Besucher. †" in done.markdown
    assert "Dazu:" in done.markdown
    assert "Dazu: †" not in done.markdown


def test_a_source_without_words_claims_nothing(kb, evidence):
    done = attribute(kb, evidence, "- [eaaaaaa1] Der Grenzwert steht im ersten Paragraphen. [eaaaaaa1]\n- [ebbbbbb2]")
    assert [claim.text for claim in done.claims] == ["Der Grenzwert steht im ersten Paragraphen."]
    assert [one.key for one in done.citations] == ["eaaaaaa1", "ebbbbbb2"]


def test_numbers_in_brackets_the_writer_made_up_go_but_quoted_ones_stay(kb, evidence):
    done = attribute(kb, evidence, "Der Wert ist bekannt [7] und gilt allgemein. [eaaaaaa1]")
    assert "[7]" not in done.markdown
    assert done.unknown_keys == 1


def test_block_quotes_are_quotations(kb, evidence):
    done = attribute(kb, evidence, "> Der Grenzwert beträgt 20 Millisievert im Kalenderjahr. [eaaaaaa1]")
    assert done.quotations == 1
    assert not done.unverified
    assert done.markdown.startswith("> Der Grenzwert")


def test_markdown_of_tables_and_code_is_left_alone(kb, evidence):
    text = "| a | b |\n|---|---|\n\n```\nx [eaaaaaa1]\n```"
    assert attribute(kb, evidence, text).markdown == text + "\n"


@pytest.mark.parametrize(
    ("page", "label", "name"),
    [(216, "217", "S. 217"), (218, "217", "S. 217 (PDF 219)"), (3, "", "S. 4"), (2, "iii", "S. iii (PDF 3)")],
)
def test_pages_are_named_as_printed_and_by_index_when_they_differ(page, label, name):
    assert page_name(page, label, "de") == name


def test_a_report_is_verified_again_years_later(kb, evidence):
    done = attribute(kb, evidence, "Es gilt „Er gilt für alle Personen.“ [eaaaaaa1] Und dies gilt ebenso. [ebbbbbb2]")
    report = Report(run_id="r", query="q", language="de", markdown=done.markdown, citations=done.citations)
    assert verify_report(report, kb).holds
    wrong = [
        done.citations[0].model_copy(update={"quote": "Er gilt für niemanden."}),
        done.citations[0].model_copy(update={"page": 1}),
        done.citations[0].model_copy(update={"document": "0" * 16, "file": Path("weg.pdf").name}),
    ]
    checked = verify_report(report.model_copy(update={"citations": tuple(wrong)}), kb)
    assert [one.finding for one in checked.broken] == ["gone", "moved", "document_missing"]
    assert checked.broken[1].page == 0


def test_a_block_that_ends_with_its_key_is_one_quotation(kb, evidence):
    first = "> (1) **Der Grenzwert beträgt 20 Millisievert im Kalenderjahr.**"
    block = f"{first}\n>\n> (2) Er gilt für alle Personen. [eaaaaaa1]"
    done = attribute(kb, evidence, block)
    assert done.quotations == 1
    assert not done.unverified
    assert done.markdown.count("[[1]][s1]") == 1


def test_a_block_with_other_words_is_marked(kb, evidence):
    done = attribute(kb, evidence, "> Der Grenzwert beträgt 50 Millisievert.\n>\n> Er gilt für niemanden. [eaaaaaa1]")
    assert len(done.unverified) == 1
    assert "[Wortlaut nicht bestätigt]" in done.markdown


def test_lines_apart_are_cited_where_the_passage_begins(kb, evidence):
    """The line that introduces them stands before the passage, the last line on the next page."""
    first = evidence["eaaaaaa1"]
    start = kb.text(first.document).index("(2) Er gilt")
    rows = first.model_copy(update={"start": start, "end": evidence["ebbbbbb2"].end})
    lines = ("§ 1 Grenzwerte", "(2) Er gilt für alle Personen.", "Die Behörde kann im Einzelfall Ausnahmen")
    done = attribute(kb, {"eaaaaaa1": rows}, "".join(f"> {line}\n>\n" for line in lines)[:-3] + " [eaaaaaa1]\n")
    assert not done.unverified
    assert [one.page_label for one in done.citations] == ["217"]


def test_a_header_with_the_words_of_its_caption_is_not_left_out(tmp_path):
    """Its words are found within the caption, which ends with them; what is left out are the rows above the quoted."""
    row = "| Hummel | vier Wochen |"
    table = f"Tabelle 2. Art Frist\n| Art | Frist |\n| --- | --- |\n| Biene | zwei Wochen |\n{row}"
    with knowledge_base(tmp_path, record("Fristen", [("1", table)])) as kb:
        (document,) = kb.documents()
        start = kb.text(document.id).index(row)
        key, place = "eaaaaaa1", {"document": document.id, "start": start, "end": start + len(row)}
        item = Evidence(key=key, task=0, file=document.file, title=document.title, info="", **place)
        lines = ("Tabelle 2. Art Frist", "", "| Art | Frist |", "| --- | --- |", row, "", f"[{key}]")
        done = Attributor(kb, {key: item}, "de").run("".join(f"> {line}\n" for line in lines))
    assert [one.quote for one in done.citations] == [
        "Tabelle 2. Art Frist | Art | Frist | […] | Hummel | vier Wochen |"
    ]
    assert not done.unverified
