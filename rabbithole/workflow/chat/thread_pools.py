"""Separate thread pools by purpose, so that an action in the interface never queues behind the work of fifty runs."""

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
SWITCH_SECONDS = 0.001  # short, so that computing threads hand the interpreter back to the event loop sooner
_UI = ThreadPoolExecutor(max_workers=2, thread_name_prefix="ui")
_PAGES = ThreadPoolExecutor(max_workers=2, thread_name_prefix="pages")
_LOGIN = ThreadPoolExecutor(max_workers=1, thread_name_prefix="login")
_LONG = ThreadPoolExecutor(max_workers=1, thread_name_prefix="long")


async def in_ui(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run something short that the user waits for."""
    return await asyncio.get_running_loop().run_in_executor(_UI, partial(function, *arguments, **named))


async def in_pages(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Draw a page of a document; a slow one delays only other pages."""
    return await asyncio.get_running_loop().run_in_executor(_PAGES, partial(function, *arguments, **named))


async def in_login(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Check passwords one at a time, so that attempts do not slow down the interface."""
    return await asyncio.get_running_loop().run_in_executor(_LOGIN, partial(function, *arguments, **named))


async def in_long(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run something that may take minutes, such as adding documents, one at a time."""
    return await asyncio.get_running_loop().run_in_executor(_LONG, partial(function, *arguments, **named))


def limit_workers(loop: asyncio.AbstractEventLoop) -> None:
    """Limit the threads that compute, to leave a core to the event loops; more would only wait for the interpreter."""
    cores = os.cpu_count() or 2
    workers = ThreadPoolExecutor(max_workers=min(MOST_WORKERS, max(1, cores - 1)), thread_name_prefix="run")
    loop.set_default_executor(workers)
    sys.setswitchinterval(SWITCH_SECONDS)
