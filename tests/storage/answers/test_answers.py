"""Answers with and without their texts: the newest row counts, and a revision tells one came."""

from __future__ import annotations

from storage.answers import outcomes_revision, standing_answers, standing_outcomes
from tests.projects.downstream_project import add_answers, downstream


def test_the_newest_row_of_each_question_and_passage_counts(tmp_path):
    ws = downstream(tmp_path / "ws").ws
    with ws.reading() as session:
        before, found = outcomes_revision(session), standing_outcomes(session, 1)
    assert {each.external_id for each in found if each.judge_case_id} == {"c01", "c02", "f1"}
    keys = [(each.answer_run_id, each.external_id, each.passage) for each in found]
    assert len(set(keys)) == len(keys)
    run = add_answers(ws, "twice", {"kind": "run"}, {("c01", 1): "failed", ("c01", 2): "A"})
    with ws.reading() as session:
        assert outcomes_revision(session) != before
        states = [each.state for each in standing_answers(session, 1, run, "c01")]
        assert (states, standing_answers(session, 1, run, "c02")) == (["failed", "answered"], [])
