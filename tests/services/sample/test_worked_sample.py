"""The sample in the middle of its life: what its people did, what is left, and how it was made."""

from __future__ import annotations

import sqlite3
import time
import zipfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from annotation.adjudication.tasks import open_disputes
from annotation.check.project import check
from annotation.people.accounts import add_account
from annotation.people.members import list_people
from annotation.people.roles import may
from annotation.work.queue_service import queue
from annotation.work.slots import act_of
from services.overview.report import overview
from services.sample.loading import PROJECT, load_sample, load_worked_sample
from services.sample.people import PEOPLE, RESEARCHER, SLUG
from storage.db.migrate import migrate
from storage.db.workspace import DATABASE_FILE, Workspace
from storage.projects import create_project
from storage.tables.core import Annotation, Item
from storage.tables.people import Batch, BatchEvent
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.support.refusals import code_of

_TO_VERIFY_NOTHING = Task.OCR_VERIFICATION  # its page is made by whoever corrects one


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return a workspace with the project; nothing here writes into it."""
    ws = Workspace(tmp_path_factory.mktemp("worked") / "workspace", FakeClock())
    migrate(ws)
    assert load_worked_sample(ws)
    return ws


def test_what_is_derived_equals_a_replay_of_what_people_did(worked: Workspace) -> None:
    assert check(worked, SLUG) == []


def test_a_researcher_is_among_its_people(worked: Workspace) -> None:
    people = {each.name: each.role for each in list_people(worked, SLUG)}
    assert people == dict([*PEOPLE, RESEARCHER])


def test_every_task_is_in_the_middle_of_its_life(worked: Workspace) -> None:
    lines = [line for line in overview(worked, SLUG).work if not line.batch]
    assert {line.task for line in lines} == {*Task, Task("own:relevance")}
    for line in lines:
        assert line.made > 0, line.task
        if line.task != Task.OCR_VERIFICATION:
            assert line.left > 0, line.task


def test_each_person_has_work_left_in_each_of_their_tasks(worked: Workspace) -> None:
    with worked.reading() as session:
        tasks = {item.task for item in session.exec(select(Item)).all()}
        disputed = {task for task, count in open_disputes(session, 1, list(Task)).items() if count}
    for person in list_people(worked, SLUG):
        for task in map(Task, sorted(tasks - {_TO_VERIFY_NOTHING})):
            if may(person.role, act_of(task)):
                entries = queue(worked, person.id, task)
                left = [each for each in entries if each.status != "submitted"]
                given = person.role != "lawyer" or task != Task.CITATION_MAPPING  # in batches
                assert left or not given, (person.name, task)
    assert disputed == {
        *(Task.CITATION_MAPPING, Task.MCQ_SOLVABILITY, Task.ANSWER_RATING, Task.FACTOR_TAGGING),
        *(Task.CURATION, Task.RESEARCH, Task.ATTRIBUTION),
    }


def test_the_last_day_of_work_is_yesterday(worked: Workspace) -> None:
    today = worked.clock().date()
    with worked.reading() as session:
        days = {each.at.date() for each in session.exec(select(Annotation)).all()}
        deadlines = [each.deadline for each in session.exec(select(Batch)).all()]
        payloads = [each.payload for each in session.exec(select(BatchEvent)).all()]
    assert max(days) == today - timedelta(days=1)
    assert max(days) - min(days) == timedelta(days=21)
    assert [each.date() > today for each in deadlines if each] == [True]
    said = {each["deadline"] for each in payloads if each.get("deadline")}
    assert said == {each.isoformat() for each in deadlines if each}
    paced = [line for line in overview(worked, SLUG).work if line.pace]
    assert Task.CITATION_MAPPING in {line.task for line in paced}


def test_rows_that_are_never_changed_stay_so(worked: Workspace) -> None:
    with (
        closing(sqlite3.connect(worked.database)) as database,
        pytest.raises(sqlite3.IntegrityError),
    ):
        database.execute("UPDATE annotation SET comment = 'changed'")


@pytest.mark.long
def test_the_load_takes_no_longer_than_the_fresh_one(tmp_path: Path, clock: FakeClock) -> None:
    taken = []
    for name, load in (("fresh", load_sample), ("worked", load_worked_sample)):
        ws = Workspace(tmp_path / name, clock)
        migrate(ws)
        began = time.process_time()
        assert load(ws)
        taken.append(time.process_time() - began)
    fresh, worked = taken
    assert worked < fresh


def test_a_project_that_is_there_is_kept(tmp_path: Path, clock: FakeClock) -> None:
    ws = Workspace(tmp_path / "workspace", clock)
    migrate(ws)
    create_project(ws, "own", "Ours")
    assert not load_worked_sample(ws)


def test_accounts_without_a_project_are_kept(tmp_path: Path, clock: FakeClock) -> None:
    ws = Workspace(tmp_path / "workspace", clock)
    migrate(ws)
    add_account(ws, "ara@example.org", "Kim Ara", "lamps on every pier", steward=True)
    assert code_of(load_worked_sample, ws) == "sample_accounts"


@pytest.mark.long
def test_the_file_is_what_the_script_makes(tmp_path: Path) -> None:
    from scripts.make_sample import write

    write(tmp_path / "made.zip")
    assert _content(tmp_path / "made.zip") == _content(PROJECT), "run python -m scripts.make_sample"


def _content(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of a kept database by table; figures as far as machines agree on them."""
    with zipfile.ZipFile(file) as archive:
        data = archive.read(DATABASE_FILE)
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(data)
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name: [_rounded(row) for row in _rows(database, name)] for (name,) in names}


def _rows(database: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    return database.execute(f'SELECT * FROM "{table}"').fetchall()  # noqa: S608


def _rounded(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(round(each, 6) if isinstance(each, float) else each for each in row)
