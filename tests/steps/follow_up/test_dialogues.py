"""Twenty dialogues of three turns: what each follow-up refers to, without a model.

If the second turn is a search, the third one follows a report with the answer given in the table.
"""

# ruff: noqa: E501 - a row of the table is a line
from __future__ import annotations

from typing import NamedTuple

import pytest

from rabbithole.steps.follow_up import Context, FollowUp, Kind, context_of, resolve
from rabbithole.steps.language import detect_language
from rabbithole.steps.report_models import Report

from .reports import (
    ATTENTION,
    CARBON,
    EMERGENCY,
    FILTERS,
    HOLIDAY,
    HOURS,
    LEAVING,
    LOGS,
    PASSWORDS,
    REGISTER,
    SANITISING,
    Point,
    report,
)


class Turn(NamedTuple):
    """What is typed, and what must be understood. ``has``: words of the query; ``lacks``: words it must not have."""

    text: str
    kind: Kind
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    answer: tuple[Point, ...] = ()


FINES: tuple[Point, ...] = (
    ("StrlSchG", "§ 194 Bußgeldvorschriften", "Die Geldbuße beträgt bis zu fünfzigtausend Euro."),
)
YOUNG: tuple[Point, ...] = (
    ("JArbSchG", "§ 8 Dauer", "Jugendliche dürfen nicht mehr als acht Stunden beschäftigt werden."),
)
FEES: tuple[Point, ...] = (
    ("Satzung des CCC Mannheim", "§ 6 Mitgliedsbeiträge", "Eine Rückerstattung von Beiträgen ist ausgeschlossen."),
)
DIALOGUES: tuple[tuple[Report, Turn, Turn], ...] = (
    (EMERGENCY,
     Turn("Und welche Bußgelder drohen, wenn er das nicht tut?", "search", ("Bußgelder", "Strahlenschutzverantwortliche", "Notfall"), ("Und",), documents=("StrlSchV", "StrlSchG"), answer=FINES),
     Turn("Gilt das auch für den Strahlenschutzbeauftragten?", "search", ("Strahlenschutzbeauftragten", "Bußgelder"), documents=("StrlSchG",))),
    (EMERGENCY,
     Turn("Erkläre den zweiten Punkt", "explain", markers=("2",)),
     Turn("Danke", "courtesy")),
    (EMERGENCY,
     Turn("Vielen Dank! Und wer überwacht ihn?", "search", ("überwacht", "Strahlenschutzverantwortliche"), ("Dank",)),
     Turn("Was steht in § 109?", "search", ("§ 109",))),
    (EMERGENCY,
     Turn("Welche Fristen nennt diese Vorschrift?", "search", ("Fristen", "§ 108 StrlSchV"), documents=("StrlSchV",)),
     Turn("Wie lange müssen Rechnungen aufbewahrt werden?", "new", ("Rechnungen",), ("Notfall",))),
    (HOURS,
     Turn("und für Auszubildende?", "search", ("Arbeitszeit", "für Auszubildende"), ("Erwachsene",), documents=("ArbZG",), answer=YOUNG),
     Turn("Und für Schwangere?", "search", ("Arbeitszeit", "für Schwangere"), ("Auszubildende",))),
    (HOURS,
     Turn("Was bedeutet [2]?", "explain", markers=("2",)),
     Turn("Welche Ausnahmen gibt es davon?", "search", ("Ausnahmen", "Arbeitszeit"), documents=("ArbZG",))),
    (HOURS,
     Turn("Als Tabelle bitte", "table"),
     Turn("Fass das in zwei Sätzen zusammen", "shorten")),
    (HOLIDAY,
     Turn("Und wenn er krank wird?", "search", ("Was gilt, wenn er krank", "Arbeitnehmer", "Urlaubstage"), documents=("BUrlG",)),
     Turn("Zeig mir den ersten Punkt im Wortlaut", "explain", markers=("1",))),
    (HOLIDAY,
     Turn("Auf Englisch bitte", "language", ("Urlaubstage",)),
     Turn("Und das?", "ask_back")),
    (HOLIDAY,
     Turn("Was sagt dieses Gesetz zur Teilzeit?", "search", ("BUrlG", "Teilzeit"), documents=("BUrlG",)),
     Turn("Alles klar, danke!", "courtesy")),
    (FILTERS,
     Turn("Nur was die Abluft betrifft", "only", ("Abluft",)),
     Turn("Was steht in Anhang C?", "search", ("Anhang C von DIN 98412-3",), documents=("DIN 98412-3",))),
    (FILTERS,
     Turn("Welche Prüfmethoden gelten zum ersten Punkt?", "search", ("Prüfmethoden", "Abschnitt 6.2 von DIN 98412-3"), documents=("DIN 98412-3",)),
     Turn("Erkläre den zwölften Punkt", "ask_back")),
    (PASSWORDS,
     Turn("Explain the second point", "explain", markers=("2",)),
     Turn("Thanks a lot!", "courtesy")),
    (PASSWORDS,
     Turn("And for lookup secrets?", "search", ("How long", "lookup secrets"), documents=("SP 800-63B", "SP 800-53")),
     Turn("What does that section say about rate limiting?", "search", ("rate limiting", "section 5.1.1.1 of SP 800-63B"), documents=("SP 800-63B",))),
    (PASSWORDS,
     Turn("Why must the verifier do that?", "search", ("verifier", "memorized secret")),
     Turn("What about section 5.2?", "search", ("section 5.2 of SP 800-63B",))),
    (PASSWORDS,
     Turn("Make it shorter", "shorten"),
     Turn("Show only what concerns the verifier", "only", ("verifier",))),
    (LOGS,
     Turn("How long must they be kept?", "search", ("kept", "audit record"), documents=("SP 800-53",)),
     Turn("Which cipher suites are allowed in TLS 1.3?", "new", ("cipher suites",), ("audit",))),
    (LOGS,
     Turn("Can you quote the whole passage?", "explain", markers=("1",)),
     Turn("Why?", "ask_back")),
    (ATTENTION,
     Turn("Which learning rate do they use?", "search", ("learning rate", "transformer"), documents=("Attention Is All You Need",)),
     Turn("What does source 2 say exactly?", "explain", markers=("2",))),
    (LEAVING,
     Turn("Bekomme ich dann mein Geld zurück?", "search", ("Geld", "Mitgliedschaft", "CCC Mannheim"), documents=("Satzung des CCC Mannheim",), answer=FEES),
     Turn("Und bei Gentoo?", "search", ("Geld zurück bei Gentoo?", "Mitgliedschaft"), ("CCC", "Mannheim"))),
    (CARBON,
     Turn("And what about temperature?", "search", ("methyl iodide", "temperature"), documents=("Retention of methyl iodide", "Ageing of carbon")),
     Turn("Does that paper report an uncertainty?", "search", ("uncertainty", "Retention of methyl iodide"), documents=("Retention of methyl iodide",))),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "text", "query"),
    [
        (
            "Welcher Grenzwert gilt für beruflich exponierte Personen?",
            "Und für Auszubildende?",
            "Welcher Grenzwert gilt für Auszubildende?",
        ),
        (
            "How long must a password be for users?",
            "and for administrators?",
            "How long must a password be for administrators?",
        ),
        ("What is a tablet?", "And in Bigtable?", "What is a tablet in Bigtable?"),
        (
            "Who is eligible for parental leave?",
            "And for part-time employees?",
            "Who is eligible for parental leave for part-time employees?",
        ),
        (
            "What is the limit for memorized secrets?",
            "And for lookup secrets?",
            "What is the limit for lookup secrets?",
        ),
        ("Was steht in § 8 der Satzung?", "Und bei der Auflösung?", "Was gilt bei der Auflösung?"),
        ("What does section 4 say about fees?", "And in winter?", "What does section 4 say about fees in winter?"),
        (
            "Welcher Grenzwert gilt für Erwachsene?",
            "Gilt das auch für Jugendliche?",
            "Welcher Grenzwert gilt für Jugendliche?",
        ),
        (
            "Wie lange dauert Werkstatt-Urlaub?",
            "Ist das bei Teilzeit auch so?",
            "Wie lange dauert Werkstatt-Urlaub bei Teilzeit?",
        ),
        (
            "How often are filters tested?",
            "Does that also apply to spare filters?",
            "How often are filters tested for spare filters?",
        ),
        ("Wer prüft die Anlage?", "Und die Filter?", "Wer prüft die Filter?"),
    ],
)
def test_the_question_before_with_what_is_asked_instead(question: str, text: str, query: str) -> None:
    language = "en" if question.startswith(("How", "What")) else "de"
    assert resolve(text, Context(query=question, language=language)).query == query


@pytest.mark.parametrize(
    ("question", "text", "query"),
    [
        ("Wie kündige ich im CCC Mannheim?", "Und bei Gentoo?", "Wie kündige ich bei Gentoo?"),
        (
            "Was kostet die Mitgliedschaft bei Gentoo?",
            "Und im CCC Mannheim?",
            "Was kostet die Mitgliedschaft im CCC Mannheim?",
        ),
        (
            "Was sagt die Satzung des CCC Mannheim?",
            "Was ist mit Gentoo?",
            "Was sagt die Satzung des CCC Mannheim für Gentoo?",
        ),
        (
            "Welche Pausen gelten im CCC Mannheim?",
            "Und bei Teilzeit?",
            "Welche Pausen gelten im CCC Mannheim bei Teilzeit?",
        ),
        (
            "Welche Pausen gelten in Betrieben?",
            "Und bei Schwangeren?",
            "Welche Pausen gelten in Betrieben bei Schwangeren?",
        ),
        ("What does SP 800-63B say about passwords?", "And SP 800-53?", "What does SP 800-53 say about passwords?"),
        ("Does NIST IR 8259 apply?", "What about SP 800-53?", "Does SP 800-53 apply?"),
        ("How do I leave the CCC Mannheim?", "And at Gentoo?", "How do I leave the CCC Mannheim at Gentoo?"),
        ("How do I renew my membership in CCC Mannheim?", "And at Gentoo?", "How do I renew my membership at Gentoo?"),
    ],
)
def test_the_question_before_about_another_name(question: str, text: str, query: str) -> None:
    context = Context(
        query=question, language="de" if question.startswith("W") and "Wh" not in question else "en", documents=("d",)
    )
    follow = resolve(text, context)
    assert follow.query == query
    assert (follow.documents == ()) == (question.rstrip("?") not in query)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Was passiert in dem Fall mit Belegen?", "search"),
        ("What happens to backups then?", "search"),
        ("In that case, who pays the fees?", "search"),
        ("If a disk fails, what happens to backups then?", "new"),  # its own condition
        ("Wenn ein Filter reißt, wer zahlt dann die Kosten?", "new"),
        ("Which disks are erased and then sold?", "new"),
    ],
)
def test_then_refers_to_the_question_before(text: str, kind: Kind) -> None:
    assert resolve(text, context_of(LOGS if detect_language(text) == "en" else HOLIDAY)).kind == kind


@pytest.mark.parametrize(
    ("text", "points", "kind"),
    [
        ("ja", 1, "explain"),
        ("Ja, genau", 1, "explain"),
        ("yes", 2, "ask_back"),  # it does not say which
        ("nein", 2, "courtesy"),
        ("Was heißt das konkret?", 1, "explain"),
        ("Was heißt das konkret?", 2, "ask_back"),
        ("den zweiten", 2, "explain"),
        ("the second one", 2, "explain"),
        ("2", 2, "explain"),
        ("2", 1, "ask_back"),
        ("No person may smoke in a laboratory?", 2, "new"),  # a courtesy ends at a mark
    ],
)
def test_what_is_said_in_answer_to_a_question_asked_back(text: str, points: int, kind: Kind) -> None:
    answer = context_of(EMERGENCY)
    assert resolve(text, answer.model_copy(update={"points": answer.points[:points]})).kind == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Should it be changed regularly?", "search"),
        ("How often must it be tested?", "search"),
        ("Is it necessary to test backups?", "new"),  # 'it' announces what is necessary
        ("Which data must be encrypted before it is sent?", "new"),  # 'it' refers to the data
        ("Muss es begründet werden?", "search"),
        ("Wer darf es öffnen?", "search"),
        ("Gibt es für Rechnungen Fristen?", "new"),
        ("Ist es erlaubt, Rechnungen zu kürzen?", "new"),
        ("What is the difference between the two?", "search"),
        ("What should be done in the second one?", "search"),
    ],
)
def test_pronouns_that_refer_back(text: str, kind: Kind) -> None:
    context = context_of(PASSWORDS if detect_language(text) == "en" else EMERGENCY)
    assert resolve(text, context).kind == kind


@pytest.mark.parametrize(
    ("before", "text", "place"),
    [
        (REGISTER, "Welche Ausnahmen gibt es davon?", "§ 14 GeräteV"),
        (REGISTER, "Für welche Geräte gilt dies?", "§ 14 GeräteV"),
        (REGISTER, "Was passiert, wenn man dies nicht tut?", "§ 14 GeräteV"),
        (REGISTER, "Wer überwacht den Betreiber?", ""),
        (REGISTER, "Was gilt davon nach § 19?", "§ 19 GeräteV"),
        (SANITISING, "What are the exceptions to it?", "section 4.2 of SP 800-223"),
        (SANITISING, "Why is that recommended?", "section 4.2 of SP 800-223"),
        (SANITISING, "Are these rules mandatory?", "section 4.2 of SP 800-223"),
        (SANITISING, "What does section 5.1 say?", "section 5.1 of SP 800-223"),
        (HOLIDAY, "Welche Ausnahmen gibt es davon?", "§ 3 BUrlG"),
        (HOURS, "Welche Ausnahmen gibt es davon?", ""),
    ],
)
def test_a_word_that_refers_back_carries_the_place_named_before(before: Report, text: str, place: str) -> None:
    follow = resolve(text, context_of(before))
    assert follow.place == place
    assert place in follow.query


@pytest.mark.parametrize(("first", "second", "third"), DIALOGUES, ids=lambda one: getattr(one, "text", "")[:30])
def test_dialogue(first: Report, second: Turn, third: Turn) -> None:
    context = context_of(first)
    follow = understood(second, context)
    if follow.kind == "search":
        same = first.model_copy(update={"query": follow.query})
        context = context_of(report(follow.query, first.language, second.answer) if second.answer else same)
    understood(third, context)


def understood(turn: Turn, context: Context) -> FollowUp:
    follow = resolve(turn.text, context)
    said = f"{follow.query or follow.concern}"
    assert follow.kind == turn.kind, follow
    assert all(word in said for word in turn.has), follow
    assert not any(word in said for word in turn.lacks), follow
    if turn.markers:
        assert follow.markers == turn.markers
    if turn.documents:
        assert follow.documents == turn.documents
    return follow


@pytest.mark.parametrize(
    ("before", "text", "has"),
    [
        (HOURS, "Und wie lange?", ("wie lange", "Arbeitszeit", "Erwachsene")),
        (HOURS, "Bis wann denn?", ("bis wann", "Arbeitszeit")),
        (PASSWORDS, "And how often?", ("how often", "memorized secret")),
        (LOGS, "By when?", ("by when", "audit record")),
    ],
)
def test_a_question_without_words_of_its_own_is_asked_of_the_matter_before(before, text, has):
    found = resolve(text, context_of(before))
    assert found.kind == "search"
    assert all(one.casefold() in found.query.casefold() for one in has), found.query


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (EMERGENCY, "Wo steht das?"),
        (EMERGENCY, "Und wo genau steht das geschrieben?"),
        (PASSWORDS, "Where is that written?"),
        (PASSWORDS, "Where does it say that?"),
        (PASSWORDS, "Source?"),
    ],
)
def test_where_it_is_written_is_answered_with_the_passages(before, text):
    found = resolve(text, context_of(before))
    assert (found.kind, found.markers[:2]) == ("explain", ("1", "2"))


@pytest.mark.parametrize(("text", "kind"), [("Wo steht der Notfallplan?", "search"), ("Warum?", "ask_back")])
def test_what_has_words_of_its_own_or_asks_for_a_reason_is_no_such_question(text, kind):
    assert resolve(text, context_of(PASSWORDS)).kind == kind


@pytest.mark.parametrize(
    ("absent", "text", "kind"),
    [
        (("Geld",), "Bekomme ich dann meinen Beitrag zurück?", "new"),
        (("Geld",), "Bekomme ich mein Geld dann bald zurück?", "search"),
        (("Geld",), "Und bekomme ich dann einen Nachweis?", "search"),
        ((), "Bekomme ich dann meinen Beitrag zurück?", "search"),
    ],
)
def test_the_question_with_another_word_for_one_that_stands_nowhere_is_a_new_one(
    absent: tuple[str, ...], text: str, kind: Kind
) -> None:
    before = report("Bekomme ich dann mein Geld zurück?", "de", FEES)
    before = before.model_copy(update={"answer": before.answer.model_copy(update={"absent": absent})})
    assert resolve(text, context_of(before)).kind == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("How many spindles can the milling controller drive before it must be compiled again?", "new"),
        ("Ich rüste meine Fräse um. Wie viele Spindeln kann LinuxCNC ansteuern, ohne dass ich es übersetze?", "new"),
        ("How many spindles can it drive before the controller must be compiled again?", "search"),
        ("And how many spindles can the milling controller drive before it must be compiled again?", "search"),
        ("How many secrets can the milling controller keep before it must be compiled again?", "search"),
    ],
)
def test_a_pronoun_means_what_its_own_question_says_before_it(text: str, kind: Kind) -> None:
    assert resolve(text, context_of(PASSWORDS)).kind == kind
