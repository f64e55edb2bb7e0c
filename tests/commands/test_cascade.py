"""The commands of the cascade, in words and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.commands.called import printed
from tests.conftest import FakeClock
from tests.projects.cascade_project import (
    GOOD,
    LISTING,
    SLUG,
    add_questions,
    judging,
    project,
    set_layers,
    without,
)

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, clock: FakeClock) -> Run:
    ws, _ = project(tmp_path / "w", clock)
    set_layers(ws, without("closure"))
    add_questions(ws, GOOD.format(n=1), LISTING)
    ws.engine.dispose()

    call = partial(printed, tmp_path / "w", "--project", SLUG)

    def serving(*words: str) -> tuple[int, str, str]:
        with judging(ws, "price_in = 1.0\nprice_out = 1.0"):
            return call(*words)

    return serving


def said(run: Run, *words: str) -> Any:
    code, out, err = run("--json", *words)
    assert code == 0, err
    return json.loads(out)


def test_from_the_cost_to_the_report(run: Run, tmp_path: Path) -> None:
    found = said(run, "cascade", "run", "--count")
    assert (found["questions"], found["calls"], found["known"]) == (2, 1, 0)
    assert "Calls to the judge (m): 1" in run("cascade", "run", "--count")[1]
    code, out, _ = run("cascade", "run")
    assert code == 0 and "rejected by gate" in out and "through" in out
    passed, hits = (each["share"] for each in said(run, "cascade", "report")["shares"])
    assert passed == {"value": 0.5, "n": 2, "ci": pytest.approx([0.0945, 0.9055], abs=1e-3)}
    assert hits == {"value": 1.0, "n": 1, "ci": None}
    file = tmp_path / "report.md"
    out = run("cascade", "report", "--output", str(file), "--language", "ko")[1]
    assert "50.0 % [9.5, 90.5]" in out and "| 단계 |" in file.read_text("utf-8")
    assert run("cascade", "report", "--output", str(tmp_path / "report.doc"))[0]


def test_a_rejected_question_is_read_restored_and_withdrawn(run: Run) -> None:
    run("cascade", "run")
    listed = said(run, "cascade", "list", "--state", "rejected")["questions"]
    assert [(each["id"], each["layer"]) for each in listed] == [("aug-0002", "gate")]
    assert "aug-0002  rejected (gate)" in run("cascade", "list")[1]
    found = said(run, "cascade", "show", "aug-0002")
    assert found["results"][0]["reasons"][0]["code"] == "wording.lists_institutions"
    assert "wording.lists_institutions" in run("cascade", "show", "aug-0002")[1]
    code, out, _ = run("cascade", "restore", "aug-0002", "--reason", "one project")
    assert (code, out.strip()) == (0, "aug-0002: waiting.")
    run("cascade", "run")
    assert said(run, "cascade", "list")["questions"][1]["state"] == "restored"
    assert "one project" in run("cascade", "show", "aug-0002")[1]
    code, out, _ = run("cascade", "withdraw", "aug-0002", "--reason", "not one")
    assert (code, out.strip()) == (0, "aug-0002: rejected.")


def test_layers_are_written_checked_and_saved(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    assert run("cascade", "layers", "text", "--output", str(file))[0] == 0
    assert file.read_text("utf-8") == without("closure")
    file.write_text(without("gate"), "utf-8")
    checked = said(run, "cascade", "layers", "check", str(file))["layers"]
    assert checked[0] == {"layer": "gate", "on": False}
    assert "gate         off" in run("cascade", "layers", "check", str(file))[1]
    code, out, _ = run("cascade", "layers", "save", str(file), "--note", "no gate")
    assert code == 0 and "Saved version 3." in out
    assert "no gate" in run("cascade", "layers", "versions")[1]
    file.write_text(without("gate").replace("tolerance: 0", "tolerance: 7"), "utf-8")
    code, out, err = run("cascade", "layers", "check", str(file))
    text = " ".join((out + err).split())
    assert code == 3 and "layers[4].tolerance" in text and "mine.yaml" in text
