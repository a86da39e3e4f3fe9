"""What every run store keeps, and who may write."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from flows import proposal

from rabbithole.kb.errors import UsageError
from rabbithole.steps.models import Evidence
from rabbithole.steps.report_models import PurposeMetrics, Report
from rabbithole.workflow.ledger import LedgerEntry, claim
from rabbithole.workflow.run.recording import Executed
from rabbithole.workflow.run.run_store import RunError, RunStore, RunTakenOver
from rabbithole.workflow.run.state import AnswerState, Cost, OpenQuestion, ResearchState, TaskState

if TYPE_CHECKING:
    from conftest import Replicas

STATE = ResearchState(run_id="one", query="Was gilt?", tasks={0: TaskState(id=0)})
EXECUTED = Executed(step="begin", took="ResearchRequest")
REPORT = Report(run_id="one", query="Was gilt?", language="de", markdown="# Antwort")
EVIDENCE = [Evidence(key=f"e{number}", task=0, document=f"d{number % 2}", info=f"Satz {number}") for number in range(3)]
WRITES: dict[str, Callable[[RunStore], None]] = {
    "save": lambda runs: runs.save(STATE.model_copy(update={"phase": "dig"}), entries()),
    "evidence": lambda runs: runs.put_evidence("one", EVIDENCE),
    "draft": lambda runs: runs.put_draft("one", 0, "Entwurf"),
    "report": lambda runs: runs.put_report("one", REPORT),
    "execution": lambda runs: runs.put_execution("one", [EXECUTED]),
    "finish": lambda runs: runs.finish("one", "stopped"),
}


def entries() -> list[LedgerEntry]:
    return claim(0, 1, [proposal(number) for number in range(3)], {})


def begun(runs: RunStore, state: ResearchState | AnswerState = STATE) -> RunStore:
    runs.acquire(state.run_id)
    runs.save(state)
    return runs


def contents(runs: RunStore) -> tuple[object, ...]:
    """Everything that is kept of the run."""
    return (
        *(one.model_copy(update={"updated": 0.0}) for one in runs.list()), runs.load("one"), runs.report("one"),
        runs.evidence("one", ["e0", "e1", "e2"]), runs.draft("one", 0), runs.executions("one"),
    )  # fmt: skip


def test_what_is_written_is_read_by_another(replicas: Replicas) -> None:
    runs, other = begun(replicas.open()), replicas.open()
    runs.save(STATE.model_copy(update={"phase": "dig"}), entries())
    for write in ("evidence", "draft", "report", "execution", "execution"):
        WRITES[write](runs)
    loaded = other.load("one")
    assert (loaded.phase, loaded.entries(0)) == ("dig", entries())
    assert other.evidence("one", ["e2", "none", "e0"]) == (EVIDENCE[2], EVIDENCE[0])
    assert sorted(other.documents("one")) == ["d0", "d1"]
    assert (other.draft("one", 0), other.draft("one", 1)) == ("Entwurf", "")
    assert other.report("one") == REPORT
    assert other.executions("one") == ((EXECUTED,), (EXECUTED,))
    cost = Cost(seconds=3.0, by_purpose={"plan": PurposeMetrics(calls=2, prompt_tokens=10, output_tokens=5)})
    runs.finish("one", "failed", "no model", cost)
    (info,) = other.list()
    assert (info.id, info.mode, info.status, info.error) == ("one", "research", "failed", "no model")
    assert (info.seconds, info.calls, info.tokens, info.phase) == (3.0, 2, 15, "dig")


def test_an_answer_and_what_is_unknown(replicas: Replicas) -> None:
    runs = begun(replicas.open(), AnswerState(run_id="one", query="Wie viel?"))
    assert runs.mode("one") == "answer"
    assert runs.load_answer("one").query == "Wie viel?"
    with pytest.raises(UsageError, match="is an answer"):
        runs.load("one")
    with pytest.raises(UsageError, match=r"There is no run 'two'.*rabbithole runs"):
        runs.report("two")


def test_text_that_a_database_may_refuse(replicas: Replicas) -> None:
    runs = begun(replicas.open(), STATE.model_copy(update={"query": "Was\x00 gilt?"}))
    runs.put_draft("one", 0, 'Ent\x00wurf? 100 %, "document":"x"')
    odd = EVIDENCE[0].model_copy(update={"file": '"document":"x"', "info": "\x00\\u0000 ? %s"})
    runs.put_evidence("one", [odd])
    assert runs.draft("one", 0).replace("\x00", "") == 'Entwurf? 100 %, "document":"x"'
    assert runs.evidence("one", ["e0"]) == (odd,)
    assert runs.documents("one") == ("d0",)
    assert runs.load("one").query == "Was\x00 gilt?"


def test_answers_are_cached_for_all_runs(replicas: Replicas) -> None:
    runs, other = replicas.open(), replicas.open()
    assert runs.get_answer("key") is None
    runs.put_answer("key", "first")
    other.put_answer("key", "second")
    assert runs.get_answer("key") == "second"


def test_a_commit_that_fails_leaves_nothing(replicas: Replicas) -> None:
    def failing() -> Iterator[LedgerEntry]:
        yield entries()[0]
        raise KeyError("the process is gone")

    runs = begun(replicas.open())
    with pytest.raises(KeyError):
        runs.save(STATE.model_copy(update={"phase": "dig"}), failing())
    other = replicas.open().load("one")
    assert (other.phase, other.entries()) == ("understand", [])
    runs.save(STATE.model_copy(update={"phase": "dig"}))  # and the store works on
    assert runs.load("one").phase == "dig"


# --- leases -----------------------------------------------------------------------------------------------------------
def test_one_holds_a_run_until_it_is_released(replicas: Replicas) -> None:
    first, second = replicas.open(), replicas.open()
    begun(first)
    for one in (first, second):
        with pytest.raises(RunError, match="one is being worked on"):
            one.acquire("one")
    second.release("one")  # not its own
    assert (first.holds("one"), second.holds("one")) == (True, False)
    first.release("one")
    second.acquire("one")
    second.save(STATE)
    second.close()
    first.acquire("one")  # a store that is closed holds nothing


def test_of_two_at_the_same_moment_one_wins(replicas: Replicas) -> None:
    both, together = [replicas.open(), replicas.open()], threading.Barrier(2)

    def commit(runs: RunStore, run_id: str) -> bool:
        together.wait()
        try:
            runs.acquire(run_id)
        except RunError:
            return False
        runs.save(STATE.model_copy(update={"run_id": run_id}))
        return True

    with ThreadPoolExecutor(2) as threads:
        for number in range(20):
            won = list(threads.map(commit, both, [f"run{number}"] * 2))
            assert sorted(won) == [False, True], number
    assert len(both[0].list()) == 20


@pytest.mark.parametrize("write", WRITES)
def test_who_holds_no_lease_cannot_write(replicas: Replicas, write: str) -> None:
    runs, other = begun(replicas.open()), replicas.open()
    before = contents(other)
    with pytest.raises(RunTakenOver, match=r"Run one was taken over.*rabbithole resume one"):
        WRITES[write](other)
    replicas.lapse("one")
    with pytest.raises(RunTakenOver):
        WRITES[write](runs)
    assert not runs.holds("one")
    assert contents(other) == before


@pytest.mark.parametrize("write", WRITES)
def test_whose_run_was_taken_over_cannot_write_nor_release_it(replicas: Replicas, write: str) -> None:
    first, second = begun(replicas.open()), replicas.open()
    replicas.lapse("one")
    second.acquire("one")
    before = contents(second)
    with pytest.raises(RunTakenOver):
        WRITES[write](first)
    first.release("one")
    assert contents(second) == before
    second.save(STATE)
    with pytest.raises(RunError, match="being worked on"):
        first.acquire("one")
    second.release("one")
    first.acquire("one")
    first.save(STATE)


def test_a_lease_that_ran_out_is_not_renewed(replicas: Replicas) -> None:
    runs = begun(replicas.open())
    runs.renew()
    assert runs.holds("one")
    replicas.lapse("one")
    runs.renew()
    assert not runs.holds("one")
    replicas.open().acquire("one")


def test_orphans_are_the_runs_under_way_that_nobody_holds(replicas: Replicas) -> None:
    runs, other = replicas.open(), replicas.open()
    question = OpenQuestion(id="q1", kind="clarification")
    for run_id in ("held", "dead", "asked", "stopped"):
        state = STATE.model_copy(update={"run_id": run_id, "question": question if run_id == "asked" else None})
        begun(runs, state)
    runs.finish("stopped", "stopped")
    assert other.orphans() == ()
    for run_id in ("dead", "asked", "stopped"):
        replicas.lapse(run_id)
    assert other.orphans() == ("dead",)
    other.acquire("dead")
    assert runs.orphans() == ()


def test_a_run_that_somebody_holds_is_not_deleted(replicas: Replicas) -> None:
    runs, other = begun(replicas.open()), replicas.open()
    for write in WRITES.values():
        write(runs)
    other.put_answer("key", "kept while there are runs")
    assert not other.delete("one")
    assert other.prune(unfinished=True) == ()
    runs.release("one")
    assert other.prune() == ()  # stopped, not done
    assert other.prune(older_than_days=1, unfinished=True) == ()
    assert other.prune(unfinished=True) == ("one",)
    assert (other.list(), other.evidence("one", ["e0"]), other.executions("one")) == ((), (), ())
    assert other.draft("one", 0) == ""
    assert other.get_answer("key") is None
    with pytest.raises(RunTakenOver):
        runs.put_draft("one", 1, "late")
