"""The gate: follow or skip each reference. Rules decide where they can, the reasoner the rest in one call per wave."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rabbithole.kb.models import Model
from rabbithole.kb.references.graph.missing import missing_kind
from rabbithole.steps.follow_limits import Limit
from rabbithole.steps.models import Anchor, Decision, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import GateCandidate, Reasoner

from .mentions import Mention


class Proposal(Model):
    """One reference of a wave and the decision on it."""

    mention: Mention
    decision: Decision
    reason: str = ""


def sort_out(
    mentions: Sequence[Mention], visited: Collection[str], language: str, limit: Limit | None = None, why: str = ""
) -> tuple[Proposal | Mention, ...]:
    """Decide by rule which references are missing, ambiguous, external or seen; the others are returned as mentions.

    ``limit`` is the one that was reached, if any, and ``why`` says so: the references are listed and not followed. A
    place is proposed once, at its first mention. Each pair (source, place) is kept once, so that a law that names
    itself fifty times does not fill the graph.
    """
    claimed = set(visited)
    pairs: set[tuple[str | None, str]] = set()
    sorted_out: list[Proposal | Mention] = []
    for mention in mentions:
        pair = (mention.source_section or mention.source, mention.place)
        if pair in pairs:
            continue
        pairs.add(pair)
        ruled = _rule(mention, claimed, language)
        if ruled is None and limit:
            ruled = Proposal(mention=mention, decision=limit, reason=why)
        if ruled is None:
            claimed.add(mention.place)
            sorted_out.append(mention)
        else:
            sorted_out.append(ruled)
    return tuple(sorted_out)


def _rule(mention: Mention, claimed: Collection[str], language: str) -> Proposal | None:
    def because(decision: Decision, key: str, **values: object) -> Proposal:
        return Proposal(mention=mention, decision=decision, reason=phrase(language, f"report.why.{key}", **values))

    resolution = mention.resolution
    if mention.reference.kind == "external":
        return because("skip", "external")
    if mention.amends:
        return because("skip", "amends")
    if resolution.status == "missing":
        lacking = missing_kind(mention.reference, resolution)
        if lacking is None:
            return because("skip", "unnamed")
        return because("missing", "no_such_section" if lacking == "section" else "missing", name=mention.label)
    if resolution.status == "ambiguous":
        return because("ambiguous", "ambiguous", count=len(resolution.candidates))
    own = resolution.document == mention.source_document and resolution.section is None
    if own or mention.inside or mention.place in claimed:
        return because("seen", "seen")  # "this Act" leads only to places that are being read anyway
    return None


async def decide(
    reasoner: Reasoner, anchor: Anchor, todo: Todo, sorted_out: Sequence[Proposal | Mention]
) -> tuple[Proposal, ...]:
    """Ask the reasoner about all undecided mentions in one call; a mention without an answer is followed."""
    open_mentions = [item for item in sorted_out if isinstance(item, Mention)]
    names = {f"r{number}": mention for number, mention in enumerate(open_mentions, start=1)}
    asked = [
        GateCandidate(
            id=name,
            text=mention.reference.text,
            context=mention.context,
            target=mention.label,
            subject=_subject(mention),
            source_score=mention.source_score if mention.resolution.section else 0.0,
            cited=mention.source_score > 0 and not mention.resolution.section,
        )
        for name, mention in names.items()
    ]
    answers = {one.id: one for one in await reasoner.gate(anchor, todo, asked)} if asked else {}
    decided: dict[int, Proposal] = {}
    for name, mention in names.items():
        answer = answers.get(name)
        follow = answer is None or answer.follow
        reason = answer.reason if answer else phrase(anchor.language, "report.why.undecided")
        decided[id(mention)] = Proposal(mention=mention, decision="follow" if follow else "skip", reason=reason)
    return tuple(decided[id(item)] if isinstance(item, Mention) else item for item in sorted_out)


def _subject(mention: Mention) -> str:
    """Return the heading of the place, with the document's name unless the reference stands in it."""
    resolution = mention.resolution
    if resolution.document != mention.source_document:
        return mention.label
    return " ".join(part for part in (resolution.number, resolution.heading) if part)
