"""The tree of an answer: facts with their sources, sections read, queries run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Filter, Model, SearchMode
from rabbithole.steps.budget import tokens
from rabbithole.steps.models import Evidence
from rabbithole.steps.phases.mentions import Mention
from rabbithole.steps.reasoning.protocol import Fact

LOW_CONFIDENCE = 0.2  # after a hop of less confidence, search again
FULL_SECTIONS = 2  # maximum number of texts kept whole in the tree at a time
Action = Literal["decompose", "search", "select", "inspect", "read", "follow", "store", "prune", "review", "backtrack"]


class TraceEntry(Model):
    """One step of the workflow, with its choice and reason."""

    step: int
    action: Action
    detail: str
    reason: str = ""


class Node(Model):
    """A stored fact: the evidence, the sub-question it answers, its confidence; ``via`` is the reference to it."""

    evidence: Evidence
    subquery: str
    confidence: float
    via: str = ""
    whole: str = Field(default="", description="the section's text, for the last two only")
    pruned: bool = False


class Lead(Model):
    """A reference waiting to be followed. ``source`` is the key of the evidence that contains it."""

    mention: Mention
    source: str
    depth: int
    subquery: str
    reason: str

    @property
    def exact(self) -> bool:
        """Whether it refers to a section, not only to a document as a whole."""
        return bool(self.mention.reference.path) or self.mention.reference.kind != "document_mention"

    def is_new(self, tree: Tree) -> bool:
        """Return whether nothing of the place was read yet."""
        resolution = self.mention.resolution
        if resolution.section:
            return resolution.section not in tree.read and all(
                node.evidence.section != resolution.section for node in tree.nodes
            )
        return all(node.evidence.document != resolution.document for node in tree.nodes)


class Tree(Model):
    """Everything the loop knows. It is immutable; each step makes a new tree."""

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
        """Return whether a query was run before, ignoring white space and case."""
        return " ".join(query.split()).casefold() in {" ".join(one.split()).casefold() for one in self.queries}

    def store(self, node: Node) -> Tree:
        """Add a fact; only the last two keep their whole text."""
        nodes = [*self.nodes, node]
        kept = [one.model_copy(update={"whole": ""}) for one in nodes[:-FULL_SECTIONS]] + nodes[-FULL_SECTIONS:]
        return self.model_copy(update={"nodes": tuple(kept)})

    def prune(self, limit: int) -> Tree:
        """Prune the weakest facts beyond ``limit``; the others keep their order."""
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
        """Return the facts for the reasoner; the last two with the text of their section."""
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
        """Return the first sub-question without a fact, or the last one if all have some."""
        answered = {node.subquery for node in self.kept}
        return next((one for one in self.subqueries if one not in answered), self.subqueries[-1])


def shown(texts: Sequence[str]) -> int:
    """Return the tokens of texts shown to the reasoner."""
    return sum(tokens(text) for text in texts)
