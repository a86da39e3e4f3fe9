import pytest
from hypothesis import given
from hypothesis import strategies as st

from rabbithole.kb.ingest.numbers.number_words import number_in_words
from rabbithole.kb.ingest.numbers.numbering import split_number


@pytest.mark.parametrize(
    ("title", "number", "heading"),
    [
        ("§ 27 Beförderung radioaktiver Stoffe", "§ 27", "Beförderung radioaktiver Stoffe"),
        ("§ 9a Verwertung", "§ 9a", "Verwertung"),
        ("§ 9 a Verwertung", "§ 9a", "Verwertung"),
        ("§\u00a014 - Aufrechterhaltung", "§ 14", "Aufrechterhaltung"),
        ("(XXXX) §§ 12 bis 14 (weggefallen)", "§§ 12 bis 14", "(weggefallen)"),
        ("§ 40.1 Definitions.", "§ 40.1", "Definitions."),
        ("Art 5", "Artikel 5", ""),
        ("Art. 20a", "Artikel 20a", ""),
        ("Article 6 Lawfulness of processing", "Article 6", "Lawfulness of processing"),
        ("Anlage 4 (zu den §§ 5, 10) Freigrenzen", "Anlage 4", "(zu den §§ 5, 10) Freigrenzen"),
        ("Anlage Muster", "Anlage", "Muster"),
        ("Anhang EV", "Anhang EV", ""),
        ("Annex B", "Annex B", ""),
        ("ANNEX B.2 Tables", "Annex B.2", "Tables"),
        ("Appendix A.  Changes", "Appendix A", "Changes"),
        ("Teil 2 Maßnahmen", "Teil 2", "Maßnahmen"),
        ("Erster Abschnitt Allgemeines", "Abschnitt 1", "Allgemeines"),
        ("2. Kapitel Schutz", "Kapitel 2", "Schutz"),
        ("Unterabschnitt 3 Anfechtung", "Unterabschnitt 3", "Anfechtung"),
        ("Part 39—AIRWORTHINESS DIRECTIVES", "Part 39", "AIRWORTHINESS DIRECTIVES"),
        ("5.2.  Title", "5.2", "Title"),
        ("4.2.3 Prüfung", "4.2.3", "Prüfung"),
        ("A.1 Diskless Booting", "A.1", "Diskless Booting"),
        ("IV. Ergebnisse", "IV", "Ergebnisse"),
        ("Title 1", "Title 1", ""),
        ("AC-2  ACCOUNT MANAGEMENT", "AC-2", "ACCOUNT MANAGEMENT"),
        ("ORP.4.A2 Rollen", "ORP.4.A2", "Rollen"),
        ("COVID-2019 cases", "", "COVID-2019 cases"),
        ("Introduction", "", "Introduction"),
        ("Teilnahme am Verfahren", "", "Teilnahme am Verfahren"),
        ("Artikel", "", "Artikel"),
        ("Art des", "", "Art des"),  # the head of a table's row
        ("Anhang AB", "Anhang AB", ""),
        ("Section overview", "", "Section overview"),
    ],
)
def test_numbers_and_headings(title: str, number: str, heading: str) -> None:
    numbered = split_number(title)
    assert (numbered.number, numbered.heading) == (number, heading)


@given(st.text(max_size=80))
def test_any_title_is_taken_apart(title: str) -> None:
    numbered = split_number(title)
    assert numbered.number == numbered.number.strip()
    assert numbered.heading == numbered.heading.strip()


@given(st.integers(1, 400), st.sampled_from(["", "a", "b", "k"]), st.text("abcdefg XYZ", max_size=20))
def test_a_section_sign_gives_its_number(number: int, letter: str, rest: str) -> None:
    assert split_number(f"§ {number}{letter} T{rest}").number == f"§ {number}{letter}"


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("THIRTEEN", 13),
        ("TWENTY-ONE", 21),
        ("TWENTYTWO", 22),
        ("Ninety", 90),
        ("EINUNDZWANZIG", 21),
        ("Dreißig", 30),
        ("DREISSIG", 30),
        ("siebzehn", 17),
        ("TWENTYTWENTY", None),
        ("INTRODUCTION", None),
        ("", None),
    ],
)
def test_numbers_in_words(words: str, number: int | None) -> None:
    assert number_in_words(words) == number


@pytest.mark.parametrize(
    ("title", "number", "heading"),
    [
        ("CHAPTER ONE INTRODUCTION", "Chapter 1", "INTRODUCTION"),
        ("Chapter Twenty-One", "Chapter 21", ""),
        ("Kapitel Drei: Der Hafen", "Kapitel 3", "Der Hafen"),
        ("Chapter one of the book", "", "Chapter one of the book"),
        ("Part Time Work", "", "Part Time Work"),
    ],
)
def test_a_number_in_words_is_the_number_of_its_chapter(title: str, number: str, heading: str) -> None:
    numbered = split_number(title)
    assert (numbered.number, numbered.heading) == (number, heading)
