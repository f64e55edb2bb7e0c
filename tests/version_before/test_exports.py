"""A workspace of the version before opens, is sound, and gives the exports it gave then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.called import command_line
from tests.version_before.exports import PRINTED, WRITTEN, printed, write
from tests.version_before.kept import EXPORTS, kept_files, kept_workspace, printed_place, unpacked


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the kept workspace, brought up to date; exports change nothing in it."""
    folder = kept_workspace(tmp_path_factory.mktemp("before") / "workspace")
    done = command_line(folder, "init")
    assert done.returncode == 0, done.stderr
    return folder


def test_it_is_sound(workspace: Path) -> None:
    done = command_line(workspace, "--json", "check")
    assert (done.returncode, json.loads(done.stdout)) == (0, {"problems": []})


def test_there_is_work_in_every_task(workspace: Path) -> None:
    done = command_line(workspace, "--json", "history", "--limit", "1000000")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["entries"]) > 300


def test_nothing_that_is_kept_is_left_out() -> None:
    known = {f"{name}/" for name in WRITTEN}
    places = {place for place in unpacked(EXPORTS) if not place.startswith("printed/")}
    assert {f"{place.partition('/')[0]}/" for place in places} == known
    shown = {place for place in unpacked(EXPORTS) if place.startswith("printed/")}
    assert shown == {printed_place(command) for command in PRINTED}


@pytest.mark.parametrize("name", WRITTEN)
def test_an_export_is_what_it_was(name: str, workspace: Path, tmp_path: Path) -> None:
    found, before = write(name, workspace, tmp_path / "out"), kept_files(name)
    assert sorted(found) == sorted(before)
    for place, content in found.items():
        same(content, before[place], f"{name}/{place}")


@pytest.mark.parametrize("command", PRINTED)
def test_a_figure_is_what_it_was(command: str, workspace: Path) -> None:
    same(printed(command, workspace), unpacked(EXPORTS)[printed_place(command)], command)


def same(found: bytes, before: bytes, name: str) -> None:
    """Fail with the first line that differs: a whole file is too much to be read or compared."""
    if found != before:
        lines = zip(found.split(b"\n"), before.split(b"\n"), strict=False)
        for number, (now, then) in enumerate(lines, 1):
            assert now == then, f"{name}, line {number}"
        assert len(found) == len(before), f"{name} ends elsewhere"
