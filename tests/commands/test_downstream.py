"""The commands about downstream accuracy."""

from __future__ import annotations

import json

import pytest

from tests.commands.called import command_line
from tests.projects.downstream_project import SLUG, downstream


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return downstream(tmp_path_factory.mktemp("downstream") / "ws").ws.folder


def run(folder, *words):
    return command_line(folder, "--project", SLUG, *words)


def test_the_report_as_json_as_tables_and_by_stratum(folder):
    told = json.loads(run(folder, "--json", "downstream", "report", "--top", "2").stdout)
    by_name = {each["name"]: each for each in told["accuracy"]}
    assert by_name["small run"]["gap"]["value"] == 0.5
    assert "small one by one · top 2" in by_name
    assert {each["of"] for each in told["tests"]} == {"all", "readable"}
    words = ("--stratum", "difficulty=L2", "--of", "readable", "--output", str(folder / "f.svg"))
    done = run(folder, "downstream", "report", *words)
    assert done.returncode == 0 and (folder / "f.svg").read_text("utf-8").startswith("<svg")
    words = run(folder, "downstream", "report", "--judge", "gavel", "--split", "difficulty").stdout
    assert "by gavel" in words and "By difficulty" in words
    for wrong in (["--of", "x"], ["--output", "a.pdf"]):
        assert run(folder, "downstream", "report", *wrong).returncode


def test_the_questions_behind_a_figure_are_listed(folder):
    wrong = run(folder, "downstream", "questions", "small run", "--outcome", "wrong").stdout
    assert [line.split()[0] for line in wrong.splitlines()] == ["c06", "c07"]
    one = run(folder, "downstream", "questions", "small run", "--question", "c01").stdout
    assert ">* B. B의 내용  (-0.500)" in one and "[1] 나루법_" in one
    told = json.loads(
        run(folder, "--json", "downstream", "questions", "big none", "--question", "c05").stdout
    )
    assert told["line"]["outcome"] == "refused"
    assert run(folder, "downstream", "questions", "nobody").returncode
    assert run(folder, "downstream", "questions", "small run", "--outcome", "x").returncode
