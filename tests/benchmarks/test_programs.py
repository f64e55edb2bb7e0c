"""Every benchmark runs in both ways, says at once what it takes, and is listed with its figures."""

from __future__ import annotations

import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from benchmarks.figures import print_figures
from benchmarks.program import PRINTS, is_said
from evaluation.figure import Figure
from scripts.benchmarks_doc import FOLDER, TARGET, Benchmark, benchmarks, render
from tests.conftest import ROOT

BENCHMARKS = benchmarks()
HEAVY = ("numpy", "sqlalchemy", "sqlmodel", "playwright", "streamlit")


def helped(words: list[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *words, "--help"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    imported = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "argparse" in imported and not imported & set(HEAVY)
    return done.stdout


@pytest.mark.parametrize("each", BENCHMARKS, ids=lambda each: each.name)
def test_help_is_given_as_a_script_from_any_folder(each: Benchmark, tmp_path: Path) -> None:
    as_script = helped([str(FOLDER / f"{each.name}.py")], tmp_path)
    assert each.summary.split(":")[0] in as_script
    if each.prints:
        assert f"{PRINTS}{' '.join(each.prints)}" in as_script


@pytest.mark.long
@pytest.mark.parametrize("each", BENCHMARKS, ids=lambda each: each.name)
def test_help_is_the_same_as_a_module(each: Benchmark, tmp_path: Path) -> None:
    as_script = helped([str(FOLDER / f"{each.name}.py")], tmp_path)
    assert as_script == helped(["-m", f"benchmarks.{each.name}"], ROOT)


def test_a_script_named_as_a_package_imports_that_package(tmp_path: Path) -> None:
    code = (
        "import runpy, sys; sys.argv[0] = sys.argv[1]; sys.path[0] = sys.argv[2]\n"
        "runpy.run_path(sys.argv[1], run_name='__not_main__')\n"
        "print(sys.modules['corpus'].__file__)"
    )
    path = FOLDER / "corpus.py"
    done = subprocess.run(
        [sys.executable, "-c", code, str(path), str(FOLDER)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.stdout.split() == [str(ROOT / "corpus" / "__init__.py")], done.stderr


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
