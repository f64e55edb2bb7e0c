"""Names of runs, which say what tells equal ones apart, and what runs say of models' refusals."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

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


@pytest.mark.parametrize(
    ("runs", "told"),
    [
        ((run(1), run(2, run_version="2.1", dimensions=64)), ("", " · dimensions 64")),
        ((run(1), run(2, snapshot=4)), (" · snapshot 1", " · snapshot 4")),
        ((run(1), run(2, run_version="2.1")), (" · version 1.1", " · version 2.1")),
        ((run(1), run(2, run_depth=20)), (" · depth 100", " · depth 20")),
        ((run(1), run(2, gold="bcdefa" * 9)), (" · gold aaaaaa", " · gold bcdefa")),
        (
            (run(1), run(2, snapshot=4), run(3, snapshot=4, run_version="2.1")),
            (" · snapshot 1", " · snapshot 4 · version 1.1", " · snapshot 4 · version 2.1"),
        ),
    ],
)
def test_equal_names_say_in_what_their_runs_differ_and_no_more(runs, told):
    assert names(*runs) == [f"LSA bigram{more}" for more in told]


def test_the_number_tells_apart_what_nothing_else_does_and_long_versions_are_hashed():
    assert names(run(3), _3="Ours") == ["Ours"]
    found = names(run(1, sha256="a"), run(2, sha256="b"), _1="Theirs", _2="Theirs")
    assert found == ["Theirs · run 1", "Theirs · run 2"]
    parts = "1(" + ",".join("2" * 20) + ").1"
    _, second = names(run(1), run(2, run_version=parts))
    assert len(second) == len("LSA bigram · version abcdef")
