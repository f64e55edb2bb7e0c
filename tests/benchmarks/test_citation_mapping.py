"""The benchmark's command: its output, its refusals, and what it must reach."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.citation_mapping import main

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLE = [
    f"--statutes={ROOT / 'sample' / 'statutes'}",
    f"--questions={ROOT / 'sample' / 'questions.jsonl'}",
]
TARGETS = {"resolver_precision": 0.97, "resolver_recall": 0.95, "candidate_recall_at_10": 0.99}


def test_json_is_one_object_of_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SAMPLE, "--json"]) == 0
    printed = capsys.readouterr()
    figures = json.loads(printed.out)
    assert printed.out.count("\n") == 1 and printed.err == ""
    assert set(TARGETS) <= set(figures)
    for figure in figures.values():
        assert set(figure) == {"value", "n", "ci"}
        assert figure["ci"] is None or figure["ci"][0] <= figure["value"] <= figure["ci"][1]


def test_the_table_lists_every_pair_that_is_no_hit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SAMPLE) == 0
    printed = capsys.readouterr().out
    assert "resolver_precision" in printed
    assert "ko-12  가온-화재안전-기본법_14조" in printed  # the misprint of the sample


def test_equal_input_gives_equal_figures(capsys: pytest.CaptureFixture[str]) -> None:
    runs = []
    for _ in range(2):
        main([*SAMPLE, "--json"])
        figures = json.loads(capsys.readouterr().out)
        runs.append({k: v for k, v in figures.items() if not k.endswith("seconds")})
    assert runs[0] == runs[1]


@pytest.mark.parametrize("missing", ["statutes", "questions"])
def test_absent_input_is_said(
    missing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = tmp_path / "absent"
    assert main([*SAMPLE, f"--{missing}={absent}"]) != 0
    printed = capsys.readouterr()
    assert str(absent) in printed.err and printed.out == ""


def test_input_that_cannot_be_read_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"question_id": 1, "question": "', encoding="utf-8")
    assert main([SAMPLE[0], f"--questions={broken}", "--json"]) != 0
    printed = capsys.readouterr()
    assert "broken.jsonl" in printed.err and printed.out == ""


@pytest.mark.real_data
def test_the_real_questions_reach_the_targets(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    statutes = shared_data / "korean-law" / "fire-safety" / "kr"
    questions = shared_data / "searchfiresafety" / "qna.jsonl"
    assert main([f"--statutes={statutes}", f"--questions={questions}", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    for name, least in TARGETS.items():
        assert figures[name]["value"] >= least, name
    assert figures["resolver_precision"]["n"] > 150
    assert figures["resolver_precision_strict"]["value"] >= 0.85
    assert figures["resolver_recall_strict"]["value"] >= 0.78
    assert figures["candidate_recall_at_10_strict"]["value"] >= 0.9
    assert figures["import_and_build_seconds"]["value"] < 20
