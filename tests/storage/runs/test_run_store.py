"""Runs are kept whole, found again by what they depend on, and read back as they were."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storage.runs.run_store import (
    RunKey,
    extend_run,
    find_run,
    find_runs,
    keep_run,
    list_runs,
    project_slug,
    questions_asked,
    run_by_id,
    run_hits,
)
from tests.projects.small_law import SLUG, small_workspace
from tests.support.refusals import code_of

KEY = RunKey(1, 1, "bm25", {"k": 10, "k1": 1.5}, "hash")
ANSWERS = {"q2": [("나루안전법_2조", 1.25), ("b", 0.1)], "q1": []}


@pytest.fixture
def ws(tmp_path, clock):
    return small_workspace(tmp_path / "ws", clock)


def test_a_run_is_read_back_as_it_was(ws):
    with ws.writing() as session:
        run_id = keep_run(session, KEY, ANSWERS, ws.clock())
    with ws.reading() as session:
        assert run_hits(session, run_id) == {"q1": [], "q2": ANSWERS["q2"]}
        view = run_by_id(session, run_id)
        assert (view.id, view.key) == (run_id, KEY)
        assert view.created_at.tzinfo is not None
        assert project_slug(session, view.key.project_id) == SLUG


def test_a_run_is_extended_with_what_it_was_not_asked_and_loses_nothing(ws):
    with ws.writing() as session:
        run_id = keep_run(session, KEY, ANSWERS, ws.clock())
        before = run_by_id(session, run_id)
        more = {"q2": [("other", 9.0)], "q3": [("c", 0.5)]}
        extend_run(session, run_id, more, {**KEY.params, "beside": "1"})
    with ws.reading() as session:
        assert run_hits(session, run_id) == {**ANSWERS, "q3": [("c", 0.5)]}
        assert questions_asked(session, run_id) == {"q1", "q2", "q3"}
        after = run_by_id(session, run_id)
        assert (before.questions, after.questions) == (2, 3)
        assert before.identity != after.identity and before.created_at == after.created_at
        assert find_run(session, KEY) is None
        assert [run.id for run in find_runs(session, KEY, "beside")] == [run_id]
    with pytest.raises(KeyError), ws.writing() as session:
        extend_run(session, run_id, {"q99": []}, {})
    with ws.reading() as session:
        assert run_by_id(session, run_id) == after


def test_only_an_equal_key_finds_a_run(ws):
    with ws.writing() as session:
        first = keep_run(session, KEY, ANSWERS, ws.clock())
        keep_run(session, KEY, ANSWERS, ws.clock())
    with ws.reading() as session:
        assert find_run(session, replace(KEY, params={"k1": 1.5, "k": 10})) == first
        for other in (
            *({"method": "x"}, {"params": {"k": 11, "k1": 1.5}}),
            *({"gold_hash": "y"}, {"snapshot_id": 2}),
        ):
            assert find_run(session, replace(KEY, **other)) is None
        assert [run.id for run in list_runs(session, 1)] == [first + 1, first]
        assert list_runs(session, 2) == []


def test_an_unknown_run_or_question_is_refused(ws):
    with ws.reading() as session:
        assert code_of(run_by_id, session, 99) == "run_unknown"
    with pytest.raises(KeyError), ws.writing() as session:
        keep_run(session, KEY, {"nobody": []}, ws.clock())
    with ws.reading() as session:
        assert list_runs(session, 1) == []
