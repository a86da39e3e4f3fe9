"""Phase 5: turn evidence keys into numbered citations that link to the page, and check every quotation.

The writer's Markdown is processed line by line and never trusted: unknown keys are removed and counted, quotations not
found verbatim at the cited place are marked, and headings get no citations.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Model, QuotePlace
from rabbithole.steps.models import Evidence
from rabbithole.steps.phrases import is_own_phrase, phrase
from rabbithole.steps.quoted_words import unescaped
from rabbithole.steps.reasoning.text.citation_markers import (
    KEY,
    MARKER,
    cited_units,
    ends_with_its_key,
    keys_in,
    own_markers_only,
    without_foreign_markers,
)
from rabbithole.steps.reasoning.text.quotations import Quotation, quotations
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.report_models import Citation

from .quoted_places import QuotedPlaces, last_page

LIST_OR_QUOTE = re.compile(r"^(\s*(?:[-*+]|\d+[.)]|>)\s+)")
LABEL = re.compile(r"^\*\*[^*]+\*\*:?\s*$|^\*\*[^*]+:\*\*\s*")
LEAST_SENTENCE_WORDS = 5
_WORD = re.compile(r"[^\W\d_]")


class Claim(Model):
    """A cited sentence of the report: its first marker, its text, and the keys of the evidence it cites."""

    marker: str
    text: str
    keys: tuple[str, ...]
    verbatim: bool = False


class Attributed(Model):
    """A text with numbered citations, and the results of its checks."""

    markdown: str
    citations: tuple[Citation, ...] = ()
    claims: tuple[Claim, ...] = ()
    unknown_keys: int = 0
    unverified: tuple[str, ...] = ()
    uncited: tuple[str, ...] = ()
    quotations: int = 0


class Attributor:
    """Numbers the citations of one report. Texts passed to ``run`` share numbers, counts and lists."""

    def __init__(self, kb: KnowledgeBase, evidence: Mapping[str, Evidence], language: str) -> None:
        self._kb, self._evidence, self._language = kb, evidence, language
        self._places = QuotedPlaces(kb, evidence)
        self._numbers: dict[tuple[str, str | None, int, int | None], int] = {}
        self._citations: list[Citation] = []
        self._claims: list[Claim] = []
        self._unknown = 0
        self._quotations = 0
        self._unverified: list[str] = []
        self._uncited: list[str] = []

    def run(self, markdown: str) -> Attributed:
        fenced = False
        lines: list[str] = []
        for quoted, group in itertools.groupby(
            own_markers_only(markdown).splitlines(), key=lambda line: line.startswith(">")
        ):
            block = list(group)
            if quoted and not fenced and ends_with_its_key(block):
                lines += self._block(block)
                continue
            for line in block:
                if line.lstrip().startswith("```"):
                    fenced = not fenced
                lines.append(line if fenced else self._line(line))
        return Attributed(
            markdown="\n".join(lines).strip() + "\n",
            citations=tuple(self._citations),
            claims=tuple(self._claims),
            unknown_keys=self._unknown,
            unverified=tuple(self._unverified),
            uncited=tuple(self._uncited),
            quotations=self._quotations,
        )

    def _block(self, lines: list[str]) -> list[str]:
        """Check a block quotation that ends with its key; it may be found whole or line by line."""
        bare = [line.removeprefix(">").removeprefix(" ") for line in lines]
        keys = [key for key in keys_in(bare[-1]) if key in self._evidence]
        self._unknown += len(keys_in(bare[-1])) - len(keys)
        indent = bare[-1][: len(bare[-1]) - len(bare[-1].lstrip())]  # of an item below another
        bare[-1] = f"{indent}{MARKER.sub('', f' {bare[-1]}').strip()}".rstrip()
        words = unescaped("\n".join(bare)).strip()
        if not keys or not words:
            return [f"> {line}".rstrip() for line in bare]
        self._quotations += 1
        whole = self._places.find(words, keys)
        hits = [(*whole, words)] if whole else self._places.find_lines(words, keys)
        mark = ""
        if not hits:
            self._unverified.append(words)
            mark = f"{phrase(self._language, 'report.mark.unverified')} "
        numbers = dict.fromkeys(self._number(*hit) for hit in hits) or {self._number(keys[0], None, ""): None}
        marker = " ".join(f"[[{number}]][s{number}]" for number in numbers)
        first = next(iter(numbers))
        self._claims.append(Claim(marker=f"[{first}]", text=words, keys=tuple(keys), verbatim=bool(hits)))
        bare[-1] = f"{bare[-1]} {mark}{marker}".rstrip() if bare[-1] else f"{mark}{marker}"
        return [f"> {line}".rstrip() for line in bare]

    def _line(self, line: str) -> str:
        if line.startswith("#"):
            bare = MARKER.sub("", line)
            self._unknown += sum(key not in self._evidence for key in keys_in(line))
            return bare.rstrip()
        if not line.strip() or set(line.strip()) <= set("|-: "):
            return line
        if line.lstrip().startswith("|"):
            return MARKER.sub(self._cell, line)
        lead = LIST_OR_QUOTE.match(line)
        head, body = (lead.group(1), line[lead.end() :]) if lead else ("", line)
        label = LABEL.match(body)
        if label:
            head, body = head + label.group(0), body[label.end() :]
        if is_own_phrase(self._language, MARKER.sub("", body)):
            return head + MARKER.sub(self._cell, body)  # a phrase about the research: it may cite, but claims nothing
        if head.lstrip().startswith(">"):
            return head + self._text(body, block=True)
        return head + self._text(body, block=False)

    def _cell(self, match: re.Match[str]) -> str:
        """Replace keys by citation numbers in place."""
        keys = re.findall(KEY, match.group(1))
        known = [key for key in dict.fromkeys(keys) if key in self._evidence]
        self._unknown += len(keys) - len(known)
        return "".join(f" [[{number}]][s{number}]" for number in (self._number(key, None, "") for key in known))

    def _text(self, body: str, *, block: bool) -> str:
        pieces = []
        for part in cited_units(body):
            pieces.append(self._unit(part, block=block))
        return "".join(pieces)

    def _unit(self, text: str, *, block: bool) -> str:
        """Check the quotations of one sentence, replace its keys and record its claim."""
        bare = MARKER.sub("", text)
        keys = keys_in(text)
        self._unknown += sum(key not in self._evidence for key in keys)
        known = [key for key in dict.fromkeys(keys) if key in self._evidence]
        bare, removed = without_foreign_markers(bare)
        self._unknown += removed
        quotes = [one for one in quotations(bare) if not one.is_term]
        if block and not quotes and len(bare.split()) >= LEAST_SENTENCE_WORDS:
            quotes = [Quotation(start=0, end=len(bare.rstrip()), text=bare.strip())]
        places: dict[str, list[tuple[QuotePlace, str]]] = {}
        cited = list(known)
        shown, offset = bare, 0
        for quote in quotes:
            self._quotations += 1
            hit = self._places.find(quote.text, known)
            if hit is None:
                self._unverified.append(quote.text)
                mark = " " + phrase(self._language, "report.mark.unverified")
                shown = shown[: quote.end + offset] + mark + shown[quote.end + offset :]
                offset += len(mark)
                continue
            key, place = hit
            places.setdefault(key, []).append((place, quote.text))
            if key not in cited:
                cited.append(key)
        return self._finish(shown, bare, cited, places, quotes)

    def _finish(
        self,
        shown: str,
        bare: str,
        cited: list[str],
        places: Mapping[str, Sequence[tuple[QuotePlace, str]]],
        quotes: list[Quotation],
    ) -> str:
        words = bare.strip()
        ending = shown[len(shown.rstrip()) :]
        if not cited:
            statement = len(words.split()) >= LEAST_SENTENCE_WORDS and not words.endswith(":")
            factual = statement and not is_own_phrase(self._language, words)
            if factual:
                self._uncited.append(words)
                return shown.rstrip() + phrase(self._language, "report.mark.reasoning") + ending
            return shown
        spots: list[tuple[QuotePlace | None, str]]
        numbers = []
        for key in cited:
            spots = [*places.get(key, ())] or [(None, "")]
            numbers += [self._number(key, place, words_there) for place, words_there in spots]
        markers = " ".join(f"[[{number}]][s{number}]" for number in dict.fromkeys(numbers))
        covered = sum(quote.end - quote.start for quote in quotes)
        verbatim = covered >= 0.8 * max(1, len(words)) and len(places) > 0
        if _WORD.search(words) and not is_own_phrase(self._language, words):
            self._claims.append(Claim(marker=f"[{numbers[0]}]", text=words, keys=tuple(cited), verbatim=verbatim))
        return f"{shown.rstrip()} {markers}{ending}"

    def _number(self, key: str, place: QuotePlace | None, quote: str) -> int:
        """Return the number of the citation of this evidence and pages; the same place always has the same number."""
        evidence = self._evidence[key]
        if place is None and evidence.quotes and evidence.quotes[0].place is not None:
            place, quote = evidence.quotes[0].place, evidence.quotes[0].text
        if place is None and not evidence.external:
            quote, place = self._first_sentence(evidence)
        page = place.page if place else evidence.page
        last, last_label = last_page(self._kb, place, quote) if place else (None, "")
        identity = (evidence.document or evidence.external, evidence.section, page, last)
        if identity not in self._numbers:
            self._numbers[identity] = len(self._numbers) + 1
            self._citations.append(
                Citation(
                    marker=f"[{self._numbers[identity]}]",
                    key=key,
                    document=evidence.document,
                    file=evidence.file,
                    title=evidence.title,
                    section=evidence.section,
                    section_label=evidence.section_label,
                    page=page,
                    page_label=place.page_label if place else evidence.page_label,
                    last_page=last,
                    last_page_label=last_label,
                    quote=" ".join(quote.split()),
                    verified=place is not None,
                    tier=evidence.tier,
                    depth=evidence.depth,
                    external=evidence.external,
                )
            )
        return self._numbers[identity]

    def _first_sentence(self, evidence: Evidence) -> tuple[str, QuotePlace | None]:
        text = self._kb.text(evidence.document, evidence.start, evidence.end)
        for sentence in sentences(text):
            if len(sentence.text.split()) >= LEAST_SENTENCE_WORDS:
                return sentence.text, self._kb.find_quote(evidence.document, sentence.text, page=None)
        return "", None
