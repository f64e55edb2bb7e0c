"""Comparing snapshots, and the amendment watch, on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.people.members import add_person
from commands.law import watch
from commands.shell.state import State
from services.law.watch import law_watch
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.gold.test_rechecks import amended_law
from tests.annotation.house import SLUG as COMPARE_SLUG
from tests.annotation.house import House, build
from tests.commands.called import printed
from tests.commands.called import told as compare_told
from tests.conftest import FakeClock
from tests.projects.bare_project import bare_project
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
    empty = bare_project(tmp_path / "empty", SLUG, clock)
    watch.listing(State(empty.folder, SLUG, False), task="mcq")
    assert capsys.readouterr().out == "Nothing rests on amended law.\n"


def test_both_wordings_are_shown_and_what_is_said_is_kept(
    ws: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = next(each for each in law_watch(ws, SLUG).entries if each.progress == "done")
    name = entry.external_id
    [found] = told(ws, capsys, watch.show, name)["entries"]
    assert found["old"]["text"].endswith("11일을 말한다.") and found["progress"] == "done"
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


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    made = build(tmp_path / "workspace", clock)
    for person in (made.ann, made.ben):
        submit(made, person, made.items[0], (1,))
    return made


def test_what_changed_and_what_to_check_is_told_to_people_and_to_scripts(house: House) -> None:
    keep_statutes(house.ws, COMPARE_SLUG, [amended_law()], "second")
    lines = printed(house.ws.folder, "compare")[1].splitlines()
    assert lines[:3] == [
        "Old: snapshot 1 (first, effective 2026-01-01)",
        "New: snapshot 2 (second, effective 2026-01-01, in use)",
        "Statutes: 1 statute differs, 0 equal.",
    ]
    assert "Lake Act (changed): 1 changed, 1 removed, 1 renumbered, 2 unchanged" in lines
    assert "  renumbered Article 2-1 (Lamps), before: Article 2" in lines
    assert "Provisions: 1 changed, 1 removed, 1 renumbered, 2 unchanged." in lines
    again = "To check again after amendments: 1 question, 1 of them gold before."
    assert again in lines
    assert lines[-1] == (
        "  q1: lake-act_article-1 (changed, gold; "
        "accept by Ann 2026-01-05, accept by Ben 2026-01-05)"
    )
    _, said = compare_told(house.ws.folder, "compare", "1", "2")
    assert said["units"]["changed"] == 1
    [entry] = said["rechecks"]
    assert (entry["unit"], entry["decisions"][0]["person"]) == ("lake-act_article-1", "Ann")
    assert compare_told(house.ws.folder, "compare", "2", "1")[1]["rechecks"] == []
