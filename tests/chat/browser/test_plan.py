"""Before the research starts: answers that can be changed, and a plan put in order by dragging and by keys."""

from __future__ import annotations

from chat.browser.conftest import PHONE, Opening
from chat.browser.steps import answers, finished, fits, parts_of, past_questions, picture, to_plan, to_question
from playwright.sync_api import expect

from rabbithole.workflow.chat.locales import say


def test_an_answer_is_seen_and_changed_before_the_plan_is_approved(at_start: Opening) -> None:
    tab = at_start("de-DE", size=(1280, 720))
    page = tab.page
    run = to_question(page, "de")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    fits(page, PHONE[0])
    page.set_viewport_size({"width": 1280, "height": 720})
    option = page.locator(".rh-ask .rh-option").first
    option.click()
    chosen = [option.inner_text()]
    own = page.locator(".rh-ask .rh-input").first
    own.fill("nur für Neubauten")
    page.click("[id^=answer-]")
    past_questions(page)

    said = page.locator(".rh-said")
    expect(said).to_contain_text("; ".join([*chosen, "nur für Neubauten"]))
    picture(page, "plan-said-de")
    page.get_by_role("button", name=say("de", "said.change.of", n=1), exact=True).click()

    # the first questions again, filled in as they were
    expect(page.locator(".rh-plan")).to_have_count(0)
    expect(own).to_have_value("nur für Neubauten")
    assert page.locator(".rh-ask :checked").count() == len(chosen)
    picture(page, "question-again-de")
    own.fill("nur für Altbauten")
    page.reload()
    expect(own).to_have_value("nur für Altbauten")
    page.click("[id^=answer-]")
    past_questions(page)
    expect(said).to_contain_text("nur für Altbauten")
    assert all("Neubauten" not in text for text in answers(parts_of(page, run)))

    # back, and forth without a change
    page.click("[id^=back-]")
    page.click("[id^=end-]")
    page.wait_for_selector(".rh-plan")
    page.click("[id^=approve-]")
    finished(page)
    assert tab.errors == []


def test_tasks_are_put_in_order_and_taken_back(at_start: Opening) -> None:
    tab = at_start()
    page = tab.page
    to_question(page)
    to_plan(page)
    tasks = page.locator(".rh-plan textarea")

    def order() -> list[str]:
        return [tasks.nth(at).input_value() for at in range(tasks.count())]

    for text in ("one more task", "the last task"):
        page.click("[id^=add-]")
        page.keyboard.insert_text(text)
    before = order()
    assert len(before) >= 3

    # by dragging the last above the first, both in sight: scrolling in the middle of a drag may drop it
    page.set_viewport_size({"width": 1280, "height": 1400})
    page.locator(".rh-grip").last.drag_to(page.locator(".rh-plan li").first)
    expect(tasks.first).to_have_value("the last task")
    assert order() == [before[-1], *before[:-1]]

    # by keys: down again, and the focus goes along
    tasks.first.focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(tasks.nth(1)).to_have_value("the last task")
    expect(tasks.nth(1)).to_be_focused()
    page.get_by_label(say("en", "plan.up", n=2), exact=True).press("Enter")
    expect(tasks.first).to_have_value("the last task")
    expect(tasks.first).to_be_focused()

    # what was removed comes back where it was, also twice
    ordered = order()
    for _ in range(2):
        page.get_by_label(say("en", "plan.remove", n=1), exact=True).click()
    expect(tasks).to_have_count(len(ordered) - 2)
    for count in (len(ordered) - 1, len(ordered)):
        page.click("[id^=undo-]")
        expect(tasks).to_have_count(count)
    assert order() == ordered
    expect(page.locator("[id^=undo-]")).to_have_count(0)
    assert tab.errors == []
