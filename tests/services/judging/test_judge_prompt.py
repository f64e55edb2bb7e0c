"""What a reviewer is told that a judge was asked is what the judge was asked."""

from __future__ import annotations

import pytest

from annotation.judging.answer_views import OpenCase, open_case
from annotation.work import queue_service
from services.judging.judge_prompt import prompts_of_verdicts
from services.judging.model_judging import JudgeTask, JudgingPlan
from services.models.prompts import save_prompt
from tests.annotation.judging.answered import SLUG, Answered, run_judge, verdict
from tests.llm.server import Server, Step


@pytest.fixture
def answered(answered: Answered, server: Server) -> Answered:
    server.on("", Step(text="1"))
    server.plays(answered.ws.folder)
    return answered


def opened(answered: Answered) -> OpenCase:
    where = answered.ws, answered.adjudicator
    return open_case(*where, queue_service.open_item(*where, answered.state().review_item or 0))


def told(answered: Answered) -> list[str]:
    return prompts_of_verdicts(answered.ws, answered.adjudicator, opened(answered))


def sent(server: Server) -> set[str]:
    bodies = [each.body["messages"] for each in server.seen]
    return {"\n\n".join(message["content"] for message in body) for body in bodies}


def test_it_is_what_was_sent(answered: Answered, server: Server) -> None:
    run_judge(answered.ws, SLUG, JudgingPlan(systems=("small",)))
    run_judge(answered.ws, SLUG, JudgingPlan(JudgeTask.PAIRWISE, systems=("small",)))
    run_judge(
        answered.ws, SLUG, JudgingPlan(JudgeTask.PAIRWISE, systems=("small",), against="large")
    )
    found = told(answered)
    assert len(set(found)) == 5, "one grade, and two pairs in both orders"
    assert set(found) <= sent(server)


def test_a_version_of_the_projects_own_is_told_after_it_was_replaced(
    answered: Answered, server: Server
) -> None:
    body = "=== user ===\nFirst: {{question}} {{reference}} {{answer}}"
    where = answered.ws, SLUG, "judge_binary", "en"
    save_prompt(*where, body, "", 1)
    run_judge(answered.ws, SLUG, JudgingPlan(systems=("small",)))
    save_prompt(*where, body.replace("First", "Second"), "", 2)
    answered.judge(verdict("q1", True, "other"))  # of an imported one it is not known
    found, unknown = sorted(told(answered), reverse=True)
    assert unknown == ""
    assert found.startswith("First: May a boat sail")
    assert found in sent(server)
