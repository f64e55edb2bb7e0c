"""The screen of answers: ask, what came, one answer beside its context."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.members import list_people
from construction.answers.contexts import ContextSpec, Format, Kind
from services.background.tasks import TaskKind, latest
from tests.llm.server import Server, Step, scripted
from tests.pages.small_project import page, shown
from tests.projects.answers_project import answered, keep_bm25, set_model, standing
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


def opened(asked: Asked, language: str = "en", by: int = 0) -> AppTest:
    people = {each.id: each for each in list_people(asked.project.ws, SLUG)}
    person = people[by or asked.project.lead]
    at = page("answers", asked.project.ws, person, language, project=SLUG).run()
    return at


def picked(at: AppTest, key: str, row: int) -> AppTest:
    at.session_state[key] = {"selection": {"rows": [row], "columns": []}}
    at = at.run()
    return at


@pytest.mark.parametrize(
    ("language", "first"), [("en", "Count the calls first"), ("ko", "호출 수를 먼저")]
)
def test_the_calls_are_counted_before_they_are_made(
    asked: Asked, language: str, first: str
) -> None:
    asked.server.on("", Step(text="시장에게 신고합니다."))
    at = opened(asked, language)
    assert first in shown(at) and not at.error and not asked.server.seen
    assert at.multiselect(key="answers-roles").options[2].startswith("gpt (")
    at.multiselect(key="answers-kinds").set_value([Kind.NONE, Kind.GOLD]).run()
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


def test_a_stored_run_that_nobody_chose_is_not_dropped(asked: Asked) -> None:
    keep_bm25(asked.project.ws)
    at = opened(asked)
    at.multiselect(key="answers-kinds").set_value([Kind.NONE, Kind.RUN]).run()
    at = at.button(key="answers-plan").click().run()
    assert "no run is named" in at.error[0].value and not at.dataframe


def test_a_changed_choice_is_counted_anew(asked: Asked) -> None:
    at = opened(asked)
    at = at.button(key="answers-plan").click().run()
    assert any(each.key == "answers-start" for each in at.button)
    at = at.number_input(key="answers-number").set_value(2).run()
    assert not any(each.key == "answers-start" for each in at.button)


@pytest.mark.parametrize(("language", "invalid"), [("en", "No JSON"), ("ko", "JSON 객체 없음")])
def test_an_answer_is_opened_beside_its_context(asked: Asked, language: str, invalid: str) -> None:
    good = {REPORT: ["[제1항] 시장에게 신고한다."], "없는-법_1조": [], "answer": "**신고**합니다."}
    asked.server.on("과태료", Step(text=json.dumps(good, ensure_ascii=False)))
    asked.server.on("", Step(text="모르는 말"))
    spec = ContextSpec(Kind.GOLD)
    answered(asked.project.ws, contexts=(spec,), formats=(Format.PER_PROVISION,))
    at = opened(asked, language)
    columns = list(at.dataframe[0].value.columns)
    assert any(invalid in each for each in columns)
    at = picked(at, "answers-systems", 0)
    assert list(at.dataframe[1].value.iloc[:, 0]) == ["q1", "q2", "q3", "q5"]
    at = picked(at, "answers-1-all", 0)
    words = shown(at).replace("\\", "")
    assert "없는-법_1조" in words and REPORT in words
    assert "나루법 제1조" in at.expander[-1].label.replace("\\", "")
    assert "[제1항] 시장에게 신고한다." in words


@pytest.mark.parametrize("who", ["ann", "ben"])
def test_whoever_rates_learns_of_no_system_here(asked: Asked, who: str) -> None:
    answered(asked.project.ws, questions=("q1",))
    at = opened(asked, by=getattr(asked.project, who))
    assert len(at.dataframe) == len(at.button) == len(at.multiselect) == 0
    assert "gpt" not in shown(at)


def test_an_adjudicator_reads_and_does_not_ask(asked: Asked) -> None:
    answered(asked.project.ws, questions=("q1",))
    at = opened(asked, by=asked.project.judge)
    tabs: Any = at.segmented_control(key="answers-tab")
    assert len(tabs.options) == 1 and len(at.dataframe) == 1


def test_without_a_model_it_says_so(tmp_path: Path) -> None:
    found = ferry(tmp_path / "w")
    with scripted() as server:
        at = opened(Asked(found, server))
    assert "docs/models.md" in shown(at)
