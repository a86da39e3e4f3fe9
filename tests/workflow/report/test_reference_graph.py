import pytest

from rabbithole.kb.models import Reference, Resolution
from rabbithole.kb.references.resolution.book_pages import PAGE_NOT_HELD
from rabbithole.steps.phases.gate import sort_out
from rabbithole.steps.phases.mentions import Mention
from rabbithole.workflow.report.followed_graph import addresses, missing_of


def missing(text, context, label="G, § 1", name=None):
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


@pytest.mark.parametrize(
    ("text", "context", "counted"),
    [
        ("BGBl. I S. 114", "nach der Röntgenverordnung vom 8. Januar 1987 (BGBl. I S. 114) in der Fassung", False),
        ("ABl. L 117", "Verordnung (EU) 2017/745 (ABl. L 117 vom 5.5.2017, S. 1)", False),
        ("ABl. L 13", "(Richtlinie 2013/59/Euratom; ABl. L 13 vom 17.1.2014)", False),
        ("BGBl. I S. 114", "bekannt gemacht im BGBl. I S. 114, gilt", True),
        ("Bundesberggesetz", "nach dem Recht (Bundesberggesetz) gilt", True),
    ],
)
def test_where_an_act_was_published_is_no_document_of_its_own(text, context, counted):
    assert bool(missing_of([missing(text, context)])) is counted


def outside(address):
    mention = missing(address, f"see {address}")
    return mention.model_copy(update={"reference": mention.reference.model_copy(update={"kind": "external"})})


def test_an_address_or_a_label_alone_is_no_missing_document():
    named = [outside("https://example.org/a"), outside("https://example.org/a"), outside("other.pdf#nameddest=x")]
    labels = [missing(text, f"as in {text}") for text in ("[2]", "[Doe92]", "[SP800-21]")]
    cited = [
        one.model_copy(update={"reference": one.reference.model_copy(update={"kind": "academic_numbered"})})
        for one in labels
    ]
    assert [one.name for one in missing_of([*named, *cited])] == ["[SP800-21]"]
    assert addresses([*named, *cited]) == 2


def test_the_end_of_a_longer_name_cited_by_the_same_places_is_not_counted_beside_it():
    long, short = "Lebensmittel- und Futtermittelgesetzbuch", "Futtermittelgesetzbuch"
    context = f"nach dem {long} und dem"
    found = missing_of([missing(long, context, name=f"{long} (LFGB)"), missing(short, context)])
    assert [one.name for one in found] == [f"{long} (LFGB)"]
    elsewhere = missing_of([missing(long, context), missing(short, context, label="H, § 2")])
    assert len(elsewhere) == 2


def test_an_act_cited_with_and_without_its_kind_is_one():
    context = "nach der Verordnung (EU) 2017/745 und (EU) 2017/745"
    found = missing_of([missing(text, context) for text in ("(EU) 2017/745", "Verordnung (EU) 2017/745")])
    assert [(one.name, one.count) for one in found] == [("Verordnung (EU) 2017/745", 1)]


def linked(target, name="", rule="an address outside the collection"):
    found = missing(target, f"see {target}", name=name or target)
    reference = found.reference.model_copy(update={"kind": "external", "method": "link"})
    resolution = found.resolution.model_copy(update={"rule": rule, "note": target})
    return found.model_copy(update={"reference": reference, "resolution": resolution})


def test_pages_of_one_site_are_one_entry_and_addresses_of_the_web_none():
    pages = [linked(f"{name}.html", "Lab Guide", PAGE_NOT_HELD) for name in ("keys", "safe", "keys", "doors", "locks")]
    other = linked("map.html", "atlas", PAGE_NOT_HELD)
    web = [linked("https://example.org/keys"), linked("https://doi.org/10.1000/182")]
    found = missing_of([*pages, other, *web, missing("Lab Guide", "see Lab Guide")])
    assert sorted(one.name for one in found) == [
        "Lab Guide",
        "Lab Guide: keys.html, safe.html, doors.html, …",
        "atlas: map.html",
    ]
    assert addresses([*pages, other, *web]) == len(web)


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
