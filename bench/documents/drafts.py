"""Checks drafts with planted faults: counts faults found and false alarms on right citations.

Run: ``python -m bench.documents.drafts [--drafts 60] [--show]``.

Drafts are made with a fixed seed from sections of laws, RFCs and two fields nothing was tuned for (NIST publications,
statutes of associations and universities): quotations and figures as they are, and the same with a planted fault.
"figure of another item" takes a figure of the same unit from elsewhere in the section, so that the sentence is wrong
although the section contains the figure. The knowledge bases are kept in ``build/drafts``.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from bench.references.detection_sets import DATA
from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.models import Document, Section
from rabbithole.steps.draft_check.check import check_draft
from rabbithole.steps.draft_check.models import OPEN_VERDICTS, Paragraph
from rabbithole.steps.reasoning.text.figures import counted
from rabbithole.steps.reasoning.text.sentences import sentences

SETS = {
    "gesetze": "gesetze/pdf",
    "rfc": "rfc/pdf",
    "nist": "wild/nist/pdf",
    "ordnungen": "wild/ordnungen/pdf",
}
GOAL_FOUND = 0.97
GOAL_ALARMS = 0.02
FAULTS = (
    "wrong number",
    "wrong document",
    "altered quotation",
    "changed figure",
    "figure of another item",
    "invented document",
    "replaced edition",
)
NOT_PLAIN = re.compile(r"[„“”\"\[|]|§|RFC|ection")
PLACED = re.compile(r"(?:[Ss]atz|Nummer|Nr\.|Anlage|Anhang|Teil|Kapitel|Chapter|Buchstabe|Table|Figure|Annex)\w*\s+\d")
NAMED = re.compile(r"\A\W*\d{1,2}[.)]\s|[A-Z]{2,}[ -]?\d")
"""Numbers of list items and of documents ("FIPS 140-validated"), which are no quantities."""
NUMBER = re.compile(r"(?<![\w.,§])\d{1,4}(?![\w.,]*\d)")


class Source(NamedTuple):
    """A sentence of a section, and the citation of that section."""

    document: Document
    section: Section
    sentence: str
    cited: str


class Planted(NamedTuple):
    text: str
    fault: str  # '' for a right citation


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drafts", type=int, default=60)
    parser.add_argument("--show", action="store_true", help="print faults missed and false alarms")
    given = parser.parse_args()
    settings = KbSettings(embedding_model="hash", _env_file=None)
    for name, folder in SETS.items():
        base = Path("build/drafts") / name
        made = base.is_dir()
        with KnowledgeBase.open(base, None if made else settings, create=True) as kb:
            if not made:
                kb.ingest([DATA / folder], name)
            report(name, kb, given.drafts // len(SETS), given.show)


def report(collection: str, kb: KnowledgeBase, drafts: int, show: bool) -> None:
    rng = random.Random(collection)
    sources = list(usable(kb, collection))
    rng.shuffle(sources)
    pool = iter(sources * 5)
    replaced = [each for each in sources if kb.validity_note(each.document.id)]
    sound = [each for each in sources if not kb.validity_note(each.document.id)]
    found, planted, alarms, right, open_right = Counter[str](), Counter[str](), 0, 0, 0
    for number in range(drafts):
        parts = list(draft(rng, kb, pool, sound, replaced))
        paragraphs = [Paragraph(index=index, text=part.text) for index, part in enumerate(parts)]
        checked = check_draft(f"draft {number}", paragraphs, kb, [collection])
        for index, part in enumerate(parts):
            findings = [one for one in checked.findings if one.paragraph == index]
            wrong = [one for one in findings if one.is_wrong]
            if part.fault:
                planted[part.fault] += 1
                hit = bool(wrong) or (
                    part.fault == "invented document" and any(one.verdict in OPEN_VERDICTS for one in findings)
                )
                found[part.fault] += hit
                if show and not hit:
                    print("  missed", part.fault, "|", part.text[:200], [(f.kind, f.verdict) for f in findings])
            else:
                right += 1
                alarms += bool(wrong)
                open_right += not wrong and any(one.verdict in OPEN_VERDICTS for one in findings)
                if show and wrong:
                    print("  alarm |", part.text[:160], [(f.kind, f.verdict, f.detail[:120]) for f in wrong])
    total = sum(planted.values())
    for fault in FAULTS:
        if planted[fault]:
            print(f"{collection:9} {fault:22} {found[fault]:4} of {planted[fault]}")
    print(f"{collection:9} {'faults found':20} {sum(found.values()) / total:.3f} of {total} (goal {GOAL_FOUND})")
    print(
        f"{collection:9} {'false alarms':20} {alarms / right:.3f} of {right} right citations (goal {GOAL_ALARMS}); "
        f"{open_right} more left open"
    )


def draft(
    rng: random.Random, kb: KnowledgeBase, pool: Iterator[Source], sound: list[Source], replaced: list[Source]
) -> Iterator[Planted]:
    """Yield six right citations and one of each fault, in random order."""
    makers: list[Callable[[], Planted | None]] = [lambda: quoted(next_sound(pool, sound)) for _ in range(4)]
    figured = [each for each in sound if with_figure(each)]
    makers += [lambda: stated(rng.choice(figured)) if figured else None for _ in range(2)]
    makers += [
        lambda: wrong_number(next_sound(pool, sound)),
        lambda: wrong_document(rng, sound),
        lambda: altered(rng, next_sound(pool, sound)),
        lambda: changed_figure(rng.choice(figured)) if figured else None,
        lambda: swapped(rng, kb, figured),
        lambda: invented(rng, next_sound(pool, sound)),
        lambda: Planted(quoted(rng.choice(replaced)).text, "replaced edition") if replaced else None,
    ]
    rng.shuffle(makers)
    yield from (made for maker in makers if (made := maker()) is not None)


def next_sound(pool: Iterator[Source], sound: list[Source]) -> Source:
    known = {each.document.id for each in sound}
    return next(each for each in pool if each.document.id in known)


def with_figure(source: Source) -> bool:
    """Return whether a sentence has one plain figure, with its unit, so that a reader would notice a change."""
    pairs, numbers = counted(source.sentence), NUMBER.findall(source.sentence)
    return (
        len(pairs) == 1
        and len(numbers) == 1
        and next(iter(pairs))[0] == numbers[0]
        and not PLACED.search(source.sentence)
        and not NAMED.search(source.sentence)
    )


def quoted(source: Source) -> Planted:
    lead = "Nach" if source.document.language == "de" else "According to"
    marks = "„“" if source.document.language == "de" else "“”"
    verb = "gilt:" if source.document.language == "de" else "it holds that"
    return Planted(f"{lead} {source.cited} {verb} {marks[0]}{source.sentence}{marks[1]}.", "")


def stated(source: Source) -> Planted:
    return Planted(f"{source.sentence.rstrip('.')} ({source.cited}).", "")


def wrong_number(source: Source) -> Planted:
    cited = source.cited.replace(source.section.number.split()[-1], "977", 1)
    return Planted(quoted(source._replace(cited=cited)).text, "wrong number")


def wrong_document(rng: random.Random, sound: list[Source]) -> Planted:
    one = rng.choice(sound)
    other = rng.choice([each for each in sound if each.document.id != one.document.id])
    return Planted(quoted(one._replace(cited=other.cited)).text, "wrong document")


def altered(rng: random.Random, source: Source) -> Planted:
    words = source.sentence.split()
    at = rng.randrange(2, len(words) - 2)
    kind = rng.choice(("drop", "swap", "replace"))
    if kind == "drop":
        words.pop(at)
    elif kind == "swap" and words[at] != words[at + 1]:
        words[at], words[at + 1] = words[at + 1], words[at]
    else:
        words[at] = "niemals" if source.document.language == "de" else "never"
    return Planted(quoted(source._replace(sentence=" ".join(words))).text, "altered quotation")


def changed_figure(source: Source) -> Planted:
    sentence = NUMBER.sub(lambda match: str(int(match[0]) * 3 + 1), source.sentence, count=1)
    return Planted(stated(source._replace(sentence=sentence)).text, "changed figure")


def swapped(rng: random.Random, kb: KnowledgeBase, sources: list[Source]) -> Planted | None:
    """Return the sentence with another number of the same unit from its section, or None if no section has two."""
    for source in rng.sample(sources, len(sources)):
        (own,) = counted(source.sentence)
        text = kb.text(source.document.id, source.section.start, source.section.own_end)
        others = sorted(number for number, unit in counted(text) if unit == own[1] and number != own[0])
        if others:
            sentence = NUMBER.sub(rng.choice(others), source.sentence, count=1)
            return Planted(stated(source._replace(sentence=sentence)).text, "figure of another item")
    return None


def invented(rng: random.Random, source: Source) -> Planted:
    if source.document.language == "de":
        cited = f"§ {rng.randrange(3, 60)} des Quantenfunkschutzgesetzes"
    else:
        cited = f"Section {rng.randrange(2, 9)} of RFC {rng.randrange(19000, 19999)}"
    return Planted(quoted(source._replace(cited=cited)).text, "invented document")


def usable(kb: KnowledgeBase, collection: str) -> Iterator[Source]:
    """Yield the first plain sentence of each section that has a unique number."""
    for document in kb.documents(collection):
        outline = kb.outline(document.id)
        counts = Counter(section.number for section in outline)
        for section in outline:
            cited = citation(document, section)
            if not cited or counts[section.number] > 1:
                continue
            body = kb.text(document.id, section.start, section.own_end).split("\n", 1)[-1]
            for sentence in sentences(body)[:6]:
                plain = re.sub(r"^\(\d+\w?\)\s*", "", " ".join(sentence.text.split()))
                if (
                    10 <= len(plain.split()) <= 40
                    and plain[-1] == "."
                    and not re.search(r"[„“”\"\[|]|§|RFC|ection", plain)
                ):
                    yield Source(document, section, plain, cited)
                    break


def citation(document: Document, section: Section) -> str:
    if re.fullmatch(r"§ \d+\w?", section.number):
        name = next((one for one in document.synonyms if re.fullmatch(r"[A-ZÄÖÜ][\w-]{1,14}", one)), "")
        if name and not document.title.startswith(("Studien", "Prüfungs")):
            return f"{section.number} {name}"
    titled = re.match(r"[A-ZÄÖÜ][\w-]*(?:ordnung|satzung|[Ss]atzung)\b.*", document.title)
    if titled and re.fullmatch(r"§ \d+\w?", section.number):
        return f"{section.number} der {document.title}"
    published = next((one for one in document.synonyms if re.fullmatch(r"(?:NIST SP|FIPS|NISTIR) [\w.-]+", one)), "")
    if published and re.fullmatch(r"\d+(\.\d+)+", section.number):
        return f"Section {section.number} of {published}"
    number = re.match(r"rfc(\d+)", document.file)
    if number and re.fullmatch(r"\d+(\.\d+)*", section.number):
        return f"Section {section.number} of RFC {number[1]}"
    return ""


if __name__ == "__main__":
    main()
