"""What an adjudicator enters on a case stands, whichever drawings a busy browser misses.

Nothing here depends on how long anything takes, and what is entered repeats itself after two turns:
``TOUCHSTONE_FORM_REPEATS=200`` asks for more than the usual run.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import list_people
from storage.db.workspace import Workspace
from tests.annotation.judging import answered
from tests.conftest import FakeClock
from tests.pages import small_project
from tests.pages.browser import BusyBrowser, on_server
from tests.projects import (
    attribution_review_project,
    curation_project,
    mcq_project,
    research_project,
    tagged_project,
)
from tests.support.examples import repeats

REPEATS = repeats(2)
Case = tuple[Workspace, str, int]  # the workspace, the project, and who decides


def mapping(folder: Path, clock: FakeClock) -> Case:
    made = small_project.annotated_project(Workspace(folder, clock))
    return made.workspace, small_project.SLUG, made.sora.id


def mcq(folder: Path, clock: FakeClock) -> Case:
    made = mcq_project.build(folder, clock, number=1)
    fix = {"query": "난간은 몇 미터까지인가?", "options": ["1", "2", "3", "4"], "answer": 2}
    mcq_project.submitted(made, made.ann, made.items[0], "drop", cause="other", reason="No.")
    mcq_project.submitted(made, made.ben, made.items[0], "fix", cause="unclear", fix=fix)
    return made.ws, mcq_project.SLUG, made.judge


def rating(folder: Path, clock: FakeClock) -> Case:
    folder.mkdir()
    made = answered.build(folder, clock)
    made.rate(made.ann, True)
    made.rate(made.ben, False)
    return made.ws, answered.SLUG, made.adjudicator


def tagging(folder: Path, clock: FakeClock) -> Case:
    made = tagged_project.build(folder, clock, number=1)
    tagged_project.tag(made, made.ann, 0, {"weapon": [("knife", "with a knife")]})
    tagged_project.tag(made, made.ben, 0, weapon="gun", motives="fear")
    return made.ws, tagged_project.SLUG, made.judge


def curation(folder: Path, clock: FakeClock) -> Case:
    made, both = curation_project.build(folder, clock), curation_project
    edit = {"question": "난간은 얼마나 높습니까?", "answer": "1.2미터입니다."}
    gold = {both.RAIL: "yes", both.LAMP: "yes"}
    both.submitted(made, made.ann, made.items[0], "reject", cause="other", reason="No.")
    both.submitted(made, made.ben, made.items[0], "edit", cause="unclear", edit=edit, gold=gold)
    return made.ws, both.SLUG, made.judge


def attribution(folder: Path, clock: FakeClock) -> Case:
    made, both = attribution_review_project.build(folder, clock), attribution_review_project
    both.submitted(made, made.ann, made.items[0])
    both.submitted(made, made.ben, made.items[0], label_2="match", supported_2="no")
    return made.ws, both.SLUG, made.judge


def research(folder: Path, clock: FakeClock) -> Case:
    made, both = research_project.build(folder, clock), research_project
    both.submitted(made, made.ann, made.items[0], both.passage())
    both.submitted(made, made.ben, made.items[0])
    return made.ws, both.SLUG, made.judge


# Of tasks with a declared form, one per change: they share its pane.
PANES = (mapping, tagging, curation)
DECLARED = tuple(
    pytest.param(made, marks=pytest.mark.long) for made in (mcq, rating, attribution, research)
)


@pytest.fixture(params=(*PANES, *DECLARED), ids=lambda made: made.__name__)
def browser(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> BusyBrowser:
    made: Callable[[Path, FakeClock], Case] = request.param
    ws, slug, judge = made(tmp_path / "w", clock)
    person = next(each for each in list_people(ws, slug) if each.id == judge)
    seen = BusyBrowser(small_project.page("adjudication", ws, person, "en", slug).run())
    seen.draw()
    return seen


def test_what_is_entered_stands_until_it_is_undone(browser: BusyBrowser) -> None:
    first = [_value(each) for each in on_server(browser.at).values()]
    for turn in range(REPEATS):
        browser.press(f"case-take-{turn % 2}")
        browser.draw()
        browser.press("case-undo-entry")
        browser.press()
        browser.draw()
        assert [_value(each) for each in browser.shows().values()] == first
    for turn in range(REPEATS):
        browser.press(f"case-take-{turn % 2}")
        taken = on_server(browser.at)
        browser.press()  # before anything of it was drawn
        browser.draw()
        assert browser.shows() == taken, f"turn {turn}"
        browser.press()
        assert on_server(browser.at) == taken, f"turn {turn}"
    for turn in range(REPEATS):
        (reason,) = {each for each in browser.shows() if "-reason" in each}
        browser.enter(reason, f"As article {turn} says.")
        browser.press(f"case-take-{turn % 2}")
        browser.press()
        browser.draw()
        assert f"As article {turn} says." in browser.shows()[reason]
        assert browser.shows() == on_server(browser.at)

    # After a reload, in a second tab or signed in elsewhere: every field, the reason with it.
    seen = (browser.at.kwargs or {})["seen"]
    there = seen["workspace"], seen["person"], seen["language"], seen["project"]
    again = small_project.page("adjudication", *there).run()
    assert _entered(again) == _entered(browser.at)
    assert f"As article {REPEATS - 1} says." in str(_entered(again))
    again.button(key="case-undo-entry").click().run()
    browser.press()
    assert _entered(again) == _entered(browser.at), "the first tab shows what the second took back"


def _entered(at: AppTest) -> dict[str, str]:
    """Return what each field holds, by its name without the number of how often it was made."""
    return {key.partition("__")[0]: _value(told) for key, told in on_server(at).items()}


def _value(told: str) -> str:
    """Return what a field holds, without its id."""
    return told.partition("\n")[2]
