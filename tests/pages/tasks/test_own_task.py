"""A project's own task as each kind of person finds it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from annotation.forms.form import answer
from annotation.tasks.spec import SCREEN_KEYS
from annotation.work import commands
from messages import say
from pages.shell.guard import md_literal
from pages.shell.navigation import key_map
from tests.conftest import FakeClock
from tests.pages import screens
from tests.pages.browser import field_of
from tests.pages.small_project import shown
from tests.projects.own_project import (
    HOSTILE,
    SLUG,
    SPAN,
    TASK,
    OwnHouse,
    build,
    claims_item,
)


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> OwnHouse:
    return build(tmp_path / "workspace", clock)


def submit(house: OwnHouse, who: int, relevance: int, why: str = "") -> None:
    item = house.items[0]
    answer(house.ws, who, item, "relevance", relevance)
    if relevance:
        answer(house.ws, who, item, "evidence", [SPAN])
    if why:
        answer(house.ws, who, item, "why", why)
    commands.submit(house.ws, who, item)


def test_an_annotator_is_told_the_row_and_the_form(house: OwnHouse) -> None:
    data = screens.told("own_task", house.ws, house.ann, house.items[1], SLUG)
    ((kind, texts),) = data["fixed"]["panes"]
    assert (kind, texts[1]["text"]) == ("marked", HOSTILE)
    fields = data["form"]["fields"]
    assert [each[1] for each in fields["relevance"]["options"]] == ["0", "1", "2", "3"]
    assert fields["evidence"]["when"] == [{"if": {"relevance": ["1", "2", "3"]}}]
    assert (fields["evidence"]["least"], data["guideline"]["blocks"][0]["kind"]) == (1, "paragraph")


def test_parts_of_a_row_are_told_with_their_fields_and_decided_each(house: OwnHouse) -> None:
    item = claims_item(house)
    for who, second in ((house.ann, "yes"), (house.ben, "no")):
        answer(house.ws, who, item, "supported_1", "yes")
        if who == house.ann:
            data = screens.told("own_task", house.ws, who, item, SLUG, task="own:claims")
        answer(house.ws, who, item, "supported_2", second)
        if second == "no":
            answer(house.ws, who, item, "why_2", HOSTILE)
        commands.submit(house.ws, who, item)
    assert [each["text"] for each in data["fixed"]["parts"]][1] == "<b>재료</b>는 강재이다."
    assert data["fixed"]["form"]["fields"]["supported_2"]["name"] == "2: Is it supported?"
    at = screens.opened("adjudication", house.ws, house.judge, SLUG)
    name = f"case-{house.judge}-{item}"
    assert not [each for each in at.segmented_control if each.key == f"{name}-supported_1"]
    at.segmented_control(key=f"{name}-supported_2").select("yes").run()
    at.text_area(key=f"{name}-reason").input("Ann found it.").run()
    field_of(at.button, "case-decide").click().run()
    assert say("adjudication.none_left") in shown(at)


def test_an_adjudicator_settles_and_my_work_leads_there(house: OwnHouse) -> None:
    at = screens.opened("start", house.ws, house.ann, SLUG)
    assert "relevance" in shown(at)
    submit(house, house.ann, 3)
    submit(house, house.ben, 0, HOSTILE)
    at = screens.opened("adjudication", house.ws, house.judge, SLUG)
    assert HOSTILE in [each.value for each in at.text]
    assert md_literal("answers: 난간") in shown(at)
    name = f"case-{house.judge}-{house.items[0]}"
    at.segmented_control(key=f"{name}-relevance").select(3).run()
    at.segmented_control(key=f"{name}-evidence").select("Ann").run()
    at.text_area(key=f"{name}-reason").input("Ann found it.").run()
    field_of(at.button, "case-decide").click().run()
    assert say("adjudication.none_left") in shown(at)


def test_a_template_is_changed_and_tried_before_there_are_rows(house: OwnHouse) -> None:
    at = screens.opened("data", house.ws, house.lead, SLUG)
    at.selectbox(key="own-task-files-template").select("relevance").run()
    wanted = say("own_task.add.rows_wanted", columns=md_literal("id, question, provision"))
    assert wanted in [each.value for each in at.info]
    text = at.text_area(key="own-task-files-relevance")
    text.input(str(text.value).replace("kind: scale", "kind: stars")).run()
    assert "stars" in at.error[0].value


def test_who_reads_the_work_finds_its_figures_and_labels(house: OwnHouse) -> None:
    submit(house, house.ann, 3)
    submit(house, house.ben, 3)
    at = screens.opened("agreement", house.ws, house.lead, SLUG)
    assert at.selectbox(key="agreement-task").value == TASK
    at = screens.opened("gold", house.ws, house.lead, SLUG)
    assert "Relevance of a provision" in shown(at)
    assert say("own_task.labels.line", complete=1, items=3, open=0) in shown(at)
    at = screens.opened("gold", house.ws, house.ann, SLUG)
    assert "Relevance of a provision" not in shown(at)


def test_no_option_has_a_key_of_the_screen() -> None:
    ours = (each for each in key_map().values() if "own" in each.on or "" in each.on)
    keys = {key for each in ours for key in (*each.keys, *each.also)}
    assert {key for key in keys if re.fullmatch("[a-z]", key)} == SCREEN_KEYS
