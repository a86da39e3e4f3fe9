"""The research tree of an answer: facts with their source, sections read and queries asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Filter, Model, SearchMode
from rabbithole.steps.budget import tokens
from rabbithole.steps.models import Evidence
from rabbithole.steps.phases.mentions import Mention
from rabbithole.steps.reasoning.protocol import Fact

LOW_CONFIDENCE = 0.2  # below it, the next step is a new search
FULL_SECTIONS = 2  # how many texts are kept whole in the tree at a time
Action = Literal["decompose", "search", "select", "inspect", "read", "follow", "store", "prune", "review", "backtrack"]


class TraceEntry(Model):
    """One action of the workflow, with what it chose and why."""

    step: int
    action: Action
    detail: str
    reason: str = ""


class Node(Model):
    """A stored fact: evidence, sub-question, confidence and, in ``via``, the reference that led there."""

    evidence: Evidence
    subquery: str
    confidence: float
    via: str = ""
    whole: str = Field(default="", description="the section's text, for the last two only")
    pruned: bool = False


class Lead(Model):
    """A reference worth following that was not followed yet. ``source`` is the key of the evidence it occurs in."""

    mention: Mention
    source: str
    depth: int
    subquery: str
    reason: str

    @property
    def exact(self) -> bool:
        """Whether the reference means a section rather than a document that is only mentioned."""
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
    """Everything the loop knows. Immutable: each step returns a new tree."""

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
        """Return whether a query was already searched, ignoring white space and case."""
        return " ".join(query.split()).casefold() in {" ".join(one.split()).casefold() for one in self.queries}

    def store(self, node: Node) -> Tree:
        """Return the tree with the node added; only the last two nodes keep their whole text."""
        nodes = [*self.nodes, node]
        kept = [one.model_copy(update={"whole": ""}) for one in nodes[:-FULL_SECTIONS]] + nodes[-FULL_SECTIONS:]
        return self.model_copy(update={"nodes": tuple(kept)})

    def prune(self, limit: int) -> Tree:
        """Return the tree with at most ``limit`` facts kept: those of least confidence are marked as pruned."""
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
        """Return the facts as the reasoner sees them; the last two with the text of their section."""
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
        """Return the first sub-question without a fact, or the last one if all have facts."""
        answered = {node.subquery for node in self.kept}
        return next((one for one in self.subqueries if one not in answered), self.subqueries[-1])


def shown(texts: Sequence[str]) -> int:
    """Return the number of tokens of texts shown to the reasoner."""
    return sum(tokens(text) for text in texts)
