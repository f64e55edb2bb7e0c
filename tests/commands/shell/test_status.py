"""`status` prints the overview: what to do next first, then numbers that add up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from services.overview.report import agreement_lines, overview
from services.overview.words import as_report
from storage.db.workspace import Workspace
from tests.commands.called import command_line
from tests.conftest import FakeClock
from tests.pages.small_project import SLUG, Small, annotated_project


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return annotated_project(Workspace(tmp_path / "workspace", FakeClock()))


def printed(small: Small, *words: str, output: Path | None = None) -> str:
    asked = () if output is None else ("--output", str(output))
    done = command_line(small.workspace.folder, *words, "status", *asked)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_says_first_what_to_do_next_and_by_which_command(small: Small) -> None:
    said = printed(small).splitlines()
    assert said[:2] == [
        "project: small",
        "Next: Adjudicate 2 open disputes."
        " (touchstone.py adjudicate list --task all --by 'Lee Sora')",
    ]
    listed = command_line(
        small.workspace.folder, *("adjudicate", "list", "--task", "all", "--by", "Lee Sora")
    )
    assert listed.returncode == 0 and "q2" in listed.stdout and "q4" in listed.stdout


def test_it_prints_what_the_page_is_made_of(small: Small, tmp_path: Path) -> None:
    found = overview(small.workspace, SLUG)
    report = as_report(found, agreement_lines(small.workspace, SLUG, found.tasks), "en")
    file = tmp_path / "overview.json"
    told = json.loads(printed(small, "--json", output=file))["overview"]
    own = json.loads(json.dumps(report.as_json()))
    assert json.loads(file.read_text(encoding="utf-8")).keys() == told.keys() == own.keys()
    differs = {"work", "people"}  # the pace is of this moment
    assert {k: v for k, v in told.items() if k not in differs} == {
        k: v for k, v in own.items() if k not in differs
    }
    assert [each["made"] for each in told["work"]] == [each.made for each in found.work]
    said = printed(small)
    assert "2 of 6 questions are final, 4 pending." in said
    assert sum(each["count"] for each in told["questions"]) == 6
