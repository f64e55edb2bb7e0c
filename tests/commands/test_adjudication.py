"""Disputes of every task, and requests, by one group of commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.adjudication.tasks import SHORT, TASKS, disputes_of
from annotation.forms.disputes import Disputes
from annotation.gold.derivation import derive
from annotation.people.members import change_role
from commands.adjudication import Disputed, Talked
from tests.annotation.crew import submit
from tests.annotation.house import SLUG, House, build
from tests.commands.called import command_line
from tests.conftest import FakeClock
from tests.projects import mcq_project, research_project, tagged_project


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    """Return a project in which Ann and Ben differ on q1."""
    made = build(tmp_path / "workspace", clock)
    submit(made, made.ann, made.items[0], 1, 4)
    submit(made, made.ben, made.items[0], 1)
    return made


def call(folder: Path, *words: str, code: int = 0) -> str:
    done = command_line(folder, "adjudicate", *words)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def run(house: House, *words: str) -> str:
    return call(house.ws.folder, *words)


def refused(house: House, *words: str) -> str:
    return call(house.ws.folder, *words, code=3)


def test_a_case_is_listed_shown_sent_back_and_recalled(house: House) -> None:
    assert run(house, "list", "--by", "Judge").split()[:3] == ["q1", "open", "differ"]
    told = run(house, "show", "q1", "--by", "Judge")
    assert "Ann (" in told
    assert "accept lake-act_article-4" in told
    assert "Ann, Ben" in run(house, "refer", "q1", "--by", "Judge", "--reason", "Talk.")
    assert "waiting for Ann, Ben" in run(house, "list", "--by", "Judge")
    run(house, "recall", "q1", "--by", "Judge")
    assert "waiting" not in run(house, "list", "--by", "Judge")


def test_a_case_is_decided_by_the_ids_of_its_provisions(house: House) -> None:
    where = ("decide", "q1", "--by", "Judge", "--reason", "Only lamp 1.")
    assert "999" in refused(house, *where, "--unit", "999")
    run(house, *where, "--unit", "lake-act_article-1")
    (found, *_) = derive(house.ws, SLUG)
    assert (found.outcome, found.units) == ("adjudicated", ("lake-act_article-1",))


def test_who_has_labelled_a_case_is_told_so(house: House) -> None:
    change_role(house.ws, house.ann, "adjudicator")
    assert "labelled by you too" in run(house, "list", "--by", "Ann")
    told = json.loads(run(house, "list", "--by", "Ann", "--json"))
    assert told["cases"][0]["own"]


def test_an_answer_is_asked_for_declined_and_given_back(house: House) -> None:
    assert run(house, "requests", "--by", "Judge").strip() == "Nobody asks."
    assert "reason" in refused(house, "ask", "q1", "--by", "Ann")
    run(house, "ask", "q1", "--by", "Ann", "--reason", "I slipped.")
    told = json.loads(run(house, "requests", "--by", "Judge", "--json"))["requests"]
    assert [(each["person"], each["reason"]) for each in told] == [("Ann", "I slipped.")]
    to = ("q1", "--to", "Ann", "--by", "Judge")
    run(house, "decline", *to, "--reason", "Article 4 is meant.")
    assert "no longer open" in refused(house, "decline", *to, "--reason", "Again.")
    run(house, "ask", "q1", "--by", "Ann", "--reason", "I did slip.")
    run(house, "give-back", *to, "--reason", "Look at 4.")
    assert run(house, "requests", "--by", "Judge").strip() == "Nobody asks."
    assert "waiting for Ann" in run(house, "list", "--by", "Judge")
    run(house, "recall", "q1", "--by", "Judge")
    assert "q9" in refused(house, "give-back", "q9", "--to", "Ann", "--by", "Judge")
    wrong = (*to, "--reason", "x", "--task", "ocr_correction")
    assert "q1" in refused(house, "give-back", *wrong)


def run_tasks(folder: Path, *words: str, code: int = 0) -> str:
    return call(folder, *words, "--by", "Cho", code=code)


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
    shown = run_tasks(here, "show", *of)
    assert f"statutes: 소방법_1조 [{passage['start']}–{passage['end']}]" in shown
    assert "{" not in shown
    assert "Ann, Ben" in run_tasks(here, "decide", *of, "--take", "Eve", "--reason", "So.", code=3)
    run_tasks(here, "decide", *of, "--take", "Ann", "--reason", "It says who.")
    assert run_tasks(here, "list", "--task", "research").split()[1] == "decided"


def test_several_factors_are_decided_for_one_reason(tmp_path: Path, clock: FakeClock) -> None:
    made = tagged_project.build(tmp_path / "ws", clock, number=2)
    tagged_project.tag(made, made.ann, 0, {"weapon": [("knife", "with a knife")]})
    tagged_project.tag(made, made.ben, 0, weapon="gun", motives="fear")
    made.ws.engine.dispose()
    here, tags = made.ws.folder, ("--task", "tagging")
    assert run_tasks(here, "list", *tags).split() == ["case-1", "open", "weapon,", "motives"]
    assert "Ann: knife" in run_tasks(here, "show", "case-1", *tags)
    said = ("--set", "weapon=gun", "--set", "motives=money,fear", "--reason", "So it says.")
    assert "Decided." in run_tasks(here, "decide", "case-1", *tags, *said)
    assert run_tasks(here, "list", "--task", "all").split()[1] == "decided"
    assert "motives" in run_tasks(here, "decide", "case-1", *tags, "--set", "motives", code=3)


def test_a_question_is_sent_back_recalled_and_decided(tmp_path: Path, clock: FakeClock) -> None:
    made = mcq_project.build(tmp_path / "ws", clock)
    mcq_project.submitted(made, made.ann, made.items[0])
    mcq_project.submitted(made, made.ben, made.items[0], "drop", cause="unclear", reason="Why?")
    made.ws.engine.dispose()
    here, of = made.ws.folder, ("mcq-001", "--task", "mcq")
    assert mcq_project.SECOND in run_tasks(here, "show", *of)
    assert "Ann, Ben" in run_tasks(here, "send-back", *of, "--reason", "Look again.")
    assert "waiting for Ann, Ben" in run_tasks(here, "list", "--task", "mcq")
    assert "waits" in run_tasks(here, "refer", *of, "--reason", "Again.", code=3)
    assert "Recalled" in run_tasks(here, "recall", *of)
    decide = ("decide", *of, "--set", "verdict=drop", "--set", "cause=unclear")
    run_tasks(here, *decide, code=3)
    run_tasks(here, *decide, "--reason", "So.")
    [found] = json.loads(
        command_line(here, "--json", "adjudicate", "list", "--task", "mcq", "--by", "Cho").stdout
    )["cases"]
    assert (found["state"], found["decision"]["answers"]["verdict"]) == ("decided", "drop")
    assert "mapping, mcq, rating, tagging" in run_tasks(here, "list", "--task", "nothing", code=3)
