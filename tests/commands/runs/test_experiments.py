"""Experiments on the command line: check, run, list, read, and files to begin with."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from storage.db.workspace import Workspace
from tests.commands.called import printed
from tests.conftest import FakeClock
from tests.pages.small_project import annotated_project

Run = Callable[..., tuple[int, str, str]]
TEXT = """\
name: Words and bigrams
measures: [Recall@1, MRR@10]
methods:
- {name: Words, method: bm25, tokeniser: whitespace}
- {name: Bigrams, method: bm25, grid: {b: [0.5]}}
"""


@pytest.fixture
def run(tmp_path: Path, clock: FakeClock) -> Run:
    annotated_project(Workspace(tmp_path / "w", clock)).workspace.engine.dispose()

    return partial(printed, tmp_path / "w", "experiment")


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "sweep.yaml"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def test_a_file_is_checked_run_listed_and_read(run: Run, file: str) -> None:
    assert "No experiment has been run yet." in run("list")[1]
    code, out, _ = run("check", file)
    assert code == 0
    assert out.splitlines()[0] == "Words and bigrams: 3 lines, 3 still to be run, on 6 questions."
    assert out.splitlines()[3:] == ["  Words", "  Bigrams", "  Bigrams · b=0.5"]
    code, first, _ = run("run", file)
    assert code == 0
    assert first.splitlines()[1] == "Gold: 2 questions that people decided on."
    head, words, *_ = first.splitlines()[3:]
    assert head.split()[:4] == ["line", "Recall@1", "MRR@10", "n"]
    assert words.startswith("Words (baseline)  ")
    assert "Holm" in first and "Python 3." in first
    assert run("run", file)[1] == run("show", "1")[1] == first  # nothing was made anew
    assert "(run 1)" in run("check", file)[1]
    assert run("list")[1].startswith("1: Words and bigrams, lines run: 3, snapshot 1, ")
    assert run("show", "1", "--file")[1] == TEXT


def test_json_has_every_number_and_tables_follow_their_ending(
    run: Run, file: str, tmp_path: Path
) -> None:
    shown = json.loads(run("run", file, "--json")[1])
    assert (shown["number"], shown["missing"], shown["stale"]) == (1, 0, False)
    assert len(shown["rows"]) == 3 * 2
    row = shown["rows"][2]
    names = tuple(row[name] for name in ("line", "stratum", "measure", "n"))
    assert names == ("Bigrams", "all", "Recall@1", 1)
    assert row["wins"] + row["ties"] + row["losses"] == row["n"] and 0 < row["p_holm"] <= 1
    assert (row["low"], row["high"]) == (None, None) and row["index_bytes"] > 0  # one question
    assert shown["rows"][0]["p"] is None  # the baseline
    listed = json.loads(run("list", "--json")[1])["experiments"]
    assert [(each["number"], each["lines_run"]) for each in listed] == [(1, 3)]
    for ending, begins in (
        ("csv", "line,run,stratum,questions,measure,value,low,high,n,difference"),
        ("md", "**Words and bigrams (2 questions)**"),
        ("tex", "\\begin{table}"),
    ):
        path = tmp_path / f"table.{ending}"
        assert run("export", "1", str(path))[0] == 0
        assert path.read_text("utf-8").startswith(begins)
    code, _, err = run("export", "1", str(tmp_path / "table.docx"))
    assert code == 3 and ".tex" in err


def test_there_are_files_to_begin_with_and_each_can_run(run: Run, tmp_path: Path) -> None:
    listed = run("starters")[1].splitlines()
    assert len(listed) >= 3
    for line in listed:
        name = line.partition(":")[0]
        path = tmp_path / name
        path.write_text(run("starters", name)[1], encoding="utf-8")
        assert run("check", str(path))[0] == 0
    assert run("starters", "none.yaml")[0] == 3


def test_all_that_is_wrong_in_a_file_is_printed_at_once(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    methods = "- bm52\n- {method: bm25, varient: x}\n- {method: expand, base: bm25}\n"
    file.write_text(f"name: x\nmethods:\n{methods}", "utf-8")
    code, _, err = run("check", str(file))
    lines = err.splitlines()
    assert code == 3 and lines[0] == f"Error: {file}: 2 things are wrong:"
    assert lines[1].startswith('line 3, field "method": There is no retrieval method "bm52". Did')
    assert lines[2].startswith('line 4, field "varient": bm25 has no parameter "varient". Did you')
    file.write_text(f"{TEXT}- {{name: Asked, method: expand, base: Words}}\n", "utf-8")
    out = run("check", str(file))[1].splitlines()
    assert out[-2] == "1 line cannot be run here; the others can:"
    assert out[-1].startswith(f'  {file}, line 6, field "Asked": ')
    assert json.loads(run("run", str(file), "--json")[1])["error"] == "experiment_lines_failed"
