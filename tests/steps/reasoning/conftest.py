"""A question, passages and a model server: what most tests of the reasoning need."""

from __future__ import annotations

import pytest

from rabbithole.steps.models import Anchor, Evidence, Quote, Todo
from rabbithole.steps.reasoning.protocol import Passage

QUESTION = (
    "Welche Grenzwerte der effektiven Dosis gelten für beruflich exponierte Personen, "
    "und unter welchen Voraussetzungen darf davon abgewichen werden?"
)
LIMITS = """§ 12 Grenzwerte für beruflich exponierte Personen
(1) Der Grenzwert der effektiven Dosis beträgt für beruflich exponierte Personen 18 Millisievert im Kalenderjahr. Die \
zuständige Behörde kann im Einzelfall für ein Jahr eine effektive Dosis von 45 Millisievert zulassen, wenn die Person \
zustimmt.
(2) Für Auszubildende beträgt der Grenzwert der effektiven Dosis 2 Millisievert im Kalenderjahr.
(3) Die Abweichung nach Absatz 1 Satz 2 ist nach § 14 zu dokumentieren."""
RECORDS = """§ 14 Aufzeichnungen
(1) Wer eine Abweichung von den Grenzwerten der effektiven Dosis nutzt, hat die Gründe festzuhalten.
(2) Die Aufzeichnungen sind dreißig Jahre lang aufzubewahren und der Behörde auf Verlangen vorzulegen."""
PARKING = """§ 3 Stellplätze
Für jedes Gebäude sind Stellplätze für Fahrräder in ausreichender Zahl vorzuhalten. Die Gemeinde kann durch Satzung \
die Zahl der Stellplätze abweichend festlegen."""


@pytest.fixture
def anchor() -> Anchor:
    return Anchor(query=QUESTION, language="de", concepts=("Grenzwerte", "effektiven Dosis"))


@pytest.fixture
def task() -> Todo:
    return Todo(id=1, text="Ausnahmen und Abweichungen zu „Grenzwerte“ ermitteln.")


@pytest.fixture
def passages() -> tuple[Passage, ...]:
    return (
        Passage(key="e0000001", where="DosG.pdf, § 12 Grenzwerte für beruflich exponierte Personen, p. 4", text=LIMITS),
        Passage(key="e0000002", where="DosG.pdf, § 14 Aufzeichnungen, p. 5", text=RECORDS),
        Passage(key="e0000003", where="BauO.pdf, § 3 Stellplätze, p. 2", text=PARKING),
    )


@pytest.fixture
def evidence() -> tuple[Evidence, ...]:
    def one(key: str, label: str, quote: str, score: float, depth: int = 0) -> Evidence:
        return Evidence(
            key=key,
            task=1,
            document="d",
            file="DosG.pdf",
            title="Dosisgesetz",
            section_label=label,
            start=int(key[1:], 16) * 1000,
            end=int(key[1:], 16) * 1000 + len(quote),
            info=quote,
            quotes=(Quote(text=quote),),
            score=score,
            depth=depth,
        )

    limit = (
        "Der Grenzwert der effektiven Dosis beträgt für beruflich exponierte Personen 18 Millisievert im Kalenderjahr."
    )
    return (
        one("e0000001", "§ 12 Grenzwerte für beruflich exponierte Personen", limit, 0.9),
        one(
            "e0000002",
            "§ 14 Aufzeichnungen",
            "Wer eine Abweichung von den Grenzwerten der effektiven Dosis nutzt, hat die Gründe festzuhalten.",
            0.7,
            depth=1,
        ),
    )
