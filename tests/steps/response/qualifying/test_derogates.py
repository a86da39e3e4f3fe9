"""Which sentences derogate from the place they name."""

from __future__ import annotations

import pytest

from rabbithole.steps.response.qualifying.derogates import derogates, may_derogate


@pytest.mark.parametrize(
    ("sentence", "place", "found"),
    [
        ("Abweichend von § 8 Abs. 1 beträgt die Frist 30 Tage.", "§ 8 Abs. 1", True),
        ("Abweichend von § 3 Abs. 1 und § 8 beträgt die Frist 30 Tage.", "§ 8", True),
        ("Die Frist kann abweichend von der Regelung in § 8 verlängert werden.", "§ 8", True),
        ("§ 8 gilt nicht für Schulen.", "§ 8", True),
        ("Die §§ 8 und 9 gelten für Schulen nicht.", "§§ 8 und 9", True),
        ("Die Frist des § 8 gilt nicht für Schulen.", "§ 8", True),
        ("Auf Schulen findet § 8 keine Anwendung.", "§ 8", True),
        ("Für Schulen gelten die §§ 8 und 9 nicht.", "§§ 8 und 9", True),
        ("Für Schulen gilt § 8 mit der Maßgabe, dass die Frist 30 Tage beträgt.", "§ 8", True),
        ("Die §§ 8 bis 11 sind auf Krankenkassen nicht anzuwenden.", "§§ 8 bis 11", True),
        ("Von der Pflicht nach § 8 sind Schulen befreit.", "§ 8", True),
        ("An die Stelle der Frist nach § 8 treten 30 Tage.", "§ 8", True),
        ("Notwithstanding Section 8, the period is 30 days.", "Section 8", True),
        ("By way of derogation from Article 8, the period is 30 days.", "Article 8", True),
        ("Sections 8 and 9 do not apply to schools.", "Sections 8 and 9", True),
        ("The limit in Section 8 does not apply to schools.", "Section 8", True),
        ("Schools keep bees for a year instead of the period stated in Section 8.", "Section 8", True),
        ("This recommendation updates Section 8 of RFC 1.", "Section 8 of RFC 1", True),
        ("It overrides the requirement of Section 8.", "Section 8", True),
        # sentences that only refer to the place, or to which it goes before
        ("Die Frist nach § 8 beginnt mit dem Antrag.", "§ 8", False),
        ("§ 8 gilt nicht nur für Schulen.", "§ 8", False),
        ("§ 8 gilt entsprechend.", "§ 8", False),
        ("Anzeigen nach § 8 gelten nicht als Antrag.", "§ 8", False),
        ("§ 8 gilt auch, wenn die Frist nicht bekannt ist.", "§ 8", False),
        ("In den Fällen des § 8 gilt nicht die Frist von 14 Tagen.", "§ 8", False),
        ("Unbeschadet des § 8 beträgt die Frist 30 Tage.", "§ 8", False),
        ("Ordnungswidrig handelt, wer entgegen § 8 nicht anzeigt.", "§ 8", False),
        ("Von § 8 kann nicht zum Nachteil der Mitglieder abgewichen werden.", "§ 8", False),
        ("Abweichend von § 3 beginnt die Frist nach § 8 mit dem Antrag.", "§ 8", False),
        ("Except as provided in Section 8, the period is 30 days.", "Section 8", False),
        ("As described in Section 8, this does not apply.", "Section 8", False),
        ("The period is stated in Section 8.", "Section 8", False),
        ("It incorporates the updates from Section 8 of RFC 1.", "Section 8 of RFC 1", False),
    ],
)
def test_a_sentence_puts_something_else_in_place_of_a_rule(sentence: str, place: str, found: bool) -> None:
    start = sentence.index(place)
    assert derogates(sentence, start, start + len(place)) is found
    assert may_derogate(sentence) or not found
