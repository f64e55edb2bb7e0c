"""Each kind of harm is done to the file behind the product's back, and must be found."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from annotation.adjudication.disputes import decide
from annotation.check.project import check
from annotation.gold import derivation
from annotation.mapping import commands as mapping_commands
from annotation.work import commands
from storage.law.imports import keep_statutes
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, House, statute


@pytest.fixture
def worked(house: House) -> House:
    first, second, third = house.items
    submit(house, house.ann, first, (1, 5), comment="x")
    submit(house, house.ben, first, (2,))
    decide(house.ws, house.judge, first, [house.units[1]], False, "r", 1)
    submit(house, house.ann, second, (1,))
    commands.take_back(house.ws, house.ann, second)
    mapping_commands.label(house.ws, house.ann, second, house.units[1], "reject")
    commands.skip(house.ws, house.ben, third, "")
    return house


def _harm(house: House, *statements: str) -> list[str]:
    with closing(sqlite3.connect(house.ws.database)) as database:
        for trigger in ("annotation_no_update", "annotation_label_no_update"):
            definition = database.execute(
                "SELECT sql FROM sqlite_master WHERE name = ?", (trigger,)
            ).fetchone()[0]
            database.execute(f"DROP TRIGGER {trigger}")
            statements = (*statements, definition)
        for statement in statements:
            database.execute(statement)
        database.commit()
    return sorted({problem.code for problem in check(house.ws, SLUG)})


def test_sound_work_has_no_problem(worked: House) -> None:
    assert check(worked.ws, SLUG) == []


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE annotation SET comment = 'y' WHERE id = 1", ["replay"]),
        ("UPDATE annotation SET no_provision = 1 WHERE id = 2", ["replay"]),
        ("UPDATE annotation_label SET label = 'reject' WHERE id = 1", ["replay"]),
        (
            "UPDATE annotation SET supersedes_id = NULL, item_id = 3 WHERE id = 4",
            ["chain", "replay"],
        ),
        ("UPDATE annotation SET snapshot_id = 77 WHERE id = 1", ["foreign_key", "stranger"]),
        ("DROP TRIGGER draft_event_no_delete", ["guard"]),
        ("UPDATE adjudication_label SET unit_id = 999", ["foreign_key"]),
    ],
)
def test_harm_is_found(worked: House, statement: str, found: list[str]) -> None:
    if "adjudication_label" in statement:
        _harm(worked, "DROP TRIGGER adjudication_label_no_update")
        found = sorted([*found, "guard"])
    assert _harm(worked, statement) == found


def test_what_the_file_itself_says_is_damaged_is_found(worked: House) -> None:
    harm = "UPDATE annotation SET kind = 'odd' WHERE id = 1"
    assert "file" in _harm(worked, "PRAGMA ignore_check_constraints = ON", harm)


def test_a_submission_withdrawn_behind_a_decision_is_found(worked: House) -> None:
    harm = "UPDATE annotation SET kind = 'withdraw' WHERE id = 1"
    assert _harm(worked, harm) == ["chain", "settled"]


def test_gold_that_the_law_in_use_does_not_have_as_judged_is_found(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = house.items
    for person in (house.ann, house.ben):
        submit(house, person, first, (1,))
        submit(house, person, second, (2,))
    submit(house, house.ann, third, (1,))
    submit(house, house.ben, third, (2,))
    decide(house.ws, house.judge, third, [house.units[1]], False, "r", 1)
    keep_statutes(house.ws, SLUG, [statute(" More.")], "second")
    assert check(house.ws, SLUG) == []
    monkeypatch.setattr(derivation, "lost_gold", lambda *_: {})
    found = [(problem.code, problem.where) for problem in check(house.ws, SLUG)]
    assert found == [("gold", f"{each} → lake-act_article-1") for each in ("q1", "q3")]


def test_problems_are_said_in_both_languages(worked: House) -> None:
    _harm(worked, "DROP TRIGGER draft_event_no_delete")
    problem = check(worked.ws, SLUG)[0]
    assert "draft_event_no_delete" in str(problem)
    assert "draft_event_no_delete" in problem.say("ko")
    assert problem.say("ko") != str(problem)
