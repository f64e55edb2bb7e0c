"""Questions that a model wrote by axes go through the layers and hit the level of their cell."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from annotation.work.versioned_texts import CASCADE_LAYERS
from construction.augmentation.axes import Cell, Wanted
from llm.batch import Progress
from services.augmentation.planning import WritingOptions
from services.augmentation.report import matrix
from services.cascade.report import cascade_report
from services.cascade.running import plan_cascade, run_cascade
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.projects.augmentation_project import SLUG, make, serving, written
from tests.projects.cascade_project import without

CELLS = (Cell("single_clause", "L1"), Cell("multi_facet", "L3"), Cell("exception_paired", "L2"))


def test_every_question_hits_the_level_of_its_cell(tmp_path: Path, clock: FakeClock) -> None:
    ws = Workspace(tmp_path / "workspace", clock)
    make(ws)
    with serving(ws):
        made = written(ws, WritingOptions(tuple(Wanted(cell, 1) for cell in CELLS)))
    assert made.written == 3
    CASCADE_LAYERS.save(ws, SLUG, without("judge"), "", 1)
    done = asyncio.run(run_cascade(ws, plan_cascade(ws, SLUG), Progress(0), threading.Event()))
    assert (done.through, done.unjudged, done.rejected) == (3, 0, {})
    report = cascade_report(ws, SLUG)
    assert report.levels == {("L1", "L1"): 1, ("L2", "L2"): 1, ("L3", "L3"): 1}
    assert [row.through for row in matrix(ws, SLUG).rows] == [1, 1, 1]
