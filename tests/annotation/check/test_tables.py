"""Harm to what stands beside the labels: people, accounts, batches, threads, versions, gold."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.adjudication.disputes import decide
from annotation.adjudication.tasks import refer
from annotation.batches.commands import close, reopen, set_overlap
from annotation.check import gold_replay
from annotation.check.project import check
from annotation.gold import derivation
from annotation.mapping import commands as mapping_commands
from annotation.people.accounts import add_account, set_active
from annotation.people.members import add_person, change_role, deactivate, rename
from annotation.work import commands, queue_service, threads
from messages import catalogue
from storage.db.workspace import Workspace
from storage.projects import create_project, find_project
from storage.tables.people import Document, KnownAnswer
from tests.annotation.crew import batch, submit
from tests.annotation.house import SLUG, House, build
from tests.conftest import FakeClock
from tests.projects.project_cache import kept

HARMS = [
    ("person", "UPDATE person SET role = 'researcher' WHERE name = 'Ann'"),
    ("person", "UPDATE person SET name = 'Else' WHERE name = 'Benno'"),
    ("person", "UPDATE person SET active = 1 WHERE name = 'Cho'"),
    ("person", "UPDATE person_event SET payload = '{\"before\": \"x\", \"after\": \"Benno\"}' "
     "WHERE id = (SELECT max(id) FROM person_event WHERE kind = 'renamed')"),
    ("person", "DELETE FROM person_event WHERE kind = 'deactivated'"),
    ("account", "UPDATE account SET active = 1"),
    ("account", "UPDATE account SET steward = 1"),
    ("account", "DELETE FROM account_event WHERE kind = 'made'"),
    ("account", "DELETE FROM account_event WHERE kind = 'deactivated'"),
    ("batch", "UPDATE batch SET overlap = 5"),
    ("batch", "UPDATE batch SET closed_at = created_at"),
    ("batch", "UPDATE batch SET seed = 77"),
    ("batch", "UPDATE batch SET deadline = created_at"),
    ("batch", "DELETE FROM batch_item WHERE position = 2"),
    ("batch", "UPDATE batch_item SET position = position + 9 WHERE position = 1"),
    ("batch", "UPDATE batch_item SET calibration = 1 WHERE position = 1"),
    ("batch", "DELETE FROM batch_person WHERE id = (SELECT max(id) FROM batch_person)"),
    ("batch", "DELETE FROM batch_event WHERE id = (SELECT max(id) FROM batch_event)"),
    ("batch", "DELETE FROM batch_event WHERE id = (SELECT max(id) - 1 FROM batch_event)"),
    ("lease", "UPDATE lease SET expires_at = '2001-01-01 00:00:00.000000'"),
    ("lease", "UPDATE lease SET person_id = (SELECT id FROM person WHERE role = 'adjudicator') "
     "WHERE id = (SELECT min(id) FROM lease)"),
    ("comment", "UPDATE comment SET reply_to_id = id"),
    ("confidence", "UPDATE confidence SET annotation_id = "
     "(SELECT id FROM annotation WHERE kind = 'withdraw')"),
    ("document", "UPDATE document SET number = 3 WHERE number = 2"),
    ("known_answer", "UPDATE known_answer SET item_id = 1 WHERE id = 1"),
    ("adjudication", "DELETE FROM adjudication WHERE supersedes_id IS NULL"),
    ("outsider", "UPDATE comment SET person_id = (SELECT id FROM person WHERE name = 'Far')"),
    ("chain", "UPDATE annotation SET at = '2001-01-01 00:00:00.000000' WHERE id = 1"),
    ("chain", "DELETE FROM draft_event WHERE id = (SELECT event_id FROM annotation WHERE id = 1)"),
    ("chain", "DELETE FROM draft_event WHERE item_id = 1 AND person_id = "
     "(SELECT person_id FROM annotation WHERE id = 2)"),
    ("chain", "DELETE FROM annotation WHERE id = 2"),
    ("replay", "UPDATE draft_event SET payload = replace(payload, 'accept', 'unsure')"),
    ("referral", "UPDATE referral SET annotation_ids = '[999]'"),
    ("referral", "UPDATE referral SET annotation_ids = '[1, 1]'"),
    ("referral", "UPDATE referral SET annotation_ids = '[]'"),
    ("replay", "UPDATE annotation SET comment = 'y' WHERE id = 1"),
    ("replay", "UPDATE annotation SET no_provision = 1 WHERE id = 2"),
    ("replay", "UPDATE annotation_label SET label = 'reject' WHERE id = 1"),
    ("chain", "UPDATE annotation SET supersedes_id = NULL, item_id = 3 WHERE id = 4"),
    ("settled", "UPDATE annotation SET kind = 'withdraw' WHERE id = 1"),
    ("stranger", "UPDATE annotation SET snapshot_id = 77 WHERE id = 1"),
    ("foreign_key", "UPDATE adjudication_label SET unit_id = 999"),
    ("file", "UPDATE annotation SET kind = 'odd' WHERE id = 1"),
]  # fmt: skip


@pytest.fixture
def worked(tmp_path: Path, clock: FakeClock) -> House:
    """Return a project in which something of every kind has happened."""
    ws = Workspace(tmp_path / "workspace", clock)
    return replace(kept("all of the lake", ws, lambda: _worked(ws)), ws=ws)


def _worked(ws: Workspace) -> House:
    """Let it happen; return the project, which knows no workspace."""
    house = replace(build(ws.folder, ws.clock), ws=ws)
    first, second, third = house.items
    number = batch(house, house.ann, house.ben, ids=("q1", "q2"))
    close(ws, SLUG, number)
    reopen(ws, SLUG, number)
    set_overlap(ws, SLUG, number, 1)
    set_overlap(ws, SLUG, number, 2)
    submit(house, house.ann, first, 1)
    submit(house, house.ben, first, 2)
    refer(ws, house.judge, first, "look again", [1, 2])
    decide(ws, house.judge, first, [house.units[1]], False, "r", 1)
    decide(ws, house.judge, first, [house.units[2]], False, "r", 1)
    queue_service.open_item(ws, house.ann, second)
    mapping_commands.label(ws, house.ann, second, house.units[1], "accept")
    commands.submit(ws, house.ann, second, 4)
    commands.take_back(ws, house.ann, second)
    queue_service.open_item(ws, house.ben, second)
    mapping_commands.label(ws, house.ben, second, house.units[1], "accept")  # holds a slot
    said = threads.say(ws, house.judge, first, "why?")
    threads.say(ws, house.judge, first, "because", said)
    rename(ws, house.ben, "Bento")
    rename(ws, house.ben, "Benno")
    change_role(ws, house.ben, "lawyer")
    deactivate(ws, house.cho)
    add_account(ws, "kim", "Kim", None)
    set_active(ws, "kim", False)
    _rest(house, third)
    return replace(house, ws=None)  # type: ignore[arg-type]


def _rest(house: House, item: int) -> None:
    create_project(house.ws, "far", "Far", 1)
    add_person(house.ws, "far", "Far", "annotator")
    at = house.ws.clock()
    with house.ws.writing() as session:
        project = find_project(session, SLUG).id
        one: Any = {
            "project_id": project,
            "kind": "guideline",
            "task": "t",
            "language": "en",
            "at": at,
        }
        session.add_all(Document(number=number, text="x", **one) for number in (1, 2))
        known = KnownAnswer(item_id=item, answer={"units": [], "no_provision": True}, at=at)
        session.add(known)
        session.flush()
        session.add(KnownAnswer(item_id=item, answer=known.answer, supersedes_id=known.id, at=at))


def test_all_that_the_product_does_is_sound(worked: House) -> None:
    assert check(worked.ws, SLUG) == []


@pytest.mark.parametrize(("code", "harm"), HARMS)
def test_harm_is_found_and_comes_with_what_to_do(worked: House, code: str, harm: str) -> None:
    with closing(sqlite3.connect(worked.ws.database)) as database:
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        guards = database.execute(query).fetchall()
        for name, _ in guards:
            database.execute(f"DROP TRIGGER {name}")
        database.execute("PRAGMA ignore_check_constraints = ON")
        assert database.execute(harm).rowcount, "the harm must do something"
        for _, sql in guards:
            database.execute(sql)
        database.commit()
    problems = check(worked.ws, SLUG)
    assert code in {problem.code for problem in problems}
    for problem in problems:
        assert problem.where in problem.say() and problem.where in problem.say("ko")
        assert problem.remedy() != problem.remedy("ko")


def test_every_problem_says_what_to_do() -> None:
    codes = {key.partition(".")[2] for key in catalogue() if key.startswith("check.")}
    told = {key.partition(".")[2] for key in catalogue() if key.startswith("check_remedy.")}
    assert codes == told != set()


@pytest.mark.parametrize("wrong", ["reasons", "current_decisions", "complete", "discussions"])
def test_a_derivation_that_goes_wrong_is_found_by_the_replay(
    house: House, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    first, second, third = house.items
    for item, unit in ((first, 2), (second, 2), (third, 1)):
        submit(house, house.ann, item, 1)
        submit(house, house.ben, item, unit)
    decide(house.ws, house.judge, first, [house.units[1]], False, "r", 1)
    refer(house.ws, house.judge, second, "look again", [3, 4])
    assert check(house.ws, SLUG) == []
    monkeypatch.setattr(derivation, wrong, lambda *_, **__: () if wrong == "reasons" else {})
    if wrong == "reasons":  # what still differs is gold now, by the wrong rule
        monkeypatch.setattr(derivation, "discussions", lambda *_, **__: {})
    found = {problem.where for problem in check(house.ws, SLUG) if problem.code == "derived"}
    harmed = {"reasons": "q2", "current_decisions": "q1", "complete": "q3", "discussions": "q2"}
    assert found == {harmed[wrong]}


def test_the_replay_shares_nothing_with_the_derivation() -> None:
    lines = Path(gold_replay.__file__).read_text("utf-8").splitlines()
    source = [line for line in lines if line.startswith(("from ", "import "))]
    theirs = ("adjudication.decisions", "submissions", "discussions", "storage.overlap", "lineage")
    assert not [line for line in source if any(module in line for module in theirs)]
    assert [line for line in source if "annotation.gold.derivation" in line] == [
        "from annotation.gold.derivation import GoldItem"
    ]
