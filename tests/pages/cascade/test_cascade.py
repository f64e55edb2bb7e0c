"""The Cascade screen: the funnel, each question, restoring, running and the layers' text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.people.members import PersonView, add_person, list_people
from annotation.work.versioned_texts import CASCADE_LAYERS
from services.cascade.report import list_questions
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.pages.screens import table, when_over
from tests.pages.small_project import page, shown
from tests.projects.cascade_project import (
    GOOD,
    HOSTILE,
    LISTING,
    SLUG,
    add_questions,
    judging,
    project,
    set_layers,
    verdict,
    without,
)
from tests.projects.cascade_project import (
    judged as through_layers,
)


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace, _ = project(tmp_path / "workspace", clock)
    set_layers(workspace, without("closure"))
    return workspace


def lead(ws: Workspace) -> PersonView:
    return list_people(ws, SLUG)[0]


def opened(ws: Workspace, tab: str, who: PersonView | None = None) -> Any:
    at = page("cascade", ws, who or lead(ws), project=SLUG)
    at.session_state["cascade-tab"] = tab
    for section in ("layers", "reasons", "levels"):
        at.session_state[f"cascade-{section}-more"] = True
    at = at.run()
    return at


def selected(at: Any, state: str, row: int) -> Any:
    at.session_state["cascade-state"] = state
    at.session_state[f"cascade-list-{state}"] = {
        "selection": {"rows": [row], "columns": [], "cells": []}
    }
    at = at.run()
    return at


@pytest.fixture
def judged(ws: Workspace) -> Workspace:
    add_questions(ws, GOOD.format(n=1), f"{LISTING} {HOSTILE}", GOOD.format(n=2))
    add_questions(ws, GOOD.format(n=3), level="L2")
    with judging(ws) as server:
        server.on("2만 원", Step(text=verdict("concrete_context", reason=HOSTILE)))
        through_layers(ws)
    return ws


def test_who_reads_sees_funnel_and_layers_and_an_annotator_nothing(judged: Workspace) -> None:
    at = opened(judged, "report")
    funnel, levels = table(at, "Entered"), table(at, "Asked for")
    assert list(funnel["Entered"]) == [4, 3, 2, 2, 0]
    assert list(funnel["Rejected"]) == [1, 1, 0, 1, 0]
    assert funnel["Share passed"][0].startswith("(75.0 % [30.1, 95.4]")
    assert table(at, "Reason")["Questions"].tolist() == [1, 1, 1]
    assert levels[levels["Cited"] == "L1"]["Questions"].tolist() == [1, 1, 0, 0]
    text = "".join(each.value for each in at.markdown).replace("\\", "")
    assert "25.0 %" in text and "50.0 %" in text

    at = selected(opened(judged, "questions"), "rejected", 2)
    text = shown(at)
    for name in ("Gate", "Judge", "Difficulty"):
        assert name in text
    assert "L2" in text and "L1" in text
    assert "yes. " in text.replace("\\", "")

    judge = add_person(judged, SLUG, "Lee Sora", "adjudicator")
    at = selected(opened(judged, "questions", judge), "rejected", 0)
    assert not [each for each in at.button if "restore" in str(each.key)]
    assert "run" not in at.segmented_control(key="cascade-tab").options

    at = opened(judged, "report", add_person(judged, SLUG, "Kim Ara", "annotator"))
    assert not at.dataframe and not at.segmented_control


def test_a_rejected_question_is_read_restored_and_taken_back(judged: Workspace) -> None:
    at = selected(opened(judged, "questions"), "rejected", 0)
    assert "대학, 기업 및 정부출연연구기관" in shown(at).replace("\\", "")
    assert "<img" not in "".join(str(each.value) for each in at.markdown)
    [button] = [each for each in at.button if each.key.endswith("-restore")]
    at = button.click().run()
    assert at.error and list_questions(judged, SLUG)[1].state == "rejected"
    [reason] = [each for each in at.text_input if each.key.endswith("-reason")]
    reason.set_value("공동 과제의 물음이다")
    at = next(each for each in at.button if each.key.endswith("-restore")).click().run()
    assert at.success
    assert list_questions(judged, SLUG)[1].state == "waiting"
    at = selected(at, "waiting", 0)
    assert "공동 과제의 물음이다" in shown(at)
    next(each for each in at.text_input if each.key.endswith("-reason")).set_value("아니다")
    at = next(each for each in at.button if each.key.endswith("-withdraw")).click().run()
    assert list_questions(judged, SLUG)[1].state == "rejected"


def test_a_run_says_its_cost_before_and_what_came_of_it(ws: Workspace) -> None:
    add_questions(ws, GOOD.format(n=1), LISTING)
    at = opened(ws, "run")
    assert not [each for each in at.button if each.key == "cascade-run"]  # no model is set
    with judging(ws, "price_in = 1.0\nprice_out = 2.0"):
        at = opened(ws, "run")
        assert "(m)" in at.info[0].value.replace("\\", "")
        at = when_over(at.button(key="cascade-run").click().run(), "cascade")
    assert at.success
    assert [str(each.state) for each in list_questions(ws, SLUG)] == ["through", "rejected"]
    at = at.button(key="cascade-close").click().run()


def test_the_layers_are_edited_and_bad_ones_named(ws: Workspace) -> None:
    at = opened(ws, "layers")
    [area] = at.text_area
    at = area.set_value(without("closure").replace("tolerance: 0", "tolerance: 9")).run()
    assert "layers[4].tolerance" in at.error[0].value.replace("\\", "")
    at = at.text_area[0].set_value(without("closure", "judge")).run()
    assert not at.error
    at = at.button(key="cascade-layers-save").click().run()
    assert at.success
    assert CASCADE_LAYERS.editions(ws, SLUG)[0].number == 3
