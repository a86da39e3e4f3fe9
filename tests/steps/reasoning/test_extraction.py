"""Extraction with a model: it points at sentences, and what is quoted is the document's own words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from servers.model_server import Behaviour, running
from servers.settings import settings_for

from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.reasoning.llm.trim import trimmed
from rabbithole.steps.reasoning.protocol import Extraction, Passage

ENTIRE = Todo(id=0, text="")


def extracted(
    anchor: Anchor, passages: tuple[Passage, ...], said: dict[str, Any], *, references: bool = True
) -> tuple[tuple[Extraction, ...], str]:
    """What comes of an answer, and the prompt it answered."""

    async def asked(url: str) -> tuple[Extraction, ...]:
        reasoner = make_reasoner(settings_for(url))
        try:
            return await reasoner.extract(anchor, ENTIRE, passages, references=references)
        finally:
            await reasoner.close()

    with running(Behaviour(fixed_text=json.dumps(said, ensure_ascii=False))) as server:
        found = asyncio.run(asked(server.url))
        return found, server.calls[0].body["messages"][0]["content"]


def entry(passage: int, does: str, *sentences: int) -> dict[str, Any]:
    return {"passage": passage, "task": does, "sentences": list(sentences)}


def answered(*entries: dict[str, Any], references: Sequence[str] = ()) -> dict[str, Any]:
    return {"passages": list(entries), "references": list(references)}


def test_the_words_of_the_sentences_pointed_at_are_the_documents(anchor: Anchor, passages: tuple[Passage, ...]) -> None:
    answer = answered(entry(1, "answered", 2, 1), entry(2, "related"), entry(3, "unrelated"))
    found, prompt = extracted(anchor, passages, answer)
    assert "s1: (1) Der Grenzwert der effektiven Dosis" in prompt
    assert found[0].quotes[0].startswith("Die zuständige Behörde kann im Einzelfall")
    assert found[0].quotes[1].endswith("18 Millisievert im Kalenderjahr.")
    assert all(quote in passages[0].text for quote in found[0].quotes)
    assert found[0].info.startswith("Die zuständige Behörde")
    assert [one.relevance for one in found] == [0.9, 0.6, 0.0]
    assert not found[2].quotes


def test_sentences_only_gone_through_are_put_in_order_by_their_words(
    anchor: Anchor, passages: tuple[Passage, ...]
) -> None:
    dull = passages[0].model_copy(update={"text": "Das Amt hat einen eigenen Stempel für Zwecke. " + passages[0].text})
    answer = answered(entry(1, "answered", 1, 2, 3))
    found, _ = extracted(anchor, (dull,), answer)
    assert "Stempel" not in found[0].quotes[0]
    answer = answered(entry(1, "answered", 3, 1, 2))
    assert "Stempel" in extracted(anchor, (dull,), answer)[0][0].quotes[1], "an order that was given is kept"


def test_a_number_of_another_passage_or_of_none_is_dropped(anchor: Anchor, passages: tuple[Passage, ...]) -> None:
    answer = {
        "passages": [entry(1, "answered", 999, 1), entry(2, "answered", 1, 0), entry(3, "unrelated")],
        "references": [],
    }
    found, _ = extracted(anchor, passages, answer)
    assert len(found[0].quotes) == 1
    assert found[1].quotes, "the model says it answers: quoted by rule"
    assert all(quote in passages[1].text for quote in found[1].quotes)


def test_wrong_passage_numbers_are_read_in_order_and_missing_entries_are_filled_without_the_model(
    anchor: Anchor, passages: tuple[Passage, ...]
) -> None:
    found, _ = extracted(
        anchor,
        passages,
        answered(entry(7, "answered", 1), entry(8, "answered"), entry(9, "unrelated")),
    )
    assert [one.relevance for one in found] == [0.9, 0.9, 0.0]
    found, _ = extracted(anchor, passages, answered(entry(2, "related")))
    assert [one.key for one in found] == [one.key for one in passages]
    assert found[1].relevance == 0.6
    assert found[0].quotes  # by words: the model said nothing of it


def test_references_are_documents_named_word_for_word(anchor: Anchor) -> None:
    """Small models give the passage's own heading, a section detection finds anyway, or what stands nowhere."""
    text = "§ 12 Grenzwerte\nDer Grenzwert beträgt 18 Millisievert; Näheres regelt die Richtlinie Messung nach § 14."
    passage = Passage(key="e1", where="DosG.pdf, § 12 Grenzwerte, p. 4", text=text)
    said = ["die Richtlinie  Messung", "§ 14", "§ 12 Grenzwerte", "Grenzwerte", "die Strahlenfibel"]
    answer = {"passages": [entry(1, "answered", 1)], "references": said}
    found, _ = extracted(anchor, (passage,), answer)
    assert [one.text for one in found[0].references] == ["die Richtlinie Messung"]
    found, _ = extracted(anchor, (passage,), answer, references=False)
    assert not found[0].references


def test_a_passage_in_another_language_is_also_told_in_the_persons(anchor: Anchor) -> None:
    text = "The effective dose of workers shall not exceed 20 mSv in a year. The authority may permit more in one case."
    passage = Passage(key="e1", where="Guide.pdf, 4.2 Limits, p. 3", text=text)
    said = "Die effektive Dosis der Beschäftigten darf 20 mSv im Jahr nicht übersteigen (Abschnitt 4.2)."
    answer = answered(entry(1, "answered", 1) | {"info": said})
    found, prompt = extracted(anchor, (passage,), answer)
    assert "info: the sense of these sentences in German" in prompt
    assert found[0].info == said
    assert found[0].quotes == ("The effective dose of workers shall not exceed 20 mSv in a year.",)


@pytest.mark.parametrize("characters", [120, 200, 750])
def test_a_long_passage_is_cut_to_its_best_sentences_and_says_so(
    anchor: Anchor, passages: tuple[Passage, ...], characters: int
) -> None:
    (cut,) = trimmed(anchor.query, anchor.query, "de", passages[:1], characters)
    assert all(one.text in passages[0].text for one in cut.sentences)
    assert any("18 Millisievert" in one.text for one in cut.sentences)
    assert ("[…]" in cut.lines({})) == (characters < 400)
    assert "§ 12 Grenzwerte für beruflich" not in cut.lines({}), "the heading stands in 'where'"
