from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluation.figure import wilson
from services.curation.report import as_report, curation_report
from tests.conftest import FakeClock
from tests.projects.curation_project import (
    CRANE,
    GOLD,
    SLUG,
    CurationHouse,
    build,
    submitted,
    written,
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


def values(house: CurationHouse) -> dict[str, Any]:
    return as_report(curation_report(house.ws, SLUG), "en", {"unclear": "Unclear"}).as_json()


def test_shares_are_of_what_is_decided(house: CurationHouse) -> None:
    written(house.ws, "aug-0006")  # is through, but nobody has given it to people
    told = values(house)
    [fates] = told["fates"]
    counts = {"kept": 2, "edited": 1, "rejected": 1, "disputed": 0, "waiting": 1}
    assert fates == {"state": "given_out", **counts}
    assert {row["state"]: row["count"] for row in told["funnel"]} == {
        **{"written": 6, "given_out": 5, "decided": 4, "accepted": 3, "in_project": 0},
    }
    accepted = told["shares"][0]
    assert (accepted["measure"], accepted["n"]) == ("accepted", 4)
    assert accepted["value"] == {"value": 0.75, "n": 4, "ci": list(wilson(3, 4))}
    assert "of the 4 questions decided; 1 is waiting or disputed" in told["lead"]
    assert told["differing"] == [], "one person alone agrees with nobody"


def test_reasons_levels_and_cells_are_counted(house: CurationHouse) -> None:
    told = values(house)
    assert [(row["fate"], row["cause"], row["count"]) for row in told["causes"]] == [
        ("edited", "unclear", 1),
        ("rejected", "no_context", 1),
    ]
    assert [row["count"] for row in told["levels"]] == [0, 2, 1, 0]
    same = told["shares"][-1]
    assert (same["measure"], same["n"]) == ("as_written", 3)
    assert same["value"]["value"] == pytest.approx(1 / 3)
    [cell] = told["cells"]
    assert (cell["type"], cell["target"], cell["decided"]) == ("exception-paired", "L3", 4)
    assert (cell["kept"], cell["edited"], cell["rejected"]) == (2, 1, 1)
    assert cell["accepted"]["n"] == 4
    assert {row["provisions"]: row["count"] for row in told["gold"]} == {
        **{"listed": 6, "belong": 3, "added": 1},
    }


def test_people_differ_on_questions_that_several_judged(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "two", clock)
    for who, level in ((house.ann, "L2"), (house.ben, "L3")):
        submitted(house, who, house.items[0], difficulty=level)
        submitted(house, who, house.items[1])
    submitted(house, house.ann, house.items[2])
    told = values(house)
    shares = {row["measure"]: row["value"]["value"] for row in told["differing"]}
    assert (shares["agreed"], shares["difficulty"], shares["gold"]) == (0.5, 0.5, 0.0)
    assert {row["n"] for row in told["differing"]} == {2}


def test_a_project_without_questions_has_no_figures(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "empty", clock, number=0)
    found = curation_report(house.ws, SLUG)
    assert [each.value for each in found.shares] == [None] * 4
    told = values(house)
    assert (told["questions"], told["shares"], told["levels"], told["gold"]) == (0, [], [], [])
