"""Backups that are made while people submit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from annotation.check.project import check
from benchmarks.people import SLUG, Decision, as_stored, decide, opened, seat, stored
from services.backup import back_up, restore


def test_backups_made_while_people_submit_come_back_whole(
    tmp_path: Path, database: str | None
) -> None:
    ws = opened(tmp_path / "workspace", database)
    writers = seat(ws, writers=4, decisions=12)
    acknowledged: list[Decision] = []

    def work(number: int) -> None:
        for turn in range(12):
            acknowledged.append(decide(ws, writers[number], turn))

    sure: list[set[tuple[int, int, int, int, str]]] = []
    with ThreadPoolExecutor(4) as pool:
        working = [pool.submit(work, number) for number in range(4)]
        while not all(each.done() for each in working) or not sure:
            sure.append(as_stored(list(acknowledged)))
            back_up(ws, tmp_path / f"{len(sure)}.backup")
        for each in working:
            each.result()
    sure.append(as_stored(acknowledged))
    back_up(ws, tmp_path / f"{len(sure)}.backup")
    sizes = set()
    for number in sorted({1, (len(sure) + 1) // 2, len(sure)}):
        copy = opened(tmp_path / f"copy-{number}", None)
        restore(copy, tmp_path / f"{number}.backup")
        assert check(copy, SLUG) == []
        found = set(stored(copy))
        assert sure[number - 1] <= found <= as_stored(acknowledged)
        sizes.add(len(found))
    assert len(sizes) > 1  # some were made before the end
