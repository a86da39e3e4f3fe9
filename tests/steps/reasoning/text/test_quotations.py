import pytest

from rabbithole.steps.reasoning.text.quotations import quotations


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Es gilt „ein Wert von 20“ [e1].", ["ein Wert von 20"]),
        ("It says “the “inner” one” here.", ["the “inner” one"]),
        ('It says "this" and "that".', ["this", "that"]),
        ("»Guillemets« und «andere»", ["Guillemets", "andere"]),
        ("Ein „offenes Zitat ohne Ende", []),
        ("Satz „außen ‚innen‘ außen“ Ende", ["außen ‚innen‘ außen"]),
        ("kein Zitat", []),
        ("", []),
    ],
)
def test_quotations_of_a_line(line, expected):
    found = quotations(line)
    assert [one.text for one in found] == expected
    assert all(line[one.start + 1 : one.end - 1] == one.text for one in found)


def test_two_words_are_a_term():
    assert quotations("„effektive Dosis“")[0].is_term
    assert not quotations("„effektive Dosis beträgt“")[0].is_term
