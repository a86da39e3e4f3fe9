import pytest

from rabbithole.steps.reasoning.text.measures import states_measure
from rabbithole.steps.selection.expected import states_figure


@pytest.mark.parametrize(
    ("question", "text", "stated"),
    [
        ("Wie viele Seiten muss eine Arbeit haben?", "Der Umfang beträgt mindestens 40 Seiten.", True),
        ("Wie viele Seiten muss eine Arbeit haben?", "Sie umfasst höchstens zwei Druckseiten mit 400 Wörtern.", False),
        ("How many pages may it have?", "See page 12.", False),
        ("How many pages may it have?", "Pages: 12", True),
        ("How many lines of code are small?", "Up to 15 non-comment lines are.", True),
        ("How many bits per second does it need?", "It needs 11 kbps.", True),
        ("How many bits per second does it need?", "It has 11 channels.", False),
        ("How many bits per second does it need?", "| Mode | kbit/s |\n| --- | --- |\n| 6 | 11 |", True),
        ("How many metres is it long?", "| Item | Size |\n| --- | --- |\n| Frame | 11 |", False),
        ("Wie viel Prozent der Stimmen braucht sie?", "Sie braucht 5 % der Stimmen.", True),
        ("Wie viel Prozent der Stimmen braucht sie?", "Sie braucht drei Sitze.", False),
        ("How large is the buffer, in kilobytes?", "A buffer of 64 KiB is enough.", True),
        ("For how many days may it be valid?", "Certificate usage 0 is for a CA.", False),
        ("For how many days may it be valid?", "It is valid for up to a year.", True),
        ("Wie viele Stunden darf er arbeiten?", "Er darf vierzig Stunden in der Woche arbeiten.", True),
        ("Wie viele Mikrosekunden sind erlaubt?", "Wählen Sie 1 aus 3 Einträgen.", False),
        ("How many words may stand in a page?", "At most 300 words.", True),
        ("Wie viele Punkte bekomme ich in der Woche?", "Man bekommt drei Punkte.", True),
        ("How many people decide?", "Three people decide.", True),
    ],
)
def test_a_number_of_the_unit_asked_for(question: str, text: str, *, stated: bool) -> None:
    assert states_measure(text, question) is stated


def test_a_figure_of_another_unit_is_not_the_one_asked_for() -> None:
    question = "Wie viele Seiten muss eine Masterarbeit haben?"
    assert not states_figure("number", "Eine Arbeit ist in 3 Exemplaren abzugeben.", question)
    assert states_figure("number", "Eine Arbeit hat 60 bis 80 Seiten.", question)
