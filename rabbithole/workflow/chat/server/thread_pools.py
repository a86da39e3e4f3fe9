"""Threads by what waits for them: an action of the interface never queues behind the work of fifty runs."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

MOST_WORKERS = 4
SWITCH_SECONDS = 0.001  # the event loop gets the interpreter back sooner from threads that compute
_UI = ThreadPoolExecutor(max_workers=2, thread_name_prefix="ui")
_PAGES = ThreadPoolExecutor(max_workers=2, thread_name_prefix="pages")
_LOGIN = ThreadPoolExecutor(max_workers=1, thread_name_prefix="login")
_LONG = ThreadPoolExecutor(max_workers=1, thread_name_prefix="long")


async def in_ui(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run something short that a person waits for."""
    return await asyncio.get_running_loop().run_in_executor(_UI, partial(function, *arguments, **named))


async def in_pages(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Look at a page of a document: one that is slow holds up other pages only."""
    return await asyncio.get_running_loop().run_in_executor(_PAGES, partial(function, *arguments, **named))


async def in_login(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Check a password, one after another: attempts take the interface nothing."""
    return await asyncio.get_running_loop().run_in_executor(_LOGIN, partial(function, *arguments, **named))


async def in_long(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run something that may take minutes, one after another: adding documents."""
    return await asyncio.get_running_loop().run_in_executor(_LONG, partial(function, *arguments, **named))


def limit_workers(loop: asyncio.AbstractEventLoop) -> None:
    """One core is left to the event loops, and more than a few threads would only wait for the interpreter."""
    cores = os.cpu_count() or 2
    workers = ThreadPoolExecutor(max_workers=min(MOST_WORKERS, max(1, cores - 1)), thread_name_prefix="run")
    loop.set_default_executor(workers)
    sys.setswitchinterval(SWITCH_SECONDS)
