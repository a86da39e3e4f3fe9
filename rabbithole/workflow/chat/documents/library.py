"""The documents of the knowledge base, as users list, choose and correct them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rabbithole.kb.ingest.run.corrections import Correction
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Model
from rabbithole.steps.distinct_names import name_in
from rabbithole.workflow.chat.runs.history import History
from rabbithole.workflow.chat.runs.preferences import MAX_DEPTH, preferences_of


class ScopeBody(BaseModel):
    """The scope and settings of the next questions. If nothing is chosen, everything is searched."""

    model_config = ConfigDict(extra="forbid")
    collections: list[str] = []
    documents: list[str] = []
    mode: Literal["research", "answer", "plain"] = "research"
    depth: int = Field(ge=0, le=MAX_DEPTH)


class CorrectionBody(BaseModel):
    """Corrections of a document's metadata. Empty values change nothing."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)
    title: str = ""
    number: str = ""
    alias: str = ""
    year: int | None = Field(default=None, ge=1000, le=2999)


class ReadAgain(Model):
    """The id of a document that was read again, or '' and the reason if its file could not be read."""

    id: str = ""
    reason: str = ""


class DocumentPanel:
    """Lists and changes documents; it reads and writes the knowledge base, so call it in a worker thread.

    ``editable``: whether the user may change and remove documents.
    """

    def __init__(self, kb: KnowledgeBase, history: History, *, editable: bool) -> None:
        self._kb, self._history, self.editable = kb, history, editable
        self._warnings: tuple[str, dict[tuple[str, str], tuple[str, ...]]] = ("", {})

    def shown(self, user: str) -> dict[str, Any]:
        """Return every document with its metadata, files not read, and the user's scope without documents gone."""
        documents = self._kb.documents()
        warnings = self._warned()
        scope = self._scope(user, documents)
        unread = {(one.collection, one.file): one.reason for one in self._kb.unread()}
        rows = []
        for one in documents:
            of = one.collection, one.file
            reason = unread.pop(of, "")  # a document without readable text is held, but nothing is found in it
            rows.append(self._row(one, tuple(dict.fromkeys((*filter(None, (reason,)), *warnings.get(of, ()))))))
        rows.sort(key=lambda row: (row["collection"].casefold(), row["name"].casefold(), row["file"]))
        gone = [{"collection": name, "file": file, "reason": reason} for (name, file), reason in unread.items()]
        return {"documents": rows, "unread": gone, "scope": scope, "editable": self.editable}

    def choose(self, user: str, chosen: ScopeBody) -> None:
        self._history.set_preferences(user, {**self._history.preferences(user), **chosen.model_dump()})

    def remove(self, document: Document) -> None:
        """Remove a document from the knowledge base; its file stays. Raises UsageError."""
        self._kb.remove_files(document.collection, [document.file])

    def correct(self, document: Document, said: CorrectionBody) -> None:
        """Write corrections to the registry file, so that they survive a new ingestion. Raises UsageError."""
        aliases = (said.alias,) if said.alias else ()
        correction = Correction(title=said.title, number=said.number, year=said.year, aliases=aliases)
        if correction != Correction():
            self._kb.name(document.collection, document.file, correction)

    def read_again(self, document: Document) -> ReadAgain:
        report = self._kb.read_again(document.collection, document.file)
        found = [one for one in self._kb.documents(document.collection) if one.file == document.file]
        return ReadAgain(id=found[0].id if found else "", reason=" ".join(one.reason for one in report.skipped))

    def _scope(self, user: str, documents: tuple[Document, ...]) -> dict[str, Any]:
        stored = preferences_of(self._history.preferences(user))
        ids, names = {one.id for one in documents}, {one.collection for one in documents}
        return {
            "collections": [one for one in stored.collections if one in names],
            "documents": [one for one in stored.documents if one in ids],
            "mode": stored.mode,
            "depth": stored.depth,
        }

    def _warned(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Return the warnings by collection and file, computed again when the knowledge base has changed."""
        state = self._kb.changed
        if self._warnings[0] != state:
            found = {(of.collection, row.file): row.warnings for of in self._kb.health() for row in of.documents}
            self._warnings = (state, found)
        return self._warnings[1]

    def _row(self, document: Document, warnings: tuple[str, ...]) -> dict[str, Any]:
        return {
            "id": document.id,
            "name": name_in(self._kb, document),
            "title": document.title,
            "number": document.metadata.get("designation") or "",
            "collection": document.collection,
            "file": document.file.rsplit("/", 1)[-1],
            "year": document.metadata.get("year"),
            "pages": document.pages,
            "language": document.language,
            "warnings": list(warnings),
        }
