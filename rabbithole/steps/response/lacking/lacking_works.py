"""Finds documents not held to which the closest passages leave what is asked, or that the question names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Place, Resolution
from rabbithole.kb.references.detection.amendment import only_amends
from rabbithole.kb.references.grammar.published import is_gazette
from rabbithole.kb.references.graph.missing import missing_kind
from rabbithole.kb.references.names.name_keys import NameKey, name_key
from rabbithole.steps.models import Evidence
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.reasoning.text.similarity import coverage
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.reasoning.text.topic_terms import wanted
from rabbithole.steps.response.caveat import caveat
from rabbithole.steps.response.models import Block, QuotedPassage
from rabbithole.steps.selection.matching import Matcher

from .full_name import full_name
from .leaves_to import leaves_to

MOST = 3
READ = 8
"""Most passages read, the best first, of which the references are looked at."""
NEARLY = 0.8
"""Least probability of a passage that is among the closest, as a share of the best one's."""
ABOUT = 0.5
"""Least share of the question's words in the sentence that leaves the matter to a document."""
_POINTER = 12
"""Maximum number of words of a sentence that only says where to look: 'See RFC 20 for details.'"""
_NAMED = 0.75
_FIRST, _ALIKE, _SHARED = 0.1, 0.75, 0.25
"""Rank of what the passage quoted first names, and the least share of its name's words that are kin to the question's.

The title of a paper is long, and has one of them by chance.
"""
_KIND = re.compile(
    r"\b(?:\w*(?:gesetz(?:buch)?|verordnung|ordnung|richtlinie|satzung|act|standard)e?[ns]?|"
    r"laws?|regulations?|directives?|rules?|guidelines?)\b",
    re.IGNORECASE,
)
"""What kind of document a name is of, which says nothing on what it is about."""
_ANSWERS = ("", "response.likely")
"""What is said above passages that answer, or probably do."""
_BEFORE = 200
_COMMON = 0.05
_LONGEST_SUBJECT = 2
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_BRACKETED = re.compile(r"(?P<name>[^()]+)\((?P<short>[^()]+)\)")
_SPELLED_OUT = re.compile(
    r"(?:[(.;:]|\b(?:der|die|das|des|dem|den|the))\s*(?P<name>[A-ZÄÖÜ][^().;:]{5,120}?)\s?[(–]\s?\Z"
)
_SHORT = re.compile(r"\w*[A-ZÄÖÜ]\w*[A-ZÄÖÜ\d]\w*")


class Lacking(NamedTuple):
    """A document that is not held: its name, the sentence that leaves the matter to it if one does, and other names."""

    name: str
    matter: str = ""
    others: tuple[str, ...] = ()


def lacking_works(
    kb: KnowledgeBase,
    question: str,
    language: str,
    blocks: Sequence[Block],
    read: Sequence[Evidence] = (),
    collections: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return the names of at most three documents, those first that the question names; () if everything is answered.

    Documents count to which the answering sentence of one of the closest passages in ``blocks`` without an answer
    leaves what is asked, and those that the passage quoted first names with a word of the question; of all others that
    these passages or those ``read`` refer to, only what the question names. Abbreviations are spelled out.
    """
    declined = [block for block in blocks if caveat(block) not in _ANSWERS]
    if not declined:
        return ()
    asked = dict(wanted(question, language))
    rarity = {stem: max(kb.rarity(stem, language), _COMMON) for stem in asked}
    found: dict[NameKey, tuple[float, str]] = {}

    def take(one: Lacking, share: float) -> None:
        key = name_key(one.name) or (one.name,)
        if share > found.get(key, (0.0, ""))[0]:
            found[key] = share, one.name

    def share(text: str) -> float:
        return coverage(asked, stem_set(text, language), rarity)

    figures = set(_FIGURE.findall(question))
    for passage in (one for block in declined for one in _closest(block)):
        most = max((share(one.text) for one in sentences(passage.text)), default=0.0)
        for one in _referred_to(kb, passage.evidence, passage.start, passage.end, collections):
            about = share(one.matter)
            answers = about >= max(ABOUT, most) and figures <= set(_FIGURE.findall(one.matter))
            take(one, (about if answers else 0.0) + named(one, asked, language))
    matcher = Matcher(dict.fromkeys(asked, 1.0))
    for first in (block.passages[0] for block in declined if block.passages):
        for one in _referred_to(kb, first.evidence, first.start, first.end, collections):
            own = stem_set(_KIND.sub("", one.name), language)
            shared = [stem for stem in own if max(matcher.strengths((stem,)).values(), default=0.0) >= _ALIKE]
            take(one, _FIRST if shared and len(shared) >= _SHARED * len(own) else 0.0)
    best_read = sorted((item for item in read if not item.external), key=lambda item: -item.score)[:READ]
    for item in best_read:
        for one in _referred_to(kb, item, item.start, item.end, collections):
            take(one, float(named(one, asked, language)))
    best = sorted(found.values(), key=lambda one: -one[0])
    documents = dict.fromkeys(
        (*(one.evidence.document for block in declined for one in block.passages), *(one.document for one in best_read))
    )
    return tuple(_spelled_out(kb, name, documents) for _, name in best[:MOST])


def _spelled_out(kb: KnowledgeBase, name: str, documents: Iterable[str]) -> str:
    """Return the full name of an abbreviation as the first of these documents that does defines it."""
    return next((full for one in documents if (full := full_name(name, kb.text(one))) != name), name)


def named(one: Lacking, asked: Collection[str], language: str) -> bool:
    """Return whether a question with the stems ``asked`` names the document: it has most words of one of its names.

    A single word counts only if it can be nothing but a name: an abbreviation or the subject a title begins with.
    """
    for at, name in enumerate((one.name, *one.others)):
        stems = stem_set(name, language)
        alone = len(stems) == 1 and not (at or _SHORT.fullmatch(name))
        if stems and not alone and len(stems & set(asked)) >= _NAMED * len(stems):
            return True
    return False


def _closest(block: Block) -> Iterator[QuotedPassage]:
    least = NEARLY * max((one.probability for one in block.passages), default=0.0)
    return (one for one in block.passages if one.probability >= least)


def _referred_to(
    kb: KnowledgeBase, item: Evidence, start: int, end: int, collections: Sequence[str]
) -> Iterator[Lacking]:
    text = kb.text(item.document)
    for reference in kb.references(item.document, start, end):
        at = Place(document=item.document, section=item.section, offset=reference.start)
        found = kb.resolve(reference, at=at, collections=collections)
        kind = missing_kind(reference, found)
        if kind in (None, "section") or is_gazette(found.name) or only_amends(text, reference.start, reference.end):
            continue
        name, others = _names(kb, item.document, found)
        before = _SPELLED_OUT.search(text[max(0, reference.start - _BEFORE) : reference.start])
        spelled = (" ".join(before["name"].split()),) if before and len(before["name"].split()) > 1 else ()
        yield Lacking(
            name, left_matter(text[start:end], reference.start - start, reference.end - start), (*others, *spelled)
        )


def left_matter(text: str, start: int, end: int) -> str:
    """Return the sentence of a passage that leaves what it says to the document named at ``start:end``, or ''.

    One that only says where to look is returned with the one before: 'Values lapse. See [RFC7120].'
    """
    every = sentences(text)
    at = next((index for index, one in enumerate(every) if one.start <= start < one.end), None)
    if at is None or not leaves_to(every[at].text, start - every[at].start, end - every[at].start):
        return ""
    pointer = at > 0 and len(every[at].text.split()) <= _POINTER
    return f"{every[at - 1].text} {every[at].text}" if pointer else every[at].text


def _names(kb: KnowledgeBase, document: str, found: Resolution) -> tuple[str, tuple[str, ...]]:
    """Return what a missing work is called, and other names: of an entry its title and the subject it begins with."""
    entry = next((one for one in kb.bibliography(document) if one.text == found.name and one.title), None)
    if entry is not None:
        subject, colon, _ = entry.title.partition(":")
        return entry.title, (subject,) if colon and len(subject.split()) <= _LONGEST_SUBJECT else ()
    whole = _BRACKETED.match(found.name)
    return found.name, (whole["name"].strip(), whole["short"].strip()) if whole else ()
