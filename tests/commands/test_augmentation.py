"""`augment axes`, `plan`, `make`, `matrix`, `list` and `show`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from construction.augmentation.axes import starter
from storage.db.workspace import Workspace
from tests.commands.called import printed
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.projects.augmentation_project import SLUG, make, serving

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "w", clock)
    make(workspace)
    workspace.engine.dispose()
    return workspace


@pytest.fixture
def run(ws: Workspace) -> Run:
    return partial(printed, ws.folder, "--project", SLUG)


def test_from_a_plan_to_questions_that_can_be_read(run: Run, ws: Workspace) -> None:
    assert "No question has been planned" in run("augment", "matrix")[1]
    cells = ("--cell", "single_clause:L1:geography=2", "--cell", "exception_paired:L1=1")
    with serving(ws, "price_in = 1\nprice_out = 1") as server:
        code, out, _ = run("augment", "plan", *cells)
        assert code == 0 and "to ask 2" in out and "cannot be filled" in out
        assert "At most 2 calls" in out and not server.counts
        code, out, err = run("augment", "make", *cells, "--seed", "3")
        assert code == 0 and "Asked for 2 questions; 1 more" in out and "At most 2 calls" in err
        assert json.loads(run("--json", "augment", "make", *cells)[1])["asked"] == 0
    found = json.loads(run("--json", "augment", "matrix")[1])
    assert found["totals"] == {"planned": 3, "made": 2, "through": 0, "admitted": 0, "missing": 1}
    out = run("augment", "matrix")[1]
    assert "Of 3 questions planned, 1 is missing" in out and "100.0 % [34.2, 100.0]" in out
    assert "계획" in run("augment", "matrix", "--language", "ko")[1]
    out = run("augment", "list", "--cell", "single_clause:L1:geography")[1]
    assert "aug-0002" in out and "2 attempts." in out
    out = run("augment", "show", "aug-0001")[1]
    assert "single_clause L1  written" in out and "[anchor]" in out and "geography =" in out
    said = json.loads(run("--json", "augment", "show", "aug-0001")[1])
    assert said["level"] == "L1" and said["provisions"][0]["head"]


def test_a_broken_end_is_told_with_its_exit_code(run: Run, ws: Workspace) -> None:
    with serving(ws) as server:
        server.on("", Step("error", status=401, message="wrong key"))
        code, out, _ = run("augment", "make", "--cell", "single_clause:L1=1")
    assert code == 3 and "The server accepts no call" in out and "no answer" in out


def test_axes_are_previewed_and_saved(run: Run, ws: Workspace, tmp_path: Path) -> None:
    with serving(ws):
        run("augment", "make", "--cell", "single_clause:L1:geography=1")
    mine = tmp_path / "mine.yaml"
    mine.write_text(starter().replace("- key: geography", "- key: place"), "utf-8")
    out = run("augment", "axes", "preview", str(mine))[1]
    assert "New: facets.place" in out and "aug-0001 loses facets.geography." in out
    assert run("augment", "axes", "save", str(mine), "--note", "wider")[0] == 0
    assert "- key: place" in run("augment", "axes", "text")[1]
    mine.write_text(starter().replace("arity: 3 ", "arity: x "), "utf-8")
    code, _, err = run("augment", "axes", "save", str(mine), "--note", "x")
    assert code == 3 and "rubric.arity" in err and "109" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("make", "--cell", "single_clause:L1=1"), "No model is set up for generate."),
        (("make", "--cell", "single_clause:L1"), "is not the name of a cell"),
        (("make", "--cell", "a:L1=1", "--demand", "much"), "delegation"),
    ],
)
def test_what_a_user_can_mend(run: Run, words: tuple[str, ...], said: str) -> None:
    code, _, err = run("augment", *words)
    assert code == 3 and said in err
