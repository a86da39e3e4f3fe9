from rabbithole.kb.models import QuotePlace
from rabbithole.steps.models import Evidence, Quote
from rabbithole.steps.phases.contradictions import contradictions, disagree
from rabbithole.steps.resolution_notes import concerns_edition, said


def evidence(key, document, quote, note=""):
    place = QuotePlace(document=document, start=0, end=len(quote), page=0, page_label="1")
    return Evidence(
        key=key,
        task=0,
        document=document,
        title=document,
        info=quote,
        quotes=(Quote(text=quote, place=place),),
        note=note,
    )


OLD = "Die effektive Dosis darf 50 Millisievert im Kalenderjahr nicht überschreiten."
NEW = "Die effektive Dosis darf 20 Millisievert im Kalenderjahr nicht überschreiten."


def test_other_figures_in_nearly_the_same_words_disagree():
    assert disagree(OLD, NEW)
    assert not disagree(NEW, NEW)
    assert not disagree(NEW, "Der Abstand zum Zaun beträgt 50 Meter.")
    assert not disagree("nach § 5 Abs. 3 gilt dies", "nach § 6 Abs. 4 gilt dies")
    kept = "Die Aufzeichnungen über die Messungen sind {} aufzubewahren."
    assert disagree(kept.format("zehn Jahre"), kept.format("fünf Jahre"))
    assert not disagree(kept.format("zehn Jahre"), kept.format("10 Jahre"))


def test_both_sides_are_put_to_the_reader():
    found = contradictions([evidence("e1", "A", OLD), evidence("e2", "B", NEW)], "de")
    assert len(found) == 1
    assert "50 Millisievert" in found[0]
    assert "20 Millisievert" in found[0]
    assert "[e1]" in found[0]
    assert "[e2]" in found[0]


def test_a_document_does_not_contradict_itself():
    assert contradictions([evidence("e1", "A", OLD), evidence("e2", "A", NEW)], "de") == ()


def test_notes_of_resolution_are_said_in_the_persons_language():
    note = "edition 2012 is not held, but 2021; Satz 4 was not found there; the place around it is given"
    assert said(note, "de").startswith("Gemeint ist die Fassung 2012; in der Sammlung ist 2021.")
    assert "Satz 4" in said(note, "de")
    assert concerns_edition(note)
    assert not concerns_edition("Satz 4 was not found there; the place around it is given")
    assert said("something else", "en") == "something else"
