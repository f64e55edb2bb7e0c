"""What happens when several people, or two windows of one, act at the same moment."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from annotation.check.project import check
from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Annotation
from tests.annotation.house import SLUG, House
from tests.support.refusals import refused

CHILDREN = multiprocessing.get_context("fork")


def _submit(folder: Path, person: int, item: int, together: Any, start: Any, said: Any) -> None:
    workspace = Workspace(folder)
    together.wait(60)
    while time.time() < start.value:  # none begins by a moment of waking up before the others
        pass
    try:
        commands.submit(workspace, person, item)
    except UserError as error:
        said.put(error.code)
    else:
        said.put("saved")


def _race(house: House, people: list[int], item: int) -> list[str]:
    """Let the people submit an item at the same moment, each in a process of their own."""
    house.ws.engine.dispose()
    start, said = CHILDREN.Value("d"), CHILDREN.SimpleQueue()

    def begin_soon() -> None:
        start.value = time.time() + 0.02

    together = CHILDREN.Barrier(len(people), begin_soon)
    started = [
        CHILDREN.Process(target=_submit, args=(house.ws.folder, each, item, together, start, said))
        for each in people
    ]
    for each in started:
        each.start()
    for each in started:
        each.join(100)
        assert each.exitcode == 0
    return sorted(said.get() for _ in people)


def _work(folder: Path, person: int, item: int, unit: int, said: Any) -> None:
    workspace = Workspace(folder)
    for turn in range(100_000):
        commands.set_comment(workspace, person, item, f"turn {turn}")
        mapping_commands.label(workspace, person, item, unit, "accept")
        commands.submit(workspace, person, item)
        said.send(turn)
        commands.take_back(workspace, person, item)


def _told(end: Any) -> Iterator[int]:
    """Yield what a process told until it ended."""
    with suppress(EOFError):
        while True:
            yield end.recv()


def _rows(house: House) -> list[Annotation]:
    with house.ws.reading() as session:
        rows = list(session.exec(select(Annotation)))
        session.expunge_all()
        return rows


def test_one_person_in_two_processes_submits_once(house: House) -> None:
    item = house.items[0]
    mapping_commands.label(house.ws, house.ann, item, house.units[1], "accept")
    assert _race(house, [house.ann] * 3, item) == ["item_submitted", "item_submitted", "saved"]
    assert [(row.person_id, row.kind) for row in _rows(house)] == [(house.ann, "submit")]
    assert check(house.ws, SLUG) == []


def test_three_people_racing_for_two_places_fill_two(house: House) -> None:
    item, everyone = house.items[0], [house.ann, house.ben, house.cho]
    for person in everyone:
        mapping_commands.label(house.ws, person, item, house.units[1], "accept")
    assert _race(house, everyone, item) == ["item_full", "saved", "saved"]
    assert len(_rows(house)) == 2


def test_threads_that_submit_and_take_back_leave_one_chain(house: House) -> None:
    item = house.items[0]
    mapping_commands.label(house.ws, house.ann, item, house.units[1], "accept")

    def act(turn: int) -> str:
        workspace = Workspace(house.ws.folder)
        try:
            if turn % 2:
                commands.take_back(workspace, house.ann, item)
            else:
                commands.submit(workspace, house.ann, item)
                mapping_commands.label(workspace, house.ann, item, house.units[1], "accept")
        except UserError as error:
            return error.code
        return "done"

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(act, range(40)))
    allowed = {"done", "item_submitted", "nothing_to_take_back", "nothing_decided"}
    assert set(results) <= allowed
    assert "done" in results
    assert check(house.ws, SLUG) == []


@pytest.mark.parametrize("wait", [0.05, 0.15])
def test_a_killed_process_loses_nothing_that_was_acknowledged(house: House, wait: float) -> None:
    item = house.items[0]
    house.ws.engine.dispose()
    here, there = CHILDREN.Pipe(duplex=False)
    arguments = (house.ws.folder, house.ann, item, house.units[1], there)
    worker = CHILDREN.Process(target=_work, args=arguments, daemon=True)
    worker.start()
    there.close()
    acknowledged = [here.recv()]
    time.sleep(wait)
    worker.kill()
    worker.join(100)
    acknowledged += _told(here)
    view = queue_service.open_item(house.ws, house.ann, item)
    kept = int(view.comment.removeprefix("turn "))
    assert acknowledged[-1] <= kept <= acknowledged[-1] + 1
    submitted = [row for row in _rows(house) if row.kind == "submit"]
    assert len(submitted) >= len(acknowledged)
    assert check(house.ws, SLUG) == []


def test_a_workspace_that_stays_locked_says_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.db.engines.BUSY_TIMEOUT_MS", 50)
    other = Workspace(Path(house.ws.folder))
    with house.ws.writing(), refused("database_busy"):
        commands.set_comment(other, house.ann, house.items[0], "x")
