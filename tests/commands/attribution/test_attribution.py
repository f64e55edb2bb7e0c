"""From answers to a report on claims and citations and to their review, on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.commands.called import command_line, printed
from tests.conftest import FakeClock
from tests.projects.attribution_project import FILE, FORM, judged_by, make, script
from tests.projects.attribution_review_project import (
    JUDGE,
    SYSTEM,
    AttributionHouse,
    answered,
    build,
    submitted,
)

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
        server.plays(house.ws.folder, "[budget]\ncalls = 1\n")
        code, out, _ = run("attribution", "split")
        assert code == 3
        assert "Ended early: budget" in out
    assert "not labelled" in run("attribution", "show", "q1", FILE)[1]


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> AttributionHouse:
    return build(tmp_path / "workspace", clock)


def run_review(house: AttributionHouse, *words: str, code: int = 0) -> str:
    house.ws.engine.dispose()
    done = command_line(house.ws.folder, *words)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout if code == 0 else done.stderr


def test_items_are_drawn_and_the_setting_is_said(house: AttributionHouse) -> None:
    with house.ws.writing() as session:
        for name in ("q8", "q9"):
            answered(session, 1, name, house.ws.clock())
        answered(session, 1, "empty", house.ws.clock(), claims=(), labels=())
    said = run_review(house, "attribution", "items", "--sample", "1", "--seed", "4")
    assert said.splitlines() == [
        "1 added: 4 answers to review; 1 have no item.",
        "1 have no claim: there is nothing to review.",
    ]
    assert run_review(house, "attribution", "suggestions").strip() == "after"
    assert "4 items are shown anew" in run_review(house, "attribution", "suggestions", "hidden")
    assert "blinking" in run_review(house, "attribution", "suggestions", "blinking", code=3)
    assert JUDGE in run_review(house, "attribution", "items", "--judge", "nobody", code=3)


def test_a_dispute_is_shown_and_decided(house: AttributionHouse) -> None:
    submitted(house, house.ann, house.items[0])
    submitted(house, house.ben, house.items[0], label_2="match", gold_2=1)
    which = ("--by", "Cho", "--task", "attribution")
    (line,) = run_review(house, "adjudicate", "list", *which).splitlines()
    name = next(word for word in line.split() if "·" in word)
    shown = run_review(house, "adjudicate", "show", name, *which)
    assert "gold claim 2: " in shown
    assert "claim 2: " in shown
    assert "소방법_9조: no provision of this law" in shown
    assert "claim 2: partial match, gold claim 2, partly supported" in shown
    chosen = ("--set", "label_2=partial", "--set", "gold_2=2", "--reason", "Another fine.")
    assert "Decided." in run_review(house, "adjudicate", "decide", name, *which, *chosen)


def test_corrected_scores_say_why_they_are_withheld(house: AttributionHouse) -> None:
    told = json.loads(run_review(house, "--json", "attribution", "corrected"))
    row = told["scores"][0]
    assert (row["system"], row["judge"], row["measure"]) == (SYSTEM, JUDGE, "claim_precision")
    assert row["judged"]["value"] == pytest.approx(2 / 3)
    assert row["corrected"] == {
        "value": None,
        "note": "withheld: 10 reviewed answers needed, 0 so far",
    }
    (counts,) = told["answers"]
    assert (counts["answers"], counts["reviewed"], counts["no_gold"]) == (3, 0, 0)
    assert "No model has labelled" in run_review(
        house, "attribution", "corrected", "--judge", "nobody"
    )
