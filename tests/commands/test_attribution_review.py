"""Attribution review on the command line: items, suggestions, disputes, the corrected scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.called import command_line
from tests.conftest import FakeClock
from tests.projects.attribution_review_project import (
    JUDGE,
    SYSTEM,
    AttributionHouse,
    answered,
    build,
    submitted,
)


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> AttributionHouse:
    return build(tmp_path / "workspace", clock)


def run(house: AttributionHouse, *words: str, code: int = 0) -> str:
    house.ws.engine.dispose()
    done = command_line(house.ws.folder, *words)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout if code == 0 else done.stderr


def test_items_are_drawn_and_the_setting_is_said(house: AttributionHouse) -> None:
    with house.ws.writing() as session:
        for name in ("q8", "q9"):
            answered(session, 1, name, house.ws.clock())
        answered(session, 1, "empty", house.ws.clock(), claims=(), labels=())
    said = run(house, "attribution", "items", "--sample", "1", "--seed", "4")
    assert said.splitlines() == [
        "1 added: 4 answers to review; 1 have no item.",
        "1 have no claim: there is nothing to review.",
    ]
    assert run(house, "attribution", "suggestions").strip() == "after"
    assert "4 items are shown anew" in run(house, "attribution", "suggestions", "hidden")
    assert "blinking" in run(house, "attribution", "suggestions", "blinking", code=3)
    assert JUDGE in run(house, "attribution", "items", "--judge", "nobody", code=3)


def test_a_dispute_is_shown_and_decided(house: AttributionHouse) -> None:
    submitted(house, house.ann, house.items[0])
    submitted(house, house.ben, house.items[0], label_2="match", gold_2=1)
    which = ("--by", "Cho", "--task", "attribution")
    (line,) = run(house, "adjudicate", "list", *which).splitlines()
    name = next(word for word in line.split() if "·" in word)
    shown = run(house, "adjudicate", "show", name, *which)
    assert "gold claim 2: " in shown
    assert "claim 2: " in shown
    assert "소방법_9조: no provision of this law" in shown
    assert "claim 2: partial match, gold claim 2, partly supported" in shown
    chosen = ("--set", "label_2=partial", "--set", "gold_2=2", "--reason", "Another fine.")
    assert "Decided." in run(house, "adjudicate", "decide", name, *which, *chosen)


def test_corrected_scores_say_why_they_are_withheld(house: AttributionHouse) -> None:
    told = json.loads(run(house, "--json", "attribution", "corrected"))
    row = told["scores"][0]
    assert (row["system"], row["judge"], row["measure"]) == (SYSTEM, JUDGE, "claim_precision")
    assert row["judged"]["value"] == pytest.approx(2 / 3)
    assert row["corrected"] == {
        "value": None,
        "note": "withheld: 10 reviewed answers needed, 0 so far",
    }
    (counts,) = told["answers"]
    assert (counts["answers"], counts["reviewed"], counts["no_gold"]) == (3, 0, 0)
    assert "No model has labelled" in run(house, "attribution", "corrected", "--judge", "nobody")
