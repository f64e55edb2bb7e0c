"""`status` prints the overview: what to do next first, then numbers that add up."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from services.overview.report import agreement_lines, overview
from services.overview.words import lines
from storage.db.workspace import Workspace
from tests.commands.called import command_line
from tests.conftest import FakeClock
from tests.pages.small_project import SLUG, Small, annotated_project


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return annotated_project(Workspace(tmp_path / "workspace", FakeClock()))


def printed(small: Small, *words: str) -> str:
    done = command_line(small.workspace.folder, *words, "status")
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


def test_its_states_add_up(small: Small) -> None:
    said = printed(small)
    assert "Questions: 2 final + 4 pending = 6" in said
    block = said.split("Questions: ", 1)[1].splitlines()[1:]
    counts = [int(match[1]) for each in block if (match := re.match(r"  .*: (\d+)$", each))]
    assert sum(counts) == 6


def test_it_prints_what_the_page_is_made_of(small: Small) -> None:
    found = overview(small.workspace, SLUG)
    agreement = agreement_lines(small.workspace, SLUG, found.tasks)
    told = json.loads(printed(small, "--json"))["overview"]
    own = json.loads(json.dumps(found.as_dict()))
    assert {name: told[name] for name in own if name != "work"} == {
        name: value for name, value in own.items() if name != "work"
    }
    assert told["agreement"] == [each.as_dict() for each in agreement]
    assert [each["made"] for each in told["work"]] == [each.made for each in found.work]
    korean = lines(found, agreement, "ko")
    assert len(korean) == len(lines(found, agreement)) and "다음 할 일" in korean[0]
