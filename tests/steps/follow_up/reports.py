"""Small reports a follow-up can refer to: two laws, a standard series, papers."""

# ruff: noqa: E501 - a row of the table is a line
from __future__ import annotations

from rabbithole.steps.models import Evidence
from rabbithole.steps.report_models import Citation, Report, ReportAnswer

Point = tuple[str, str, str]
"""Name of the document, label of the section, the words quoted."""


def report(query: str, language: str, points: tuple[Point, ...], run: str = "r") -> Report:
    """A report as it is written without a model: a line that says where, a quotation, its marker."""
    citations, evidence, blocks = [], [], []
    for number, (name, label, quote) in enumerate(points, 1):
        key = f"e{number:08x}"
        shared = {"key": key, "document": name, "file": f"{name}.pdf", "title": f"Title of {name}"}
        citations.append(
            Citation(**shared, marker=f"[{number}]", section_label=label, page=number, page_label=str(number + 1),
                     quote=quote, verified=True)
        )  # fmt: skip
        evidence.append(Evidence(**shared, task=0, short=name, section_label=label, page=number, info=quote))
        blocks.append(f"**{name}, {label}:**\n\n> **{quote}** [[{number}]][s{number}]")
    text = "\n\n".join(blocks)
    return Report(
        run_id=run,
        query=query,
        language=language,  # type: ignore[arg-type]
        markdown=text,
        body=text,
        answer=ReportAnswer(status="answered", text=text, citations=tuple(citations), probability=0.9),
        citations=tuple(citations),
        evidence={"primary": tuple(evidence)},
    )


EMERGENCY = report(
    "Wer muss einen radiologischen Notfall melden?",
    "de",
    (
        ("StrlSchV", "§ 108 Meldung", "Der Strahlenschutzverantwortliche hat den Notfall unverzüglich zu melden."),
        ("StrlSchG", "§ 72 Pflichten", "Der Strahlenschutzbeauftragte teilt Mängel dem Strahlenschutzverantwortlichen mit."),
        ("StrlSchV", "§ 112 Prüfung", "Die Behörde prüft die Meldung."),
    ),
)  # fmt: skip
HOURS = report(
    "Wie lange ist die Arbeitszeit für Erwachsene?",
    "de",
    (("ArbZG", "§ 3 Arbeitszeit", "Die werktägliche Arbeitszeit darf acht Stunden nicht überschreiten."),
     ("ArbZG", "§ 7 Abweichungen", "In einem Tarifvertrag kann zugelassen werden, die Arbeitszeit zu verlängern.")),
)  # fmt: skip
HOLIDAY = report(
    "Wie viele Urlaubstage hat ein Arbeitnehmer?",
    "de",
    (("BUrlG", "§ 3 Dauer", "Der Urlaub beträgt jährlich mindestens 24 Werktage."),),
)
LEAVING = report(
    "Wie kündige ich meine Mitgliedschaft im CCC Mannheim?",
    "de",
    (("Satzung des CCC Mannheim", "§ 5 Beendigung", "Die Austrittserklärung erfordert die Schriftform."),),
)
FILTERS = report(
    "Wie oft sind Iodfilter zu prüfen?",
    "de",
    (("DIN 98412-3", "6.2 Nachweis der Wirksamkeit", "Iodfilter sind jährlich zu prüfen."),
     ("IsoLV", "§ 11 Lüftung", "Die Abluft ist zu filtern."),
     ("DIN 98412-3", "Anhang B Ersatz", "Verbrauchte Einsätze sind zu ersetzen.")),
)  # fmt: skip
PASSWORDS = report(
    "How long must a memorized secret be?",
    "en",
    (("SP 800-63B", "5.1.1.1 Memorized Secret Authenticators", "Memorized secrets SHALL be at least 8 characters in length."),
     ("SP 800-63B", "5.1.1.2 Verifiers", "The verifier SHALL compare the secret against a list of compromised values."),
     ("SP 800-53", "IA-5 Authenticator Management", "Manage system authenticators.")),
)  # fmt: skip
LOGS = report(
    "What must an audit record contain?",
    "en",
    (("SP 800-53", "AU-3 Content of Audit Records", "Audit records contain what type of event occurred and when."),),
)
ATTENTION = report(
    "How do the authors train the transformer?",
    "en",
    (("Attention Is All You Need", "5.3 Optimizer", "We used the Adam optimizer."),
     ("Attention Is All You Need", "5.4 Regularization", "We apply dropout to the output of each sub-layer.")),
)  # fmt: skip
CARBON = report(
    "How does humidity affect the retention of methyl iodide?",
    "en",
    (("Retention of methyl iodide", "4 Results", "Retention fell to 92 % at 95 % relative humidity."),
     ("Ageing of carbon", "3.2 Penetration", "Penetration rose after six years.")),
)  # fmt: skip
REGISTER = report(
    "Was regelt § 14 der GeräteV?",
    "de",
    (("GeräteV", "§ 14 Bestandsverzeichnis", "Der Betreiber hat für alle aktiven Geräte ein Verzeichnis zu führen."),
     ("GeräteV", "§ 19 Ordnungswidrigkeiten", "Ordnungswidrig handelt, wer kein Verzeichnis führt.")),
)  # fmt: skip
SANITISING = report(
    "What does section 4.2 of SP 800-223 say?",
    "en",
    (("SP 800-223", "4.2 Compute Node Sanitization", "Nodes are sanitised between jobs."),
     ("SP 800-223", "3 Threats", "Storage is a target.")),
)  # fmt: skip
