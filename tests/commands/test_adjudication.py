from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.gold.derivation import derive
from annotation.people.members import change_role
from tests.annotation.crew import submit
from tests.annotation.house import SLUG, House, build
from tests.commands.called import command_line
from tests.conftest import FakeClock


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    """Return a project in which Ann and Ben differ on q1."""
    made = build(tmp_path / "workspace", clock)
    submit(made, made.ann, made.items[0], 1, 4)
    submit(made, made.ben, made.items[0], 1)
    return made


def run(house: House, *arguments: str) -> str:
    done = command_line(house.ws.folder, "adjudicate", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(house: House, *arguments: str) -> str:
    done = command_line(house.ws.folder, "adjudicate", *arguments)
    assert done.returncode == 3
    return done.stderr


def test_a_case_is_listed_shown_sent_back_and_recalled(house: House) -> None:
    assert run(house, "list", "--by", "Judge").split()[:3] == ["q1", "open", "differ"]
    told = run(house, "show", "q1", "--by", "Judge")
    assert "Ann (" in told
    assert "accept lake-act_article-4" in told
    assert "Ann, Ben" in run(house, "refer", "q1", "--by", "Judge", "--reason", "Talk.")
    assert "waiting for Ann, Ben" in run(house, "list", "--by", "Judge")
    run(house, "recall", "q1", "--by", "Judge")
    assert "waiting" not in run(house, "list", "--by", "Judge")


def test_a_case_is_decided_by_the_ids_of_its_provisions(house: House) -> None:
    where = ("decide", "q1", "--by", "Judge", "--reason", "Only lamp 1.")
    assert "999" in refused(house, *where, "--unit", "999")
    run(house, *where, "--unit", "lake-act_article-1")
    (found, *_) = derive(house.ws, SLUG)
    assert (found.outcome, found.units) == ("adjudicated", ("lake-act_article-1",))


def test_who_has_labelled_a_case_is_told_so(house: House) -> None:
    change_role(house.ws, house.ann, "adjudicator")
    assert "labelled by you too" in run(house, "list", "--by", "Ann")
    told = json.loads(run(house, "list", "--by", "Ann", "--json"))
    assert told["cases"][0]["own"]


def test_an_answer_is_asked_for_declined_and_given_back(house: House) -> None:
    assert run(house, "requests", "--by", "Judge").strip() == "Nobody asks."
    assert "reason" in refused(house, "ask", "q1", "--by", "Ann")
    run(house, "ask", "q1", "--by", "Ann", "--reason", "I slipped.")
    told = json.loads(run(house, "requests", "--by", "Judge", "--json"))["requests"]
    assert [(each["person"], each["reason"]) for each in told] == [("Ann", "I slipped.")]
    to = ("q1", "--to", "Ann", "--by", "Judge")
    run(house, "decline", *to, "--reason", "Article 4 is meant.")
    assert "no longer open" in refused(house, "decline", *to, "--reason", "Again.")
    run(house, "ask", "q1", "--by", "Ann", "--reason", "I did slip.")
    run(house, "give-back", *to, "--reason", "Look at 4.")
    assert run(house, "requests", "--by", "Judge").strip() == "Nobody asks."
    assert "waiting for Ann" in run(house, "list", "--by", "Judge")
    run(house, "recall", "q1", "--by", "Judge")
    assert "q9" in refused(house, "give-back", "q9", "--to", "Ann", "--by", "Judge")
    wrong = (*to, "--reason", "x", "--task", "ocr_correction")
    assert "q1" in refused(house, "give-back", *wrong)
