"""From a model's text to a checked shape."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rabbithole.steps.reasoning.client.answer_shape import Shape, exactly, json_schema, output_tokens
from rabbithole.steps.reasoning.client.probing import ProbeShape
from rabbithole.steps.reasoning.client.repetition import loops
from rabbithole.steps.reasoning.client.structured import Begun, InvalidAnswer, complete, parse
from rabbithole.steps.reasoning.llm import schemas
from rabbithole.steps.reasoning.llm.prompt_runner import reason_or
from rabbithole.steps.reasoning.llm.schemas import (
    PlanShape,
    QueriesShape,
    QuestionsShape,
)

GOOD = '{"queries": ["eins", "zwei"]}'
SHAPES = [
    item for item in vars(schemas).values() if isinstance(item, type) and issubclass(item, Shape) and item is not Shape
] + [ProbeShape]


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        (GOOD, False),
        (f"\n {GOOD} \n", False),
        (f"```json\n{GOOD}\n```", True),
        (f"Here it is: {GOOD} I hope it helps.", True),
        (f"<think>first I wonder {{}}</think>{GOOD}", True),
        ('{"queries": ["eins", "zwei', True),
        ("{'queries': ['eins', 'zwei'],}", True),
        ('{"queries": ["eins", "zwei"], "more": 1}', False),
        ('{"queries": ["eins", "zwei", "drei", "vier", "fünf"]}', True),
        ('{"queries": ["eins", "' + "z" * 500 + '"]}', True),
    ],
)
def test_valid_and_repairable_answers(text: str, repaired: bool) -> None:
    answer, mended = parse(text, QueriesShape)
    assert answer.queries[0] == "eins"
    assert mended == repaired
    assert len(answer.queries) <= 2
    assert all(len(query) <= 120 for query in answer.queries)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "<think>only thoughts",
        "I cannot help with that.",
        "[1, 2]",
        '{"queries": 5}',
        '{"queries": []}',
        "{}",
    ],
)
def test_answers_that_cannot_be_used_say_why(text: str) -> None:
    with pytest.raises(InvalidAnswer, match=r"\w+"):
        parse(text, QueriesShape)


def test_percentages_out_of_range_are_cut() -> None:
    text = '{"concepts": [], "entities": [], "scope": "s", "gaps": [], "coverage": 140}'
    assert parse(text, schemas.AnalysisShape)[0].coverage == 100


def test_nested_lists_are_cut_to_their_bounds() -> None:
    many = [{"text": "x" * 400, "options": ["ja", "nein"], "why": ""} for _ in range(40)]
    answer, repaired = parse(json.dumps({"questions": many}), QuestionsShape)
    assert repaired
    assert len(answer.questions) == 3
    assert len(answer.questions[0].text) == 200


def bounded(node: object) -> bool:
    if isinstance(node, dict):
        if node.get("type") == "string" and "enum" not in node and "const" not in node:
            return "maxLength" in node
        if node.get("type") == "array":
            return "maxItems" in node and bounded(node["items"])
        return all(bounded(value) for value in node.values())
    return all(bounded(item) for item in node) if isinstance(node, list) else True


@pytest.mark.parametrize("shape", SHAPES)
def test_every_string_and_list_is_bounded_and_nothing_refers(shape: type[Shape]) -> None:
    schema = json_schema(shape)
    assert bounded(schema)
    assert "$ref" not in json.dumps(schema)
    assert "title" not in schema
    assert 64 < output_tokens(shape) <= 4096


def test_repetition_is_noticed_and_prose_is_not() -> None:
    assert loops("Einleitung. " + "und so weiter " * 60)
    assert loops("." * 700)
    lines = [f"- The findings do not say anything about the {word} implications of it." for word in ("one", "two")]
    assert loops("\n".join(lines * 4) + "\n- The")
    assert not loops("\n".join(lines))
    prose = " ".join(f"Der Grenzwert Nummer {number} beträgt {number * 7} Millisievert." for number in range(40))
    assert not loops(prose)
    assert not loops("kurz kurz kurz")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Der Verweis führt zur Vorschrift über die Grenzwerte der Dosis.", True),
        ("Enthält die Ausnahme.", True),
        ("The text in r1 leads to a definition that is crucial for the task of the person.", False),
        ("Der Text zwischen <<<DOCUMENT r1>>> und <<<END r1>>>", False),
        ("", False),
    ],
)
def test_a_reason_is_shown_where_it_is_one_in_the_persons_language(said: str, kept: bool) -> None:
    assert reason_or(said, "de", "fest") == (said if kept else "fest")


def test_where_the_number_of_entries_is_known_the_schema_demands_it_and_fewer_are_still_taken() -> None:
    shape = exactly(schemas.SupportShape, "scores", 3)
    bounds = json_schema(shape)["properties"]["scores"]
    assert (bounds["minItems"], bounds["maxItems"]) == (3, 3)
    assert shape.model_validate({"scores": [90]}).scores == [90]
    assert output_tokens(shape) < output_tokens(schemas.SupportShape)


TASKS = [
    {"text": "Wer darf {mehr}?", "context": 'so "viel"', "queries": ["§ 78 }", "Ausnahme"]},
    {"text": "Welche Frist gilt?", "context": "dauer", "queries": []},
    {"text": "Was ist verboten?", "context": "", "queries": ["Verbot]}"]},
]


@given(st.integers(0, 400), st.booleans())
def test_what_is_complete_of_an_answer_that_still_comes_is_how_the_whole_begins(length: int, spaced: bool) -> None:
    text = json.dumps({"tasks": TASKS}, ensure_ascii=False, indent=1 if spaced else None)
    found = complete(text[:length], PlanShape, "tasks")
    entries = [task.model_dump() for task in found.tasks] if found else []
    assert entries == TASKS[: len(entries)]


def test_entries_are_told_once_each_is_complete() -> None:
    told: list[list[str]] = []
    heard = Begun("tasks", lambda answer: told.append([task.text[:3] for task in answer.tasks])).watch(PlanShape)
    text = json.dumps({"tasks": TASKS}, ensure_ascii=False)
    for end in range(len(text) + 1):
        heard(text[:end])
    assert told == [["Wer"], ["Wer", "Wel"], ["Wer", "Wel", "Was"]]
