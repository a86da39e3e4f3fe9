"""Raised digits and plain ones."""

from __future__ import annotations

import pytest

from rabbithole.kb.notation.raised_digits import plain_digits, raised_digits


@pytest.mark.parametrize(("plain", "raised"), [("12", "¹²"), ("0345", "⁰³⁴⁵"), ("6789", "⁶⁷⁸⁹"), ("a-b", "a-b")])
def test_digits_are_raised_and_lowered(plain: str, raised: str) -> None:
    assert (raised_digits(plain), plain_digits(raised)) == (raised, plain)
