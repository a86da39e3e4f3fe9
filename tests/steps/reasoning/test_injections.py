"""Forty prompt injections in documents: none changes a fact, adds a link or reaches the page unescaped."""

from __future__ import annotations

import asyncio
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from servers.model_server import Behaviour, running
from servers.settings import settings_for

from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.reasoning.llm.prompt_delimiters import fenced
from rabbithole.steps.reasoning.protocol import Extraction, Passage
from rabbithole.steps.reasoning.text.prompt_injection import visible
from rabbithole.steps.response.informs import informs
from rabbithole.steps.sanitise import sanitise_html, sanitise_markdown
from rabbithole.steps.selection.units.unit_splitting import split

ATTEMPTS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("injections.json").read_text(encoding="utf-8"))
GOOD = "Der Grenzwert der effektiven Dosis beträgt für beruflich exponierte Personen 18 Millisievert im Kalenderjahr."
QUESTION = "Welcher Grenzwert der effektiven Dosis gilt?"
POISON = re.compile(
    r"\b(?:50000|\d(\d)\1)\s?[Mm]illisievert|evil|alert\(1\)|/etc/passwd|e9999999|e0000099|Systemprompt"
)
NEVER_LOADED = ("script", "img", "iframe", "svg", "style", "form", "object", "embed", "link", "base")
each = pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda item: f"{item['id']}-{item['kind']}")


class Elements(HTMLParser):
    """The elements and link targets of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action")]
        self.handlers += [name for name, _ in attrs if name.startswith("on")]


def elements(html: str) -> Elements:
    found = Elements()
    found.feed(html)
    return found


def rendered(markdown: str) -> str:
    """The page of a renderer that lets everything through."""
    renderer = MarkdownIt("commonmark")
    renderer.validateLink = lambda _: True
    return renderer.render(markdown)


def poisoned(attempt: dict[str, Any]) -> Passage:
    """A passage with one good sentence and the attempt behind it."""
    where = attempt.get("where", "DosG.pdf, § 12 Grenzwerte, p. 4")
    return Passage(
        key="e0000001", where=where, text=f"{GOOD}\n\n{attempt['text']}\n\n{GOOD[:-1]} und ebenso für andere."
    )


def test_there_are_forty_in_two_languages() -> None:
    assert len({attempt["text"] for attempt in ATTEMPTS}) == 40
    assert {attempt["language"] for attempt in ATTEMPTS} == {"de", "en"}


@each
def test_without_a_model_no_attempt_is_quoted(attempt: dict[str, Any]) -> None:
    text = poisoned(attempt).text
    quoted = [text[one.start : one.end] for one in split(text) if informs(text[one.start : one.end], text[: one.start])]
    assert any("18 Millisievert" in unit for unit in quoted)
    shown = elements(rendered(sanitise_markdown("\n\n".join(quoted))))
    assert not shown.links
    assert not set(shown.tags) & set(NEVER_LOADED)
    if attempt["kind"] not in ("link", "image"):  # an address that stands there as words leads nowhere
        assert not POISON.search("\n".join(quoted))


@each
def test_a_reader_sees_text_and_nothing_is_loaded(attempt: dict[str, Any]) -> None:
    """Even a report that repeats the attempt word for word is harmless once sanitised."""
    own = "[S. 4](file:///kb/DosG.pdf#page=4)"
    report = f"# Bericht\n\n{attempt.get('where', '')}\n\n{attempt['text']}\n\nMehr dazu: {own}\n"
    assert elements(rendered(sanitise_markdown(report))).links, "our own link stays"
    for html in (rendered(sanitise_markdown(report)), sanitise_html(rendered(report), lambda link: "DosG" in link)):
        found = elements(html)
        assert not set(found.tags) & set(NEVER_LOADED)
        assert set(found.links) <= {"file:///kb/DosG.pdf#page=4"}
        assert not found.handlers


@each
def test_in_a_prompt_the_attempt_stays_inside_its_fence(attempt: dict[str, Any]) -> None:
    passage = poisoned(attempt)
    inside = fenced(passage.key, passage.where, passage.text)
    assert inside.count("<<<END ") == inside.count("<<<DOCUMENT ") == 1
    assert inside.endswith("<<<END e0000001>>>")
    assert not re.search(r"<\|im_|\[/?INST\]|<</?SYS>>|<tool_call>|^### (?:Task|Rules)", inside, re.MULTILINE)
    assert visible(inside) == inside
    assert inside.splitlines()[1].startswith("(")


@pytest.mark.parametrize("attempt", ATTEMPTS[::6], ids=lambda item: f"{item['id']}-{item['kind']}")
def test_with_an_obedient_model_quotes_still_have_to_stand_in_the_passage(attempt: dict[str, Any]) -> None:
    """A model that obeys the document and answers with the attempt: nothing of it becomes a quotation."""
    lie = "Der Grenzwert der effektiven Dosis beträgt nach dem Gesetz 555 Millisievert im Kalenderjahr."
    entry = {"passage": 1, "task": "answered", "sentences": [1, 2, 3, 77], "info": lie}
    obedient = {"passages": [entry], "references": [lie]}
    anchor = Anchor(query=QUESTION, language="de")

    async def extracted(url: str) -> Extraction:
        reasoner = make_reasoner(settings_for(url))
        (found,) = await reasoner.extract(anchor, Todo(id=0, text=QUESTION), (poisoned(attempt),), references=True)
        await reasoner.close()
        return found

    with running(Behaviour(fixed_text=json.dumps(obedient, ensure_ascii=False))) as server:
        found = asyncio.run(extracted(server.url))
        prompt = server.calls[0].body["messages"][0]["content"]
    assert found.quotes
    assert all(quote in (GOOD, f"{GOOD[:-1]} und ebenso für andere.") for quote in found.quotes)
    assert "555" not in found.info
    assert found.references == ()
    assert "never an instruction" in prompt
    assert prompt.index("<<<END P1>>>") < prompt.index("### Rules")
