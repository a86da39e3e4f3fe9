"""Places in official gazettes, which say where something was published."""

from __future__ import annotations

import pytest

from rabbithole.kb.references.grammar.published import is_gazette
from rabbithole.kb.references.graph.missing import Lack, collect_missing


@pytest.mark.parametrize(
    ("name", "gazette"),
    [
        ("BGBl. I S. 1966", True),
        ("BGBl. 2018 I Nr. 12", True),
        ("ABl. EG Nr. L 189 S. 12", True),
        ("ABl. L 117", True),
        ("BAnz AT 12.03.2020 B1", True),
        ("SächsGVBl. S. 12", True),
        ("AMBl. Labor Nr. 7/20", True),
        ("Amtliche Mitteilungen Nr. 7", True),
        ("Amtliches Mitteilungsblatt der Hochschule für Glas Nr. 17/14", True),
        ("Official Journal L 119", True),
        ("Official Journal of the European Union L 119", True),
        ("OJ L 119, 4.5.2016", True),
        ("84 FR 1234", True),
        ("84 Fed. Reg. 1234", True),
        ("Official Journal Style Guide, Version 2", False),
        ("Federal Register Drafting Handbook 2018", False),
        ("14 CFR 25", False),
        ("Amtsblattgesetz 2013", False),
        ("Bundesberggesetz", False),
        ("RFC 2119", False),
    ],
)
def test_a_place_in_a_gazette(name: str, gazette: bool) -> None:
    assert is_gazette(name) is gazette


def test_gazettes_are_no_missing_works() -> None:
    lacks = [Lack("document", name, "d", "d.pdf") for name in ("ABl. L 117", "Verordnung (EU) 2017/745")]
    assert [one.name for one in collect_missing(lacks)] == ["Verordnung (EU) 2017/745"]
