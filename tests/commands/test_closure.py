"""Closure of gold on the command line."""

from __future__ import annotations

import json
from functools import partial

import pytest

from construction.closure.rules import starter
from tests.commands.called import printed
from tests.projects.closure_law import COMPANY, FINE, INSPECTION
from tests.projects.closure_project import SLUG, ferry


@pytest.fixture
def run(tmp_path, clock):
    ferry(tmp_path / "w", clock).ws.engine.dispose()

    return partial(printed, tmp_path / "w", "--project", SLUG)


def states(run, question):
    said = json.loads(run("--json", "closure", "check", "--question", question)[1])
    return {row["unit"]: row["state"] for row in said["missing"]}


def test_check_says_what_is_missing_by_which_words(run):
    code, out, _ = run("closure", "check")
    assert code == 0
    assert "80.0 % [37.6, 96.4] of 5 gold sets lack a provision by the rules, 6 provisions" in out
    assert FINE in out and f"“과태료” (question); “제1조” ({FINE})" in out
    out = run("closure", "check", "--question", "q2")[1]
    assert INSPECTION in out and FINE not in out
    out = run("closure", "check", "--kind", "augmented")[1]
    assert COMPANY in out and FINE not in out


def test_provisions_are_dismissed_reopened_and_sent_back(run):
    assert run("closure", "dismiss", "q2", "--by", "Lee")[0] == 3  # without a reason
    assert run("closure", "dismiss", "q2", "--by", "Lee", "--reason", "no")[0] == 0
    assert states(run, "q2") == {INSPECTION: "dismissed"}
    assert INSPECTION not in run("closure", "check", "--question", "q2")[1]
    said = run("closure", "check", "--all", "--question", "q2")[1]
    assert INSPECTION in said and "Lee" in said
    assert run("closure", "fix", "q2", "--by", "Lee")[0] == 3  # nothing waits
    assert run("closure", "reopen", "q2", "--by", "Lee")[0] == 0
    assert run("closure", "fix", "q2")[0] == 3  # nobody sends it back
    assert run("closure", "fix", "q2", "--by", "Lee", "--unit", INSPECTION)[0] == 0
    assert states(run, "q2") == {INSPECTION: "sent_back"}
    assert run("closure", "fix", "q1", "--by", "Ann")[0] == 3


def test_augmented_questions_are_completed_once(run):
    code, out, _ = run("closure", "fix")
    assert code == 0 and f"aug-0001: passed: {COMPANY} added by rule r2_parallel" in out
    assert "1 augmented questions, 1 not complete before." in out
    assert "0 not complete before." in run("closure", "fix")[1]
    assert states(run, "q2") == {INSPECTION: "waiting"}


def test_the_audit_lists_leaked_paragraphs(run):
    code, out, _ = run("closure", "audit")
    assert code == 0 and "q3" in out and "나루법 제1조 2항" in out and "나루법 제2조" in out
    assert "50.0 % [9.5, 90.5] of 2 questions have such a reference." in out
    assert "q3" not in run("closure", "audit", "--question", "q5")[1]


def test_rules_are_read_previewed_and_saved(run, tmp_path):
    assert run("closure", "rules", "text")[1].strip() == starter().strip()
    file = tmp_path / "rules.yaml"
    file.write_text("rules: []\n", encoding="utf-8")
    code, out, _ = run("closure", "rules", "preview", str(file))
    assert code == 0 and "4 now, 0 then" in out and "r4_sanction: 4 provisions now, 0 then" in out
    assert run("closure", "rules", "save", str(file), "--note", "none")[0] == 0
    assert "0 provisions in all" in run("closure", "check")[1]


@pytest.mark.parametrize(
    "words",
    [
        ("closure", "check", "--question", "q9"),
        ("closure", "check", "--kind", "mcq"),
        ("closure", "dismiss", "q1", "--by", "Nobody", "--reason", "x"),
    ],
)
def test_what_cannot_be_is_refused(run, words):
    assert run(*words)[0] == 3
