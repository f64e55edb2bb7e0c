"""Agreement on curated questions: per criterion, the level by its order, gold as sets."""

from __future__ import annotations

from pathlib import Path

from annotation.agreement.known_forms import KnownForm, set_known_forms
from annotation.agreement.report import totals
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.projects.curation_project import CRANE, GOLD, MEETS, SLUG, build, submitted


def test_each_field_has_the_statistics_of_its_scale(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "workspace", clock)
    for item, said in zip(
        house.items,
        ({}, {"voice": "no", "reason": "so"}, {"difficulty": "L4", "gold": {**GOLD, CRANE: "yes"}}),
        strict=True,
    ):
        submitted(house, house.ann, item)
        submitted(house, house.ben, item, **said)  # type: ignore[arg-type]
    (table,) = totals(house.ws, SLUG, task=Task.CURATION)
    assert table.items == 3
    named = {each.names[0]: each.finding for each in table.rows}
    assert {*MEETS, "difficulty", "gold", "verdict"} <= named.keys()
    raw = {
        each.names[0]: each.finding.figure.value
        for each in table.rows
        if each.finding.statistic == "raw"
    }
    assert raw["voice"] == 2 / 3
    assert raw["context"] == 1.0
    measures = {each.finding.statistic for each in table.rows if each.names[0] == "difficulty"}
    assert any("weighted" in name or "alpha" in name for name in measures), measures
    sets = {each.finding.statistic for each in table.rows if each.names[0] == "gold"}
    assert sets
    assert sets != {each.finding.statistic for each in table.rows if each.names[0] == "verdict"}


def test_a_known_answer_is_what_an_adjudicator_could_decide(
    tmp_path: Path, clock: FakeClock
) -> None:
    house = build(tmp_path / "workspace", clock)
    known = {**MEETS, "difficulty": "L2", "verdict": "keep", "gold": GOLD}
    answers = [KnownForm("aug-0001", known, "One provision, one condition.")]
    assert set_known_forms(house.ws, SLUG, Task.CURATION, answers) == 1
    assert set_known_forms(house.ws, SLUG, Task.CURATION, answers) == 0
