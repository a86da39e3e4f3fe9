import pytest
from flows import settings

from rabbithole.steps.budget import tokens
from rabbithole.steps.models import Analysis, Round
from rabbithole.steps.phases.convergence import conversation_ended, duplicate_ratio


def rounds(count, coverage=0.0, duplicates=0.0, gaps=0):
    analysis = Analysis(coverage=coverage, gaps=tuple(f"g{n}" for n in range(gaps)))
    return [Round(index=n, queries=(), chunks=(), duplicate_ratio=duplicates, analysis=analysis) for n in range(count)]


@pytest.mark.parametrize(
    ("past", "end", "expected"),
    [
        (rounds(1), False, None),
        (rounds(1), True, "user_end"),
        (rounds(5), False, "max_iterations"),
        (rounds(4), False, None),
        (rounds(2, 0.8, 0.7, 2), False, "convergence"),
        (rounds(2, 0.79, 0.7, 2), False, None),
        (rounds(2, 0.8, 0.69, 2), False, None),
        (rounds(2, 0.8, 0.7, 3), False, None),
        (rounds(5, 0.8, 0.7, 2), True, "user_end"),
        ([], False, None),
    ],
)
def test_how_a_conversation_ends(past, end, expected):
    assert conversation_ended(past, settings(), end=end) == expected


@pytest.mark.parametrize(("found", "new", "ratio"), [(9, 9, 0.0), (9, 0, 1.0), (10, 3, 0.7), (0, 0, 1.0)])
def test_duplicate_ratio(found, new, ratio):
    assert duplicate_ratio(found, new) == pytest.approx(ratio)


def test_tokens_are_estimated():
    assert tokens("") == 0
    assert tokens("a") == 1
    assert 250 <= tokens("x" * 1000) <= 330
