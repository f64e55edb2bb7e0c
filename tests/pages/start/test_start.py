"""The start page of each role: what waits, where to go on, today, and what is told once."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

from streamlit.testing.v1 import AppTest

from annotation.adjudication.disputes import decide
from annotation.batches.commands import BatchPlan, make_batch
from annotation.batches.sampling import Choice
from annotation.people.members import PersonView, add_person, deactivate, list_people
from annotation.work.queue_service import open_item
from messages import say
from pages.shell.guard import md_literal
from services.law.activation import to_check
from services.sample.people import PEOPLE, suggestion_key
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages import screens
from tests.pages.screens import buttons
from tests.pages.small_project import (
    SLUG,
    Small,
    empty_project,
    leader,
    shown,
)
from tests.services.law.law_project import HARBOUR, MARKET, law_project
from tests.services.law.law_project import SLUG as LAW


def opened(small: Small | Workspace, person: PersonView | int, project: str = SLUG) -> AppTest:
    return screens.opened("start", small, person, project)


STRIP = say("start.strip", accept="a", reject="r", unsure="u")  # told once, with the usual keys


def test_who_annotates_sees_their_open_items_and_goes_on(small: Small) -> None:
    person = add_person(small.workspace, SLUG, "Seo Yeon", "lawyer")
    at = opened(small, person)
    words = shown(at)
    assert at.title[0].value == say("app.pages.start")
    assert STRIP in words
    assert say("start.why.next", when="") in words
    assert say("start.tasks.open", count="2") in words, "q5 and q6: others filled the rest"
    assert buttons(at) == {"strip-close", "continue"}
    assert f"(./citation_mapping?project={SLUG}&person={person.id}" in words


def test_what_is_told_once_goes_when_closed(small: Small) -> None:
    at = opened(small, small.ara)
    at.button(key="strip-close").click().run()
    assert STRIP not in shown(at)
    assert STRIP not in shown(opened(small, small.ara))
    at = opened(small, small.jun)
    assert STRIP in shown(at)
    deactivate(small.workspace, small.jun.id)
    at.button(key="strip-close").click().run()
    assert "has been deactivated" in shown(at)


def test_going_on_opens_the_item_that_was_left(small: Small) -> None:
    open_item(small.workspace, small.ara.id, small.items["q6"])
    at = opened(small, small.ara)
    assert "You left it open, 09:" in shown(at)
    assert "**Citation mapping · q6**" in shown(at)
    at.button(key="continue").click().run()
    wanted = ("citation_mapping", {"item": str(small.items["q6"])})
    assert at.session_state["screen_wanted"] == wanted
    assert STRIP not in shown(opened(small, small.ara)), "they have read it"


def test_today_is_told_with_the_median_time(small: Small) -> None:
    words = shown(opened(small, small.ara))
    assert "To try as" not in words, "that is for the sample alone"
    assert re.search(r"\*\*5\*\* submitted · median time \*\*\d+ s\*\*", words)
    assert "Today" not in shown(opened(small, small.sora)), "nothing done is no zero"


def test_a_deadline_is_told(small: Small) -> None:
    due = small.workspace.clock() + timedelta(days=2)
    people = (small.ara.id, small.jun.id)
    plan = BatchPlan("First", people, Choice(external_ids=("q6",)), deadline=due)
    make_batch(small.workspace, SLUG, plan)
    assert md_literal(f"First until {due:%Y-%m-%d} (2 days left)") in shown(
        opened(small, small.ara)
    )
    at = opened(small, leader(small.workspace))
    assert "Batches under way" in [each.value for each in at.header]
    assert "**0** of 2 submissions" in shown(at) and md_literal("2 days left") in shown(at)
    assert "continue" not in buttons(at), "nothing of a task is theirs"


def test_an_adjudicator_goes_on_to_what_is_to_settle(small: Small) -> None:
    at = opened(small, small.sora)
    words = shown(at)
    assert STRIP not in words, "the keys of annotators are not theirs"
    assert "Waiting for your decision" in words and "**2** open" in words
    at.button(key="continue").click().run()
    asked = {"task": "citation_mapping", "item": str(small.items["q2"])}
    assert at.session_state["screen_wanted"] == ("adjudication", asked)
    for name in ("q2", "q4"):
        decide(small.workspace, small.sora.id, small.items[name], [], True, "Neither.", 30.0)
    at = opened(small, small.sora)
    assert "Nothing is waiting for you" in shown(at)
    assert "**2** decided · median time **30 s**" in shown(at)


def test_what_an_amendment_put_in_doubt_is_told(tmp_path: Path) -> None:
    here = law_project(tmp_path, FakeClock())
    people = [each.id for each in list_people(here.ws, LAW)]

    def told(person: int) -> str:
        return shown(opened(here.ws, person, LAW))

    line = md_literal(say("start.tasks.amended"))
    assert all(line not in told(person) for person in people)
    here.bring("second", harbour=HARBOUR, market=MARKET | {2: "Stalls run two seasons."})
    for person in (here.ann, here.judge, here.lead):
        count = to_check(here.ws, LAW, person).counts.questions
        assert count
        words = told(person)
        assert f"[{line}](./compare?project={LAW}&person={person}" in words
        assert say("to_check.task.citation_mapping", count=count) in words
        assert say("start.nothing") not in words


def test_who_leads_an_empty_project_is_led_to_the_data(workspace: Workspace) -> None:
    ara, _ = empty_project(workspace)
    lead = leader(workspace)
    words = shown(opened(workspace, lead))
    assert "nothing to work on yet" in words and "(./data?" in words
    assert "Nothing is waiting for you" in shown(opened(workspace, ara))


def test_each_of_the_sample_has_something_to_try() -> None:
    assert {role for _, role in PEOPLE} == {"annotator", "administrator", "adjudicator", "lawyer"}
    for name, _ in PEOPLE:
        key = suggestion_key("sample", name)
        assert key is not None and say(key, "ko")
    assert suggestion_key("sample", "Somebody") is None
    assert suggestion_key(SLUG, PEOPLE[0][0]) is None
