"""Settling tags and the factor report, as each kind of person finds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.tagging.disputes import decide as kept
from annotation.tagging.disputes import disputes
from annotation.tagging.suggestion_visibility import read_setting
from messages import say
from pages.shell.guard import md_literal
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages import screens
from tests.pages.browser import field_of
from tests.pages.screens import table
from tests.pages.small_project import shown
from tests.projects import tagged_project
from tests.projects.project_cache import kept_project
from tests.projects.tagged_project import HOSTILE, SLUG, TagHouse


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> TagHouse:
    """Return two cases on whose weapon people differ, and one on whose motives."""
    ws = Workspace(tmp_path / "workspace", clock)
    return kept_project("three disputed cases", ws, lambda: _tagged(ws.folder, clock))


def _tagged(folder: Path, clock: FakeClock) -> TagHouse:
    made = tagged_project.build(folder, clock, number=3)
    for at in (0, 1):
        tagged_project.tag(
            made, made.ann, at, {"weapon": [("knife", "with a knife")]} if not at else {}
        )
        tagged_project.tag(made, made.ben, at, comment=HOSTILE, weapon="gun")
    tagged_project.tag(made, made.ann, 2, motives="money+fear")
    tagged_project.tag(made, made.ben, 2, motives="fear")
    return made


def opened(house: TagHouse, name: str, who: int, **state: Any) -> AppTest:
    return screens.opened(name, house.ws, who, SLUG, **state)


def decide(at: AppTest, house: TagHouse, item: int, key: str, option: str) -> None:
    name = f"case-{house.judge}-{house.items[item]}"
    at.button_group(key=f"{name}-{key}-options").set_value(option).run()
    at.text_area(key=f"{name}-reason").set_value("The court says so.").run()
    field_of(at.button, "case-decide").click().run()


def test_what_is_disputed_is_settled_one_factor_over_many_cases(house: TagHouse) -> None:
    at = opened(house, "adjudication", house.judge)
    at.selectbox(key="adjudication-cause").set_value("weapon").run()
    assert HOSTILE in shown(at)  # as text
    at.button_group(key=f"case-{house.judge}-{house.items[0]}-weapon-options").set_value(
        "gun"
    ).run()
    field_of(at.button, "case-decide").click().run()
    assert len(disputes(house.ws, house.judge)[0].waiting) == 2, "there is no reason"
    assert say("adjudication.reason_missing") in at.markdown[-1].value  # below the field
    decide(at, house, 0, "weapon", "none")
    [weapon, _] = disputes(house.ws, house.judge)
    assert [each.external_id for each in weapon.waiting] == ["case-2"]
    assert md_literal(say("adjudication.done", id="case-1")) in shown(at)
    reason = f"case-{house.judge}-{house.items[1]}-reason"
    assert at.text_area(key=reason).value == "The court says so."  # offered again
    field_of(at.button, "case-back").click().run()
    assert at.text_area(key=reason).value == "The court says so."
    assert say("adjudication.reason_carried") in shown(at), "a reason of its own"
    assert say("adjudication.reason_missing") not in shown(at), "one stands there"
    decide(at, house, 1, "weapon", "gun")
    assert at.button_group(key=f"case-{house.judge}-{house.items[2]}-motives-options")


def test_several_options_can_hold_and_all_can_be_settled(house: TagHouse) -> None:
    at = opened(house, "adjudication", house.judge, adjudication_cause="motives")
    name = f"case-{house.judge}-{house.items[2]}"
    assert field_of(at.button, "case-decide").disabled
    means = [f"**Money** · {md_literal('Gain.')}", f"**Fear** · {md_literal('Fright.')}"]
    assert [each.value for each in at.caption if each.value.startswith("**")] == means
    at.button_group(key=f"{name}-motives-options").set_value(["money"]).run()
    at.text_area(key=f"{name}-reason").set_value("Only money.").run()
    field_of(at.button, "case-decide").click().run()
    for item in (0, 1):
        kept(house.ws, house.judge, house.items[item], {"weapon": ["gun"]}, "So.")
    at = opened(house, "adjudication", house.judge)
    assert say("adjudication.none_left") in shown(at)
    assert "Weapon: Gun" in table(at, "Decision").to_string()
    at.button_group(key="adjudication-filter").set_value("decided").run()
    assert say("adjudication.supersede_note") in shown(at)


def test_a_side_is_taken_whole_and_decided_for_one_reason(house: TagHouse) -> None:
    item = house.items[0]
    kept(house.ws, house.judge, item, {"weapon": ["knife"]}, "A blade.")
    at = opened(house, "adjudication", house.judge)
    at.button(key="case-take-0").click().run()
    name = f"case-{house.judge}-{item}"
    assert field_of(at.button_group, f"{name}-blade-options").value == "short"
    at.button(key="case-take-1").click().run()
    assert field_of(at.button_group, f"{name}-weapon-options").value == "gun"
    assert say("factor_settle.chosen", count=2, of=1) in shown(at)


def test_the_judgment_stands_where_the_evidence_is(house: TagHouse) -> None:
    at = opened(house, "adjudication", house.judge)

    def place() -> list[object]:
        every = [each.proto.json for each in at.get("bidi_component")]
        [told] = [json.loads(each) for each in every if '"spans"' in each]
        at_span, turn = told["shown"]
        return [told["spans"][at_span]["text"], turn]

    assert place() == ["with a knife", 0]
    at.button(key="case-quote-weapon-0-0").click().run()
    assert place() == ["with a knife", 1]


def test_the_report_names_what_needs_work_and_reads_its_figures(house: TagHouse) -> None:
    at = opened(house, "factor_report", house.lead)
    assert say("factor_report.why.differ") in shown(at)
    at.selectbox(key="factor-chosen").set_value("blade").run()
    assert md_literal(say("factor_report.told.asked_of_some", count=2)) in shown(at)
    at.session_state["factors-agreement-chart"] = {"selection": {"picked": [{"row": 1}]}}
    at.run()
    assert at.selectbox(key="factor-chosen-1").value == "motives"
    at.selectbox(key="factor-scope").set_value("violence.injury").run()


def test_a_lead_says_when_suggestions_are_seen(house: TagHouse) -> None:
    tab = say("factor_report.tab.suggestions")
    at = opened(house, "factor_report", house.lead, factor_tab=tab)
    at.radio(key="factor-setting").set_value("hidden").run()
    at.button(key="factor-setting-save").click().run()
    assert read_setting(house.ws, SLUG).setting == "hidden"
    assert md_literal(say("factor_report.setting.saved", count=0)) in shown(at)
    assert say("llm.adds.tag_factors") in shown(at)  # no model is set
