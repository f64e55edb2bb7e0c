"""Writing questions: what is asked, what is kept, and that nothing is asked twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from construction.mcq.filters import FilterChoice, Filtered, filtered
from construction.mcq.model import PairFilter
from corpus.graph.model import EdgeType
from llm.batch import End
from services.mcq.generation import Generated, GenerationOptions, count_pairs, generate, plan
from services.mcq.importing import Made, keep_filtered
from services.mcq.report import mcq_report
from services.mcq.report_tables import as_report
from services.models.prompts import packaged_body, save_prompt
from storage.db.workspace import Workspace
from storage.mcq.questions import Attempt, makings, outcomes, questions
from storage.tables.core import Item
from storage.tables.mcq import McqAttempt, McqMaking
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.llm.serving import serving, to_the_end
from tests.services.mcq.mcq_project import (
    ACT,
    DECREE,
    QUERIES,
    SLUG,
    days,
    make,
    writes,
    written,
)
from tests.support.refusals import code_of


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    make(workspace)
    return workspace


def run(ws: Workspace, number: int = 100, seed: int = 0, stop: bool = False) -> Generated:
    ready = plan(ws, SLUG, GenerationOptions(number=number, seed=seed))
    done: Generated = to_the_end(generate, ws, ready, stop=stop)
    return done


def test_what_passes_becomes_a_question_and_an_item(ws: Workspace) -> None:
    assert count_pairs(ws, SLUG, PairFilter()) == 6
    assert count_pairs(ws, SLUG, PairFilter(statutes=(DECREE,))) == 0
    with serving(ws) as server:
        writes(server, 6)
        done = run(ws)
    assert (done.linked, done.drawn, done.kept, done.end) == (6, 6, 6, End.DONE)
    with ws.reading() as session:
        kept = questions(session, 1)
        query = select(Item.subject_id, Item.external_id).order_by(col(Item.order))
        items = session.exec(query.where(Item.task == Task.MCQ_SOLVABILITY)).all()
        [(making, attempts)] = makings(session, 1)
        made = making.kind, making.model, making.linked, making.wanted["number"]
        filters = making.wanted["filters"]
    assert list(items) == [(each.id, each.question.id) for each in kept]
    for each in kept:
        question = each.question
        number = int(question.pair.source.unit_id.removeprefix(f"{ACT}_").removesuffix("조"))
        assert question.right == f"{days(number)}일"
        assert question.options[-1] == "주어진 정보만으로는 판단할 수 없다."
        assert question.pair.types == (EdgeType.DELEGATES_TO,)
    assert len({each.question.answer for each in kept}) > 1
    assert made == ("generate", "m", 6, 100) and attempts == 6
    assert filters == {"preset": "standard", "off": []}


def test_a_filter_that_is_off_takes_nothing_out_and_the_report_says_so(ws: Workspace) -> None:
    meta = written(2, query="제시된 조문에 따르면 며칠 안에 알려야 합니까?")
    wish = GenerationOptions(filters=FilterChoice("paper", ("meta",)))
    with serving(ws) as server:
        writes(server, 6, n2=meta)
        done = to_the_end(generate, ws, plan(ws, SLUG, wish))
    assert done.outcomes == {"kept": 6}
    with ws.reading() as session:
        [(making, _)] = makings(session, 1)
        chosen = making.wanted["filters"]
    off = ["citing", "duplicate", "leaked", "meta", "position"]
    assert chosen == {"preset": "paper", "off": off}
    report = mcq_report(ws, SLUG)
    assert report.funnel.unfiltered == dict.fromkeys(off, 6)
    assert as_report(report, "en").facts["unfiltered"] == report.funnel.unfiltered


def test_every_reason_is_counted(ws: Workspace) -> None:
    unfit = written(1, options=["1", "2", "3"])
    meta = written(2, query="제시된 조문에 따르면 며칠 안에 알려야 합니까?")
    with serving(ws) as server:
        server.on("요청한 형식이 아닙니다", Step(text="still not"))
        n4 = written(4, query=QUERIES[2])
        writes(server, 6, n1=unfit, n2=meta, n4=n4, n5=written(5, options=["가", "가", "나", "다"]))
        server.rules[-1].steps = [Step("refuse", text="no")]
        done = run(ws)
    assert done.outcomes == {
        "duplicate": 1, "format": 1, "invalid": 1, "kept": 1, "meta": 1, "refused": 1,
    }  # fmt: skip
    with ws.reading() as session:
        assert outcomes(session, 1) == done.outcomes
        query = select(McqAttempt.outcome, McqAttempt.draft, McqAttempt.llm_call_id)
        rows = session.exec(query).all()
    assert all(call for _, _, call in rows)
    assert {outcome for outcome, draft, _ in rows if draft is None} == {"invalid", "refused"}


def test_a_larger_sample_asks_about_the_new_pairs_only(ws: Workspace) -> None:
    with serving(ws) as server:
        writes(server, 6)
        first, second, third = run(ws, 2), run(ws, 5), run(ws, 5)
        assert server.asked == 5
    assert (first.drawn, first.already) == (2, 0)
    assert (second.drawn, second.already, second.kept) == (3, 2, 3)
    assert (third.drawn, third.already, third.kept) == (0, 5, 0)


def test_a_pair_without_an_answer_is_asked_about_again(ws: Workspace) -> None:
    with serving(ws) as server:
        server.on(f"{days(1)}일을 말한다", Step("error", status=500), Step(text=written(1)))
        writes(server, 6)
        first, second = run(ws), run(ws)
    assert (first.kept, first.unanswered) == (5, 1)
    assert (second.drawn, second.kept, second.unanswered) == (1, 1, 0)


def test_after_a_stop_or_a_kill_it_goes_on_and_no_call_is_made_again(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(ws) as server:
        writes(server, 6)
        stopped = run(ws, stop=True)
        assert (stopped.end, stopped.kept, server.asked) == (End.STOPPED, 0, 0)
        with monkeypatch.context() as patch:
            patch.setattr("services.mcq.generation.keep_filtered", _killed)
            with pytest.raises(KeyboardInterrupt):
                run(ws)
        assert server.asked == 6
        assert run(ws).kept == 6
        assert server.asked == 6


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_questions_made_meanwhile_are_not_repeated(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another making is kept while this one is being filtered: it is filtered anew against it."""
    real = filtered
    with serving(ws) as server:
        writes(server, 6, n2=written(2, query=QUERIES[0]))
        late = _drafts(ws, monkeypatch, GenerationOptions(number=6))
        early = [each for each in late if each.row.name.startswith(f"{ACT}_1조 ")]
        late = [each for each in late if each not in early]

    def meanwhile(*args: Any) -> Filtered:
        monkeypatch.setattr("services.mcq.importing.filtered", real)
        result = real(*args)
        keep_filtered(ws, lambda: _making(ws), early, 0)
        return result

    monkeypatch.setattr("services.mcq.importing.filtered", meanwhile)
    made = keep_filtered(ws, lambda: _making(ws), late, 0)
    assert made.outcomes == {"duplicate": 1, "kept": 4}
    with ws.reading() as session:
        assert len(questions(session, 1)) == 5


def _drafts(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, wish: GenerationOptions
) -> list[Attempt]:
    taken: list[Attempt] = []

    def take(_ws: object, _making: object, attempts: list[Attempt], *_: object) -> Made:
        taken.extend(attempts)
        return Made(0, {})

    with monkeypatch.context() as patch:
        patch.setattr("services.mcq.generation.keep_filtered", take)
        to_the_end(generate, ws, plan(ws, SLUG, wish))
    return taken


def _making(ws: Workspace) -> McqMaking:
    return McqMaking(project_id=1, kind="import", snapshot_id=1, wanted={}, seed=0, at=ws.clock())


def test_what_cannot_be_wanted_is_refused(ws: Workspace) -> None:
    for wish, code in (
        (GenerationOptions(filters=FilterChoice("papers")), "mcq_filters"),
        (GenerationOptions(filters=FilterChoice(off=("medium",))), "mcq_filters"),
        (GenerationOptions(number=0), "mcq_number"),
        (GenerationOptions(number=1_000_000), "mcq_number"),
    ):
        assert code_of(plan, ws, SLUG, wish) == code


def test_a_projects_own_wording_is_said_and_tried_anew(ws: Workspace) -> None:
    body = packaged_body("mcq_generate", "ko")
    with serving(ws) as server:
        writes(server, 6)
        assert run(ws, 2).kept == 2
        save_prompt(ws, SLUG, "mcq_generate", "ko", f"{body}\n짧게 쓰세요.", "shorter", 1)
        server.seen.clear()
        again = run(ws, 2)
        said = server.told
    assert (again.drawn, again.already) == (2, 0)
    assert all("짧게 쓰세요." in text for text in said)
    assert again.outcomes == {"duplicate": 2}
