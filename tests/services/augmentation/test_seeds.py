"""Variants of the project's questions: what is asked, what is kept, what cannot be varied."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from construction.augmentation.axes import Cell, Wanted
from services.augmentation.planning import ALL, WritingOptions, plan
from services.augmentation.report import question_detail
from services.augmentation.writing import WritingDone, write
from storage.augmentation.questions import questions
from storage.db.workspace import Workspace
from tests.llm.server import Server
from tests.llm.serving import to_the_end
from tests.projects.augmentation_project import serving
from tests.projects.closure_law import REPORT
from tests.projects.closure_project import SLUG, ferry
from tests.support.refusals import refusal


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Six questions, four with settled gold."""
    return ferry(tmp_path / "workspace").ws


@pytest.fixture(autouse=True)
def server(ws: Workspace) -> Iterator[Server]:
    with serving(ws) as running:
        yield running


def wanted(level: str, target: int, *seeds: str, kind: str = "single_clause") -> WritingOptions:
    return WritingOptions((Wanted(Cell(kind, level), target),), seeds=seeds)


def made(ws: Workspace, options: WritingOptions) -> WritingDone:
    done: WritingDone = to_the_end(write, ws, plan(ws, SLUG, options))
    return done


def test_a_variant_is_written_on_the_gold_of_its_seed_and_keeps_its_lineage(
    ws: Workspace, server: Server
) -> None:
    [level] = {
        each for each in ("L1", "L2", "L3", "L4")
        if any(a.found.units == (REPORT,) for a in plan(ws, SLUG, wanted(each, 9, "q1")).askings)
    }  # fmt: skip
    options = wanted(level, 1, "q1")
    assert made(ws, options).written == 1
    said = server.told[0]
    assert "변형할 질문" in said and "과태료" in said.partition("변형할 질문")[2]
    with ws.reading() as session:
        question = questions(session, 1)[-1]
    assert (question.parent, question.axes["seed"]) == ("q1", "q1")
    assert REPORT in {each["unit"] for each in question.gold}
    assert question_detail(ws, SLUG, question.external_id).question.parent == "q1"
    assert made(ws, options).asked == 0


def test_all_goes_round_the_questions_with_gold(ws: Workspace) -> None:
    askings = [
        asking
        for level in ("L1", "L2", "L3", "L4")
        for asking in plan(ws, SLUG, wanted(level, 50, ALL)).askings
    ]
    assert {each.found.seed for each in askings} <= {"q1", "q2", "q3", "q5"}
    assert len({each.found.seed for each in askings}) > 1
    assert all(each.parent is not None and each.varies for each in askings)


@pytest.mark.parametrize("seed", ["q4", "nobody"])
def test_a_question_without_settled_gold_is_refused(ws: Workspace, seed: str) -> None:
    error = refusal(plan, ws, SLUG, wanted("L1", 1, seed))
    assert error.code == "augment_seed" and seed in error.what("en")
