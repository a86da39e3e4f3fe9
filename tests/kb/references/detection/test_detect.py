"""The contract of ``detect``: offsets, antecedents, language, bounds, the JSON shape."""

from __future__ import annotations

import pytest

from rabbithole.kb.references.detection.detect import detect, to_json
from rabbithole.kb.references.names.name_index import NameIndex


def paths(text: str) -> list[str]:
    return ["".join(f"[{unit} {value}]" for unit, value in each.path) for each in detect(text)]


def test_text_is_the_slice_between_the_offsets() -> None:
    text = "Siehe § 5 AtG,\nArt. 6 Abs. 1 DSGVO und [12]."
    for reference in detect(text):
        assert text[reference.start : reference.end] == reference.text


def test_members_of_a_list_share_the_span_of_the_whole_citation() -> None:
    found = detect("Nach §§ 3, 4 und 6 AtG gilt dies.")
    assert {(each.start, each.end) for each in found} == {(5, 22)}
    assert [each.target for each in found] == ["§ 3 AtG", "§ 4 AtG", "§ 6 AtG"]


def test_law_after_a_chain_belongs_to_all_its_members() -> None:
    found = detect("Das folgt aus § 9 Abs. 1 i. V. m. § 42 Abs. 2 MarkenG.")
    assert [each.document for each in found] == ["MarkenG", "MarkenG"]
    assert len({each.text for each in found}) == 1


def test_relative_reference_knows_the_law_last_named() -> None:
    found = detect("Das Strahlenschutzgesetz gilt. Nach § 12 des Gesetzes ist zu melden.")
    assert found[-1].relative
    assert found[-1].antecedent == "Strahlenschutzgesetz"


def test_target_carries_the_canonical_name_and_document_the_written_one() -> None:
    (found,) = detect("Es gilt § 5 des Strahlenschutzgesetzes.")
    assert (found.document, found.target) == ("Strahlenschutzgesetzes", "§ 5 StrlSchG")


@pytest.mark.parametrize("word", ["Absatz", "oder", "Grenzwerte", "Seite", "Tabelle", "Herr", "Die"])
def test_ordinary_words_are_no_laws(word: str) -> None:
    (found, *_) = detect(f"Nach § 5 {word} gilt dies.")
    assert found.document is None


@pytest.mark.parametrize(
    "law", ["LWaldG", "StVollzVO", "Landeshochschulgesetz", "des Pressegesetzes", "der Bauordnung"]
)
def test_a_name_with_the_shape_of_a_law_is_one(law: str) -> None:
    (found, *_) = detect(f"Nach § 5 {law} gilt dies.")
    assert found.document == law.split()[-1]


@pytest.mark.parametrize("words", ["Buchstaben in der Zeile", "Buchstabe der", "die Buchstaben rc", "Buchstaben auf"])
def test_words_after_letters_are_no_letters(words: str) -> None:
    assert not detect(f"Hier stehen {words}.", language="de")


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("article 11 of the WIPO copyright treaty", "article 11 WIPO copyright treaty"),
        ("section 6 of BCP 79", "section 6 BCP 79"),
    ],
)
def test_a_work_named_after_of_is_read_whole(words: str, target: str) -> None:
    (found,) = detect(f"This falls under {words} only.", language="en")
    assert (found.text, found.target) == (words, target)


def test_the_heading_of_an_annex_with_a_name_in_capitals_is_no_reference() -> None:
    assert not detect("Das steht dort.\nAnhang A GNU Free Documentation License\nVersion 1.3", language="de")
    (found,) = detect("Es gilt Anlage 1 BTMV.", language="de")
    assert found.document == "BTMV"


def test_a_word_glued_to_a_number_is_no_part_of_it() -> None:
    assert [path for path in paths("nach § 18 Absatz 2 oder 4zu prüfen") if "zu" in path] == []
    assert paths("§ 27a und § 9aa AtG") == ["[§ 27a]", "[§ 9aa]"]


def test_long_ranges_are_given_by_their_ends() -> None:
    assert paths("§§ 1 bis 99999 AtG gelten.") == ["[§ 1]", "[§ 99999]"]
    assert len(detect("Es gelten die §§ 1 bis 200 AtG.")) == 200


def test_short_abbreviations_need_german_text() -> None:
    assert not detect("An EEG and a TFG were recorded in the lab.", language="en")
    assert [each.target for each in detect("Nach dem EEG wird vergütet.", language="de")] == ["EEG"]


def test_heading_is_no_reference_but_the_same_words_in_a_sentence_are() -> None:
    assert not detect("§ 78 Grenzwerte\nDer Grenzwert beträgt 20.")
    assert not detect("Vorwort.\n\n### § 78 Grenzwerte\n\nDer Grenzwert beträgt 20.")
    assert paths("Das folgt aus\n§ 78 Absatz 1 StrlSchG.") == ["[§ 78][Abs 1]"]
    assert paths("Das folgt nach\n§ 78 und weiteren Normen.") == ["[§ 78]"]


def test_registered_names_stand_in_for_the_document() -> None:
    names = NameIndex([("Betriebshandbuch Nord", "BHB Nord")])
    (found,) = detect("Näheres im Betriebshandbuch Nord der Anlage.", names=names)
    assert (found.kind, found.document, found.target) == ("document_mention", "Betriebshandbuch Nord", "BHB Nord")


def test_entries_of_a_list_of_literature_are_no_callouts() -> None:
    text = "Literatur\n[12] Müller, A.: Strahlenschutz. 2019.\n[13] Schmidt, B.: Recht. 2020."
    assert not [each for each in detect(text) if each.kind == "academic_numbered"]


def test_json_has_exactly_the_promised_keys() -> None:
    (row,) = to_json(detect("Nach § 27 Abs. 3 AtG gilt dies."))
    assert list(row) == ["start", "end", "text", "kind", "target", "document", "path", "method"]
    assert row["path"] == [["§", "27"], ["Abs", "3"]]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('The monitor will continue to report "Low Cells" for a day.', []),
        ("Old models report bits 0-5. All others report 0-4.", []),
        ('They document "Low Cells" in the log.', []),
        ('See the final report "Low Cells" for that.', ["Low Cells"]),
        ("Also, see Government Accountability Office (GAO) report GAO-12-757 for more.", ["GAO-12-757"]),
        ("Refer to ISO/IEC document 9899 for details.", ["9899"]),
    ],
)
def test_report_and_document_as_verbs_name_none(text: str, names: list[str]) -> None:
    assert [one.document for one in detect(text, language="en") if one.kind == "document"] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Supported are ISO-8859-1 (western), ISO-8859-15 (the same with the euro) and others.", []),
        ("The name uses the ISO 8859-1 encoding.", []),
        ("Players should read this field as an ISO 8601 date.", []),
        ("It compiles with any ANSI C99 compliant compiler.", []),
        ("The text is encoded as defined in ISO 8859-1.", ["ISO 8859-1"]),
        ("Encodings are numbered, see ISO/IEC 10646 for them.", ["ISO/IEC 10646"]),
        ("ISO/IEC 10646 defines a large character set.", ["ISO/IEC 10646"]),
        ("Controls according to ISO 27001 apply.", ["ISO 27001"]),
        ("Controls are those of ISO/IEC 27001:2013 A.8.1.1 and KTA 1404.", ["ISO/IEC 27001", "KTA 1404"]),
        ("The encoding follows ISO 8859-1:1998.", ["ISO 8859-1"]),
    ],
)
def test_a_standard_that_is_only_named_is_no_reference(text: str, names: list[str]) -> None:
    assert [one.document for one in detect(text, language="en")] == names
