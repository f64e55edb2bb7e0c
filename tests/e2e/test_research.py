"""Research of gold passages in a real browser: two people search and mark, and who settles."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.work.submissions import complete
from storage.projects import find_project
from storage.tasks import Task
from tests.e2e.people import SLOW, come_in, require_sound, saved
from tests.e2e.ready import running_app
from tests.projects.research_project import HOSTILE, RULE, SLUG, TEXT, build

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
SELECT = """(box, words) => {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  const text = nodes.map((node) => node.data).join("");
  const at = text.indexOf(words);
  const place = (offset) => {
    for (const node of nodes) {
      if (offset <= node.data.length) return [node, offset];
      offset -= node.data.length;
    }
  };
  getSelection().setBaseAndExtent(...place(at), ...place(at + words.length));
  box.dispatchEvent(new MouseEvent("mouseup", { bubbles: true }));
}"""


def sit_down(page: Page, address: str, name: str, screen: str = "research") -> None:
    page.context.clear_cookies()
    come_in(page, f"{address}/?project={SLUG}", f"{name} ·", screen)


def ask(page: Page, query: str) -> None:
    page.get_by_test_id("query").fill(query)
    page.get_by_test_id("query").press("Enter")


def mark(page: Page, words: str) -> None:
    page.get_by_test_id("authority").evaluate(SELECT, words)
    expect(page.get_by_test_id("mark")).to_be_enabled()
    page.keyboard.press("e")


def test_two_people_find_passages_and_an_adjudicator_settles(page: Page, tmp_path: Path) -> None:
    house = build(tmp_path / "research")
    with running_app(house.ws.folder) as address:
        sit_down(page, address, "Ann")
        expect(page.get_by_test_id("choices")).to_contain_text(HOSTILE, timeout=SLOW)
        ask(page, "관계인 /s")
        expect(page.get_by_role("alert").first).to_contain_text("character 5", timeout=SLOW)
        ask(page, "관계인 /s 선임! % 피고인")
        found = page.get_by_test_id("found-statutes")
        expect(found).to_contain_text("1 of 2 provisions", timeout=SLOW)
        expect(found.locator("mark").first).to_be_visible()
        found.get_by_test_id("hit").click()
        expect(page.get_by_test_id("authority")).to_contain_text(RULE, timeout=SLOW)
        mark(page, RULE)
        expect(page.get_by_test_id("passage")).to_contain_text(RULE)
        page.get_by_test_id("rule").fill("관계인이 소방안전관리자를 선임한다.")
        page.get_by_test_id("outcome-found").click()
        saved(page)
        page.get_by_test_id("submit").click()
        sit_down(page, address, "Ben")
        expect(page.get_by_test_id("query")).to_be_visible(timeout=SLOW)
        expect(page.get_by_test_id("passage")).to_have_count(0)
        expect(page.get_by_test_id("rule")).to_have_value("")
        expect(page.get_by_test_id("history").locator("li")).to_have_count(0)
        page.keyboard.press("Control+Enter")
        missed = page.get_by_test_id("ask-outcome").get_by_test_id("missed")
        expect(missed).to_contain_text("whether a passage was found", timeout=SLOW)
        expect(page.get_by_test_id("ask-outcome")).to_be_focused()
        page.get_by_test_id("outcome-none").click()
        expect(missed).to_be_hidden()
        saved(page)
        page.get_by_test_id("submit").click()
        sit_down(page, address, "Cho", "adjudication")
        expect(page.get_by_text(RULE).first).to_be_visible(timeout=SLOW)
        page.get_by_role("button", name="Take this side").first.click()
        page.get_by_role("textbox", name="Reason (required)").fill("It says who appoints.")
        page.get_by_role("textbox", name="Reason (required)").press("Tab")
        page.get_by_role("button", name="Decide and go on").click()
        expect(page.get_by_text("q1 is decided.")).to_be_visible(timeout=SLOW)
    with house.ws.reading() as session:
        project = find_project(session, SLUG).id
        (said,) = complete(session, project, Task.RESEARCH).values()
    answers = said[0].answers
    assert [each["step"] for each in answers["trail"]] == ["query", "open"]
    (passage,) = answers["passages"]
    assert TEXT[passage["start"] : passage["end"]] == passage["quote"] == RULE
    require_sound(house.ws)
