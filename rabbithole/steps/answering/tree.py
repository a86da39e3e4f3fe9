"""The research tree of an answer: facts stored with their source, what was read, what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Filter, Model, SearchMode
from rabbithole.steps.budget import tokens
from rabbithole.steps.models import Evidence
from rabbithole.steps.phases.mentions import Mention
from rabbithole.steps.reasoning.protocol import Fact

LOW_CONFIDENCE = 0.2  # below, a hop goes back to searching
FULL_SECTIONS = 2  # texts kept whole in the tree at a time
Action = Literal["decompose", "search", "select", "inspect", "read", "follow", "store", "prune", "review", "backtrack"]


class TraceEntry(Model):
    """One thing the workflow did, with what it chose and why."""

    step: int
    action: Action
    detail: str
    reason: str = ""


class Node(Model):
    """A stored fact: the evidence, what it answers, how sure it is; ``via`` is the reference that led there."""

    evidence: Evidence
    subquery: str
    confidence: float
    via: str = ""
    whole: str = Field(default="", description="the section's text, for the last two only")
    pruned: bool = False


class Lead(Model):
    """A reference worth following, waiting. ``source`` is the key of the evidence it stands in."""

    mention: Mention
    source: str
    depth: int
    subquery: str
    reason: str

    @property
    def exact(self) -> bool:
        """Whether a section is meant, not a document as a whole that happens to be named."""
        return bool(self.mention.reference.path) or self.mention.reference.kind != "document_mention"

    def is_new(self, tree: Tree) -> bool:
        """Whether nothing of the place was read yet."""
        resolution = self.mention.resolution
        if resolution.section:
            return resolution.section not in tree.read and all(
                node.evidence.section != resolution.section for node in tree.nodes
            )
        return all(node.evidence.document != resolution.document for node in tree.nodes)


class Tree(Model):
    """Everything the loop knows. Immutable: each step makes the next tree."""

    question: str
    language: Literal["de", "en"]
    subqueries: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    strategy: SearchMode = "hybrid"
    nodes: tuple[Node, ...] = ()
    leads: tuple[Lead, ...] = ()
    queries: tuple[str, ...] = ()
    read: tuple[str, ...] = Field(default=(), description="sections opened")
    listed: tuple[str, ...] = Field(default=(), description="chunks picked from lists so far")
    calls: int = 0
    shown_tokens: int = Field(default=0, description="tokens of lists, outlines and sections shown to the reasoner")
    trace: tuple[TraceEntry, ...] = ()

    def log(self, action: Action, detail: str, reason: str = "") -> Tree:
        entry = TraceEntry(step=len(self.trace) + 1, action=action, detail=detail, reason=reason)
        return self.model_copy(update={"trace": (*self.trace, entry)})

    def asked(self, query: str) -> bool:
        """Whether a query was searched before; white space and case aside."""
        return " ".join(query.split()).casefold() in {" ".join(one.split()).casefold() for one in self.queries}

    def store(self, node: Node) -> Tree:
        """Keep a fact; whole texts of all but the last two are let go."""
        nodes = [*self.nodes, node]
        kept = [one.model_copy(update={"whole": ""}) for one in nodes[:-FULL_SECTIONS]] + nodes[-FULL_SECTIONS:]
        return self.model_copy(update={"nodes": tuple(kept)})

    def prune(self, limit: int) -> Tree:
        """Beyond ``limit`` facts, drop those that answer least; the others stay in their order."""
        ranked = sorted(self.kept, key=lambda node: (-node.confidence, node.evidence.key))
        gone = {node.evidence.key for node in ranked[limit:]}
        if not gone:
            return self
        nodes = tuple(
            node.model_copy(update={"pruned": True, "whole": ""}) if node.evidence.key in gone else node
            for node in self.nodes
        )
        labels = [node.evidence.section_label or node.evidence.title for node in nodes if node.evidence.key in gone]
        return self.model_copy(update={"nodes": nodes}).log("prune", "; ".join(labels))

    @property
    def kept(self) -> tuple[Node, ...]:
        return tuple(node for node in self.nodes if not node.pruned)

    def facts(self) -> tuple[Fact, ...]:
        """The facts as the reasoner sees them; the last two with their section's text."""
        return tuple(
            Fact(
                key=node.evidence.key,
                subquery=node.subquery,
                text=node.whole or node.evidence.info,
                where=", ".join(part for part in (node.evidence.title, node.evidence.section_label) if part),
            )
            for node in self.kept
        )

    def subquery_open(self) -> str:
        """The first sub-question without a fact; the last one when all have some."""
        answered = {node.subquery for node in self.kept}
        return next((one for one in self.subqueries if one not in answered), self.subqueries[-1])


def shown(texts: Sequence[str]) -> int:
    """Tokens of texts shown to the reasoner."""
    return sum(tokens(text) for text in texts)
