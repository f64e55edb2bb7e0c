"""The acts that people wait for stay short: so many functions, and so many SQL statements."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.mapping import commands as mapping
from scripts.trace_act import traced
from services.gold.export import export_gold
from tests.annotation.house import SLUG, House, build
from tests.conftest import FakeClock


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A project in which one question has gold, and Cho has begun two others."""
    house = build(tmp_path / "ws", FakeClock())
    for who in (house.ann, house.ben):
        mapping.label(house.ws, who, house.items[0], house.units[1], "accept")
        mapping.submit(house.ws, who, house.items[0])
    for item in house.items[1:]:
        mapping.label(house.ws, house.cho, item, house.units[1], "accept")
    return house


def counted(act: Callable[[int], object]) -> dict[str, int]:
    """Return what an act passes when it is done a second time."""
    act(0)
    with traced() as trace:
        act(1)
    return trace.counts


def test_a_label_is_short(house: House) -> None:
    said = ("reject", "unsure")
    where = house.ws, house.cho, house.items[1], house.units[2]
    counts = counted(lambda time: mapping.label(*where, said[time]))
    assert counts["functions"] <= 46
    assert counts["statements"] <= 5


def test_a_submission_is_short(house: House) -> None:
    counts = counted(lambda time: mapping.submit(house.ws, house.cho, house.items[1 + time], 4))
    assert counts["functions"] <= 68
    assert counts["statements"] <= 13


def test_an_export_reads_nothing_twice(house: House, tmp_path: Path) -> None:
    counts = counted(lambda time: export_gold(house.ws, SLUG, tmp_path / f"out-{time}"))
    assert counts["statements"] <= 38


def test_statements_and_functions_are_named(house: House) -> None:
    with traced() as trace, house.ws.reading():
        pass
    assert ("storage/db/workspace.py", "Workspace.reading") in trace.functions
    assert trace.statements == []
