"""Parallel groups, and searches by terms and connectors, on the command line."""

from __future__ import annotations

import json
from functools import partial

import pytest

from tests.commands.called import printed
from tests.projects.parallel_law import COSTS, REPORTS, SLUG, declared, parallel_workspace


@pytest.fixture
def run(tmp_path, clock):
    parallel_workspace(tmp_path / "w", clock)[0].engine.dispose()

    return partial(printed, tmp_path / "w", "--project", SLUG)


def test_a_declaration_is_previewed_saved_and_walked(run, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(declared(), encoding="utf-8")
    code, out, _ = run("parallel", "preview", str(file))
    assert code == 0 and "indirect_costs" in out and "0 now, 2 then" in out
    assert "No group is declared yet" in run("parallel", "list")[1]
    assert run("parallel", "save", str(file), "--note", "ours")[0] == 0
    assert COSTS[0] in run("parallel", "list")[1]
    code, out, _ = run("graph", "neighbours", COSTS[0], "--type", "parallel")
    assert code == 0 and f"--parallel--> {COSTS[2]}" in out
    edges = json.loads(run("--json", "graph", "report")[1])["edges"]
    assert next(each for each in edges if each["type"] == "parallel")["declared"] == 2


def test_proposals_are_confirmed_and_refused(run):
    code, out, _ = run("--json", "parallel", "proposals")
    found = {tuple(each["units"]): each for each in json.loads(out)["proposals"]}
    assert code == 0 and set(found) == {COSTS, REPORTS} and found[COSTS]["state"] == "open"
    assert run("parallel", "refuse", *REPORTS, "--note", "no")[0] == 0
    assert "Confirmed; version 2 holds." in run("parallel", "confirm", *reversed(COSTS))[1]
    told = json.loads(run("--json", "parallel", "proposals")[1])
    states = {tuple(each["units"]): each["state"] for each in told["proposals"]}
    assert states == {COSTS: "declared", REPORTS: "refused"}
    assert told["counts"] == {"open": 0, "declared": 1, "refused": 1}
    out = run("parallel", "proposals", "--state", "refused")[1]
    assert "refused by operator" in out and COSTS[0] not in out


def test_what_cannot_be_is_refused(run, tmp_path):
    assert run("parallel", "save", str(tmp_path / "none.yaml"), "--note", "x")[0] != 0
    assert run("parallel", "confirm", COSTS[0], REPORTS[0])[0] != 0
    assert run("parallel", "proposals", "--state", "gone")[0] != 0
    assert run("parallel", "proposals", "--at-least", "2")[0] != 0


def test_a_query_is_answered_with_marks_and_counts(run):
    code, out, _ = run("search", "tc", "간접비 /s 직접비! % 대학", "--in", "statutes")
    assert code == 0 and "Read as: 간접비 /s 직접비! % 대학" in out
    assert "statutes: 2 of 7 texts, 4 matches" in out
    assert "«간접비를» «직접비의»" in out and "경비기준_20조, 2" in out
    assert "간접비  – 6 in 3 texts" in out


def test_the_same_as_json(run):
    code, out, _ = run("--json", "search", "tc", "간접비 /s 직접비", "--limit", "1")
    (found,) = json.loads(out)["collections"]
    assert code == 0 and (found["collection"], found["texts"], found["searched"]) == (
        "statutes",
        3,
        7,
    )
    (hit,) = found["hits"]
    assert [each["text"] for each in hit["spans"]] == ["간접비를", "직접비의"]
    assert found["parts"][0] == {"part": "간접비 /s 직접비", "depth": 0, "matches": 6, "texts": 3}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("간접비 /s",), "character 5"),
        (("a", "--in", "books"), "both, statutes, cases"),
        (("a", "--order", "age"), "matches, collection"),
    ],
)
def test_what_cannot_be_asked_is_refused(run, words, said):
    code, _, err = run("search", "tc", *words)
    assert code == 3 and said in err
