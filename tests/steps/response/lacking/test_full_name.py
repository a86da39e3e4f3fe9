"""What an abbreviation stands for."""

from __future__ import annotations

import pytest

from rabbithole.steps.response.lacking.full_name import full_name


@pytest.mark.parametrize(
    ("name", "text", "full"),
    [
        ("LabO", "Es gilt die Laborordnung (LabO).", "Laborordnung (LabO)"),
        ("LabO", "Nach LabO ist das Tor zu. Es gilt die Laborordnung (LabO).", "Laborordnung (LabO)"),
        (
            "RStPO",
            "Die Grundsätze für Prüfungen (Rahmenstudien- und\n-prüfungsordnung für alle – RStPO – Ba/Ma) gelten.",
            "Rahmenstudien- und -prüfungsordnung für alle (RStPO)",
        ),
        (
            "PraxO",
            "die Regeln der Praxisordnung der Hochschule Berlin (PraxO)",
            "Praxisordnung der Hochschule Berlin (PraxO)",
        ),
        ("KMP", "Keys follow the rules of the Key Management Plan (KMP).", "Key Management Plan (KMP)"),
        ("LabO", "Es gilt die Hausordnung (LabO).", "LabO"),
        ("LabO", "Nach § 2 LabO ist das Tor zu.", "LabO"),
        ("Laborordnung", "Die Ordnung der Labore (Laborordnung) gilt.", "Laborordnung"),
        ("RFC 7120", "Early Allocation (RFC 7120)", "RFC 7120"),
    ],
)
def test_an_abbreviation_is_spelled_out_as_the_text_defines_it(name: str, text: str, full: str) -> None:
    assert full_name(name, text) == full
