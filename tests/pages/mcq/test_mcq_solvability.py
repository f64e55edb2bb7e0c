"""Solvability of multiple-choice questions as each kind of person finds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.mcq.state import Fate, mcq_states
from annotation.work import commands
from messages import say
from storage.projects import find_project
from tests.conftest import FakeClock
from tests.pages import screens
from tests.pages.browser import field_of
from tests.pages.screens import table
from tests.pages.small_project import shown
from tests.projects.mcq_project import (
    ALONE,
    BOTH,
    HOSTILE,
    SECOND,
    SLUG,
    WHY,
    McqHouse,
    answer,
    build,
    submitted,
    vote,
)

FIX = {"query": "난간은 몇 미터까지인가?", "options": ["1", "2", "3", "4"], "answer": 0}


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> McqHouse:
    return build(tmp_path / "workspace", clock)


def opened(house: McqHouse, who: int, name: str = "mcq_solvability") -> AppTest:
    return screens.opened(name, house.ws, who, SLUG)


def told(house: McqHouse, who: int, item: int) -> dict[str, Any]:
    found = screens.told("mcq_solvability", house.ws, who, item, SLUG)
    assert found["fixed"]["id"] == item
    return found


def test_the_browser_is_told_of_each_step_only_what_belongs_to_it(house: McqHouse) -> None:
    item = house.items[0]
    vote(house, house.mcqs[0], "little-model", "ab", 1)
    stages: list[tuple[str, set[str]]] = []
    parts = {"b": SECOND, "why": WHY, "votes": "little-model"}
    for done in ((), (*ALONE, ("revealed", True)), (*BOTH, ("compared", True))):
        answer(house, house.ann, item, done)
        data = told(house, house.ann, item)
        causes = data["form"]["fields"]["cause"]["options"]
        assert causes[0][:2] == ["answerable_alone", "Answerable from A alone"]
        assert causes[-1][0] == "other", "those of the codebook"
        here = json.dumps(data, ensure_ascii=False)
        stages.append((data["fixed"]["stage"], {n for n, text in parts.items() if text in here}))
        (_, _), (_, options) = data["fixed"]["panes"]
        assert (options["stored"] == 1) == ("now" in data["fixed"]) == ("why" in stages[-1][1])
    answer(house, house.ann, item, [("stored_right", "yes"), ("verdict", "keep")])
    data = told(house, house.ann, item)
    assert data["fixed"]["stage"] == "compared"
    commands.submit(house.ws, house.ann, item)
    data = told(house, house.ann, item)
    assert data["fixed"]["stage"] == "done"
    ((_, votes),) = data["fixed"]["below"]
    assert [[model, [each["text"] for each in ab]] for model, *_, ab in votes["rows"]] == [
        ["little-model", ["2"]]
    ]
    assert stages == [("alone", set()), ("both", {"b"}), ("compared", {"b", "why"})]


def test_an_adjudicator_settles_and_what_was_said_stays_text(house: McqHouse) -> None:
    item = house.items[0]
    submitted(house, house.ann, item, "drop", cause="other", reason=HOSTILE)
    assert say("adjudication.none") in shown(opened(house, house.judge, "adjudication"))
    submitted(house, house.ben, item, "fix", cause="unclear", fix=FIX)
    vote(house, house.mcqs[0], HOSTILE, "ab", 1)
    at = opened(house, house.judge, "adjudication")
    assert "Ann" in shown(at)
    assert table(at, "Model").iloc[0].tolist() == [HOSTILE, "", "", "", "2"]
    assert HOSTILE in [each.value for each in at.text]
    name = f"case-{house.judge}-{item}"
    at.segmented_control(key=f"{name}-verdict").select("fix").run()
    assert at.text_area(key=f"{name}-query").value == FIX["query"], "begun with what Ben corrected"
    field_of(at.button, "case-decide").click().run()
    assert say("adjudication.reason_missing") in shown(at)
    at.pills(key=f"{name}-cause").select("unclear").run()
    at.text_input(key=f"{name}-option-0").input("한 칸").run()
    at.text_area(key=f"{name}-reason").input("벤이 옳음").run()
    field_of(at.button, "case-decide").click().run()
    assert say("adjudication.none_left") in shown(at)
    with house.ws.reading() as session:
        state = mcq_states(session, find_project(session, SLUG).id)[house.mcqs[0]]
    assert (state.fate, state.settled) == (Fate.FIXED, True)
    assert state.fix is not None
    assert state.fix.options == ("한 칸", "2", "3", "4")
    at.button_group(key="adjudication-filter").set_value("decided").run()
    assert say("adjudication.supersede_note") in shown(at)
    assert field_of(at.text_input, f"{name}-option-0").value == "한 칸"
