"""Leases on runs: those that a process holds, with the thread that renews them, and how they are taken by SQL."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import ClassVar

from rabbithole.workflow.run.run_store import RunError, RunHeld, RunTakenOver

from .run_transaction import RunTransaction

log = logging.getLogger(__name__)


class HeldLeases:
    """The epoch of each lease held. ``renew`` is called every ``seconds`` while there is one. Thread-safe."""

    def __init__(self, renew: Callable[[], None], seconds: float) -> None:
        self._renew, self._seconds = renew, seconds
        self._epochs: dict[str, int] = {}
        self._guard = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, run_id: str, epoch: int) -> None:
        with self._guard:
            self._epochs[run_id] = epoch
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._keep_renewing, name="leases of runs", daemon=True)
                self._thread.start()

    def epoch(self, run_id: str) -> int | None:
        return self._epochs.get(run_id)

    def held(self) -> dict[str, int]:
        with self._guard:
            return dict(self._epochs)

    def drop(self, run_id: str, epoch: int | None = None) -> int | None:
        """Forget the lease (only the one of ``epoch``, if given) and return its epoch, or None if it was not held."""
        with self._guard:
            if epoch is not None and self._epochs.get(run_id) != epoch:
                return None
            return self._epochs.pop(run_id, None)

    def close(self) -> None:
        """Stop renewing and wait for a renewal under way."""
        self._closed.set()
        with self._guard:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _keep_renewing(self) -> None:
        while not self._closed.wait(self._seconds):
            with self._guard:
                if not self._epochs:
                    self._thread = None
                    return
            try:
                self._renew()
            except RunError as error:  # tried again in time; if that fails too, the leases run out
                log.warning("The leases of runs could not be renewed: %s", error)


def _taken_over(run_id: str) -> RunTakenOver:
    return RunTakenOver(
        f"Run {run_id} was taken over: its lease ran out or another process holds it, so nothing more is written here; "
        f"it goes on there, or with `rabbithole resume {run_id}`."
    )


class SqlLeases(ABC):
    """Takes, renews and releases the leases of a run store, and lets only their holder write."""

    held_elsewhere: ClassVar[str]
    """What to do when another process holds a lease."""

    def __init__(self, renew_seconds: float) -> None:
        """Leases are renewed every ``renew_seconds``."""
        self._leases = HeldLeases(self.renew, renew_seconds)
        self._unreleased: dict[str, int] = {}

    @abstractmethod
    def _reading(self) -> AbstractContextManager[RunTransaction]:
        """Return a transaction that reads."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[RunTransaction]:
        """Return a transaction that writes: committed at its end, rolled back by an error, which becomes a RunError."""

    @abstractmethod
    def _take(self, db: RunTransaction, run_id: str) -> int | None:
        """Take the lease if nobody holds it, and return its epoch."""

    @abstractmethod
    def _valid(self, db: RunTransaction, run_id: str, epoch: int) -> bool:
        """Return whether the lease of this epoch has not run out, and keep others from taking it until the commit."""

    @abstractmethod
    def _renewed(self, db: RunTransaction, run_id: str, epoch: int) -> bool:
        """Renew the lease of this epoch. Return False if it has run out."""

    @abstractmethod
    def _let_go(self, db: RunTransaction, run_id: str, epoch: int) -> None:
        """Let the lease of this epoch run out now."""

    @abstractmethod
    def _unheld(self, db: RunTransaction, run_ids: Sequence[str]) -> Sequence[str]:
        """Return those of the runs whose lease has run out or that have none."""

    @abstractmethod
    def _close(self) -> None:
        """Close the database."""

    def acquire(self, run_id: str) -> None:
        with self._writing() as db:
            if run_id in self._unreleased:
                self._let_go(db, run_id, self._unreleased[run_id])
            epoch = self._take(db, run_id)
        if epoch is None:
            raise RunHeld(f"Run {run_id} is being worked on already; {self.held_elsewhere}.")
        self._unreleased.pop(run_id, None)
        self._leases.add(run_id, epoch)

    def holds(self, run_id: str) -> bool:
        return self._leases.epoch(run_id) is not None

    def renew(self) -> None:
        held = self._leases.held()
        with self._writing() as db:
            lost = [run_id for run_id, epoch in held.items() if not self._renewed(db, run_id, epoch)]
        for run_id in lost:
            self._leases.drop(run_id, held[run_id])

    def release(self, run_id: str) -> None:
        epoch = self._leases.drop(run_id)
        if epoch is None:
            return
        try:
            with self._writing() as db:
                self._let_go(db, run_id, epoch)
        except RunError as error:  # a full disk, a database that is away: the run itself has said so
            self._unreleased[run_id] = epoch
            log.warning("The lease of run %s could not be given back: %s", run_id, error)

    def orphans(self) -> tuple[str, ...]:
        with self._reading() as db:
            running = [str(found) for (found,) in db.rows("SELECT id FROM runs WHERE status='running' ORDER BY id")]
            return tuple(self._unheld(db, running))

    @contextmanager
    def _holding(self, run_id: str) -> Iterator[RunTransaction]:
        """Open a transaction that writes and check the lease in it. Raises RunTakenOver if it is not valid."""
        epoch = self._leases.epoch(run_id)
        if epoch is None:
            raise _taken_over(run_id)
        with self._writing() as db:
            if not self._valid(db, run_id, epoch):
                self._leases.drop(run_id, epoch)
                raise _taken_over(run_id)
            yield db

    def close(self) -> None:
        for run_id in self._leases.held():
            self.release(run_id)
        self._leases.close()
        self._close()
