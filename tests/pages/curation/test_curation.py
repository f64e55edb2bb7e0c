"""Curation and its report as each kind of person finds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.curation.state import Fate, curation_states
from annotation.people.members import list_people
from annotation.work.queue_service import open_item
from messages import say
from pages.curation.curation import PAGE
from pages.shell.guard import md_literal
from pages.task.acts import TaskSession, carry_out
from storage.projects import find_project
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages import screens
from tests.pages.browser import field_of
from tests.pages.screens import table
from tests.pages.small_project import page, shown
from tests.projects.curation_project import (
    ALONE,
    CRANE,
    GOLD,
    HOSTILE,
    LAMP,
    LAYER,
    MEANT,
    RAIL,
    SLUG,
    TARGET,
    CurationHouse,
    answer,
    build,
    submitted,
    written,
)
from tests.services.curation.test_items import both


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> CurationHouse:
    return build(tmp_path / "workspace", clock)


def opened(house: CurationHouse, who: int, name: str = "curation") -> AppTest:
    return screens.opened(name, house.ws, who, SLUG)


def told(house: CurationHouse, who: int, item: int) -> dict[str, Any]:
    found = screens.told("curation", house.ws, who, item, SLUG)
    assert found["fixed"]["id"] == item
    return found


def test_level_and_layers_are_told_once_the_question_is_judged(house: CurationHouse) -> None:
    item = house.items[0]
    answer(house, house.ann, item, ALONE)
    data = told(house, house.ann, item)
    here = json.dumps(data["fixed"], ensure_ascii=False)
    assert data["fixed"]["stage"] == "alone"
    assert LAYER not in here
    assert TARGET not in here
    assert data["fixed"]["shows"] == {"told": []}
    first, second = data["fixed"]["law"]["units"]
    assert first["unit"] == RAIL
    assert [text for text, bits in first["pieces"] if bits] == [MEANT], "what matters is marked"
    assert second["roles"] == ["exception"]
    _, (_, axes) = data["fixed"]["panes"]
    assert [name for name, _ in axes["chips"]] == ["type", "Stage", "domain"]
    answer(house, house.ann, item, [("revealed", True)])
    data = told(house, house.ann, item)
    fixed, causes = data["fixed"], data["form"]["fields"]["cause"]["options"]
    ((_, layers),) = fixed["shows"]["told"]
    assert (fixed["stage"], layers["lead"]) == ("told", f"Written as {TARGET}; you found L2.")
    assert causes[0][:2] == ["not_practitioner", "Not a practitioner's voice"]
    assert causes[-1][0] == "other", "those of the codebook"
    assert [(each["name"], each["tone"]) for each in layers["rows"]] == [
        (say("cascade.layer.gate"), "passed"),
        (LAYER, "passed"),
    ]


def test_a_provision_is_searched_and_added(house: CurationHouse) -> None:
    item = house.items[0]
    answer(house, house.ann, item, [*ALONE, ("revealed", True)])
    sitting = TaskSession(SLUG, house.ann, task=Task.CURATION)
    gold = {**GOLD, CRANE: "yes"}
    acts = [
        {"seq": 1, "kind": "search", "item": item, "query": "기중기 검사"},
        {"seq": 2, "kind": "answer", "item": item, "field": "gold", "value": gold},
    ]
    message = {"client": "x", "person": house.ann, "acts": acts}
    carry_out(house.ws, sitting, message, "en", PAGE.handlers)
    assert sitting.failed == []
    assert sitting.told["found"]["hits"][0]["unit"] == CRANE
    assert dict(open_item(house.ws, house.ann, item).answers)["gold"] == gold
    data = told(house, house.ann, item)
    assert [each["unit"] for each in data["moving"]["added"]] == [CRANE]
    assert [each["unit"] for each in data["fixed"]["law"]["units"]] == [RAIL, LAMP]


def test_an_adjudicator_settles_and_what_was_said_stays_text(house: CurationHouse) -> None:
    item = house.items[0]
    edit = {"question": "난간은 얼마나 높습니까?", "answer": "1.2미터입니다."}
    submitted(house, house.ann, item, "reject", cause="other", reason=HOSTILE)
    submitted(
        house, house.ben, item, "edit", cause="unclear", edit=edit, gold={RAIL: "yes", LAMP: "yes"}
    )
    at = opened(house, house.judge, "adjudication")
    assert "Ann" in shown(at)
    assert HOSTILE in [each.value for each in at.text]
    name = f"case-{house.judge}-{item}"
    at.segmented_control(key=f"{name}-verdict").select("edit").run()
    assert at.text_area(key=f"{name}-question").value == edit["question"], "begun with Ben's"
    assert at.pills(key=f"{name}-gold").value == [RAIL, LAMP]
    assert at.segmented_control(key=f"{name}-difficulty").value == "L2", "as both say"
    at.pills(key=f"{name}-gold").set_value([RAIL]).run()
    at.text_area(key=f"{name}-more").input(CRANE).run()
    at.pills(key=f"{name}-cause").select("unclear").run()
    at.text_area(key=f"{name}-reason").input("벤이 옳음").run()
    field_of(at.button, "case-decide").click().run()
    assert say("adjudication.none_left") in shown(at)
    with house.ws.reading() as session:
        state = curation_states(session, find_project(session, SLUG).id)[house.questions[0]]
    assert (state.fate, state.gold, state.settled) == (Fate.EDITED, (RAIL, CRANE), True)
    at.button_group(key="adjudication-filter").set_value("decided").run()
    assert field_of(at.pills, f"{name}-gold").value == [RAIL, CRANE]


def opened_report(house: CurationHouse, who: int) -> AppTest:
    person = next(each for each in list_people(house.ws, SLUG) if each.id == who)
    at = page("curation_report", house.ws, person, project=SLUG)
    for section in ("funnel", "cells", "causes"):
        at.session_state[f"curation-{section}-more"] = True
    at.run()
    return at


def test_a_lead_gives_questions_reads_figures_and_admits_those_kept(house: CurationHouse) -> None:
    rejected = {"verdict": "reject", "cause": "unclear"}
    both(house, 0, {}, {})
    both(house, 1, rejected, rejected)
    written(house.ws, "aug-0004")
    written(house.ws, "aug-0005", ())
    at = opened_report(house, house.lead)
    at.checkbox(key="curation-unchecked").check().run()
    at.button(key="curation-give").click().run()
    assert md_literal(say("curation_report.given", items=2, unchecked=1)) in shown(at)
    assert any("50.0 %" in each.value.replace("\\", "") for each in at.markdown)
    assert table(at, "State")["Count"].tolist() == [5, 5, 2, 1, 0]
    assert table(at, "Cause")["Cause"].tolist() == ["Badly worded"]
    assert "(50.0 %" in table(at, "Written for", "Accepted")["Accepted"][0], "of two only"
    at.button(key="curation-admit").click().run()
    assert md_literal(say("curation_report.admitted", count=1)) in shown(at)
    assert at.button(key="curation-admit").disabled
    assert table(at, "State")["Count"].tolist()[-1] == 1
    at.button_group(key="curation-report-tab").set_value("questions").run()
    assert len(at.dataframe) == 1
