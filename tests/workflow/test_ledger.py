import itertools

import pytest
from flows import settings

from rabbithole.kb.models import Reference, Resolution
from rabbithole.steps.models import TaskSummary, Todo
from rabbithole.steps.phases.follow import Reach
from rabbithole.steps.phases.gate import Proposal, sort_out
from rabbithole.steps.phases.references import Mention
from rabbithole.workflow.events import TaskFinished, TaskStarted
from rabbithole.workflow.run.ledger import Settler, Settling, claim, entry_key, foresee, stopped
from rabbithole.workflow.run.reducer import start, take
from rabbithole.workflow.run.state import ResearchState, TaskState
from rabbithole.workflow.run.state_update import BATCH, Draft, batch_around, restored


def mention(number, status="resolved", source="e1", kind="legal_section", inside=False):
    reference = Reference(start=number, end=number + 1, text=f"§ {number}", kind=kind, target=f"§ {number}")
    document = None if status == "missing" else "d"
    resolution = Resolution(status=status, rule="", document=document, section=f"d:s{number}")
    place = f"d/d:s{number}" if document else f"?§ {number}"
    return Mention(
        reference=reference,
        source=source,
        context="",
        resolution=resolution,
        place=place,
        label=f"D, § {number}",
        inside=inside,
    )


def followed(*numbers):
    return [Proposal(mention=mention(number), decision="follow") for number in numbers]


def state_with(entries):
    state = ResearchState(tasks={0: TaskState(id=0, stage="gating", depth=1)}, language="de")
    draft = Draft(state)
    draft.open_wave(0, 1, entries)
    return draft


def test_keys_sort_in_canonical_order():
    keys = [entry_key(1, 1, 0), entry_key(0, 2, 10), entry_key(0, 2, 9), entry_key(0, 1, 100)]
    assert sorted(keys) == [keys[3], keys[2], keys[1], keys[0]]


@pytest.mark.parametrize(
    ("one", "decision"),
    [
        (mention(1, "missing"), "missing"),
        (mention(1, "ambiguous"), "ambiguous"),
        (mention(1, kind="external"), "skip"),
        (mention(1, inside=True), "seen"),
        (mention(7), "seen"),
    ],
)
def test_what_rules_decide(one, decision):
    (found,) = sort_out([one], {"d/d:s7"}, "de")
    assert found.decision == decision
    assert found.reason


def test_a_place_is_asked_about_once_and_a_pair_kept_once():
    found = sort_out([mention(1), mention(1), mention(1, source="e2"), mention(2)], set(), "de")
    assert len(found) == 3
    assert isinstance(found[0], Mention)
    assert found[1].decision == "seen"
    assert isinstance(found[2], Mention)


@pytest.mark.parametrize("closed", ["depth", "budget", "converged"])
def test_what_is_closed_is_listed_and_missing_documents_still_are(closed):
    found = sort_out([mention(1), mention(2, "missing")], set(), "de", closed, depth=2, budget=10)
    assert [one.decision for one in found] == [closed, "missing"]


def test_results_are_settled_only_as_far_as_all_before_them_are_known():
    draft = state_with(claim(0, 1, followed(1, 2, 3), {}))
    keys = list(draft.ledger)
    draft.send_out(8)
    for key in (keys[2], keys[1]):
        draft.put(draft.ledger[key].model_copy(update={"status": "resolved", "sections": (key,)}))
        draft.settle_wave(0, settings(), "de")
        assert draft.tasks[0].cursor == 0
    draft.put(draft.ledger[keys[0]].model_copy(update={"status": "resolved", "sections": ("x",)}))
    draft.settle_wave(0, settings(), "de")
    assert draft.tasks[0].cursor == 3
    assert draft.wave_done(0)


def test_no_more_than_the_window_is_in_flight_over_all_tasks():
    state = ResearchState(tasks={n: TaskState(id=n, stage="gating", depth=1) for n in range(3)}, language="de")
    draft = Draft(state)
    for task in range(3):
        draft.open_wave(task, 1, claim(task, 1, followed(*range(BATCH + 2)), {}))
    assert [len(batch) for batch in draft.send_out(3)] == [5, 5, 5]
    assert draft.send_out(3) == []
    running = [entry.task for entry in draft.ledger.values() if entry.status == "running"]
    assert running == [0] * 10 + [1] * 5


def test_three_follows_without_news_close_the_rest_and_drop_what_they_brought():
    draft = state_with(claim(0, 1, followed(1, 2, 3, 4), {}))
    for key in list(draft.ledger):
        known = {"status": "resolved", "sections": ("same",), "evidence": ("e" + key,), "tokens": 5}
        draft.put(draft.ledger[key].model_copy(update=known))
    draft.set(seen={0: frozenset({"same"})})
    draft.settle_wave(0, settings(), "de")
    decisions = [draft.ledger[key].decision for key in sorted(draft.ledger)]
    assert decisions == ["follow", "follow", "follow", "converged"]
    assert draft.ledger[max(draft.ledger)].evidence == ()
    assert draft.tasks[0].stop == "converged"


def test_a_new_section_starts_the_count_again():
    totals = Settling(seen=frozenset({"a"}), stale=2, tokens=0)
    entry = claim(0, 1, followed(1), {})[0].model_copy(update={"status": "resolved", "sections": ("b",), "tokens": 7})
    settler = Settler(totals, settings(), "de")
    settler.settle(entry)
    assert settler.totals == Settling(seen=frozenset({"a", "b"}), stale=0, tokens=7)


@pytest.mark.parametrize(
    ("stale", "tokens", "stop"), [(0, 0, None), (3, 0, "converged"), (2, 49_999, None), (0, 50_000, "budget")]
)
def test_why_a_task_stops(stale, tokens, stop):
    assert stopped(stale, tokens, settings()) == stop


def test_what_was_running_is_queued_again_after_a_restart():
    draft = state_with(claim(0, 1, followed(*range(BATCH + 2)), {}))
    draft.send_out(2)
    first = min(draft.ledger)
    draft.put(draft.ledger[first].model_copy(update={"status": "resolved", "sections": ("s",)}))
    draft.settle_wave(0, settings(), "de")
    state = draft.state
    again = restored(state.model_copy(update={"ledger": {}, "waves": {}, "seen": {}}), state.ledger.values())
    assert [entry.status for entry in again.entries()] == ["settled", *["queued"] * (BATCH + 1)]
    assert again.waves == state.waves
    assert again.seen[0] == frozenset({"s"})
    assert again.known == state.known
    assert [len(batch) for batch in Draft(again).send_out(8)] == [4, 5]


def test_what_a_task_will_not_come_to_is_closed_before_it_is_read():
    entries = claim(0, 1, followed(1, 2, 3, 4, 5), {})
    read = []

    def reach(mention):
        read.append(mention.place)
        return Reach(sections=("same",), tokens=5)

    totals = Settling(seen=frozenset({"same"}), stale=0, tokens=0)
    foreseen = foresee(entries, reach, totals, settings(), "de")
    assert [entry.decision for entry in foreseen] == ["follow", "follow", "follow", "converged", "converged"]
    assert [entry.status for entry in foreseen] == ["queued"] * 3 + ["settled"] * 2
    assert len(read) == 3


def test_tasks_from_gaps_are_numbered_by_the_order_of_the_plan_whoever_ends_first():
    def ended(order):
        todos = tuple(Todo(id=n, text=f"Aufgabe {n}") for n in range(3))
        draft = Draft(ResearchState(query="Frage", language="de", todos=todos))
        start(draft, [0, 1, 2])
        for task in order:
            draft.task(task, stage="summarising")
            gaps = (f"Lücke {task} eins", f"Lücke {task} zwei")
            summary = TaskSummary(task=task, text="", gaps=gaps)
            take(draft, TaskFinished(task=task, summary=summary), settings(spawned_todo_items=3))
        return [todo.text for todo in draft.state.todos], {one.id: one.round for one in draft.tasks.values()}

    texts, rounds = ended([0, 1, 2])
    assert texts[3:] == ["Lücke 0 eins", "Lücke 0 zwei", "Lücke 1 eins"]
    assert rounds == {0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 2}
    for order in ([2, 1, 0], [1, 0, 2], [2, 0, 1]):
        assert ended(order) == (texts, rounds)


def test_a_task_from_a_gap_starts_when_its_parent_has_ended_and_others_still_dig():
    draft = Draft(ResearchState(query="Frage", language="de", todos=tuple(Todo(id=n, text=f"A {n}") for n in range(2))))
    start(draft, [0, 1])
    draft.task(0, stage="summarising")
    summary = TaskSummary(task=0, text="", gaps=("Die Lücke",))
    events = take(draft, TaskFinished(task=0, summary=summary), settings())
    assert [event.task for event in events if isinstance(event, TaskStarted)] == [2]
    assert draft.tasks[1].stage == "searching"


@pytest.mark.parametrize(("rounds", "expected"), [(1, 1), (2, 2), (3, 3)])
def test_rounds_of_digging_end_at_max_iterations(rounds, expected):
    draft = Draft(ResearchState(query="Frage", language="de", todos=(Todo(id=0, text="A"),)))
    start(draft, [0])
    for task in itertools.count():
        if task not in draft.tasks:
            break
        draft.task(task, stage="summarising")
        summary = TaskSummary(task=task, text="", gaps=(f"Lücke von {task}",))
        take(draft, TaskFinished(task=task, summary=summary), settings(max_iterations=rounds))
    assert len(draft.tasks) == expected
    assert draft.state.phase == "validate"


@pytest.mark.parametrize(("length", "sizes"), [(1, [1]), (8, [8]), (9, [5, 4]), (17, [6, 6, 5]), (24, [8, 8, 8])])
def test_batches_of_a_wave_are_few_and_of_one_size(length, sizes):
    edges = [batch_around(position, length) for position in range(length)]
    assert [end - start for start, end in dict.fromkeys(edges)] == sizes
    assert all(start <= position < end for position, (start, end) in enumerate(edges))
