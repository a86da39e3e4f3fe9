import itertools

import pytest
from flows import settings

from rabbithole.kb.models import Reference, Resolution
from rabbithole.steps.follow_limits import Totals
from rabbithole.steps.models import TaskSummary, Todo
from rabbithole.steps.phases.gate import Proposal, sort_out
from rabbithole.steps.phases.mentions import Mention
from rabbithole.workflow.events import (
    BatchExtracted,
    BranchFailed,
    EntryExtracted,
    ExtractBatch,
    FollowRefEvent,
    PlaceOpened,
    ReferenceFollowed,
    ReferenceSkipped,
    RefsOpened,
    TaskDug,
    TaskFinished,
    TaskStarted,
    WaveOpened,
    WavePlanned,
)
from rabbithole.workflow.ledger import BATCH, batch_around, claim, entry_key
from rabbithole.workflow.run.edit import OPENING, StateEdit
from rabbithole.workflow.run.reducer import reduce, resumed, started
from rabbithole.workflow.run.state import ResearchState, TaskState, restored


def mention(number, status="resolved", source="e1", kind="legal_section", inside=False, name="D"):
    reference = Reference(
        start=number, end=number + 1, text=f"§ {number}", kind=kind, target=f"§ {number}", document=name or None
    )
    document = None if status == "missing" else "d"
    resolution = Resolution(status=status, rule="", name=name, document=document, section=f"d:s{number}")
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


def gating(tasks=1):
    """A state in which these tasks wait for their gates."""
    todos = tuple(Todo(id=task, text=f"A {task}") for task in range(tasks))
    stages = {task: TaskState(id=task, stage="gating", depth=1) for task in range(tasks)}
    return ResearchState(query="Frage", language="de", phase="dig", todos=todos, tasks=stages)


def planned(state, task, *numbers, **changes):
    entries = claim(task, 1, followed(*numbers), {})
    return reduce(state, WavePlanned(task=task, depth=1, entries=entries), settings(**changes))


def keys(events, kind):
    return [event.key for event in events if isinstance(event, kind)]


def batches(events):
    return [event.entries for event in events if isinstance(event, ExtractBatch)]


def opened(keys, sections=None, tokens=5):
    return RefsOpened(opened=[PlaceOpened(key=key, sections=(sections or key,), tokens=tokens) for key in keys])


def decisions(state):
    return [entry.decision for entry in state.entries()]


def test_keys_sort_in_canonical_order():
    keys = [entry_key(1, 1, 0), entry_key(0, 2, 10), entry_key(0, 2, 9), entry_key(0, 1, 100)]
    assert sorted(keys) == [keys[3], keys[2], keys[1], keys[0]]


@pytest.mark.parametrize(
    ("one", "decision"),
    [
        (mention(1, "missing"), "missing"),
        (mention(1, "missing", name=""), "skip"),
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
    found = sort_out([mention(1), mention(2, "missing")], set(), "de", closed, "why")
    assert [one.decision for one in found] == [closed, "missing"]


def test_each_reference_is_an_event_of_its_own_and_their_places_are_extracted_together():
    state, events, entries = planned(gating(), 0, 1, 2, 3)
    follows = keys(events, FollowRefEvent)
    assert follows == [entry_key(0, 1, order) for order in range(3)]
    assert [entry.status for entry in entries] == ["opening"] * 3
    state, events, _ = reduce(state, opened(follows), settings())
    assert batches(events) == [follows]
    assert {entry.status for entry in state.entries()} == {"extracting"}
    brought = [EntryExtracted(key=key, evidence=(f"e{key}",)) for key in follows]
    state, events, _ = reduce(state, BatchExtracted(task=0, extracted=brought), settings())
    assert sum(isinstance(event, ReferenceFollowed) for event in events) == 3
    assert [event.depth for event in events if isinstance(event, WaveOpened)] == [2]
    assert state.evidence_keys(0) == tuple(f"e{key}" for key in follows)
    assert (state.tasks[0].tokens, len(state.seen[0])) == (15, 3)


def test_a_wave_that_brings_nothing_ends_the_digging_of_its_task():
    state, events, _ = planned(gating(), 0, 1)
    (key,) = keys(events, FollowRefEvent)
    state, _, _ = reduce(state, opened([key]), settings())
    state, events, _ = reduce(state, BatchExtracted(task=0, extracted=[EntryExtracted(key=key)]), settings())
    assert [event.task for event in events if isinstance(event, TaskDug)] == [0]
    assert state.tasks[0].stage == "summarising"


def test_a_reference_is_counted_only_when_all_before_it_are_known():
    state, events, _ = planned(gating(), 0, 1, 2, 3)
    first, *later = keys(events, FollowRefEvent)
    for key in reversed(later):
        state, events, _ = reduce(state, opened([key]), settings())
        assert (state.tasks[0].counted, events) == (0, [])
    state, events, _ = reduce(state, opened([first]), settings())
    assert state.tasks[0].counted == 3
    assert len(batches(events)) == 1


def test_no_more_than_the_window_is_in_flight_over_all_tasks():
    state, sent = gating(3), []
    for task in range(3):
        state, events, _ = planned(state, task, *range(BATCH + 2), reference_window=3)
        sent += keys(events, FollowRefEvent)
    assert len(sent) == OPENING
    begun = []
    while sent:
        state, events, _ = reduce(state, opened(sent), settings(reference_window=3))
        sent = keys(events, FollowRefEvent)
        begun += batches(events)
    assert [len(batch) for batch in begun] == [5, 5, 5]
    assert [batch[0] for batch in begun] == [entry_key(0, 1, 0), entry_key(0, 1, 5), entry_key(1, 1, 0)]
    settled = BatchExtracted(task=0, extracted=[EntryExtracted(key=key) for key in begun[0]])
    _, events, _ = reduce(state, settled, settings(reference_window=3))
    assert keys(events, FollowRefEvent) == [entry_key(1, 1, order) for order in range(5, 10)]


@pytest.mark.parametrize("window", [1, 2, 8])
@pytest.mark.parametrize("latest", [True, False])
def test_every_wave_ends_whatever_the_window_and_the_order(window, latest):
    """Several tasks with waves of many sizes, results taken first or last first: nothing waits for itself."""
    chosen = settings(reference_window=window)
    state, waiting = gating(4), []
    for task, count in enumerate((3, 17, 8, 70)):
        entries = claim(task, 1, followed(*range(count)), {})
        state, events, _ = reduce(state, WavePlanned(task=task, depth=1, entries=entries), chosen)
        waiting += events
    while work := [event for event in waiting if isinstance(event, FollowRefEvent | ExtractBatch)]:
        event = work[-1 if latest else 0]
        waiting.remove(event)
        if isinstance(event, FollowRefEvent):
            result = opened([event.key])
        else:
            result = BatchExtracted(task=event.task, extracted=[EntryExtracted(key=key) for key in event.entries])
        state, events, _ = reduce(state, result, chosen)
        waiting += events
    assert {task.stage for task in state.tasks.values()} == {"summarising"}
    assert {entry.status for entry in state.entries()} == {"settled"}


def test_three_references_without_news_close_the_rest_and_drop_what_was_opened_of_it():
    state, events, _ = planned(gating(), 0, 1, 2, 3, 4)
    state = state.model_copy(update={"seen": {0: frozenset({"same"})}})
    follows = keys(events, FollowRefEvent)
    state, events, _ = reduce(state, opened(follows, "same"), settings())
    assert decisions(state) == ["follow", "follow", "follow", "converged"]
    assert batches(events) == [follows[:3]]
    assert state.ledger[follows[3]].sections == ()
    assert (state.tasks[0].stop, state.tasks[0].tokens) == ("converged", 15)
    brought = [EntryExtracted(key=key, evidence=("e",)) for key in follows[:3]]
    _, events, _ = reduce(state, BatchExtracted(task=0, extracted=brought), settings())
    assert sum(isinstance(event, ReferenceSkipped) for event in events) == 1


def test_the_budget_closes_what_was_not_sent_out_yet():
    state, events, _ = planned(gating(), 0, *range(30))
    state, events, _ = reduce(state, opened(keys(events, FollowRefEvent), tokens=20_000), settings())
    assert decisions(state) == ["follow"] * 3 + ["budget"] * 27
    assert keys(events, FollowRefEvent) == []


def test_what_cannot_be_opened_or_extracted_is_settled_as_failed():
    state, events, _ = planned(gating(), 0, 1, 2)
    first, second = keys(events, FollowRefEvent)
    both = RefsOpened(opened=[PlaceOpened(key=first, error="gone"), PlaceOpened(key=second, sections=("s",))])
    state, events, _ = reduce(state, both, settings())
    assert batches(events) == [[second]]
    state, _, _ = reduce(state, BranchFailed(task=0, entries=[second], error="no answer"), settings())
    assert decisions(state) == ["failed", "failed"]
    assert [entry.reason for entry in state.entries()] == ["gone", "no answer"]


def test_a_result_that_comes_twice_changes_nothing():
    state, events, _ = planned(gating(), 0, 1)
    (key,) = keys(events, FollowRefEvent)
    for result in (opened([key]), BatchExtracted(task=0, extracted=[EntryExtracted(key=key, evidence=("e",))])):
        state, _, _ = reduce(state, result, settings())
        again = reduce(state, result, settings())
        assert again.state == state
        assert (again.events, again.entries) == ([], ())


@pytest.mark.parametrize(
    ("stale", "tokens", "stop"), [(0, 0, None), (3, 0, "converged"), (2, 49_999, None), (0, 50_000, "budget")]
)
def test_why_a_task_stops(stale, tokens, stop):
    assert Totals(seen=frozenset(), stale=stale, tokens=tokens).stop(settings()) == stop


def test_a_new_section_starts_the_count_again():
    entry = claim(0, 1, followed(1), {})[0].model_copy(update={"sections": ("b",), "tokens": 7})
    counted = Totals(seen=frozenset({"a"}), stale=2, tokens=0).count(entry.sections, entry.tokens)
    assert counted == Totals(seen=frozenset({"a", "b"}), stale=0, tokens=7)


def test_what_was_under_way_is_done_again_after_a_restart():
    state, events, _ = planned(gating(), 0, *range(BATCH + 2))
    state, events, _ = reduce(state, opened(keys(events, FollowRefEvent)[:6]), settings())
    assert [entry.status for entry in state.entries()] == [*["extracting"] * 5, "opened", *["opening"] * 4]
    stored = state.model_copy(update={"ledger": {}, "waves": {}, "seen": {}, "known": {}})
    again = restored(stored, state.ledger.values())
    assert (again.waves, again.seen, again.known) == (state.waves, state.seen, state.known)
    assert [entry.status for entry in again.entries()] == [*["opened"] * 6, *["queued"] * 4]
    _, events, _ = resumed(again, settings())
    assert batches(events) == [[entry_key(0, 1, order) for order in range(5)]]
    assert keys(events, FollowRefEvent) == [entry_key(0, 1, order) for order in range(6, 10)]


def summarising(count):
    todos = tuple(Todo(id=n, text=f"Aufgabe {n}") for n in range(count))
    edit = StateEdit(started(ResearchState(query="Frage", language="de", todos=todos), range(count)).state)
    for task in range(count):
        edit.task(task, stage="summarising")
    return edit.state


def finished(task, *gaps):
    return TaskFinished(task=task, summary=TaskSummary(task=task, text="", gaps=gaps))


def test_tasks_from_gaps_are_numbered_by_the_order_of_the_plan_whoever_ends_first():
    def ended(order):
        state = summarising(3)
        for task in order:
            result = finished(task, f"Lücke {task} eins", f"Lücke {task} zwei")
            state = reduce(state, result, settings(spawned_todo_items=3)).state
        return [todo.text for todo in state.todos], {one.id: one.round for one in state.tasks.values()}

    texts, rounds = ended([0, 1, 2])
    assert texts[3:] == ["Lücke 0 eins", "Lücke 0 zwei", "Lücke 1 eins"]
    assert rounds == {0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 2}
    for order in ([2, 1, 0], [1, 0, 2], [2, 0, 1]):
        assert ended(order) == (texts, rounds)


def test_a_task_from_a_gap_starts_when_its_parent_has_ended_and_others_still_dig():
    todos = tuple(Todo(id=n, text=f"A {n}") for n in range(2))
    edit = StateEdit(started(ResearchState(query="Frage", language="de", todos=todos), [0, 1]).state)
    edit.task(0, stage="summarising")
    state, events, _ = reduce(edit.state, finished(0, "Die Lücke"), settings())
    assert [event.task for event in events if isinstance(event, TaskStarted)] == [2]
    assert state.tasks[1].stage == "searching"


@pytest.mark.parametrize(("rounds", "expected"), [(1, 1), (2, 2), (3, 3)])
def test_rounds_of_digging_end_at_max_iterations(rounds, expected):
    state = summarising(1)
    for task in itertools.count():
        if task not in state.tasks:
            break
        edit = StateEdit(state)
        edit.task(task, stage="summarising")
        state = reduce(edit.state, finished(task, f"Lücke von {task}"), settings(max_iterations=rounds)).state
    assert len(state.tasks) == expected
    assert state.phase == "validate"


@pytest.mark.parametrize(("length", "sizes"), [(1, [1]), (8, [8]), (9, [5, 4]), (17, [6, 6, 5]), (24, [8, 8, 8])])
def test_batches_of_a_wave_are_few_and_of_one_size(length, sizes):
    edges = [batch_around(position, length) for position in range(length)]
    assert [end - start for start, end in dict.fromkeys(edges)] == sizes
    assert all(start <= position < end for position, (start, end) in enumerate(edges))
