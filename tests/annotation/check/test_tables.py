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

CHANGES = [
    ("person: person 1 (Ann): role", "UPDATE person SET role = 'researcher' WHERE name = 'Ann'"),
    ("person: person 2 (Else): name", "UPDATE person SET name = 'Else' WHERE name = 'Benno'"),
    ("person: person 3 (Cho): active", "UPDATE person SET active = 1 WHERE name = 'Cho'"),
    ("person: person 2 (Benno): name",
     "UPDATE person_event SET payload = '{\"before\": \"x\", \"after\": \"Benno\"}' WHERE id = "
     "(SELECT max(id) FROM person_event WHERE kind = 'renamed')"),
    ("person: person 3 (Cho): active", "DELETE FROM person_event WHERE kind = 'deactivated'"),
    ("account: account 1 (kim): active", "UPDATE account SET active = 1"),
    ("account: account 1 (kim): steward", "UPDATE account SET steward = 1"),
    ("account: account 1 (kim): made", "DELETE FROM account_event WHERE kind = 'made'"),
    ("account: account 1 (kim): active", "DELETE FROM account_event WHERE kind = 'deactivated'"),
    ("batch: batch 1 (First): overlap", "UPDATE batch SET overlap = 5"),
    ("batch: batch 1 (First): closed", "UPDATE batch SET closed_at = created_at"),
    ("batch: batch 1 (First): seed", "UPDATE batch SET seed = 77"),
    ("batch: batch 1 (First): deadline", "UPDATE batch SET deadline = created_at"),
    ("batch: batch 1 (First): items; lease: lease 1; lease: lease 2",
     "DELETE FROM batch_item WHERE position = 2"),
    ("batch: batch 1 (First): items",
     "UPDATE batch_item SET position = position + 9 WHERE position = 1"),
    ("settled: adjudication 2; batch: batch 1 (First): calibration",
     "UPDATE batch_item SET calibration = 1 WHERE position = 1"),
    ("batch: batch 1 (First): people; lease: lease 2",
     "DELETE FROM batch_person WHERE id = (SELECT max(id) FROM batch_person)"),
    ("batch: batch 1 (First): overlap",
     "DELETE FROM batch_event WHERE id = (SELECT max(id) FROM batch_event)"),
    ("batch: batch 1 (First): history",
     "DELETE FROM batch_event WHERE id = (SELECT max(id) - 1 FROM batch_event)"),
    ("lease: lease 1; lease: lease 2",
     "UPDATE lease SET expires_at = (SELECT created_at FROM project WHERE id = 1)"),
    ("lease: lease 1",
     "UPDATE lease SET person_id = (SELECT id FROM person WHERE role = 'adjudicator') WHERE id = "
     "(SELECT min(id) FROM lease)"),
    ("comment: comment 1; comment: comment 2", "UPDATE comment SET reply_to_id = id"),
    ("confidence: confidence 1",
     "UPDATE confidence SET annotation_id = (SELECT id FROM annotation WHERE kind = 'withdraw')"),
    ("document: document 2", "UPDATE document SET number = 3 WHERE number = 2"),
    ("known_answer: known_answer 2", "UPDATE known_answer SET item_id = 1 WHERE id = 1"),
    ("foreign_key: adjudication_label 1 → adjudication; foreign_key: adjudication 2 → "
     "adjudication; adjudication: adjudication 2",
     "DELETE FROM adjudication WHERE supersedes_id IS NULL"),
    ("outsider: comment 1; outsider: comment 2",
     "UPDATE comment SET person_id = (SELECT id FROM person WHERE name = 'Far')"),
    ("chain: annotation 1",
     "UPDATE annotation SET at = (SELECT created_at FROM project WHERE id = 1) WHERE id = 1"),
    ("foreign_key: annotation 1 → draft_event; chain: annotation 1",
     "DELETE FROM draft_event WHERE id = (SELECT event_id FROM annotation WHERE id = 1)"),
    ("foreign_key: annotation 2 → draft_event; chain: annotation 2; replay: annotation 2",
     "DELETE FROM draft_event WHERE item_id = 1 AND person_id = (SELECT person_id FROM annotation "
     "WHERE id = 2)"),
    ("foreign_key: annotation_label 2 → annotation; settled: adjudication 2; referral: referral 1; "
     "chain: –",
     "DELETE FROM annotation WHERE id = 2"),
    ("replay: annotation 3",
     "UPDATE draft_event SET payload = replace(payload, 'accept', 'unsure')"),
    ("referral: referral 1", "UPDATE referral SET annotation_ids = '[999]'"),
    ("referral: referral 1", "UPDATE referral SET annotation_ids = '[1, 1]'"),
    ("referral: referral 1", "UPDATE referral SET annotation_ids = '[]'"),
    ("replay: annotation 1", "UPDATE annotation SET comment = 'y' WHERE id = 1"),
    ("replay: annotation 2", "UPDATE annotation SET no_provision = 1 WHERE id = 2"),
    ("replay: annotation 1", "UPDATE annotation_label SET label = 'reject' WHERE id = 1"),
    ("chain: annotation 3; chain: annotation 4; replay: annotation 4",
     "UPDATE annotation SET supersedes_id = NULL, item_id = 3 WHERE id = 4"),
    ("settled: adjudication 2; referral: referral 1; chain: annotation 1",
     "UPDATE annotation SET kind = 'withdraw' WHERE id = 1"),
    ("foreign_key: annotation 1 → snapshot; stranger: annotation 1",
     "UPDATE annotation SET snapshot_id = 77 WHERE id = 1"),
    ("foreign_key: adjudication_label 1 → unit; foreign_key: adjudication_label 2 → unit",
     "UPDATE adjudication_label SET unit_id = 999"),
    ("file: CHECK constraint failed in annotation; settled: adjudication 2; referral: referral 1; "
     "chain: annotation 1",
     "UPDATE annotation SET kind = 'odd' WHERE id = 1"),
    ("undone: undone_decision 1; undone: undone_decision 2",
     "INSERT INTO undone_decision (item_id, person_id, adjudication_id, reason, at) "
     "SELECT item_id + id - 1, person_id + id - 2, id, '', at FROM adjudication"),
    ("person: person 3 (Cho): active; person: person 3 (Cho): active",
     "UPDATE person_event SET kind = 'reactivated' WHERE kind = 'deactivated'"),
    ("person: person 2 (Benno): added; person: person 2 (Benno): added; person: person 2 (Benno): "
     "role",
     "UPDATE person_event SET kind = 'added' WHERE kind = 'renamed'"),
    ("account: account 1 (kim): active; account: account 1 (kim): password",
     "UPDATE account_event SET kind = 'password' WHERE kind = 'deactivated'"),
    ("account: account 1 (kim): active; account: account 1 (kim): provider",
     "UPDATE account_event SET kind = 'provider' WHERE kind = 'deactivated'"),
    ("batch: batch 1 (First): name; batch: batch 1 (First): sequence; batch: batch 1 (First): "
     "seed; batch: batch 1 (First): made; batch: batch 1 (First): history",
     "DELETE FROM batch_event WHERE kind = 'made'"),
    ("batch: batch 1 (First): closed", "DELETE FROM batch_event WHERE kind = 'reopened'"),
    ("settled: adjudication 2; batch: batch 1 (Else): name; batch: batch 1 (Else): practice",
     "UPDATE batch SET practice = 1, name = 'Else'"),
    ("comment: comment 2", "UPDATE comment SET kind = 'declined' WHERE id = 2"),
    ("comment: comment 1", "UPDATE comment SET kind = 'odd' WHERE id = 1"),
    ("comment: comment 2", "UPDATE comment SET item_id = 2 WHERE id = 1"),
    ("file: CHECK constraint failed in confidence; confidence: confidence 1",
     "UPDATE confidence SET value = 6"),
    ("file: CHECK constraint failed in confidence; confidence: confidence 1",
     "UPDATE confidence SET value = 0"),
    ("document: document 1", "UPDATE document SET number = number - 1"),
    ("referral: referral 1", "UPDATE referral SET annotation_ids = '[1, 3]'"),
    ("settled: adjudication 2; referral: annotation 2; chain: annotation 2",
     "UPDATE annotation SET supersedes_id = 1 WHERE id = 2"),
    ("foreign_key: candidate_set 2 → snapshot; stranger: candidate_set 2",
     "UPDATE candidate_set SET snapshot_id = 77 WHERE id = 2"),
    ("replay: annotation 2", "UPDATE annotation SET flag = 'y' WHERE id = 2"),
    ("replay: annotation 1", "UPDATE annotation SET candidate_set_id = 2 WHERE id = 1"),
    ("replay: annotation 2",
     "UPDATE annotation_label SET evidence = '{\"spans\": []}' WHERE id = 2"),
    ("", "UPDATE lease SET expires_at = taken_at"),
    ("", "DELETE FROM person_event WHERE kind = 'added'"),
    ("", "UPDATE comment SET kind = CASE id WHEN 1 THEN 'asked' ELSE 'declined' END"),
    ("", "UPDATE referral SET annotation_ids = '[1]'"),
    ("", "UPDATE confidence SET value = 1"),
    ("", "UPDATE confidence SET value = 5"),
    ("", "INSERT INTO undone_decision (item_id, person_id, adjudication_id, reason, at) "
     "SELECT item_id, person_id, id, '', at FROM adjudication WHERE id = 2"),
    ("", "UPDATE account SET password_hash = 'x', subject = 'x'"),
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


@pytest.mark.parametrize(("found", "change"), CHANGES)
def test_what_is_found_of_a_change_comes_with_what_to_do(
    worked: House, found: str, change: str
) -> None:
    with closing(sqlite3.connect(worked.ws.database)) as database:
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        guards = database.execute(query).fetchall()
        for name, _ in guards:
            database.execute(f"DROP TRIGGER {name}")
        database.execute("PRAGMA ignore_check_constraints = ON")
        assert database.execute(change).rowcount, "it must change something"
        for _, sql in guards:
            database.execute(sql)
        database.commit()
    problems = check(worked.ws, SLUG)
    assert "; ".join(f"{each.code}: {each.where}" for each in problems) == found
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
