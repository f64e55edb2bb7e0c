"""From answers to a report on claims and citations, on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.commands.called import printed
from tests.conftest import FakeClock
from tests.projects.attribution_project import FILE, FORM, judged_by, make, script

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return partial(printed, tmp_path / "w")


def test_from_answers_to_a_report(run: Run, tmp_path: Path, clock: FakeClock) -> None:
    house = make(tmp_path / "w", clock)
    with judged_by(house.ws) as server:
        script(server)
        assert "3 answers list their claims" in run("attribution", "split")[1]
        code, out, _ = run("--json", "attribution", "label")
        assert (code, json.loads(out)["states"]) == (0, {"said": 6})
        assert "0 calls: nothing; 6 done before." in run("attribution", "label")[1]
    figure = tmp_path / "f.svg"
    report = ("attribution", "report", "--resamples", "200")
    code, out, err = run(*report, "--output", str(figure))
    assert (code, err) == (0, "")
    assert "0.375" in out and "refused" in out
    assert "0 of 24 comparisons of two systems differ" in out
    assert "p (Holm)" not in out
    assert figure.read_text("utf-8").startswith("<svg")
    told = json.loads(run("--json", *report, "--all-pairs")[1])
    (row,) = (each for each in told["mistakes"] if each["system"] == FORM)
    assert row["inside"] == 1
    (row,) = (each for each in told["scores"] if each["system"] == FORM)
    assert row["claim_f1"]["n"] == 2

    out = run("attribution", "show", "q1", FORM)[1]
    assert "Boats need a lamp at night." in out
    told = json.loads(run("--json", "attribution", "show", "q1", FORM)[1])
    row = next(each for each in told["claims"] if each["claim"] == "Lamps are lit at dusk.")
    assert (row["label"], row["matches"], row["cites"]) == ("match", "2", "lake-act_article-1")
    told = json.loads(run("--json", "attribution", "show", "q1", FILE)[1])
    assert [each["question"] for each in told["citations"]] == ["q1"]
    assert [each["label"] for each in told["claims"]] == ["none"]


def test_what_ends_early_says_so(run: Run, tmp_path: Path, clock: FakeClock) -> None:
    house = make(tmp_path / "w", clock)
    with judged_by(house.ws) as server:
        script(server)
        file = house.ws.folder / "models.toml"
        file.write_text(f"{file.read_text('utf-8')}[budget]\ncalls = 1\n", "utf-8")
        code, out, _ = run("attribution", "split")
        assert code == 3
        assert "Ended early: budget" in out
    assert "not labelled" in run("attribution", "show", "q1", FILE)[1]
