"""A sentence whose figure differs from its source's is never fully supported, with any reasoner."""

from __future__ import annotations

import asyncio

import pytest
from servers.model_server import Behaviour, running
from servers.settings import settings_for

from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.reasoning.protocol import SupportClaim
from rabbithole.steps.reasoning.text.figure_mismatch import CAP, conflicts

DOSE = "Der Grenzwert der effektiven Dosis beträgt für Beschäftigte 18 Millisievert im Kalenderjahr (§ 4 Absatz 2)."
KEPT = "Aufzeichnungen sind zehn Jahre aufzubewahren und auf Verlangen binnen zwei Stunden vorzulegen."
ALARM = "The monitor should raise an alarm at three times the background level, within 30 seconds."


@pytest.mark.parametrize(
    ("sentence", "source", "expected"),
    [
        ("Für Beschäftigte gelten 50 Millisievert.", DOSE, True),
        ("Für Beschäftigte gelten 18 Millisievert.", DOSE, False),
        ("Nach § 12 Absatz 3 gelten 18 Millisievert.", DOSE, False),
        ("Nach KTA 1404 gelten 18 Millisievert.", DOSE, False),
        ("Ein Grenzwert von 18 Millisievert gilt.", DOSE, False),
        ("18 mSv sind erlaubt, in 5 Betrieben.", DOSE, False),
        ("Sie werden 10 Jahre aufbewahrt.", KEPT, False),
        ("Sie werden ein Jahr aufbewahrt.", KEPT, True),
        ("Sie sind binnen zwei Wochen vorzulegen.", KEPT, True),
        ("Sie sind in 2 Stunden vorzulegen.", KEPT, False),
        ("It goes off at a hundred times the level.", ALARM, True),
        ("It goes off at 3 times the level after forty seconds.", ALARM, True),
        ("It goes off at 3 times the level after 30 seconds.", ALARM, False),
        ("Bis 10.000 Bq sind frei.", "Frei sind 10 000 Bq.", False),
        ("Bis 20.000 Bq sind frei.", "Frei sind 10 000 Bq.", True),
        ("Der Anteil ist 7 Prozent.", "Der Anteil beträgt 5 %.", True),
        ("Der Anteil ist 5 %.", "Der Anteil beträgt 5 Prozent.", False),
        ("Zwei Prüfer sind nötig.", "Die Prüfung ist nötig.", False),
        ("", "", False),
    ],
)
def test_another_figure_for_the_same_thing(sentence: str, source: str, expected: bool) -> None:
    assert conflicts(sentence, source) == expected


def test_no_model_vouches_for_a_figure_its_source_gives_otherwise() -> None:
    claims = [
        SupportClaim(sentence=sentence, source=DOSE)
        for sentence in ("Erlaubt sind 50 Millisievert im Jahr.", "Erlaubt sind 18 Millisievert im Jahr.")
    ]

    async def judged(url: str) -> tuple[float, ...]:
        reasoner = make_reasoner(settings_for(url), None)
        try:
            return await reasoner.support(claims)
        finally:
            await reasoner.close()

    with running(Behaviour(fixed_text='{"scores": [100, 100]}')) as server:
        wrong, right = asyncio.run(judged(server.url))
    assert len(server.calls) == 1
    assert wrong == CAP
    assert right == 1.0
