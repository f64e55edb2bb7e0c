"""From answers to a report on the command line, with verdicts of the scripted server."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.annotation.judging.answered import QUESTIONS, SYSTEMS, case, jsonl, verdict
from tests.commands.called import printed
from tests.llm.server import Server, Step

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    call = partial(printed, tmp_path / "w")
    assert call("init")[0] == 0
    assert call("project", "answers", "--title", "Answers")[0] == 0
    for name in ("Ann", "Ben"):
        assert call("person", "add", name, "--role", "annotator")[0] == 0
    lines = [case(question, system) for system in SYSTEMS for question in QUESTIONS]
    assert "6 answers new" in call("judge", "cases", str(jsonl(tmp_path / "c.jsonl", lines)))[1]
    return call


def test_from_answers_to_a_report(run: Run, server: Server, tmp_path: Path) -> None:
    server.plays(tmp_path / "w")
    server.on("q1", Step(text="1"))
    server.on("", Step(text="0"))
    code, out, _ = run("judge", "run")
    assert code == 0
    assert "6 of 6: 6 answered; 0 from before" in out
    assert "6 from before" in run("judge", "run")[1]
    assert run("judge", "run", "--pairwise", "--system", "small")[0] == 0
    ratings = [
        {"id": question, "system": "small", "person": person, "rating": question != "q3"}
        for question in QUESTIONS
        for person in ("Ann", "Ben")
    ]
    file = jsonl(tmp_path / "r.jsonl", ratings)
    assert "6 ratings new" in run("judge", "ratings", str(file))[1]
    code, out, _ = run("judge", "report", "--output", str(tmp_path / "figures.csv"))
    assert code == 0
    assert "33.3 % [6.1, 79.2]" in out and "66.7 % [20.8, 93.9]" in out
    assert "gpt: small: every judged answer is rated" in out
    assert "tuned" in (tmp_path / "figures.csv").read_text("utf-8")
    told = json.loads(run("--json", "judge", "report", "--system", "small")[1])
    counts = {row["cell"]: row["count"] for row in told["matrix"]}
    assert counts == {"tp": 1, "fp": 0, "fn": 1, "tn": 1}
    waiting = json.loads(run("--json", "judge", "waiting")[1])
    assert (waiting["waiting"], waiting["cases"][0]["id"]) == (3, "q2")
    assert "3 wait." in run("judge", "waiting", "--judge", "gpt")[1]
    assert run("judge", "export", str(tmp_path / "out"))[0] == 0
    assert len((tmp_path / "out" / "ratings.jsonl").read_text("utf-8").splitlines()) == 6


def test_verdicts_from_elsewhere_and_faults_with_their_place(run: Run, tmp_path: Path) -> None:
    file = jsonl(tmp_path / "v.jsonl", [verdict("q1", 1), verdict("q2", 0)])
    assert "2 verdicts new" in run("judge", "verdicts", str(file))[1]
    jsonl(file, [verdict("q3", 1), verdict("q9", 1)])
    code, _, err = run("judge", "verdicts", str(file))
    assert code == 3
    assert "v.jsonl, line 2" in err
    assert 'no answer of small to "q9"' in err
    code, _, err = run("judge", "waiting", "--judge", "nobody")
    assert (code, "no verdicts of a judge" in err) == (3, True)
    assert run("judge", "report", "--output", str(tmp_path / "x.pdf"))[0] == 3


def test_answers_from_a_model(run: Run, server: Server, tmp_path: Path) -> None:
    questions = [
        {"question_id": f"n{number}", "question": f"May I, {number}?", "answer": "No."}
        for number in (1, 2)
    ]
    file = jsonl(tmp_path / "questions.jsonl", questions)
    assert run("import", "questions", str(file))[0] == 0
    server.plays(tmp_path / "w")
    server.on("", Step(text="You may not."))
    code, out, _ = run("judge", "answer", "--system", "zero-shot")
    assert code == 0
    assert "Of 2 answers wanted, 2 kept (2 answered) and 0 not asked for. 2 replies" in out
    assert json.loads(run("--json", "judge", "report")[1])["systems"] == [
        "large",
        "small",
        "zero-shot",
    ]
    assert run("judge", "answer", "--provisions")[0] == 3
