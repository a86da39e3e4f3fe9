"""Chainlit's data layer on top of our own history, so that its sidebar lists our conversations; it stores nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from chainlit.data.base import BaseDataLayer
from chainlit.element import Element, ElementDict
from chainlit.step import StepDict
from chainlit.types import Feedback, PageInfo, PaginatedResponse, Pagination, ThreadDict, ThreadFilter
from chainlit.user import PersistedUser, User

from rabbithole.workflow.chat.runs.history import History, Thread

PIN = "★ "
"""Shown before the name of a pinned conversation; it is not part of the name."""


class HistoryDataLayer(BaseDataLayer):
    """Serves conversations from our history. Messages and elements are rebuilt on opening, so none are stored here."""

    def __init__(self, history: History, forget: Callable[[str], Awaitable[None]]) -> None:
        self._history = history
        self._forget = forget

    async def get_user(self, identifier: str) -> PersistedUser | None:
        return PersistedUser(id=identifier, identifier=identifier, createdAt=_when(0.0))

    async def create_user(self, user: User) -> PersistedUser | None:
        return await self.get_user(user.identifier)

    async def list_threads(self, pagination: Pagination, filters: ThreadFilter) -> PaginatedResponse[ThreadDict]:
        before = float(pagination.cursor) if pagination.cursor else None
        found = self._history.threads(
            filters.userId or "", search=filters.search or "", limit=pagination.first + 1, before=before
        )
        page = found[: pagination.first]
        info = PageInfo(
            hasNextPage=len(found) > len(page), startCursor=None, endCursor=str(page[-1].updated) if page else None
        )
        return PaginatedResponse(pageInfo=info, data=[_dict(thread) for thread in page])

    async def get_thread(self, thread_id: str) -> ThreadDict | None:
        thread = self._history.thread(thread_id)
        return _dict(thread) if thread else None

    async def get_thread_author(self, thread_id: str) -> str:
        thread = self._history.thread(thread_id)
        return thread.user if thread else ""

    async def delete_thread(self, thread_id: str) -> None:
        await self._forget(thread_id)

    async def update_thread(
        self,
        thread_id: str,
        name: str | None = None,
        user_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        tags: list[str] | None = None,
    ) -> None:
        name = name.removeprefix(PIN) if name else None
        if user_id and name:
            self._history.open_thread(thread_id, user_id, name)
        elif name:
            self._history.rename(thread_id, name)

    async def create_step(self, step_dict: StepDict) -> None:
        return None

    async def update_step(self, step_dict: StepDict) -> None:
        return None

    async def delete_step(self, step_id: str) -> None:
        return None

    async def create_element(self, element: Element) -> None:
        return None

    async def get_element(self, thread_id: str, element_id: str) -> ElementDict | None:
        return None

    async def delete_element(self, element_id: str, thread_id: str | None = None) -> None:
        return None

    async def upsert_feedback(self, feedback: Feedback) -> str:
        return ""

    async def delete_feedback(self, feedback_id: str) -> bool:
        return False

    async def get_favorite_steps(self, user_id: str) -> list[StepDict]:
        return []

    async def build_debug_url(self) -> str:
        return ""

    async def close(self) -> None:
        return None


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _dict(thread: Thread) -> ThreadDict:
    return ThreadDict(
        id=thread.id,
        createdAt=_when(thread.updated),
        name=f"{PIN}{thread.name}" if thread.pinned else thread.name,
        userId=thread.user,
        userIdentifier=thread.user,
        tags=[],
        metadata={},
        steps=[],
        elements=[],
    )
