"""What may be said of a researched question, when it can be submitted, and what is in dispute."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from annotation.adjudication.tasks import disputes_of
from annotation.agreement.report import report
from annotation.forms.disputes import FormDisputeView
from annotation.forms.form import answer
from annotation.research import FORM, question_in
from annotation.work import commands
from annotation.work.queue_service import open_item
from services.law.watch import law_watch, unconfirmed
from storage.law.imports import keep_statutes
from storage.tables.core import QuestionRow
from storage.tasks import Task
from tests.projects.research_project import (
    ARTICLE,
    CASE,
    OTHER,
    RULE,
    SLUG,
    ResearchHouse,
    build,
    law,
    passage,
    submitted,
)
from tests.support.refusals import code_of

STEP = {"step": "query", "query": "선임!", "found": {"statutes": [2, 3]}}


@pytest.fixture
def house(tmp_path, clock) -> ResearchHouse:
    return build(tmp_path / "w", clock)


def say(house: ResearchHouse, field: str, value: Any, item: int = 0) -> None:
    answer(house.ws, house.ann, house.items[item], field, value)


def test_passages_stand_in_what_was_shown(house) -> None:
    say(house, "passages", [passage()])
    case = {"collection": "cases", "id": "2020도1"}
    both = [
        passage(OTHER, OTHER, collection="statutes", id="소방법_2조"),
        passage(CASE[:5], CASE, **case),
    ]
    say(house, "passages", both)
    kept = open_item(house.ws, house.ann, house.items[0]).answers["passages"]
    assert [each["id"] for each in kept] == ["2020도1", "소방법_2조"]
    moved = passage() | {"start": 0, "end": len(RULE)}
    for wrong in (moved, passage() | {"id": "소방법_9조"}, passage() | {"collection": "cases"}):
        assert code_of(say, house, "passages", [wrong]) == "research_elsewhere"
    assert code_of(say, house, "passages", [passage()] * 11) == "research_passages"


LONG = {"step": "query", "query": "x" * 4_000, "found": {"statutes": [0, 0], "cases": [1, 2]}}


def test_as_much_as_is_allowed_is_kept() -> None:
    most = passage() | {"quote": "x" * 10_000, "id": "x" * 500, "start": 0, "end": 1}
    assert FORM.record("passages", [most] * 10) == [most]
    assert FORM.record("trail", [LONG] * 1_000) == [LONG] * 1_000
    assert list(FORM.record("trail", [LONG])[0]["found"]) == ["cases", "statutes"]


def test_what_has_another_form_is_refused() -> None:
    parts: list[Any] = [{"start": True}, {"end": True}, {"start": 3, "end": 3}, {"quote": 3}]
    parts += [
        {"more": 1},
        {"start": -1},
        {"quote": ""},
        {"id": ""},
        {"id": 3},
        {"id": "x" * 501},
        {"quote": "x" * 10_001},
    ]
    steps: list[Any] = [
        "open",
        {"step": "open", **ARTICLE, "more": 1},
        LONG | {"query": "x" * 4_001},
    ]
    steps += [STEP | each for each in ({"more": 1}, {"step": "look"}, {"query": ""}, {"query": 3})]
    for counts in ([1], [1, 2, 3], [1, -1], [True, 1], "12"):
        steps.append(STEP | {"found": {"cases": [0, 0], "statutes": counts}})
    for wrong in ({}, passage() | {"collection": "books"}, *(passage() | each for each in parts)):
        assert code_of(FORM.record, "passages", [wrong]) == "research_value"
    for wrong in steps:
        assert code_of(FORM.record, "trail", [wrong]) == "research_value"
    for wrong in ([], "x", [STEP] * 1_001):
        assert code_of(FORM.record, "trail", wrong) == "research_steps"
    assert code_of(FORM.record, "passages", "x") == "research_passages"
    assert code_of(FORM.record, "rule", 3) == "research_value"


def test_choices_and_area_are_read_from_any_file() -> None:
    row = QuestionRow(project_id=1, external_id="q", text="t", answer="a", language="ko")
    session: Any = SimpleNamespace(get=lambda *_: row)
    read: tuple[tuple[dict[str, Any], tuple[str, ...], str], ...] = (
        ({"choices": [{"label": "A", "text": "x"}, 3], "area": "fire"}, ("A. x", "3"), "fire"),
        ({"options": [{"text": "x"}], "columns": {"area": "tax"}}, ("x",), "tax"),
        ({"choices": "xy", "columns": "area"}, (), ""),
    )
    for row.source, *wanted in read:
        found = question_in(session, 1, 1)
        assert [found.choices, found.area] == wanted
    assert code_of(question_in, session, 2, 1) == "research_question"


def test_the_trail_only_grows(house) -> None:
    opened = {"step": "open", **ARTICLE}
    say(house, "trail", [STEP])
    say(house, "trail", [STEP, opened])
    for wrong in ([opened], [STEP], [STEP, opened, STEP, STEP], [opened, STEP, STEP]):
        assert code_of(say, house, "trail", wrong) == "research_trail"
    assert code_of(say, house, "trail", None) == "research_trail"
    for shape in ({"step": "query"}, STEP | {"found": {"books": [1, 1]}}, STEP | {"found": [1]}):
        assert code_of(say, house, "trail", [STEP, opened, shape]) == "research_value"
    assert code_of(say, house, "colour", "red") == "research_field"
    assert code_of(say, house, "outcome", "maybe") == "research_value"


def test_a_submission_says_what_it_has_to(house) -> None:
    item = house.items[0]

    def submit() -> None:
        commands.submit(house.ws, house.ann, item)

    assert code_of(submit) == "research_outcome"
    say(house, "outcome", "found")
    assert code_of(submit) == "research_no_passage"
    say(house, "passages", [passage()])
    assert code_of(submit) == "research_no_rule"
    say(house, "rule", "관계인이 선임한다.")
    say(house, "outcome", "none")
    assert code_of(submit) == "research_passage_none"
    say(house, "outcome", "found")
    submit()
    assert open_item(house.ws, house.ann, item).status == "submitted"


def test_people_differ_by_authority_and_not_by_the_cut(house) -> None:
    alike, apart, none = house.items
    submitted(house, house.ann, alike, passage())
    submitted(house, house.ben, alike, passage(RULE[:10]))
    submitted(house, house.ann, apart, passage())
    submitted(
        house, house.ben, apart, passage(OTHER, OTHER, collection="statutes", id="소방법_2조")
    )
    submitted(house, house.ann, none)
    submitted(house, house.ben, none, passage())
    disputes = disputes_of(Task.RESEARCH)
    assert [each.item_id for each in disputes.queue(house.ws, house.judge)] == [apart, none]
    case = disputes.open_dispute(house.ws, house.judge, apart)
    assert isinstance(case, FormDisputeView)
    gold = case.sides[1].answers
    disputes.decide(house.ws, house.judge, apart, gold, "the fine is asked for")
    settled = disputes.open_dispute(house.ws, house.judge, apart).settled
    assert settled is not None and settled.answers.keys() == gold.keys() - {"trail"}
    assert [each.state for each in disputes.queue(house.ws, house.judge)] == ["decided", "open"]


def test_agreement_has_authorities_and_the_overlap_of_passages(house) -> None:
    submitted(house, house.ann, house.items[0], passage())
    submitted(house, house.ben, house.items[0], passage())
    submitted(house, house.ann, house.items[1], passage())
    submitted(house, house.ben, house.items[1], passage(RULE.rpartition(" ")[0]))
    found = report(house.ws, SLUG, task=Task.RESEARCH)
    rows = {
        (row.names, row.finding.statistic): row.finding.figure.value
        for table in found.tables
        for row in table.rows
    }
    assert rows[("passages",), "exact_passage"] == 0.5
    assert rows[("passages",), "same_authority"] == 1.0
    assert 0.5 < (rows[("passages",), "token_f1"] or 0) < 1
    assert rows[("passages", "Ann", "Ben"), "exact_passage"] == 0.5


def test_passages_of_amended_provisions_are_watched_and_no_others(tmp_path, clock) -> None:
    house = build(tmp_path / "w", clock)
    case = {"collection": "cases", "id": "2020도1"}
    for who in (house.ann, house.ben):
        submitted(house, who, house.items[0], passage())
        submitted(house, who, house.items[1], passage(CASE[:9], CASE, **case))
    submitted(house, house.ann, house.items[2])
    waiting = "items resting on provisions amended since, not confirmed"
    assert unconfirmed(house.ws, SLUG, (Task.RESEARCH,))[waiting] == 0
    keep_statutes(house.ws, SLUG, law("① 관계인은 선임하지 아니할 수 있다."), "new")
    assert unconfirmed(house.ws, SLUG, (Task.RESEARCH,))[waiting] == 1
    submitted(house, house.ben, house.items[2], passage())
    for who, items in ((house.ann, {house.items[0]}), (house.ben, {*house.items[::2]})):
        watched = law_watch(house.ws, SLUG, task="research", by=who).entries
        assert {each.item_id for each in watched} == items, "an annotator's own marks alone"
