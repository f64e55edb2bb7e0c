"""What happens when several people, or two windows of one, act at the same moment."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlmodel import select

from annotation.check.project import check
from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Annotation
from tests.annotation.house import SLUG, House
from tests.conftest import ROOT

SUBMIT = """
import sys, time
from pathlib import Path
from annotation.work import commands
from errors import UserError
from storage.db.workspace import Workspace

folder, person, item, start = sys.argv[1:]
workspace = Workspace(Path(folder))
workspace.exists
time.sleep(max(0, float(start) - time.time() - 0.02))
while time.time() < float(start):  # none begins by a moment of waking up before the others
    pass
try:
    print("saved", commands.submit(workspace, int(person), int(item)))
except UserError as error:
    print(error.code)
"""

WORK = """
import sys
from pathlib import Path
from annotation.mapping.commands import label
from annotation.work import commands
from storage.db.workspace import Workspace

folder, person, item, unit = sys.argv[1:]
workspace = Workspace(Path(folder))
for turn in range(100_000):
    commands.set_comment(workspace, int(person), int(item), f"turn {turn}")
    label(workspace, int(person), int(item), int(unit), "accept")
    commands.submit(workspace, int(person), int(item))
    print(turn, flush=True)
    commands.take_back(workspace, int(person), int(item))
"""


def _run(script: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *(str(each) for each in arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _race(house: House, people: list[int], item: int) -> list[str]:
    start = time.time() + 1.5
    started = [_run(SUBMIT, house.ws.folder, person, item, start) for person in people]
    return sorted(each.communicate(timeout=100)[0].strip().split()[0] for each in started)


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
    worker = _run(WORK, house.ws.folder, house.ann, item, house.units[1])
    assert worker.stdout is not None
    acknowledged = [int(worker.stdout.readline())]
    time.sleep(wait)
    worker.send_signal(signal.SIGKILL)
    acknowledged += [int(line) for line in worker.communicate()[0].split()]
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
    with house.ws.writing(), pytest.raises(UserError) as caught:
        commands.set_comment(other, house.ann, house.items[0], "x")
    assert caught.value.code == "database_busy"
