from __future__ import annotations

from pathlib import Path

import pytest

from tests.annotation.agreement.test_report import annotated
from tests.annotation.house import House, build
from tests.commands.called import printed, told
from tests.conftest import FakeClock
from tests.projects.mcq_project import build as build_mcq
from tests.projects.mcq_project import submitted


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    return annotated(build(tmp_path / "ws", clock))


def test_json_has_progress_tasks_and_every_part_and_text_a_reading(
    house: House, tmp_path: Path
) -> None:
    _, said = told(house.ws.folder, "agreement")
    assert [each["person"] for each in said["progress"]] == ["Ann", "Ben", "Cho"]
    assert said["tasks"][0]["task"] == said["task"] == "citation_mapping"
    assert {"statistics_questions", "pairs_candidates", "confusion_candidates"} <= set(said)
    assert said["odd_times"] == []
    file = tmp_path / "figures.csv"
    _, out, _ = printed(house.ws.folder, "agreement", "--output", str(file))
    assert "Two annotators gave exactly the same answer in 50 % of pairs." in out
    assert "Ann – Ben" not in out and "50.0 % [" in out
    assert "pairs_questions,Ann · Ben" in file.read_text("utf-8")
    assert told(house.ws.folder, "agreement", "--output", str(tmp_path / "x.pdf"))[0] == 3


def test_the_agreement_of_a_form_is_told_by_its_task(tmp_path: Path, clock: FakeClock) -> None:
    made = build_mcq(tmp_path / "mcq", clock)
    for person in (made.ann, made.ben):
        submitted(made, person, made.items[0])
    _, said = told(made.ws.folder, "agreement", "--task", "mcq_solvability")
    assert [each["person"] for each in said["progress"]] == ["Ann", "Ben"]
    rows = [row for row in said["statistics_fields"] if row["field"] == "verdict"]
    assert {row["statistic"] for row in rows} >= {"cohen_kappa", "ac1", "alpha_nominal", "raw"}
    raw = next(row for row in rows if row["statistic"] == "raw")
    assert raw["share"] == {"value": 1.0, "n": 1, "ci": None}
    _, out, _ = printed(made.ws.folder, "agreement", "--task", "mcq")
    assert "Statistics · Per field of the form" in out
    code, _, refused = printed(made.ws.folder, "agreement", "--task", "poetry")
    assert code == 3 and "batch" not in refused and "factor_tagging" in refused
