"""Check a draft sent in the chat: its references, quotations and figures against the collections."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rabbithole.kb.errors import RabbitholeError, without_paths
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.draft_check.check import check_draft
from rabbithole.steps.draft_check.models import DraftCheck
from rabbithole.workflow.chat.documents.uploads import safe_name
from rabbithole.workflow.chat.locales import Language
from rabbithole.workflow.chat.runs.preferences import preferences_of
from rabbithole.workflow.chat.thread_pools import in_long
from rabbithole.workflow.draft_check.draft_file import read_draft
from rabbithole.workflow.draft_check.remarks import remark
from rabbithole.workflow.report.plain_text import plain

from .messages import language, note, user
from .services import Services

_ASKS = re.compile(r"\W*(?:bitte |please )?(?:(?:über)?prüf(?:e|en|t)?|check|verify)\b", re.IGNORECASE)
SHOWN = 40
"""Most findings listed; the command line shows all."""
LONGEST = 160


def asks_for_check(text: str) -> bool:
    """Return whether a message sent with a file asks to check it: "check", "Bitte prüfe diesen Entwurf"."""
    return _ASKS.match(text) is not None


async def check_file(services: Services, thread: str, path: Path, name: str) -> None:
    """Check one file and show the findings; the file is neither kept nor added to a collection."""
    stored = preferences_of(services.history.preferences(user()))
    try:
        found = await in_long(checked, services.kb, path, name, stored.collections)
    except RabbitholeError as error:
        await note(services, thread, "check.refused", name=plain(name), reason=plain(without_paths(str(error))))
        return
    counts = {"all": len(found.findings), "wrong": len(found.wrong), "open": len(found.open)}
    await note(services, thread, "check.result", name=plain(name), rows=rows(found, language()), **counts)


def checked(kb: KnowledgeBase, path: Path, name: str, collections: Sequence[str]) -> DraftCheck:
    """Return the check of an uploaded file, read under its original name. Blocking."""
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / safe_name(name)
        shutil.copyfile(path, draft)
        return check_draft(name, read_draft(draft), kb, collections)


def rows(found: DraftCheck, spoken: Language) -> str:
    """Return wrong and open findings as lines of Markdown, wrong ones first; '' if there are none."""
    listed = [*found.wrong, *found.open]
    lines = [f"- {'**✗**' if one.is_wrong else '?'} {_short(one.text)}: {plain(remark(one, spoken))}" for one in listed]
    return "\n".join([*lines[:SHOWN], *(["- …"] if len(lines) > SHOWN else [])])


def _short(text: str) -> str:
    return plain(text if len(text) <= LONGEST else f"{text[:LONGEST].rsplit(' ', 1)[0]} …")
