"""The commands of the amendment watch: list, show, confirm, send back, set aside, reopen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.people.members import add_person
from commands.law import watch
from commands.shell.state import State
from services.law.watch import law_watch
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.conftest import FakeClock
from tests.services.law.test_watch import amend, mcq
from tests.services.mcq.mcq_project import SLUG, checks, generated, people
from tests.support.refusals import refused


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    made = Workspace(tmp_path / "workspace", clock)
    generated(made, 4)
    ann, ben = people(made)
    add_person(made, SLUG, "Lead", "researcher")
    checks(made, mcq(made, 1), ann, ben)
    amend(made)
    return made


def told(
    ws: Workspace, capsys: pytest.CaptureFixture[str], act: Any, *rest: Any, **more: Any
) -> Any:
    act(State(ws.folder, SLUG, True), *rest, **more)
    return json.loads(capsys.readouterr().out)


def test_the_list_counts_by_task_and_names_each_entry(
    ws: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    watch.listing(State(ws.folder, SLUG, False), task="mcq")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "mcq_solvability         4 items: 3 waiting, 0 sent back, 0 set aside, 0 done again, "
        "0 confirmed, 1 on unchanged law, 0 on no provision known"
    )
    assert len([line for line in lines if line.startswith("mcq_solvability ") and "(" in line]) == 3
    with refused("task_unwatched"):
        watch.listing(State(ws.folder, SLUG, False), task="cooking")


def test_a_project_without_law_has_nothing_on_amended_law(
    tmp_path: Path, clock: FakeClock, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = Workspace(tmp_path / "empty", clock)
    migrate(empty)
    create_project(empty, SLUG, SLUG)
    watch.listing(State(empty.folder, SLUG, False), task="mcq")
    assert capsys.readouterr().out == "Nothing rests on amended law.\n"


def test_both_wordings_are_shown_and_what_is_said_is_kept(
    ws: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = next(each for each in law_watch(ws, SLUG).entries if each.progress == "done")
    name = entry.external_id
    [found] = told(ws, capsys, watch.show, name)["entries"]
    assert found["old"]["text"].endswith("11일을 말한다.")
    assert found["new"][0]["text"] == "90일로 한다."
    told(ws, capsys, watch.confirm, name, by="Lead", reason="same answer")
    [found] = told(ws, capsys, watch.show, name)["entries"]
    assert (found["state"], found["check"]["person"]) == ("confirmed", "Lead")
    told(ws, capsys, watch.reopen, name)
    told(ws, capsys, watch.send_back, name, by="Lead", reason="the period is another")
    [found] = told(ws, capsys, watch.show, name, task="mcq")["entries"]
    assert (found["state"], found["check"]["reason"]) == ("sent_back", "the period is another")
    told(ws, capsys, watch.set_aside, name, by="Lead", reason="dropped")
    assert told(ws, capsys, watch.listing)["tasks"][1]["set_aside"] == 1
