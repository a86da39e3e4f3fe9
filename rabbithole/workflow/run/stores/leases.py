"""The leases a process holds on runs, and the thread that renews them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from rabbithole.workflow.run.run_store import RunError, RunTakenOver

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


def taken_over(run_id: str) -> RunTakenOver:
    return RunTakenOver(
        f"Run {run_id} was taken over: its lease ran out or another process holds it, so nothing more is written here; "
        f"it goes on there, or with `rabbithole resume {run_id}`."
    )
