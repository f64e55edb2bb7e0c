"""Dividing gold on the command line."""

from __future__ import annotations

import json
from functools import partial

import pytest

from tests.commands.called import printed
from tests.projects.small_law import ACT
from tests.projects.split_project import SLUG, harbour, settle


@pytest.fixture
def ws(tmp_path, clock):
    return harbour(tmp_path / "w", clock)


@pytest.fixture
def run(ws):
    return partial(printed, ws.folder, "--project", SLUG)


def test_it_is_made_shown_and_listed(run):
    code, _, err = run("split", "show")
    assert code == 3 and "split make" in err
    assert run("split", "list")[1].startswith("Not split yet")
    code, out, _ = run("split", "make", "--shares", "50/0/50", "--note", "first")
    assert code == 0
    assert out.startswith("Version 1: 6 questions placed, 0 stayed, 0 moved.")
    assert "In no part: without gold 1, belongs to two parts 1." in out
    assert "spans: q7" in out
    out = run("split", "show", "--above", "0.3")[1]
    assert "train and test: 0 pairs of questions of likeness 0.3 or more (0 of 2 in test)" in out
    said = json.loads(run("--json", "split", "show")[1])
    assert said["parts"]["train"]["questions"] == len(said["members"]["train"]) == 4
    assert said["leakage"]["between"][0]["statutes"] == 0
    assert "first" in run("split", "list")[1]


def test_what_is_settled_later_is_placed(run, ws):
    run("split", "make", "--by", "near", "--shares", "60/0/40", "--seed", "3")
    settle(ws, "q8", f"{ACT}_2조")
    assert "final since then 1" in run("split", "show")[1]
    assert run("split", "make")[1].startswith("Version 2: 1 question placed, 7 stayed, 0 moved.")
    said = json.loads(run("--json", "split", "list")[1])["splits"]
    assert [(each["number"], each["by"], each["seed"]) for each in said] == [
        (2, "near", 3),
        (1, "near", 3),
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--by", "topic"), "statute, date, near"),
        (("--shares", "a/b/c"), "70/10/20"),
        (("--by", "date", "--column", "when"), "asked, topic"),
    ],
)
def test_what_cannot_be_is_refused(run, words, told):
    code, _, err = run("split", "make", *words)
    assert code == 3 and told in err
    assert run("split", "list")[1].startswith("Not split yet")


def test_exports_and_the_leaderboard_use_it(run, tmp_path):
    run("split", "make", "--shares", "50/0/50")
    assert "Split by version 1" in run("export", "gold", str(tmp_path / "out"))[1]
    assert (tmp_path / "out" / "qrels" / "train.tsv").exists()
    assert "Split by" not in run("export", "gold", str(tmp_path / "out"), "--no-split")[1]
    assert not (tmp_path / "out" / "qrels" / "train.tsv").exists()
    assert run("export", "gold", str(tmp_path / "out"), "--split", "4")[0] == 3
    run("retrieve", "--method", "bm25", "--k", "5")
    whole = json.loads(run("--json", "leaderboard", "--measure", "Recall@5")[1])
    part = json.loads(
        run("--json", "leaderboard", "--measure", "Recall@5", "--stratum", "split=train")[1]
    )
    said = run("leaderboard", "--measure", "Recall@5", "--stratum", "split=train")[1]
    assert "Parts are those of version 1 of the split." in said
    assert "version 1 of the split" not in run("leaderboard", "--measure", "Recall@5")[1]
    counts = [each["runs"]["1"]["Recall@5"]["n"] for each in (whole, part)]
    assert counts == [6, 3]  # of those with a provision
