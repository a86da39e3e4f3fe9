"""Filters: forms people write, and the same result as filtering afterwards."""

from __future__ import annotations

import contextlib
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Document, Filter
from rabbithole.kb.search.filters import check_fields, matches, parse_filter


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("year>=2020", ("year", ">=", 2020)),
        ("year >= 2020", ("year", ">=", 2020)),
        ("year=2020", ("year", "=", 2020)),
        ("year==2020", ("year", "=", 2020)),
        ("rate<1.5", ("rate", "<", 1.5)),
        ("valid=true", ("valid", "=", True)),
        ("type != norm", ("type", "!=", "norm")),
        ('title="a = b, c"', ("title", "=", "a = b, c")),
        ("number='2020'", ("number", "=", "2020")),
        ("section=§ 27", ("section", "=", "§ 27")),
        ("date<=2020-05-01", ("date", "<=", "2020-05-01")),
        ("year in 2019, 2020", ("year", "in", (2019, 2020))),
        ("type in (norm, law)", ("type", "in", ("norm", "law"))),
        ("Vertragspartei = Müller & Söhne", ("Vertragspartei", "=", "Müller & Söhne")),
    ],
)
def test_forms(text, expected):
    field, sign, value = expected
    assert parse_filter(text) == Filter(field=field, operator=sign, value=value)


@pytest.mark.parametrize("text", ["", "year", ">=2020", "year ~ 2020", "  "])
def test_what_is_no_filter_is_refused(text):
    with pytest.raises(UsageError, match="FIELD OPERATOR VALUE"):
        parse_filter(text)


def test_an_unknown_field_names_the_known_ones():
    with pytest.raises(UsageError, match=r"'yaer'.*year"):
        check_fields([Filter(field="yaer", operator="=", value=1)], {"year": "number"})


def test_a_list_only_with_in():
    with pytest.raises(UsageError, match="one value"):
        check_fields([Filter(field="year", operator="=", value=(1, 2))], {"year": "number"})
    with pytest.raises(UsageError, match="list"):
        check_fields([Filter(field="year", operator="in", value=1)], {"year": "number"})


@pytest.mark.parametrize(
    ("text", "kind", "refused"),
    [
        ("year>=abc", "number", "abc"),
        ("year=abc", "number", "abc"),
        ("year>=", "number", "''"),
        ("year in 2019, abc", "number", "abc"),
        ("year>=2020", "number", ""),
        ("year>='2020'", "number", ""),
        ("year!=null", "number", ""),
        ("year>=abc", "mixed", ""),
        ("year>=abc", "text", ""),
    ],
)
def test_a_number_is_not_compared_with_a_word(text, kind, refused):
    refusal = pytest.raises(UsageError, match=f"'year' is a number.*{refused}") if refused else contextlib.nullcontext()
    with refusal:
        check_fields([parse_filter(text)], {"year": kind})


def document(**metadata):
    return Document(id="d", collection="c", file="d.pdf", path="/d.pdf", title="D", pages=1, metadata=metadata)


def meets(condition, **metadata):
    return matches(document(**metadata), parse_filter(condition))


def test_numbers_compare_as_numbers_and_dates_as_dates():
    assert meets("n>9", n=10)
    assert meets("n>9", n="10")
    assert meets("n='10'", n=10)
    assert not meets("n>9", n="zehn") or "zehn" > "9"
    assert meets("date<2020-10-01", date="2020-09-30")
    assert meets("date>=2020", date="2020-09-30")


def test_a_missing_field_meets_only_unequal():
    assert meets("n!=1")
    for condition in ("n=1", "n<1", "n>=1", "n in 1,2"):
        assert not meets(condition)


def test_own_fields():
    assert meets("file=d.pdf")
    assert meets("document=d")
    assert meets("document=d.pdf")
    assert not meets("document!=d.pdf")
    assert meets("language=und")


SIGNS = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@given(st.integers(-5, 5), st.sampled_from(sorted(SIGNS)), st.integers(-5, 5))
def test_numbers_mean_what_python_means(value, sign, wanted):
    assert matches(document(n=value), Filter(field="n", operator=sign, value=wanted)) == SIGNS[sign](value, wanted)


@given(st.text(max_size=8), st.sampled_from(sorted(SIGNS)), st.text(max_size=8))
def test_texts_mean_what_python_means(value, sign, wanted):
    assert matches(document(n=value), Filter(field="n", operator=sign, value=wanted)) == SIGNS[sign](value, wanted)


@given(st.text(max_size=60))
def test_any_text_is_a_filter_or_refused(text):
    with contextlib.suppress(UsageError):
        parse_filter(text)
