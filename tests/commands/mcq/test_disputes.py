from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.mcq.state import Fate, McqState, mcq_states
from storage.projects import find_project
from tests.commands.called import command_line
from tests.conftest import FakeClock
from tests.projects.mcq_project import SECOND, SLUG, McqHouse, build, submitted

FIX = {"query": "난간은 몇 미터까지인가?", "options": ["1", "2", "3", "4"], "answer": 4}


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> McqHouse:
    """Return a project in which Ann and Ben differ on the first question."""
    made = build(tmp_path / "workspace", clock)
    submitted(made, made.ann, made.items[0])
    submitted(made, made.ben, made.items[0], "drop", cause="unclear", reason="Says nothing.")
    submitted(made, made.ann, made.items[1])
    return made


def run(house: McqHouse, *arguments: str, code: int = 0) -> str:
    done = command_line(house.ws.folder, "mcq", *arguments, "--by", "Cho")
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def first(house: McqHouse) -> McqState:
    with house.ws.reading() as session:
        return mcq_states(session, find_project(session, SLUG).id)[house.mcqs[0]]


def test_what_is_disputed_is_listed_and_shown(house: McqHouse) -> None:
    assert run(house, "disputes").split() == ["mcq-001", "open", "verdict"]
    told = run(house, "show", "mcq-001")
    assert SECOND in told
    assert "2. 2미터 (stored)" in told
    assert "Says nothing." in told
    assert "mcq-002" in run(house, "show", "mcq-002", code=3)


def test_it_is_settled_and_put_right_from_a_file(house: McqHouse, tmp_path: Path) -> None:
    file = tmp_path / "fix.json"
    where = ("settle", "mcq-001", "--verdict", "fix", "--fix", str(file))
    file.write_text('{"query": "x", "options": ["a"], "answer": 1}', encoding="utf-8")
    run(house, *where, "--cause", "unclear", "--reason", "Better.", code=3)
    file.write_text(json.dumps(FIX), encoding="utf-8")
    run(house, *where, "--reason", "Better.", code=3)
    assert first(house).fate is Fate.DISPUTED
    run(house, *where, "--cause", "unclear", "--reason", "Better.")
    assert first(house).fate is Fate.FIXED
    assert first(house).fix is not None
    assert first(house).fix.answer == 3  # type: ignore[union-attr]
    assert "settled: fixed" in run(house, "disputes")
