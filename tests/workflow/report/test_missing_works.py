"""The works that are missing, each once."""

import pytest
from kb_records import knowledge_base, record

from rabbithole.kb.references.resolution.book_pages import PAGE_NOT_HELD
from rabbithole.steps.models import Evidence
from rabbithole.steps.phases.mentions import mentions_of
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.report.missing_works import addresses, missing_of

from .missing_mention import missing


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
    assert [one.name for one in missing_of([*named, *cited])] == ["NIST SP 800-21"]
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


def test_entries_of_two_bibliographies_for_one_work_are_one():
    title = "A statistical framework for the study of counts"
    entries = (
        f"Held, L. and Paul, M. (2005). {title}. Stat. Mod., 5.",
        f"Held L, Paul M (2005). “{title}.” Stat. Mod.",
    )
    found = missing_of([missing("Held (2005)", "as in Held (2005)", name=entry) for entry in entries])
    assert [one.name for one in found] == [max(entries, key=len)]


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


TRANSITIONS = "LAB Special Publication 800-131A, Transitions: Keys and Locks, January 2011, https://example.org"
ACT = "Gesetz über Labore im Land (Landeslaborgesetz - LLabG)"


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        (("RFC 2119", "[RFC2119]"), ["RFC 2119"]),
        (("Landeslaborgesetz", ACT, "LLabG"), [ACT]),
        (("NIST SP 800-131A", TRANSITIONS.replace("LAB", "NIST")), [TRANSITIONS.replace("LAB", "NIST")]),
        (
            ("BCP 14", 'Doe, S., "Key words", BCP 14, RFC 2119, March 1997', "RFC 2119"),
            ['Doe, S., "Key words", BCP 14, RFC 2119, March 1997'],
        ),
        (
            ("Roe, Federal Information Processing Standards (FIPS) Publication 186-4, July 2013", "FIPS 186-4"),
            ["Roe, Federal Information Processing Standards (FIPS) Publication 186-4, July 2013"],
        ),
        (  # a sub-series collects several works
            ("STD 13", 'Doe, P., "Concepts", STD 13, RFC 1034', 'Doe, P., "Names", STD 13, RFC 1035'),
            ['Doe, P., "Concepts", STD 13, RFC 1034', 'Doe, P., "Names", STD 13, RFC 1035', "STD 13"],
        ),
        (("NIST SP 800-40 (v 2)", "NIST SP 800-63 (v 2)"), ["NIST SP 800-40 (v 2)", "NIST SP 800-63 (v 2)"]),
        (("NIST SP 800-56A", "NIST SP 800-56A Rev. 2"), ["NIST SP 800-56A", "NIST SP 800-56A Rev. 2"]),
        (("Glass (Short Version)", "Metal (Short Version)"), ["Glass (Short Version)", "Metal (Short Version)"]),
        (("IEEE 802.1", "Doe, B., IEEE 802.1 over glass"), ["Doe, B., IEEE 802.1 over glass", "IEEE 802.1"]),
    ],
)  # fmt: skip
def test_several_names_of_one_work_are_one_entry(names, listed):
    found = missing_of([missing(name, f"see {name}") for name in names])
    assert [one.name for one in found] == listed


def called_out(text, start, document=None):
    """A mention of a document at an offset, held or not."""
    found = missing(text, text)
    reference = found.reference.model_copy(update={"start": start, "end": start + len(text)})
    resolution = found.resolution.model_copy(update={"status": "resolved", "document": document} if document else {})
    return found.model_copy(update={"reference": reference, "resolution": resolution, "source_document": "d"})


def test_a_name_and_the_call_out_behind_it_are_one_work():
    name, call_out = called_out("BCP 14", 10), called_out("[RFC2119]", 17)
    assert [one.name for one in missing_of([name, call_out])] == ["RFC 2119"]
    assert [one.name for one in missing_of([name, called_out("[RFC2119]", 30)])] == ["BCP 14", "RFC 2119"]


def test_a_name_is_not_missing_if_the_call_out_behind_it_leads_to_a_document_held():
    name, held = called_out("BCP 14", 10), called_out("[RFC2119]", 17, document="rfc2119")
    assert missing_of([name], [name, held]) == ()
    assert [one.name for one in missing_of([name])] == ["BCP 14"]


def test_where_an_act_was_published_is_not_even_mentioned(tmp_path):
    text = "Es gilt das Landeslaborgesetz vom 3. Mai 2012 (BGBl. I S. 114), bekannt gemacht im GMBl S. 7."
    with knowledge_base(tmp_path, record("Satzung", [("§ 1", text)])) as kb:
        (section,) = kb.outline("Satzung")
        read = Evidence(key="e1", task=0, document="Satzung", section=section.id, start=0, end=section.end, info="")
        named = list(mentions_of(kb, read, (), ResearchSettings(_env_file=None)))
    assert [one.reference.text for one in named] == ["Landeslaborgesetz vom 3. Mai 2012"]
