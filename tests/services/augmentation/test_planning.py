"""What became of an augmented question, from the rows of the cascade and of curation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from construction.augmentation.axes import Cell, Wanted
from evaluation.reports.charts import chart_spec
from services.augmentation.planning import Fate, WritingOptions, fates_of_questions
from services.augmentation.report import matrix, question_detail
from services.augmentation.report_tables import as_report
from services.curation.items import admit as admit_curated
from storage.db.workspace import Workspace
from storage.subjects import Subject, add_items
from storage.tables.augmentation import (
    Admission,
    CascadeLayersRow,
    Restoration,
)
from storage.tables.core import QuestionRow
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.projects.augmentation_project import SLUG, make, serving, written
from tests.projects.cascade_project import run_of
from tests.projects.curation_project import SLUG as WHARF
from tests.projects.curation_project import build, submitted
from tests.projects.project_cache import kept

PLAIN = Cell("single_clause", "L1")
LAYERS = """\
layers:
- {layer: difficulty, on: true, tolerance: 0}
- {layer: closure, on: true, on_missing: complete}
"""
W, R, T, K = Fate.WRITTEN, Fate.REJECTED, Fate.THROUGH, Fate.ADMITTED


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    """Return a project with three questions of one cell, and two layers."""
    workspace = Workspace(tmp_path / "workspace", clock)
    kept("three questions of one cell", workspace, lambda: _written(workspace))
    return workspace


def _written(workspace: Workspace) -> None:
    make(workspace)
    with serving(workspace):
        written(workspace, WritingOptions((Wanted(PLAIN, 3),)))
    with workspace.writing() as session:
        session.add(CascadeLayersRow(project_id=1, number=2, text=LAYERS, at=workspace.clock()))
    (workspace.folder / "models.toml").unlink()  # the server is gone


def cascade(ws: Workspace, *rows: str) -> list[int]:
    """Keep a run: for each question the outcomes of its layers, p, r or u; return their ids."""
    names = {"p": "passed", "r": "rejected", "u": "unjudged"}
    said = [
        (question, layer, names[each])
        for question, outcomes in enumerate(rows, 1)
        for layer, each in zip(("difficulty", "closure"), outcomes, strict=False)
    ]
    with ws.writing() as session:
        return run_of(session, ws, *said, layers=2)[1]


def restore(ws: Workspace, question: int, result: int, kind: str = "restore") -> None:
    with ws.writing() as session:
        row = Restoration(
            augmented_question_id=question,
            layer_result_id=result,
            kind=kind,
            reason="fine",
            at=ws.clock(),
        )
        session.add(row)


def admit(ws: Workspace, question: int) -> None:
    with ws.writing() as session:
        kept = QuestionRow(
            project_id=1, external_id=f"q-{question}", text="?", answer="!", language="ko"
        )
        session.add(kept)
        session.flush()
        subject = Subject(question, f"aug-{question}", "?", {})
        [item] = add_items(session, 1, Task.MCQ_SOLVABILITY, [subject], ws.clock())
        row = Admission(
            augmented_question_id=question,
            question_id=kept.id or 0,
            item_id=item,
            at=ws.clock(),
        )
        session.add(row)


def became(ws: Workspace) -> list[Fate]:
    with ws.reading() as session:
        return list(fates_of_questions(session, 1).values())


def test_it_is_what_the_layers_of_its_newest_run_made_of_it(ws: Workspace) -> None:
    assert became(ws) == [W, W, W]
    cascade(ws, "pp", "pr", "r")
    assert became(ws) == [T, R, R]
    cascade(ws, "pp", "pu", "p")  # one is unjudged, one has not come to the end
    assert became(ws) == [T, W, W]
    cascade(ws, "r", "pp")
    assert became(ws) == [R, T, W]
    results = cascade(ws, "r")
    restore(ws, 1, results[0])  # and goes on to the layers behind
    assert became(ws) == [W, T, W]


def test_what_was_admitted_and_what_the_next_run_asks_for_are_counted(ws: Workspace) -> None:
    cascade(ws, "pp", "pp", "r")
    admit(ws, 1)
    assert became(ws) == [K, T, R]
    found = matrix(ws, SLUG)
    [row] = found.rows
    assert (row.planned, row.made, row.through, row.admitted, row.missing) == (3, 3, 2, 1, 1)
    assert question_detail(ws, SLUG, "aug-0001").fate is K
    told = as_report(found, "en").as_json()
    assert told["totals"] == {
        **{"planned": 3, "made": 3, "through": 2, "admitted": 1, "missing": 1},
    }
    assert [each["count"] for each in told["funnel"]] == [3, 3, 2, 1]
    [cell] = told["cells"]
    assert (cell["type"], cell["difficulty"], cell["facet"]) == ("single_clause", "L1", "")
    assert (cell["made"], cell["missing"]) == (3, 1)
    assert (cell["standing"], cell["rejected"]) == (2, 1), "a rejected one is missing again"
    section = as_report(found, "en").sections[1]
    assert section.lead == (
        "3 were made and 1 of these was rejected, so 2 stand for a plan of 3; 1 is missing."
    )
    drawn = [each["value"] for each in chart_spec(section)["data"]["values"]]
    assert sum(drawn) == cell["planned"], "no bar is longer than its plan"
    less = replace(found, rows=(replace(found.rows[0], planned=1),))
    assert "1 is beyond the plan, in 1 cell" in as_report(less, "en").sections[1].lead
    assert {(each["of"], each["level"]) for each in told["shares"] if each["share"]["value"]} == {
        ("as_asked", "all_levels"),
        ("made", "L1"),
    }
    with serving(ws):  # what a layer rejected is written anew
        done = written(ws, WritingOptions((Wanted(PLAIN, 3),)))
    assert (done.asked, done.written) == (1, 1)
    [row] = matrix(ws, SLUG).rows
    assert (row.planned, row.made, row.missing) == (3, 4, 0)


def test_admitted_questions_count_at_the_level_that_people_found(tmp_path: Path) -> None:
    house = build(tmp_path / "wharf", overlap=1)
    submitted(house, house.ann, house.items[0])
    submitted(house, house.ann, house.items[1], "reject", cause="other", reason="Nobody asks that.")
    assert admit_curated(house.ws, WHARF, by=house.lead)
    with house.ws.reading() as session:
        assert list(fates_of_questions(session, 1).values()) == [K, Fate.DROPPED, T]
    found = matrix(house.ws, WHARF).admitted_levels
    asked = {each.name: each.value for each in matrix(house.ws, WHARF).made_levels}
    assert {each.name: (each.value, each.n) for each in found}["L2"] == (1, 1)
    assert (asked["L3"], asked["L2"]) == (1, 0)
