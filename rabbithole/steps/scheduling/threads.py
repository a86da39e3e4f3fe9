"""Run CPU-bound work in threads, in order of priority, a limited number at a time.

Threads share one interpreter: of ten concurrent jobs all would finish late, while one at a time lets the first continue
to its model call at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from rabbithole.steps.scheduling.priority import URGENCY, Slots

AT_ONCE = 1
LATER = (1_000,)
"""Priority after all other work, for results that are only prepared in case they are needed."""

P = ParamSpec("P")
T = TypeVar("T")
_slots: WeakKeyDictionary[asyncio.AbstractEventLoop, Slots] = WeakKeyDictionary()


async def run_in_thread(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Run ``work`` in a thread when its priority (``URGENCY``) lets it, and return its result."""
    slots = _slots.setdefault(asyncio.get_running_loop(), Slots(AT_ONCE))
    async with slots.taken():
        return await asyncio.to_thread(work, *args, **named)


async def aside_later(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Run ``work`` in a thread after all other work. Await it in its own task, as it changes the priority there."""
    URGENCY.set(LATER)
    return await run_in_thread(work, *args, **named)
