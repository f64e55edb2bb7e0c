"""Curation on the command line: giving, listing, deciding, admitting, the report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.called import command_line
from tests.conftest import FakeClock
from tests.projects.curation_project import (
    CRANE,
    GOLD,
    LAYER,
    MEANT,
    CurationHouse,
    build,
    submitted,
    written,
)


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> CurationHouse:
    return build(tmp_path / "workspace", clock)


def run(house: CurationHouse, *words: str, code: int = 0) -> str:
    house.ws.engine.dispose()
    done = command_line(house.ws.folder, *words)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout if code == 0 else done.stderr


def told(house: CurationHouse, *words: str) -> Any:
    return json.loads(run(house, "--json", *words))


def test_questions_are_given_and_listed(house: CurationHouse) -> None:
    written(house.ws, "aug-0004")
    written(house.ws, "aug-0005", ())
    written(house.ws, "aug-0006", ("rejected",))
    said = run(house, "curation", "items")
    assert "1 question given to curation; 3 there before." in said
    assert "Not through the cascade: 1." in said
    assert "--unchecked" in said
    assert told(house, "curation", "items", "--unchecked")["unchecked"] == 1
    lines = run(house, "curation", "list").splitlines()
    assert [line.split()[:2] for line in lines[-2:]] == [
        ["aug-0005", "waiting"],
        ["aug-0006", "held"],
    ]
    assert run(house, "curation", "list", "--stage", "held").split()[0] == "aug-0006"
    assert "unseen" in run(house, "curation", "list", "--stage", "nowhere", code=3)


def test_a_dispute_is_shown_decided_and_admitted(house: CurationHouse, tmp_path: Path) -> None:
    submitted(house, house.ann, house.items[0])
    submitted(house, house.ben, house.items[0], gold={**GOLD, CRANE: "yes"}, difficulty="L3")
    of = ("--task", "curation", "--by", "Cho")
    said = run(house, "adjudicate", "list", *of)
    assert said.split() == ["aug-0001", "open", "gold,", "difficulty"]
    shown = run(house, "adjudicate", "show", "aug-0001", *of)
    assert MEANT in shown
    assert LAYER in shown
    assert f"{CRANE} (added)" in shown
    assert "Ann" in shown
    decide = ("adjudicate", "decide", "aug-0001", *of, "--set", "difficulty=L3")
    run(house, *decide, "--unit", "no-such", "--reason", "So.", code=3)
    run(house, *decide, "--unit", CRANE, "--reason", "The crane.")
    [line] = told(house, "curation", "list", "--stage", "kept")["questions"]
    assert (line["gold"], line["difficulty"]) == ([CRANE], "L3")
    assert "aug-0001" in run(house, "curation", "admit")
    assert told(house, "curation", "admit")["before"] == 1
    run(house, "curation", "admit", "--id", "aug-0002", code=3)
    assert run(house, "check")
    run(house, "export", "gold", str(tmp_path / "gold"))
    assert CRANE in (tmp_path / "gold" / "gold.jsonl").read_text("utf-8")


def test_the_report_is_printed_and_written(house: CurationHouse, tmp_path: Path) -> None:
    for who in (house.ann, house.ben):
        submitted(house, who, house.items[0])
    file = tmp_path / "report.md"
    said = run(house, "curation", "report", "--output", str(file))
    assert "People accept 100.0 % [–] of the 1 question decided" in said
    assert "편입" in run(house, "curation", "report", "--language", "ko")
    assert "| in curation |" in file.read_text("utf-8").lower()
    assert told(house, "curation", "report")["shares"][1]["n"] == 1
    run(house, "curation", "report", "--output", str(tmp_path / "report.pdf"), code=3)
