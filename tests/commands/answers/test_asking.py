"""Answers on the command line: plan, ask, list, read, export."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.commands.called import printed
from tests.llm.server import Server, Step
from tests.projects.answers_project import keep_bm25
from tests.projects.closure_law import REPORT
from tests.projects.closure_project import ferry

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, server: Server) -> Run:
    ws = ferry(tmp_path / "w").ws
    server.plays(ws.folder, "price_in = 1.0\nprice_out = 2.0\n[budget]\ntokens = 30000\n")
    keep_bm25(ws)
    ws.engine.dispose()

    return partial(printed, tmp_path / "w")


def test_what_it_takes_is_told_before_it_is_asked(run: Run, server: Server) -> None:
    code, out, _ = run("answers", "plan", "--context", "none", "--context", "oracle", "--k", "4")
    assert code == 0
    assert "gpt (closed)" in out and "gpt (oracle 4)" in out
    assert "2 without gold provisions" in out
    assert "Budget: – calls (0 used), 30,000 tokens (0 used)" in out
    told = json.loads(run("--json", "answers", "plan")[1])
    assert (told["calls"], told["systems"][0]["questions"], server.seen) == (6, 6, [])
    assert told["cost"] > 0 and told["tokens"] > 6_000
    assert run("answers", "plan", "--context", "none", "--run", "1", "--single")[0] == 0
    assert "could exceed the budget: tokens" in run("answers", "plan", "--context", "pseudo")[1]


def test_from_asking_to_a_file(run: Run, server: Server, tmp_path: Path) -> None:
    server.on("과태료", Step(text=json.dumps({REPORT: ["[제1항] 한다."], "answer": "냅니다."})))
    server.on("", Step(text="모릅니다"))
    asked = [
        "--format",
        "per_provision",
        "--run",
        "1",
        "--k",
        "1",
        "--role",
        "judge",
        "--no-anchor",
    ]
    code, out, _ = run("answers", "run", *asked)
    assert code == 0, out
    assert "Of 2 answers wanted, 2 kept (1 answered, 1 invalid form) and 0 not asked for." in out
    assert "0 answers wanted" in run("answers", "run", *asked)[1]
    [row] = json.loads(run("--json", "answers", "list")[1])["systems"]
    assert row["system"].endswith("top 1, per provision)")
    assert (row["states"], row["problems"]) == ({"answered": 1, "invalid": 1}, {"no_json": 1})
    assert (row["role"], row["cost"] > 0) == ("judge", True)
    name = row["system"]
    assert "q2  invalid, no_json" in run("answers", "list", name, "--state", "no_json")[1]
    out = run("answers", "show", name, "q1")[1]
    assert "냅니다." in out and f"[{REPORT}]" in out and "[제1항] 한다." in out
    told = json.loads(run("--json", "answers", "show", name, "q1")[1])
    assert told["shown"][0]["text"].startswith("①") or told["shown"][0]["text"]
    code, out, _ = run("answers", "export", str(tmp_path / "out"))
    assert code == 0
    lines = (tmp_path / "out" / "answers.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(each)["state"] for each in lines] == ["answered", "invalid"]
    first = (tmp_path / "out" / "answers.jsonl").read_bytes()
    run("answers", "export", str(tmp_path / "again"))
    assert (tmp_path / "again" / "answers.jsonl").read_bytes() == first


def test_what_is_not_there_or_cannot_be_asked_says_why(run: Run, server: Server) -> None:
    server.on("", Step(text="예."))
    run("answers", "run", "--run", "1", "--k", "2", "--single", "--system", "alone")
    for words, said in (
        (("show", "alone", "q1"), "Say which with --passage: 1, 2."),
        (("list", "nobody"), "Name one of: alone."),
        (("list", "alone", "--state", "foo"), "Write one of: answered, refused"),
        (("run", "--context", "guess"), "“guess” is not one of the choices."),
        (("run", "--single"), "Only provisions can be shown one at a time."),
        (("run", "--role", "judge", "--role", "solve", "--model", "x"), "more than one role"),
    ):
        status, _, err = run("answers", *words)
        assert status == 3 and said in " ".join(err.split())
    assert run("answers", "show", "alone", "q1", "--passage", "2")[0] == 0
