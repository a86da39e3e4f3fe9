import pytest

from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.names.german_nominative import nominative, with_kind


@pytest.mark.parametrize(
    ("cited", "called"),
    [
        ("Zweiten Durchführungsverordnung", "Zweite Durchführungsverordnung"),
        ("Hamburgischen Pressegesetzes", "Hamburgisches Pressegesetz"),
        ("Hamburgischen Bauordnung", "Hamburgische Bauordnung"),
        ("Ersten Verordnung zur Durchführung des Bundes-Immissionsschutzgesetzes",) * 2,
        ("Zweiten Durchführungsverordnung zum Wasserverbandsgesetz",) * 2,
        ("Berliner Hochschulgesetz",) * 2,
        ("Dresdner Hochschulordnung",) * 2,
        ("Delegierter Verordnung", "Delegierte Verordnung"),
        ("Strahlenschutzgesetz",) * 2,
        ("KTA 1404",) * 2,
        ("Badischen Landesarchiv",) * 2,
    ],
)
def test_names_are_called_in_the_nominative(cited: str, called: str) -> None:
    expected = called.replace("Ersten Verordnung", "Erste Verordnung").replace("Zweiten Durch", "Zweite Durch")
    assert nominative(cited) == expected


@pytest.mark.parametrize(
    ("name", "mention", "called"),
    [
        ("(EU) 2017/745", "Artikel 4 der Verordnung (EU) 2017/745", "Verordnung (EU) 2017/745"),
        ("(EG) 1223/2009", "der Verordnung (EG) Nr. 1223/2009", "Verordnung (EG) 1223/2009"),
        ("90/385/EWG", "der Richtlinie 90/385/EWG", "Richtlinie 90/385/EWG"),
        ("(EU) 2020/2151", "der Durchführungsverordnung (EU) 2020/2151", "Durchführungsverordnung (EU) 2020/2151"),
        ("2009/128/EC", "Directive 2009/128/EC", "Directive 2009/128/EC"),
        ("(EU) 2017/746", "und (EU) 2017/746", "(EU) 2017/746"),
        ("Bundesberggesetz (BBergG)", "des Bundesberggesetzes", "Bundesberggesetz (BBergG)"),
    ],
)
def test_an_act_of_the_union_is_named_with_its_kind(name: str, mention: str, called: str) -> None:
    assert with_kind(name, mention) == called


def test_works_joined_by_a_slash_are_named() -> None:
    (found,) = detect("Es gilt Abschnitt 4.1.10 ADR/RID für Tanks.", language="de")
    assert (found.document, found.path) == ("ADR/RID", (("Abschnitt", "4.1.10"),))


@pytest.mark.parametrize("text", ["The code points 0041 and 005A are letters.", "It rose by percentage points 3 to 4."])
def test_points_of_other_kinds_are_no_places(text: str) -> None:
    assert detect(text, language="en") == []
