from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import touchstone
from tests.annotation.agreement.test_report import annotated
from tests.annotation.house import House, build
from tests.conftest import FakeClock
from tests.projects.mcq_project import build as build_mcq
from tests.projects.mcq_project import submitted


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    return annotated(build(tmp_path / "ws", clock))


def run(monkeypatch: pytest.MonkeyPatch, house: House, *words: str) -> int:
    arguments = ["touchstone.py", "--workspace", str(house.ws.folder), "agreement", *words]
    monkeypatch.setattr(sys, "argv", arguments)
    return touchstone.main()


def test_json_has_progress_tasks_and_every_part(monkeypatch, capsys, house: House) -> None:
    assert run(monkeypatch, house, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["person"] for each in told["progress"]] == ["Ann", "Ben", "Cho"]
    assert told["tasks"][0]["task"] == told["task"] == "citation_mapping"
    assert {"statistics_questions", "pairs_candidates", "confusion_candidates"} <= set(told)
    assert told["odd_times"] == []


def test_text_gives_each_statistic_its_reading(
    monkeypatch, capsys, house: House, tmp_path: Path
) -> None:
    file = tmp_path / "figures.csv"
    assert run(monkeypatch, house, "--output", str(file)) == 0
    told = capsys.readouterr().out
    assert "Two annotators gave exactly the same answer in 50 % of pairs." in told
    assert "Ann – Ben" not in told and "50.0 % [" in told
    assert "pairs_questions,Ann · Ben" in file.read_text("utf-8")
    assert run(monkeypatch, house, "--output", str(tmp_path / "x.pdf"), "--json") == 3


def test_the_agreement_of_a_form_is_told_by_its_task(
    monkeypatch, capsys, tmp_path: Path, clock: FakeClock
) -> None:
    made = build_mcq(tmp_path / "mcq", clock)
    for person in (made.ann, made.ben):
        submitted(made, person, made.items[0])
    words = ("--task", "mcq")
    assert run(monkeypatch, made, "--task", "mcq_solvability", "--json") == 0  # type: ignore[arg-type]
    told = json.loads(capsys.readouterr().out)
    assert [each["person"] for each in told["progress"]] == ["Ann", "Ben"]
    rows = [row for row in told["statistics_fields"] if row["field"] == "verdict"]
    assert {row["statistic"] for row in rows} >= {"cohen_kappa", "ac1", "alpha_nominal", "raw"}
    raw = next(row for row in rows if row["statistic"] == "raw")
    assert raw["share"] == {"value": 1.0, "n": 1, "ci": None}
    assert run(monkeypatch, made, *words) == 0  # type: ignore[arg-type]
    said = capsys.readouterr().out
    assert "Statistics · Per field of the form" in said
    assert run(monkeypatch, made, "--task", "poetry", "--json") == 3  # type: ignore[arg-type]
    assert "task_unknown" in capsys.readouterr().out
    assert run(monkeypatch, made, "--task", "poetry") == 3  # type: ignore[arg-type]
    refused = capsys.readouterr().err
    assert "batch" not in refused and "factor_tagging" in refused
