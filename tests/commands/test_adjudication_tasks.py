"""Disputes of every task by one group of commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.adjudication.tasks import SHORT, TASKS, Disputes, disputes_of
from commands.adjudication import Disputed, Talked
from tests.commands.called import command_line
from tests.conftest import FakeClock
from tests.projects import mcq_project, research_project, tagged_project


def run(folder: Path, *words: str, code: int = 0) -> str:
    done = command_line(folder, "adjudicate", *words, "--by", "Cho")
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_every_task_keeps_the_protocol() -> None:
    found: list[Disputes] = [disputes_of(task) for task in TASKS]
    assert len(found) == len(set(map(type, found))) == len(TASKS)


@pytest.mark.parametrize("option", [Disputed, Talked])
def test_the_help_names_every_task(option) -> None:
    (words,) = [each.help for each in option.__metadata__]
    assert [name for name in SHORT if name not in words] == []


def test_a_researched_question_is_decided_as_one_of_them_found(
    tmp_path: Path, clock: FakeClock
) -> None:
    made = research_project.build(tmp_path / "ws", clock)
    passage = research_project.passage()
    research_project.submitted(made, made.ann, made.items[0], passage)
    research_project.submitted(made, made.ben, made.items[0])
    made.ws.engine.dispose()
    here, of = made.ws.folder, ("q1", "--task", "research")
    shown = run(here, "show", *of)
    assert f"statutes: 소방법_1조 [{passage['start']}–{passage['end']}]" in shown
    assert "{" not in shown
    assert "Ann, Ben" in run(here, "decide", *of, "--take", "Eve", "--reason", "So.", code=3)
    run(here, "decide", *of, "--take", "Ann", "--reason", "It says who.")
    assert run(here, "list", "--task", "research").split()[1] == "decided"


def test_several_factors_are_decided_for_one_reason(tmp_path: Path, clock: FakeClock) -> None:
    made = tagged_project.build(tmp_path / "ws", clock, number=2)
    tagged_project.tag(made, made.ann, 0, {"weapon": [("knife", "with a knife")]})
    tagged_project.tag(made, made.ben, 0, weapon="gun", motives="fear")
    made.ws.engine.dispose()
    here, tags = made.ws.folder, ("--task", "tagging")
    assert run(here, "list", *tags).split() == ["case-1", "open", "weapon,", "motives"]
    assert "Ann: knife" in run(here, "show", "case-1", *tags)
    said = ("--set", "weapon=gun", "--set", "motives=money,fear", "--reason", "So it says.")
    assert "Decided." in run(here, "decide", "case-1", *tags, *said)
    assert run(here, "list", "--task", "all").split()[1] == "decided"
    assert "motives" in run(here, "decide", "case-1", *tags, "--set", "motives", code=3)


def test_a_question_is_sent_back_recalled_and_decided(tmp_path: Path, clock: FakeClock) -> None:
    made = mcq_project.build(tmp_path / "ws", clock)
    mcq_project.submitted(made, made.ann, made.items[0])
    mcq_project.submitted(made, made.ben, made.items[0], "drop", cause="unclear", reason="Why?")
    made.ws.engine.dispose()
    here, of = made.ws.folder, ("mcq-001", "--task", "mcq")
    assert mcq_project.SECOND in run(here, "show", *of)
    assert "Ann, Ben" in run(here, "send-back", *of, "--reason", "Look again.")
    assert "waiting for Ann, Ben" in run(here, "list", "--task", "mcq")
    assert "waits" in run(here, "refer", *of, "--reason", "Again.", code=3)
    assert "Recalled" in run(here, "recall", *of)
    run(here, "decide", *of, "--set", "verdict=drop", "--set", "cause=unclear", code=3)
    run(here, "decide", *of, "--set", "verdict=drop", "--set", "cause=unclear", "--reason", "So.")
    [found] = json.loads(
        command_line(here, "--json", "adjudicate", "list", "--task", "mcq", "--by", "Cho").stdout
    )["cases"]
    assert (found["state"], found["decision"]["answers"]["verdict"]) == ("decided", "drop")
    assert "mapping, mcq, rating, tagging" in run(here, "list", "--task", "nothing", code=3)
