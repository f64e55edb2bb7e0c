from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from annotation.forms.adjudication import settle
from commands.shell.state import EXIT_USAGE, EXIT_USER_ERROR
from tests.annotation.house import build
from tests.commands.called import told
from tests.conftest import FakeClock
from tests.projects.mcq_project import build as build_mcq
from tests.projects.mcq_project import submitted

Run = Callable[..., tuple[int, Any]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    build(tmp_path / "w", FakeClock()).ws.engine.dispose()
    return partial(told, tmp_path / "w", "assign")


def test_a_batch_from_making_to_closing(run: Run, tmp_path: Path) -> None:
    ids = tmp_path / "ids.txt"
    ids.write_text("q3\nq1\n")
    code, made = run(
        *("make", "First", "--person", "Ann", "--person", "Ben", "--ids", str(ids)),
        *("--overlap", "1", "--order", "random", "--deadline", "2100-01-31"),
    )
    assert code == 0
    assert (made["items"], made["wanted"], made["names"]) == (2, 2, ["Ann", "Ben"])
    assert run("overlap", "First", "2")[1]["wanted"] == 4
    assert run("people", "First", "--add", "Cho", "--remove", "Ben")[1]["names"] == ["Ann", "Cho"]
    assert run("deadline", "First", "2100-02-01")[1]["deadline"][:10] == "2100-02-01"
    assert run("deadline", "First", "soon")[1]["error"] == "deadline_unreadable"
    assert run("deadline", "First")[1]["deadline"] is None
    run("deadline", "First", "2100-01-31")
    assert run("out", "First", "q1", "q1")[1]["items"] == 1
    assert run("out", "First", "q1")[1]["error"] == "items_not_in_batch"
    assert run("list")[1]["open_pool"] is False
    assert run("pool", "--open")[1]["open_pool"] is run("list")[1]["open_pool"] is True
    assert run("pool", "--closed")[1]["open_pool"] is run("list")[1]["open_pool"] is False
    assert run("close", "First")[1]["closed"] is True
    assert run("close", "First", "--reopen")[1]["closed"] is False
    (listed,) = run("list")[1]["batches"]
    assert (listed["name"], listed["deadline"][:10], listed["holders"]) == (
        "First",
        "2100-01-31",
        [],
    )


def test_a_practice_round_needs_known_answers(run: Run, tmp_path: Path) -> None:
    making = ("make", "Practice", "--person", "Ann", "--practice")
    code, error = run(*making)
    assert (code, error["error"]) == (EXIT_USER_ERROR, "batch_known_missing")
    known = tmp_path / "known.jsonl"
    known.write_text('{"question_id": "q2", "units": ["lake-act_article-1"]}')
    assert run("known", str(known)) == (0, {"changed": 1})
    assert run(*making)[1]["items"] == 1
    assert run("known", "--from-gold") == (0, {"changed": 0})
    assert run("known")[0] == EXIT_USAGE


def test_the_known_answer_of_one_question(run: Run) -> None:
    assert run("known", "--question", "q1", "--no-provision") == (0, {"changed": 1})
    assert run("known", "--question", "q1", "--no-provision") == (0, {"changed": 0})
    unit = ("--unit", "lake-act_article-1", "--explanation", "It says so.")
    assert run("known", "--question", "q1", *unit) == (0, {"changed": 1})
    assert run("known", "--question", "q1")[1]["error"] == "known_answer_unfit"
    assert run("known", "--question", "q1", "--from-gold")[0] == EXIT_USAGE


def test_known_answers_of_a_form_come_from_a_file_or_from_decisions(tmp_path: Path) -> None:
    house = build_mcq(tmp_path / "w", FakeClock())
    for person, verdict in ((house.ann, {}), (house.ben, {"cause": "unclear"})):
        submitted(house, person, house.items[1], "drop" if verdict else "keep", **verdict)
    settle(house.ws, house.judge, house.items[1], {"verdict": "keep"}, "It is sound.")

    run = partial(told, tmp_path / "w", "assign")

    task = "--task", "mcq_solvability"
    known = tmp_path / "known.jsonl"
    line = {"item": "mcq-001", "answers": {"verdict": "keep"}, "explanation": "Both are needed."}
    known.write_text(json.dumps(line))
    assert run("known", str(known), *task) == (0, {"changed": 1})
    assert run("known", str(known), *task) == (0, {"changed": 0})
    assert run("known", "--from-gold", *task) == (0, {"changed": 1})
    assert run("known", "--question", "mcq-001", *task)[0] == EXIT_USAGE
    known.write_text(json.dumps(line | {"answers": {"verdict": "perhaps"}}))
    code, error = run("known", str(known), *task)
    assert (code, error["error"], error["line"]) == (EXIT_USER_ERROR, "mcq_value", 1)
    known.write_text(json.dumps(line | {"item": "mcq-999"}))
    assert run("known", str(known), *task)[1]["error"] == "questions_unknown"
    assert run("known", str(known), "--task", "poetry")[1]["error"] == "task_unknown"
    made = run("make", "Practice", "--person", "Ann", "--practice", *task)[1]
    assert (made["items"], made["task"]) == (2, "mcq_solvability")


def test_labels_of_the_source_are_audited(run: Run) -> None:
    words = ("make", "Audit", "--person", "Ann", "--person", "Ben", "--sample", "2")
    assert run(*words, "--audit", "colour")[1]["error"] == "audit_strata_unknown"
    code, made = run(*words, "--audit", "labels")
    assert (code, made["items"]) == (0, 2)
    assert run(*words, "--audit", "all")[1]["error"] == "audit_too_large"
