"""The outline of a snapshot."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.model import Statute, Tier
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.law.units import statute_lines, unit_lines
from tests.projects.bare_project import bare_project
from tests.projects.small_law import ACT, law, small_workspace


@pytest.fixture
def ws(tmp_path: Path, clock) -> Workspace:
    return small_workspace(tmp_path / "ws", clock)


def test_the_outline_has_every_unit_of_its_snapshot_only(ws: Workspace):
    keep_statutes(ws, "ferry", law(" 개정"), "second")
    with ws.reading() as session:
        for snapshot in (1, 2):
            assert [line.units for line in statute_lines(session, snapshot)] == [7, 2]
            ids = [line.unit_id for line in unit_lines(session, snapshot, ACT)]
            assert ids == [unit.semantic_id for unit in law()[0].units]


def test_a_statute_without_units_is_listed(tmp_path: Path):
    ws = bare_project(tmp_path / "bare", "bare")
    keep_statutes(ws, "bare", [*law(), Statute("빈법", "빈법", "법률", Tier.ACT, "ko", ())], "law")
    with ws.reading() as session:
        found = {line.title: line.units for line in statute_lines(session, 1)}
    assert found["빈법"] == 0
