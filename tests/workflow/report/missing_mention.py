"""A mention of a document that is not held."""

from rabbithole.kb.models import Reference, Resolution
from rabbithole.steps.phases.mentions import Mention


def missing(text, context, label="G, § 1", name=None):
    """Return the mention of ``text`` in its ``context``; ``name`` is what the resolver calls the document."""
    start = context.index(text)
    reference = Reference(start=start, end=start + len(text), text=text, kind="document", target=text)
    resolution = Resolution(status="missing", rule="", name=name or text)
    return Mention(
        reference=reference,
        source="e1",
        source_label=label,
        context=context,
        resolution=resolution,
        place=f"?{text.casefold()}",
        label=text,
    )
