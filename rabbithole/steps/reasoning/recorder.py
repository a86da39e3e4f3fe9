"""Record what reasoning cost and where it fell short, with one recorder per run."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rabbithole.steps.report_models import PurposeMetrics

from .protocol import Purpose


class Recorder:
    """Counts per purpose, busy time, dropped material and notes on degraded answers. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._purposes: dict[str, PurposeMetrics] = {}
        self._notes: dict[str, None] = {}
        self._open = 0
        self._opened = 0.0
        self._busy = 0.0
        self.structured = 0
        self.structured_valid = 0
        self.dropped = 0

    @contextmanager
    def model_open(self) -> Iterator[None]:
        """Wrap a model call; time during which at least one call is open counts as busy."""
        with self._lock:
            if self._open == 0:
                self._opened = time.monotonic()
            self._open += 1
        try:
            yield
        finally:
            with self._lock:
                self._open -= 1
                if self._open == 0:
                    self._busy += time.monotonic() - self._opened

    def add(
        self,
        purpose: Purpose,
        *,
        calls: int = 0,
        cached: int = 0,
        failed: int = 0,
        repaired: int = 0,
        prompt_tokens: int = 0,
        output_tokens: int = 0,
        seconds: float = 0.0,
    ) -> None:
        """Add to the counts of a purpose."""
        with self._lock:
            old = self._purposes.get(purpose, PurposeMetrics())
            self._purposes[purpose] = PurposeMetrics(
                calls=old.calls + calls,
                cached=old.cached + cached,
                failed=old.failed + failed,
                repaired=old.repaired + repaired,
                prompt_tokens=old.prompt_tokens + prompt_tokens,
                output_tokens=old.output_tokens + output_tokens,
                seconds=old.seconds + seconds,
            )

    def asked_structured(self, *, valid: bool) -> None:
        """Count one structured answer as valid (possibly after repair) or invalid."""
        with self._lock:
            self.structured += 1
            self.structured_valid += valid

    def drop(self, pieces: int) -> None:
        """Count pieces of material that did not fit into a prompt."""
        with self._lock:
            self.dropped += pieces

    def note(self, text: str) -> None:
        """Note something the user must know, once: an answer was degraded, a section is in another language."""
        with self._lock:
            self._notes.setdefault(text)

    @property
    def notes(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._notes)

    @property
    def by_purpose(self) -> Mapping[str, PurposeMetrics]:
        with self._lock:
            return dict(sorted(self._purposes.items()))

    @property
    def model_seconds(self) -> float:
        with self._lock:
            return self._busy + (time.monotonic() - self._opened if self._open else 0.0)
