"""Reformulation and jurisdictions on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from services.runs.retrieving import retrieve
from storage.db.workspace import Workspace
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, build
from tests.commands.called import Done, command_line
from tests.conftest import FakeClock

LINE = {
    "question_id": "h1",
    "question": "Which boats need a lamp?",
    "answer": "",
    "jurisdiction": "US NY",
    "choices": {"A": "Rowing boats", "B": "Ferries", "C": "All of the above"},
    "correct_choices": ["A", "C"],
}


class Run:
    """The command line on one workspace."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str) -> Done:
        return command_line(self.folder, "--project", SLUG, *words)

    def told(self, *words: str) -> Any:
        done = command_line(self.folder, "--project", SLUG, "--json", *words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def run(tmp_path: Path, clock: FakeClock) -> Run:
    house = build(tmp_path / "workspace", clock, overlap=1)
    submit(house, house.ann, house.items[0], (1,))
    house.ws.engine.dispose()
    file = tmp_path / "housing.jsonl"
    file.write_text(json.dumps(LINE) + "\n", "utf-8")
    run = Run(tmp_path / "workspace")
    assert run("import", "questions", str(file)).returncode == 0
    return run


WORDS = ("questions", "reformulate")


def test_options_are_planned_worded_listed_and_decided(run: Run) -> None:
    plan = run.told(*WORDS, "plan", "--word")
    assert plan["fates"] == {"split": 1, "stays": 0, "refused": 3}
    assert plan["refusals"] == {"free_response": 3}
    assert plan["worded"] == 3
    assert {"question": "q1", "why": "free_response"} in plan["refused"]
    said = run(*WORDS, "plan").stdout
    assert "a free response: it has no options: 3" in said
    listed = run(*WORDS, "list", "--state", "open").stdout
    assert "h1  Which boats need a lamp?" in listed and "This option refers to other" in listed
    assert "h1-o1 is now a question" in run(*WORDS, "approve", "1").stdout
    assert "h1-o2 is now a question" in run(*WORDS, "edit", "2", "Do ferries?").stdout
    assert run(*WORDS, "refuse", "3", "--reason", "alone it means nothing").returncode == 0
    (first, second, third) = run.told(*WORDS, "list")["wordings"]
    assert [each["state"] for each in (first, second, third)] == ["approved"] * 2 + ["refused"]
    assert (second["approved"], second["made"]) == ("Do ferries?", "h1-o2")
    assert third["reason"] == "alone it means nothing"
    assert "No option is in this state" in run(*WORDS, "list", "--state", "open").stdout
    assert run.told("status")["inheriting"] == 2


def test_what_cannot_be_is_said(run: Run) -> None:
    run(*WORDS, "plan", "--word")
    for words in (("approve", "9"), ("edit", "2", "  "), ("list", "--state", "odd")):
        done = run(*WORDS, *words)
        assert done.returncode and "Remedy:" in done.stderr, words


def test_bounds_are_printed_for_every_run(run: Run, clock: FakeClock) -> None:
    assert "No question of the project" in run(*WORDS, "bounds").stdout
    run(*WORDS, "plan", "--word")
    run(*WORDS, "approve", "1")
    retrieve(Workspace(run.folder, clock), SLUG)
    for name in ("markdown", "csv", "latex"):
        assert "FullCov@5" in run(*WORDS, "bounds", "--k", "5", "--format", name).stdout
    (line,) = run.told(*WORDS, "bounds")["runs"]
    assert line["upper"]["n"] == line["parents"] == 0  # what is not settled is not scored


def test_law_and_questions_are_imported_into_a_jurisdiction(run: Run, tmp_path: Path) -> None:
    lake = tmp_path / "pond.txt"
    lake.write_text("Title: Pond Act\n\n§ 1. Ponds\n\nA pond is wet.\n", "utf-8")
    words = ("import", "statutes", str(lake), "--jurisdiction", "US_NY", "--add")
    seen = run.told(*words, "--preview")
    assert seen["jurisdictions"] == {"us-ny": 1}
    assert "Statutes by jurisdiction: us-ny 1." in run(*words, "--preview").stdout
    assert run(*words).returncode == 0
    wrong = run("import", "statutes", str(lake), "--jurisdiction", "뉴욕")
    assert wrong.returncode and "short name of a jurisdiction" in wrong.stderr
