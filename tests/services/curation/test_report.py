from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluation.figure import wilson
from services.curation.report import as_text, curation_report
from tests.conftest import FakeClock
from tests.projects.curation_project import (
    CRANE,
    GOLD,
    SLUG,
    CurationHouse,
    build,
    submitted,
)


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> CurationHouse:
    house = build(tmp_path / "workspace", clock, number=5, overlap=1)
    said: tuple[dict[str, Any], ...] = (
        {},
        {"difficulty": "L3", "gold": {**GOLD, CRANE: "yes"}},
        {"verdict": "edit", "edit": {"question": "?!", "answer": "1"}, "cause": "unclear"},
        {"verdict": "reject", "cause": "no_context"},
    )
    for item, answers in zip(house.items, said, strict=False):
        submitted(house, house.ann, item, **answers)
    return house


def test_shares_are_of_what_is_decided(house: CurationHouse) -> None:
    found = curation_report(house.ws, SLUG)
    assert found.fates == {"kept": 2, "edited": 1, "rejected": 1, "disputed": 0, "waiting": 1}
    accepted = found.shares[0]
    assert (accepted.name, accepted.value, accepted.n) == ("accepted", 0.75, 4)
    assert (accepted.low, accepted.high) == wilson(3, 4)


def test_reasons_levels_and_cells_are_counted(house: CurationHouse) -> None:
    found = curation_report(house.ws, SLUG)
    assert found.causes == [("edited", "unclear", 1), ("rejected", "no_context", 1)]
    assert found.levels == {("L3", "L2"): 2, ("L3", "L3"): 1}
    assert found.as_written.value == pytest.approx(1 / 3)
    [cell] = found.cells
    assert (cell.type, cell.target, cell.decided, cell.accepted.n) == (
        "exception-paired",
        "L3",
        4,
        4,
    )
    assert found.gold == {"listed": 6, "belong": 3, "added": 1}
    assert found.admitted == 0


@pytest.mark.parametrize("ending", [".csv", ".md", ".tex"])
def test_tables_are_written(house: CurationHouse, ending: str) -> None:
    text = as_text(curation_report(house.ws, SLUG), ending)
    assert "accepted" in text
    assert "0.750" in text


def test_a_project_without_questions_has_no_figures(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "empty", clock, number=0)
    found = curation_report(house.ws, SLUG)
    assert found.questions == 0
    assert [each.value for each in found.shares] == [None] * 4
    assert as_text(found, ".md")
