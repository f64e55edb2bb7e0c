"""Going back to a snapshot."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.compare.model import LawChange
from services.law.activation import use_snapshot
from services.law.overview import overview
from services.mapping.candidates import build_candidates
from storage.law.imports import keep_statutes
from storage.mapping.candidates import newest_set_id
from storage.projects import create_project
from storage.tables.core import CandidateSet
from tests.annotation.gold.test_rechecks import amended_law
from tests.annotation.house import SLUG, House, build
from tests.conftest import FakeClock
from tests.support.refusals import code_of


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    """Return a project with the Lake Act as snapshot 1 and amended as snapshot 2, in use."""
    made = build(tmp_path / "workspace", clock)
    keep_statutes(made.ws, SLUG, [amended_law()], "second")
    return made


def _in_use(house: House) -> list[int]:
    return [line.id for line in overview(house.ws, SLUG).snapshots if line.in_use]


def test_going_back_changes_what_is_in_use_and_removes_nothing(house: House) -> None:
    assert _in_use(house) == [2]
    assert use_snapshot(house.ws, SLUG, 1).change == LawChange(differ=1, equal=0, new=0, gone=0)
    assert _in_use(house) == [1]
    assert use_snapshot(house.ws, SLUG, 1).change is None
    assert len(overview(house.ws, SLUG).snapshots) == 2


def test_candidates_follow_the_snapshot_in_use(house: House) -> None:
    item = house.items[0]
    for wanted in (2, 1, 2):
        use_snapshot(house.ws, SLUG, wanted)
        build_candidates(house.ws, SLUG)
        with house.ws.reading() as session:
            newest = session.get(CandidateSet, newest_set_id(session, item) or 0)
            assert newest is not None
            assert newest.snapshot_id == wanted


def test_a_snapshot_of_another_project_is_refused(house: House) -> None:
    create_project(house.ws, "other", "Other")
    for number in (1, 3, -1, 2**70):
        assert code_of(use_snapshot, house.ws, "other", number) == "snapshot_unknown"
