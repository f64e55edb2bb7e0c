"""Records of runs and experiments are added once, never changed, and read back as they were."""

from __future__ import annotations

from typing import Any

import pytest

from storage.db.workspace import Workspace
from storage.projects import create_project, find_project
from storage.runs.experiments import (
    ExperimentLine,
    RecordView,
    experiment_by_number,
    experiment_lines,
    keep_experiment,
    keep_line,
    keep_record,
    list_experiments,
    records_of,
)
from storage.runs.run_store import RunKey, keep_run
from storage.tables.runs import ExperimentRow
from tests.projects.small_law import small_workspace
from tests.support.refusals import code_of

RECORD = RecordView("BM25", "imported", {"file": "run.trec"}, {"fit_s": 0.5}, None)


@pytest.fixture
def ws(tmp_path, clock):
    return small_workspace(tmp_path / "ws", clock)


def _run(session, ws: Workspace) -> int:
    return keep_run(session, RunKey(1, 1, "bm25", {"k": 10}, "hash"), {"q1": []}, ws.clock())


def _kept(session, ws: Workspace, content: str = "c", project: int = 1):
    said: dict[str, Any] = {
        "number": 0,
        "name": "Sweep",
        "text": "name: Sweep",
        "snapshot_id": 1,
        "gold_hash": "g",
    }
    row = ExperimentRow(**said, project_id=project, content_hash=content, at=ws.clock())
    return keep_experiment(session, row)


def test_a_record_is_kept_once_and_a_run_without_one_has_none(ws):
    with ws.writing() as session:
        first, second = _run(session, ws), _run(session, ws)
        keep_record(session, first, RECORD, ws.clock())
        keep_record(session, first, RecordView("later"), ws.clock())
    with ws.reading() as session:
        assert records_of(session, [second, first]) == {first: RECORD}
        assert records_of(session, []) == {}


def test_experiments_count_on_and_an_equal_one_is_the_same(ws):
    create_project(ws, "other", "Other")
    with ws.reading() as session:
        other = find_project(session, "other").id
    with ws.writing() as session:
        one, two = _kept(session, ws), _kept(session, ws, "d")
        assert _kept(session, ws) == one
        assert [each.number for each in (one, two, _kept(session, ws, "c", other))] == [1, 2, 1]
    with ws.reading() as session:
        assert list_experiments(session, 1) == [two, one]
        assert experiment_by_number(session, 1, 2) == two
        assert (two.text, two.gold_hash, two.snapshot_id) == ("name: Sweep", "g", 1)
        for number in (3, 0, 10**30):
            assert code_of(experiment_by_number, session, 1, number) == "experiment_unknown"


def test_a_line_gets_its_run_once_and_lines_stand_in_the_order_of_the_plan(ws):
    with ws.writing() as session:
        experiment, first, second = _kept(session, ws), _run(session, ws), _run(session, ws)
        for line in (
            ExperimentLine(1, "b", second),
            ExperimentLine(0, "a", first),
            ExperimentLine(0, "a", second),
        ):
            keep_line(session, experiment.id, line)
    with ws.reading() as session:
        assert experiment_lines(session, experiment.id) == [
            ExperimentLine(0, "a", first),
            ExperimentLine(1, "b", second),
        ]
