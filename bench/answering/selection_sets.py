"""Provides public question sets as knowledge bases, for training and measuring the choice of answers.

Each set is built once in ``build/selection/NAME`` with the encoder of the settings: articles, decisions and rulebooks
are documents, and their passages are sections. The gold of a question is a list of spans in documents.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from rabbithole.kb.ingest.document.chunks import make_chunks
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Section
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.records import IndexedDocument, embedding_text
from rabbithole.steps.reasoning.text.sentences import pieces
from rabbithole.steps.reasoning.text.terms import stem_set

DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", "../shared/data"))
BUILD = Path("build/selection")
WILD = ("nist", "papers", "ordnungen")
QUESTIONS = Path(__file__).parent / "questions"
"""Our own questions on other real PDFs, written from the documents before any answer was seen."""
FOLDERS = {"": "", "short": "short/", "reader": "readers/", "written": "written/"}
"""What the name of a set has behind its collection, as in "nist.reader" -> the folder of its questions."""
OWN = tuple(sorted(one.stem for one in QUESTIONS.glob("*.json")))
FIELDS = (*WILD, *OWN)
SHORT = tuple(sorted(f"{one.stem}.short" for one in (QUESTIONS / "short").glob("*.json")))
"""Questions of a few words, as people type them, on the same collections."""
REAL = (*FIELDS, *SHORT)
"""The sets of real PDFs that are learned from; the sets of one collection are always held out together."""
WRITTEN = tuple(sorted(f"{one.stem}.written" for one in (QUESTIONS / "written").glob("*.json")))
"""Questions written for sections drawn at random, many of them in everyday words, to learn from and to measure search.
They say little of whole answers, because each was written for one section and others may answer as well."""
UNSEEN = (
    *sorted(one.stem for one in (QUESTIONS / "unseen").glob("*.json")),
    *sorted(f"{one.stem}.short" for one in (QUESTIONS / "unseen" / "short").glob("*.json")),
    *sorted(f"{one.stem}.reader" for one in (QUESTIONS / "unseen" / "readers").glob("*.json")),
)
"""Questions that nothing is learned from: on collections of their own, for which SOURCES.md there says where the PDFs
are, and those that readers wrote on any collection."""
PUBLIC = ("xquad_en", "xquad_de", "clapnq", "legalquad", "adgm", "musique")
_DASHES = "\u00ad\u200b\u200c\u200d\ufeff-\u2010\u2011\u2012\u2013\u2014\u2212"
_CHUNK, _OVERLAP = 1200, 100
Span = tuple[str, int, int]


@dataclass(frozen=True)
class Asked:
    """A question with the spans that answer it (any of them suffices); none if the collection has no answer.

    ``group`` keeps related questions on the same side of a split into training and test.
    """

    id: str
    text: str
    language: str
    group: str
    gold: tuple[Span, ...] = ()
    answerable: bool = True
    passage: str = ""
    musts: tuple[tuple[str, ...], ...] = ()
    places: tuple[dict[str, Any], ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Passage:
    heading: str
    text: str
    number: str = ""


def jsonl(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf8") as lines:
        return [json.loads(line) for line in lines]


def document_id(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def record(collection: str, name: str, title: str, language: str, passages: Sequence[Passage]) -> IndexedDocument:
    """Return a document with one page in which every passage is a section."""
    key = document_id(collection, name)
    text, sections = "", []
    for index, one in enumerate(passages):
        start = len(text)
        label = " ".join(part for part in (one.number, one.heading) if part)
        text += f"{label}\n{one.text}\n" if label else f"{one.text}\n"
        sections.append(
            Section(
                id=f"{key}:s{index}", document=key, index=index, level=0, number=one.number, heading=one.heading,
                start=start, own_end=len(text), end=len(text), page=0, last_page=0, page_label="1",
            )
        )  # fmt: skip
    chunks = make_chunks(text, key, sections, (0,), ("1",), _CHUNK, _OVERLAP)
    held = Document(
        id=key, collection=collection, file=f"{key}.pdf", path=f"/{key}.pdf", title=title, language=language, pages=1
    )
    return IndexedDocument(
        document=held, text=text, page_starts=(0,), page_labels=("1",), sections=tuple(sections), chunks=chunks
    )


def collection_of(name: str) -> str:
    """Return the collection that the questions of a set are about."""
    return name.partition(".")[0]


def load(name: str, settings: KbSettings | None = None) -> tuple[KnowledgeBase, tuple[Asked, ...]]:
    """Return the knowledge base of a set, built if it does not exist, and the questions."""
    if name in (*REAL, *WRITTEN, *UNSEEN):
        if (collection := collection_of(name)) in _MAKERS:
            kb = _built(collection, settings)[0]
        else:
            kb = KnowledgeBase.open(Path("build/wild") / collection, settings)
        return kb, tuple(_wild(kb, name))
    return _built(name, settings)


def _built(name: str, settings: KbSettings | None) -> tuple[KnowledgeBase, tuple[Asked, ...]]:
    """Return a public set; its knowledge base is built if there is none."""
    records, asked = _MAKERS[name]()
    folder = BUILD / name
    fresh = not folder.is_dir()
    kb = KnowledgeBase.open(folder, settings, create=True)
    if fresh:
        for start in range(0, len(records), 200):
            some = records[start : start + 200]
            texts = [[embedding_text(one.document.title, chunk) for chunk in one.chunks] for one in some]
            kb.put([(one, kb.embed(text)) for one, text in zip(some, texts, strict=True)])
        kb.store.release()
    return kb, tuple(asked)


Made = tuple[list[IndexedDocument], list[Asked]]


def _xquad(language: str) -> Made:
    rows = jsonl(DATA / "qa" / f"xquad.{language}.jsonl")
    records, asked = [], []
    for group, own in _grouped(rows, "group"):
        passages = list(dict.fromkeys(row["passage"] for row in own))
        made = record(
            "xquad", f"{language}{group}", group.replace("_", " "), language, [Passage("", p) for p in passages]
        )
        records.append(made)
        for row in own:
            start = made.sections[passages.index(row["passage"])].start
            gold = tuple((made.document.id, start + a, start + b) for a, b, _ in row["answers"])
            asked.append(Asked(row["id"], row["question"], language, group, gold, passage=row["passage"]))
    return records, asked


def _clapnq() -> Made:
    records, asked = [], []
    for title, own in _grouped(jsonl(DATA / "qa" / "clapnq.jsonl"), "title"):
        passages = list(dict.fromkeys(row["passage"] for row in own))
        made = record("clapnq", title, title, "en", [Passage("", p.replace("``", '"')) for p in passages])
        records.append(made)
        for row in own:
            at = made.sections[passages.index(row["passage"])].start
            gold, where = [], 0
            for sentence in row["gold"] if row["answerable"] else ():
                words = sentence.replace("``", '"')
                place = made.text.find(words, at)
                if place >= 0:
                    gold.append((made.document.id, place, place + len(words)))
                    where = place
            del where
            asked.append(
                Asked(
                    row["id"],
                    row["question"],
                    "en",
                    title,
                    tuple(gold),
                    bool(row["answerable"] and gold),
                    made.document.id,
                )
            )
    return records, asked


def _legalquad() -> Made:
    records, asked = [], []
    for group, own in _grouped(jsonl(DATA / "qa" / "legalquad.jsonl"), "group"):
        made = record("legalquad", group, group, "de", [Passage("", own[0]["passage"])])
        records.append(made)
        asked += [
            Asked(
                row["id"], row["question"], "de", group, tuple((made.document.id, a, b) for a, b, _ in row["answers"])
            )
            for row in own
        ]
    return records, asked


def _adgm() -> Made:
    """Return the rulebooks; gold are the sentences of the gold passages nearest to the reference answer."""
    folder = DATA / "xrefrag"
    names = json.loads((folder / "documents.json").read_text("utf8"))
    records: list[IndexedDocument] = []
    places: dict[str, tuple[IndexedDocument, int, int]] = {}
    for path in sorted((folder / "adgm").glob("*.json")):
        rows = [row for row in json.loads(path.read_text("utf8")) if row["Passage"].strip()]
        title = max(names[path.stem][1:] or names[path.stem], key=len)
        passages, held = [], []
        for _, own in groupby(rows, key=lambda row: ".".join(row["PassageID"].split(".")[:3])):
            some = list(own)
            heading = some[0]["Passage"].strip() if len(some[0]["Passage"]) < 90 else ""
            body = some[1:] if heading and len(some) > 1 else some
            heading = heading if body is not some else ""
            passages.append(
                Passage(heading, "\n".join(_marks(row["Passage"]) for row in body), some[0]["PassageID"].rstrip("."))
            )
            held.append(body)
        made = record("adgm", path.stem, title, "en", passages)
        records.append(made)
        for section, body in zip(made.sections, held, strict=True):
            at = section.start
            for row in body:
                words = _marks(row["Passage"])
                at = made.text.find(words, at)
                places[row["ID"]] = (made, at, at + len(words))
    asked = []
    for row in jsonl(folder / "adgm_train.jsonl"):
        gold: list[Span] = []
        for source in ("source_passage_id", "target_passage_id"):
            if row[source] in places:
                gold += _answering(*places[row[source]], row["gold_answer"])
        if gold:
            asked.append(Asked(row["item_id"], row["question"], "en", row["source_passage_id"], tuple(gold)))
    return records, asked[::2]


def _cfr() -> Made:
    """Return parts of title 27 of the US Code of Federal Regulations; it has no questions of its own."""
    rows, records = jsonl(DATA / "refs" / "cfr27_sections.jsonl"), []
    for part, own in _grouped(rows, "part"):
        number = part.rsplit("/p", 1)[1]
        passages = []
        for row in own:
            section = f"§ {row['identifier'].rsplit('/s', 1)[1]}"
            passages.append(
                Passage(row["heading"], row["text"].removeprefix(f"{section} {row['heading']}").strip(), section)
            )
        records.append(record("cfr", f"p{number}", f"27 CFR Part {number}", "en", passages))
    return records, []


def _marks(text: str) -> str:
    return text.replace("\u200e", "").replace("\u200f", "").strip()


def _answering(made: IndexedDocument, start: int, end: int, answer: str) -> Iterator[Span]:
    """Yield the sentences of a passage that share most words with an answer."""
    wanted = stem_set(answer, "en")
    scored = []
    for one in pieces(made.text[start:end]):
        own = stem_set(one.text, "en")
        scored.append((len(own & wanted) / (len(own) + 4), one))
    best = max((score for score, _ in scored), default=0.0)
    for score, one in scored:
        if score >= 0.8 * best and best > 0.2:
            yield made.document.id, start + one.start, start + one.end


def _musique() -> Made:
    """Return the single steps of multi-hop questions that can be asked alone, among part of the passages."""
    folder = DATA / "multihop" / "musique"
    steps = [
        (row["id"], step) for row in jsonl(folder / "questions.jsonl") for step in row["decomposition"]
        if "#" not in step["question"] and ">>" not in step["question"]
    ]  # fmt: skip
    wanted = {step["gold_pid"] for _, step in steps}
    corpus = jsonl(folder / "corpus.jsonl")
    kept = [row for index, row in enumerate(corpus) if row["pid"] in wanted or index % 5 == 0]
    records = {
        row["pid"]: record("musique", row["pid"], row["title"], "en", [Passage("", row["text"])]) for row in kept
    }
    asked = []
    for key, step in steps:
        made = records.get(step["gold_pid"])
        at = made.text.find(step["answer"]) if made else -1
        if made and at >= 0:
            gold = ((made.document.id, at, at + len(step["answer"])),)
            asked.append(Asked(f"{key} {step['question']}", f"{step['question']}?", "en", key, gold))
    return list(records.values()), asked


_MAKERS = {
    "xquad_en": lambda: _xquad("en"),
    "xquad_de": lambda: _xquad("de"),
    "clapnq": _clapnq,
    "legalquad": _legalquad,
    "adgm": _adgm,
    "musique": _musique,
    "cfr": _cfr,
}


def _grouped(rows: Iterable[dict[str, Any]], key: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    held: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        held.setdefault(row[key], []).append(row)
    yield from held.items()


# --- fields of real PDFs ----------------------------------------------------------------------------------------------


def _wild(kb: KnowledgeBase, name: str) -> Iterator[Asked]:
    collection, _, kind = name.partition(".")
    file = f"{FOLDERS[kind]}{collection}.json"
    own = (QUESTIONS / file, QUESTIONS / "unseen" / file)
    place = next((one for one in own if one.exists()), DATA / "wild" / name / "gold.json")
    gold = json.loads(place.read_text("utf8"))
    files = {one.file: one.id for one in kb.documents(collection)}
    for row in _askable(gold["questions"], files, name):
        spans = [span for place in row["gold"] if (span := _located(kb, files, place)) is not None]
        yield Asked(
            row["id"], row["question"], row.get("language", gold["language"]), row["id"], tuple(spans),
            bool(row["answerable"]), musts=tuple(map(tuple, row["must"])),
            places=tuple({**place, "document": files.get(place["file"], "")} for place in row["gold"]),
        )  # fmt: skip


def _askable(rows: list[dict[str, Any]], files: Mapping[str, str], name: str) -> list[dict[str, Any]]:
    """Return the questions whose documents are all held; says on standard error how many are left out.

    Asked without its document, a question would count as a wrong answer.
    """
    lacking = sorted({place["file"] for row in rows for place in row["gold"]} - set(files))
    if not lacking:
        return rows
    kept = [row for row in rows if all(place["file"] in files for place in row["gold"])]
    left = len(rows) - len(kept)
    print(f"{name}: {left} of {len(rows)} questions left out, not held: {', '.join(lacking)}", file=sys.stderr)
    return kept


def folded(text: str) -> tuple[str, list[int]]:
    """Return letters and figures in lower case, without white space and dashes, and the offset of each."""
    flat, at = [], []
    for index, character in enumerate(text):
        if character.isspace() or character in _DASHES:
            continue
        for one in unicodedata.normalize("NFKC", character).replace("\u2019", "'").replace("\u2018", "'").lower():
            flat.append(one)
            at.append(index)
    return "".join(flat), at


def _located(kb: KnowledgeBase, files: dict[str, str], place: dict[str, Any]) -> Span | None:
    key = files.get(place["file"])
    if key is None:
        return None
    start, end = kb.page_span(key, place["page"])
    text = kb.text(key, max(0, start - 3000), max(start + 9000, end))
    flat, at = folded(text)
    wanted = folded(place["quote"])[0]
    for length in (len(wanted), 80, 40):
        found = flat.find(wanted[:length])
        if found >= 0:
            low = max(0, start - 3000)
            return key, low + at[found], low + at[min(len(at) - 1, found + len(wanted) - 1)] + 1
    return None


def plain(text: str) -> str:
    """Return a text for comparing words regardless of white space and dashes."""
    return folded(re.sub(r"\s+", " ", text))[0]
