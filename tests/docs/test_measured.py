"""docs/measured.md is what its command writes from the records, which are what benchmarks print."""

from __future__ import annotations

import json
import shutil
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchmarks.retrieval_quality import MEASURED
from scripts import measured
from scripts.measured import RECORDS, RecordError, cell, render, take, written

PAGE = tomllib.loads((RECORDS / "page.toml").read_text("utf-8"))
FILES = sorted(RECORDS.glob("*.json"))
DAY = date(2030, 1, 2)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return Path(shutil.copytree(RECORDS, tmp_path / "records"))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    return folder


def _tables() -> list[dict[str, Any]]:
    return [table for section in PAGE["section"] for table in section["table"]]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_record_says_its_command_and_holds_figures_as_they_are_printed(path: Path) -> None:
    record = json.loads(path.read_text("utf-8"))
    assert record["command"].startswith("python -m benchmarks.")
    assert path.read_text("utf-8") == written(record)
    for name, figure in record["figures"].items():
        assert figure.keys() == {"value", "n", "ci"}, name
        if figure["ci"]:
            low, high = figure["ci"]
            assert low <= figure["value"] <= high, name


def test_every_record_is_on_the_page_once() -> None:
    named = [name for section in PAGE["section"] for name in section["records"]]
    assert sorted(named) == [path.stem for path in FILES]
    for section in PAGE["section"]:
        used = {column["record"] for table in section["table"] for column in table["columns"]}
        assert used == set(section["records"])


def test_every_method_that_is_measured_has_its_row() -> None:
    keys = [row["key"] for table in _tables() for row in table["rows"]]
    assert [key for key in keys if key[13:-1] in MEASURED] == [
        f"recall_at_10[{name}]" for name in MEASURED
    ]


@pytest.mark.parametrize(
    ("figure", "digits", "text"),
    [
        ({"value": 0.98866, "n": 175, "ci": [0.972, 1]}, 3, "0.989 [0.972, 1.000]"),
        ({"value": 1226814, "n": 1, "ci": None}, 0, "1,226,814"),
        ({"value": None, "n": 0, "ci": None}, 1, "–"),
        ({}, 1, "–"),
    ],
)
def test_a_cell_shows_a_figure_with_its_interval(
    figure: dict[str, Any], digits: int, text: str
) -> None:
    assert cell(figure, digits) == text


def test_results_take_the_place_of_figures_and_of_what_was_said_of_them(
    records: Path, results: Path
) -> None:
    new = {"first_draw_s": {"value": 7.125, "n": 9, "ci": [6, 8]}}
    (results / "leaderboard.json").write_text(json.dumps(new), "utf-8")
    assert take(results, "four cores", DAY, records) == ["leaderboard"]
    record = json.loads((records / "leaderboard.json").read_text("utf-8"))
    assert record == {
        "command": "python -m benchmarks.leaderboard",
        "quoted": "2030-01-02",
        "conditions": "four cores",
        "remarks": [],
        "figures": new,
    }
    page = render(records)
    assert "* `python -m benchmarks.leaderboard`, 2030-01-02, four cores" in page
    assert "| `first_draw_s`: after a start | 7.12 [6.00, 8.00] | 9 |" in page
    assert "| `next_draw_s`: the one after it | – |  |" in page


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("nobody.json", "{}", "no such record; there are app_latency, "),
        ("mcq.json", "{", "mcq.json is not JSON"),
        ("mcq.json", '{"a": {"value": 1}}', "does not hold figures"),
        ("mcq.txt", "{}", "holds no .json file"),
    ],
)
def test_what_is_no_result_is_refused_and_nothing_written(
    records: Path, results: Path, name: str, text: str, reason: str
) -> None:
    (results / "crash_sqlite.json").write_text("{}", "utf-8") if name.endswith("json") else None
    (results / name).write_text(text, "utf-8")
    before = {path: path.read_bytes() for path in records.iterdir()}
    with pytest.raises(RecordError, match=reason.replace(".", r"\.")):
        take(results, "", DAY, records)
    assert {path: path.read_bytes() for path in records.iterdir()} == before


def test_the_command_says_what_it_took_what_it_refuses_and_that_an_aim_is_missed(
    records: Path, results: Path, monkeypatch, capsys
) -> None:
    page, written_now = results / "page.md", measured.TARGET.read_text("utf-8")
    page.write_text(written_now, "utf-8")
    monkeypatch.setattr(measured, "TARGET", page)
    monkeypatch.setattr(measured, "take", lambda folder, how, day: take(folder, how, day, records))
    assert measured.main([str(results)]) == 3
    assert "holds no .json file" in capsys.readouterr().err
    slow = {"app_start_seconds": {"value": 3.5, "n": 5, "ci": None}}
    (results / "startup.json").write_text(json.dumps(slow), "utf-8")
    assert measured.main([str(results), "--conditions", "one core"]) == 0
    assert capsys.readouterr().out == "measured: took startup\n"
    assert page.read_text("utf-8") == written_now
    assert "| 3.50 | 5 | ≤ 3, missed |" in render(records)
