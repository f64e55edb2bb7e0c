"""Figures, statistics and audits: what their commands print, write and refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.audit_faults import clean, dangling
from commands.shell.state import EXIT_USAGE, EXIT_USER_ERROR
from services.gold import gold_set
from services.runs.retrieving import retrieve
from storage.db.workspace import Workspace
from tests.commands.called import command_line
from tests.conftest import ROOT, FakeClock
from tests.projects.small_law import SLUG, small_workspace
from tests.services.small_gold import FIRST


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(gold_set, "derived", lambda *_: FIRST)
    return small_workspace(tmp_path / "ws", clock)


def test_a_neighbourhood_is_written_as_its_ending_says(ws: Workspace, tmp_path: Path) -> None:
    spec = tmp_path / "dense.yaml"
    spec.write_text("method: lsa\ndimensions: 16\nmin_df: 1\n", encoding="utf-8")
    for ending, start in ((".svg", b"<svg"), (".png", b"\x89PNG"), (".csv", b"section,row")):
        file = tmp_path / f"q1{ending}"
        words = ["figure", "neighbourhood", "q1", "-o", str(file), "--spec", str(spec)]
        done = command_line(ws.folder, *words, "--seeds", "1", "--dark", "--language", "ko")
        assert done.returncode == 0, done.stderr
        assert file.read_bytes().startswith(start)
        assert "시드에서 정답으로 가는 관계: 최근접 이웃" in done.stdout
    assert b"#15181c" in (tmp_path / "q1.svg").read_bytes()


def test_hit_rates_are_printed_with_their_counts_and_say_which_edges_are_walked(
    ws: Workspace, tmp_path: Path
) -> None:
    words = ["figure", "hits", "--seeds", "1"]
    said = json.loads(command_line(ws.folder, *words, "--json").stdout)
    assert [each["graph"] for each in said["rates"]] == ["explicit", "cosine", "matched"]
    assert (said["gold"], said["gold_questions"]) == ("people", 3)
    assert said["rates"][0]["linked"]["n"] == 2
    assert {"references", "delegates_to"} < set(said["edges"]) and "text" not in said["edges"]
    none = command_line(ws.folder, *words, "--edges", "applies,hyperlink", "--json")
    found = json.loads(none.stdout)
    assert found["edges"] == ["applies", "hyperlink"]
    assert found["rates"][0]["reached"]["value"] == 0
    file = tmp_path / "hits.svg"
    text = command_line(ws.folder, *words, "--edges", "references", "-o", str(file)).stdout
    assert "2 questions with gold." in text
    assert "Edges walked: References." in text
    assert file.exists()
    wrong = command_line(ws.folder, *words, "--edges", "cites")
    assert wrong.returncode == EXIT_USER_ERROR and "references" in wrong.stderr


def test_runs_are_drawn_as_bars_and_by_similarity(ws: Workspace, tmp_path: Path) -> None:
    run = str(retrieve(ws, SLUG))
    bars, curve = tmp_path / "bars.csv", tmp_path / "curve.png"
    words = ["figure", "bars", run, "-o", str(bars), "--measure", "AP", "--json"]
    done = command_line(ws.folder, *words)
    (score,) = json.loads(done.stdout)["scores"]
    assert (score["run"], score["measure"], score["n"]) == ("1 · BM25 bigram", "AP", 2)
    assert bars.read_text(encoding="utf-8").startswith("section,row,column,value")
    done = command_line(ws.folder, "figure", "similarity", run, "-o", str(curve), "--width", "0.5")
    assert "Slope" in done.stdout
    assert curve.read_bytes().startswith(b"\x89PNG")


def test_statistics_are_printed_beside_those_of_a_folder(ws: Workspace, tmp_path: Path) -> None:
    folder, file = str(ROOT / "tests" / "fixtures" / "beir"), tmp_path / "statistics.svg"
    done = command_line(ws.folder, "statistics", "--folder", folder, "-o", str(file))
    assert "Kolmogorov–Smirnov D" in done.stdout and "Tests between data sets" in done.stdout
    assert file.exists()
    said = json.loads(command_line(ws.folder, "statistics", "--json").stdout)
    (described,) = said["datasets"]
    assert (described["questions"], described["without_gold"]) == (3, 1)
    assert described["query_gold"]["n"] == 2


def test_what_cannot_be_is_said_with_its_remedy(ws: Workspace, tmp_path: Path) -> None:
    pdf = str(tmp_path / "figure.pdf")
    done = command_line(ws.folder, "figure", "neighbourhood", "q1", "-o", pdf)
    assert done.returncode == EXIT_USER_ERROR
    assert ".json, .html, .svg, .png" in done.stderr
    done = command_line(ws.folder, "figure", "hits", "--direction", "up")
    assert done.returncode == EXIT_USAGE


def test_a_folder_is_audited_without_a_workspace_and_what_is_none_is_refused(
    tmp_path: Path,
) -> None:
    folder = clean()
    dangling(folder)
    home, page = folder.write(tmp_path / "b"), tmp_path / "audit.html"
    done = command_line(tmp_path / "none", "audit", str(home), "--output", str(page))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("5 errors, 0 warnings and 0 remarks in 60 documents")
    assert "gone1" not in done.stdout and "gone1" in page.read_text("utf-8")
    assert not (tmp_path / "none").exists()
    assert command_line(tmp_path, "audit", str(home / "README.md")).returncode == 3
    assert command_line(tmp_path, "audit", str(home), "--output", "a.docx").returncode == 3
