"""Names in a question that no document has: the report says so first and gives no answer on them."""

from __future__ import annotations

import pytest
from kb_records import knowledge_base, record

from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from rabbithole.steps.response.lacking.absent_names import absent_names

TEXT = (
    "A cookie has the attributes MaxAge and Path. The attribute MaxAge takes a number of seconds, set by QCOOKIE_ADM. "
    "The protocol is TLS 1.2; before, TLS versions 1.1 and 1.0 were used."
)


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("Which values can the SameSite attribute of a cookie take?", ("SameSite",)),
        ("Which values can the MaxAge attribute of a cookie take?", ()),
        ("Who sets QCOOKIE_ADM, and who QCOOKIE_OPR?", ("QCOOKIE_OPR",)),
        ("Does TLS1.3 or TLS1.2 protect cookies in January?", ("TLS1.3",)),
        ("Welche Werte hat ein Keks der Bäckerei?", ()),
        ("Which values has a cookie on an Arbeitsplatz-PC?", ()),  # a German noun before what is short
        ("Welche Werte hat ein Keks im Arbeitsplatz-SameSite?", ("SameSite",)),
        ("Wie wird ein Keks im Garten-Netzwerk-TLS1.2 gesetzt?", ()),
        ("Which cookies does TLS 1.3 protect, and which TLS 1.2?", ("TLS 1.3",)),
        ("Does TLS 1.0 protect a cookie?", ()),  # "TLS 1.2 and 1.0"
        ("Does TLS version 1.2 protect a cookie, does TLS v1.4?", ("TLS v1.4",)),
        ("May I sell a cookie under the Bakers License 2.0?", ("Bakers License 2.0",)),
        ("Welche Note unter 2.3 hat ein Keks in Abschnitt 4.2, und reichen 1.5 Millionen?", ()),
        ("What does Section 7.3 say of the Cookie 10.12.2024?", ()),
        ("", ()),
    ],
)
def test_only_names_by_their_spelling_count(tmp_path, question, absent):
    with knowledge_base(tmp_path, record("Cookies", [("1", TEXT)])) as kb:
        assert absent_names(kb, question) == absent


@pytest.mark.parametrize(("name", "absent"), [("DFSL", ()), ("D-FSL", ()), ("BY-NC-SA", ("BY-NC-SA",))])
def test_the_initials_of_a_title_are_a_name(tmp_path, name, absent):
    licence = record("Deutsche Freie Software Lizenz", [("1", "Sie dürfen das Programm verbreiten.")], language="de")
    with knowledge_base(tmp_path, licence) as kb:
        assert absent_names(kb, f"Darf ich das Programm unter der {name} verkaufen?") == absent


@pytest.mark.parametrize(
    ("question", "language", "absent"),
    [
        ("How does Kafka store the cookies of a browser?", "en", ("Kafka",)),
        ("Does a cookie set in January or on Monday last?", "en", ()),
        ("Which attributes does the Path of a cookie have?", "en", ()),
        ("Wie speichert Kafka die Kekse eines Browsers?", "de", ()),  # every noun has a capital
    ],
)
def test_capitals_inside_a_sentence_show_names_in_english(tmp_path, question, language, absent):
    with knowledge_base(tmp_path, record("Cookies", [("1", TEXT)])) as kb:
        assert absent_names(kb, question, language=language) == absent


def test_a_name_no_document_has_is_said_and_not_answered(tmp_path):
    with knowledge_base(tmp_path, record("Cookies", [("1", TEXT)])) as kb:
        question = "Which values can the SameSite attribute of a cookie take?"
        response = respond(kb, understand(kb, question, "en"))
        assert response.first[0] == '"SameSite" does not appear in any of the documents searched.'
        assert response.status == "none"
        assert all(len(block.passages) <= 1 for block in response.blocks)
