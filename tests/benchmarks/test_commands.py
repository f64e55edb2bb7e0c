"""What `benchmarks/commands.py` begins with: labels that make gold and differences; its ratios."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.commands import COMMANDS, EVERY, NOTHING, _figures, commands_of, write_labels


def test_two_people_label_every_question_and_differ_on_some(tmp_path: Path) -> None:
    asked = [{"question_id": f"q{at}", "question": "Q?", "answer": "A."} for at in range(2 * EVERY)]
    questions = tmp_path / "questions.jsonl"
    questions.write_text("".join(f"{json.dumps(each)}\n" for each in asked), "utf-8")
    gold = {f"q{at}": ("act_article-1",) for at in range(EVERY + 1)}
    file, guide = write_labels(tmp_path, questions, gold)
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    sides = {
        each["external_id"]: [given["values"]["provisions"]["value"] for given in each["responses"]]
        for each in records
    }
    assert list(sides) == [each["question_id"] for each in asked]
    differing = [name for name, (one, other) in sides.items() if one != other]
    assert differing == ["q0", f"q{EVERY}"]
    assert sides[f"q{EVERY + 1}"] == [[NOTHING], [NOTHING]]
    decisions = json.loads(guide.read_text("utf-8"))["decisions"]
    assert set(decisions) == {"act_article-1", NOTHING}


def test_ratios_are_of_runs_side_by_side() -> None:
    taken = {("check", 0): [1.0, 4.0], ("check", 1): [2.0, 4.0]}
    found = {each.name: each.value for each in _figures(taken, {"check": False}, ["check"])}
    assert found["check_ratio"] == 0.75
    assert found["check_seconds"] == 2.5
    assert found["check_same"] == 0.0


def test_only_commands_that_are_there_are_taken() -> None:
    assert commands_of("check, restore") == ("check", "restore")
    assert set(commands_of("candidates")) <= set(COMMANDS)
    with pytest.raises(ValueError, match="commands are"):
        commands_of("check,nothing")
