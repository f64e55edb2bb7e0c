"""Names of runs, which say what tells equal ones apart, and what runs say of models' refusals."""

from __future__ import annotations

from datetime import UTC, datetime

from services.runs.rows import names_of
from storage.runs.experiments import RecordView
from storage.runs.run_store import RunKey, RunView

AT = datetime(2026, 1, 1, tzinfo=UTC)


def run(number, snapshot=1, gold="a" * 64, **params):
    said = {"run_depth": 100, "run_version": "1.1"} | params
    return RunView(number, RunKey(1, snapshot, "lsa", said, gold), AT)


def names(*runs, **labels):
    records = {int(key[1:]): RecordView(label) for key, label in labels.items()}
    return list(names_of(runs, records).values())


def test_a_name_that_only_one_run_has_says_no_more():
    assert names(run(1), run(2, run_version="2.1", dimensions=64), _3="x") == [
        "LSA bigram",
        "LSA bigram · dimensions 64",
    ]
    assert names(run(3), _3="Ours") == ["Ours"]


def test_equal_names_say_in_what_their_runs_differ():
    assert names(run(1), run(2, snapshot=4)) == [
        "LSA bigram · snapshot 1",
        "LSA bigram · snapshot 4",
    ]
    assert names(run(1), run(2, run_version="2.1")) == [
        "LSA bigram · version 1.1",
        "LSA bigram · version 2.1",
    ]
    assert names(run(1), run(2, run_depth=20)) == [
        "LSA bigram · depth 100",
        "LSA bigram · depth 20",
    ]
    assert names(run(1), run(2, gold="bcdefa" * 9)) == [
        "LSA bigram · gold aaaaaa",
        "LSA bigram · gold bcdefa",
    ]


def test_only_what_is_needed_is_said():
    found = names(run(1), run(2, snapshot=4), run(3, snapshot=4, run_version="2.1"))
    assert found == [
        "LSA bigram · snapshot 1",
        "LSA bigram · snapshot 4 · version 1.1",
        "LSA bigram · snapshot 4 · version 2.1",
    ]


def test_the_number_tells_apart_what_nothing_else_does():
    found = names(run(1, sha256="a"), run(2, sha256="b"), _1="Theirs", _2="Theirs")
    assert found == ["Theirs · run 1", "Theirs · run 2"]


def test_a_long_version_is_told_by_its_hash():
    parts = "1(" + ",".join("2" * 20) + ").1"
    first, second = names(run(1), run(2, run_version=parts))
    assert first == "LSA bigram · version 1.1" and len(second) == len("LSA bigram · version abcdef")
