"""The appendix of a report: names of missing documents, and the line that counts what it holds."""

from __future__ import annotations

import asyncio
from typing import Literal

import pytest

from rabbithole.steps.models import Evidence, TaskSummary, Todo
from rabbithole.steps.phases.attribute import Attributed
from rabbithole.steps.phases.unused import Left
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.extractive.reasoner import ExtractiveReasoner
from rabbithole.steps.reasoning.extractive.sentence_scores import is_debris
from rabbithole.steps.report_models import Checks, Citation, MissingDocument, Report, ReportAnswer, Scope, TaskReport
from rabbithole.steps.response import Response
from rabbithole.steps.response.models import Block, Finding, QuotedPassage
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.report.appendix import SHOWN, cited_part, in_short, plain_part
from rabbithole.workflow.report.finish import finished, nearest_first
from rabbithole.workflow.report.markdown import for_terminal, parts_said, render, with_note
from rabbithole.workflow.report.plain_text import short_name
from rabbithole.workflow.report.unread import relevant_unread, unread_said


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Keys for All, https://example.org/keys.pdf", "Keys for All"),
        ("http://example.org/archive/", "http://example.org/archive/"),  # nothing else tells what it is
        ("Act  on Keys.", "Act on Keys"),
    ],
)
def test_a_missing_document_always_has_a_name(name: str, short: str) -> None:
    assert short_name(name) == short


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("en", 1, "1 document missing"),
        ("en", 2, "2 documents missing"),
        ("de", 1, "1 fehlendes Dokument."),
        ("de", 2, "2 fehlende Dokumente"),
    ],
)
def test_one_is_counted_as_one(language: str, count: int, said: str) -> None:
    assert said in in_short(0, 0, (), count, language)


@pytest.mark.parametrize(
    ("language", "files", "said"),
    [
        ("en", (), ""),
        ("en", ("a.pdf",), "1 file could not be read and was not searched: a.pdf."),
        ("de", ("a.pdf", "b.pdf"), "2 Dateien waren nicht lesbar und wurden nicht durchsucht: a.pdf, b.pdf."),
        ("en", tuple(f"{n}.pdf" for n in range(7)), "0.pdf, 1.pdf, 2.pdf, 3.pdf, 4.pdf and 2 more."),
        ("en", ("[x](http://example.org).pdf",), "\\[x\\]"),
    ],
)
def test_files_not_read_are_named_in_one_sentence(language: str, files: tuple[str, ...], said: str) -> None:
    assert said in unread_said(files, language)
    assert bool(unread_said(files, language)) is bool(files)


@pytest.mark.parametrize(
    ("query", "language", "answered", "files"),
    [
        ("Wie lange dauert die Promotion?", "de", False, ("Promotionsordnung.pdf",)),
        ("Wie lange dauert die Promotion?", "de", True, ()),
        ("Was steht in der Promotionsordnung?", "de", True, ("Promotionsordnung.pdf",)),
        ("Was sagt die Prüfungsordnung zur Note?", "de", True, ("old/Pruefungsordnung.pdf",)),
        ("Wie hoch ist der Mitgliedsbeitrag?", "de", False, ()),
        ("What does scan 2019 05 say?", "en", True, ("scan_2019-05.pdf",)),
        ("What is a scanner?", "en", False, ()),
    ],
)
def test_a_file_not_read_is_said_where_it_bears_on_the_question(
    query: str, language: str, answered: bool, files: tuple[str, ...]
) -> None:
    unread = ("Promotionsordnung.pdf", "old/Pruefungsordnung.pdf", "scan_2019-05.pdf")
    assert relevant_unread(unread, query, language, answered=answered) == files


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("# Q\n\n## Answer\n\nText.\n\n## Sources\n\n- a", "# Q\n\n## Answer\n\nText.\n\nNote.\n\n## Sources\n\n- a"),
        ("# Q\n\nText.", "# Q\n\nText.\n\nNote."),
    ],
)
def test_a_note_ends_the_first_section(body: str, noted: str) -> None:
    assert with_note(body, "Note.") == noted


def task(number: int, text: str, *findings: str) -> TaskReport:
    summary = TaskSummary(task=number, text="", findings=findings, gaps=('The passages found say nothing on "moss".',))
    return TaskReport(todo=Todo(id=number, text=text), summary=summary)


TASKS = (
    task(0, "How long, and for whom?", "It is kept for ten days. [e000001]"),
    task(1, "How long?", "It is kept for ten days. [e000001]", f"{'Further words. ' * 40} [e000002]"),
    task(2, "For whom?", "It is kept for ten days. [e000001]"),
)
NONE_LEFT: tuple[Left, ...] = ()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('Exception in Rules, § 2: "It is kept for ten days unless …"', "Exception in Rules, § 2"),
        ("Ausnahme in Rules, § 2: „It is kept for ten days unless lost.“", "Ausnahme in Rules, § 2"),
        (
            'Exception in Rules, § 2: "Nobody keeps it for a week …"',
            'Exception in Rules, § 2: "Nobody keeps it for a week …"',
        ),
        ("How long?", "How long?"),
    ],
)
def test_a_sentence_that_a_task_quotes_is_not_repeated_as_its_finding(text: str, shown: str) -> None:
    one = task(1, text, "It is kept for ten days unless lost. [e000001]")
    (line,) = [row for row in cited_part((one,), NONE_LEFT, "answered", "en").splitlines() if row.startswith("- **")]
    assert line == f"- **{shown}:** It is kept for ten days unless lost. [e000001]"


def test_each_task_has_one_short_finding_that_no_other_has() -> None:
    lines = [line for line in cited_part(TASKS, NONE_LEFT, "answered", "en").splitlines() if line.startswith("- **")]
    assert [line.partition(":** ")[2] for line in lines] == [
        "It is kept for ten days. [e000001]",
        "Nothing was found on this task in the documents searched.",
    ]
    (only,) = cited_part(TASKS[1:2], NONE_LEFT, "partly", "en").split("\n- **")[1:]
    assert only.startswith("How long?:** It is kept")
    longest = task(1, "What else?", f"{'Further words. ' * 40}[e000002]")
    (line,) = [row for row in cited_part((longest,), NONE_LEFT, "answered", "en").splitlines() if "[e000002]" in row]
    assert len(line) < SHOWN + 60
    assert line.endswith("… [e000002]")


def answer(finding: Finding, *parts: str, probability: float = 0.3) -> Block:
    evidence = Evidence(key="e000007", task=0, document="d", start=0, end=9, info="")
    passage = QuotedPassage(evidence=evidence, text="Ten days.", end=9)
    return Block(parts=parts, finding=finding, probability=probability, passages=(passage,))


@pytest.mark.parametrize(
    ("origin", "blocks", "language", "said"),
    [
        ("part", [answer("answered", "How long")], "en", "answered above, [e000007]"),
        ("part", [answer("answered", "How long", "for whom")], "de", "oben beantwortet, [e000007]"),
        ("part", [answer("closest", "How long", probability=0.7)], "en", "probably answered above, [e000007]"),
        ("part", [answer("closest", "how long")], "en", "what comes closest stands above, [e000007]"),
        ("part", [answer("answered", "For whom")], "en", "Another place says a week. [e000001]"),
        ("part", [Block(parts=("How long",), finding="none")], "en", "Another place says a week. [e000001]"),
        ("plan", [answer("answered", "How long")], "en", "Another place says a week. [e000001]"),
    ],
)
def test_of_a_part_that_the_answer_quotes_the_place_is_named(
    origin: Literal["part", "plan"], blocks: list[Block], language: str, said: str
) -> None:
    one = task(1, "How long (keys)?", "Another place says a week. [e000001]")
    one = one.model_copy(update={"todo": one.todo.model_copy(update={"origin": origin})})
    text = cited_part((one,), NONE_LEFT, "answered", language, blocks)
    assert f"- **How long (keys)?:** {said}" in text.splitlines()


@pytest.mark.parametrize(
    ("text", "debris"),
    [
        ("Rules of the Harbour . . . . . . . . 12", True),
        ("Promotionsordnung Vom 17. Juni 2020……………….….………", True),
        ("D I E N S T B L A T T der Hochschulen 2021", True),
        ("It is kept for ten days, i. e. until I. A. Smith returns ...", False),
        ("The series A B C D is kept.", False),
    ],
)
def test_title_pages_and_leader_dots_are_no_findings(text: str, debris: bool) -> None:
    assert is_debris(text) is debris
    shown = text not in cited_part((task(1, "How long?", f"{text} [e000001]"),), NONE_LEFT, "answered", "en")
    assert shown is debris


def test_nothing_is_open_if_every_part_is_answered() -> None:
    assert "moss" not in cited_part(TASKS, NONE_LEFT, "answered", "en")
    assert "moss" in cited_part(TASKS, NONE_LEFT, "partly", "en")


def test_without_an_answer_there_are_no_tasks_but_what_is_open() -> None:
    text = cited_part(TASKS, NONE_LEFT, "none", "en")
    assert "For whom" not in text
    assert text.count("moss") == 1


def missing(name: str, *cited_by: str) -> MissingDocument:
    return MissingDocument(name=name, kind="document", cited_by=cited_by, count=len(cited_by))


SHIPS = missing("Act on Ships", "Harbour rules, 2")
KEYS = missing("Act on Keys", "Rules, 4", "Rules, 9")
OTHERS = tuple(missing(f"Act {number}", "Elsewhere") for number in range(20))


@pytest.mark.parametrize(
    ("quoted", "first"),
    [
        ({"Rules, 9"}, ["Act on Keys", "Act on Ships"]),
        (set(), ["Act on Ships", "Act on Keys"]),
        (None, ["Act on Ships", "Act on Keys"]),
        ({"Elsewhere", "Rules, 4"}, ["Act on Keys", "Act 0"]),
    ],
)
def test_what_the_quoted_places_lack_comes_first_and_all_are_named(quoted: set[str] | None, first: list[str]) -> None:
    every = (SHIPS, KEYS, *OTHERS)
    ordered = nearest_first(every, quoted)
    assert [one.name for one in ordered[:2]] == first
    assert set(ordered) == set(every)
    text = plain_part(ordered, 0, (), (), "en")
    assert text.count("cited by") == len(every)
    assert "more" not in text


def cited(number: int, file: str, section: str, page: int) -> Citation:
    return Citation(
        marker=f"[{number}]",
        key=f"e00000{number}",
        document=file,
        file=file,
        title=file.removesuffix(".pdf").title(),
        section_label=section,
        page=page,
        page_label=str(page + 1),
        path=file,
        verified=True,
    )


def report(**changes: object) -> Report:
    given = {
        "run_id": "r",
        "query": "How long?",
        "language": "en",
        "markdown": "",
        "body": "# How long?\n\n## Answer\n\nTen days [[1]][s1], at most [[2]][s2], by rule [[3]][s3].",
        "answer": ReportAnswer(status="none"),
        "checks": Checks(quotations=3, quotations_verified=3, parts=1),
        "citations": (
            cited(1, "rules.pdf", "4 Lending", 2),
            cited(2, "fees.pdf", "1 Fees", 0),
            cited(3, "rules.pdf", "9 Return", 6),
        ),
        "scope": Scope(collections=("Club",), searched=7),
        "reasoner": "extractive",
        **changes,
    }
    return Report.model_validate(given)


def test_a_document_is_one_line_of_the_sources() -> None:
    text = render(report())
    assert (
        "- Rules (rules.pdf): [[1]][s1] 4 Lending, p. 3; [[3]][s3] 9 Return, p. 7\n- Fees (fees.pdf): [[2]][s2]" in text
    )
    assert "[s1]: <./rules.pdf#page=3>\n" in text


def test_a_terminal_shows_the_sources_without_links_that_lead_nowhere() -> None:
    text = for_terminal(f"{render(report())}[s4]: <https://example.org/a#page=1>\n")
    assert "Ten days [1], at most [2], by rule [3]." in text
    assert "- Rules (rules.pdf): [1] 4 Lending, p. 3; [3] 9 Return, p. 7\n- Fees (fees.pdf): [2]" in text
    assert "./" not in text
    assert text.endswith("\n[4] https://example.org/a#page=1\n")


def test_a_report_without_an_answer_says_what_was_searched() -> None:
    assert "- Searched: 7 documents (Club)." in render(report())
    assert "Searched" not in render(report(answer=ReportAnswer(status="answered")))


@pytest.mark.parametrize(
    ("newest", "said"),
    [
        (None, "no sure answer was found to the question.\n"),
        (True, "Where the collection has several editions, the newest is among those quoted.\n"),
        (False, "An edition is quoted that was replaced or is no longer in force.\n"),
    ],
)
def test_the_newest_edition_is_a_fact_only_where_there_are_several(newest: bool | None, said: str) -> None:
    checks = Checks(quotations=3, quotations_verified=3, parts=1, newest=newest)
    assert said in render(report(checks=checks))


@pytest.mark.parametrize(
    ("language", "sure", "reserved", "parts", "said"),
    [
        ("en", 1, 0, 1, "the question is answered without reservation"),
        ("en", 0, 1, 1, "the question is answered with reservation"),
        ("en", 0, 0, 1, "no sure answer was found to the question"),
        ("en", 2, 0, 2, "2 of 2 parts of the question are answered without reservation"),
        ("en", 0, 2, 2, "2 of 2 parts of the question are answered with reservation"),
        ("en", 0, 0, 2, "no sure answer was found to any of the 2 parts of the question"),
        ("de", 0, 0, 1, "zur Frage wurde keine sichere Antwort gefunden"),
        ("de", 0, 1, 1, "die Frage ist mit Vorbehalt beantwortet"),
        ("de", 1, 1, 2, "1 von 2 Teilen der Frage ist ohne Vorbehalt beantwortet, 1 mit Vorbehalt"),
        ("de", 2, 0, 3, "2 von 3 Teilen der Frage sind ohne Vorbehalt beantwortet, 1 ohne sichere Antwort"),
        ("de", 0, 1, 2, "1 von 2 Teilen der Frage ist mit Vorbehalt beantwortet, 1 ohne sichere Antwort"),
        (
            "de",
            1,
            1,
            4,
            "1 von 4 Teilen der Frage ist ohne Vorbehalt beantwortet, 1 mit Vorbehalt, 2 ohne sichere Antwort",
        ),
        ("de", 0, 0, 2, "zu keinem der 2 Teile der Frage wurde eine sichere Antwort gefunden"),
        ("de", 0, 0, 0, "die Frage ist nicht beantwortet"),
    ],
)
def test_how_many_parts_are_answered_with_and_without_reservation(
    language: str, sure: int, reserved: int, parts: int, said: str
) -> None:
    facts = Checks(parts=parts, parts_answered=sure, parts_reserved=reserved)
    assert parts_said(facts, language) == said


def test_a_greeting_has_nothing_to_check() -> None:
    said = render(report(body="# Thanks\n\n## Answer\n\nThis is no question.", checks=Checks(), citations=()))
    assert "checked" not in said
    assert said.endswith("This is no question.\n")


@pytest.mark.parametrize(
    ("language", "searched", "unread", "said"),
    [
        ("en", 7, 0, "- Searched: 7 documents (Club).\n- Written without"),
        ("en", 7, 1, "- Searched: 7 documents (Club).\n- 1 file could not be read and was not searched: 0.pdf.\n"),
        ("de", 1, 2, "- Durchsucht: 1 Dokument (Club).\n- 2 Dateien waren nicht lesbar und wurden nicht durchsucht: "),
    ],
)
def test_files_that_could_not_be_read_are_named_in_the_checks(
    language: str, searched: int, unread: int, said: str
) -> None:
    files = tuple(f"{number}.pdf" for number in range(unread))
    scope = Scope(collections=("Club",), searched=searched, unread=files)
    assert said in render(report(language=language, scope=scope))


def test_files_that_could_not_be_read_are_named_above_no_answer_and_only_there() -> None:
    scope = Scope(collections=("Club",), searched=3, unread=("a.pdf", "Beitrag.pdf"))
    asked = report(language="de", query="Wie hoch ist der Beitrag?", body="# Q\n\n## Antwort\n\nNichts.", scope=scope)
    asked = asked.model_copy(update={"checks": Checks()})
    said = "2 Dateien waren nicht lesbar und wurden nicht durchsucht: Beitrag.pdf, a.pdf."

    attributed, settings = Attributed(markdown=asked.body), ResearchSettings(_env_file=None)

    response = Response(status="none", absent=("Beitrag",))
    nothing = asyncio.run(finished(asked, response, attributed, ExtractiveReasoner(), settings))
    assert nothing.answer.text == f"Nichts.\n\n{said}"
    assert nothing.markdown.count(said) == 1
    assert "## Prüfvermerk\n\n- Geprüft: Zitiert ist nichts; die Frage ist nicht beantwortet." in nothing.markdown
    assert nothing.scope.unread == ("Beitrag.pdf", "a.pdf")
    elsewhere = asked.model_copy(update={"query": "Wie lange?"})
    greeting = asyncio.run(finished(elsewhere, Response(status="none"), attributed, ExtractiveReasoner(), settings))
    assert greeting.answer.text == "Nichts."
    assert "Prüfvermerk" not in greeting.markdown


def test_files_that_could_not_be_read_are_named_where_a_word_stands_in_no_document() -> None:
    scope = Scope(collections=("Club",), searched=3, unread=("a.pdf",))
    asked = report(language="de", query="Wer zahlt die Fähre?", body="# Q\n\n## Antwort\n\nAlle.", scope=scope)
    response = Response(status="answered", absent=("Fähre",))
    attributed, settings = Attributed(markdown=asked.body), ResearchSettings(_env_file=None)
    done = asyncio.run(finished(asked, response, attributed, ExtractiveReasoner(), settings))
    assert done.answer.text == "Alle.\n\n1 Datei war nicht lesbar und wurde nicht durchsucht: a.pdf."


@pytest.mark.parametrize(
    ("language", "term", "quoted", "open_"),
    [
        ("en", "GPL", "The GPL, and every GPL program.", False),
        ("en", "GPL", "The licence of this program.", True),
        ("en", "harbour fees", "A fee is due in each harbour.", False),
        ("en", "harbour fees", "A fee is due.", True),  # half of it is still open
        ("de", "Verzeichnis", "Die Verzeichnisse der Stadt.", False),
        ("de", "Städte", "Die Stadt führt es.", False),
        ("de", "Gebührenordnung", "Der Beitrag ist zu zahlen.", True),
        ("de", "Frist", "Innerhalb der Fristen.", False),
    ],
)
def test_a_word_that_is_quoted_is_not_open(language: str, term: str, quoted: str, open_: bool) -> None:
    gap = phrase(language, "reasoning.open_gap", term=term)
    one = TaskReport(todo=Todo(id=1, text="How?"), summary=TaskSummary(task=1, text="", gaps=(gap,)))
    block = answer("closest", "How")
    passage = block.passages[0].model_copy(update={"text": quoted})
    text = cited_part((one,), NONE_LEFT, "none", language, [block.model_copy(update={"passages": (passage,)})])
    assert (gap in text) is open_
    assert (phrase(language, "report.appendix.open") in text) is open_
