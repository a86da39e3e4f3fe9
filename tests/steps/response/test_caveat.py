import pytest

from rabbithole.steps.models import Evidence
from rabbithole.steps.phrases import phrase
from rabbithole.steps.response.caveat import caveat, reserved, sentence_above
from rabbithole.steps.response.models import Block, Finding, QuotedPassage, Response, Why
from rabbithole.steps.response.render import response_markdown

EVIDENCE = Evidence(
    key="e1", info="Ten days.", document="d", file="f.pdf", title="Rules", start=0, end=9, page=1, task=0, score=1.0
)
PASSAGE = QuotedPassage(evidence=EVIDENCE, text="Ten days.", end=9, page=1)


@pytest.mark.parametrize(
    ("finding", "probability", "key"),
    [
        ("answered", 0.8, ""),
        ("closest", 0.6, "response.likely"),
        ("closest", 0.59, "response.closest"),
        ("closest", 0.25, "response.closest"),
        ("closest", 0.2, "response.none"),
        ("none", 0.2, "response.none"),
        ("none", 0.02, "response.unlikely"),
    ],
)
def test_the_sentence_above_follows_the_probability(finding: Finding, probability: float, key: str) -> None:
    assert caveat(Block(parts=("How long",), finding=finding, probability=probability)) == key


@pytest.mark.parametrize("language", ["de", "en"])
def test_it_is_said_below_each_part(language: str) -> None:
    def said(second: float) -> list[int]:
        blocks = tuple(
            Block(parts=(part,), finding="closest", probability=p, passages=(PASSAGE,))
            for part, p in (("How long", 0.7), ("By whom", second))
        )
        text = response_markdown(Response(status="none", blocks=blocks), language)
        return [text.count(phrase(language, key)) for key in ("response.likely", "response.closest")]

    assert said(0.6) == [2, 0]
    assert said(0.3) == [1, 1]


@pytest.mark.parametrize(
    ("why", "probability", "key"),
    [("answer", 0.7, "response.answered"), ("answer", 0.95, "response.answered"), ("named", 0.9, "")],
)
def test_an_answer_says_how_sure_it_is_unless_the_place_was_asked_for(why: Why, probability: float, key: str) -> None:
    passage = PASSAGE.model_copy(update={"why": why})
    block = Block(parts=("How long",), finding="answered", probability=probability, passages=(passage,))
    assert sentence_above(block) == key


def test_parts_that_are_likely_or_may_well_be_answered_are_answered_with_reservation() -> None:
    found: list[tuple[Finding, float, int]] = [
        ("answered", 0.9, 1), ("closest", 0.5, 1), ("closest", 0.3, 2), ("none", 0.2, 1), ("none", 0.02, 1),
    ]  # fmt: skip
    blocks = tuple(Block(parts=("part",) * many, finding=one, probability=p) for one, p, many in found)
    assert reserved(Response(status="partly", blocks=blocks)) == 3
    lacking = Block(parts=("part",), finding="none", probability=0.3, lacks="duration")
    assert reserved(Response(status="none", blocks=(lacking,))) == 0


@pytest.mark.parametrize(
    ("key", "german", "english"),
    [
        (
            "response.answered",
            "Etwa neun von zehn so eingestuften Antworten",
            "about nine in ten answers rated like this",
        ),
        (
            "response.likely",
            "Etwa drei von vier so eingestuften Antworten",
            "about three in four answers rated like this",
        ),
        (
            "response.closest",
            "Mehr als die Hälfte der so eingestuften Antworten",
            "more than half of the answers rated like this",
        ),
        (
            "response.none",
            "Nur etwa eine von drei so eingestuften Antworten",
            "only about one in three answers rated like this",
        ),
        (
            "response.unlikely",
            "vielleicht steht es in anderen Worten in den Dokumenten",
            "the documents may say it in other words",
        ),
    ],
)
def test_the_sentences_say_how_often_they_are_right_and_never_that_nothing_answers(
    key: str, german: str, english: str
) -> None:
    assert german in phrase("de", key)
    assert english in phrase("en", key)
