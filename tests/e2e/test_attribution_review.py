"""Attribution review in a real browser: two people by keyboard, then whoever settles."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.attribution.form import DISPUTES
from annotation.work.submissions import complete
from storage.projects import find_project
from storage.tasks import Task
from tests.e2e.people import SLOW, come_in, fill_in, require_sound, saved
from tests.e2e.ready import running_app
from tests.projects.attribution_review_project import (
    CLAIMS,
    HOSTILE,
    JUDGE,
    SAID,
    SLUG,
    SYSTEM,
    build,
)

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


def sit_down(page: Page, address: str, name: str, screen: str = "attribution_review") -> None:
    page.context.clear_cookies()
    come_in(page, f"{address}/?project={SLUG}", f"{name} ·", screen)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        saved(page)


def test_two_people_review_claims_by_keyboard_and_an_adjudicator_settles(
    page: Page, tmp_path: Path
) -> None:
    house = build(tmp_path / "attribution", answers=1)
    (item,) = house.items
    with running_app(house.ws.folder) as address:
        sit_down(page, address, "Ann")
        card = page.get_by_test_id("part-1")
        expect(card).to_contain_text(CLAIMS[0][0], timeout=SLOW)
        expect(page.get_by_test_id("part-3")).to_contain_text(HOSTILE)
        expect(page.get_by_test_id("law")).to_contain_text("선임하여야 한다")
        expect(page.get_by_test_id("suggested-1")).to_contain_text("once this claim is answered")
        press(page, "1", "1", "1")
        expect(page.get_by_test_id("suggested-1")).to_contain_text("Match", timeout=SLOW)
        expect(page.get_by_test_id("law")).to_contain_text("300만원")
        press(page, "2", "2")
        press(page, "2", "x", "4")
        press(page, "Shift+K")
        expect(page.get_by_test_id("suggested-2")).to_have_class("model differs")
        expect(page.get_by_test_id("take-suggestion")).to_be_visible()
        for hidden in (SYSTEM, JUDGE):
            assert hidden not in page.content()
        page.keyboard.press("Enter")
        expect(page.get_by_text("queue").first).to_be_visible(timeout=SLOW)
        sit_down(page, address, "Ben")
        expect(page.get_by_test_id("part-1")).to_be_visible(timeout=SLOW)
        expect(page.get_by_test_id("said-2")).to_have_text("")
        press(page, "1", "1", "1", "1", "ArrowRight", "ArrowRight", "j", "3", "3", "4")
        expect(page.get_by_test_id("said-1")).to_contain_text("Match · gold claim 1")
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("part-1")).to_have_count(0, timeout=SLOW)
        sit_down(page, address, "Cho", "adjudication")
        expect(page.get_by_text("Claim 2", exact=True).first).to_be_visible(timeout=SLOW)
        choose = page.locator(f".st-key-part-{item}-2")
        choose.get_by_text("Partial", exact=True).click()
        choose.get_by_text("No", exact=True).click()
        fill_in(page.get_by_role("textbox", name="Reason (required)"), "The law says 300.")
        page.get_by_role("button", name="Decide and go on").click(timeout=SLOW)
        expect(page.get_by_role("button", name="Decide and go on")).to_have_count(0, timeout=SLOW)
    with house.ws.reading() as session:
        project = find_project(session, SLUG).id
        ((ann, ben),) = complete(session, project, Task.ATTRIBUTION).values()
    assert ann.answers == SAID
    assert ben.answers == dict(SAID) | {"label_2": "match", "supported_2": "no"}
    (line,) = DISPUTES.queue(house.ws, house.judge)
    assert (line.item_id, line.causes) == (item, ("label", "supported"))
    assert line.decision is not None
    assert line.decision.answers == dict(SAID) | {"supported_2": "no"}
    require_sound(house.ws)
