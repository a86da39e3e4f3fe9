"""Measures the reasoner without a model: does it keep what answers, follow what matters, and lead with the answer?

Run: ``python -m bench.answering.extractive [--kb FOLDER] [--questions N] [--show]``.

On the sample's gold: places kept as evidence; the gate's recall and precision on references whose target is known to be
needed; and gold quotations in the report and in its answer, and whether the answer's first quotation comes from a
needed place.

On the multi-hop development questions (``RABBITHOLE_BENCH_DATA``), each with its gold passages among the twenty that
share most words with it: how many are among the best five by the extraction's relevance, beside the order by shared
words; and the gate on titles that a gold passage names.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.sample.build import sample_folder
from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.protocol import GateCandidate, Passage
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.report_models import Report
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow import ReportReady, ResearchRequest, ResearchWorkflow, SqliteRunStore

SAMPLE = Path(__file__).resolve().parents[2] / "kb" / "sample"
PDFS = sample_folder() / "pdf"
DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", "../shared/data")) / "multihop"
SETS = ("musique", "hotpotqa", "2wiki")
SHOWN, BEST = 20, 5


@dataclass
class Share:
    hit: int = 0
    of: int = 0

    def add(self, hit: int, of: int) -> None:
        self.hit += hit
        self.of += of

    def __str__(self) -> str:
        return f"{self.hit / self.of:.3f} ({self.hit}/{self.of})" if self.of else "-"


def flat(text: str) -> str:
    return " ".join(text.split())


# --- the sample ------------------------------------------------------------------------------------------------------
def sample(kb: KnowledgeBase, folder: Path, *, show: bool) -> None:
    gold = json.loads((SAMPLE / "gold.json").read_text(encoding="utf-8"))["questions"]
    reasoner = ExtractiveReasoner(kb.embed, rarity=kb.rarity)
    files = {document.file: document.id for document in kb.documents()}
    shares = {name: Share() for name in ("kept", "recall", "precision", "report", "answer", "first", "cited")}
    runs = SqliteRunStore(folder / "runs.sqlite")
    for row in gold:
        flow = ResearchWorkflow(kb, ResearchSettings(_env_file=None), reasoner, runs)
        report = asyncio.run(_research(flow, row["question"]))
        chain = [place for place in row["chain"] if place["depth"] <= 2]
        quotes = [flat(place["quote"]) for place in chain]
        needed = {(files[place["file"]], place["section"]) for place in chain}
        kept = [
            flat(kb.text(piece.document, piece.start, piece.end)) for tier in report.evidence.values() for piece in tier
        ]
        shares["kept"].add(sum(any(quote in text for text in kept) for quote in quotes), len(quotes))
        _gated(report, kb, needed, shares)
        body = flat(report.markdown.split("\n## ")[0] + "\n## ".join(report.markdown.split("\n## ")[1:-1]))
        answer = flat(report.markdown.split("\n## ")[1]) if "\n## " in report.markdown else ""
        shares["report"].add(sum(_said(quote, body) for quote in quotes), len(quotes))
        shares["answer"].add(sum(_said(quote, answer) for quote in quotes), len(quotes))
        cited = [_place(kb, report, marker) for marker in re.findall(r"\[\[(\d+)\]\]", answer)]
        shares["first"].add(bool(cited) and cited[0] in needed, 1)
        shares["cited"].add(sum(place in needed for place in cited), len(cited))
        if show:
            print(f"{row['id']}  {answer[:400]}\n")
    runs.close()
    print(f"sample, {len(gold)} questions, places down to depth 2")
    print(f"  places kept as evidence                      {shares['kept']}")
    print(f"  gate, recall: needed places followed         {shares['recall']}")
    print(f"  gate, precision: follows that were needed    {shares['precision']}  (strict: others may help too)")
    print(f"  gold quotations in the report                {shares['report']}")
    print(f"  gold quotations under 'Answer'               {shares['answer']}")
    print(f"  first quotation is from a needed place       {shares['first']}")
    print(f"  quotations under 'Answer' from needed places {shares['cited']}")


async def _research(flow: ResearchWorkflow, question: str) -> Report:
    ready: ReportReady = await flow.run(start_event=ResearchRequest(query=question, auto_approve=True))
    return ready.report


def _said(quote: str, text: str) -> bool:
    """Return whether the words are in a report, ignoring quotation marks, which differ inside quotations."""
    return re.sub(r"[\"„“”‚‘']", "", quote) in re.sub(r"[\"„“”‚‘']", "", text)


def _gated(report: Report, kb: KnowledgeBase, needed: set[tuple[str, str]], shares: Mapping[str, Share]) -> None:
    """Add the gate's recall on needed places it met, and its precision on places it followed."""
    nodes = report.references.nodes
    followed: set[tuple[str, str]] = set()
    skipped: set[tuple[str, str]] = set()
    for edge in report.references.edges:
        node = nodes[edge.target]
        if node.document is None or node.section is None or edge.decision not in ("follow", "skip"):
            continue
        place = (node.document, kb.section_by_id(node.section).number or "")
        (followed if edge.decision == "follow" else skipped).add(place)
    met = needed & (followed | skipped)
    shares["recall"].add(len(met & followed), len(met))
    shares["precision"].add(len(needed & followed), len(followed))


def _place(kb: KnowledgeBase, report: Report, number: str) -> tuple[str, str]:
    citation = next(one for one in report.citations if one.marker == f"[{number}]")
    section = kb.section_by_id(citation.section).number if citation.section else ""
    return citation.document, section or ""


# --- the multi-hop questions -----------------------------------------------------------------------------------------
def multihop(name: str, limit: int) -> None:
    corpus = {row["pid"]: row for row in _rows(DATA / name / "corpus.jsonl")}
    questions = _rows(DATA / name / "questions.jsonl")[:limit]
    stems = {pid: stem_set(f"{row['title']} {row['text']}", "en") for pid, row in corpus.items()}
    counts = Counter(stem for found in stems.values() for stem in found)
    titles = {row["title"]: pid for pid, row in corpus.items() if len(row["title"]) > 4}
    reasoner = ExtractiveReasoner()
    ours, words, recall, precision = Share(), Share(), Share(), Share()
    for row in questions:
        gold = set(row["gold_pids"])
        wanted = stem_set(row["question"], "en")
        near = sorted(stems, key=lambda pid: -sum(1 / counts[stem] for stem in wanted & stems[pid]))
        shown = list(dict.fromkeys([*sorted(gold), *near]))[:SHOWN]
        order = sorted(shown, key=lambda pid: (-sum(1 / counts[stem] for stem in wanted & stems[pid]), pid))
        words.add(len(gold & set(order[:BEST])), len(gold))
        anchor = Anchor(query=row["question"], language="en")
        passages = [Passage(key=pid, where=corpus[pid]["title"], text=corpus[pid]["text"]) for pid in sorted(shown)]
        found = asyncio.run(reasoner.extract(anchor, Todo(id=0, text=row["question"]), passages, references=False))
        best = sorted(found, key=lambda item: (-item.relevance, item.key))[:BEST]
        ours.add(len(gold & {item.key for item in best}), len(gold))
        _titles(reasoner, anchor, corpus, titles, gold, (recall, precision))
    print(
        f"{name:<9} gold among the best {BEST} of {SHOWN}: {ours}, by shared words alone {words};  "
        f"gate recall {recall}, precision {precision}"
    )


def _titles(
    reasoner: ExtractiveReasoner,
    anchor: Anchor,
    corpus: Mapping[str, Any],
    titles: Mapping[str, str],
    gold: set[str],
    shares: tuple[Share, Share],
) -> None:
    """Add the gate's figures for titles that a gold passage names: those of other gold passages should be followed."""
    for pid in sorted(gold):
        text = corpus[pid]["text"]
        # A name must match in whole words and as it is written: 'Rain' is not named in 'terrain'.
        named = {
            title: found.start()
            for title, other in titles.items()
            if other != pid and title in text and (found := re.search(rf"(?<!\w){re.escape(title)}(?!\w)", text))
        }
        candidates = [
            GateCandidate(
                id=titles[title],
                text=title,
                context=text[max(0, at - 200) : at + 200],
                target=corpus[titles[title]]["title"],
                source_score=0.4,
            )
            for title, at in named.items()
        ]
        decided = asyncio.run(reasoner.gate(anchor, Todo(id=0, text=anchor.query), candidates)) if candidates else ()
        followed = {item.id for item in decided if item.follow}
        right = {item.id for item in candidates} & gold
        shares[0].add(len(right & followed), len(right))
        shares[1].add(len(right & followed), len(followed))


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, help="an existing knowledge base of the sample")
    parser.add_argument("--questions", type=int, default=100, help="of each multi-hop set")
    parser.add_argument("--show", action="store_true", help="print how each report begins")
    parser.add_argument("--only", choices=("sample", "multihop"))
    chosen = parser.parse_args(arguments)
    if chosen.only != "multihop":
        with tempfile.TemporaryDirectory() as name:
            place = chosen.kb or Path(name) / "kb"
            with KnowledgeBase.open(place, KbSettings(), create=chosen.kb is None) as kb:
                if chosen.kb is None:
                    kb.ingest([PDFS], "sample")
                sample(kb, Path(name), show=chosen.show)
    if chosen.only != "sample":
        for name in SETS:
            multihop(name, chosen.questions)


if __name__ == "__main__":
    main()
