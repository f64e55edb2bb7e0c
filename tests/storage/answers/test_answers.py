"""Outcomes without their texts: the newest row counts, and a revision tells that one came."""

from __future__ import annotations

from storage.answers import answers_to, outcomes_revision, standing_outcomes
from storage.db.workspace import Workspace
from tests.projects.downstream_project import add_answers, downstream


def test_the_newest_row_of_each_question_and_passage_counts(tmp_path):
    ws = downstream(tmp_path / "ws").ws
    with ws.reading() as session:
        before, found = outcomes_revision(session), standing_outcomes(session, 1)
        words = {each.external_id: each for each in found if each.judge_case_id}
    assert set(words) == {"c01", "c02", "f1"}  # each stood first without its case
    keys = [(each.answer_run_id, each.external_id, each.passage) for each in found]
    assert len(set(keys)) == len(keys)
    run = add_answers(ws, "twice", {"kind": "run"}, {("c01", 1): "failed", ("c01", 2): "A"})
    assert (state_of(ws, run, 1), state_of(ws, run, 2)) == ("failed", "answered")
    with ws.reading() as session:
        assert outcomes_revision(session) != before
        assert answers_to(session, run, "c02") == {}


def state_of(ws: Workspace, run: int, passage: int) -> str:
    with ws.reading() as session:
        shown = answers_to(session, run, "c01")[passage]
    return shown.state
