"""Labels in prompts: short for the model, exact for the reader."""

from __future__ import annotations

import pytest

from rabbithole.steps.models import Evidence, Quote
from rabbithole.steps.reasoning.llm.evidence_labels import UNKNOWN, Labels

LIMIT = "Der Grenzwert der effektiven Dosis beträgt für beruflich exponierte Personen 18 Millisievert im Kalenderjahr."


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Es gilt ein Grenzwert von 18 mSv [E1].", "Es gilt ein Grenzwert von 18 mSv [e0000001]."),
        ("Es heißt: [E1a]", f"Es heißt: „{LIMIT}“ [e0000001]"),
        ("Es heißt: „[E1a]“", f"Es heißt: „{LIMIT}“ [e0000001]"),
        ("Beides gilt [E1, e2].", "Beides gilt [e0000001] [e0000002]."),
        ("Das steht nirgends [E7].", f"Das steht nirgends [{UNKNOWN}]."),
        ("Ein Zitat, das es nicht gibt [E1d].", "Ein Zitat, das es nicht gibt [e0000001]."),
        ("## Grenzwert [E1a]", "## Grenzwert [e0000001]"),
        (f'E1a: "{LIMIT}"', f"„{LIMIT}“ [e0000001]"),
        ("Nach [12] und [Müller 2010] gilt das.", "Nach [12] und [Müller 2010] gilt das."),
    ],
)
def test_labels_become_keys_and_quotations_the_documents_words(
    evidence: tuple[Evidence, ...], written: str, read: str
) -> None:
    assert Labels(evidence).restore(written, "de") == read


def test_a_quotation_is_put_in_once(evidence: tuple[Evidence, ...]) -> None:
    labels = Labels(evidence)
    assert labels.restore("[E1a]", "de").count(LIMIT) == 1
    assert labels.restore("Noch einmal [E1a].", "de") == "Noch einmal [e0000001]."


def test_a_quotation_keeps_its_outer_marks_readable() -> None:
    quote = Quote(text='Im Sinne dieses Gesetzes ist ein "Labor" ein Raum.')
    item = Evidence(key="e0000001", task=0, document="d", info="", quotes=(quote,))
    assert Labels((item,)).restore("[E1a]", "de") == "„Im Sinne dieses Gesetzes ist ein ‚Labor‘ ein Raum.“ [e0000001]"


def test_keys_are_hidden_and_unknown_ones_left_out(evidence: tuple[Evidence, ...]) -> None:
    labels = Labels(evidence, others=("e0000009",))
    assert labels.hide("Eins [e0000002] zwei [e0000009] drei [effffff1].") == "Eins [E2] zwei [E3] drei ."
    assert labels.hide("Beides [e0000002, e0000009].") == "Beides [E2, E3]."


def test_a_place_read_by_several_tasks_is_shown_once_with_the_quotations_of_all(
    evidence: tuple[Evidence, ...],
) -> None:
    quote = Quote(text="Für Auszubildende beträgt der Grenzwert der effektiven Dosis 2 Millisievert im Kalenderjahr.")
    again = evidence[0].model_copy(update={"key": "e0000007", "score": 0.5, "quotes": (quote,)})
    labels = Labels((evidence[0], again))
    (piece,) = labels.pieces()
    assert "E1a" in piece.text
    assert "E1b" in piece.text
    assert labels.hide("[e0000001] und [e0000007]") == "[E1] und [E1]"
    assert labels.restore("Es gilt [E1].", "de") == "Es gilt [e0000001]."


def test_evidence_is_shown_with_label_place_tier_and_marked_quotations(evidence: tuple[Evidence, ...]) -> None:
    first = Labels(evidence).pieces()[0].text
    assert first.startswith("<<<DOCUMENT E1>>>\n(Dosisgesetz, § 12 Grenzwerte")
    assert "p. 1; primary)" in first
    assert f'E1a: "{LIMIT}"' in first
    assert first.count("Millisievert") == 1, "what was extracted is the quotation itself"


def test_what_was_extracted_is_never_cut_within_a_sentence() -> None:
    """Half a sentence before the next reads as one rule: 'if the conditions (1) Tests on animals are forbidden'."""
    long = (
        "Die Behörde kann mehr zulassen, wenn die Voraussetzungen des § 17 Absatz 3 Satz 2 der Verordnung vorliegen. "
    )
    item = Evidence(key="e0000001", task=0, document="d", info=long * 4)
    (piece,) = Labels((item,)).pieces()
    assert piece.text.split("\n")[2].endswith("vorliegen.")
    assert len(piece.text) < 400
