"""Every benchmark says at once what it takes, and is listed with its figures."""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import Namespace
from importlib import import_module

import pytest

from benchmarks.program import PRINTS, is_said, print_figures, run
from evaluation.figure import Figure
from scripts.benchmarks_doc import FOLDER, TARGET, Benchmark, benchmarks, render
from tests.conftest import ROOT

BENCHMARKS = benchmarks()
HEAVY = ("numpy", "sqlalchemy", "sqlmodel", "playwright", "streamlit")


@pytest.mark.parametrize("each", BENCHMARKS, ids=lambda each: each.name)
def test_help_is_given_at_once(each: Benchmark) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", f"benchmarks.{each.name}", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    imported = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "argparse" in imported and not imported & set(HEAVY)
    assert each.summary.split(":")[0] in done.stdout
    if each.prints:
        assert f"{PRINTS}{' '.join(each.prints)}" in done.stdout


def test_every_program_of_the_folder_is_listed_with_what_it_prints() -> None:
    programs = {
        path.stem for path in FOLDER.glob("*.py") if "__main__" in path.read_text(encoding="utf-8")
    }
    assert {each.name for each in BENCHMARKS} == programs
    assert TARGET.read_text(encoding="utf-8") == render()


def test_a_benchmark_prints_no_figure_that_it_does_not_say(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = Namespace(prints="seconds recall[*] *_ms", json=True)
    print_figures([Figure("recall[bm25]", 1.0, 2), Figure("ask_ms", 1.0, 2)], said)
    assert "ask_ms" in capsys.readouterr().out
    with pytest.raises(ValueError, match="second"):
        print_figures([Figure("second", 1.0, 2)], said)
    assert not is_said("recall", said.prints)


SAMPLE = [f"--statutes={ROOT}/sample/statutes", f"--questions={ROOT}/sample/questions.jsonl"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("agreement", ["--annotations", "100", "--resamples", "5"]),
        ("citation_mapping", SAMPLE),
        ("citation_names", [SAMPLE[0], "--each", "5"]),
        ("citations_foreign", []),
        ("corpus", [SAMPLE[0], "--sampled", "absent"]),
        ("retrieval", [*SAMPLE, "--variants"]),
    ],
    ids=str,
)
def test_a_small_run_prints_one_object_of_figures(
    name: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    module = import_module(f"benchmarks.{name}")
    assert run(module.PARSER, module.figures_of, [*words, "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.out.count("\n") == 1 and printed.err == ""
    for figure in json.loads(printed.out).values():
        assert set(figure) == {"value", "n", "ci"}
        assert figure["ci"] is None or figure["ci"][0] <= figure["value"] <= figure["ci"][1]


@pytest.mark.parametrize(
    ("name", "words", "said"),
    [
        ("citation_mapping", [SAMPLE[0], "--questions", "nowhere"], "--questions: there is no"),
        ("citation_mapping", [SAMPLE[0], "--questions", __file__], "test_programs.py, line 1"),
        ("citations_foreign", ["--data", "nowhere"], "there is no set in nowhere"),
        ("graph_baselines", ["--whole", "nowhere"], "--whole: there is no nowhere"),
        ("startup", ["--before", "benchmarks"], "no checkout"),
    ],
)
def test_input_that_is_absent_or_cannot_be_read_is_said(
    name: str, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    module = import_module(f"benchmarks.{name}")
    assert run(module.PARSER, module.figures_of, words) == 2
    printed = capsys.readouterr()
    assert said in printed.err and printed.out == ""


def test_the_release_says_all_that_it_prints() -> None:
    (said,) = (each.prints for each in BENCHMARKS if each.name == "release")
    assert {"adopt_seconds", "roundtrip_equal", "bytes_equal", "loaders_ok"} <= set(said)
