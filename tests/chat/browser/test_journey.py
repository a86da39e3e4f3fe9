"""From the start screen to a verified citation on a marked page, in both languages, and nothing from another host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from chat.browser.conftest import Opening, Server
from chat.browser.steps import QUESTIONS, finished, past_questions, picture, say_to, status, to_question, unfold_map
from playwright.sync_api import Page, expect

from rabbithole.workflow.chat.documents.pages import letters
from rabbithole.workflow.chat.locales import Language, say

VIEW = (".rh-prose", ".rh-map", ".rh-counters")  # conversation and report, map, counts

UNCOVERED = """() => {
  const tip = document.querySelector('.rh-tip')?.getBoundingClientRect();
  const edge = (name) => document.querySelector(name)?.getBoundingClientRect();
  return tip && tip.top >= edge('#header')?.bottom && tip.bottom <= edge('#message-composer')?.top;
}"""


CENTRE = "node => node.scrollIntoView({block: 'center', behavior: 'instant'})"
# However far that is: the text may have moved since the pointer was placed.
SCROLL_BELOW = """(chip, y) => {
  const scrolls = (box) => /auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight;
  let box = chip;
  while (!scrolls(box)) box = box.parentElement;
  const { top, height } = chip.getBoundingClientRect();
  box.scrollTop += top + height / 2 - y;
}"""
BELOW = "([x, y]) => document.elementFromPoint(x, y)?.matches('.rh-chip')"
REST = 400  # ms, as in public/chips.js


def no_words_by_chance(page: Page) -> None:
    """The words of a citation cover the text only below a pointer that was moved there and rests."""
    chip, tip = page.locator(".rh-chip").first, page.locator(".rh-tip[role=tooltip]")
    page.mouse.move(5, 5)
    expect(tip).to_have_count(0)  # at once when it leaves
    chip.evaluate(CENTRE)
    expect(chip).to_be_in_viewport()
    box = chip.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 60
    page.mouse.move(x, y)
    chip.evaluate(SCROLL_BELOW, y)
    page.wait_for_function(BELOW, arg=[x, y])
    page.wait_for_timeout(2 * REST)
    assert tip.count() == 0
    page.mouse.move(x + 2, y)
    expect(tip).to_be_visible()
    page.mouse.move(5, 5)


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_whole_journey(server: Server, open_tab: Opening, language: Language) -> None:
    tab = open_tab(server.url, "de-DE" if language == "de" else "en-US", dark=language == "en")
    page = tab.page

    # start: what is there, who answers, examples of the collection
    page.wait_for_selector(".rh-example")
    expect(page.locator("h1")).to_have_text(say(language, "start.title"))
    expect(page.locator(".rh-collections")).to_contain_text("Sample")
    expect(page.locator("[data-reasoner=extractive]")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == language
    assert page.locator("html.dark").count() == (language == "en")  # what the browser prefers
    picture(page, f"start-{language}")

    # clarify: what was found, and the questions it raises
    to_question(page, language)
    status(page, language, "waiting")
    round_ = page.locator(".rh-section").filter(has_text=say(language, "rounds.title"))
    expect(round_).to_be_visible()
    expect(round_.locator("details details").nth(2)).to_be_attached()
    page.locator(".rh-ask .rh-option").first.click()
    page.locator(".rh-ask .rh-input").first.fill("für Neubauten" if language == "de" else "in new buildings")
    picture(page, f"clarify-{language}")
    page.click("[id^=answer-]")
    past_questions(page)

    # plan: change, add, reorder, delete, approve
    tasks = page.locator(".rh-plan textarea")
    before = tasks.count()
    page.click("[id^=add-]")
    expect(tasks).to_have_count(before + 1)
    page.keyboard.insert_text("§ 12 IsoLG" if language == "de" else "Section 5 of ILA TR-12")
    page.get_by_label(say(language, "plan.up", n=before + 1), exact=True).click()
    page.get_by_label(say(language, "plan.remove", n=before + 1), exact=True).click()
    expect(tasks).to_have_count(before)
    wanted = [tasks.nth(index).input_value() for index in range(before)]
    picture(page, f"plan-{language}")
    page.click("[id^=approve-]")

    # dig and read
    page.wait_for_selector(".rh-task", state="attached")
    picture(page, f"dig-{language}")
    finished(page)
    shown = page.locator(".rh-task > summary .rh-grow")
    for index, text in enumerate(wanted):
        assert any(text in (shown.nth(at).text_content() or "") for at in range(shown.count())), (index, text)
    unfold_map(page)
    page.locator(".rh-map").evaluate(CENTRE)
    picture(page, f"map-{language}")
    page.locator(".rh-chip").first.evaluate(CENTRE)
    page.locator(".rh-chip").first.hover()
    expect(page.locator(".rh-tip[role=tooltip]")).to_contain_text(say(language, "quote.verified"))
    quote = page.locator(".rh-tip[role=tooltip]").locator("q").inner_text()
    picture(page, f"report-{language}")
    no_words_by_chance(page)

    # wherever the number is, its words are not behind the field
    for block in ("end", "center"):
        page.mouse.move(0, 0)
        page.locator(".rh-chip").first.evaluate("(chip, block) => chip.scrollIntoView({block})", block)
        page.locator(".rh-chip").first.hover()
        page.wait_for_function(UNCOVERED)

    # the page with the quoted words marked: in the text layer, and to be seen
    page.locator(".rh-chip").first.click()
    page.wait_for_selector(".rh-words mark")
    marked = letters("".join(page.locator(".rh-words mark").all_inner_texts()))
    assert letters(quote) in marked or marked in letters(quote)
    assert marked
    colour = page.locator(".rh-words mark").first.evaluate("node => getComputedStyle(node).backgroundColor")
    assert "255, 214, 0" in colour
    expect(page.locator(".rh-sheet img")).to_be_visible()
    assert page.locator(".rh-sheet img").evaluate("image => image.decode().then(() => image.naturalWidth)") > 500
    picture(page, f"page-{language}")

    assert tab.foreign(server) == []
    assert tab.errors == []


def test_exports_follow_up_and_restored_view(at_start: Opening, tmp_path: Path) -> None:
    tab = at_start()
    page = tab.page
    page.wait_for_selector(".rh-example")
    page.locator(".rh-example").first.click()
    finished(page)  # it names its document, and the plan is the question alone: nothing to decide

    unfold_map(page)
    starts = {"md": b"#", "html": b"<!", "pdf": b"%PDF", "docx": b"PK", "json": b"{", "svg": b"<svg"}
    for form, start in starts.items():
        with page.expect_download() as download:
            page.locator(f'a[href$="/export/{form}"]').click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        assert path.read_bytes().lstrip().startswith(start), form
        assert path.suffix == f".{form}"
        if form == "json":
            assert json.loads(path.read_bytes())["citations"]

    # a follow-up question starts another run in the same conversation
    say_to(page, QUESTIONS["en"])
    page.wait_for_selector(".rh-ask")
    expect(page.locator(".rh-progress")).to_have_count(2)
    page.locator("[id^=stop-]").click()
    status(page, "en", "stopped")

    # the same view after a reload: conversation, tasks, map, report
    def seen() -> list[str]:
        page.wait_for_selector(".rh-report .rh-chip")
        page.wait_for_selector(".rh-map svg g")
        return [page.locator(name).first.inner_text() for name in VIEW]

    before = seen()
    page.reload()
    for name, text in zip(VIEW, before, strict=True):
        expect(page.locator(name).first).to_have_text(text, use_inner_text=True)
    page.wait_for_selector(".rh-progress >> nth=1")
    assert tab.errors == []
