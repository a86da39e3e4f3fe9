"""What a report begins with: the passage whole, what qualifies it, and honest sentences where there is no answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kb_records import knowledge_base, record
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.phases.attribute import Attributor
from rabbithole.steps.question import Understood, understand
from rabbithole.steps.quoted_words import unescaped
from rabbithole.steps.response import respond, response_markdown
from rabbithole.steps.response.choosing import Chooser
from rabbithole.steps.response.models import Block, QuotedPassage, Response
from rabbithole.steps.response.named_section import named_block
from rabbithole.steps.response.part_block import closest, most_shown, shared_out
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder
from rabbithole.steps.response.quoting.passage_text import lead_in
from rabbithole.steps.response.render import quotation
from rabbithole.steps.response.said_first import said_first
from rabbithole.steps.selection import Selection, question_part
from rabbithole.steps.selection.models import AnswerUnit, RankedUnit

LAW = [
    "§ 1 Zweck\n\nDieses Gesetz regelt die Haltung von Bienen und den Schutz der Völker im ganzen Land.",
    "§ 2 Anzeige\n\n(1) Wer Bienen hält, zeigt dies der Behörde innerhalb von zwei Wochen schriftlich an. "
    "Die Behörde bestätigt die Anzeige.\n\n(2) Abweichend von Absatz 1 gilt die Frist nicht für Schulen.",
    "§ 3 Bußgeld\n\nOrdnungswidrig handelt, wer\n1. Bienen ohne Anzeige hält,\n2. den Standort nicht nennt,\n"
    "3. die Behörde nicht einlässt.",
]
TOC = [(1, "§ 1 Zweck", 1), (1, "§ 2 Anzeige", 2), (1, "§ 3 Bußgeld", 3)]


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kb")
    write_pdf(folder / "pdf" / "BienG.pdf", LAW, toc=TOC, title="Bienengesetz (BienG)")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(folder / "database", settings, create=True) as opened:
        opened.ingest([folder / "pdf"], "C")
        yield opened


def answer(kb, question):
    return respond(kb, understand(kb, question, "de"))


def test_a_section_named_leads_and_is_verified(kb):
    response = answer(kb, "Was regelt § 3 BienG?")
    assert response.status == "answered"
    (block,) = response.blocks
    assert "1. Bienen ohne Anzeige hält" in block.passages[0].text
    text = response_markdown(response, "de")
    done = Attributor(kb, {one.key: one for one in response.evidence}, "de").run(text)
    assert done.quotations == 1
    assert not done.unverified
    assert done.citations[0].page == 2
    assert done.markdown.count("[[1]][s1]") == 1


def test_what_is_not_held_is_said_first_and_nothing_else_is_the_answer(kb):
    response = answer(kb, "Was regelt § 43 IfSG zur Anzeige?")
    assert response.status == "none"
    assert response_markdown(response, "de").startswith("Nicht in der Sammlung: Infektionsschutzgesetz (IfSG).")


@pytest.mark.parametrize(
    ("language", "quoted", "said"),
    [
        ("en", {"de"}, ("The quotations stay in the language of their documents (German).",)),
        ("de", {"en"}, ("Die Zitate bleiben in der Sprache ihrer Dokumente (Englisch).",)),
        ("en", {"de", "en"}, ()),
        ("de", set(), ()),
    ],
)
def test_quotations_in_another_language_than_the_report_are_announced(language, quoted, said):
    assert said_first(Understood(query="q", language=language, parts=("q",)), (), quoted) == said


@pytest.mark.parametrize(("quoted", "count"), [({"de"}, 0), ({"en"}, 1), (set(), 1)])
def test_german_words_of_a_document_taken_for_english_are_not_called_foreign(quoted, count):
    understood = Understood(query="q", language="de", parts=("q",), foreign="en")
    assert len(said_first(understood, (), quoted)) == count


@pytest.mark.parametrize(
    ("language", "names", "said"),
    [
        ("en", ("TR 12",), ("The closest passages refer to a document that is not in the collection: TR 12.",)),
        ("en", ("A", "B"), ("The closest passages refer to documents that are not in the collection: A; B.",)),
        ("de", ("A",), ("Die nächstliegenden Stellen verweisen auf ein Dokument, das nicht in der Sammlung ist: A.",)),
        ("de", (), ()),
    ],
)  # fmt: skip
def test_documents_not_held_that_the_closest_passages_refer_to_are_named(language, names, said):
    understood = Understood(query="q", language=language, parts=("q",))
    assert said_first(understood, referred_to=names) == said


def test_a_question_without_a_matter_gets_one_sentence(kb):
    response = answer(kb, "Danke!")
    assert response.status == "none"
    assert not response.blocks
    assert len(response_markdown(response, "de").splitlines()) == 1


def test_the_same_question_has_the_same_answer(kb):
    question = "Innerhalb welcher Frist ist die Bienenhaltung anzuzeigen, und wer handelt ordnungswidrig?"
    assert answer(kb, question) == answer(kb, question)


def test_a_long_question_is_answered_for_what_it_asks(kb):
    story = "Ich habe im Garten einige Völker stehen und weiß nicht weiter. " * 60
    response = answer(kb, f"{story} Wer handelt ordnungswidrig?")
    assert any("Zeichen" in sentence for sentence in response.first)
    assert [block.part for block in response.blocks] == ["Wer handelt ordnungswidrig"]


def passage(kb, text, **given):
    response = answer(kb, "Was regelt § 3 BienG?")
    return QuotedPassage(evidence=response.evidence[0], text=text, **given)


def test_rows_are_a_table_with_their_header(kb):
    row = passage(kb, "| 3 | 40 |", head="| Klasse | Wert |\n| --- | --- |", kind="table")
    lines = quotation((row,)).splitlines()
    assert lines[:3] == ["> | Klasse | Wert |", "> | --- | --- |", "> | 3 | 40 |"]
    assert lines[-1].endswith(f"[{row.evidence.key}]")


def test_a_table_that_goes_on_over_a_page_is_one_table(kb):
    rows = passage(kb, "| Klasse | Wert |\n| 3 | 40 | geprüft |\n| --- | --- |\n| 4 | 50 |", kind="table")
    assert quotation((rows,)).splitlines()[:4] == [
        "> | Klasse | Wert | |",
        "> | --- | --- | --- |",
        "> | 3 | 40 | geprüft |",
        "> | 4 | 50 |",
    ]


def test_items_of_one_list_stand_together_below_their_head(kb):
    found = answer(kb, "Was regelt § 3 BienG?").blocks[0].passages[0]
    head = "Ordnungswidrig handelt, wer"
    items = ["3. die Behörde nicht einlässt.", "1. Bienen ohne Anzeige hält,"]
    two = [
        found.model_copy(update={"text": one, "kind": "item", "head": head, "head_start": 9, "start": 50 - at})
        for at, one in enumerate(items)
    ]
    block = Block(parts=("x",), finding="closest", passages=tuple(two))
    text = response_markdown(Response(status="none", blocks=(block,)), "de")
    assert text.count(head) == 1
    assert text.index("1. Bienen") < text.index("3. die Behörde")
    done = Attributor(kb, {found.evidence.key: found.evidence}, "de").run(text)
    assert not done.unverified


def test_items_read_as_several_passages_are_one_verified_quotation_with_a_citation_each(kb):
    found = answer(kb, "Was regelt § 3 BienG?").blocks[0].passages[0]
    text = kb.text(found.evidence.document, 0, 10_000)
    shared = {"kind": "item", "head": "Ordnungswidrig handelt, wer", "head_start": text.index("Ordnungswidrig")}
    passages, evidence = [], {}
    for key, words in (("eaaaaaa1", "1. Bienen ohne Anzeige hält,"), ("ebbbbbb2", "3. die Behörde nicht einlässt.")):
        start = text.index(words)
        span = {"start": start, "end": start + len(words)}
        evidence[key] = found.evidence.model_copy(update={"key": key, "quotes": (), **span})
        bold = ((0, len(words)),)
        update = {"evidence": evidence[key], "text": words, "bold": bold, **shared, **span}
        passages.append(found.model_copy(update=update))
    block = Block(parts=("x",), finding="closest", passages=tuple(passages))
    written = response_markdown(Response(status="none", blocks=(block,)), "de")
    assert "> 3. **die Behörde nicht einlässt.**" in written  # bold before the number would end the list
    done = Attributor(kb, evidence, "de").run(written)
    assert done.unverified == ()
    assert done.quotations == 1
    assert all(one.verified for one in done.citations)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("The policy names:", "The policy names:"),
        ("Word " * 30 + "ends. The policy names the following:", "The policy names the following:"),
        ("| Klasse | Wert |\n| --- | --- |" * 9, "| Klasse | Wert |\n| --- | --- |" * 9),
    ],
)
def test_of_a_long_lead_in_the_last_sentence_is_said(head, said):
    assert lead_in(head) == said


def test_what_answers_is_bold_and_signs_of_markdown_are_words(kb):
    text = "Sterne * sind Zeichen. Das hier antwortet."
    start = text.index("Das")
    words = quotation((passage(kb, text, bold=((start, len(text)),)),))
    assert "> Sterne \\* sind Zeichen. **Das hier antwortet.**" in words


def test_a_bold_sentence_that_runs_into_the_next_one_ends_before_its_full_stop(kb):
    words = quotation((passage(kb, "Das antwortet.Kriterium 2 folgt.", bold=((0, 14),)),))
    assert "> **Das antwortet**.Kriterium 2 folgt." in words


def ranked(kb, score, start):
    first = kb.section(kb.documents("C")[0].id, "§ 3")
    unit = AnswerUnit(
        document=first.document, section=first.id, page=2, start=first.start + start, end=first.start + start + 5,
        text="words", head="", kind="paragraph", index=0, block=0,
    )  # fmt: skip
    return RankedUnit(unit=unit, score=score, probability=0.3, sentences=(), candidate=0)


@pytest.mark.parametrize(
    ("scores", "shown"),
    [
        ([4.0], 1),
        ([4.0, 3.0, -10.1, -12.0], 2),
        ([4.0, 3.9, 3.8, 3.7, 3.6], 4),
        ([2.0, 4.0, -12.1], 2),  # an edition that was replaced stands last, whatever its score
    ],
)
def test_passages_nearly_as_good_as_the_best_stand_beside_it(kb, scores, shown):
    units = [ranked(kb, score, 10 * at) for at, score in enumerate(scores)]
    assert closest(units, ()) == units[:shown]


@pytest.mark.parametrize(("probability", "most"), [(0.5, 2), (0.25, 2), (0.24, 3), (0.0, 3)])
def test_more_passages_are_shown_where_the_best_is_less_likely(probability, most):
    assert most_shown(probability) == most


@pytest.mark.parametrize(
    ("scores", "own"),
    [
        ([{0: 4.0, 1: 3.0}, {1: 5.0, 0: 2.0}], [0, 1]),
        ([{0: 9.0, 1: 3.0}, {0: 7.0, 1: 2.0}], [0, 1]),  # likelier for the first part: the other one has its next best
        ([{0: 7.0, 1: 2.0}, {0: 9.0, 1: 3.0}], [1, 0]),
        ([{0: 9.0, 1: 3.0}, {0: 7.0, 1: 1.9}], [0, None]),  # which has hardly to do with the part
        ([{0: 9.0}, {0: 7.0}], [0, None]),
        ([{}, {0: 7.0}], [None, 0]),
    ],
)
def test_each_part_has_a_unit_of_its_own(kb, scores, own):
    units = [[ranked(kb, score, 10 * at) for at, score in one.items()] for one in scores]
    expected = [None if at is None else ranked(kb, 0.0, 10 * at).unit for at in own]
    assert shared_out(units) == expected


def test_what_another_part_quotes_is_not_quoted_again(kb):
    units = [ranked(kb, 4.0, 0), ranked(kb, 3.0, 40)]
    taken = passage(kb, "words", start=units[0].unit.start, end=units[0].unit.end)
    assert closest(units, [taken]) == units[1:]
    assert closest(units[:1], [taken]) == units[:1]
    far = ranked(kb, -12.0, 80)
    assert closest([units[0], far], [taken]) == units[:1]  # what is left has hardly to do with the part


def test_every_passage_of_an_answer_is_quoted_whole(kb, monkeypatch):
    units = [ranked(kb, 4.0, 10 * at) for at in range(5)]
    part = question_part("Wer handelt ordnungswidrig?", "de")
    sure = Selection(part=part, units=tuple(units), shown=5, probability=0.9, status="answered")
    monkeypatch.setattr("rabbithole.steps.response.choosing.select", lambda *_, **__: sure)
    (block,) = answer(kb, "Wer handelt ordnungswidrig?").blocks
    assert [one.start for one in block.passages] == [one.unit.start for one in units]


@pytest.fixture(scope="module")
def garden(tmp_path_factory):
    folder = tmp_path_factory.mktemp("garden")
    (folder / "d").mkdir()
    rest = "Ruhezeiten sind täglich von 13 bis 15 Uhr und von 20 bis 7 Uhr."
    for name, first, second in (
        ("Pachtordnung", "## 1 Pacht\n\nDie Jahrespacht beträgt 340 Euro.", f"## 2 Ruhezeiten\n\n{rest}"),
        ("Gebührenordnung", "## 1 Wasseranschluss\n\nEin Wasseranschluss kostet einmalig 185 Euro.",
         "## 2 Schlüssel\n\nEin Schlüssel für das Tor kostet 18 Euro."),
    ):  # fmt: skip
        (folder / "d" / f"{name}.md").write_text(f"# {name}\n\n{first}\n\n{second}\n", encoding="utf-8")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(folder / "database", settings, create=True) as opened:
        opened.ingest([folder / "d"], "G")
        yield opened


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Was kosten ein Wasseranschluss, ein Schlüssel und die Jahrespacht?", [("185",), ("18 Euro",), ("340",)]),
        ("Welche Ruhezeiten gelten, und was kostet ein Schlüssel?", [("13 bis 15",), ("18 Euro",)]),
    ],
)
def test_what_answers_one_part_does_not_take_the_place_of_another(garden, question, said):
    """The rest of a question tells what a part is about; it may also ask of another matter."""
    blocks = answer(garden, question).blocks
    assert len(blocks) == len(said)
    for block, words in zip(blocks, said, strict=True):
        assert all(word in block.passages[0].text for word in words)


ACT = """<html><body><h1>Commission Implementing Regulation (EU) No 1319/2031 of 15 December 2031 fixing prices</h1>
<p>Having regard to Council Regulation (EC) No 1234/2027, and in particular Article 143 thereof,</p>
<p>(1) Commission Regulation (EC) No 1484/2025 lays down rules for implementing the system of additional duties.</p>
<h2>Article 1</h2><p>Annex I to Regulation (EC) No 1484/2025 is replaced by the Annex to this Regulation.</p>
<h2>Article 2</h2><p>This Regulation shall enter into force on the day of its publication.</p>
<h2>Annex I</h2><p>Prices in EUR</p>
<table><tr><th>Code</th><th>Goods</th><th>Price</th><th>Origin</th></tr>
<tr><td>0207</td><td>Frozen fowls</td><td>109.5</td><td>AR</td></tr>
<tr><td>0408</td><td>Egg yolks</td><td>303.9</td><td>AR</td></tr></table></body></html>"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("When did Commission Implementing Regulation (EU) No 1319/2031 enter into force?", "day of its publication"),
        ("What is the price of egg yolks?", "303.9"),
    ],
)
def test_the_name_of_an_act_is_no_matter_and_a_table_with_a_caption_answers(question, said, tmp_path):
    (tmp_path / "act.html").write_text(ACT, encoding="utf-8")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        kb.ingest([tmp_path / "act.html"], "EU")
        first = respond(kb, understand(kb, question, "en")).blocks[0].passages[0]
    assert said in first.text


MANUAL = """<html><body><h1>Manual of the Plotter</h1><h2>Chapter 1 Basics</h2><p>A plot has borders.</p>
<h3>1.1 Borders</h3><p>Borders are lines around a plot. The borders of a plot are encoded in an integer, which is the
sum of these entries:</p><table><tr><th>Bit</th><th>Side</th></tr><tr><td>4</td><td>upper</td></tr>
<tr><td>8</td><td>right-hand</td></tr></table><p>The usual value is 31.</p>
<h3>1.2 Fonts</h3><p>Everything may happen with fonts. Nobody tests them before they are shipped.</p>
<p>In short, anything is possible here, as with all that is new.</p></body></html>"""


@pytest.fixture(scope="module")
def manual(tmp_path_factory):
    folder = tmp_path_factory.mktemp("manual")
    (folder / "plotter.html").write_text(MANUAL, encoding="utf-8")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(folder / "database", settings, create=True) as kb:
        kb.ingest([folder / "plotter.html"], "M")
        yield kb


def test_what_a_passage_announces_is_shown_with_it(manual):
    said = response_markdown(respond(manual, understand(manual, "How are the borders of a plot encoded?", "en")), "en")
    assert "right-hand" in said


@pytest.mark.parametrize(
    "named", ["section 1.2", "section 1.2 of the Plotter Handbook", "section 1.2 of the big plotter manual"]
)
def test_a_section_asked_for_is_quoted_from_its_beginning(manual, named):
    response = respond(manual, understand(manual, f"What does {named} say?", "en"))
    assert response.blocks[0].passages[0].text.startswith("Everything may happen")


def test_a_section_that_is_quoted_in_part_says_so(tmp_path):
    rule = "Every member keeps the garden in order and waters the beds of the others in summer when they are away."
    text = "\n\n".join(f"({number}) {rule}" for number in range(1, 12))
    with knowledge_base(tmp_path, record("Rules of the Garden", [("4", f"Duties\n{text}")])) as kb:
        said = response_markdown(respond(kb, understand(kb, "What does section 4 say?", "en")), "en")
    assert "(1) Every member" in said
    assert "(11)" not in said
    assert "[…]" in said


def test_a_prompt_in_a_quotation_is_no_quotation_in_it(kb):
    words = quotation((passage(kb, "Führen Sie aus:\n> bienen --alle", kind="paragraph"),))
    assert "> \\> bienen --alle" in words
    assert unescaped("\\> bienen") == "> bienen"


def test_items_left_out_are_marked(kb):
    text = "Members may:\n• speak\n• vote on all matters\n• leave"
    head = {"head": "Members may:", "head_start": 0, "kind": "item"}
    after = passage(kb, "• leave", start=text.index("• leave"), end=len(text), skips=True, **head)
    first = passage(kb, "• speak", start=text.index("• speak"), end=text.index("• speak") + 7, **head)
    every = ((after,), (first,), (first, after), (first.model_copy(update={"goes_on": True}),))
    marked = [quotation(some).count("[…]") for some in every]
    assert marked == [1, 0, 1, 1]


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tools")
    (folder / "d").mkdir()
    (folder / "d" / "kilncad.md").write_text("# KilnCad\n\n## 1 Start\n\nSwitch it on.\n", encoding="utf-8")
    sections = "## 1 Start\n\nOpen it.\n\n## 2 Classes\n\n### 2.9 Glazes\n\nClass 3 glazes melt last."
    (folder / "d" / "kilncad_calculator.md").write_text(f"# Calculator Tools\n\n{sections}\n", encoding="utf-8")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(folder / "database", settings, create=True) as kb:
        kb.ingest([folder / "d"], "K")
        yield kb


def test_a_longer_name_is_not_taken_for_the_shorter_one_in_it(tools):
    response = respond(tools, understand(tools, "What does section 2.9 of the KilnCad calculator manual say?", "en"))
    assert not any("has no section" in sentence for sentence in response.first)
    assert "melt last" in response.blocks[0].passages[0].text


@pytest.mark.parametrize(("status", "finding"), [("answered", "answered"), ("partly", "closest"), ("none", "closest")])
def test_a_section_that_may_not_say_what_is_asked_is_no_answer(tools, status, finding):
    text = "What does a visit cost according to section 2.9 of the KilnCad calculator manual?"
    chosen = Chooser(tools, understand(tools, text, "en"), (), (), ()).choose(text)
    sure = replace(chosen, selection=chosen.selection.model_copy(update={"status": status}))
    block = named_block(sure, sure.place, PassageBuilder(tools), 120)
    assert (block.finding, "melt last" in block.passages[0].text) == (finding, True)
