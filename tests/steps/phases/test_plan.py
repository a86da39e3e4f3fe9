import pytest

from rabbithole.steps.models import Todo
from rabbithole.steps.phases.plan import accept, gap_task, needs_approval, spawn

PLAN = (Todo(id=0, text="Frage", origin="question"), Todo(id=1, text="Erstens"), Todo(id=2, text="Zweitens"))


def texts(todos):
    return [todo.text for todo in todos]


@pytest.mark.parametrize(
    ("edited", "expected", "origins"),
    [
        (PLAN, ["Frage", "Erstens", "Zweitens"], ["question", "plan", "plan"]),
        (PLAN[::-1], ["Zweitens", "Erstens", "Frage"], ["plan", "plan", "question"]),
        (PLAN[:1], ["Frage"], ["question"]),
        (
            (*PLAN, Todo(id=9, text="Neu")),
            ["Frage", "Erstens", "Zweitens", "Neu"],
            ["question", "plan", "plan", "person"],
        ),
        ((Todo(id=1, text="Erstens, aber anders"),), ["Erstens, aber anders"], ["person"]),
        ((*PLAN, Todo(id=3, text="  "), Todo(id=4, text="ERSTENS")), ["Frage", "Erstens", "Zweitens"], None),
    ],
)
def test_the_person_has_the_last_word(edited, expected, origins):
    todos, notes = accept(PLAN, edited, 15)
    assert texts(todos) == expected
    assert [todo.id for todo in todos] == list(range(len(expected)))
    assert notes == ()
    if origins:
        assert [todo.origin for todo in todos] == origins


FOUND = Todo(id=1, text="Bedingung in § 5: „...“", origin="search")


@pytest.mark.parametrize(
    ("todos", "wanted"),
    [
        (PLAN, True),
        (PLAN[:1], False),
        (PLAN[1:], True),
        ((PLAN[0], FOUND), False),
        ((PLAN[0], FOUND.model_copy(update={"origin": "part"}), FOUND), False),
        ((PLAN[0], FOUND, PLAN[2]), True),
        ((PLAN[0], FOUND.model_copy(update={"origin": "person"})), True),
    ],
)
def test_only_a_plan_with_something_to_decide_waits_for_the_person(todos, wanted):
    assert needs_approval(todos) == wanted


def test_an_empty_plan_keeps_the_question_and_a_long_one_is_cut():
    assert accept(PLAN, (), 15) == (PLAN[:1], ("report.warning.plan_empty",))
    many = [Todo(id=n, text=f"Aufgabe {n}") for n in range(50)]
    todos, notes = accept(PLAN, many, 15)
    assert len(todos) == 15
    assert notes == ("report.warning.plan_cut",)


def test_spawned_tasks_are_new_few_and_within_the_limit():
    assert texts(spawn(PLAN, ["Lücke", "erstens", "lücke", "Noch eine", "Dritte"], 15, 2)) == ["Lücke", "Noch eine"]
    assert texts(spawn(PLAN, ["Lücke", "Noch eine"], 4, 2)) == ["Lücke"]
    assert spawn(PLAN, ["Lücke"], 3, 2) == ()
    assert spawn(PLAN, [], 15, 2) == ()


def test_a_gap_with_a_term_becomes_a_task_on_that_term():
    term, task = gap_task("Zu „Abluft“ sagen die gefundenen Stellen nichts ausdrücklich.", "de")
    assert term == "Abluft"
    assert "„Abluft“" in task
    assert gap_task("What counts as waste?", "en") == ("What counts as waste?", "What counts as waste?")
