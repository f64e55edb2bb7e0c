"""Sending questions through the layers: what is asked, kept, taken up, and asked no second time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from annotation.work.versioned_texts import CLOSURE_RULES
from corpus.model import Tier
from llm.batch import End
from services.cascade.report import list_questions, read_question, restore, withdraw
from services.cascade.running import estimate, plan_cascade
from storage.cascade.results import State, newest_results, passages, runs
from storage.db.columns import add_rows
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from storage.tables.augmentation import AugmentedQuestion
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.projects.cascade_project import (
    ACT,
    CHINESE,
    CLOSING,
    GOOD,
    LISTING,
    NOTICE,
    SHORT,
    SLUG,
    add_questions,
    in_order,
    judging,
    law,
    project,
    set_layers,
    verdict,
    without,
)
from tests.projects.cascade_project import (
    judged as run,
)
from tests.support.refusals import code_of


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace, _ = project(tmp_path / "workspace", clock)
    set_layers(workspace, without("closure"))
    return workspace


def good(*numbers: int) -> list[str]:
    return [GOOD.format(n=number) for number in numbers]


def fates(ws: Workspace) -> list[str]:
    return [
        f"{each.state}{f' {each.layer}' if each.layer else ''}" for each in list_questions(ws, SLUG)
    ]


def through(ws: Workspace) -> list[int]:
    with ws.reading() as session:
        return [number for number, each in passages(session, 1).items() if each.through]


def test_each_layer_takes_out_what_is_its_own_and_later_ones_are_not_asked(ws: Workspace) -> None:
    add_questions(ws, GOOD.format(n=1), LISTING, GOOD.format(n=2), CHINESE, SHORT)
    add_questions(ws, *good(3), level="L3")
    with judging(ws) as server:
        server.on("2만 원", Step(text=verdict("concrete_context")))
        done = run(ws)
        said = server.told
    assert fates(ws) == [
        "through", "rejected gate", "rejected judge", "rejected heuristics", "rejected heuristics",
        "rejected difficulty",
    ]  # fmt: skip
    assert done.rejected == {"difficulty": 1, "gate": 1, "heuristics": 2, "judge": 1}
    assert (done.through, done.unjudged, done.unanswered, done.end) == (1, 0, 0, End.DONE)
    assert len(said) == 5 and not any(LISTING in each for each in said)
    assert through(ws) == [1]
    with ws.reading() as session:
        results = newest_results(session, 1)
    assert [each.layer for each in results[1]] == ["gate", "judge", "heuristics", "difficulty"]
    assert [each.layer for each in results[2]] == ["gate"]
    [reason] = [each for each in results[3][1].reasons if not each["values"]["holds"]]
    assert reason == {
        "code": "concrete_context", "values": {"holds": False, "reason": "그렇습니다."},
    }  # fmt: skip


def test_what_the_judge_does_not_say_is_neither_passed_nor_rejected(ws: Workspace) -> None:
    silent = (
        (Step("refuse", text="no"), "refused", "declined"),
        (Step(text="I like it."), "invalid", "form"),
        (Step(text=verdict().replace("true", '"yes"', 1)), "invalid", "form"),
        (Step(text=verdict()[:40]), "invalid", "form"),
        (Step("error", status=500), "failed", "server"),
    )
    add_questions(ws, *good(*range(len(silent) + 1)))
    with judging(ws) as server:
        server.on("요청한 형식이 아닙니다", Step(text="still not"))
        for at, (step, *_) in enumerate(silent):
            server.on(f" {at}만 원", step)
        done = run(ws)
    assert fates(ws) == ["unjudged judge"] * len(silent) + ["through"]
    assert (done.unjudged, done.through, through(ws)) == (len(silent), 1, [len(silent) + 1])
    with ws.reading() as session:
        results = newest_results(session, 1)
    for at, (_, status, problem) in enumerate(silent, 1):
        [held] = [each for each in results[at] if each.layer == "judge"]
        said = {"status": status, "problem": problem}
        assert held.reasons == [{"code": "no_reply", "values": said}]


def test_only_what_failed_is_asked_again_and_then_it_goes_on(ws: Workspace) -> None:
    add_questions(ws, *good(1, 2))
    with judging(ws) as server:
        server.on("1만 원", Step("error", status=500), Step(text=verdict()))
        assert run(ws).unjudged == 1
        again = run(ws)
        assert server.asked == 3
        nothing = run(ws)
        assert server.asked == 3
    assert (again.questions, again.settled, again.through) == (1, 1, 1)
    assert (nothing.questions, nothing.settled) == (0, 2)
    assert fates(ws) == ["through", "through"]


def test_a_killed_run_is_taken_up_with_nothing_lost_or_doubled(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_questions(ws, *good(1, 2, 3, 4, 5))
    monkeypatch.setattr("services.cascade.running._TOGETHER", 2)
    with judging(ws, "concurrency = 1") as server:
        with monkeypatch.context() as patch:
            patch.setattr("services.cascade.running.add_rows", _killed_at_the_second())
            with pytest.raises(KilledError):
                run(ws)
        assert sorted(fates(ws)) == ["through"] * 2 + ["waiting"] * 3
        before = server.asked
        assert before >= 4
        done = run(ws)
        assert 5 <= server.asked <= 6  # once more what was on its way when it died
    assert (done.questions, done.settled, done.through) == (3, 2, 3)
    with ws.reading() as session:
        assert sum(map(len, newest_results(session, 1).values())) == 5 * 4
    assert through(ws) == [1, 2, 3, 4, 5]


class KilledError(Exception):
    """What ends the process in the middle of a write."""


def _killed_at_the_second() -> Callable[..., None]:
    times = count(1)

    def write(*given: Any) -> None:
        if next(times) > 1:
            raise KilledError
        add_rows(*given)

    return write


def test_stopped_before_it_began_it_keeps_nothing_and_waits(ws: Workspace) -> None:
    add_questions(ws, *good(1))
    with judging(ws) as server:
        done = run(ws, stop=True)
        assert (done.end, done.unanswered, server.asked) == (End.STOPPED, 1, 0)
        assert fates(ws) == ["waiting"]
        with ws.reading() as session:
            assert not runs(session, 1)
        assert run(ws).through == 1
    set_layers(ws, without("closure", "judge"))
    done = run(ws, stop=True)  # without a judge it is heeded too
    assert (done.end, done.unanswered) == (End.STOPPED, 1)


def test_what_it_costs_is_known_before(ws: Workspace) -> None:
    add_questions(ws, *good(1, 2), LISTING)
    more = "max_tokens = 100\nprice_in = 1.0\nprice_out = 2.0"
    with judging(ws, more) as server:
        first = estimate(ws, SLUG)
        assert server.asked == 0
        run(ws)
        after = estimate(ws, SLUG, again=True)
    assert (first.questions, first.settled, first.calls, first.known) == (3, 0, 2, 0)
    assert first.tokens > 200 and first.cost is not None and 0.0004 < first.cost < 0.1
    assert (after.questions, after.calls, after.known, after.tokens) == (3, 2, 2, 0)
    assert after.cost == 0


def test_a_new_version_of_the_layers_is_gone_through_anew_and_costs_nothing(ws: Workspace) -> None:
    add_questions(ws, *good(1), LISTING)
    with judging(ws) as server:
        run(ws)
        assert fates(ws) == ["through", "rejected gate"]
        set_layers(ws, without("closure", "gate"))
        done = run(ws)
        assert server.asked == 2
    assert (done.questions, done.settled) == (2, 0)
    assert fates(ws) == ["through", "through"]


def test_layers_stand_in_the_order_of_the_text(ws: Workspace) -> None:
    add_questions(ws, *good(1), SHORT)
    set_layers(ws, in_order(without("closure"), "heuristics", "difficulty", "judge"))
    with judging(ws) as server:
        run(ws)
        assert server.asked == 1
    with ws.reading() as session:
        results = newest_results(session, 1)
    assert [each.layer for each in results[1]] == ["gate", "heuristics", "difficulty", "judge"]
    assert fates(ws) == ["through", "rejected heuristics"]


def test_without_a_judge_no_model_is_needed(ws: Workspace) -> None:
    add_questions(ws, *good(1))
    assert code_of(plan_cascade, ws, SLUG) == "models_role_unset"
    set_layers(ws, without("closure", "judge"))
    assert run(ws).through == 1
    assert through(ws) == [1]
    set_layers(ws, without("closure", "judge", "people"))  # who are then given nothing
    run(ws)
    assert (fates(ws), through(ws)) == (["through"], [])


def test_a_restored_question_goes_on_and_later_layers_may_reject_it(ws: Workspace) -> None:
    add_questions(ws, LISTING)
    add_questions(ws, LISTING, level="L4")
    with judging(ws) as server:
        run(ws)
        for name in ("aug-0001", "aug-0002"):
            assert restore(ws, SLUG, name, "두 기관의 공동 과제").state is State.WAITING
        assert through(ws) == []
        run(ws)
        assert server.asked == 1
    assert fates(ws) == ["restored", "rejected difficulty"]
    assert through(ws) == [1]
    restore(ws, SLUG, "aug-0002", "조건이 있다")
    assert fates(ws) == ["restored", "restored"]  # difficulty was the last layer
    assert through(ws) == [1, 2]
    assert withdraw(ws, SLUG, "aug-0002", "잘못 눌렀다").layer == "difficulty"
    assert withdraw(ws, SLUG, "aug-0001", "잘못 눌렀다").layer == "gate"
    assert through(ws) == []


def test_somebody_can_speak_for_a_judge_who_says_nothing(ws: Workspace) -> None:
    add_questions(ws, *good(1))
    with judging(ws) as server:
        server.on("1만 원", Step("refuse", text="no"))
        run(ws)
        restore(ws, SLUG, "aug-0001", "읽어 보니 괜찮다")
        run(ws)
        assert server.asked == 1
    assert fates(ws) == ["restored"]


@pytest.mark.parametrize("act", [restore, withdraw])
def test_what_no_layer_holds_is_neither_restored_nor_withdrawn(ws: Workspace, act) -> None:
    add_questions(ws, *good(1))
    not_so = "cascade_not_held" if act is restore else "cascade_not_restored"
    assert code_of(act, ws, SLUG, "aug-0001", "why") == not_so
    assert code_of(act, ws, SLUG, "aug-0009", "why") == "augmented_question_unknown"
    assert code_of(act, ws, SLUG, "aug-0001", "  ") == "reason_missing"


def test_a_provision_that_the_law_lacks_leaves_the_level_open(ws: Workspace) -> None:
    set_layers(ws, without("closure", "judge"))
    create_project(ws, "other", "Other")
    keep_statutes(ws, "other", [replace(each, tier=Tier.RULE) for each in law()], "of one tier")
    add_questions(ws, *good(1), units=[f"{ACT}_9조"])
    add_questions(ws, *good(2), units=[f"{ACT}_2조", f"{NOTICE}_1조"], level="L4")
    add_questions(ws, *good(3), units=[f"{ACT}_1조", f"{NOTICE}_1조"], level="L3")
    add_questions(ws, *good(4), units=[], level="L1")
    add_questions(ws, *good(5), level="")
    run(ws)
    assert fates(ws) == [
        "unjudged difficulty", "through", "through", "unjudged difficulty", "unjudged difficulty",
    ]  # fmt: skip


def test_the_level_is_looked_at_by_what_the_answer_cites(ws: Workspace) -> None:
    set_layers(ws, without("judge"))
    levels = (
        (f"{ACT} 제1조에 따릅니다.", "through", ""),
        (f"{ACT} 제1조와 제2조에 따릅니다.", "rejected difficulty", "level"),
        (f"{ACT} 제1조, {NOTICE} 제1조에 따릅니다.", "rejected difficulty", "level"),
        ("수리비는 연구비로 낼 수 있습니다.", "unjudged difficulty", "no_references"),
    )
    for at, (answer, *_) in enumerate(levels):
        add_questions(ws, *good(at), answer=answer)
    run(ws)
    assert fates(ws) == [fate for _, fate, _ in levels]
    for at, (*_, code) in list(enumerate(levels, 1))[1:]:
        [reason] = read_question(ws, SLUG, f"aug-{at:04d}").state.results[-1].reasons
        assert reason["code"] == code


def closed(ws: Workspace, layers: str = "") -> None:
    CLOSURE_RULES.save(ws, SLUG, CLOSING, "", 1)
    set_layers(ws, layers or without("judge"))


def test_closure_adds_what_is_missing_by_rule_and_keeps_it_once(ws: Workspace) -> None:
    closed(ws)
    add_questions(ws, *good(1))
    assert run(ws).through == 1
    found = read_question(ws, SLUG, "aug-0001")
    assert [(each["unit"], each["role"]) for each in found.gold] == [
        (f"{ACT}_1조", "anchor"), (f"{NOTICE}_1조", "repairs"),
    ]  # fmt: skip
    added = {"unit": f"{NOTICE}_1조", "rule": "repairs", "words": "수리비"}
    makes = {"code": "completed_level", "values": {"target": "L1", "actual": "L3"}}
    assert found.state.results[-1].reasons == [{"code": "missing", "values": added}, makes]
    done = run(ws, again=True)
    assert (done.questions, done.settled, done.repeated) == (1, 0, 1)
    again = read_question(ws, SLUG, "aug-0001")
    assert again.gold == found.gold
    assert again.state.results[-1].reasons == [{"code": "added_before", "values": added}, makes]
    with ws.reading() as session:
        assert len(session.get_one(AugmentedQuestion, 1).gold) == 1


def test_closure_can_reject_instead_and_then_adds_nothing(ws: Workspace) -> None:
    closed(ws, without("judge").replace("on_missing: complete", "on_missing: reject"))
    add_questions(ws, *good(1))
    assert run(ws).rejected == {"closure": 1}
    assert len(read_question(ws, SLUG, "aug-0001").gold) == 1


def test_closure_before_difficulty_changes_the_level(ws: Workspace) -> None:
    closed(ws, in_order(without("judge"), "closure", "difficulty"))
    add_questions(ws, *good(1))
    add_questions(ws, *good(2), level="L3")
    run(ws)
    assert fates(ws) == ["rejected difficulty", "through"]
    assert len(read_question(ws, SLUG, "aug-0001").gold) == 1  # a rejected one is not completed


def test_gold_that_the_law_lacks_or_a_law_without_graph_leaves_closure_open(ws: Workspace) -> None:
    closed(ws, without("judge", "difficulty"))
    add_questions(ws, *good(1), units=[f"{ACT}_9조"])
    run(ws)
    assert fates(ws) == ["unjudged closure"]
    keep_statutes(ws, SLUG, law()[:1], "another law")
    run(ws)
    [held] = read_question(ws, SLUG, "aug-0001").state.results[-1:]
    assert [each["code"] for each in held.reasons] == ["no_graph"]
