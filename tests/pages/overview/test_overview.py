"""The overview on screen: what it says to whom, and that its numbers are those of other pages."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from annotation.people.members import add_person
from messages import say
from pages.shell.guard import md_literal
from services.overview.report import agreement_lines, overview, revision
from services.pace import CANDIDATES, keep_pace
from storage.db.workspace import Workspace
from tests.pages.screens import opened, select, table
from tests.pages.small_project import SLUG, Small, empty_project, law_and_questions, leader, shown
from tests.support.refusals import code_of


def test_it_says_what_to_do_next_and_how_far_things_are(small: Small) -> None:
    tables: dict[str, Any] = {f"overview-{each}-more": True for each in ("work", "questions")}
    at = opened("overview", small, leader(small.workspace), **tables)
    wait = say("overview.next.disputes_wait", count="2", people="Lee Sora")
    assert button(at).label == md_literal(wait)
    words = shown(at)
    assert md_literal(say("overview.sum", final="2", pending="4", total="6")) in words
    assert md_literal(say("overview.disputes_sum", count="2")) in words
    work = table(at, say("overview.made"))
    counts = {name: int(work[say(f"overview.{name}")][0]) for name in ("made", "wanted")}
    assert counts == {"made": 9, "wanted": 12}
    assert say("overview.deadline") not in work, "no batch has one"
    states = table(at, say("overview.state_of"))
    counts = dict(zip(states[say("overview.state_of")], states[say("overview.count")], strict=True))
    names = ("gold", "no_provision", "dispute", "flagged", "waiting", "not_assigned")
    assert counts == {say(f"overview.state.{state}"): 1 for state in names}
    at = select(at, "overview-work", 0)
    people = table(at, say("overview.person"))
    assert list(people[say("overview.person")]) == ["Kim Ara", "Park Jun"]
    assert list(people[say("overview.submitted")]) == [5, 4]
    at = select(at, "overview-questions", 2)
    assert list(table(at, say("overview.question_id"))[say("overview.question_id")]) == ["q2"]
    assert screen_after_press(at) == ("agreement", {})
    at = opened("overview", small, small.sora)  # who settles is led to the disputes
    disputes = say("overview.next.disputes", count="2", people="Lee Sora")
    assert button(at).label == md_literal(disputes)
    assert screen_after_press(at) == ("adjudication", {"task": "citation_mapping"})


def button(at: AppTest) -> Any:
    """Return the button of the next step."""
    return next(each for each in at.button if each.key == "next-step")


def screen_after_press(at: AppTest) -> tuple[str, dict[str, str]]:
    """Press the next step; return the screen it asks for, with its parameters."""
    button(at).click().run()
    found: tuple[str, dict[str, str]] = at.session_state["screen_wanted"]
    return found


def test_who_annotates_learns_nothing_of_others(small: Small) -> None:
    person = add_person(small.workspace, SLUG, "Seo Yeon", "lawyer")
    at = opened("overview", small, person)
    assert not at.dataframe and say("overview.only") in shown(at)
    assert "Park Jun" not in shown(at)
    where = small.workspace, SLUG
    assert code_of(overview, *where, person.id) == "not_allowed"
    assert code_of(agreement_lines, *where, (), person.id) == "not_allowed"
    assert code_of(revision, *where, person.id) == "not_allowed"


def test_a_new_project_is_led_by_five_steps(workspace: Workspace) -> None:
    _, sora = empty_project(workspace)
    lead = leader(workspace)
    at = opened("overview", workspace, lead)
    assert button(at).label == md_literal(say("overview.next.law"))
    assert not at.dataframe
    law_and_questions(workspace)
    keep_pace(workspace, CANDIDATES, 2, 30.0)
    at = opened("overview", workspace, lead)
    assert at.header[0].value == say("overview.guide.title")
    assert button(at).label == md_literal(say("overview.next.candidates", count="6"))
    assert say("overview.guide.takes", time="2 min") in shown(at), "as measured"
    assert say("overview.guide.has.questions", count="6") in shown(at)
    assert screen_after_press(at) == ("data", {"form": "candidates"})
    at = opened("overview", workspace, sora)
    assert not [each for each in at.button if each.key == "next-step"]
    assert say("roles.act.build_candidates") in shown(at), "it says who may"
