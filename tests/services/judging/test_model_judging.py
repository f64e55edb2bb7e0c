"""Asking judges, against the scripted server."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import select

from annotation.judging.state import pairs
from evaluation.judging.estimate import Pair, Winner
from llm.batch import End, Progress
from services.judging import model_judging
from services.judging.importing import import_cases
from services.judging.model_judging import JudgeTask, JudgingPlan, plan_calls
from services.models.prompts import packaged_body, save_prompt
from storage.tables.answers import Verdict
from storage.tables.models import LlmCall
from tests.annotation.judging.answered import (
    QUESTIONS,
    SLUG,
    Answered,
    case,
    jsonl,
    run_judge,
)
from tests.llm.server import Server, Step
from tests.support.refusals import code_of


@pytest.fixture
def answered(answered: Answered, server: Server) -> Answered:
    server.plays(answered.ws.folder)
    return answered


def _rows(answered: Answered) -> list[dict[str, Any]]:
    with answered.ws.reading() as session:
        return [row.model_dump() for row in session.exec(select(Verdict).order_by("id"))]


def test_each_answer_is_graded_once_and_the_call_is_named(
    answered: Answered, server: Server
) -> None:
    server.on("q1", Step(text="1"))
    server.on("q2", Step(text="0."))
    server.on("q3", Step(text="It is hard to say."))
    done = run_judge(answered.ws, SLUG, JudgingPlan())
    assert (done.total, done.done, done.end) == (6, 6, End.DONE)
    rows = _rows(answered)
    assert len(rows) == 6
    assert [answered.state(each).verdicts for each in QUESTIONS] == [
        {"gpt": True},
        {"gpt": False},
        {"gpt": None},
    ]
    unread = next(row for row in rows if row["verdict"] is None)
    assert (unread["state"], unread["raw"]) == ("unread", "It is hard to say.")
    with answered.ws.reading() as session:
        calls = {row.id: row.prompt_id for row in session.exec(select(LlmCall))}
    assert {calls[row["llm_call_id"]] for row in rows} == {"judge_binary.en"}
    assert all(row["prompt"].startswith("judge_binary.en@1-") for row in rows)
    assert not any(row["imported"] for row in rows)
    said = next(each for each in server.told if "The small model says no." in each)
    assert "May a boat sail" in said and "Article 1 asks for a lamp." in said


def test_running_again_asks_nobody_and_adds_nothing(answered: Answered, server: Server) -> None:
    server.on("", Step(text="1"))
    run_judge(answered.ws, SLUG, JudgingPlan())
    before = _rows(answered)
    again = run_judge(answered.ws, SLUG, JudgingPlan())
    assert (again.recalled, len(server.seen)) == (6, 6)
    assert _rows(answered) == before
    run_judge(answered.ws, SLUG, JudgingPlan(judge="gpt, again", repeat=1))
    assert len(server.seen) == 12
    assert answered.state().verdicts == {"gpt": True, "gpt, again": True}


def test_a_refusal_and_a_failure_are_missing_and_the_failure_is_asked_again(
    answered: Answered, server: Server
) -> None:
    server.on("q1", Step("refuse", text="No."))
    server.on("q2", Step("error", status=400), Step(text="1"))
    server.on("q3", Step(text="1"))
    plan = JudgingPlan(systems=("small",))
    run_judge(answered.ws, SLUG, plan)
    assert [row["state"] for row in sorted(_rows(answered), key=lambda row: row["case_id"])] == [
        "refused",
        "failed",
        "said",
    ]
    assert answered.state("q2").verdicts == {"gpt": None}
    run_judge(answered.ws, SLUG, plan)
    assert len(server.seen) == 4
    assert answered.state("q2").verdicts == {"gpt": True}
    assert answered.state("q1").verdicts == {"gpt": None}


def test_a_run_that_is_stopped_is_taken_up_without_asking_twice(
    answered: Answered, server: Server
) -> None:
    server.on("", Step(text="1"))
    server.plays(answered.ws.folder, "concurrency = 1\n")
    progress = Progress(0)
    stop = SimpleNamespace(is_set=lambda: progress.done >= 2)
    first = asyncio.run(
        model_judging.run_judge(
            answered.ws, plan_calls(answered.ws, SLUG, JudgingPlan()), progress, stop
        )
    )
    assert first.end is End.STOPPED
    assert len(_rows(answered)) == first.done < 6
    run_judge(answered.ws, SLUG, JudgingPlan())
    assert len(_rows(answered)) == 6
    assert len(server.counts) == 6
    assert set(server.counts.values()) == {1}


def test_pairs_are_asked_in_both_orders(answered: Answered, server: Server) -> None:
    server.on("Answer A:\nThe small", Step(text="A"))
    server.on("Answer B:\nThe small", Step(text="A"))
    run_judge(
        answered.ws, SLUG, JudgingPlan(JudgeTask.PAIRWISE, systems=("small",), against="large")
    )
    assert len(server.seen) == 6
    assert any("Lake Act Article 1\nBoats need a lamp." in each for each in server.told)
    with answered.ws.reading() as session:
        found = pairs(session, 1)
    assert found == {("gpt", "small", "large"): [Pair(Winner.FIRST, Winner.SECOND)] * 3}


def test_without_another_system_pairs_are_with_the_official_answer(
    answered: Answered, server: Server
) -> None:
    server.on("Answer A:\nNo: Article 1", Step(text="A"))
    server.on("Answer B:\nNo: Article 1", Step(text="B"))
    run_judge(answered.ws, SLUG, JudgingPlan(JudgeTask.PAIRWISE))
    with answered.ws.reading() as session:
        found = pairs(session, 1)
    assert found == {
        ("gpt", "large", ""): [Pair(Winner.SECOND, Winner.SECOND)] * 3,
        ("gpt", "small", ""): [Pair(Winner.SECOND, Winner.SECOND)] * 3,
    }


def test_equal_answers_are_one_call_and_two_verdicts(answered: Answered, server: Server) -> None:
    lines = [case("q9", system, answer="The same.") for system in ("small", "large")]
    import_cases(answered.ws, SLUG, jsonl(answered.folder / "more.jsonl", lines))
    server.on("", Step(text="1"))
    run_judge(answered.ws, SLUG, JudgingPlan())
    assert len(server.counts) == 7
    assert [answered.state("q9", each).verdicts for each in ("small", "large")] == [
        {"gpt": True},
        {"gpt": True},
    ]


def test_a_plan_that_cannot_be_asks_nobody(answered: Answered, server: Server) -> None:
    for plan, code in (
        (JudgingPlan(systems=("huge",)), "judging_no_cases"),
        (
            JudgingPlan(JudgeTask.PAIRWISE, against="large", systems=("large",)),
            "judging_no_cases",
        ),
        (JudgingPlan(judge="majority"), "judging_name_taken"),
        (JudgingPlan(judge="x" * 201), "judging_name_long"),
    ):
        assert code_of(run_judge, answered.ws, SLUG, plan) == code
    assert server.seen == []


def test_the_projects_own_wording_is_used_and_named(answered: Answered, server: Server) -> None:
    body = packaged_body("judge_binary", "en").replace("You grade answers", "You strictly grade")
    save_prompt(answered.ws, SLUG, "judge_binary", "en", body, "Stricter.", 1)
    run_judge(answered.ws, SLUG, JudgingPlan(systems=("small",)))
    assert "You strictly grade" in server.seen[0].body["messages"][0]["content"]
    assert all(row["prompt"].startswith("judge_binary.en@2-") for row in _rows(answered))
