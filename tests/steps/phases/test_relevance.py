import pytest

from rabbithole.steps.models import Evidence
from rabbithole.steps.phases.relevance import calibrated, classify, keep, scaled, weight


def evidence(key, score, depth=0):
    return Evidence(key=key, task=0, document="d", info="", score=score, depth=depth)


@pytest.mark.parametrize(
    "scores",
    [[0.92, 0.91, 0.9], [0.31, 0.2, 0.05], [0.016, 0.015, 0.008], [3.2, 1.0, -0.5]],
)
def test_calibration_keeps_order_and_gives_the_best_one(scores):
    result = calibrated(scores)
    assert result[0] == 1.0
    assert result == sorted(result, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in result)


def test_calibration_of_nothing_and_of_zeros():
    assert calibrated([]) == []
    assert calibrated([0.0, 0.0]) == [1.0, 1.0]


@pytest.mark.parametrize("best", [0.9, 0.3, 0.05])
def test_the_threshold_means_the_same_with_every_embedding(best):
    assert scaled(best, best) == 1.0
    assert scaled(0.5 * best, best) == 0.5
    assert scaled(0.5 * best, best, retrieval=1.0) == 0.75
    assert scaled(0.0, best, retrieval=1.0) == 0.0


def test_what_is_relevant_is_kept_and_at_least_the_minimum():
    items = [evidence("a", 0.7), evidence("b", 0.2), evidence("c", 0.59), evidence("d", 0.6)]
    assert [one.key for one in keep(items, 0.6, 0)] == ["a", "d"]
    assert [one.key for one in keep(items, 0.6, 3)] == ["a", "c", "d"]
    assert [one.key for one in keep(items, 0.99, 1)] == ["a"]


@pytest.mark.parametrize(
    ("depth", "score", "entity", "tier"),
    [
        (0, 0.85, False, "primary"),
        (0, 0.84, False, "secondary"),
        (0, 0.6, True, "primary"),
        (0, 0.59, True, "tertiary"),
        (1, 1.0, True, "secondary"),
        (1, 0.1, False, "secondary"),
        (2, 1.0, True, "tertiary"),
        (3, 1.0, True, "tertiary"),
    ],
)
def test_tiers(depth, score, entity, tier):
    assert classify(depth, score, names_entity=entity) == tier


def test_weights_are_those_of_the_tiers():
    assert weight(evidence("a", 0.5).model_copy(update={"tier": "secondary"})) == pytest.approx(0.35)
