"""What happened to one reference, as an event for the person."""

from __future__ import annotations

from rabbithole.workflow.events import ReferenceFollowed, ReferenceMissing, ReferenceSeen, ReferenceSkipped

from .ledger import LedgerEntry
from .state import ResearchState

_QUIET = ("seen", "depth")


def seen_events(state: ResearchState, entry: LedgerEntry) -> list[ReferenceSeen]:
    """One event, or none for references to what was read already and for those beyond the depth."""
    if entry.decision in _QUIET:
        return []
    kind: type[ReferenceSeen] = ReferenceSkipped
    if entry.decision == "follow":
        kind = ReferenceFollowed
    elif entry.decision in ("missing", "ambiguous"):
        kind = ReferenceMissing
    mention = entry.mention
    return [
        kind(
            task=entry.task,
            depth=entry.depth,
            text=mention.reference.text,
            kind=mention.reference.kind,
            source=mention.source_label,
            source_document=mention.source_document,
            source_section=mention.source_section,
            target=mention.label,
            target_document=mention.resolution.document,
            target_section=mention.resolution.section,
            page=mention.page,
            decision=entry.decision,
            reason=entry.reason,
        )
    ]
