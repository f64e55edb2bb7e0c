"""Writing questions by axes: what is asked, what is kept, and that nothing is asked twice."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from construction.augmentation.axes import Cell, Demand, Wanted
from llm.batch import End
from services.augmentation.planning import WritingOptions, plan
from services.augmentation.report import listing, matrix, question_detail, question_lines
from services.augmentation.report_tables import as_report
from storage.augmentation.questions import makings, questions
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions
from storage.tables.augmentation import AugmentationAttempt
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.projects.augmentation_project import (
    ACT,
    DECREE,
    SLUG,
    make,
    question_on,
    serving,
    writes,
    written,
)
from tests.projects.small_law import questions as small_questions
from tests.support.refusals import refused


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    make(workspace)
    return workspace


def want(kind: str, level: str, target: int = 1, facet: str = "", **more: Any) -> Wanted:
    return Wanted(Cell(kind, level, facet), target, **more)


def options(*wanted: Wanted, **more: Any) -> WritingOptions:
    return WritingOptions(wanted, **more)


PLAIN = want("single_clause", "L1", 3)


LEVELS = (
    ("창고안전법 제2조에 따릅니다.", "L1"),
    ("제2조제1항에 따릅니다.", "L1"),  # the statute that governs is meant
    ("창고안전법 제2조와 같은 법 시행령 제2조에 따릅니다.", "L3"),
    ("창고안전법 제2조, 제3조에 따릅니다.", "L2"),
    ("창고안전법 제10조와 제1조에 따릅니다.", "L4"),
    ("창고안전법 제99조에 따릅니다.", ""),
    ("점검하여야 합니다.", ""),
)


def test_the_level_is_that_of_the_provisions_that_the_answer_cites(ws: Workspace) -> None:
    answers = iter([answer for answer, _ in LEVELS])
    with serving(ws) as server:
        server.says = lambda said: writes(said, answer=next(answers))
        written(ws, options(want("single_clause", "L1", len(LEVELS)), seed=3))
    of = dict(LEVELS)
    for line in question_lines(ws, SLUG):
        found = question_detail(ws, SLUG, line.question.external_id)
        assert found.level == of[found.question.answer]
    told = matrix(ws, SLUG)
    assert dict(told.levels) == Counter(("L1", level) for level in of.values())
    made = as_report(told, "en").as_json()
    assert {"asked": "L1", "found": "none", "count": 2} in made["levels"]
    assert (told.as_asked.value, told.as_asked.n) == (2 / 5, 5)
    assert "3 moved; 2 cite no provision" in as_report(told, "en").sections[2].lead


def test_what_is_written_is_kept_with_its_lineage(ws: Workspace) -> None:
    with serving(ws) as server:
        done = written(ws, options(want("exception_paired", "L4", 1, "lifecycle"), seed=3))
        [said] = server.told
    assert "변형할 질문" not in said
    assert (done.asked, done.written, done.lacking, done.end) == (1, 1, 0, End.DONE)
    with ws.reading() as session:
        [question] = questions(session, 1)
        [making] = makings(session, 1)
        assert (making.model, making.wanted[0]["target"]) == ("m", 1)
    assert (question.external_id, question.language, question.seed) == ("aug-0001", "ko", 3)
    assert question.text == question_on(said) and question.parent is None
    assert question.axes["type"] == "exception_paired" and question.axes["difficulty"] == "L4"
    assert set(question.axes) == {"type", "difficulty", "facets", "domain", "group"}
    assert list(question.axes["facets"]) == ["lifecycle"]
    units = [each["unit"] for each in question.gold]
    assert f"{ACT}_1조" in units and question.gold[0]["role"] == "anchor"
    assert question.prompt_version and question.axes_number == 1
    found = question_detail(ws, SLUG, "aug-0001")
    assert found.level == "L4" and all(each for _, each in found.provisions)
    for _, provision in found.provisions:
        assert provision is not None and provision.text in said


def test_cells_meet_their_level_and_their_demands(ws: Workspace) -> None:
    wanted = (
        want("single_clause", "L1"),
        want("single_clause", "L2", demands=(Demand.SANCTION,)),
        want("general_principle", "L3", demands=(Demand.DELEGATION, Demand.CROSS_DOCUMENT)),
        want("institution_specific", "L2"),
        want("multi_facet", "L3"),
    )
    with serving(ws):
        done = written(ws, options(*wanted))
    assert done.outcomes == {"written": 5}
    with ws.reading() as session:
        made = questions(session, 1)
    for question, each in zip(made, wanted, strict=True):
        found = question_detail(ws, SLUG, question.external_id)
        assert (found.level, question.cell) == (each.cell.difficulty, each.cell)
    delegated = {each["unit"] for each in made[2].gold}
    assert delegated == {f"{ACT}_2조", f"{DECREE}_2조"}
    assert made[3].axes["group"] == "settlement" and len(made[4].axes["facets"]) == 3


def test_a_cell_that_cannot_be_filled_says_why(ws: Workspace) -> None:
    with serving(ws):
        ready = plan(
            ws, SLUG, options(want("exception_paired", "L1"), want("institution_specific", "L4", 2))
        )
    never, none = ready.cells
    assert (never.possible, never.lacking, never.found) == (False, 1, 0)
    assert (none.possible, none.lacking, none.found) == (True, 2, 0)
    assert ready.estimate.calls == 0


def test_the_estimate_is_what_the_budget_would_set_aside(ws: Workspace) -> None:
    with serving(ws, "max_tokens = 100\nprice_in = 1000000\nprice_out = 1000000"):
        ready = plan(ws, SLUG, options(PLAIN))
    estimate = ready.estimate
    requests = [ready.request(each) for each in ready.askings]
    assert estimate.calls == 3
    assert estimate.tokens == sum(each.most_tokens_in + 100 for each in requests)
    assert estimate.money == estimate.tokens
    with serving(ws):
        assert plan(ws, SLUG, options(PLAIN)).estimate.money is None


def test_every_outcome_is_an_attempt(ws: Workspace) -> None:
    many = options(want("single_clause", "L1", 5))
    with serving(ws) as server:
        texts = [asking.provisions[0].text for asking in plan(ws, SLUG, many).askings]
        server.on("요청한 형식이 아닙니다", Step(text="still not"))
        server.on(texts[0], Step("refuse", text="no"))
        server.on(texts[1], Step(text='{"question": "only"}'))
        server.on(texts[2], Step(text=json.dumps({"question": " ", "answer": "x"})))
        server.on(texts[4], Step(text=writes("other", question=question_on("same"))))
        server.on(texts[3], Step(text=writes("one", question=question_on("same"))))
        done = written(ws, many)
    assert done.outcomes == {"duplicate": 1, "invalid": 2, "refused": 1, "written": 1}
    with ws.reading() as session:
        rows = session.exec(select(AugmentationAttempt)).all()
        assert all(row.llm_call_id and row.prompt_version and row.gold for row in rows)
    lines = [each.attempt for each in listing(ws, SLUG)]
    drafts = {row.outcome: row.draft for row in lines if row.detail != "empty"}
    assert drafts["refused"] is None and drafts["invalid"] is None and drafts["duplicate"]
    [repeated] = [row for row in lines if row.outcome == "duplicate"]
    [kept] = [row for row in lines if row.outcome == "written"]
    assert repeated.detail == kept.name
    assert [each.attempt.outcome for each in listing(ws, SLUG, outcome="refused")] == ["refused"]


def test_when_every_set_was_asked_about_it_says_how_many_there_are(ws: Workspace) -> None:
    with serving(ws) as server:
        server.says = lambda said: "no JSON"
        written(ws, options(want("single_clause", "L1", 100)))
        ready = plan(ws, SLUG, options(want("single_clause", "L1", 2)))
    [cell] = ready.cells
    assert ready.askings == () and cell.lacking == 2
    assert cell.found == cell.tried == len(listing(ws, SLUG, outcome="invalid")) == 10


def test_a_question_of_the_project_is_not_repeated(ws: Workspace) -> None:
    [there, *_] = small_questions()
    keep_questions(ws, SLUG, [there], "questions.jsonl")
    with serving(ws) as server:
        server.says = lambda said: writes(said, question=there.text)
        done = written(ws, options(want("single_clause", "L1")))
    assert done.outcomes == {"duplicate": 1}
    assert [each.attempt.detail for each in listing(ws, SLUG)] == [there.external_id]


def test_nothing_is_asked_twice_and_a_larger_target_asks_for_the_rest(ws: Workspace) -> None:
    with serving(ws) as server:
        assert written(ws, options(want("single_clause", "L1", 2))).written == 2
        again = written(ws, options(want("single_clause", "L1", 2)))
        assert (again.asked, again.written, server.asked) == (0, 0, 2)
        more = written(ws, options(want("single_clause", "L1", 3), seed=7))
        assert (more.asked, more.written, server.asked) == (1, 1, 3)
    with ws.reading() as session:
        sets = [tuple(each["unit"] for each in made.gold) for made in questions(session, 1)]
    assert len(set(sets)) == 3


def test_after_a_stop_or_a_kill_it_goes_on_and_no_call_is_made_again(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(ws) as server:
        stopped = written(ws, options(PLAIN), stop=True)
        assert (stopped.end, stopped.written, server.asked) == (End.STOPPED, 0, 0)
        with monkeypatch.context() as patch:
            patch.setattr("services.augmentation.writing.keep_attempts", _killed)
            with pytest.raises(KeyboardInterrupt):
                written(ws, options(PLAIN))
        assert server.asked == 3
        [planned] = matrix(ws, SLUG).rows
        assert (planned.planned, planned.made) == (3, 0)
        assert written(ws, options(PLAIN)).written == 3
        assert server.asked == 3
    [row] = matrix(ws, SLUG).rows
    assert (row.planned, row.made, row.missing) == (3, 3, 0)


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_an_error_of_the_server_is_no_attempt_and_is_asked_again(ws: Workspace) -> None:
    with serving(ws) as server:
        server.on("조문:", Step("error", status=500), Step(text=writes("first")))
        first = written(ws, options(want("single_clause", "L1")))
        second = written(ws, options(want("single_clause", "L1")))
    assert (first.written, first.unanswered) == (0, 1)
    assert (second.written, second.unanswered) == (1, 0)


def test_a_question_of_practice_lends_its_tone(ws: Workspace) -> None:
    there = [each for each in small_questions() if each.language == "ko"]
    keep_questions(ws, SLUG, there, "questions.jsonl")
    with serving(ws) as server:
        written(ws, options(want("single_clause", "L1"), styled=True))
        [said] = server.told
    with ws.reading() as session:
        [question] = questions(session, 1)
    [parent] = [each for each in there if each.external_id == question.parent]
    assert parent.text in said


def test_another_seed_draws_other_provisions_and_the_same_seed_the_same(ws: Workspace) -> None:
    with serving(ws):
        plans = [
            plan(ws, SLUG, options(want("single_clause", "L1", 2), seed=seed))
            for seed in (1, 1, 2, 3, 4)
        ]
    drawn = [[each.found.units for each in ready.askings] for ready in plans]
    assert drawn[0] == drawn[1] and len({str(each) for each in drawn}) > 1


def test_what_cannot_be_wanted_is_refused(ws: Workspace) -> None:
    with serving(ws):
        for wish, code in (
            (options(), "axes_nothing"),
            (options(PLAIN, PLAIN), "axes_cell_twice"),
            (options(want("single_clause", "L1", -1)), "axes_target"),
            (options(want("single", "L1")), "axes_unknown"),
            (options(want("single_clause", "L9")), "axes_unknown"),
            (options(want("single_clause", "L1", facet="taste")), "axes_unknown"),
            (options(want("single_clause", "L1", domain="tax")), "axes_unknown"),
            (options(PLAIN, seed=-1), "axes_seed"),
            (options(*[want("single_clause", f"L{n}", 1_000) for n in range(9)]), "axes_many"),
        ):
            with refused(code):
                plan(ws, SLUG, wish)
