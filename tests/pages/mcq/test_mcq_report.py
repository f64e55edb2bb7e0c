"""Solvability of multiple-choice questions, and the report: figures, lists, making and solving."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.mcq.state import Fate, mcq_states
from annotation.people.members import PersonView, add_person
from annotation.work import commands
from messages import say
from services.mcq.views import standing_questions
from storage.db.workspace import Workspace
from storage.projects import find_project
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.llm.serving import serving
from tests.pages import screens
from tests.pages.browser import field_of
from tests.pages.screens import table as item_table
from tests.pages.screens import when_over
from tests.pages.small_project import page, shown
from tests.projects.mcq_project import (
    ALONE,
    BOTH,
    SECOND,
    WHY,
    McqHouse,
    answer,
    build,
    submitted,
    vote,
)
from tests.projects.mcq_project import HOSTILE as ITEM_HOSTILE
from tests.projects.mcq_project import SLUG as ITEM_SLUG
from tests.services.mcq.mcq_project import (
    SLUG,
    checks,
    generated,
    knows,
    people,
    solved,
)

HOSTILE = "<img src=x onerror=alert(1)> **m**"


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    return Workspace(tmp_path / "workspace", clock)


def somebody(ws: Workspace, role: str = "researcher") -> PersonView:
    return add_person(ws, SLUG, role.title(), role)


def screen(ws: Workspace, who: PersonView, tab: str = "report", language: str = "en") -> Any:
    at = page("mcq_report", ws, who, language, SLUG)
    at.session_state["mcq-tab"] = tab
    for section in ("safety", "changes", "rows", "funnel", "counts"):
        at.session_state[f"mcq-{section}-more"] = True
    return at.run()


def table(at: Any, column: str, language: str = "en") -> Any:
    """Return the table that has a column, named by the catalogue."""
    head = say(f"mcq_report.{column}", language)
    return next(each.value for each in at.dataframe if head in each.value)


def click(at: Any, key: str) -> Any:
    return at.button(key=key).click().run()


def test_funnel_safety_and_what_provisions_add(ws: Workspace) -> None:
    generated(ws)
    solved(ws, knows, models=(HOSTILE, "base"))
    both = people(ws)
    checks(ws, 1, *both)
    checks(ws, 2, *both, verdict="drop", cause="answerable_alone")
    at = screen(ws, somebody(ws))
    funnel, safety = (table(at, f"column.{name}") for name in ("left", "answers"))
    cause = say("mcq_report.cause.answerable_alone")
    assert funnel[funnel.iloc[:, 1] == cause].iloc[0].tolist()[2:] == ["1", 5]
    names = safety.iloc[:, 0].tolist()
    assert names[::2][:3] == [HOSTILE, "base", say("mcq_report.always_abstain")]
    assert names[6] in {say("mcq_report.always", option=place) for place in range(1, 5)}
    able = safety[say("mcq_report.column.able_and_safe")].tolist()
    assert [each.split(" ")[0] for each in able[::2]] == ["100.0", "100.0", "0.0", "0.0"]
    waiting = say("mcq_report.fate.waiting")
    assert f"{waiting} 4" in shown(at)
    assert not any("<img" in each.value.replace("\\<", "") for each in at.markdown)


def test_votes_of_another_tool_are_uploaded_and_counted_apart(ws: Workspace) -> None:
    generated(ws)
    with ws.reading() as session:
        names = [each.item.id for each in standing_questions(session, 1)]
    lead = somebody(ws)
    at = screen(ws, lead, "make")
    assert at.button(key="mcq-votes").disabled
    vote = {"setting": "ab", "model": HOSTILE, "choice": 1}
    lines = [json.dumps({"id": name} | vote) for name in names[:2]]

    def bring(*lines: str) -> Any:
        sent = "\n".join(lines).encode()
        at.file_uploader(key="mcq-votes-file").upload("lm-eval.jsonl", sent).run()
        return click(at, "mcq-votes")

    bring(*lines, json.dumps({"id": names[0], "setting": "b", "model": "m", "choice": 9}))
    said = at.error[0].value.replace("\\", "")
    assert said.startswith('lm-eval.jsonl, line 3, field "choice"')
    counts = {"read": 2, "new": 2, "already": 0}
    told = shown(bring(*lines)).replace("\\", "")
    assert say("mcq_report.make.votes_done", **counts) in told, "all of a file or none"
    models = table(screen(ws, lead), "column.answers").iloc[:, 0].tolist()
    assert f"{HOSTILE} @ file:lm-eval" in models


def test_questions_are_solved_beside_the_screen_and_can_be_stopped(ws: Workspace) -> None:
    generated(ws)
    lead = somebody(ws)
    with serving(ws, "concurrency = 1") as server:
        server.on("", Step(text="5", delay=0.2))
        at = screen(ws, lead, "make")
        at.text_input(key="mcq-models").set_value("base, adapted")
        click(at, "mcq-solve")
        at.run()
        at = when_over(click(at, "mcq_solve-stop"), "mcq_solve")
        assert "Stopped before it was done" in at.warning[0].value.replace("\\", "")
        made = int(at.success[0].value.split(" ")[0])
        assert 0 < made < 48
        assert f"{made} of 48 calls" in at.success[0].value
        click(at, "mcq_solve-close")
        assert at.text_input(key="mcq-models").value == "base, adapted"  # to go on with these
        assert server.asked < 48


def test_every_question_with_its_provisions(ws: Workspace) -> None:
    generated(ws)
    solved(ws, lambda said: "5")
    checks(ws, 2, *people(ws), verdict="drop", cause="unclear")
    at = screen(ws, somebody(ws), "items")
    assert len(at.dataframe[0].value) == 6
    at.session_state["mcq-list-everything"] = {
        "selection": {"rows": [0], "columns": [], "cells": []}
    }
    at.run()
    options = at.dataframe[1].value
    assert options[say("mcq_report.setting.a")].tolist() == [0, 0, 0, 0, 1]
    assert options[say("mcq_report.items.stored")].sum() == 1
    at.segmented_control(key="mcq-fate").set_value("dropped").run()
    assert len(at.dataframe[0].value) == 1
    at.segmented_control(key="mcq-fate").set_value("fixed").run()
    assert say("mcq_report.items.none") in shown(at)


def test_a_row_opens_its_replies(ws: Workspace) -> None:
    generated(ws)
    words = f"판단할 수 없습니다. {HOSTILE}"
    solved(ws, lambda said: words if knows(said) == "5" else knows(said))
    at = screen(ws, somebody(ws))
    column = say("mcq_report.column.abstained_words")
    assert table(at, "column.missing")[column].tolist() == [6, 6, 0, 0]
    at.session_state["mcq-counts"] = {"selection": {"rows": [1], "columns": [], "cells": []}}
    at.run()
    at.segmented_control(key="mcq-replies-m-a").set_value("abstained_words").run()
    replies = table(at, "replies.decided")
    assert replies[say("mcq_report.replies.decided")].tolist() == ["판단할 수 없습니다."] * 6
    assert say("mcq_report.replies.pick") in shown(at)
    at.session_state["mcq-replies-m-a-abstained_words"] = {
        "selection": {"rows": [0], "columns": [], "cells": []}
    }
    at.run()
    assert say("mcq_report.replies.pick") not in shown(at)
    assert not any("<img" in each.value for each in (*at.markdown, *at.caption))


def test_an_export_is_prepared_and_offered(ws: Workspace) -> None:
    generated(ws)
    at = screen(ws, somebody(ws))
    click(at, "mcq-export")
    assert not at.error
    assert at.session_state["mcq-prepared"][1].startswith(b"PK")


FIX = {"query": "난간은 몇 미터까지인가?", "options": ["1", "2", "3", "4"], "answer": 0}


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> McqHouse:
    return build(tmp_path / "workspace", clock)


def opened(house: McqHouse, who: int, name: str = "mcq_solvability") -> AppTest:
    return screens.opened(name, house.ws, who, ITEM_SLUG)


def told(house: McqHouse, who: int, item: int) -> dict[str, Any]:
    found = screens.told("mcq_solvability", house.ws, who, item, ITEM_SLUG)
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
    submitted(house, house.ann, item, "drop", cause="other", reason=ITEM_HOSTILE)
    assert say("adjudication.none") in shown(opened(house, house.judge, "adjudication"))
    submitted(house, house.ben, item, "fix", cause="unclear", fix=FIX)
    vote(house, house.mcqs[0], ITEM_HOSTILE, "ab", 1)
    at = opened(house, house.judge, "adjudication")
    assert "Ann" in shown(at)
    assert item_table(at, "Model").iloc[0].tolist() == [ITEM_HOSTILE, "", "", "", "2"]
    assert ITEM_HOSTILE in [each.value for each in at.text]
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
        state = mcq_states(session, find_project(session, ITEM_SLUG).id)[house.mcqs[0]]
    assert (state.fate, state.settled) == (Fate.FIXED, True)
    assert state.fix is not None
    assert state.fix.options == ("한 칸", "2", "3", "4")
    at.button_group(key="adjudication-filter").set_value("decided").run()
    assert say("adjudication.supersede_note") in shown(at)
    assert field_of(at.text_input, f"{name}-option-0").value == "한 칸"
