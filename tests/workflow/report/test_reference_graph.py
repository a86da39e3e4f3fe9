from rabbithole.kb.models import Reference, Resolution
from rabbithole.steps.phases.gate import sort_out
from rabbithole.steps.phases.mentions import Mention

from .missing_mention import missing


def test_an_act_that_only_amended_another_is_neither_followed_nor_missing():
    mention = missing("Gesetzes vom 3. Mai 2021", "zuletzt durch das Gesetzes vom 3. Mai 2021 geändert worden ist")
    (found,) = sort_out([mention.model_copy(update={"amends": True})], set(), "de")
    assert (found.decision, found.reason) == ("skip", "nennt nur, wodurch eine Vorschrift geändert wurde")


def test_the_act_one_is_reading_is_not_followed():
    reference = Reference(start=0, end=12, text="dieses Gesetz", kind="document", target="dieses Gesetz")
    resolution = Resolution(status="resolved", rule="", document="d")
    mention = Mention(
        reference=reference,
        source="e1",
        source_document="d",
        context="",
        resolution=resolution,
        place="d/",
        label="G",
    )
    (found,) = sort_out([mention], set(), "de")
    assert found.decision == "seen"
    (other,) = sort_out([mention.model_copy(update={"source_document": "e"})], set(), "de")
    assert isinstance(other, Mention)
