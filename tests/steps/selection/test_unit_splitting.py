"""Texts of sections cut into what people read as one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rabbithole.steps.selection.units.item_markers import markers
from rabbithole.steps.selection.units.unit_lines import announces_several, only_counts
from rabbithole.steps.selection.units.unit_splitting import split


def units(text: str) -> list[tuple[str, str, str]]:
    return [(one.kind, text[slice(*one.head)] if one.head else "", text[one.start : one.end]) for one in split(text)]


def test_a_paragraph_is_whole() -> None:
    assert units("Members pay a fee. It is due in May.\nThe board meets twice.\n") == [
        ("paragraph", "", "Members pay a fee. It is due in May."),
        ("paragraph", "", "The board meets twice."),
    ]


@pytest.mark.parametrize(
    "marks", [("1.", "2."), ("a.", "b."), ("a)", "b)"), ("(a)", "(b)"), ("•", "•"), ("(1)", "(2)")]
)
def test_a_short_list_keeps_its_head(marks: tuple[str, str]) -> None:
    text = f"An application contains:\n{marks[0]} the name of the applicant. It is given in full.\n{marks[1]} the date."
    (only,) = split(text)
    assert (only.kind, text[only.start : only.end]) == ("list", text)


@pytest.mark.parametrize(
    "lead",
    [
        "Ordnungswidrig handelt, wer",
        "The licence is refused if",
        "Sofern für eine Tätigkeit besondere Anforderungen gestellt werden, darf sie nur durchführen, welche Person",
    ],
)
def test_a_lead_in_without_a_colon_keeps_its_items(lead: str) -> None:
    text = f"{lead}\n1. has the knowledge that is needed,\n2. takes no orders and\n3. has the means."
    (only,) = split(text)
    assert (only.kind, text[only.start : only.end]) == ("list", text)


def test_a_heading_does_not_lead_into_the_items_below() -> None:
    assert [text for _, _, text in units("Duties of the operator\n(1) He reports.\n(2) He pays.")] == [
        "Duties of the operator",
        "(1) He reports.\n(2) He pays.",
    ]


def test_items_of_a_long_list_are_units_with_the_head() -> None:
    items = [f"{letter}) {'the competent authority is informed ' * 8}of {letter};" for letter in "abcd"]
    found = units("The operator sees to it that:\n" + "\n".join(items))
    assert [(kind, head) for kind, head, _ in found] == [("item", "The operator sees to it that:")] * 4
    assert [text for _, _, text in found] == items


def test_nested_items_stay_with_the_item_they_belong_to() -> None:
    filler = "as long as the conditions of the licence are met " * 7
    text = f"Required are:\n1. a plan,\na) of the site, {filler}\nb) of the building,\n2. a report, {filler}"
    assert [words.splitlines()[0] for _, _, words in units(text)] == ["1. a plan,", f"2. a report, {filler}".strip()]


def test_a_lead_in_does_not_lead_to_the_items_of_the_list_around_it() -> None:
    text = (
        "3. Radon\n\nA dose of 1 millisievert comes from\na) an exposure to radon, or\nb) an exposure to energy.\n"
        f"4. {'Doses are computed from tables. ' * 40}\n5. Dose of the unborn child:\na) the mother's exposure,\n"
        f"b) {'what she breathes in. ' * 30}"
    )
    units = {text[one.start : one.end]: text[slice(*one.head)] if one.head else "" for one in split(text)}
    led = [words for words, head in units.items() if "1 millisievert" in head + words]
    assert all("computed" not in words and "unborn" not in words for words in led)
    assert any(words.startswith("5. Dose of the unborn child:\na) the mother") for words in units)


def test_nested_items_of_a_long_item_have_their_own_head() -> None:
    filler = "unless the subscriber has been told so in another way before " * 9
    lead = "5. If the check is made remotely:"
    codes = "e. Codes are valid for:\ni. 10 days, sent by post;\nii. 30 days, abroad;\niii. 24 hours, sent by email."
    text = (
        f"4. If the check is made in person, {filler}\n{lead}\na. The code {filler}\nb. The applicant {filler}\n{codes}"
    )
    found = units(text)
    assert found[-1] == ("item", lead, codes)
    assert [head for _, head, words in found if words[0] in "abe"] == [lead] * 3


@pytest.mark.parametrize(
    ("lines", "same"),
    [
        (["(h) x", "(i) y", "(j) z"], [0, 0, 0]),
        (["(a) x", "(i) y", "(ii) y", "(iii) y", "(iv) y", "(v) y", "(b) z"], [0, 1, 1, 1, 1, 1, 0]),
        (["e. x", "i. y", "ii. y", "f. z", "g. z", "h. z", "i. z"], [0, 1, 1, 0, 0, 0, 0]),
        (["u) x", "v) y", "w) z", "x) z"], [0, 0, 0, 0]),
    ],
)
def test_roman_numbers_are_told_from_letters(lines: list[str], same: list[int]) -> None:
    kinds = markers(lines)
    assert [kinds.index(kind) for kind in kinds] == [same.index(one) for one in same]


def test_a_rule_that_ends_with_a_colon_is_quoted_with_what_follows() -> None:
    text = "The following holds for students:\nA quarter of the fee is charged for every quarter begun."
    assert units(text) == [("paragraph", "", text)]


def test_a_question_is_quoted_with_what_answers_it() -> None:
    text = "How do I ask for leave?\nWrite to your manager two weeks ahead."
    assert units(f"{text}\nOther matters follow here.")[0] == ("paragraph", "", text)


@pytest.mark.parametrize(
    "caption", ["Table 4. Retention", "Table 4: Retention of files. Months are those of a calendar."]
)
def test_rows_of_a_long_table_have_its_header_and_caption(caption: str) -> None:
    rows = [
        f"| Type {n} of a rather long name that goes on and on for some time | {n} weeks | {n} months |"
        for n in range(12)
    ]
    head = f"{caption}\n| Kind | Low | High |\n| --- | --- | --- |"
    found = units(head + "\n" + "\n".join(rows))
    table = [one for one in found if one[0] == "table"]
    assert [text for _, _, text in table] == rows
    assert {own for _, own, _ in table} == {head}


def test_a_small_table_is_whole() -> None:
    text = "| Kind | Fee |\n| --- | --- |\n| full | 20 |\n| reduced | 10 |"
    assert units(text) == [("table", "", text)]


def test_steps_are_told_from_other_lists() -> None:
    text = "To restore the system, follow these steps:\n1. Stop the service.\n2. Copy the data.\n3. Start it again."
    assert [kind for kind, _, _ in units(text)] == ["steps"]


def test_a_definition_is_told_from_other_paragraphs() -> None:
    assert units("Media sanitization is the process of removing data from a medium.")[0][0] == "definition"


def test_a_long_paragraph_is_cut_at_sentences() -> None:
    text = " ".join(f"Sentence number {n} says something about the matter at hand." for n in range(60))
    found = split(text)
    assert len(found) > 2
    assert all(text[one.start : one.end].endswith(".") for one in found)


@given(st.text(alphabet="ab1.)(:|-• \n", max_size=300))
def test_units_are_in_order_and_lie_within_the_text(text: str) -> None:
    found = split(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    starts = [one.start for one in found]
    assert starts == sorted(starts)
    assert all(one.head is None or 0 <= one.head[0] < one.head[1] <= len(text) for one in found)


def test_a_lead_in_keeps_all_lines_of_a_program() -> None:
    program = "REASSIGN OWNED BY old TO new;\nDROP OWNED BY old;\n-- in each database;\nDROP ROLE old;"
    text = f"In short, this removes a role:\n{program}\nAfter that nothing is left of the role."
    assert [words for _, _, words in units(text)] == [
        f"In short, this removes a role:\n{program}",
        "After that nothing is left of the role.",
    ]


def test_a_sentence_with_a_colon_heads_the_table_below_it() -> None:
    rows = "\n".join(f"| {2**n} | side number {n} of all the sides that a plot may have |" for n in range(20))
    lead = "The sum of the entries of this table, which gives each side of a plot a number of its own, is set here:"
    text = f"The borders are encoded.  {lead}\n| Bit | Side |\n| --- | --- |\n{rows}"
    heads = {head for kind, head, _ in units(text) if kind == "table"}
    assert heads == {f"{lead}\n| Bit | Side |\n| --- | --- |"}


def test_paragraphs_of_a_section_keep_their_bullets_and_the_sentence_after_them() -> None:
    more = " ".join(["in each year that has a spring and for as long as anybody comes to its meetings"] * 4)
    first = f"(1) The board consists of\n• the chair, {more}\n• the treasurer.\nIt meets twice, {more}."
    second = f"(2) It is elected in May, {more}."
    assert [words for _, _, words in units(f"{first}\n{second}")] == [first, second]


@pytest.mark.parametrize(
    ("items", "after"),
    [
        ("(1) He reports.\n(2) He pays.", "Fees of the operator"),  # the heading of what follows
        ("1. He reports.\n2. He pays.", "Then it is quiet."),  # no paragraphs of a section
        ("• He reports.\n• He pays.", "Then it is quiet."),
    ],
)
def test_what_follows_other_items_is_no_part_of_them(items: str, after: str) -> None:
    assert [words for _, _, words in units(f"{items}\n{after}")] == [items, after]


@pytest.mark.parametrize(
    ("line", "items", "together"),
    [
        ("Die Mitgliederversammlung", "1. wählt den Vorstand,\n2. ändert die Satzung.", True),
        ("The general meeting", "(1) elects the board,\n(2) changes the rules.", True),
        ("Duties of the board", "1. The board reports.\n2. It pays.", False),  # a heading
        ("Duties of the board", "• reports on the year\n• pays the fees", False),  # bullets are often written small
        ("The board is elected.", "1. chair,\n2. treasurer.", False),  # the sentence has ended
    ],
)
def test_items_that_go_on_with_the_line_above_keep_it(line: str, items: str, together: bool) -> None:
    text = f"{line}\n{items}"
    assert [words for _, _, words in units(text)] == ([text] if together else [line, items])


def test_a_header_that_stands_again_on_the_next_page_is_no_row() -> None:
    rows = [f"| Type {n} of a rather long name that goes on for some time | {n} weeks |" for n in range(14)]
    head = "| Kind of record that is kept | Time |\n| --- | --- |"
    found = units("\n".join((head, *rows[:7], head, *rows[7:])))
    assert found == [("table", head, row) for row in rows]


def test_a_question_that_is_put_in_other_words_is_quoted_with_what_answers_it() -> None:
    text = "How do I ask for leave? Or a variation like...\nWrite to your manager two weeks ahead."
    assert units(f"{text}\nOther matters follow here.")[0] == ("paragraph", "", text)


WORDS = " ".join(["and the customer does not control what is below, but may set some options of it"] * 3)
MODELS = [
    f"Software as a Service (SaaS). The provider runs the programs, {WORDS}.",
    f"Platform as a Service. The customer puts programs there, {WORDS}.",
    f"Infrastructure. The customer gets machines, {WORDS}.",
]


def test_paragraphs_with_headings_of_their_own_are_the_items_of_their_lead_in() -> None:
    lead, note = "There are three service models:", "3 Customers include their employees."
    found = units("\n".join((lead, MODELS[0], note, *MODELS[1:], "4 Or more.", "All this is old.")))
    assert (
        found
        == [
            ("item", lead, MODELS[0]),
            ("paragraph", "", note),  # a footnote is no item
            *(("item", lead, each) for each in MODELS[1:]),
            ("paragraph", "", "4 Or more."),
            ("paragraph", "", "All this is old."),
        ]
    )


@pytest.mark.parametrize(
    "text",
    [
        "There are two models:\nPublic. Anybody may use it.\nPrivate. One organisation uses it.",
        "Es gibt zwei Fristen:\nÜbliche Frist. Sie beträgt vier Wochen.\nÄltere Frist. Für sie gilt altes Recht.",
    ],
)
def test_a_short_list_of_paragraphs_with_headings_is_whole(text: str) -> None:
    assert units(f"{text}\nAll this is old, and nobody knows how it came about.")[0] == ("list", "", text)


@pytest.mark.parametrize(
    "text",
    [
        "There are models:\nPublic. Anybody may use it.\nThe private one is for an organisation.",  # only one heading
        "There are models:\nThe public model is the one that anybody may use. It is old.\n"
        "The private model is for one organisation alone. It is new.",  # sentences
        "There are models.\nPublic. Anybody may use it.\nPrivate. One organisation uses it.",  # no lead-in
        "There are models:\n4 Public ones. They are old.\n5 Private ones. They are new.",  # footnotes
    ],
)
def test_other_paragraphs_below_a_line_are_no_list(text: str) -> None:
    assert not {kind for kind, _, _ in units(text)} & {"list", "item"}


LONG = "Use the menu of the device, and take its battery out first. " * 12


def test_rows_below_a_heading_inside_a_table_keep_it() -> None:
    text = (
        "Table 2: Devices\n| Device (without its storage) |  |\n| --- | --- |\n"
        f"| Pear phone |  |\n| Clear: | {LONG}|\n| Purge: | {LONG}|\n| Plum phone |  |\n| Clear: | Press reset. |"
    )
    head, _, pear, clear, purge, plum, reset = text.split("\n", 1)[1].split("\n")[0:7]
    found = [(own, said) for kind, own, said in units(text) if kind == "table"]
    assert found == [
        (pear, clear),
        (pear, purge),
        (f"Table 2: Devices\n{head}\n| --- | --- |", f"{plum}\n{reset}"),
    ]


def test_rows_below_a_heading_keep_the_names_of_columns() -> None:
    rows = [f"| Rule {at} | {LONG}| yes |" for at in range(3)]
    text = "\n".join(["| Rule | Text | Held |", "| --- | --- | --- |", "| Animals |  |  |", *rows])
    assert {own for _, own, _ in units(text)} == {"| Rule | Text | Held |\n| --- | --- | --- |"}


def test_a_command_inside_a_sentence_stays_in_it() -> None:
    text = "To remove the program, run\n> remove --all\nas root. Confirm it.\nFiles of users stay."
    assert units(text) == [
        ("paragraph", "", "To remove the program, run\n> remove --all\nas root. Confirm it."),
        ("paragraph", "", "Files of users stay."),
    ]


def test_rows_above_the_rule_of_the_next_page_are_no_header() -> None:
    rows = [f"| Notes: | {LONG}|", "| Plum phone |  |", f"| Clear: | {LONG}|", "|  | and then restart it. |"]
    more = ["| Nut phone |  |", f"| Clear: | {LONG}|", f"| Purge: | {LONG}|"]
    text = "\n".join([*rows, "| --- | --- |", *more])
    assert [(own, said) for _, own, said in units(text)] == [
        ("", rows[0]),
        ("", "\n".join(rows[1:])),
        (more[0], more[1]),
        (more[0], more[2]),
    ]


def test_the_cells_below_a_caption_belong_to_it() -> None:
    cells = (
        "Table 2. Obstacles to growth.\nObstacle\n1 Availability\n2 Data Lock-In\nOpportunity\nUse several providers"
    )
    assert units(f"{cells}\nAvailability comes first.\n") == [
        ("list", "", cells),
        ("paragraph", "", "Availability comes first."),
    ]


def test_the_cells_below_a_caption_belong_to_the_sentence_that_announces_them() -> None:
    cells = "Table 2.2. Bonus by level\nLevel Kill Fight\n0 4 0\n1 8 1\n2 16 2"
    lead = "A unit gets a bonus that depends on the level of its enemy. In other words:"
    assert units(f"{lead}\n{cells}\nThe bonus is added at once.\n") == [
        ("list", "", f"{lead}\n{cells}"),
        ("paragraph", "", "The bonus is added at once."),
    ]


def test_prose_below_a_caption_does_not() -> None:
    assert (
        len(units("Table 2. Obstacles to growth.\nThe first is availability.\nThe second is lock-in.\nThat is all."))
        == 4
    )


@pytest.mark.parametrize(
    "lead", ["There are two conditions for a loan.", "Loans are free. Several rules apply.", "Es gibt zwei Regeln."]
)
def test_a_sentence_that_counts_keeps_the_items_below_it(lead: str) -> None:
    text = f"{lead}\n• The book is not reserved.\n• The card is valid."
    (only,) = split(text)
    assert (only.kind, text[only.start : only.end]) == ("list", text)


@pytest.mark.parametrize(
    ("between", "together"),
    [
        ("It may be renewed by telephone.", True),
        ("Opening hours", False),
    ],
)
def test_a_list_goes_on_below_a_further_paragraph_of_an_item_but_not_below_a_heading(
    between: str, together: bool
) -> None:
    text = f"The following holds:\n• A card is valid for a year.\n{between}\n• A lost card is blocked."
    assert (len(split(text)) == 1) is together


def test_the_next_number_goes_on_with_a_list_below_lines_of_other_kinds() -> None:
    text = "Do this:\n1. Put the card in. You see this line:\nCARD OK: yes\n2. Take the card out."
    assert len(split(text)) == 1
    assert len(split(text.replace("2. Take", "1. Take"))) > 1


def test_a_long_lead_in_is_a_unit_as_well() -> None:
    lead = f"Loans are free for members. {'Guests pay for each book that they take home. ' * 7}Several rules apply."
    items = "\n".join(f"• Rule {number} says {'that the book is returned in time ' * 9}in the end." for number in "abc")
    found = units(f"{lead}\n{items}")
    assert found[0][1:] == ("", lead)
    assert [head for _, head, _ in found[1:]] == [lead] * 3


@pytest.mark.parametrize(
    ("text", "announces", "counts"),
    [
        ("Members vote. There are two conditions for this.", True, True),
        ("Dafür gibt es mehrere Gründe.", True, True),
        ("The rule is wrong on several fronts.", True, True),
        ("The fee has to be paid in the following cases.", True, False),
        ("There are two colours, red, green, and a third one.", True, False),
        ("There are two conditions. First, the card is valid.", False, False),
        ("The fee is 20 euros.", False, False),
    ],
)
def test_a_sentence_may_announce_what_it_counts(text: str, announces: bool, counts: bool) -> None:
    assert (announces_several(text), only_counts(text)) == (announces, counts)
