"""Dividing gold, releases, and what people say for datasheets, on the command line."""

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


ABOUT = ("release", "harbour-law", "--release-version", "1.0", "--description", "Harbour law.")


def test_what_is_missing_is_asked_for_and_then_it_is_written(run, tmp_path):
    out = str(tmp_path / "out")
    code, _, said = run(*ABOUT, "--output", out)
    assert code == 3 and "lacks: licence, authors" in said and "--licence, --author" in said
    full = (*ABOUT, "--output", out, "--licence", "MIT", "--author", "Kim", "--author", "Lee")
    code, said, _ = run("--json", *full)
    done = json.loads(said)
    assert code == 0 and done["about"]["authors"] == ["Kim", "Lee"]
    assert done["about"]["date"] and done["report"]["questions"] > 0
    assert all((tmp_path / "out" / name).is_file() for name in done["files"])
    code, _, said = run(*full)
    assert code == 3 and "must be empty" in said
    code, said, _ = run(*ABOUT, "--output", f"{out}-2", "--since", out)
    assert code == 0 and "0 added, 0 changed, 0 reworded, 0 withdrawn" in said


def test_names_are_asked_for_again(run, tmp_path):
    full = (*ABOUT, "--licence", "MIT", "--author", "Kim", "--names", "--output")
    code, _, said = run(*full, str(tmp_path / "one"))
    assert code == 3 and "Agreed to be named: –" in said
    people = json.loads(run("--json", "person", "list")[1])["people"]
    name = people[0]["name"]
    assert run("person", "naming", name, "--agree")[0] == 0
    code, _, said = run(*full, str(tmp_path / "two"))
    assert code == 3 and f"Agreed to be named: {name}" in said
    assert run(*full, str(tmp_path / "three"), "--yes")[0] == 0
    assert name in (tmp_path / "three" / "README.md").read_text("utf-8")


def test_a_form_is_written_filled_in_and_exported(run, tmp_path):
    form, out = tmp_path / "form.yaml", tmp_path / "out"
    assert "19 of 19 fields are still open" in run("datasheet", "show")[1]
    assert run("datasheet", "show", "--output", str(form))[0] == 0
    text = form.read_text("utf-8").replace("funding:\n", "funding: 연구비 *1* <b>x</b>\n")
    form.write_text(text.replace("licence:\n", "licence: CC0\n"), "utf-8")
    code, said, _ = run("datasheet", "set", str(form), "--note", "begun")
    assert (code, said) == (0, "Saved version 2. 17 of 19 fields are still open.\n")
    assert "funding: 연구비 *1* <b>x</b>" in run("datasheet", "show")[1]
    assert "begun" in run("datasheet", "history")[1]
    assert json.loads(run("--json", "datasheet", "show", "1")[1])["answers"] == {}
    run("export", "gold", str(out))
    facts = json.loads((out / "datasheet.json").read_text("utf-8"))
    assert facts["motivation"]["funding"] == "연구비 *1* <b>x</b>"
    assert facts["distribution"]["licence"] == "CC0"
    told = facts["maintenance"]
    assert told["version of the form that people filled in"] == 2
    assert told["fields of the form not filled in yet"] == "17 of 19"
    assert "screen Gold" in facts["maintenance"]["contact"]
    page = (out / "datasheet.md").read_text("utf-8")
    assert "연구비 \\*1\\* \\<b\\>x\\</b\\>" in page
    assert "not recorded" not in page
    run("export", "gold", str(out), "--licence", "MIT")
    facts = json.loads((out / "datasheet.json").read_text("utf-8"))
    assert facts["distribution"]["licence"] == "MIT"


def test_what_cannot_be_saved_says_where(run, tmp_path):
    form = tmp_path / "form.yaml"
    code, _, err = run("datasheet", "set", str(form))
    assert code == 3 and "form.yaml" in err
    form.write_text("funding: x\nmoney: y\n", "utf-8")
    code, _, err = run("datasheet", "set", str(form))
    assert code == 3 and "line 2" in err and "money" in err
    form.write_text("funding: x\n", "utf-8")
    assert run("datasheet", "set", str(form), "--expected", "1")[0] == 0
    form.write_text("funding: y\n", "utf-8")
    assert run("datasheet", "set", str(form), "--expected", "1")[0] == 3
