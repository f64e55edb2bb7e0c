"""The screen of answers: ask, what came, one answer beside its context."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from construction.answers.contexts import ContextSpec, Format, Kind
from services.background.tasks import TaskKind, latest
from tests.llm.server import Server, Step, scripted
from tests.pages import screens
from tests.pages.screens import buttons, select
from tests.pages.small_project import shown
from tests.projects.answers_project import answered, set_model, standing
from tests.projects.closure_law import REPORT
from tests.projects.closure_project import SLUG, Ferry, ferry


@dataclass
class Asked:
    project: Ferry
    server: Server


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    with scripted() as server:
        found = ferry(tmp_path / "w")
        set_model(found.ws, server)
        yield Asked(found, server)


def opened(asked: Asked, by: int = 0) -> AppTest:
    return screens.opened("answers", asked.project.ws, by or asked.project.lead, SLUG)


def test_the_calls_are_counted_before_they_are_made(asked: Asked) -> None:
    asked.server.on("", Step(text="시장에게 신고합니다."))
    at = opened(asked)
    assert "Count the calls first" in shown(at) and not at.error and not asked.server.seen
    assert at.multiselect(key="answers-roles").options[2].startswith("gpt (")
    at.multiselect(key="answers-kinds").set_value([Kind.NONE, Kind.GOLD]).run()
    at.number_input(key="answers-number").set_value(2).run()
    at = at.button(key="answers-plan").click().run()
    at = at.number_input(key="answers-number").set_value(0).run()
    assert "answers-start" not in buttons(at), "a changed choice is counted anew"
    at = at.button(key="answers-plan").click().run()
    table = at.dataframe[0].value
    assert list(table.iloc[:, 0]) == ["gpt (closed)", "gpt (gold)"]
    assert list(table.iloc[:, 2]) == [6, 4] and not asked.server.seen
    at = at.button(key="answers-start").click().run()
    run = latest(asked.project.ws, SLUG, TaskKind.ANSWER)
    assert run is not None
    run.wait(100)
    assert len(asked.server.seen) == len(standing(asked.project.ws)) == 10


def test_the_anchor_can_be_left_out_of_answers_by_provision(asked: Asked) -> None:
    at = opened(asked)
    assert not [each for each in at.checkbox if each.key == "answers-anchor"]
    at.multiselect(key="answers-kinds").set_value([Kind.GOLD]).run()
    at.multiselect(key="answers-formats").set_value([Format.PER_PROVISION]).run()
    names = []
    for anchor in (True, False):
        at = at.checkbox(key="answers-anchor").set_value(anchor).run()
        at = at.button(key="answers-plan").click().run()
        names += list(at.dataframe[0].value.iloc[:, 0])
    assert names == ["gpt (gold, per provision with anchor)", "gpt (gold, per provision)"]


def test_an_answer_is_opened_beside_its_context(asked: Asked) -> None:
    good = {REPORT: ["[제1항] 시장에게 신고한다."], "없는-법_1조": [], "answer": "**신고**합니다."}
    asked.server.on("과태료", Step(text=json.dumps(good, ensure_ascii=False)))
    asked.server.on("", Step(text="모르는 말"))
    spec = ContextSpec(Kind.GOLD)
    answered(asked.project.ws, contexts=(spec,), formats=(Format.PER_PROVISION,))
    at = opened(asked, by=asked.project.judge)
    tabs: Any = at.segmented_control(key="answers-tab")
    assert len(tabs.options) == 1, "an adjudicator reads and does not ask"
    assert any("No JSON" in each for each in at.dataframe[0].value.columns)
    at = select(at, "answers-systems", 0)
    assert list(at.dataframe[1].value.iloc[:, 0]) == ["q1", "q2", "q3", "q5"]
    at = select(at, "answers-1-all", 0)
    words = shown(at).replace("\\", "")
    assert "없는-법_1조" in words and REPORT in words
    assert "나루법 제1조" in at.expander[-1].label.replace("\\", "")
    assert "[제1항] 시장에게 신고한다." in words
