"""Solving: every question under every setting, each answer a vote, nothing asked twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from sqlmodel import select

from evaluation.mcq.votes import Setting
from llm.batch import End
from services.mcq.generation import GenerationOptions, generate, plan
from services.mcq.report import mcq_report
from services.mcq.solving import SolvingOptions, plan_solving
from services.models.prompts import packaged_body, save_prompt
from storage.db.workspace import Workspace
from storage.mcq.votes import VoteView, votes
from storage.tables.mcq import McqVote
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.llm.serving import serving, to_the_end
from tests.projects.project_cache import kept
from tests.services.mcq.mcq_project import SLUG, make, writes
from tests.services.mcq.mcq_project import run_solving as run
from tests.support.refusals import code_of


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    kept("questions to solve", workspace, lambda: written(workspace))
    return workspace


def written(ws: Workspace) -> None:
    """Make the project and have three questions written."""
    make(ws)
    with serving(ws) as server:
        writes(server, 6)
        to_the_end(generate, ws, plan(ws, SLUG, GenerationOptions(number=3)))


def cast(ws: Workspace) -> list[VoteView]:
    with ws.reading() as session:
        return votes(session, 1)


def test_every_question_is_asked_under_every_setting(ws: Workspace) -> None:
    with serving(ws) as server:
        server.on("", Step(text="Option 2."))
        done = run(ws)
        assert server.asked == 12
        said = server.told
        again = run(ws)
        assert (again.recalled, again.calls, server.asked) == (12, 12, 12)
    assert (done.questions, done.calls, done.end) == (3, 12, End.DONE)
    assert done.states == {"answered": 12}
    with ws.reading() as session:
        assert len(session.exec(select(McqVote.id)).all()) == 12
    found = cast(ws)
    assert {(v.mcq_id, v.setting) for v in found} == {(n, s) for n in (1, 2, 3) for s in Setting}
    assert {(v.choice, v.state, v.raw, v.model) for v in found} == {(1, "chosen", "Option 2.", "m")}
    with_a, with_b = "소방서장에게 신고", "일을 말한다"
    assert sum(with_a in text for text in said) == sum(with_b in text for text in said) == 6
    assert sum(with_a in text and with_b in text for text in said) == 3


REPLIES = (  # what is said, how it counts, and the vote's state and choice
    (Step(text="②"), "answered", "chosen", 1),
    (Step(text="정답: 5번"), "abstained_option", "chosen", 4),
    (Step(text="주어진 정보만으로는 판단할 수 없습니다."), "abstained_words", "unparsed", None),
    (Step(text="죄송하지만 법률 자문을 제공할 수 없습니다."), "refused", "unparsed", None),
    (Step(text="The answer is 1. The answer is 2."), "unreadable", "several", None),
    (Step(text="9"), "unreadable", "out_of_range", None),
    (Step(text="An essay on paint.\n\n**<b>It depends</b>**"), "unreadable", "unparsed", None),
    (Step(text=""), "unreadable", "empty", None),
    (Step("refuse", text="I will not."), "refused", "refused", None),
)


def test_every_reply_counts_as_what_it_says(ws: Workspace) -> None:
    with serving(ws, "concurrency = 1") as server:
        server.on("", *(step for step, *_ in REPLIES))
        done = run(ws, repeats=3, settings=(Setting.A,))
    assert done.states == Counter(outcome for _, outcome, _, _ in REPLIES)
    said = sorted((step.text, state, choice) for step, _, state, choice in REPLIES)
    assert sorted((v.raw, v.state, v.choice) for v in cast(ws)) == said
    [line] = mcq_report(ws, SLUG).counts
    assert {str(outcome): count for outcome, count in line.outcomes.items()} == done.states


def test_a_failed_call_is_no_vote_and_asked_again(ws: Workspace) -> None:
    with serving(ws, "concurrency = 1") as server:
        server.on("", Step("error", status=500), Step(text="1"))
        first = run(ws, settings=(Setting.BOTH,))
        assert (first.failed, first.states) == (1, {"answered": 2})
        second = run(ws, settings=(Setting.BOTH,))
        assert (second.failed, second.recalled, second.states) == (0, 2, {"answered": 3})
        assert server.asked == 4
    assert len(cast(ws)) == 3


def test_models_and_repeats_are_told_apart(ws: Workspace) -> None:
    with serving(ws) as server:
        server.on("", Step(text="1"))
        done = run(ws, models=("base", " adapted ", "base"), repeats=2, settings=(Setting.A,))
        assert server.asked == 12
        assert {seen.body["model"] for seen in server.seen} == {"base", "adapted"}
    assert done.calls == 12
    assert {(v.model, v.repeat) for v in cast(ws)} == {
        (model, repeat) for model in ("base", "adapted") for repeat in (0, 1)
    }


def test_a_kill_before_votes_are_kept_loses_none(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(ws) as server:
        server.on("", Step(text="3"))
        with monkeypatch.context() as patch:
            patch.setattr("services.mcq.solving.keep_votes", _fails)
            with pytest.raises(OSError, match="disk"):
                run(ws)
        assert cast(ws) == []
        run(ws)
        assert server.asked == 12
    assert len(cast(ws)) == 12


def _fails(*_: object) -> None:
    raise OSError("disk")


def test_a_budget_ends_it_between_models_too(ws: Workspace) -> None:
    with serving(ws, "concurrency = 1\n[budget]\ncalls = 10") as server:
        done = run(ws, models=("base", "adapted"))
        assert server.asked == 7  # three calls had been made to write the questions
    assert done.end is End.BUDGET
    assert len(cast(ws)) == server.asked


def test_what_cannot_be_asked_is_refused(ws: Workspace) -> None:
    for ask, code in (
        (SolvingOptions(repeats=0), "mcq_repeats"),
        (SolvingOptions(repeats=21), "mcq_repeats"),
        (SolvingOptions(settings=()), "mcq_settings"),
    ):
        assert code_of(plan_solving, ws, SLUG, ask) == code


def test_without_questions_there_is_nothing_to_solve(tmp_path: Path) -> None:
    ws = Workspace(tmp_path / "other")
    make(ws)
    with serving(ws):
        assert code_of(plan_solving, ws, SLUG, SolvingOptions()) == "mcq_none"


def test_a_projects_own_wording_is_said(ws: Workspace) -> None:
    body = packaged_body("mcq_solve_closed", "ko")
    save_prompt(ws, SLUG, "mcq_solve_closed", "ko", f"{body}\n깊이 생각하세요.", "deeper", 1)
    with serving(ws) as server:
        run(ws, settings=(Setting.ZERO, Setting.A))
        said = server.told
    assert sum("깊이 생각하세요." in text for text in said) == 3
    assert {vote.prompt_version[:2] for vote in cast(ws)} == {"1-", "2-"}
