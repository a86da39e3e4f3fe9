"""Work for the processor beside the event loop: a few pieces at once, the most urgent first.

Threads share one interpreter: ten pieces of work at once are all done late, while one after the other lets the first
go on to the model at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from .reasoning.client.priority import URGENCY, Slots

AT_ONCE = 1
LATER = (1_000,)
"""After everything that has an urgency of its own: what is only had at hand for somebody who may ask for it."""

P = ParamSpec("P")
T = TypeVar("T")
_slots: WeakKeyDictionary[asyncio.AbstractEventLoop, Slots] = WeakKeyDictionary()


async def run_in_thread(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """What the work returns, done in a thread when its turn has come."""
    slots = _slots.setdefault(asyncio.get_running_loop(), Slots(AT_ONCE))
    async with slots.taken():
        return await asyncio.to_thread(work, *args, **named)


async def aside_later(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """The same, when nobody else wants the processor. To be awaited in a task of its own."""
    URGENCY.set(LATER)
    return await run_in_thread(work, *args, **named)
